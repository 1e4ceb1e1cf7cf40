/* SPDX-License-Identifier: MIT */
/* The kernel files of demos/shaders: each is short, is on docs/gallery.md, is judged by its
 * reference, which notices a wrong sign, and the page's commands draw the pictures that are
 * stored. */
#include "support/shell.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/once.h"

#define SHADERS  "demos/shaders/"
#define PICTURES "docs/pictures/gallery/"

enum { MOST_LINES = 25 };

/* Files of other pages, without a picture. */
static const char elsewhere[] = " five_point half hotspot ease colours ";

static char *page;

/* Wrong kernel files are written into a folder that has the same pictures at the same place. */
static int enter_source(void **state)
{
    char line[256];
    if (make_folder(state) != 0 || chdir(QP_SOURCE_DIR) != 0 || compile_once(folder) != 0)
        return -1;
    snprintf(line, sizeof line, "mkdir -p %s/" SHADERS " && ln -s \"$PWD/docs\" %s", folder,
             folder);
    if (system(line) != 0)
        return -1;
    FILE *file = fopen("docs/gallery.md", "r");
    if (file == NULL)
        return -1;
    page = slurp(file);
    fclose(file);
    return 0;
}

static int leave_source(void **state)
{
    free(page);
    return remove_folder(state);
}

/* Writes the name of a path of demos/shaders, without its end. Returns whether it is in the
 * gallery. */
static bool is_shown(const char *path, char name[64])
{
    char padded[66];
    const char *base = strrchr(path, '/') + 1;
    snprintf(name, 64, "%.*s", (int)strcspn(base, "."), base);
    snprintf(padded, sizeof padded, " %.63s ", name);
    return strstr(elsewhere, padded) == NULL;
}

static void file_is_in_the_gallery(const char *path, const char *text)
{
    char name[64], words[128];
    int lines = 0;
    if (!is_shown(path, name))
        return;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (lines > MOST_LINES)
        fault("%s has %d lines, and %d are allowed\n", path, lines, MOST_LINES);
    snprintf(words, sizeof words, "\n//@ check %s.c\n", name);
    if (strstr(text, words) == NULL)
        fault("%s names no reference %s.c\n", path, name);
    snprintf(words, sizeof words, "](../" SHADERS "%s.frag)", name);
    if (strstr(page, words) == NULL)
        fault("docs/gallery.md does not show %s\n", path);
}

TEST(all_are_in_the_gallery)
{
    each_file(SHADERS "*.frag", 15, file_is_in_the_gallery);
    file_is_in_the_gallery(SHADERS "x.frag",
                           "//@ check y.c\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
                           "\n\n\n\n\n\n");
    assert_int_equal(faults, 3);
}

static void is_judged(const char *path, const char *text)
{
    char name[64], line[256];
    (void)text;
    if (!is_shown(path, name))
        return;
    snprintf(line, sizeof line, "quadpass check %s --fixed", path);
    if (shell(line) != 0 || strstr(output, "\n1 passed, 0 failed, 0 skipped\n") == NULL)
        fault("%s:\n%s", line, output);
}

/* The last place of some words, or NULL. */
static const char *last(const char *text, const char *words)
{
    const char *place = NULL;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        place = at;
    return place;
}

/* Plants a wrong sign where the last sum of a text is. */
static void mistake_is_noticed(const char *path, const char *text)
{
    char name[64], line[512], wrong[320];
    if (!is_shown(path, name))
        return;
    const char *sum = last(text, " + ");
    sum = sum != NULL ? sum : last(text, " += ");
    if (sum == NULL) {
        fault("%s has no sum\n", path);
        return;
    }
    snprintf(wrong, sizeof wrong, "%s/" SHADERS "%s.frag", folder, name);
    FILE *file = fopen(wrong, "w");
    assert_non_null(file);
    fprintf(file, "%.*s -%s", (int)(sum - text), text, sum + 2);
    fclose(file);
    snprintf(line, sizeof line, "cp " SHADERS "%s.c %s/" SHADERS " && quadpass check %s --fixed",
             name, folder, wrong);
    if (shell(line) != 1 || strstr(output, "\n0 passed, 1 failed, 0 skipped\n") == NULL)
        fault("%s:\n%s", line, output);
}

