/* SPDX-License-Identifier: MIT */
/* Kernel files of points, run, checked, benchmarked and walked, as a script does. */
#include "support/once.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ACROSS = 400, UP = 250, VALUES = ACROSS * UP, BINS = 64 };

/* The counts of all values, as their reference has them. */
static int counts[BINS];

/* Values of which a tenth is in no bin; the first is the largest. */
static void write_values(void)
{
    FILE *file = fopen("data.mtx", "w");
    unsigned number = 7;
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", UP, ACROSS);
    for (int i = 0; i < VALUES; i++) {
        number = number * 1664525u + 1013904223u;
        const float value = (float)(number >> 8) * 0x1p-24f * 1.1f;
        const int bin = (int)(value * (float)BINS);
        if (bin < BINS)
            counts[bin]++;
        fprintf(file, "%.9g\n", (double)value);
    }
    fclose(file);
}

#define REFERENCE(points, place, update)                                                         \
    "#include <math.h>\n"                                                                        \
    "void reference(int w, int h, const float *const *in, const double *n,\n"                    \
    "               const double *b, double *a)\n{\n    (void)in, (void)n;\n"                    \
    "    for (int i = 0; i < w * h; i++)\n        a[i] = b[i];\n"                                \
    "    for (int i = 0; i < " points "; i++) {\n        const double v = sin(i) * 0.0 + i % 7;" \
    "(void)v;\n        const int to = " place ";\n"                                              \
    "        if (to >= 0 && to < w)\n            a[to] = " update ";\n    }\n}\n"

/* Points that take the smaller or larger of what is there and their number's rest by 7, the third
 * cell's for all that are in it. */
#define REST                                             \
    "vec2 place(float i)\n{\n    value = mod(i, 7.0);\n" \
    "    return vec2(floor(i / 3.0) - 1.0, 0.0) + 0.0 * x_size;\n}\n"

static int make_files(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0 ||
        shell("cp " QP_SOURCE_DIR "/tests/kernels/* .") != 0)
        return -1;
    write_values();
    write_file("counts.c", REFERENCE("100000", "(int)(in[0][i] * (float)w)", "a[to] + 1.0"));
    write_file("least.c", REFERENCE("20", "i / 3 - 1", "fmin(a[to], v)"));
    write_file("most.c", REFERENCE("20", "i / 3 - 1", "fmax(a[to], v)"));
    write_file("rest.frag", "//@ input x=(3 + x % 2)\n" REST);
    write_file("wrong.frag", "//@ input x=(3 + x % 2)\n//@ size 9x2\n"
                             "vec2 place(float i)\n{\n    value = mod(i, 7.0);\n"
                             "    return vec2(floor(i / 3.0), 0.0);\n}\n");
    write_file("move.frag", "//@ state p\n//@ size 6x1\n//@ input p=(x)\n"
                            "vec2 kernel(vec2 here) { return p_at(0.0, 0.0) + vec2(1.0, 0.0); }\n");
    write_file("clear.frag", "//@ state image\n//@ size 8x8\n//@ then dots.frag\n"
                             "float kernel(vec2 here) { return 0.0; }\n");
    write_file("dots.frag",
               "//@ state image\n//@ size 8x8\n"
               "vec2 place(float i) { value = 1.0; return floor(p_cell(vec2(i, 0.0))); }\n");
    write_file("half.frag", "//@ check half.c\n//@ then more.frag\n"
                            "float kernel(vec2 here) { return x_at(0.0, 0.0) / 2.0; }\n");
    write_file("more.frag", "vec2 place(float i)\n{\n    value = step_number + x_cell(vec2(0.0));\n"
                            "    return vec2(1.0 - i, 0.0);\n}\n");
    write_file("half.c", "void reference(int w, int h, const float *const *in, const double *n,\n"
                         "               const double *b, double *a)\n{\n    (void)in;\n"
                         "    for (int i = 0; i < w * h; i++)\n        a[i] = b[i] / 2.0;\n"
                         "    const double more = n[0] + a[0];\n"
                         "    for (int i = 0; i < 2 && i < w; i++)\n        a[i] += more;\n}\n");
    write_file("int.frag", "vec2 place(float i) { value = int(i); return vec2(i); }\n");
    write_file("at.frag", "vec2 place(float i) { value = x_at(0.0, 0.0); return vec2(i); }\n");
    write_file("odd.frag", "\nvec2 place(int i) { value = 1.0; return vec2(i); }\n");
    write_file("far.frag", "vec2 place(float i) { value = 1.0; return vec2(0.0 / 0.0, i); }\n");
    return 0;
}

/* ---- Results ---- */

/* 100,000 values in one file, exactly; twice in two steps. */
TEST(histogram)
{
    need_gl();
    for (int steps = 1; steps <= 2; steps++) {
        char command[256];
        int number = 0, total = 0;
        snprintf(command, sizeof command,
                 "quadpass run histogram.frag --input data=data.mtx --steps %d -o -", steps);
        assert_int_equal(shell(command), 0);
        char *at = strstr(output, "\n1 64\n");
        assert_non_null(at);
        for (at += 6; number < BINS; number++) {
            const int found = (int)strtol(at, &at, 10);
            if (found != steps * counts[number])
                fail_msg("bin %d has %d, not %d", number, found, steps * counts[number]);
            total += found;
        }
        assert_true(total < steps * VALUES && total > steps * VALUES * 4 / 5);
    }
    expect(
        "quadpass check histogram.frag --fixed --check counts.c --input data=data.mtx --disguise",
        0, "pass    3 cases  error 0.0e+00, allowed 9.5e-07, at 64x1, 1 step");
    assert_non_null(strstr(output, "disguises give the same numbers"));
    expect("quadpass run histogram.frag --check counts.c --input data=data.mtx --steps 3", 0,
           "histogram.frag pass  3 steps  error 0.0e+00");
    expect("quadpass bench histogram.frag --repeats 2 --iterations 3 --json r.json", 0,
           "1 passed, 0 failed");
    /* Points are as many as the random array has cells, at all sizes. */
    expect("sed 's/@ size.*//' histogram.frag >any.frag && quadpass check any.frag --fixed -n 31x1",
           0, "at 31x1, 1 step");
}

