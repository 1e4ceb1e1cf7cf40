/* SPDX-License-Identifier: MIT */
/* Kernel files checked, benchmarked and walked, as a script does. */
#include "support/once.h"
#include "support/shell.h"

#include <string.h>
#include <unistd.h>

#define REFERENCE(line)                                                       \
    "void reference(int w, int h, const float *const *in, const double *n,\n" \
    "               const double *b, double *a)\n{\n    (void)in, (void)n;\n" \
    "    for (int i = 0; i < w * h; i++) {\n        " line                    \
    "\n        a[i] = 2.0 * b[i];\n    }\n}\n"

static int make_files(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0 ||
        shell("cp " QP_SOURCE_DIR "/tests/kernels/* " QP_SOURCE_DIR "/demos/shaders/life.* .") != 0)
        return -1;
    write_file("twice.c", REFERENCE(""));
    write_file("crash.c", REFERENCE("if (w == 30) __builtin_trap();"));
    write_file("twice.frag",
               "//@ check twice.c\nfloat kernel(vec2 here) { return 2.0 * x_at(0.0, 0.0); }\n");
    write_file("wrong.frag",
               "//@ check twice.c\nfloat kernel(vec2 here) { return 2.0 * x_at(1.0, 0.0); }\n");
    write_file("crash.frag",
               "//@ check crash.c\nfloat kernel(vec2 here) { return 2.0 * x_at(0.0, 0.0); }\n");
    write_file("broken.frag",
               "//@ check twice.c\nfloat kernel(vec2 here) { return 2.0 * nonsense; }\n");
    write_file("loops.frag", "//@ check twice.c\nfloat kernel(vec2 here) { float s = 0.0;\n"
                             "    for (int i = 0; i < 70000; i++) s += x_at(0.0, 0.0);\n"
                             "    return s; }\n");
    write_file("short.frag", "//@ check twice.c\nfloat kernel(vec2 here) { float s = 0.0;\n"
                             "    for (int i = 0; i < 9; i++) s += x_at(0.0, 0.0);\n"
                             "    return s; }\n");
    write_file("tenth.c", REFERENCE("a[i] = 0.1 * b[i]; continue;"));
    write_file("lean.frag", "//@ check tenth.c\nfloat kernel(vec2 here) {\n"
                            "    float b = x_at(0.0, 0.0) * 0.03;\n    return b + x_at(0.0, 0.0) "
                            "* 0.07;\n}\n");
    write_file("half.frag", "//@ check number.c\n//@ set c=0.3\n"
                            "double kernel(vec2 here) { return double(c) * x_at(0.0, 0.0); }\n");
    write_file("number.c", REFERENCE("a[i] = n[0] * b[i]; continue;"));
    write_file("open.c", REFERENCE("a[i] = i % w < 1 ? -1e-6 : 1e-6; continue;"));
    write_file("open.frag",
               "//@ check open.c\n//@ tolerance 0.9\nfloat kernel(vec2 here) {\n"
               "    if (here.x < 3.0)\n        return here.x < 1.0 ? -1e-6 : 1e-6;\n}\n");
    write_file("reduce.frag", "float kernel(vec2 here) { return 0.5 * x_at(0.0, 0.0); }\n");
    write_file(".frag", /* a name without letters */
               "float kernel(vec2 here) { return x_at(0.0, 0.0) / x_at(0.0, 0.0); }\n");
    write_file("three.mtx", "%%MatrixMarket matrix array real general\n2 3\n3\n1\n0\n2\n5\n4\n");
    return 0;
}

