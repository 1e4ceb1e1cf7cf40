/* SPDX-License-Identifier: MIT */
/* Functions as variants of trials, in float and in double, on the CPU and on a CUDA device that is
 * a fake (cuda_fake.h), on which a function in C can be launched. */
/* wrap: cuda_fake*.c */
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

static void sweep(const struct qp_kernel_grid *g, void *const output[])
{
    const double a = number(PARAMETER, g->number[0].value[0]);
    const struct qp_kernel_array *x = &g->input[0];
    const double *f = g->input[1].values;
    for (int i = 0; i < g->width * g->height; i++) {
        const int column = i % g->width, row = i / g->width;
        const double sum =
            qp_kernel_array_at(x, column - 1, row, 0) + qp_kernel_array_at(x, column + 1, row, 0) +
            qp_kernel_array_at(x, column, row - 1, 0) + qp_kernel_array_at(x, column, row + 1, 0);
        ((double *)output[0])[i] = number(ANSWER, a * number(X, sum) + number(INPUT, f[i]));
    }
}

static int launch(const struct qp_kernel_grid *g, void *const output[], void *stream)
{
    (void)stream;
    sweep(g, output);
    return 0;
}

static struct qp_kernel_desc in_double(qp_kernel_sweep *function, qp_kernel_launch *on_device)
{
    return (struct qp_kernel_desc){
        .input = {{"x", QP_ARRAY_DOUBLE, 1, 0}, {"f", QP_ARRAY_DOUBLE, 1, 0}},
        .number = {{.name = "a"}},
        .output_type = QP_ARRAY_DOUBLE,
        .sweep = function,
        .launch = on_device};
}

/* A trial in floats and a variant with this kernel. No float is a tenth. */
static struct qp_trial *make(struct qp_kernel_desc kernel, const struct qp_variant **variant)
{
    struct qp_trial_desc desc = relaxation;
    struct qp_kernel_desc first = relax_kernel;
    struct qp_trial *trial;
    first.body = relax_body;
    desc.number[0].value[0] = 0.1;
    assert_ok(qp_trial_create(&desc, &first, &trial));
    assert_ok(qp_trial_add(trial, &(struct qp_trial_variant){.name = "row", .kernel = {kernel}},
                           variant));
    return trial;
}

/* Awkward sizes after 1, 2 and 7 steps; inputs and numbers hold floats, so that rounding them is no
 * mistake. */
static void judge(struct qp_kernel_desc kernel)
{
    for (int slip = NONE; slip <= ANSWER; slip++) {
        const struct qp_variant *variant;
        struct qp_trial *trial = make(kernel, &variant);
        rounded = slip;
        const struct qp_tally tally = relax_check(NULL, trial, variant);
        const bool good = slip == NONE || slip == PARAMETER || slip == INPUT;
        if ((tally.failed == 0) != good || tally.passed + tally.failed != 33)
            fail_msg("%s, slip %d: %d passed, %s", variant->name, slip, tally.passed,
                     tally.worst.reason);
        qp_trial_destroy(&trial);
    }
    rounded = NONE;
}

TEST(sweeps_are_judged_in_double)
{
    judge(in_double(sweep, NULL));
}

TEST(launches_are_judged_in_double)
{
    if (!support_has_cuda())
        skip();
    cuda_fake_start();
    judge(in_double(NULL, launch));
    cuda_fake.on = false;
}

static bool keep(void *user, int step, double residual)
{
    (void)step;
    *(double *)user = residual;
    return true;
}

/* The answer, the norm of what a step changed, the cost and the tolerance. */
TEST(answers_are_doubles)
{
    enum { CELLS = 7 * 5 };
    const struct qp_variant *variant;
    struct qp_trial *trial = make(in_double(sweep, NULL), &variant);
    struct qp_problem problem;
    struct qp_result result;
    double change = NAN, squares = 0.0;
    const struct qp_walk_desc desc = {
        .iterations = 1, .keep_solution = true, .every = 1, .on_residual = keep, .user = &change};
    assert_true(variant->backend == QP_CPU && qp_variant_cost(variant).bytes == 3 * sizeof(double));
    assert_ok(qp_trial_problem(trial, 7, 5, 1, &problem));
    assert_ok(qp_walk(NULL, variant, &problem, &desc, &result));
    assert_true(result.verdict == QP_PASS && result.tolerance == 0x1p-48);
    assert_true(result.solution.precision == QP_DOUBLES && result.solution.values == NULL);
    for (int i = 0; i < CELLS; i++) {
        const double step =
            result.solution.doubles[i] - qp_problem_field(&problem, "x")->doubles[i];
        assert_true(fabs(result.solution.doubles[i] - problem.reference[i]) < 1e-15);
        squares += step * step;
    }
    assert_true(fabs(change - sqrt(squares)) <= 1e-14 * change);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
}

