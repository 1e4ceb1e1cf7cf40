/* SPDX-License-Identifier: MIT */
/* Judges an answer: the kernel by itself, and then sums of whole grids. */
#include "sum.h"

#include "../judge.h"

static double fold_in_c(const struct qp_kernel_grid *grid, double *const output[])
{
    const struct qp_kernel_array *x = &grid->input[0];
    for (int j = 0; j < grid->height; j++)
        for (int i = 0; i < grid->width; i++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += qp_kernel_array_at(x, 2 * i + k % 2, 2 * j + k / 2, 0);
            output[0][j * grid->width + i] = sum;
        }
    return 0.0;
}

static bool grid_is_right(struct qp_context *context, const struct qp_kernel *fold, int width,
                          int height)
{
    const struct qp_array_desc desc = {.width = width, .height = height};
    struct qp_array *x = NULL;
    float values[1024], sum = NAN;
    double should = 0.0;
    for (int i = 0; i < width * height; i++) {
        values[i] = (float)(1 + i % 7);
        should += (double)values[i];
    }
    bool right = qp_array_create(context, &desc, values, &x) == QP_OK &&
                 sum_all(context, fold, x, width, height, &sum) == QP_OK;
    if (!right)
        printf("%d x %d: %s\n", width, height, qp_error());
    else
        printf("%d x %d: the sum is %g and should be %g\n", width, height, (double)sum, should);
    qp_array_destroy(&x);
    return right && (double)sum == should; /* sums of small whole numbers are exact */
}

static bool is_right(struct qp_context *context)
{
    static const int sizes[][2] = {{1, 1}, {8, 8}, {5, 3}, {1, 9}, {31, 33}};
    const struct qp_array_desc whole = {.width = 14, .height = 10},
                               half = {.width = 7, .height = 5};
    struct qp_array *x = NULL, *y = NULL;
    struct qp_kernel *fold = NULL;
    bool right = qp_array_create(context, &whole, NULL, &x) == QP_OK &&
                 qp_array_create(context, &half, NULL, &y) == QP_OK &&
                 qp_kernel_create(context, &fold_kernel, &fold) == QP_OK;
    const struct qp_pass pass = {.kernel = fold, .input = {{"x", x}}, .output = {y}};
    if (!right)
        printf("%s\n", qp_error());
    right = right && pass_is_right(&pass, fold_in_c);
    for (int k = 0; k < 5 && right; k++)
        right = grid_is_right(context, fold, sizes[k][0], sizes[k][1]);
    qp_kernel_destroy(&fold);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
    return right;
}

int main(void)
{
    return judge_with_context(is_right);
}