TEST(checks)
{
    need_gl();
    expect("quadpass check life.frag --fixed 2>&1", 0, "compiling life.c, which life.frag names");
    assert_non_null(strstr(output, "life/kernel                    pass   33 cases"));
    expect("quadpass check twice.frag --fixed -n 9 --iterations 4", 0,
           "pass    1 case  error 0.0e+00, allowed 3.8e-06, at 9x9, 4 steps");
    expect("quadpass check heat.frag --fixed", 0,
           "pass    4 cases"); /* 1, 2, 7 steps and its own 10 */
    assert_non_null(strstr(output, "at 33x17 alone, by its head, "));
    /* An error that is small beside all that was there before it has died away. */
    expect(
        "sed 's/rate [*] (around/1.02 * &/' heat.frag >off.frag && quadpass check off.frag --fixed",
        1, "at 33x17 alone, by its head, 2 steps");
    expect("quadpass bench off.frag --repeats 1", 1, "off/kernel fail");
    expect("quadpass check half.frag --fixed", 0,
           "pass   33 cases  error 0.0e+00"); /* 0.3 as a float */
    expect("quadpass check wrong.frag --fixed", 1, "cell (0, 0) is 0 and should be ");
    assert_non_null(strstr(output, "fail    0 passed"));
    expect("quadpass check wrong.frag --fixed -n 9 --tap - 2>/dev/null", 1,
           "not ok 1 - wrong/kernel");
    expect("quadpass check short.frag --fixed -n 3", 1, "1 failed");
    assert_int_equal(count("65535"), 0);
    if (shell("quadpass info | grep '^renderer *llvmpipe'") == 0) {
        expect("quadpass check loops.frag --fixed -n 3", 1,
               "loops.frag: this device ends all loops of a cell after 65535 rounds together");
        expect(
            "quadpass check lean.frag --fixed --disguise", 0,
            "lean on the optimiser and differ without precise: lean.frag:3: times one it gives ");
    }
    expect("quadpass check bare.frag --fixed 2>&1", 2,
           "bare.frag names no reference, so nothing judges it; add a line '//@ check REF.c'");
    expect("quadpass check broken.frag --fixed 2>&1", 2, "broken.frag:2: ");
    expect("quadpass check crash.frag --fixed 2>&1", 2, "crash.c: the reference crashed in step ");
    expect("quadpass check twice.frag --fixed jacobi9/openmp 2>&1", 2,
           "check takes one kernel file at a time, and nothing beside 'twice.frag'\n");
    expect("quadpass bench jacobi9/openmp life.frag twice.frag 2>&1", 2,
           "bench takes one kernel file at a time, and nothing beside 'life.frag'\n");
    expect("quadpass accuracy life.frag 2>&1", 2, "no variant matches 'life.frag'");
    expect(
        "for o in variant=a problem=spike parameter=0 weight=1 condition=2 target=2d "
        "pingpong=copy\\\n"
        "    parts=2 depth=2 split=9 alpha=0; do quadpass check twice.frag --fixed --$o 2>&1; done",
        2, "a kernel file has no variants");
    assert_int_equal(count("a kernel file has no variants"), 11);
    expect(
        "for o in problem=all parameter=all pingpong=all target=all group=all block=all block=4\\\n"
        "    group=8x8; do quadpass bench twice.frag --$o 2>&1; done",
        2, "a kernel file has no variants");
    assert_int_equal(count("a kernel file has no variants"), 8);
    expect("quadpass check twice.frag --fixed -n 9 --fast", 0, "1 passed, 0 failed, 0 skipped");
    expect("quadpass check open.frag --fixed --disguise", 1,
           "open.frag:3: under a condition that is always true it gives other numbers: ");
    expect("quadpass check heat.frag --fixed --disguise", 0,
           "12 disguises give the same numbers\n");
    assert_non_null(strstr(output, "1 passed, 0 failed, 0 skipped"));
    expect("quadpass check jacobi9/openmp --disguise 2>&1", 2, "--disguise is of a kernel file");
    expect("quadpass check heat.frag --fixed --mutants --input x=random", 0,
           "the reference notices 47 of 47 mutants: reads 25 of 25, signs 7 of 7, ");
    assert_non_null(strstr(output, "1 passed, 0 failed, 0 skipped"));
    expect("quadpass check heat.frag --fixed --mutants", 1, /* a gradient: all rows are alike */
           "mutants: reads 15 of 25, ");
    assert_non_null(strstr(output, "\nheat.frag:13: nothing notices 'x_at((0.0) + 0, (0.0) + "
                                   "-1.0)' in place of 'x_at(0.0, 0.0)'; it shows with --"));
    assert_non_null(strstr(output, "4 cases"));
    assert_non_null(strstr(output, " mutants survive, more than a tenth; other inputs may show "
                                   "them\n0 passed, 1 failed, 0 skipped\n"));
    expect("quadpass check jacobi9/openmp --mutants 2>&1", 2, "--mutants is of a kernel file");
    expect("quadpass check reduce.frag --fixed --check twice.c -n 4 2>&1", 1,
           "compiling twice.c\n");
    expect("quadpass check heat.frag --fixed --set rate=0.1 --input x=random", 0,
           "1 passed, 0 failed");
    expect("quadpass check heat.frag --fixed --tolerance 1e-30", 1, "where 7e-30 is rounding");
    expect("quadpass check heat.frag --fixed --set speed=1 2>&1", 2, "speed");
    expect("quadpass check life.frag --fixed -n 33x17 --outside zero", 1, "1 failed");
    expect("quadpass check heat.frag --fixed --json heat.c 2>&1", 2, "would write over heat.c");
    expect("quadpass bench life.frag --csv ./life.c 2>&1", 2, "would write over ");
    expect("quadpass walk jacobi9/openmp --fast 2>&1", 2, "--fast is of a kernel file");
    expect("quadpass check jacobi9/openmp --set a=1 2>&1", 2, "--set is of a kernel file");
    expect("quadpass bench jacobi9/openmp --tolerance 1e-3 2>&1", 2, "--tolerance is of a kernel");
    expect("quadpass check jacobi9/openmp --fast 2>&1", 2, "--fast is of a kernel file");
    expect("quadpass bench jacobi9/openmp --no-reference 2>&1", 2, "--no-reference is of a kernel");
    expect("quadpass check n.frag --fixed 2>&1", 2, "cannot read the shader n.frag");
}