/* ---- Several outputs, types and tables ---- */

static const int table[] = {1, 2, 3, 5, 7, 11};

/* u' = v + k[3], v' = 2 u of two channels, of integers. */
static double turn(const struct qp_kernel_grid *g, double *const output[])
{
    const double *u = g->input[1].values, *v = g->input[0].values;
    for (int i = 0; i < 2 * g->width * g->height; i++) {
        output[0][i] = v[i] + qp_kernel_array_at(&g->input[2], 0, 1, 0);
        output[1][i] = 2.0 * u[i];
    }
    return 0.0;
}

static int slip;

static void turn_sweep(const struct qp_kernel_grid *g, void *const output[])
{
    const int32_t *v = g->input[0].values, *u = g->input[1].values, *k = g->input[2].values;
    int32_t *next_u = output[0], *next_v = output[1];
    const int all = 2 * g->width * g->height;
    assert_true(g->channels == 2 && g->input[2].width == 3 && g->input[2].height == 2);
    assert_memory_equal(k, table, sizeof table);
    for (int i = 0; i < all; i++) {
        next_u[i] = v[i] + k[3];
        next_v[i] = 2 * u[i];
    }
    if (slip == 1)
        next_u[-1] = 1;
    if (slip == 2)
        next_v[all] = 1;
    if (slip == 3) /* channel 1 of cell (1, 1) */
        next_v[2 * (g->width + 1) + 1]++;
}

TEST(all_that_a_kernel_can_have)
{
    static const char *const words[] = {"", "wrote outside, before output 0",
                                        "wrote outside, after output 1",
                                        "cell (1, 1) channel g of v is "};
    float values[6];
    for (int i = 0; i < 6; i++)
        values[i] = (float)table[i] + 0.25f; /* which an integer does not keep */
    const struct qp_matrix numbers = {.width = 3, .height = 2, .values = values};
    const struct qp_trial_desc desc = {.name = "turn",
                                       .state = {"u", "v"},
                                       .input = {{.name = "k", .table = &numbers}},
                                       .reference = turn};
    const struct qp_kernel_desc kernel = {
        .input = {{"v", QP_ARRAY_INT, 2, 0}, {"u", QP_ARRAY_INT, 2, 0}, {"k", QP_ARRAY_INT, 1, 0}},
        .outputs = 2,
        .output_type = QP_ARRAY_INT,
        .output_channels = 2,
        .sweep = turn_sweep};
    struct qp_trial *trial;
    struct qp_problem problem;
    const struct qp_variant *variant;
    assert_ok(qp_trial_create(&desc, &kernel, &trial));
    assert_ok(qp_trial_add(trial, &(struct qp_trial_variant){.name = "row", .kernel = {kernel}},
                           &variant));
    assert_true(qp_variant_cost(variant).bytes == 4 * 2 * 4); /* the table's do not count */
    assert_int_equal(qp_trial_problem(trial, 1 << 14, 1 << 14, 0, &problem), QP_BAD_USE);
    support_assert_sentence("cells of turn are above the limit");
    for (slip = 0; slip < COUNT(words); slip++) {
        const struct qp_check_desc check = {
            .make = qp_trial_make, .user = trial, .width = 5, .height = 3};
        struct qp_tally tally;
        assert_ok(qp_check(NULL, &variant, 1, &check, &tally));
        if (strstr(tally.worst.reason, words[slip]) == NULL || (tally.failed == 0) != (slip == 0))
            fail_msg("%d: %s", slip, tally.worst.reason);
    }
    slip = 0;
    assert_int_equal(relax_check(NULL, trial, variant).passed, 33);
    qp_trial_destroy(&trial);
}
