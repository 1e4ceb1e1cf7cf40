/* SPDX-License-Identifier: MIT */
/* A variant in double keeps every digit from stage 2 to stage 10, and is judged to double's
 * accuracy. The step is C here: a sweep on the CPU, and cuda_double's kernel on a device that is a
 * fake (cuda_fake.h). Each slip rounds one number to float, or leaves out what must be written. */
/* wrap: cuda_fake*.c */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "support/cuda_fake.h"

static enum slip {
    NO_SLIP,
    X_TO_FLOAT,
    WEIGHT_TO_FLOAT,
    ANSWER_TO_FLOAT,
    SUM_TO_FLOAT,
    A_CELL_LEFT_OUT,
    A_CELL_NAN,
    PADDING_OFF
} slip;

static double rounded_if(enum slip here, double value)
{
    return slip == here ? (double)(float)value : value;
}

/* The inputs of cuda_double, in its order. */
static const int bands[] = {QP_JACOBI9_DD, QP_JACOBI9_LL, QP_JACOBI9_LD, QP_JACOBI9_LU,
                            QP_JACOBI9_DU, QP_JACOBI9_UL, QP_JACOBI9_UD, QP_JACOBI9_UU,
                            QP_JACOBI9_B,  QP_JACOBI9_DL};
enum { DD = 0, B = 8 };

static double update(const double *const *a, const double *x, double weight, int i, int row)
{
    double sum = 0.0;
    for (int k = 0; k < COUNT(bands); k++) {
        if (k != DD && k != B)
            sum += a[k][i] *
                   rounded_if(X_TO_FLOAT, x[i + qp_band_dx(bands[k]) + row * qp_band_dy(bands[k])]);
    }
    sum = rounded_if(SUM_TO_FLOAT, sum);
    return rounded_if(ANSWER_TO_FLOAT, x[i] * (1.0 - weight) + weight * (a[B][i] - sum) / a[DD][i]);
}

/* Rows begin `row` values from each other. Inputs and x come as pointers to float, as from
 * anybody. */
static void step(const float *const *input, const float *from, float *to, double weight, int width,
                 int height, int row)
{
    const double *a[COUNT(bands)], *x = (const void *)from;
    double *out = (void *)to;
    for (int k = 0; k < COUNT(bands); k++)
        a[k] = (const void *)input[k];
    weight = rounded_if(WEIGHT_TO_FLOAT, weight);
    for (int i = 0; i < width * height; i++) {
        const int cell = i / width * row + i % width, last = i == width * height - 1;
        if (!last || slip != A_CELL_LEFT_OUT)
            out[cell] = last && slip == A_CELL_NAN ? NAN : update(a, x, weight, cell, row);
    }
    if (slip == PADDING_OFF)
        out[-1] = 0x1p-1000;
}

static void sweep(const struct qp_sweep *s)
{
    step(s->input, s->x, s->out, s->weight, s->width, s->height, s->width);
}

static enum qp_status launch(struct qp_launch *l)
{
    step(l->input, l->x, l->out, l->weight, l->width, l->height, l->pitch);
    return QP_OK;
}

/* ---- Walks ---- */

static const struct qp_cuda_kernel kernel = {.launch = launch};

/* cuda_double with the step above, on the fake or with arrays as the CPU has them. */
static struct qp_result walk(bool on_cpu, const char *kind, int steps)
{
    const struct qp_variant *real = qp_variant_find("jacobi9/cuda_double");
    const struct qp_shape flat = {.format = QP_R64F, .flat = true};
    const struct qp_problem_desc desc = {.kind = kind, .width = 13, .height = 11, .weight = 0.9};
    struct qp_recipe recipe = *real->recipe;
    struct qp_variant variant = *real;
    struct qp_problem problem;
    struct qp_result result;
    variant.recipe = &recipe;
    variant.backend = on_cpu ? QP_CPU : QP_CUDA;
    recipe.kernel = on_cpu ? NULL : &kernel;
    recipe.sweep = on_cpu ? sweep : NULL;
    if (on_cpu) {
        recipe.state = flat;
        for (int i = 0; i < qp_recipe_inputs(real->recipe); i++)
            recipe.input[i].shape = flat;
    }
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(NULL, &variant, &problem,
                      &(struct qp_walk_desc){.iterations = steps, .keep_solution = true}, &result));
    qp_problem_destroy(&problem);
    return result;
}

/* A single number in float on the way makes the variant wrong. The start holds floats, so that x
 * leaves them only from the second step on. */
