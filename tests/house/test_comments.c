/* SPDX-License-Identifier: MIT */
/* Shapes of comments: lists keep their items apart, and a comment belongs to one member alone. */
#include "support/files.h"
#include "support/support.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A line of a comment. */
struct words {
    const char *at;
    int column, length; /* column of its first word; 0 characters: an empty line */
};

static int column_of(const char *text, const char *at)
{
    int column = 0;
    while (at > text && at[-1] != '\n') {
        at--;
        column++;
    }
    return column;
}

/* The words of the line of a comment that begins here, after blanks and the sign. */
static struct words words_of(const char *text, const char *at, const char *end)
{
    const char *first = at + strspn(at, " \t");
    if (first[0] == '/' || (first[0] == '*' && first < end - 2))
        first += first[0] == '/' ? 2 : 1;
    first += strspn(first, " \t");
    int length = (int)strcspn(first, "\n");
    length = first + length > end - 2 ? (int)(end - 2 - first) : length;
    while (length > 0 && first[length - 1] == ' ')
        length--;
    return (struct words){first, column_of(text, first), length > 0 ? length : 0};
}

/* True for two columns: three blanks between words. */
static bool is_table(struct words line)
{
    for (int i = 1; i + 3 < line.length; i++) {
        if (strncmp(line.at + i, "   ", 3) == 0)
            return true;
    }
    return false;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (const char *end = text; (end = strchr(end, '\n')) != NULL && end < at; end++)
        line++;
    return line;
}

static bool is_item(struct words line)
{
    return line.length > 1 && strncmp(line.at, "- ", 2) == 0;
}

/* Reports items of a list that ran together: text of two columns at the margin, and an item that
 * goes on there. */
static void check_lists(const char *path, const char *text, const char *at, const char *end)
{
    const int margin = column_of(text, at) + 3;
    struct words before = {NULL, 0, 0};
    for (; at < end; at += strcspn(at, "\n") + 1) {
        const struct words line = words_of(text, at, end);
        const bool at_margin = line.length > 0 && line.column <= margin;
        if (at_margin && is_table(line))
            fault("%s:%d: two columns begin at a comment's margin; indent them by four\n", path,
                  line_of(text, line.at));
        if (at_margin && before.length > 0 && before.column > margin && is_table(before))
            fault("%s:%d: an item of two columns goes on at the margin\n", path,
                  line_of(text, line.at));
        if (at_margin && before.length > 0 && is_item(before) && !is_item(line))
            fault("%s:%d: an item that begins with - goes on at the margin\n", path,
                  line_of(text, line.at));
        before = line;
    }
}

/* Reports a comment behind a member that has several lines, or that the next member's goes on. */
static void check_behind(const char *path, const char *text, const char *at, const char *end)
{
    const char *next = end + strcspn(end, "\n");
    if (memchr(at, '\n', (size_t)(end - at)) != NULL)
        fault("%s:%d: a comment of several lines stands behind code; put it above\n", path,
              line_of(text, at));
    if (end[0] != '\n' || strchr(",;:", end[-4]) == NULL)
        return;
    next++;
    const char *other = strstr(next, "/*");
    if (other != NULL && other < next + strcspn(next, "\n") && other > next + strspn(next, " "))
        fault("%s:%d: a comment goes on behind the next line's code\n", path, line_of(text, at));
}

static void comments_have_shape(const char *path, const char *text)
{
    const char *at = text;
    while (*at != '\0') {
        const char *end;
        if (at[0] != '/' || (at[1] != '*' && at[1] != '/')) {
            at = skip_literal(at);
            continue;
        }
        end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;
        end = end != NULL ? end + 2 : at + strcspn(at, "\n");
        const char *begin = at - column_of(text, at);
        if (at[1] == '*' && begin + strspn(begin, " \t") == at &&
            memchr(at, '\n', (size_t)(end - at)) != NULL)
            check_lists(path, text, at, end);
        else if (at[1] == '*' && begin + strspn(begin, " \t") != at)
            check_behind(path, text, at, end);
        at = end;
    }
}

TEST(comments_are_neat)
{
    each_file("{src/*/{*,*/*,*/*/*}/*.[chd]*,include/*/*.h,templates/*.*,templates/*/*.[chg]*,"
              "tests/*/*.[ch],tests/*/*/*.[ch],tests/*/*.cu,demos/*.*,demos/*/*.*,headless/*}",
              900, comments_have_shape);
}

/* Items of a list that clang-format once ran together, and comments of two members, are found. */
TEST(faults_are_found)
{
    faults = 0;
    comments_have_shape("x.c", "/* A list:\n *\n *     one     first\n *             and on\n"
                               " *     two     second */\n/* A    B */\nint a; /* a,   b, */\n"
                               "/* - one\n *   and on\n * - two */\nint b; /* b, */\n\n"
                               "char c[] = \"/* A   B\"; /* c */\n    /* d,\n     * e */\n"
                               "int f; /* f: */\n/* g */\nint g;\n");
    assert_int_equal(faults, 0);
    comments_have_shape("x.c", "/* A list:\n *\n * one     first and\n * two     second */\n");
    assert_int_equal(faults, 2);
    comments_have_shape("x.c", "    /* A list:\n     *\n     *     one     first\n     * on */\n");
    assert_int_equal(faults, 3);
    comments_have_shape("x.c", "/* A list:\n * - one\n * and on\n * - two */\n");
    assert_int_equal(faults, 4);
    comments_have_shape("x.c", "int a; /* all of it,\n        * and on */\n");
    assert_int_equal(faults, 5);
    comments_have_shape("x.c", "int a; /* all of it, */\nint b; /* or none */\n");
    assert_int_equal(faults, 6);
    faults = 0;
}
