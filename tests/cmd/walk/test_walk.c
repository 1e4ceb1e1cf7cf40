/* SPDX-License-Identifier: MIT */
/* The output of `walk` for each kind of operation, stage after stage. */
#include "support/shell.h"

#include <stdio.h>
#include <string.h>

TEST(walk_shows_ten_stages)
{
    need_gl();
    assert_int_equal(run("walk jacobi9/luminance -n 8"), 0);
    for (int stage = 1; stage <= 10; stage++) {
        char heading[32];
        snprintf(heading, sizeof heading, "stage %d,", stage);
        assert_non_null(strstr(output, heading));
    }
    assert_true(ends_with(output, "jacobi9/luminance: pass\n"));
}

/* The list of draws, and what each column leaves: of [I | x] one column more. */
TEST(walk_shows_an_elimination)
{
    static const char *const words[] = {
        "for every column k:\n"
        "      draw row k: source -> target, gauss_jordan/divide.frag\n"
        "      draw row k: target -> source, gauss_jordan/copy.frag\n"
        "      draw all rows: source -> target, gauss_jordan/branched.frag\n"
        "      source and target change roles\n",
        "column 0, texels drawn: 4 x 1, 4 x 1, 4 x 3; the target then:\n      1.000 ",
        "column 1, texels drawn: 4 x 1, 4 x 1, 4 x 3; the target then:\n      1.000   0.000 ",
        "column 2, texels drawn: 4 x 1, 4 x 1, 4 x 3; the target then:\n"
        "      1.000   0.000   0.000 "};
    need_gl();
    assert_int_equal(run("walk gauss_jordan/branched -n 3"), 0);
    must_print(words, COUNT(words));
    assert_null(strstr(output, "column 3,"));
    assert_null(strstr(output, "pivots"));
    assert_true(strstr(output, "stage 5") < strstr(output, "column 0,"));
    assert_true(strstr(output, "column 2,") < strstr(output, "stage 6"));
    assert_true(ends_with(output, "gauss_jordan/branched: pass\n"));
    assert_int_equal(run("walk gauss_jordan/shrinking_pivoted --problem permuted -n 8"), 0);
    assert_non_null(strstr(output, "a reduction finds the largest element of column k"));
    assert_non_null(strstr(output, "draw one texel of a log"));
    assert_non_null(strstr(output, "\n    pivots: 1.000 in row "));
    assert_non_null(strstr(output, "columns from k on: source -> pivot row, "));
    assert_non_null(strstr(output, "column 7, texels drawn: 2 x 1, 2 x 8; "));
    assert_int_equal(run("walk gauss_jordan/branched -n 9"), 0);
    assert_null(strstr(output, "column 0,"));
    assert_int_equal(run("walk gauss_jordan/loop -n 600"), 0);
    assert_non_null(strstr(output, "left out: it only sharpens the tolerance"));
}

/* Storage is shown by 64 lines, an asynchronous variant by how many blocks each thread has. */
TEST(walk_shows_parts_of_much)
{
    assert_int_equal(run("--version; OMP_NUM_THREADS=3 " QUADPASS
                         " walk poisson5/threads_async2 --size 70x9 --alpha 4"),
                     0);
    assert_non_null(strstr(output, "alpha = 4: a launch takes 5 steps of each block\n"));
    assert_non_null(
        strstr(output, "m = 4 blocks, of which each of p = 3 threads holds d = 1 at once\n"));
    expect(NO_DEVICES "quadpass walk jacobi9/rgba -n 4", 3, "quadpass: EGL lists no device for ");
    need_gl();
    assert_int_equal(run("walk jacobi9/luminance -n 2x58"), 0);
    assert_null(strstr(output, "left out"));
    assert_int_equal(run("walk jacobi9/luminance -n 2x59"), 0);
    assert_int_equal(count("    ... 1 lines left out\n"), 5);
    assert_int_equal(run("walk poisson5/targets_fused2 -n 3x2"), 0);
    if (strstr(output, "skip") == NULL)
        must_print(
            (const char *const[]){"\n    draw 1 step a pass: 1 along the rim\n    draw 2 steps a "
                                  "pass: 1 along the rim\n"},
            1);
}

/* Every kind of variant has its words; that of messages, where it is built in. */
TEST(walk_shows_processes)
{
    assert_int_equal(run("walk poisson5/mpi_sequential -n 4"), 0);
    assert_null(strstr(output, "(null)"));
    if (strstr(output, "stage 4") == NULL)
        skip();
    assert_non_null(strstr(output, "    call the function over each process's cells\n"));
}

/* The last level's texel is the answer. */
TEST(walk_shows_what_levels_hold)
{
    char level[32], answer[32];
    need_gl();
    assert_int_equal(run("walk reduce/tree --problem max -n 4"), 0);
    const char *drawn = strstr(output, " texels of R32F:\n"),
               *unpacked = strstr(output, " go into a matrix:\n");
    assert_true(drawn != NULL && unpacked != NULL);
    assert_int_equal(sscanf(drawn, " texels of R32F: %31s", level), 1);
    assert_int_equal(sscanf(unpacked, " go into a matrix: %31s", answer), 1);
    assert_string_equal(level, answer);
}

