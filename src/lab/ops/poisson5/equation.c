/* SPDX-License-Identifier: MIT */
/* Poisson's equation in numbers: right-hand sides, the rectangle's measures, the eigenvector of
 * Jacobi's step. */
#include <math.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

static const double pi = 3.14159265358979323846;

const struct qp_poisson5_variant *qp_poisson5_variant(const struct qp_recipe *recipe)
{
    static const struct qp_poisson5_variant usual;
    return recipe->own != NULL ? recipe->own : &usual;
}

double qp_poisson5_h(const struct qp_problem *problem)
{
    return 1.0 / (qp_problem_whole(problem)->width + 1);
}

double qp_poisson5_radius(const struct qp_problem *problem)
{
    return 0.5 * (cos(pi / (problem->width + 1)) + cos(pi / (problem->height + 1)));
}

double qp_poisson5_mode(const struct qp_problem *problem, int x, int y)
{
    return sin(pi * (x + 1) / (problem->width + 1)) * sin(pi * (y + 1) / (problem->height + 1));
}

void qp_poisson5_spike(const struct qp_problem *problem, int *x, int *y)
{
    const struct qp_problem *whole = qp_problem_whole(problem);
    *x = whole->width / 2 + whole->mark_x - problem->window.x;
    *y = whole->height / 2 + whole->mark_y - problem->window.y;
}

/* h^2 f whose solution in continuous terms is the mode itself: f = (pi^2 + (pi / height)^2) u. */
static double rhs_of_sine(const struct qp_problem *problem, int x, int y)
{
    const double across = pi / (problem->width + 1), up = pi / (problem->height + 1);
    return (across * across + up * up) * qp_poisson5_mode(problem, x, y);
}

double qp_poisson5_rhs_of(const struct qp_problem *problem, int kind, int x, int y)
{
    const struct qp_problem *whole = qp_problem_whole(problem);
    int spike_x, spike_y;
    double h;
    switch (kind) {
    case QP_POISSON5_SPIKE:
        qp_poisson5_spike(problem, &spike_x, &spike_y);
        return x == spike_x && y == spike_y ? 1.0 : 0.0;
    case QP_POISSON5_SINE:
        return rhs_of_sine(whole, x + problem->window.x, y + problem->window.y);
    default:
        h = qp_poisson5_h(problem);
        return h * h *
               whole->field[QP_POISSON5_F].values[qp_problem_place(problem, (size_t)x, (size_t)y)];
    }
}

double qp_poisson5_rhs(const struct qp_problem *problem, int x, int y)
{
    return qp_poisson5_rhs_of(problem, qp_problem_kind(problem), x, y);
}
