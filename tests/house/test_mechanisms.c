/* SPDX-License-Identifier: MIT */
/* Mechanisms, one of each: how many executors, readers, printers and so on the project has, and
 * where. mechanisms.sh finds them by rules, mechanisms.txt lists them, and their numbers may only
 * fall. No OpenGL is needed here. */
#include "support/files.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines 'MECHANISM COUNT' and 'MECHANISM NAME' of what is found; the caller frees it. */
static char *find(const char *sources, const char *build)
{
    char command[1024], *found;
    snprintf(command, sizeof command, QP_SOURCE_DIR "/tests/house/mechanisms.sh '%s' '%s'", sources,
             build);
    if (run_for(command, &found) != 0)
        fail_msg("%s: %s", command, found);
    return found;
}

static bool has_line(const char *text, const char *line, size_t length)
{
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++) {
        if ((at == text || at[-1] == '\n') && at[length] == '\n')
            return true;
    }
    return false;
}

/* The number that a text has for a line 'MECHANISM COUNT', or -1. */
static int count_of(const char *text, const char *line)
{
    const int name = (int)strcspn(line, " ");
    char begin[64];
    snprintf(begin, sizeof begin, "%.*s ", name, line);
    for (const char *at = text; (at = strstr(at, begin)) != NULL; at++) {
        if ((at == text || at[-1] == '\n') && at[name + 1] >= '0' && at[name + 1] <= '9')
            return atoi(at + name + 1);
    }
    return -1;
}

/* Hands on each line of a text that is no comment. */
static void each_line(const char *text, const char *other,
                      void (*check)(const char *line, const char *other))
{
    char line[256];
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (length > 0 && line[0] != '#')
            check(line, other);
    }
}

static bool is_count(const char *line)
{
    return strspn(strchr(line, ' ') + 1, "0123456789") == strlen(strchr(line, ' ') + 1);
}

/* Statements may be fewer than the list has, as they change with each commit. */
static void is_listed(const char *line, const char *list)
{
    const int count = is_count(line) ? count_of(list, line) : 0;
    if (is_count(line) && atoi(strchr(line, ' ') + 1) > count)
        fault("%s: there may be %d\n", line, count);
    else if (!is_count(line) && !has_line(list, line, strlen(line)))
        fault("%s: one more; use what is there\n", line);
}

static void is_found(const char *line, const char *found)
{
    if (!has_line(found, line, strlen(line)) && strncmp(line, "statements ", 11) != 0)
        fault("%s: there are fewer now; tests/house/mechanisms.txt must say so\n", line);
}

static void compare(const char *list, const char *found)
{
    faults = 0;
    each_line(found, list, is_listed);
    each_line(list, found, is_found);
}

static void list_holds(const char *path, const char *list)
{
    char *found = find(QP_SOURCE_DIR, QP_BUILD_DIR);
    (void)path;
    compare(list, found);
    free(found);
}

TEST(numbers_only_fall)
{
    each_file("tests/house/mechanisms.txt", 1, list_holds);
}

TEST(faults_are_found)
{
    static const char *const list = "# a comment\naxes 1\naxes a\nstatements 10\n";
    compare(list, "axes 1\naxes a\nstatements 9\n");
    assert_int_equal(faults, 0);
    compare(list, "axes 2\naxes a\naxes b\nstatements 10\n"); /* its number, its name, and 1 */
    assert_int_equal(faults, 3);
    compare(list, "axes 1\naxes b\nstatements 11\n");
    assert_int_equal(faults, 3);
    compare(list, "axes 0\nstatements 1\n");
    assert_int_equal(faults, 2);
}

/* A second one of each kind. */
static const struct {
    const char *mechanism, *path, *text, *name; /* NULL: the path */
} planted[] = {
    {"executors", "src/x/executor.c", "void qp_step_run(void);\nvoid x(void) { qp_step_run(); }\n",
     "src/x/executor"},
    {"draws", "src/x/draw.h", "struct qp_x {\n    const char *fragment;\n};\n", "struct_qp_x"},
    {"draws", "src/toolkit/gl/taken.h", "void qp_step_run(struct qp_taken *step,\n    int y);\n",
     "struct_qp_taken"},
    {"sums", "src/x/sum.c", "const char *s = \"x/row_sum.frag\";\n", NULL},
    {"sparse", "src/x/sparse.c", "void put_slots(void) {}\n", NULL},
    {"readers", "src/x/reader.c",
     "void qp_tokens_read(void);\nvoid y(void) { qp_tokens_read(); }\n", "src/x/reader"},
    {"readers", "src/x/text.c", "const char *t = \"uniform vec2 a;\";\n", "src/x/text"},
    {"places", "src/lab/ops/jacobi9/place.c", "A(jacobi9, inverse, 1)\n", NULL},
    {"places", "src/lab/ops/jacobi9/named.c", "{.name = \"jacobi9/inverse\"},\n", NULL},
    {"ladders", "tools/ladder.csv", "op/a 1\nop/b 2 op/c\n\nop/d\n", NULL},
    {"tables", "src/x/table.c", "const char *u = \"x1.csv\";\n", NULL},
    {"tables", "tools/table.sh", "cat docs/papers/x.csv\n", NULL},
    {"printers", "src/x/printer.c", "int v(void) { return desc.on_stage = print; }\n", NULL},
    {"axes", "src/x/axes.c", "const char *w = \"<svg\";\n", NULL},
    {"headers", "src/x/alone.h", "int z;\n", NULL},
};

TEST(second_ones_are_found)
{
    char line[256], *found;
    assert_int_equal(chdir(folder), 0);
    expect("mkdir -p src/x src/toolkit/gl src/lab/ops/jacobi9 src/lab/ops/op src/many tools "
           "include docs/papers",
           0, "");
    for (int i = 0; i < COUNT(planted); i++)
        write_file(planted[i].path, planted[i].text);
    write_file("src/lab/ops/op/cpu.c", "    {.name = \"op/a\",\n    {.name = \"op/b\",\n"
                                       "    {.name = \"op/c\",\n    {.name = \"op/d\",\n");
    write_file("src/x/alone.c", "#include \"x/alone.h\"\n");
    write_file("src/x/user.c", "#include \"x/alone.h\"\n");
    expect("cd src && cc -c -o x/executor.o x/executor.c && cc -c -o x/reader.o x/reader.c && "
           "cp x/reader.o x/old.o && for i in $(seq 41); do echo >many/$i; done",
           0, "");
    found = find(folder, folder);
    for (int i = 0; i < COUNT(planted); i++) {
        snprintf(line, sizeof line, "%s %s", planted[i].mechanism,
                 planted[i].name != NULL ? planted[i].name : planted[i].path);
        if (!has_line(found, line, strlen(line)))
            fail_msg("%s is not found in\n%s", line, found);
    }
    assert_true(has_line(found, "folders src/many", strlen("folders src/many")));
    assert_true(has_line(found, "readers 2", strlen("readers 2"))); /* no old object */
    assert_true(has_line(found, "ladders 1", strlen("ladders 1"))); /* no initialisers */
    free(found);
}

GROUP(make_folder, remove_folder)
