/* SPDX-License-Identifier: MIT */
/* Requests, files and sentences of solve and invert, to the letter, with answers that are made
 * up. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/cmd.h"

#define ARRAY "%%MatrixMarket matrix array real general\n"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A grid of 2 x 2, which is none of nine bands, one of 4 x 1, and sides. */
static int write_systems(void **state)
{
    (void)state;
    if (system("rm -rf " QP_BUILD_DIR "/tests/told; mkdir -p " QP_BUILD_DIR "/tests/told") != 0 ||
        chdir(QP_BUILD_DIR "/tests/told") != 0)
        return -1;
    write_file("full.mtx", ARRAY "4 4\n5\n1\n1\n1\n1\n5\n1\n1\n1\n1\n5\n1\n1\n1\n1\n5\n");
    write_file("line.mtx",
               "%%MatrixMarket matrix coordinate real general\n4 4 5\n1 1 2\n2 2 3\n3 3 4\n"
               "4 4 5\n1 2 1\n");
    write_file("one.mtx", ARRAY "4 1\n1\n2\n3\n4\n");
    write_file("two.mtx", ARRAY "4 2\n1\n2\n3\n4\n5\n6\n7\n8\n");
    return 0;
}

static void solve(const char *line)
{
    fake_append(command_run, line);
}

/* An answer of `sides` sides, the third worst; x is the number of the value, from 1. */
static struct qp_answer *answer(int sides, int begun, int converged)
{
    static struct qp_answer made;
    made = (struct qp_answer){.rows = 4,
                              .sides = sides,
                              .begun = begun,
                              .converged = converged,
                              .worst = sides > 2 ? 2 : 0,
                              .width = 4,
                              .height = 1,
                              .weight = 0.75,
                              .side = calloc((size_t)sides, sizeof *made.side),
                              .x = calloc(4 * (size_t)sides, sizeof *made.x)};
    for (int k = 0; k < 4 * begun; k++)
        made.x[k] = k + 1;
    for (int k = 0; k < begun; k++) {
        struct qp_side *side = &made.side[k];
        *side = (struct qp_side){
            .method = k % 2 == 0 ? QP_ITERATION : QP_ELIMINATION,
            .variant = qp_variant_find(k % 2 == 0 ? "jacobi9/openmp" : "gauss_jordan/loop"),
            .ending = k < converged ? QP_CONVERGED : QP_STAGNATED,
            .steps = k,
            .eliminations = 2 - k,
            .residual = 1e-7 * (k + 1),
            .condition = k == 0 ? NAN : 10.0 * k,
            .digits = k - 1,
            .seconds = 0.5 * k,
            .part = {0.001 * k, 0.03125 * k, 0.0625 * k}};
        snprintf(side->reason, sizeof side->reason, "reason %d", k);
        snprintf(side->sentence, sizeof side->sentence, "sentence %d", k);
    }
    return &made;
}

TEST(what_is_asked_for)
{
    fake.answer = answer(1, 1, 1);
    solve("solve line.mtx --variant jacobi9/openmp --weight 0.5 --tolerance 1e-3 --iterations 12 "
          "--pingpong copy --target 2d --refine");
    fake.answer = answer(2, 2, 2);
    solve("solve line.mtx two.mtx --x0 two.mtx --max-iterations 9 --grid 4x1 --variant openmp");
    fake.opens = true;
    fake.answer = answer(1, 1, 1);
    solve("solve full.mtx one.mtx --device llvmpipe");
    solve("solve full.mtx one.mtx");
    solve("solve full.mtx --x0 one.mtx");
    solve("solve full.mtx --variant gauss_jordan/loop --weight 0.5");
    solve("solve full.mtx --variant gauss_jordan/loop --max-iterations 5");
    solve("solve full.mtx --variant gauss_jordan/loop --iterations 5");
    solve("solve full.mtx --picture p.png");
    fake.answer = answer(1, 1, 1);
    solve("solve full.mtx --variant gauss_jordan/loop --grid 4x1 --picture p.png");
    solve("solve line.mtx --variant reduce/loop");
    solve("solve line.mtx --variant jacobi9/rgba");
    fake.ends = QP_BAD_INPUT;
    fake.sentence = "the matrix is singular";
    solve("solve line.mtx --variant openmp -o gone.mtx");
    assert_int_not_equal(access("gone.mtx", F_OK), 0);
    fake_compare_all("solve_asked");
}

TEST(what_is_said)
{
    fake.answer = answer(4, 4, 4);
    solve("solve line.mtx --variant openmp");
    fake.answer = answer(5, 3, 1);
    fake.answer->worst = 1;
    solve("solve line.mtx --variant openmp");
    fake.answer = answer(32, 32, 32);
    solve("solve line.mtx --variant openmp");
    fake.answer = answer(33, 33, 32);
    solve("solve line.mtx --variant openmp");
    fake.answer = answer(1, 1, 0);
    fake.answer->rows = 1;
    fake.answer->side[0].method = QP_ELIMINATION;
    solve("solve line.mtx --variant openmp");
    fake.answer = answer(1, 1, 1);
    fake.opens = true;
    solve("solve line.mtx");
    fake_compare_all("solve_said");
}

