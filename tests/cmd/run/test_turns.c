/* SPDX-License-Identifier: MIT */
/* Steps whose numbers change and files in turn, as commands: a sort in one of them, sums by
 * doubling, red and black cells; and what is refused. */
#include "support/kernel_runs.h"
#include "support/once.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                                             \
    "void reference(int width, int height, const float *const *input,\n" \
    "               const double *numbers, const double *before, double *after)\n{\n"

/* A red cell, or a black one, goes over the solution of a Poisson equation. */
#define CELLS(color)                                                                         \
    "float kernel(vec2 here)\n{\n    float old = x_at(0.0, 0.0);\n"                          \
    "    float sum = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);\n" \
    "    bool mine = mod(here.x + here.y, 2.0) == " color ";\n"                              \
    "    return mine ? old + w * (0.25 * (sum - f_at(0.0, 0.0)) - old) : old;\n}\n"

static int go_to_folder(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0)
        return -1;
    write_file("sum.frag",
               "//@ check sum.c\n"
               "float kernel(vec2 here) { return x_at(0.0, 0.0) + x_at(-span, 0.0); }\n");
    write_file("sum.c", HEAD "    const int span = (int)numbers[0];\n"
                             "    for (int i = 0; i < width * height; i++)\n"
                             "        after[i] = before[i] + (i % width < span ? 0.0 : before[i - "
                             "span]);\n}\n");
    write_file("count.frag", "//@ size 3x2\n//@ input x=zeros\n//@ check count.c\n"
                             "float kernel(vec2 here) {\n"
                             "    return x_at(0.0, 0.0) + 10.0 * step_number + step_count; }\n");
    write_file("count.c",
               HEAD "    for (int i = 0; i < width * height; i++)\n"
                    "        after[i] = before[i] + 10.0 * numbers[0] + numbers[1];\n}\n");
    write_file("late.c", HEAD "    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = before[i] + numbers[1] + 10.0 *\n"
                              "            (numbers[0] == 6.0 && i == 4 ? 7.0 : numbers[0]);\n}\n");
    write_file("red.frag", "//@ input f=ones\n//@ set w=1.25\n//@ steps 12\n//@ size 9x8\n"
                           "//@ check red.c\n//@ then black.frag\n" CELLS("0.0"));
    write_file("black.frag", CELLS("1.0"));
    write_file("red.c", HEAD
               "    for (int i = 0; i < width * height; i++)\n        after[i] = before[i];\n"
               "    for (int k = 0; k < 2 * width * height; k++) {\n"
               "        const int i = k % (width * height), x = i % width, y = i / width;\n"
               "        double *a = after + i;\n"
               "        if ((x + y) % 2 == k / (width * height))\n"
               "            *a += numbers[0] * (0.25 * ((x > 0 ? a[-1] : 0) + (x < width - 1 ? "
               "a[1] : 0) + (y > 0 ? a[-width] : 0) + (y < height - 1 ? a[width] : 0) - "
               "input[0][i]) - *a);\n    }\n}\n");
    write_file("rows.frag", "//@ state p\n//@ size 1x8\n//@ input p=zeros\n"
                            "int kernel(vec2 here) { int n = 0;\n"
                            "    for (int i = 0; i < 9; i++)\n"
                            "        n += int(x_cell(vec2(float(i), here.y)));\n"
                            "    return n + p_at(0.0, 0.0); }\n");
    return 0;
}

/* ---- Schedules ---- */

enum { SORTED = 1024 };

