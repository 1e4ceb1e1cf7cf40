/* SPDX-License-Identifier: MIT */
/* A masked mean: of a field with holes, the mean of the values where the mask is 1. Compared with
 * plain C. */
#include <math.h>
#include <stdio.h>

#include <quadpass/quadpass.h>

enum { WIDTH = 333, HEIGHT = 77, CELLS = WIDTH * HEIGHT };

/* A map is called for each cell, and what it returns is summed: the holes may hold anything, a NaN
 * too. */
static bool mean(struct qp_context *context, const float *values, const float *ones, double *out)
{
    const struct qp_array_desc grid = {.width = WIDTH, .height = HEIGHT};
    const struct qp_reduction_desc masked = {
        .what = QP_REDUCE_SUM,
        .of = grid,
        .map = "float map(vec2 here) { return mask_at(0, 0) == 1.0 ? x_at(0, 0) : 0.0; }",
        .input = {{.name = "x"}, {.name = "mask"}}};
    struct qp_array *x = NULL, *mask = NULL;
    struct qp_reduction *sum = NULL;
    struct qp_reduced total = {0}, count = {0};
    bool done = qp_array_create(context, &grid, values, &x) == QP_OK &&
                qp_array_create(context, &grid, ones, &mask) == QP_OK &&
                qp_reduction_create(context, &masked, &sum) == QP_OK;
    const struct qp_pass_input inputs[] = {{"x", x}, {"mask", mask}, {NULL, NULL}};
    done = done && qp_reduce(sum, inputs, NULL, &total) == QP_OK &&
           qp_array_reduce(mask, QP_REDUCE_SUM, &count) == QP_OK;
    *out = total.value / count.value;
    qp_reduction_destroy(&sum);
    qp_array_destroy(&mask);
    qp_array_destroy(&x);
    return done;
}

int main(void)
{
    static float values[CELLS], mask[CELLS];
    struct qp_context *context = NULL;
    double answer, total = 0.0, count = 0.0;
    for (int i = 0; i < CELLS; i++) {
        mask[i] = i % 5 < 2 ? 1.0f : 0.0f;
        values[i] = mask[i] == 1.0f ? 1.0f + sinf((float)i) : NAN;
        total += mask[i] == 1.0f ? (double)values[i] : 0.0;
        count += (double)mask[i];
    }
    if (qp_context_create(NULL, &context) != QP_OK || !mean(context, values, mask, &answer)) {
        fprintf(stderr, "%s\n", qp_error());
        qp_context_destroy(&context);
        return 1;
    }
    printf("mean of %g of %d values: %.6f, in plain C %.6f\n", count, CELLS, answer, total / count);
    qp_context_destroy(&context);
    return fabs(answer - total / count) < 1e-6 ? 0 : 1; /* NaN is wrong too */
}
