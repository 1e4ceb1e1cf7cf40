/* SPDX-License-Identifier: MIT */
/* References: the same bits on any number of threads, kept for variants of other orders and other
 * numbers of steps, and taken from where an earlier one ended. */
#include "support/support.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/ops/table.h"
#include "lab/plan/problem.h"

/* ---- Threads ---- */

static double *copy_of(const struct qp_problem *problem)
{
    const size_t bytes = qp_problem_answers(problem) * sizeof(double);
    double *copy = malloc(bytes);
    assert_non_null(copy);
    return memcpy(copy, problem->reference, bytes);
}

/* Results of stages 1 and 9 for a problem, by `threads` threads: grids in four bands, since the sum
 * of two is the same in either order. An elimination takes N^3 updates, and has two. */
static void make(const struct qp_op *op, const char *kind, int order, int threads,
                 struct qp_problem *problem)
{
    const bool batch = strstr(op->name, "batch") != NULL;
    const int side = strcmp(op->name, "gauss_jordan") == 0 ? 190 : 340;
    const struct qp_problem_desc desc = {.op = op->name,
                                         .kind = kind,
                                         .width = batch ? 12 : side,
                                         .height = batch ? 9000 : side,
                                         .seed = 5};
    omp_set_num_threads(threads);
    assert_ok(qp_problem_create(&desc, problem));
    qp_problem_start_at_random(problem, order != 0);
    problem->order = order;
    problem->alpha = 2;
    problem->block = 8;
    assert_ok(qp_problem_reference(problem, 2, NULL));
}

static void compare(const struct qp_op *op, const char *kind, int order)
{
    struct qp_problem one, many;
    make(op, kind, order, 1, &one);
    make(op, kind, order, 5, &many);
    for (int i = 0; i < op->fields; i++)
        assert_memory_equal(one.field[i].values, many.field[i].values,
                            (size_t)one.field[i].width * (size_t)one.field[i].height *
                                sizeof(float));
    assert_memory_equal(one.reference, many.reference, qp_problem_answers(&one) * sizeof(double));
    assert_true(one.reference_scale == many.reference_scale && one.reference_scale > 0.0);
    qp_problem_destroy(&one);
    qp_problem_destroy(&many);
}

TEST(threads_change_no_bit)
{
    int compared = 0;
    for (int i = 0; qp_op_at(i) != NULL; i++) {
        const struct qp_op *op = qp_op_at(i);
        for (const struct qp_kind *kind = op->kinds; kind->name != NULL; kind++) {
            if (kind->width > 0)
                continue;
            compare(op, kind->name, 0);
            compared++;
        }
    }
    assert_true(compared > 25);
    for (int order = 1; order < QP_POISSON5_ORDERS; order++)
        compare(&qp_op_poisson5, "spike", order);
}

/* ---- References that are kept ---- */

static int steps_taken;

static void count_step(const struct qp_problem *problem, const double *old, double *new,
                       double *scale)
{
    steps_taken++;
    qp_op_poisson5.step(problem, old, new, scale);
}

/* Steps that the reference after `iterations` takes in this order; its values are those of a
 * problem without a past. */
static int steps_for(struct qp_problem *problem, int order, int iterations)
{
    struct qp_problem fresh;
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 20, .height = 15, .seed = 3};
    problem->order = order;
    steps_taken = 0;
    assert_ok(qp_problem_reference(problem, iterations, NULL));
    const int steps = steps_taken;
    assert_ok(qp_problem_create(&desc, &fresh));
    fresh.order = order;
    assert_ok(qp_problem_reference(&fresh, iterations, NULL));
    assert_memory_equal(problem->reference, fresh.reference,
                        qp_problem_answers(&fresh) * sizeof(double));
    assert_true(problem->reference_scale == fresh.reference_scale);
    assert_int_equal(problem->reference_iterations, iterations);
    qp_problem_destroy(&fresh);
    return steps;
}

TEST(rows_share_references)
{
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 20, .height = 15, .seed = 3};
    struct qp_op counting = qp_op_poisson5;
    struct qp_problem problem;
    counting.step = count_step;
    assert_ok(qp_problem_create(&desc, &problem));
    problem.op = &counting;
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 7), 7);
    assert_int_equal(steps_for(&problem, QP_POISSON5_RED_BLACK, 7), 7);
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 7), 0);
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 19), 12);
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 2), 2);
    assert_int_equal(steps_for(&problem, QP_POISSON5_RED_BLACK, 8), 1);
    assert_int_equal(steps_for(&problem, QP_POISSON5_RED_BLACK, 7), 0);
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 19), 0);
    problem.alpha = 1; /* another variant's */
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 2), 2);
    problem.alpha = 0;
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 2), 0);
    problem.reference_iterations = -1;
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 2), 2);
    assert_int_equal(steps_for(&problem, QP_POISSON5_TOGETHER, 19), 17);
    qp_problem_destroy(&problem);
}

/* A problem that starts at random has references of its own, and starts from zeros again as
 * before. */
TEST(starts_have_their_own)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "spike", .width = 9, .height = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_problem_reference(&problem, 3, NULL));
    double *zeros = copy_of(&problem);
    const float *x = problem.field[QP_POISSON5_X].values;
    qp_problem_start_at_random(&problem, true);
    for (int i = 0; i < 9 * 7; i++)
        assert_true(x[i] >= -1.0f && x[i] < 1.0f && x[i] != 0.0f && x[i] != x[(i + 1) % 63]);
    assert_ok(qp_problem_reference(&problem, 3, NULL));
    assert_memory_not_equal(problem.reference, zeros, 63 * sizeof *zeros);
    qp_problem_start_at_random(&problem, false);
    for (int i = 0; i < 9 * 7; i++)
        assert_true(x[i] == 0.0f);
    assert_ok(qp_problem_reference(&problem, 3, NULL));
    assert_memory_equal(problem.reference, zeros, 63 * sizeof *zeros);
    free(zeros);
    qp_problem_destroy(&problem);
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){.op = "poisson5", .width = 9, .height = 7, .seed = 4}, &problem));
    const float first = problem.field[QP_POISSON5_X].values[0];
    qp_problem_start_at_random(&problem, true); /* which it does already */
    assert_true(problem.field[QP_POISSON5_X].values[0] == first);
    qp_problem_destroy(&problem);
}