/* The stages and spans of a bitonic sort. */
static void write_sort(void)
{
    FILE *out = fopen("sort.frag", "w");
    assert_non_null(out);
    for (int line = 0; line < 2; line++) {
        fputs(line == 0 ? "//@ schedule stage=2" : "\n//@ schedule span=1", out);
        for (int stage = 4; stage <= SORTED; stage *= 2) {
            for (int span = stage / 2; span >= 1; span /= 2)
                fprintf(out, ",%d", line == 0 ? stage : span);
        }
    }
    fprintf(out,
            "\n//@ steps 55\n//@ size %dx1\nfloat kernel(vec2 here)\n{\n"
            "    float down = mod(floor(here.x / stage), 2.0),\n"
            "          upper = mod(floor(here.x / span), 2.0), old = x_at(0.0, 0.0),\n"
            "          other = x_at((1.0 - 2.0 * upper) * span, 0.0);\n"
            "    return down == upper ? min(old, other) : max(old, other);\n}\n",
            SORTED);
    fclose(out);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All numbers of qsort, to the bit, by one command in about a second. */
TEST(a_sort_is_one_command)
{
    static double before[SORTED], after[SORTED];
    need_gl();
    write_sort();
    write_file("same.frag", "//@ size 1024x1\nfloat kernel(vec2 here) { return x_at(0.0, 0.0); }");
    expect("quadpass run same.frag --seed 5 -o before.npy", 0, "");
    expect("quadpass run sort.frag --seed 5 -o after.npy", 0, "sort.frag: 55 steps of 1024 x 1");
    npy_read("before.npy", QP_ARRAY_FLOAT, SORTED, before);
    npy_read("after.npy", QP_ARRAY_FLOAT, SORTED, after);
    qsort(before, SORTED, sizeof before[0], compare);
    assert_memory_equal(before, after, sizeof before);
}

TEST(numbers_change)
{
    static const struct {
        const char *command;
        int code;
        const char *text;
    } all[] = {
        {"run sum.frag --schedule span=1,2,4 --steps 3 --size 8x2 --input x=ones --reduce max", 0,
         "8\n"},
        {"run sum.frag --schedule span=1,2,4,8 --steps 4 --size 16x3 --check", 0,
         "sum.frag pass  4 steps"},
        {"check sum.frag --fixed --schedule span=1,2,4", 0, "pass   33 cases"},
        {"check sum.frag --fixed --schedule span=1", 0, "pass   11 cases"},
        {"bench sum.frag --schedule span=1,2,4,8 -n 64", 0, "64 x 64 cells, 4 steps a run"},
        {"walk sum.frag --schedule span=1 -n 4", 0, "kernel: 1 step, all values are numbers"},
        {"run count.frag --steps 3 --reduce max", 0, "39\n"}, /* 3, then 13, then 23 */
        {"check count.frag --fixed --input x=gradient", 0, "pass    3 cases"},
        {"check count.frag --fixed --check late.c", 1, "7 steps  cell (1, 1) is "},
        {"run count.frag --steps 9 --check late.c", 1, "cell (1, 1) after step 7 is "},
        {"run count.frag --steps 6 --check late.c", 0, "count.frag pass  6 steps"}};
    need_gl();
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        char command[256];
        snprintf(command, sizeof command, "quadpass %s", all[k].command);
        expect(command, all[k].code, all[k].text);
    }
}

/* ---- Files in turn ---- */

TEST(files_follow)
{
    need_gl();
    expect("quadpass run red.frag -o one.npy", 0, "red.frag: 12 steps of 9 x 8 cells");
    assert_int_equal(shell("sed '/then/d' red.frag >alone.frag"), 0);
    expect("quadpass run alone.frag black.frag -o two.npy && cmp one.npy two.npy", 0, "");
    expect("quadpass run red.frag --check", 0, "red.frag pass  12 steps");
    expect("quadpass check red.frag --fixed --disguise", 0, "pass    4 cases");
    expect("quadpass bench red.frag", 0, "red/kernel pass");
    expect("quadpass walk red.frag", 0, "kernel = shader: red.frag\n    kernel = shader: black.f");
    expect("quadpass check alone.frag --fixed", 1, "alone/kernel                   fail");
    /* Rows of nine are added up after each step, as integers of another size: 9 and 18. */
    write_file("one.frag", "//@ size 9x8\n//@ input x=zeros\n"
                           "float kernel(vec2 here) { return x_at(0.0, 0.0) + 1.0; }\n");
    expect("quadpass run one.frag rows.frag --steps 2", 0, "one.frag: 2 steps of 1 x 8 cells in ");
    assert_non_null(strstr(output, "p from 27 to 27, mean 27"));
    expect("quadpass run one.frag rows.frag --steps 3 --every 1 --reduce sum", 0, "72\n216\n432\n");
}