TEST(min_and_max)
{
    need_gl();
    expect("quadpass check rest.frag --fixed --points 20 --blend min --check least.c", 0,
           "pass   33 cases  error 0.0e+00");
    expect("quadpass check rest.frag --fixed --points 20 --blend max --check most.c", 0,
           "pass   33 cases  error 0.0e+00");
    expect("quadpass check rest.frag --fixed --points 20 --blend max --check least.c", 1,
           "1 failed");
    expect("quadpass check rest.frag --fixed --points 20 --check most.c -n 9x2", 1, "1 failed");
    expect("quadpass check wrong.frag --fixed --points 20 --blend max --check most.c", 1,
           "wrong/kernel                   fail    0 passed");
    assert_non_null(strstr(output, "cell (2, 0) is 6 and should be 4: "));
    /* Points of 9 x 2 cells are 18, of which the last is in cell (4, 0). */
    expect("quadpass run rest.frag --size 9x2 --blend max -o - 2>/dev/null", 0,
           "\n2 9\n5\n4\n6\n3\n4\n4\n6\n3\n4\n4\n3\n3\n4\n4\n3\n3\n4\n4\n");
    expect("quadpass run far.frag --input x=ones --size 3x1 -o - 2>/dev/null", 0,
           "\n1 3\n1\n1\n1\n");
}

/* Particles that move, an empty picture, and a dot for each particle that is in it. */
TEST(files_in_turn)
{
    need_gl();
    expect("quadpass run move.frag clear.frag --steps 3 -o dots.mtx", 0,
           "move.frag: 3 steps of 8 x 8 cells in ");
    expect("awk '$1 == 1 {print (NR - 3) % 8, int((NR - 3) / 8)}' dots.mtx", 0,
           "1 4\n2 5\n3 6\n4 7\n");
    assert_int_equal(shell("awk '{s += $1} NR == 2 {s = 0} END {exit s != 4}' dots.mtx"), 0);
    expect("quadpass run move.frag clear.frag --steps 3 --reduce sum --points 2 | grep -x 2", 0,
           "2");
    expect(
        "quadpass run move.frag dots.frag --steps 3 --input image=zeros --reduce sum | grep -x 15",
        0, "15");
    /* The points of a judged file read what the one before it wrote. */
    expect("quadpass check half.frag --fixed --points 2", 0, "pass   33 cases");
    expect("quadpass check half.frag --fixed --points 2 --blend max", 1, "1 failed");
    expect("quadpass check half.frag --fixed --points 1 -n 9", 1, "1 failed");
    assert_refused("run half.frag --points 2 --backend cpu", "no program is generated of");
}

TEST(walk)
{
    need_gl();
    expect("quadpass walk rest.frag -n 3x1 --points 6 --text", 0,
           "gl_ModelViewProjectionMatrix * vec4(cell + 0.5, 0.0, 1.0)");
    assert_non_null(strstr(output, "gl_FragData[0] = qp_sent;"));
    assert_non_null(strstr(output, "  16.000"));
    assert_non_null(strstr(output, "nothing was written beside the cells"));
}

/* ---- Refusals ---- */

TEST(refusals)
{
    static const char *const cases[][2] = {
        {"run bare.frag --points 3", "bare.frag has no function 'vec2 place(float i)', which puts "
                                     "points into cells: leave --points out"},
        {"check bare.frag --fixed --blend min", "leave --blend out"},
        {"run rest.frag --points 0", "--points takes"},
        {"run rest.frag --points 16777217", "--points takes 2^24 at most, not 16777217"},
        {"run rest.frag --blend mix", "--blend takes add, min or max, not 'mix'"},
        {"check jacobi9 --points 3", "--points is of a kernel file"},
        {"check jacobi9 --blend max", "--blend is of a kernel file"},
        {"generate rest.frag --points 3", "points"},
        {"run rest.frag --backend cpu",
         "rest.frag: no program is generated of points (a function place), which OpenGL's vertex "
         "shaders alone have"},
        {"check rest.frag --fixed --check most.c --backend cpu,gl",
         "no program is generated of points"},
        {"bench rest.frag --backend compute", "no program is generated of points"},
        {"generate rest.frag --target c -o made", "no program is generated of points"},
        {"tune rest.frag --target c --runs 1", "no program is generated of points"},
        {"run int.frag", "int.frag: points are blended, and integers and doubles are not: let "
                         "place() set `value` to a float, a vec2 or a vec4"}};
    for (int i = 0; i < COUNT(cases); i++)
        assert_refused(cases[i][0], cases[i][1]);
    assert_false(exists("made"));
    need_gl();
    assert_refused("check odd.frag --fixed --check most.c",
                   "a body of points has a function `vec2 place(float i)`");
    assert_refused("run at.frag", "at.frag: a point has no cell of its own, so place() reads "
                                  "x_cell(vec2), not x_at");
}

GROUP(make_files, remove_folder)
