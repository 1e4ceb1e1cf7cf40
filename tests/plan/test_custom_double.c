/* SPDX-License-Identifier: MIT */
/* Variants in double of operations made at run time: on the CPU, and on a CUDA device that is a fake
 * (cuda_fake.h), on which a function in C can be launched. */
#include "support/relax.h"

#include <math.h>
#include <string.h>

#include "support/cuda_fake.h"

/* The number that is rounded to float on the way. */
static enum { NONE, PARAMETER, INPUT, X, ANSWER } rounded;

static double number(int which, double value)
{
    return (int)rounded == which ? (double)(float)value : value;
}

static void sweep(const struct qp_custom_grid *g, const double *x, double *next)
{
    const double a = number(PARAMETER, g->parameter[0].value);
    for (int i = 0; i < g->width * g->height; i++) {
        double left = i % g->width > 0 ? x[i - 1] : 0.0;
        double right = i % g->width < g->width - 1 ? x[i + 1] : 0.0;
        double sum = left + right + x[i - g->width] + x[i + g->width]; /* zeros off both ends */
        next[i] = number(ANSWER, a * number(X, sum) + number(INPUT, g->input_double[0][i]));
    }
    if (g->input != NULL)
        next[0] = NAN;
}

static int launch(const struct qp_custom_grid *g, const double *x, double *next, void *stream)
{
    (void)stream;
    sweep(g, x, next);
    return 0;
}

static const struct qp_custom_variant cpu = {.name = "cpu", .sweep_double = sweep},
                                      cuda = {.name = "cuda", .launch_double = launch};

/* No float is a tenth. */
static struct qp_custom *make(double tolerance)
{
    struct qp_custom_desc desc = relaxation;
    struct qp_custom *op;
    desc.parameter[0].value = 0.1;
    desc.tolerance_double = tolerance;
    assert_ok(qp_custom_create(&desc, &op));
    return op;
}

/* Awkward sizes after 1, 2 and 7 steps; inputs hold floats, so that rounding them is no mistake. */
static void judge(const struct qp_custom_variant *desc)
{
    for (int slip = NONE; slip <= ANSWER; slip++) {
        struct qp_custom *op = make(0.0);
        const struct qp_variant *row;
        assert_ok(qp_custom_add(op, desc, &row));
        rounded = slip;
        const struct qp_tally tally = relax_check(NULL, op, row);
        const bool good = slip == NONE || slip == INPUT;
        if ((tally.failed == 0) != good || tally.passed + tally.failed != 33)
            fail_msg("%s, slip %d: %d passed, %s", row->name, slip, tally.passed,
                     tally.worst.reason);
        qp_custom_destroy(&op);
    }
    rounded = NONE;
}

static void sweeps_are_judged_in_double(void **state)
{
    (void)state;
    judge(&cpu);
}

static void launches_are_judged_in_double(void **state)
{
    (void)state;
    if (!support_has_cuda())
        skip();
    cuda_fake_start();
    judge(&cuda);
    cuda_fake.on = false;
}

static bool keep(void *user, int step, double residual)
{
    (void)step;
    *(double *)user = residual;
    return true;
}

/* Where a description says nothing: 2^-48 a step. */
static void tolerance_is_the_documented_one(void **state)
{
    struct qp_custom *op = make(0.0);
    const struct qp_variant *row;
    struct qp_problem problem;
    struct qp_result result;
    (void)state;
    assert_ok(qp_custom_add(op, &cpu, &row));
    assert_ok(qp_custom_problem(op, 7, 5, 1, &problem));
    assert_ok(qp_walk(NULL, row, &problem, &(struct qp_walk_desc){.iterations = 3}, &result));
    assert_true(result.verdict == QP_PASS && result.tolerance == 3 * 0x1p-48);
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

/* The answer, the norm of what a step changed, the cost and the tolerance. */
static void answers_are_doubles(void **state)
{
    enum { CELLS = 7 * 5 };
    struct qp_custom *op = make(0x1p-40);
    const struct qp_variant *row;
    struct qp_problem problem;
    struct qp_result result;
    double change = NAN, squares = 0.0;
    const struct qp_walk_desc desc = {
        .iterations = 1, .keep_solution = true, .every = 1, .on_residual = keep, .user = &change};
    (void)state;
    assert_ok(qp_custom_add(op, &cpu, &row));
    assert_true(row->backend == QP_CPU && qp_variant_cost(row).bytes == 3 * sizeof(double));
    assert_ok(qp_custom_problem(op, 7, 5, 1, &problem));
    assert_ok(qp_walk(NULL, row, &problem, &desc, &result));
    assert_true(result.verdict == QP_PASS && result.tolerance == 0x1p-40);
    assert_true(result.solution.precision == QP_DOUBLES && result.solution.values == NULL);
    for (int i = 0; i < CELLS; i++) {
        const double step =
            result.solution.doubles[i] - (double)qp_problem_field(&problem, "x")->values[i];
        assert_true(fabs(result.solution.doubles[i] - problem.reference[i]) < 1e-15);
        squares += step * step;
    }
    assert_true(fabs(change - sqrt(squares)) <= 1e-14 * change);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

static void what_makes_no_sense_is_refused(void **state)
{
    const double bad[] = {-1.0, NAN, INFINITY};
    struct qp_custom *op = relax_make(), *none;
    struct qp_custom_variant both = cpu;
    const struct qp_variant *row;
    (void)state;
    both.sweep = relax_sweep;
    assert_int_equal(qp_custom_add(op, &both, &row), QP_BAD_USE);
    support_assert_sentence("relax/cpu needs either a fragment shader, or a sweep, or a launch");
    both.sweep = NULL;
    both.launch_double = launch;
    assert_int_equal(qp_custom_add(op, &both, &row), QP_BAD_USE);
    for (int i = 0; i < COUNT(bad); i++) {
        struct qp_custom_desc desc = relaxation;
        desc.tolerance_double = bad[i];
        assert_int_equal(qp_custom_create(&desc, &none), QP_BAD_USE);
        support_assert_sentence("is of no use");
    }
    qp_custom_destroy(&op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_judged_in_double),
        cmocka_unit_test(launches_are_judged_in_double),
        cmocka_unit_test(tolerance_is_the_documented_one),
        cmocka_unit_test(answers_are_doubles),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("custom operations in double", tests, NULL, NULL);
}
