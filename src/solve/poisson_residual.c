/* SPDX-License-Identifier: MIT */
/* Right-hand sides and residuals of Poisson's equation on the host, in double. */
#include <math.h>

#include "base/twofold.h"
#include "plan/problem.h"
#include "solve/poisson.h"
#include "solve/residual.h"

void qp_poisson_rhs(const struct qp_problem *problem, double *b)
{
    for (int y = 0; y < problem->height; y++) {
        for (int x = 0; x < problem->width; x++)
            b[(size_t)y * (size_t)problem->width + (size_t)x] = qp_poisson5_rhs(problem, x, y);
    }
}

/* Row y of residual = b - A x. All sums keep the errors of their roundings, and 4 x is exact; of b, h^2 f, the last
 * bit is uncertain. */
static void find_row(struct qp_iteration *s, int y)
{
    const int width = s->problem.width, height = s->problem.height;
    const size_t row = (size_t)y * (size_t)width;
    const double *x = s->out->x + row;
    for (int i = 0; i < width; i++) {
        const double term[] = {i > 0 ? x[i - 1] : 0.0, i < width - 1 ? x[i + 1] : 0.0,
                               y > 0 ? x[i - width] : 0.0, y < height - 1 ? x[i + width] : 0.0};
        const double b = s->b[row + (size_t)i];
        struct qp_twofold sum = qp_two_sum(b, -4.0 * x[i]);
        double low = sum.low;
        for (int k = 0; k < 4; k++) {
            sum = qp_two_sum(sum.high, term[k]);
            low += sum.low;
        }
        const double rest = sum.high + low;
        s->residual[row + (size_t)i] = rest;
        s->bound[row + (size_t)i] = fabs(rest) * (1.0 + 0x1p-51) + fabs(b) * 0x1p-52;
    }
}

void qp_poisson_measure(struct qp_iteration *s)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < s->problem.height; y++)
        find_row(s, y);
    s->out->residual = qp_residual_norm(s->bound, s->b, NULL, s->n);
}