/* Errors are parts of what the reference adds up, so that no kernel of zeros hides below large
 * inputs; and where a trivial kernel passes everywhere, nothing was checked. */
TEST(trivial_ones_do_not_pass)
{
    need_gl();
    write_file("small.c", REFERENCE("a[i] = 5e-7 * b[i]; continue;"));
    write_file("zeros.frag", "//@ check small.c\nfloat kernel(vec2 here) { return 0.0; }\n");
    write_file("small.frag",
               "//@ check small.c\nfloat kernel(vec2 here) { return 5e-7 * x_at(0.0, 0.0); }\n");
    expect("quadpass check zeros.frag --fixed", 1, "cell (0, 0) is 0 and should be ");
    assert_non_null(strstr(output, "off by 1 where 9.5e-07 is rounding"));
    expect("quadpass check small.frag --fixed --mutants", 0,
           "notices 8 of 8 mutants: reads 5 of 5, operands 2 of 2, constants 1 of 1\nsmall/kernel");
    expect("quadpass bench zeros.frag -n 64 --iterations 2 --repeats 1", 1, "zeros/kernel fail");
    /* Another input has the size: the outputs are small beside it. */
    write_file("field.c", REFERENCE("a[i] = 1e-9 * (in[0][i] - in[0][0]); continue;"));
    write_file("field.frag", "//@ check field.c\n//@ input f=random\n//@ outside f=clamp\n"
                             "//@ size 9x7\nfloat kernel(vec2 here) {\n"
                             "    return 1e-9 * (f_at(0.0, 0.0) - f_cell(vec2(0.0))) + 0.0 * "
                             "x_at(0.0, 0.0); }\n");
    expect("quadpass check field.frag --fixed", 0, "1 passed, 0 failed");
    expect("sed 's/1e-9/0.9e-9/' field.frag >less.frag && quadpass check less.frag --fixed", 1,
           "1 failed");
    /* Neighbours that are nearly alike cancel: the outputs alone would be too small a measure. */
    write_file("slope.c", REFERENCE("a[i] = 0.3 * (b[i] - b[i % w > 0 ? i - 1 : i]); continue;"));
    write_file("slope.frag", "//@ check slope.c\n//@ steps 1\n//@ size 9x7\n//@ outside clamp\n"
                             "//@ input x=(1.0 + 1e-5 * x)\nfloat kernel(vec2 here) {\n"
                             "    return 0.3 * x_at(0.0, 0.0) - 0.3 * x_at(-1.0, 0.0); }\n");
    expect("quadpass check slope.frag --fixed", 0, "1 passed, 0 failed");
    expect("sed 's/- 0.3/- 0.30001/' slope.frag >steep.frag && quadpass check steep.frag --fixed",
           1, "1 failed");
    write_file("same.c", REFERENCE("a[i] = b[i]; continue;"));
    write_file("same.frag",
               "//@ check same.c\nfloat kernel(vec2 here) { return x_at(0.0, 0.0); }\n");
    expect("quadpass check same.frag --fixed --json same.json --tap same.tap --junit same.xml", 1,
           "same/kernel                    cannot tell  33 cases  error 0.0e+00, ");
    assert_non_null(strstr(output, "1 step  the state before would pass in all 33 cases, too; no "
                                   "tolerance would tell, but other inputs may\n"
                                   "0 passed, 1 failed, 0 skipped\n"));
    expect("cat same.json", 0, "\"verdict\":\"cannot tell\",\"reason\":\"the state before ");
    assert_int_equal(count("\"seconds\":null"), 1);
    expect("cat same.tap", 0, "not ok 1 - same/kernel\n  ---\n  message: \"cannot tell: the state");
    expect("cat same.xml", 0, "failures=\"1\"");
    assert_int_equal(count("<failure type=\"cannot tell\" message=\"cannot tell: the state"), 1);
    expect("quadpass check twice.frag --fixed --tolerance 0.6", 1,
           "the state before would pass in all 33 ");
    assert_int_equal(count("; a tolerance of 2.5e-01 would tell\n"), 1);
    expect("quadpass check twice.frag --fixed --tolerance 0.25", 0, "1 passed, 0 failed");
    expect("quadpass bench same.frag -n 64 --iterations 2 --repeats 1", 1,
           "same/kernel cannot tell the state before would pass in all 2 cases");
    expect("quadpass check twice.frag --fixed --input x=zeros", 1, "cannot tell  33 cases");
    write_file("settles.c", REFERENCE("a[i] = 0.5 * (b[i] + i % w); continue;"));
    write_file("settles.frag", "//@ check settles.c\nfloat kernel(vec2 here) { return 0.5 * "
                               "(x_at(0.0, 0.0) + here.x); }\n");
    expect("quadpass check settles.frag --fixed --iterations 40 --input x=zeros", 1,
           "one step fewer would pass in all 11 ");
    expect("quadpass check settles.frag --fixed", 0, "1 passed, 0 failed");
}

