/* SPDX-License-Identifier: MIT */
/* To divide by the diagonal, to multiply by its inverse, or to have divided beforehand: what
 * rounding makes of each, and what paper 1 says of it. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/jacobi9.h"

enum { DIVIDES, INVERTS, HAS_DIVIDED, WAYS };
static const char *const names[WAYS] = {"bands", "inverse", "rgba_abreast"};

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
        double wanted =
            (double)problem->field[QP_B].values[i] / (double)problem->field[QP_DD].values[i];
        largest = fmax(largest, fabs(result->solution.values[i] / wanted - 1.0));
    }
    return largest * 0x1p24;
}

/* True if this device rounds divisions correctly; GLSL allows 2.5 units of the last place. */
static bool divides_well(struct qp_context *context)
{
    struct qp_problem problem = make("diagonal", 128);
    struct qp_result results[WAYS];
    walk(context, &problem, 1, results);
    bool well = relative(&problem, &results[DIVIDES]) <= 1.0;
    forget(&problem, results);
    return well;
}

/* Without other bands an update is x = b / D: rounded once if it was divided in double, twice with
 * an inverse, and by whatever the device does if it divides. */
static void one_division(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make("diagonal", 128);
    struct qp_result results[WAYS];
    walk(context, &problem, 1, results);
    assert_true(relative(&problem, &results[HAS_DIVIDED]) <= 1.0);
    assert_true(relative(&problem, &results[INVERTS]) <= 2.0 + 0x1p-22);
    assert_true(relative(&problem, &results[INVERTS]) > 1.0);
    assert_true(relative(&problem, &results[DIVIDES]) <= 5.0);
    assert_true(results[HAS_DIVIDED].error_rms < results[INVERTS].error_rms);
    if (divides_well(context))
        assert_true(results[DIVIDES].error_rms < results[INVERTS].error_rms);
    forget(&problem, results);
}

/* Where steps damp little, what a rounded inverse does to the matrix adds up. */
static void many_steps(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make("bidomain", 64);
    struct qp_result results[WAYS];
    walk(context, &problem, 300, results);
    assert_true(results[HAS_DIVIDED].error_rms < results[INVERTS].error_rms);
    if (divides_well(context))
        assert_true(2.0 * results[DIVIDES].error_rms < results[INVERTS].error_rms);
    forget(&problem, results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(one_division), clean_test(many_steps)};
    return cmocka_run_group_tests_name("accuracy", tests, support_open_context,
                                       support_close_context);
}