/* Answers no better than the start are not written, except those that have converged. */
TEST(what_is_written)
{
    static const double start[] = {1.0, 2.0, 3.0, 4.0};
    fake.answer = answer(1, 1, 1);
    solve("solve line.mtx --variant openmp -o x.mtx --picture p.png --csv -");
    fake.answer = answer(2, 2, 1);
    solve("solve line.mtx --variant openmp -o -");
    for (int last = 0; last < 2; last++) { /* a value of the last column differs */
        fake.answer = answer(2, 1, 0);
        memset(fake.answer->x, 0, 8 * sizeof *fake.answer->x);
        fake.answer->x[7] = last;
        solve("solve line.mtx --variant openmp -o -");
    }
    for (int far = 0; far < 2; far++) {
        fake.answer = answer(1, 1, 0);
        memcpy(fake.answer->x, start, sizeof start);
        fake.answer->x[0] += far;
        solve("solve line.mtx one.mtx --x0 one.mtx --variant openmp -o -");
    }
    fake.answer = answer(1, 1, 1);
    memset(fake.answer->x, 0, 4 * sizeof *fake.answer->x);
    solve("solve line.mtx --variant openmp -o -");
    fake.answer = answer(1, 1, 0);
    memset(fake.answer->x, 0, 4 * sizeof *fake.answer->x);
    solve("solve line.mtx --variant openmp --picture never.png");
    fake.answer = answer(1, 1, 0);
    memset(fake.answer->x, 0, 4 * sizeof *fake.answer->x);
    solve("solve line.mtx --variant openmp");
    fake.answer = answer(1, 1, 0);
    memset(fake.answer->x, 0, 4 * sizeof *fake.answer->x);
    solve("solve line.mtx --variant openmp --json never.json");
    assert_int_not_equal(access("never.json", F_OK), 0);
    assert_int_not_equal(access("never.png", F_OK), 0);
    fake_compare_all("solve_written");
}

static struct qp_dense_solution *inverse(int zero_column, enum qp_ending ending)
{
    static struct qp_dense_solution made;
    made = (struct qp_dense_solution){.ending = ending,
                                      .variant = qp_variant_find("gauss_jordan/loop"),
                                      .rows = 4,
                                      .sides = 4,
                                      .tolerance = 1e-5,
                                      .eliminations = 2,
                                      .converged = 3,
                                      .worst = 1,
                                      .residual = 4e-7,
                                      .condition = 12.0,
                                      .digits = 5,
                                      .seconds = 0.25,
                                      .part = {0.001, 0.03125, 0.0625},
                                      .x = calloc(16, sizeof(double)),
                                      .residuals = calloc(4, sizeof(double)),
                                      .errors = calloc(4, sizeof(double))};
    strcpy(made.sentence, "it ended so");
    for (int k = 0; k < 4; k++) {
        made.residuals[k] = k == 0 ? 3e-7 : k == 1 ? 4e-7 : 0.0;
        if (k != zero_column) /* a value of a column is enough, the last too */
            made.x[4 * k + 3 - k] = k + 1;
    }
    return &made;
}

static void invert(const char *line)
{
    fake_append(command_run, line);
}

TEST(inverses)
{
    fake.solution = inverse(-1, QP_CONVERGED);
    invert("invert full.mtx --variant loop --tolerance 1e-4 --refine --pingpong reattach --target "
           "2d -o -");
    fake.solution = inverse(-1, QP_STAGNATED);
    fake.opens = true;
    invert("invert full.mtx --csv -");
    for (int column = 0; column < 4; column += 3) { /* an incomplete one replaces nothing */
        fake.solution = inverse(column, QP_INTERRUPTED);
        invert("invert full.mtx --variant gauss_jordan/loop -o -");
    }
    fake.solution = inverse(0, QP_INTERRUPTED);
    invert("invert full.mtx --variant gauss_jordan/loop --json none.json");
    assert_int_not_equal(access("none.json", F_OK), 0);
    fake.solution = inverse(0, QP_INTERRUPTED);
    invert("invert full.mtx --variant gauss_jordan/loop");
    fake.solution = inverse(-1, QP_CONVERGED);
    fake.solution->rows = fake.solution->sides = 1;
    invert("invert full.mtx --variant loop");
    fake.ends = QP_BAD_INPUT;
    fake.sentence = "the matrix is singular";
    invert("invert full.mtx --variant loop");
    invert("invert full.mtx --variant nothing");
    invert("invert full.mtx --variant access");
    invert("invert full.mtx --variant reduce/loop");
    invert("invert");
    invert("invert none.mtx");
    fake_compare_all("invert");
}

static void all_commands(void)
{
    fake.answer = answer(2, 2, 2);
    fake_command(command_run,
                 "solve line.mtx two.mtx --x0 two.mtx --variant openmp -o - --csv c.csv");
    fake.answer = answer(1, 1, 1);
    fake_command(command_run,
                 "solve full.mtx --variant gauss_jordan/loop --grid 4x1 --picture p.png");
    fake.ends = QP_BAD_INPUT;
    fake.sentence = "the matrix is singular";
    fake_command(command_run, "solve line.mtx --variant openmp -o gone.mtx");
    fake.solution = inverse(-1, QP_CONVERGED);
    fake_command(command_run, "invert full.mtx --variant loop -o - --json c.json");
    fake_command(command_run, "invert full.mtx --variant reduce/loop");
    fake_command(command_run, "solve full.mtx two.mtx --x0 one.mtx");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}

GROUP(write_systems, NULL)