TEST(references_judge)
{
    need_gl();
    each_file(SHADERS "*.frag", 15, is_judged);
}

TEST(references_notice_mistakes)
{
    need_gl();
    each_file(SHADERS "*.frag", 15, mistake_is_noticed);
}

/* Two pictures are the same file; or none of their values is far from the other's, and on other
 * drivers than llvmpipe, whose roundings let a body be in the next cell, hardly any. */
static bool are_the_same(const char *one, const char *other)
{
    double apart = 1.0;
    char line[1400];
    snprintf(line, sizeof line,
             "cmp -s %s %s && echo 0 || quadpass run %s/apart.frag --input p=%s --input q=%s "
             "--reduce $(quadpass info | grep -q '^renderer  *llvmpipe' && echo max || echo mean)",
             one, other, folder, one, other);
    return shell(line) == 0 && sscanf(output, "%lf", &apart) == 1 && apart < 0.01;
}

/* Runs the command of a picture of the page, into the folder; with RENEW=1 stores what it draws. */
static void draw(const char *command, int length)
{
    char line[1024], fresh[320], stored[128], shown[128];
    const char *name = strstr(command, PICTURES);
    const int before = (int)(name - command);
    name += strlen(PICTURES);
    snprintf(stored, sizeof stored, PICTURES "%.*s", (int)strcspn(name, " \n"), name);
    snprintf(fresh, sizeof fresh, "%s/%.*s", folder, (int)strcspn(name, " \n"), name);
    snprintf(line, sizeof line, "%.*s%s/%.*s", before, command, folder,
             length - before - (int)strlen(PICTURES), name);
    snprintf(shown, sizeof shown, "\"%s\"", stored + strlen("docs/"));
    if (strstr(page, shown) == NULL)
        fault("docs/gallery.md does not show %s\n", stored);
    if (shell(line) != 0)
        fault("%s:\n%s", line, output);
    else if (getenv("RENEW") != NULL)
        (void)(snprintf(line, sizeof line, "cp %s %s", fresh, stored) && shell(line));
    else if (!are_the_same(fresh, stored))
        fault("%s is stale: RENEW=1 build/release/tests/demos/test_shaders\n", stored);
}

TEST(pictures_are_fresh)
{
    glob_t found;
    size_t drawn = 0;
    need_gl();
    write_file("apart.frag", "float kernel(vec2 here) {\n    return p_size == q_size ? "
                             "abs(p_at(0.0, 0.0) - q_at(0.0, 0.0)) : 1.0;\n}\n");
    faults = 0;
    for (const char *at = page; (at = strstr(at, "\n    quadpass run ")) != NULL; drawn++) {
        at += strlen("\n    ");
        int length = (int)strcspn(at, "\n");
        while (at[length - 1] == '\\') /* the command goes on in the next line */
            length += 1 + (int)strcspn(at + length + 1, "\n");
        if (memmem(at, (size_t)length, PICTURES, strlen(PICTURES)) == NULL)
            fault("no picture of the gallery: %.*s\n", length, at);
        else
            draw(at, length);
    }
    assert_int_equal(faults, 0);
    assert_int_equal(glob(PICTURES "*", 0, NULL, &found), 0);
    assert_int_equal(drawn, found.gl_pathc);
    globfree(&found);
}

/* The pictures stay small: 30,000 bytes each, 200,000 together. */
TEST(pictures_are_small)
{
    assert_int_equal(shell("cat " PICTURES "* | test $(wc -c) -le 200000 && "
                           "test -z \"$(find " PICTURES " -size +30000c)\""),
                     0);
}

GROUP(enter_source, leave_source)