/* A kernel that has learnt its answers, of other inputs or only their mean; but not where it takes
 * a kernel to find one number for all cells. */
TEST(learnt_answers_do_not_pass)
{
    need_gl();
    write_file("flat.c", REFERENCE("a[i] = 0.7 + 1e-9 * b[i]; continue;"));
    write_file("flat.frag", "//@ check flat.c\nfloat kernel(vec2 here) { return 0.7 + 1e-9 * "
                            "x_at(0.0, 0.0); }\n");
    expect("quadpass check flat.frag --fixed", 1, "the mean would pass in all 33 cases, too; ");
    expect("quadpass bench flat.frag -n 64 --iterations 2 --repeats 1 --json flat.json", 1,
           "the mean would pass in all 2 cases");
    expect("cat flat.json", 0, "\"verdict\":\"cannot tell\",\"reason\":\"the mean would ");
    write_file("hill.c", REFERENCE("a[i] = 1 + i % w + 1e-9 * in[0][i]; continue;"));
    write_file("hill.frag", "//@ check hill.c\n//@ input f=random\nfloat kernel(vec2 here) {\n"
                            "    return 1.0 + here.x + 1e-9 * f_at(0.0, 0.0) + 0.0 * "
                            "x_at(0.0, 0.0); }\n");
    expect("quadpass check hill.frag --fixed", 1,
           "the answer of another seed would pass in all 33 cases, too; a tolerance of ");
    expect("quadpass check hill.frag --fixed --input f=gradient --input x=zeros", 0, "1 passed, ");
    write_file("all.c", REFERENCE("double s = 0.0; for (int k = 0; k < w * h; k++) s += in[0][k];"
                                  "a[i] = s; continue;"));
    write_file("all.frag", "//@ check all.c\n//@ input f=random\n//@ input x=zeros\n//@ size 5x4\n"
                           "float kernel(vec2 here) { float s = 0.0 * x_at(0.0, 0.0);\n"
                           "    for (int k = 0; k < 20; k++) s += f_cell(vec2(float(k % 5), "
                           "float(k / 5)));\n    return s; }\n");
    expect("quadpass check all.frag --fixed --iterations 1", 0, "1 passed, 0 failed");
    expect("quadpass check all.frag --fixed --iterations 1 --input f=gradient", 0, "1 passed, ");
    expect("quadpass check all.frag --fixed --iterations 1 --input f=ones", 1, "the mean would ");
}

/* The reference is asked again for changed inputs in a branch of its process, where nothing that it
 * does is kept: here it counts its steps, prints, crashes and waits. */
