/* SPDX-License-Identifier: MIT */
/* Judges an answer: the kernel by itself, and then all cells of whole grids. */
#include "borders.h"

#include "../judge.h"

static double mean_in_c(const struct qp_kernel_grid *grid, double *const output[])
{
    const struct qp_kernel_array *x = &grid->input[0];
    const double there = grid->number[0].value[0];
    for (int j = 0; j < grid->height; j++)
        for (int i = 0; i < grid->width; i++)
            output[0][j * grid->width + i] =
                (qp_kernel_array_at(x, i - 1, j, 0) + qp_kernel_array_at(x, i + 1, j, 0) +
                 qp_kernel_array_at(x, i, j - 1, 0) + qp_kernel_array_at(x, i, j + 1, 0)) /
                there;
    return 0.0;
}

/* Mean of those neighbours of a cell that there are. */
static double mean_at(const float *x, int width, int height, int i, int j)
{
    double sum = 0.0;
    int there = 0;
    for (int k = 0; k < 4; k++) {
        const int a = i + (k == 0) - (k == 1), b = j + (k == 2) - (k == 3);
        if (a >= 0 && a < width && b >= 0 && b < height) {
            sum += (double)x[b * width + a];
            there++;
        }
    }
    return sum / there;
}

/* Compares all cells, which were NaN before. */
static bool compare(const float *x, const float *y, int width, int height)
{
    for (int i = 0; i < width * height; i++) {
        const double is = (double)y[i], should = mean_at(x, width, height, i % width, i / width);
        if (isnan(is))
            printf("%d x %d: no pass has written cell (%d, %d)\n", width, height, i % width,
                   i / width);
        else if (fabs(is - should) > 1e-4)
            printf("%d x %d: cell (%d, %d) is %g and should be %g\n", width, height, i % width,
                   i / width, is, should);
        if (!(fabs(is - should) <= 1e-4))
            return false;
    }
    printf("%d x %d: right\n", width, height);
    return true;
}

static bool grid_is_right(struct qp_context *context, const struct qp_kernel *mean, int width,
                          int height)
{
    const struct qp_array_desc desc = {.width = width, .height = height};
    struct qp_array *x = NULL, *y = NULL;
    float before[64], after[64];
    for (int i = 0; i < width * height; i++)
        before[i] = (float)(i * i % 37);
    bool right = qp_array_create(context, &desc, before, &x) == QP_OK &&
                 qp_array_create(context, &desc, NULL, &y) == QP_OK &&
                 qp_array_fill(y, NULL, (double)NAN) == QP_OK &&
                 run_means(mean, x, y, width, height) == QP_OK &&
                 qp_array_read(y, NULL, after, 0) == QP_OK;
    if (!right)
        printf("%d x %d: %s\n", width, height, qp_error());
    right = right && compare(before, after, width, height);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
    return right;
}

static bool is_right(struct qp_context *context)
{
    static const int sizes[][2] = {{7, 5}, {2, 2}, {2, 6}, {9, 2}, {3, 3}};
    const struct qp_array_desc desc = {.width = 7, .height = 5};
    struct qp_array *x = NULL, *y = NULL;
    struct qp_kernel *mean = NULL;
    bool right = qp_array_create(context, &desc, NULL, &x) == QP_OK &&
                 qp_array_create(context, &desc, NULL, &y) == QP_OK &&
                 qp_kernel_create(context, &mean_kernel, &mean) == QP_OK;
    const struct qp_pass pass = {.kernel = mean,
                                 .input = {{"x", x}},
                                 .number = {{.name = "there", .value = {4.0}}},
                                 .output = {y}};
    if (!right)
        printf("%s\n", qp_error());
    right = right && pass_is_right(&pass, mean_in_c);
    for (int k = 0; k < 5 && right; k++)
        right = grid_is_right(context, mean, sizes[k][0], sizes[k][1]);
    qp_kernel_destroy(&mean);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
    return right;
}

int main(void)
{
    return judge_with_context(is_right);
}