static void slips_are_found(bool on_cpu)
{
    static const struct {
        enum slip slip;
        int steps;
        const char *reason; /* NULL: the variant is right */
    } cases[] = {
        {NO_SLIP, 1, NULL},
        {NO_SLIP, 2, NULL},
        {NO_SLIP, 100, NULL},
        {X_TO_FLOAT, 1, NULL},
        {X_TO_FLOAT, 2, "is rounding"},
        {X_TO_FLOAT, 100, "is rounding"},
        {WEIGHT_TO_FLOAT, 1, "is rounding"},
        {WEIGHT_TO_FLOAT, 2, "is rounding"},
        {ANSWER_TO_FLOAT, 1, "is rounding"},
        {SUM_TO_FLOAT, 2, "is rounding"},
        {A_CELL_LEFT_OUT, 1, "cell (12, 10) was never written"},
        {A_CELL_NAN, 1, "cell (12, 10) is nan"},
        {PADDING_OFF, 1, "wrote outside its domain, at texel (-1, 0)"},
    };
    static const char *const kinds[] = {"random", "symmetric", "bidomain"};
    for (int i = 0; i < COUNT(cases) * COUNT(kinds); i++) {
        const char *kind = kinds[i % COUNT(kinds)];
        slip = cases[i / COUNT(kinds)].slip;
        const char *reason = cases[i / COUNT(kinds)].reason;
        struct qp_result result = walk(on_cpu, kind, cases[i / COUNT(kinds)].steps);
        if (result.verdict != (reason != NULL ? QP_FAIL : QP_PASS) ||
            strstr(result.reason, reason != NULL ? reason : "") == NULL)
            fail_msg("slip %d, %s: %s %s", (int)slip, kind, qp_verdict_name(result.verdict),
                     result.reason);
        qp_matrix_destroy(&result.solution);
    }
}

TEST(a_sweep_keeps_all_digits)
{
    slips_are_found(true);
}

TEST(a_kernel_keeps_all_digits)
{
    if (!support_has_cuda())
        skip();
    cuda_fake_start();
    slips_are_found(false);
    cuda_fake.on = false;
}

/* The answer is handed over as it was judged. */
TEST(answers_are_doubles)
{
    struct qp_problem problem;
    struct qp_result result;
    const struct qp_problem_desc desc = {.width = 7, .height = 5, .weight = 0.9};
    const struct qp_walk_desc walk_desc = {.iterations = 3, .keep_solution = true};
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(NULL, qp_variant_find("jacobi9/reference"), &problem, &walk_desc, &result));
    const struct qp_matrix *x = &result.solution;
    assert_true(x->precision == QP_DOUBLES && x->values == NULL && x->width == 7 && x->height == 5);
    assert_memory_equal(x->doubles, problem.reference, 7 * 5 * sizeof(double));
    assert_true(result.verdict == QP_PASS && result.tolerance < 1e-14);
    qp_matrix_destroy(&result.solution);
    assert_ok(qp_walk(NULL, qp_variant_find("jacobi9/openmp"), &problem, &walk_desc, &result));
    assert_true(x->precision == QP_FLOATS && x->values != NULL && x->doubles == NULL);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* Derived in double and rounded once, or not at all; stored floats widened. */
TEST(fields_are_rounded_once)
{
    struct qp_problem problem;
    const struct qp_problem_desc desc = {.width = 7, .height = 5, .weight = 0.9};
    double wide[7 * 5];
    float narrow[7 * 5];
    assert_ok(qp_problem_create(&desc, &problem));
    const float *dd = problem.field[QP_JACOBI9_DD].values;
    assert_ptr_equal(qp_field_values(&problem, QP_JACOBI9_INVERSE_DD, QP_DOUBLES, 35, wide), wide);
    assert_ptr_equal(qp_field_values(&problem, QP_JACOBI9_INVERSE_DD, QP_FLOATS, 35, narrow),
                     narrow);
    for (int i = 0; i < 7 * 5; i++)
        assert_true(wide[i] == 1.0 / (double)dd[i] && narrow[i] == (float)wide[i]);
    assert_ptr_equal(qp_field_values(&problem, QP_JACOBI9_DD, QP_DOUBLES, 35, wide), wide);
    assert_ptr_equal(qp_field_values(&problem, QP_JACOBI9_DD, QP_FLOATS, 35, narrow), dd);
    for (int i = 0; i < 7 * 5; i++)
        assert_true(wide[i] == (double)dd[i]);
    qp_problem_destroy(&problem);
}