TEST(references_are_asked_apart)
{
    need_gl();
    write_file("counts.c", "static int step;\n" REFERENCE(
                               "if (i == 0) step++; a[i] = step + 1 + i % w; continue;"));
    write_file("counts.frag", "//@ check counts.c\n//@ input x=(x)\nfloat kernel(vec2 here) {\n"
                              "    return x_at(0.0, 0.0) + 1.0; }\n");
    expect("quadpass check counts.frag --fixed", 0, "1 passed, 0 failed");
    write_file("fragile.c",
               "#include <stdio.h>\n" REFERENCE(
                   "if (b[i] != (int)b[i]) __builtin_trap(); if (i == 0) puts(\"asked\");"));
    write_file("fragile.frag", "//@ check fragile.c\n//@ input x=(x)\n//@ size 9x7\nfloat "
                               "kernel(vec2 here) { return 2.0 * x_at(0.0, 0.0); }\n");
    expect("quadpass check fragile.frag --fixed --iterations 1 2>&1", 0, "1 passed, 0 failed");
    assert_int_equal(count("asked"), 1);
    write_file("lazy.c", REFERENCE("if (i == 3) continue;"));
    expect("sed 's/twice.c/lazy.c/' twice.frag >lazy.frag && quadpass check lazy.frag --fixed -n 9 "
           "2>&1",
           2, "lazy.c: the reference leaves cell (3, 0) of x at nan in step 1 of 9 x 9 cells");
}

TEST(rates)
{
    need_gl();
    expect("quadpass bench twice.frag -n 64 --iterations 3 --repeats 2", 0,
           "64 x 64 cells, 3 steps a run");
    assert_non_null(strstr(output, "twice/kernel pass "));
    expect("quadpass bench twice.frag -n 64 --iterations 3 --repeats 2 --no-reference 2>&1", 0,
           "twice/kernel unchecked ");
    assert_int_equal(count("compiling"), 0);
    expect("quadpass bench reduce.frag -n 64 --iterations 3 --repeats 2", 0,
           "1 unchecked: nothing judged it, neither passed nor failed\n"
           "0 passed, 0 failed, 0 skipped");
    expect("quadpass bench reduce.frag -n 64 --iterations 3 --repeats 1 --backend gl,cpu", 0,
           "2 unchecked: nothing judged them, neither passed nor failed\n");
    expect("quadpass bench reduce.frag -n 64 --iterations 3 --repeats 2 --json - 2>/dev/null", 0,
           "\"verdict\":\"unchecked\"");
    assert_int_equal(count("\"gflops\":null,"), 1);
    assert_int_equal(count("\"flops_per_update\":null,"), 1);
    expect("quadpass bench reduce.frag -n 64 --iterations 3 --repeats 2", 0, "       -\n");
    expect("quadpass bench wrong.frag -n 64 --iterations 3", 1, "wrong/kernel fail ");
    expect("quadpass bench crash.frag -n 30 --iterations 3 2>&1", 2, "the reference crashed");
}

TEST(walks)
{
    need_gl();
    expect(
        "quadpass walk wrong.frag --input x=three.mtx 2>&1", 0,
        "wrong/kernel: 2 steps, all values are numbers; nothing judged them, for stages 9 and 10 ");
    assert_int_equal(count("compiling"), 0);
    assert_non_null(
        strstr(output, "\n   1.000   2.000   4.000\n   3.000   0.000   5.000\n\nstage 3"));
    assert_non_null(strstr(output,
                           "first step:\n    x, row 0 at the bottom:\n   4.000   8.000   0.000\n"
                           "   0.000  10.000   0.000\n"));
    assert_non_null(
        strstr(output, "\n  16.000   0.000   0.000\n  20.000   0.000   0.000\n\nstage 8"));
    expect("quadpass walk ./.frag --input x=three.mtx", 1,
           "kernel/kernel: fail: cell (1, 0) is nan, which is no number\n");
    assert_non_null(strstr(output, "\n   1.000   1.000   1.000\n   1.000       #   1.000\n"));
    expect("quadpass walk wave.frag -n 4 --iterations 1", 0,
           "computing = drawing; the target after the first step:\n    u, row 0 at the bottom:");
    expect("quadpass walk wave.frag -n 4 --text", 0,
           "      16      out0 = u_at(0.0, 0.0) + out1;\n");
    assert_int_equal(count("          float u_cell(vec2 cell) {\n"), 1);
    if (shell("quadpass info | grep '^renderer *llvmpipe'") == 0)
        expect("quadpass walk wave.frag -n 4 --text", 0, "      13      precise float bent = ");
    expect("quadpass walk whole.frag -n 4 --text", 0,
           "    kernel = shader: whole.frag\n       1  //");
    expect("quadpass walk broken.frag 2>&1", 2, "broken.frag:2: ");
}

GROUP(make_files, remove_folder)
