/* SPDX-License-Identifier: MIT */
/* The judge of Poisson's equation, itself judged by the equation and by what is known of sines. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/base/random.h"

static const struct {
    int width, height;
} sizes[] = {{1, 1}, {2, 1}, {3, 5}, {31, 64}, {127, 127}, {200, 7}};

static void judge(int width, int height, const double *b, double *u)
{
    const enum qp_status status = baseline_poisson(width, height, b, u);
    if (status == QP_UNSUPPORTED)
        support_skip("fftw");
    assert_ok(status);
}

static double value_at(int width, int height, const double *u, int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height ? u[y * width + x] : 0.0;
}

/* For any right-hand side every equation holds, up to rounding. */
TEST(solutions_solve)
{
    uint64_t seed = 5;
    for (int k = 0; k < COUNT(sizes); k++) {
        const int width = sizes[k].width, height = sizes[k].height;
        double *b = malloc((size_t)(width * height) * sizeof *b);
        double *u = malloc((size_t)(width * height) * sizeof *u), largest = 0.0;
        for (int i = 0; i < width * height; i++)
            b[i] = qp_random(&seed, -1.0, 1.0);
        judge(width, height, b, u);
        for (int i = 0; i < width * height; i++)
            largest = fmax(largest, fabs(u[i]));
        for (int i = 0; i < width * height; i++) {
            const int x = i % width, y = i / width;
            const double left = value_at(width, height, u, x - 1, y);
            const double right = value_at(width, height, u, x + 1, y);
            const double below = value_at(width, height, u, x, y - 1);
            const double above = value_at(width, height, u, x, y + 1);
            assert_true(fabs(4.0 * u[i] - left - right - below - above - b[i]) <
                        1e-14 * (largest + 1.0));
        }
        free(b);
        free(u);
    }
}

/* The product of sines is an eigenvector: u = h^2 f / (4 (1 - rho)). */
TEST(sine_is_known)
{
    for (int k = 0; k < COUNT(sizes); k++) {
        struct qp_problem problem;
        assert_ok(qp_problem_create(&(struct qp_problem_desc){.op = "poisson5",
                                                              .kind = "sine",
                                                              .width = sizes[k].width,
                                                              .height = sizes[k].height},
                                    &problem));
        const int cells = problem.width * problem.height;
        const double least = 4.0 * (1.0 - qp_poisson5_radius(&problem));
        double *b = malloc((size_t)cells * sizeof *b), *u = malloc((size_t)cells * sizeof *u);
        for (int i = 0; i < cells; i++)
            b[i] = qp_poisson5_rhs(&problem, i % problem.width, i / problem.width);
        judge(problem.width, problem.height, b, u);
        for (int i = 0; i < cells; i++)
            assert_true(fabs(u[i] - b[i] / least) < 1e-12 * b[cells / 2] / least);
        free(b);
        free(u);
        qp_problem_destroy(&problem);
    }
}
