/* SPDX-License-Identifier: MIT */
/* Judge of chaotic variants: one answer of many is right if it lies between two bounds. */
#include <math.h>

#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/base/bands.h"

bool qp_poisson5_is_chaotic(enum qp_poisson5_order order)
{
    return order == QP_POISSON5_CHAOTIC || order == QP_POISSON5_ASYNC_BLOCKS ||
           order == QP_POISSON5_ASYNC_COLUMNS;
}

/* Multiple c of the mode that bounds the solution from above where f >= 0: the step takes c mode to
 * c radius mode + h^2 f / 4, which is not above c mode in any cell. On `sine` it is the solution
 * itself. */
static double bound_rows(void *user, size_t first, size_t end)
{
    const struct qp_problem *problem = user;
    const double loss = 1.0 - qp_poisson5_radius(problem);
    double most = 0.0;
    for (int y = (int)first; y < (int)end; y++) {
        for (int x = 0; x < problem->width; x++) {
            const double rhs = qp_poisson5_rhs(problem, x, y);
            if (rhs > 0.0)
                most = fmax(most, 0.25 * rhs / (loss * qp_poisson5_mode(problem, x, y)));
        }
    }
    return most;
}

struct bounds {
    const struct qp_problem *problem;
    double above;
};

static double judge_cell(const void *user, size_t i, double got, double *nearest)
{
    const struct bounds *bounds = user;
    const struct qp_problem *problem = bounds->problem;
    const int x = (int)(i % (size_t)problem->width), y = (int)(i / (size_t)problem->width);
    const double most = bounds->above * qp_poisson5_mode(problem, x, y);
    *nearest = fmin(fmax(got, problem->reference[i]), most);
    return isfinite(got) ? fabs(got - *nearest) / problem->reference_scale : INFINITY;
}

/* Judge of chaotic variants. From a start of 0 and with f >= 0, iterates grow in every cell towards
 * the solution, and a step that updates every cell once takes at least what Jacobi's takes, since a
 * neighbour's new value is the larger one (Chazan and Miranker, 1969, in the terms of a positive
 * matrix). So the answer lies between Jacobi's and the solution. The error is how far it lies
 * outside. Asynchronous variants likewise: values that come into a block while it is computed are
 * not below those that were around it before. Since iterates grow, a lower bound of one is a lower
 * bound of all later ones. Benchmarks start these variants from zeros, too: around a random start
 * bounds of this kind are as wide as the values themselves, for near the rim the least multiple of
 * the mode above 1 is some width^2. */
static bool measure(const struct qp_problem *problem, const struct qp_matrix *answer,
                    struct qp_comparison *worst)
{
    if (!qp_poisson5_is_chaotic(problem->order))
        return false;
    const struct bounds bounds = {problem, qp_bands((size_t)problem->height, (size_t)problem->width,
                                                    bound_rows, (void *)problem)};
    *worst = qp_compare_by(answer, judge_cell, &bounds);
    return true;
}

static int order(const struct qp_recipe *recipe)
{
    return qp_poisson5_variant(recipe)->order;
}

static bool races(const struct qp_recipe *recipe)
{
    return qp_poisson5_is_chaotic(qp_poisson5_variant(recipe)->order);
}

const struct qp_judge qp_poisson5_judge = {.measure = measure,
                                           .measured =
                                               "distance from between Jacobi and the solution",
                                           .order = order,
                                           .races = races};
