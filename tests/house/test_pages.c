/* SPDX-License-Identifier: MIT */
/* Form of pages for beginners: the lesson's steps and the tour's pages have the same parts, a
 * sentence before each table says what to look for, code is narrow enough for a phone, and variants
 * that they name are there. */
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include <quadpass/quadpass.h>

enum { PAPERS = 6, COLUMNS = 60 };

static const char *const parts[] = {"\n**The idea.**",
                                    "\n![",
                                    "\n**The command",
                                    "\n    quadpass ",
                                    "\n**What to notice.**",
                                    "\n**Question.**",
                                    "\n<details><summary>Answer</summary>\n",
                                    "\n</details>\n"};

/* The beginning of a page about a paper. */
static const char *const facts[] = {
    "\n- **Who:**",  "\n- **Why:**",     "\n- **On what machine:**", "\n- **What they found:**",
    "\n- **Ours:**", "\n- **Still so?**"};

/* Reports parts that a text lacks in their order, before its end. */
static void check_parts(const char *path, const char *text, const char *end,
                        const char *const *wanted, int count)
{
    for (int k = 0; k < count; k++) {
        const char *found = strstr(text, wanted[k]);
        if (found == NULL || found > end)
            fault("%s: '%.40s' lacks '%s' in its place\n", path, text + strspn(text, "\n"),
                  wanted[k] + 1);
        else
            text = found;
    }
}

/* A step of the lesson is a chapter. */
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
    check_parts(path, from, next != NULL ? next : from + strlen(from), parts, COUNT(parts));
}

static void lesson_has_its_form(const char *path, const char *text)
{
    static const char *const steps[] = {"1.", "2.", "3.", "4.", "5."};
    for (int k = 0; k < COUNT(steps); k++)
        check_chapter(path, text, steps[k]);
}

/* A page of the tour says first who, why and on what machine, and then teaches as the lesson. */
static void paper_has_its_form(const char *path, const char *text)
{
    const char *idea = strstr(text, parts[0]);
    check_parts(path, text, idea != NULL ? idea : text, facts, COUNT(facts));
    check_parts(path, text, text + strlen(text), parts, COUNT(parts));
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
    each_file("docs/tour-20*.md", PAPERS, paper_has_its_form);
    check_chapter("x.md", "\n## 1. A\n**The idea.** b\n## 2.\n**The command.**\n", "1.");
    assert_int_equal(faults, COUNT(parts) - 1);
    faults = 0;
    paper_has_its_form("x.md", "# A\n- **Who:** b\n- **Why:** c\n**The idea.** d\n");
    assert_int_equal(faults, COUNT(facts) - 2 + COUNT(parts) - 1);
    each_file("docs/tour*.md", PAPERS, tables_say_what_to_look_for);
    tables_say_what_to_look_for("x.md", "Look at a:\n\n<!-- run: b -->\n| c |\n| d |\n\n| e |\n");
    assert_int_equal(faults, 0);
    tables_say_what_to_look_for("x.md", "Look at a.\n\nB:\n\n| c |\n| d |\n");
    assert_int_equal(faults, 1);
    faults = 0;
}

/* Reports lines of code that a phone cuts off, and comments beside commands, which it would cut off
 * first: they are lines of their own. */
static void code_is_narrow(const char *path, const char *text)
{
    bool is_code = false;
    int number = 1;
    for (const char *line = text; *line != '\0'; line += *line == '\n', number++) {
        const bool is_fence = strncmp(line, "```", 3) == 0;
        const bool is_command = !is_code && strncmp(line, "    ", 4) == 0;
        const char *from = line + (is_command ? 4 : 0);
        int columns = 0;
        is_code ^= is_fence;
        line += strcspn(line, "\n");
        for (const char *at = from; at < line; at++) {
            columns += (*at & 0xc0) != 0x80; /* bytes that begin a character */
            if (is_command && at > from && strncmp(at, " # ", 3) == 0)
                fault("%s:%d: a comment beside a command; put it on a line before it\n", path,
                      number);
        }
        if ((is_code || is_command) && !is_fence && columns > COLUMNS)
            fault("%s:%d: %d columns of code, and a phone shows %d\n", path, number, columns,
                  COLUMNS);
    }
}

TEST(code_fits_a_phone)
{
    each_file("{README,docs/lesson,docs/gallery,docs/teaching}.md", 4, code_is_narrow);
    code_is_narrow("x.md", "    # a\n    b \\\n        c\n```\n"
                           "123456789012345678901234567890123456789012345678901234567890\n```\n"
                           "12345678901234567890123456789012345678901234567890123456789012345\n");
    assert_int_equal(faults, 0);
    code_is_narrow("x.md", "    b # a\n```\n"
                           "1234567890123456789012345678901234567890123456789012345678901\n```\n");
    assert_int_equal(faults, 2);
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
    each_file("{README,docs/{README,lesson,glossary,tour*,gallery,exercises/README}}.md", 11,
              named_rows_exist);
    named_rows_exist("x.md", "`jacobi9/rgba`, 'jacobi9/cuda*', shaders/jacobi9/x.frag, a/b");
    assert_int_equal(faults, 0);
    named_rows_exist("x.md", "`jacobi9/rgbx` and 'reduce/zz*'");
    assert_int_equal(faults, 2);
    faults = 0;
}