/* Level after level, down to one texel. */
TEST(walk_shows_a_reduction)
{
    need_gl();
    assert_int_equal(run("walk reduce/compensated --problem dot -n 8"), 0);
    assert_non_null(strstr(output, "shaders/reduce/compensated_dot.frag"));
    assert_non_null(strstr(output, "shaders/reduce/compensated_next.frag"));
    assert_non_null(strstr(output, "level 1, drawn as a quad over 2 x 2 texels of RGBA32F"));
    assert_non_null(strstr(output, "level 2, drawn as a quad over 1 x 1 texels of RGBA32F"));
    assert_null(strstr(output, "level 3"));
    assert_true(ends_with(output, "reduce/compensated: pass\n"));
}

/* Groups that nobody has chosen, and of a launch what OpenGL can say of it. */
TEST(walk_shows_blocks_that_stand_alone)
{
    need_gl();
    assert_int_equal(run("walk poisson5/compute_async2 --size 70x9"), 0);
    assert_non_null(strstr(output, "in groups of 64 x 1\n"));
    assert_non_null(strstr(output, "one invocation a column of a block\n"));
    assert_non_null(strstr(output, "alpha = 6: a launch takes 7 steps of each block\n"));
    assert_non_null(strstr(output, "m = 4 blocks\n"));
    assert_true(ends_with(output, "poisson5/compute_async2: pass\n"));
}

/* The array's place in each stage; the kernel's shader where there is one. */
TEST(tour_of_a_transfer)
{
    assert_int_equal(run("walk transfer/memcpy -n 3"), 0);
    assert_non_null(strstr(output, "one more array is the device, nothing in it yet\n"));
    assert_int_equal(count("stage 10"), 1);
    need_gl();
    assert_int_equal(run("walk transfer/asynchronous --problem overlap -n 9"), 0);
    assert_non_null(strstr(output, "5 pieces of 2 rows at most, 2 at a time\n"));
    assert_non_null(strstr(output, "shaders/transfer/add.frag\n"));
    assert_int_equal(run("bench transfer/small -n 16 --iterations 1 --repeats 1 --block all"), 0);
    assert_int_equal(count(" b=8 "), 1);
}

/* Systems from the top, a residual, and the size that the chemistry has. */
TEST(batches_are_shown_and_checked)
{
    assert_int_equal(run("check gauss_jordan_batch/loop --problem kinetics"), 0);
    assert_non_null(strstr(output, "1 passed, 0 failed, 0 skipped"));
    need_gl();
    assert_int_equal(run("walk gauss_jordan_batch/passes -n 3"), 0);
    assert_non_null(strstr(output, "3 systems of 3 unknowns, [A | b] of the first ones:\n"));
    assert_non_null(strstr(output, "|b - A x| / (||A|| ||x|| + ||b||) is "));
    assert_int_equal(count("stage 6"), 1);
}

/* The matrix with blanks where it has no entry, and the arrays that hold it: places as whole
 * numbers, padding as dots. */
TEST(tour_of_a_sparse_matrix)
{
    static const char *const by_rows[] = {
        "    6 x 6 with 20 entries, row 0 at the top, and x:\n"
        "      0.133   0.492       .   0.942       .       .   |  0.182\n",
        "          .       .   0.631       .   0.363   0.769   | -0.307\n"
        "    the longest row has 4 entries; 5 diagonals, column - row = -3, -1, 0, 1, 3\n",
        "in all\n          0       3       7      10      13      17      20\n",
        "          0       1       3\n          0       1       2       4\n",
        "      0.133   0.492   0.942\n     -0.111  -0.111   0.526   0.755\n"};
    static const char *const by_slots[] = {
        "a dot is padding\n      0.133  -0.111   0.046       .\n      0.492  -0.111  -0.429       "
        ".\n"
        "      0.942   0.526   0.588       .\n          .   0.755       .       .\n",
        "a dot is padding\n          0       0       1       .\n          1       1       2       "
        ".\n"
        "          3       2       5       .\n          .       4       .       .\n"
        "          0       1       2       .\n"};
    assert_int_equal(run("walk spmv/loop --problem seven --size 3x2"), 0);
    must_print(by_rows, COUNT(by_rows));
    assert_int_equal(run("walk spmv/loop --problem identity -n 9"), 0);
    assert_int_equal(
        count("\n    #............................................................... ...\n"), 1);
    assert_int_equal(
        count("\n    ..#............................................................. ...\n"), 1);
    assert_int_equal(run("walk spmv/loop --problem identity -n 1"), 0);
    must_print((const char *const[]){"1 x 1 with 1 entry, row 0",
                                     "has 1 entry; 1 diagonal, column - row = 0\n"},
               2);
    assert_int_equal(run("walk spmv/loop --problem arrow -n 6"), 0);
    assert_int_equal(count("36 entries; more than 16 diagonals\n"), 1);
    need_gl();
    assert_int_equal(run("walk spmv/ell_rgba --problem seven --size 3x2"), 0);
    must_print(by_slots, COUNT(by_slots));
    assert_int_equal(run("walk spmv/sliced_ell --problem seven --size 3x2"), 0);
    must_print(by_slots, COUNT(by_slots));
    assert_int_equal(run("walk spmv/csr_sorted --problem seven --size 3x2"), 0);
    must_print((const char *const[]){"longest rows first\n     -0.111   0.000   0.000   0.000\n"
                                     "     -0.111   1.000   0.000   0.000\n"},
               1);
    assert_int_equal(run("walk spmv/compute --problem seven --size 3x2"), 0);
    must_print(by_rows, 2);
    assert_int_equal(run("walk spmv/diagonals --problem seven --size 3x2"), 0);
    assert_int_equal(count("a dot is padding\n          .       .       .       .\n"
                           "          .  -0.111   0.046       .\n"),
                     1);
}

GROUP(make_folder, remove_folder)
