/* SPDX-License-Identifier: MIT */
#include "support/poisson.h"

#include <math.h>

#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/base/values.h"

static double at(const struct qp_matrix *u, int x, int y)
{
    const bool inside = x >= 0 && x < u->width && y >= 0 && y < u->height;
    return inside ? qp_matrix_value(u, (size_t)y * (size_t)u->width + (size_t)x) : 0.0;
}

double poisson_residual(const struct qp_problem *problem, const struct qp_matrix *u)
{
    double residuals = 0.0, sides = 0.0;
    for (int y = 0; y < u->height; y++) {
        for (int x = 0; x < u->width; x++) {
            const double around =
                at(u, x - 1, y) + at(u, x + 1, y) + at(u, x, y - 1) + at(u, x, y + 1);
            const double side = qp_poisson5_rhs(problem, x, y);
            const double residual = side - (4.0 * at(u, x, y) - around);
            residuals += residual * residual;
            sides += side * side;
        }
    }
    return sqrt(residuals / sides);
}

bool poisson_hear(void *user, int step, double residual)
{
    struct heard *heard = user;
    (void)step;
    heard->residual = residual;
    heard->calls++;
    return residual > heard->enough;
}
