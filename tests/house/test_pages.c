/* SPDX-License-Identifier: MIT */
/* Form of pages for beginners: the lesson's steps and the tour's chapters have the same parts, a
 * sentence before each table says what to look for, and variants that they name are there. */
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include <quadpass/quadpass.h>

static const char *const parts[] = {"\n**The idea.**",
                                    "\n![",
                                    "\n**The command",
                                    "\n    quadpass ",
                                    "\n**What to notice.**",
                                    "\n**Question.**",
                                    "\n<details><summary>Answer</summary>\n",
                                    "\n</details>\n"};

/* Reports parts that a chapter lacks in their order. */
static void check_chapter(const char *path, const char *text, const char *heading)
{
    char line[64];
    snprintf(line, sizeof line, "\n## %s", heading);
    const char *from = strstr(text, line);
    if (from == NULL) {
        fault("%s: no chapter '%s'\n", path, heading);
        return;
    }
    const char *next = strstr(from + 1, "\n## ");
    const char *end = next != NULL ? next : from + strlen(from);
    for (int k = 0; k < COUNT(parts); k++) {
        const char *found = strstr(from, parts[k]);
        if (found == NULL || found > end)
            fault("%s: '%s' lacks '%s' in its place\n", path, heading, parts[k] + 1);
        else
            from = found;
    }
}

static void lesson_has_its_form(const char *path, const char *text)
{
    static const char *const steps[] = {"1.", "2.", "3.", "4.", "5."};
    for (int k = 0; k < COUNT(steps); k++)
        check_chapter(path, text, steps[k]);
}

static void tour_has_its_form(const char *path, const char *text)
{
    static const char *const papers[] = {"2004:", "Late 2004:", "2008:", "2009:", "2024:"};
    for (int k = 0; k < COUNT(papers); k++)
        check_chapter(path, text, papers[k]);
}

/* Reports tables whose paragraph before, comments left out, says nothing of looking. */
static void tables_say_what_to_look_for(const char *path, const char *text)
{
    bool says = false, is_new = true, in_table = false;
    int number = 1;
    for (const char *line = text; *line != '\0'; line += *line == '\n', number++) {
        const size_t length = strcspn(line, "\n");
        if (line[0] == '|') {
            if (!in_table && !says)
                fault("%s:%d: a table without a sentence on what to look for\n", path, number);
        } else if (length == 0) {
            is_new = true;
        } else if (strncmp(line, "<!--", 4) != 0) {
            says &= !is_new;
            const char *look = strcasestr(line, "look ");
            says |= look != NULL && look < line + length;
            is_new = false;
        }
        in_table = line[0] == '|';
        line += length;
    }
}

TEST(pages_have_their_form)
{
    each_file("docs/lesson.md", 1, lesson_has_its_form);
    each_file("docs/tour.md", 1, tour_has_its_form);
    check_chapter("x.md", "\n## 1. A\n**The idea.** b\n## 2.\n**The command.**\n", "1.");
    assert_int_equal(faults, COUNT(parts) - 1);
    each_file("docs/tour.md", 1, tables_say_what_to_look_for);
    tables_say_what_to_look_for("x.md", "Look at a:\n\n<!-- run: b -->\n| c |\n| d |\n\n| e |\n");
    assert_int_equal(faults, 0);
    tables_say_what_to_look_for("x.md", "Look at a.\n\nB:\n\n| c |\n| d |\n");
    assert_int_equal(faults, 1);
    faults = 0;
}

/* True if a variant, or a pattern that some variant matches, is so called. */
static bool is_row(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < qp_variant_count() && !found; i++)
        found = fnmatch(name, qp_variant_at(i)->name, 0) == 0;
    return found;
}

static bool is_operation(const char *name, size_t length)
{
    bool found = false;
    for (size_t i = 0; i < qp_variant_count() && !found; i++)
        found = strlen(qp_variant_at(i)->op) == length &&
                strncmp(qp_variant_at(i)->op, name, length) == 0;
    return found;
}

/* Variants that a page names in code, such as `jacobi9/rgba`, are there. */
static void named_rows_exist(const char *path, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_*";
    for (const char *at = text; (at = strchr(at, '/')) != NULL; at++) {
        const char *from = at;
        while (from > text && strchr(letters, from[-1]) != NULL)
            from--;
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(at - from + 1 + strspn(at + 1, letters)), from);
        const bool is_path = from > text && strchr("/.", from[-1]) != NULL;
        const char after = from[strlen(name)];
        if (is_path || (after == '.' && isalpha((unsigned char)from[strlen(name) + 1])) ||
            strchr("/({[$", after) != NULL || !is_operation(from, (size_t)(at - from)))
            continue;
        if (!is_row(name))
            fault("%s names %s, which is no variant\n", path, name);
    }
}

TEST(pages_name_rows)
{
    each_file("{README,docs/{README,lesson,glossary,tour,gallery,exercises/README}}.md", 5,
              named_rows_exist);
    named_rows_exist("x.md", "`jacobi9/rgba`, 'jacobi9/cuda*', shaders/jacobi9/x.frag, a/b");
    assert_int_equal(faults, 0);
    named_rows_exist("x.md", "`jacobi9/rgbx` and 'reduce/zz*'");
    assert_int_equal(faults, 2);
    faults = 0;
}
