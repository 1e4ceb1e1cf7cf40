/* SPDX-License-Identifier: MIT */
/* To divide a residual by the diagonal or to multiply it by the inverse, as paper 1 does; to divide
 * a sum as paper 3 does, or to have divided beforehand: what rounding makes of each. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"

enum { DIVIDES, INVERTS, DIVIDES_SUM, HAS_DIVIDED, WAYS };
static const char *const names[WAYS] = {"bands", "inverse", "luminance", "rgba_abreast"};

static struct qp_problem make(const char *kind, int size)
{
    struct qp_problem_desc desc = {.kind = kind, .width = size, .height = size, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* Walks all ways, and fails unless each passes. */
static void walk(struct qp_context *context, struct qp_problem *problem, int steps,
                 struct qp_result results[WAYS])
{
    struct qp_walk_desc desc = {.iterations = steps, .keep_solution = true};
    for (int i = 0; i < WAYS; i++) {
        assert_ok(qp_walk(context, qp_variant_find(names[i]), problem, &desc, &results[i]));
        assert_int_equal(results[i].verdict, QP_PASS);
        assert_true(results[i].error_rms > 0.0 && results[i].error_rms <= results[i].error);
    }
}

static void forget(struct qp_problem *problem, struct qp_result results[WAYS])
{
    for (int i = 0; i < WAYS; i++)
        qp_matrix_destroy(&results[i].solution);
    qp_problem_destroy(problem);
}

/* The largest |x - b/D| / |b/D|, in units of 2^-24. */
static double relative(const struct qp_problem *problem, const struct qp_result *result)
{
    double largest = 0.0;
    for (int i = 0; i < problem->width * problem->height; i++) {
        double wanted = (double)problem->field[QP_JACOBI9_B].values[i] /
                        (double)problem->field[QP_JACOBI9_DD].values[i];
        largest = fmax(largest, fabs(result->solution.values[i] / wanted - 1.0));
    }
    return largest * 0x1p24;
}

/* Without other bands paper 3's update is x = b / D, for w = 1: rounded once if it was divided in
 * double, and by whatever the device does if it divides. GLSL allows 2.5 units of the last place,
 * of 2 each. */
CLEAN_TEST(one_division)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make("diagonal", 128);
    struct qp_result results[WAYS];
    walk(context, &problem, 1, results);
    assert_true(relative(&problem, &results[HAS_DIVIDED]) <= 1.0);
    assert_true(relative(&problem, &results[DIVIDES_SUM]) <= 5.0);
    forget(&problem, results);
}

/* Paper 1's update corrects what it starts from: not in the first step, which rounds D x and takes
 * it away again, but once the residual is rounding itself. Then an inverse that is off by a
 * rounding leaves no more than a division does. */
CLEAN_TEST(corrections_converge)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make("diagonal", 128);
    struct qp_result results[WAYS];
    walk(context, &problem, 10, results);
    assert_true(relative(&problem, &results[DIVIDES]) <= 3.0);
    assert_true(relative(&problem, &results[INVERTS]) <= 3.0);
    assert_true(fabs(results[INVERTS].error_rms / results[DIVIDES].error_rms - 1.0) < 0.05);
    forget(&problem, results);
}

/* Errors of bands that were divided and rounded add up in the matrix where steps damp little. A
 * rounded inverse of a residual does nothing to it. */
CLEAN_TEST(many_steps)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make("bidomain", 64);
    struct qp_result results[WAYS];
    walk(context, &problem, 300, results);
    assert_true(results[INVERTS].error_rms < 1.5 * results[DIVIDES].error_rms);
    assert_true(results[HAS_DIVIDED].error_rms > 1.5 * results[INVERTS].error_rms);
    assert_true(results[DIVIDES_SUM].error_rms > 1.5 * results[INVERTS].error_rms);
    forget(&problem, results);
}

/* A start far from the answer is rounded too where it is corrected, and errors are measured by
 * it. */
CLEAN_TEST(a_far_start)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make("diagonal", 64);
    struct qp_result results[WAYS];
    for (int i = 0; i < 64 * 64; i++)
        problem.field[QP_JACOBI9_X].values[i] *= 1e6f;
    walk(context, &problem, 1, results);
    assert_true(relative(&problem, &results[DIVIDES]) > 1e5);
    assert_true(results[DIVIDES].tolerance < 1e-5);
    forget(&problem, results);
}

GROUP(support_open_context, support_close_context)
