/* SPDX-License-Identifier: MIT */
/* demos/cg.c against plain C, and with LONG=1 how fast both are. */
#include "support/support.h"

#include <math.h>
#include <time.h>

#include "support/cg.h"
#include "support/shell.h"

int cg_main(int argc, char **argv);
#define main cg_main
#include "../../demos/cg.c"
#undef main

/* A right-hand side in the demo's layout; the caller frees it, and the answer's place after it. */
static float *make_problem(int n, int *width)
{
    *width = (n + 3) / 4 * 4;
    const size_t values = (size_t)n * (size_t)*width;
    float *b = calloc(2 * values, sizeof *b);
    assert_non_null(b);
    srand(7);
    for (int i = 0; i < n * *width; i++)
        b[i] = i % *width < n ? (float)rand() / (float)RAND_MAX - 0.5f : 0.0f;
    if (n == 1)
        b[0] = 1.0f; /* no residual is left of it */
    return b;
}

static double largest(const float *values, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs((double)values[i]));
    return most;
}

/* Both compute in float and add up in other orders; the largest difference met was a millionth of
 * the largest value, in the same number of steps. A step more or less moves an answer far from the
 * tolerance's end by tenths. */
static void compare(struct qp_context *gpu, int n, double tolerance)
{
    int width, steps = 0, expected_steps = 0;
    float *b = make_problem(n, &width), *expected = calloc((size_t)n * (size_t)width, sizeof *b);
    const int values = n * width;
    float *x = b + values;
    assert_non_null(expected);
    assert_true(support_cg(n, b, tolerance, expected, &expected_steps));
    if (solve(gpu, n, b, tolerance, x, &steps))
        fail_msg("%s", qp_error());
    const double scale = largest(expected, values);
    for (int i = 0; i < values; i++)
        b[i] = x[i] - expected[i];
    if (abs(steps - expected_steps) > expected_steps / 100 || !(largest(b, values) <= 1e-5 * scale))
        fail_msg("n %d to %g: %d steps and not %d, or answers of up to %g that differ by %g", n,
                 tolerance, steps, expected_steps, scale, largest(b, values));
    free(expected);
    free(b);
}

CLEAN_TEST(agrees_with_c)
{
    static const int sizes[] = {1, 2, 3, 5, 16, 30, 63, 130};
    static const double tolerances[] = {0.5, 0.05, 1e-6};
    struct qp_context *gpu = support_need_context(state);
    for (int i = 0; i < COUNT(sizes); i++) {
        for (int k = 0; k < COUNT(tolerances); k++)
            compare(gpu, sizes[i], tolerances[k]);
    }
}

/* The residual by which both are compared: that of the reference's own answer, computed in
 * double. */
TEST(the_reference_solves)
{
    enum { N = 30 };
    int width, steps;
    float *b = make_problem(N, &width), *x = b + N * width;
    double worst = 0.0;
    assert_int_equal(width, 32);
    assert_true(support_cg(N, b, 1e-6, x, &steps));
    for (int i = 0; i < N * width; i++) {
        const int column = i % width, row = i / width;
        const double left = column > 0 ? x[i - 1] : 0.0, right = column < N - 1 ? x[i + 1] : 0.0;
        const double below = row > 0 ? x[i - width] : 0.0, above = row < N - 1 ? x[i + width] : 0.0;
        if (column < N)
            worst = fmax(worst, fabs(b[i] - (4.0 * x[i] - left - right - below - above)));
    }
    assert_true(worst < 1e-5);
    free(b);
}

TEST(runs)
{
    support_need_context(state);
    assert_int_equal(shell(QP_BUILD_DIR "/demos/cg 30"), 0);
    assert_int_equal(count("30 x 30: "), 1);
    expect(QP_BUILD_DIR "/demos/cg 0", 2, "usage");
    expect(QP_BUILD_DIR "/demos/cg 30 0", 2, "usage");
    expect(NO_GL QP_BUILD_DIR "/demos/cg", 1, "device");
}

/* ---- Speed ---- */

enum { REPEATS = 5 };

static double seconds(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

struct times {
    double c[REPEATS], device[REPEATS], ratio[REPEATS];
    int c_steps, steps;
};

/* Whole solves in turn, after one of each that does not count. */
static void measure(struct qp_context *gpu, int n, int repeats, struct times *out)
{
    int width;
    float *b = make_problem(n, &width), *x = b + n * width;
    for (int i = -1; i < repeats; i++) {
        const int k = i < 0 ? 0 : i;
        const double begin = seconds();
        assert_true(support_cg(n, b, 1e-6, x, &out->c_steps));
        const double middle = seconds();
        assert_false(solve(gpu, n, b, 1e-6, x, &out->steps));
        out->c[k] = middle - begin;
        out->device[k] = seconds() - middle;
        out->ratio[k] = out->c[k] / out->device[k];
        print_message("OpenMP C %.3f s, cg %.3f s%s\n", out->c[k], out->device[k],
                      i < 0 ? " (not counted)" : "");
    }
    qsort(out->c, (size_t)repeats, sizeof *out->c, by_value);
    qsort(out->device, (size_t)repeats, sizeof *out->device, by_value);
    qsort(out->ratio, (size_t)repeats, sizeof *out->ratio, by_value);
    free(b);
}

CLEAN_TEST(speed)
{
    struct qp_context *gpu = support_need_context(state);
    const char *side = getenv("SIDE"); /* side of a measured grid */
    const int n = side != NULL           ? atoi(side)
                  : support_takes_long() ? 255
                                         : 31,
              repeats = support_takes_long() ? REPEATS : 1;
    struct times times;
    measure(gpu, n, repeats, &times);
    print_message("%d x %d, %d and %d steps on %s\n", n, n, times.c_steps, times.steps,
                  qp_context_device(gpu)->renderer);
    print_message(
        "medians: OpenMP C %.3f s, cg %.3f s, ratio %.3f; least: %.3f s, %.3f s, ratio %.3f\n",
        times.c[repeats / 2], times.device[repeats / 2], times.ratio[repeats / 2], times.c[0],
        times.device[0], times.c[0] / times.device[0]);
    assert_true(abs(times.steps - times.c_steps) <= times.c_steps / 50);
}

GROUP(support_open_context, support_close_context)