/* A file in turn is followed, too. */
TEST(all_files_are_watched)
{
    static const char script[] =
        "lines() { i=0; while [ $(wc -l <told) -lt $1 ] && [ $i -lt 400 ]; do sleep 0.05; "
        "i=$((i+1)); done; }\n"
        "save() { echo \"float kernel(vec2 here) { return $1; }\" >$2; }\n"
        "save 1.0 u.frag; echo '//@ then v.frag' | cat - u.frag >w.frag\n"
        "save '2.0 * x_at(0.0, 0.0)' v.frag; : >told\n"
        "quadpass run w.frag --watch -n 2 --reduce sum >told 2>said & pid=$!\n"
        "lines 1; save '3.0 * x_at(0.0, 0.0)' v.frag\n"
        "lines 2; kill -TERM $pid; wait $pid; echo ended with $?\n";
    need_gl();
    write_file("script", script);
    expect("sh script", 0, "ended with 1\n");
    expect("cat told", 0, "8\n12\n");
}

/* ---- Refusals ---- */

TEST(refusals)
{
    static const char *const all[][2] = {
        {"run sum.frag --schedule span=1,2,4 --steps 4",
         "sum.frag: schedule span has 3 values, and 4 steps are asked for; each step needs one"},
        {"check sum.frag --fixed --schedule span=1 --iterations 2",
         "span has 1 value, and 2 steps are"},
        {"run sum.frag --schedule spam=1", "--schedule spam: the shader reads no 'spam'; did you "
                                           "mean 'span'?"},
        {"run sum.frag --schedule span=1 --set span=1", "--schedule span: it is set, too; leave "
                                                        "one of the two out"},
        {"run sum.frag --schedule span=1,", "--schedule takes finite numbers"},
        {"check jacobi9 --schedule span=1", "--schedule is of a kernel file, such as heat.frag"},
        {"run sum.frag --schedule span=1 --backend cpu",
         "sum.frag: no program is generated of a kernel whose numbers change by step"},
        {"generate count.frag -o g", "count.frag: no program is generated of a kernel whose numb"},
        {"tune count.frag --target c", "count.frag: no program is generated of a kernel whose nu"},
        {"run red.frag --backend cpu", "red.frag: no program is generated of files in turn; write "
                                       "a program of each by itself"},
        {"generate red.frag -o g", "red.frag: no program is generated of files in turn"},
        {"run red.frag rows.frag --check", "red.frag and rows.frag have other states"},
        {"check red.frag --fixed rows.frag",
         "nothing judges them in turn; check each file by itself"},
        {"run red.frag black.frag red.frag red.frag red.frag",
         "red.frag: a run takes 8 files in turn at most, and red.frag comes after them"},
        {"run red.frag --json black.frag", "--json would write over black.frag, which is read"},
        {"run red.frag rows.frag --set v=1", "--set v: the shader reads no 'v'"}};
    need_gl();
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        char command[256];
        snprintf(command, sizeof command, "quadpass %s", all[k][0]);
        expect(command, 2, all[k][1]);
    }
}

/* Steps cannot be taken again from states of which some are another file's. */
TEST(numbers_blow_up)
{
    need_gl();
    write_file("up.frag", "//@ size 3x2\nfloat kernel(vec2 here) {\n"
                          "    return step_number == 13.0 ? 1.0 / 0.0 : x_at(0.0, 0.0); }\n");
    write_file("copy.frag", "//@ state y\nfloat kernel(vec2 here) { return x_at(0.0, 0.0); }\n");
    expect("quadpass run up.frag --steps 40", 0, "the first after step 14 at cell (0, 0)");
    expect("quadpass run up.frag up.frag --steps 40", 0, "the first after step 14 at cell (0, 0)");
    expect("quadpass run up.frag copy.frag --steps 40", 0,
           "6 of 6 values are NaN or infinite; the step where it began was not looked for: the "
           "files in turn have other states, too");
}

GROUP(go_to_folder, remove_folder)
