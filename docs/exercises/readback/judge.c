/* SPDX-License-Identifier: MIT */
/* Judges an answer: the state after some steps, and how often it came to the host. With TIME set it
 * says how long a step takes, which is not judged. */
#include "readback.h"

#include <time.h>

#include "../judge.h"

int reads, writes;

static const struct qp_kernel_desc mean_kernel = {
    .name = "mean",
    .body =
        "float kernel(vec2 here)\n"
        "{\n"
        "    return 0.25 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0));\n"
        "}\n",
    .input = {{.name = "x"}}};

enum { MOST = 512 };
static float before[MOST * MOST], after[MOST * MOST], should[2][MOST * MOST];

static float at(const float *x, int width, int height, int i, int j)
{
    return i >= 0 && i < width && j >= 0 && j < height ? x[j * width + i] : 0.0f;
}

/* The same steps in C; returns the last state. */
static const float *take_steps(int width, int height, int steps)
{
    for (int i = 0; i < width * height; i++)
        should[0][i] = before[i];
    for (int k = 0; k < steps; k++)
        for (int j = 0; j < height; j++)
            for (int i = 0; i < width; i++) {
                const float *x = should[k % 2];
                should[(k + 1) % 2][j * width + i] =
                    0.25f * (at(x, width, height, i - 1, j) + at(x, width, height, i + 1, j) +
                             at(x, width, height, i, j - 1) + at(x, width, height, i, j + 1));
            }
    return should[steps % 2];
}

static bool cells_are_right(int width, int height, int steps)
{
    const float *wanted = take_steps(width, height, steps);
    for (int i = 0; i < width * height; i++) {
        if (fabsf(after[i] - wanted[i]) <= 1e-4f)
            continue;
        printf("%d steps of %d x %d cells: cell (%d, %d) is %g and should be %g\n", steps, width,
               height, i % width, i / width, (double)after[i], (double)wanted[i]);
        return false;
    }
    return true;
}

/* Runs the answer; its seconds are returned, below 0 if it failed. */
static double run(struct qp_context *context, const struct qp_kernel *mean, int width, int height,
                  int steps)
{
    const struct qp_array_desc desc = {.width = width, .height = height};
    struct timespec from, to;
    struct qp_array *x = NULL;
    for (int i = 0; i < width * height; i++) {
        before[i] = (float)(i * 7 % 37);
        after[i] = NAN;
    }
    bool done = qp_array_create(context, &desc, before, &x) == QP_OK;
    reads = writes = 0;
    clock_gettime(CLOCK_MONOTONIC, &from);
    done = done && run_steps(context, mean, x, width, height, steps, after) == QP_OK;
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (!done)
        printf("%d steps of %d x %d cells: %s\n", steps, width, height, qp_error());
    qp_array_destroy(&x);
    return done ? (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)
                : -1.0;
}

/* The fastest of many short runs, which other work on the machine has not met. */
static void tell_time(struct qp_context *context, const struct qp_kernel *mean)
{
    enum { STEPS = 16, RUNS = 100 };
    double least = 0.0;
    for (int k = 0; k < RUNS; k++) {
        const double seconds = run(context, mean, MOST, MOST, STEPS);
        least = k == 0 || seconds < least ? seconds : least;
    }
    printf("%d x %d cells: %.3f ms a step\n", MOST, MOST, 1e3 * least / STEPS);
}

static bool is_right(struct qp_context *context)
{
    static const int sizes[][3] = {{7, 5, 5}, {7, 5, 4}, {1, 9, 1}, {8, 8, 0}};
    struct qp_kernel *mean = NULL;
    bool right = qp_kernel_create(context, &mean_kernel, &mean) == QP_OK;
    if (!right)
        printf("%s\n", qp_error());
    for (int k = 0; k < 4 && right; k++) {
        const int width = sizes[k][0], height = sizes[k][1], steps = sizes[k][2];
        right = run(context, mean, width, height, steps) >= 0.0 &&
                cells_are_right(width, height, steps);
        if (right)
            printf("%d steps of %d x %d cells: right; readings back: %d, writings: %d\n", steps,
                   width, height, reads, writes);
        right = right && reads <= 1 && writes == 0;
    }
    if (reads > 1 || writes > 0)
        printf("the last state is read once; all others can stay where they are\n");
    if (getenv("TIME") != NULL)
        tell_time(context, mean);
    qp_kernel_destroy(&mean);
    return right;
}

int main(void)
{
    return judge_with_context(is_right);
}
