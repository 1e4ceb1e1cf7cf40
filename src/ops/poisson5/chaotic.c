/* SPDX-License-Identifier: MIT */
/* Judge of chaotic rows: one answer of many is right if it lies between two bounds. */
#include <math.h>

#include "ops/poisson5/poisson5.h"
#include "plan/problem.h"

bool qp_poisson5_is_chaotic(enum qp_poisson5_order order)
{
    return order == QP_POISSON5_CHAOTIC || order == QP_POISSON5_ASYNC_BLOCKS ||
           order == QP_POISSON5_ASYNC_COLUMNS;
}

/* Multiple c of the mode that bounds the solution from above where f >= 0: the step takes c mode to
 * c radius mode + h^2 f / 4, which is not above c mode in any cell. On `sine` it is the solution itself. */
static double bound_above(const struct qp_problem *problem)
{
    const double loss = 1.0 - qp_poisson5_radius(problem);
    double most = 0.0;
    for (int y = 0; y < problem->height; y++) {
        for (int x = 0; x < problem->width; x++) {
            const double rhs = qp_poisson5_rhs(problem, x, y);
            if (rhs > 0.0)
                most = fmax(most, 0.25 * rhs / (loss * qp_poisson5_mode(problem, x, y)));
        }
    }
    return most;
}

/* Judge of chaotic rows. From a start of 0 and with f >= 0, iterates grow in every cell towards the solution,
 * and a step that updates every cell once takes at least what Jacobi's takes, since a neighbour's new value is the
 * larger one (Chazan and Miranker, 1969, in the terms of a positive matrix). So the answer lies between
 * Jacobi's and the solution. The error is how far it lies outside. Asynchronous rows likewise: what comes into
 * a block while it is computed is not below what stood around it before. */
static bool measure(const struct qp_problem *problem, const struct qp_matrix *answer,
                    struct qp_comparison *worst)
{
    if (!qp_poisson5_is_chaotic(problem->order))
        return false;
    const double above = bound_above(problem);
    double squares = 0.0;
    *worst = (struct qp_comparison){.error = -1.0, .finite = true};
    for (int y = 0; y < problem->height; y++) {
        for (int x = 0; x < problem->width; x++) {
            const size_t i = (size_t)y * (size_t)problem->width + (size_t)x;
            const double got = qp_matrix_value(answer, i), least = problem->reference[i];
            const double most = above * qp_poisson5_mode(problem, x, y);
            const double outside = fmax(fmax(least - got, got - most), 0.0);
            const double error = isfinite(got) ? outside / problem->reference_scale : INFINITY;
            squares += error * error;
            if (error > worst->error)
                *worst = (struct qp_comparison){
                    .error = error, .x = x, .y = y, .got = got, .finite = isfinite(error)};
        }
    }
    worst->rms = sqrt(squares / (double)qp_problem_cells(problem));
    return true;
}

static int order(const struct qp_recipe *recipe)
{
    return qp_poisson5_row(recipe)->order;
}

const struct qp_judge qp_poisson5_judge = {.measure = measure,
                                           .measured =
                                               "distance from between Jacobi and the solution",
                                           .order = order};
