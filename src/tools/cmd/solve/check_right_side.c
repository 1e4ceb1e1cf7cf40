/* SPDX-License-Identifier: MIT */
/* Right-hand sides of Poisson's equation on a grid, judged by sine transforms. The system's matrix
 * has the number of rows alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/baseline/baseline.h"
#include "lab/solve/poisson/poisson.h"
#include "toolkit/base/status.h"
#include "tools/cmd/solve/check_system.h"

/* Sets the condition. ||A||_1 = 8 at most; all entries of A^-1 are positive, and A is symmetric, so
 * ||A^-1||_1 is the largest component of A^-1 times ones. */
static enum qp_status find_condition(struct check_system *system)
{
    const size_t cells = (size_t)system->matrix.rows;
    double *ones = qp_alloc(cells, 2 * sizeof *ones, "ones and their solution");
    if (ones == NULL)
        return QP_NO_MEMORY;
    double *const u = ones + cells;
    for (size_t i = 0; i < cells; i++)
        ones[i] = 1.0;
    const enum qp_status status = baseline_poisson(system->width, system->height, ones, u);
    for (size_t i = 0; i < cells && status == QP_OK; i++)
        system->condition = fmax(system->condition, 8.0 * u[i]);
    free(ones);
    return status;
}

static enum qp_status make(const struct check_origin *origin, struct qp_problem *problem,
                           struct check_system *out)
{
    (void)origin;
    out->width = problem->width;
    out->height = problem->height;
    out->matrix.rows = out->matrix.columns = problem->width * problem->height;
    enum qp_status status = check_system_allocate(out, 1);
    if (status != QP_OK)
        return status;
    qp_poisson_rhs(problem, out->b);
    status = baseline_poisson(out->width, out->height, out->b, out->x);
    return status == QP_OK ? find_condition(out) : status;
}

/* Solves with f = b / h^2, h = 1 / (width + 1). */
static enum qp_status solve(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, const struct check_system *system,
                            double **x, char complaint[512])
{
    const size_t cells = (size_t)system->matrix.rows;
    const double inverse = system->width + 1.0;
    double *f = qp_alloc(cells, sizeof *f, "a right-hand side");
    struct qp_solution got;
    if (f == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < cells; i++)
        f[i] = inverse * inverse * system->b[i];
    const enum qp_status status = qp_solve_poisson(context,
                                                   &(struct qp_poisson_desc){
                                                       .width = system->width,
                                                       .height = system->height,
                                                       .rhs = f,
                                                       .variant = variant,
                                                       .refine = true,
                                                       .tolerance = system->residual,
                                                       .pingpong = options->pingpong,
                                                       .target = options->target,
                                                       .interrupt = &cmd_interrupted,
                                                   },
                                                   &got);
    free(f);
    *x = got.x;
    if (got.ending != QP_CONVERGED)
        snprintf(complaint, 512, "%s", got.sentence);
    return status;
}

const struct check_input check_right_side = {QP_RIGHT_SIDE, "the sine transform", make, solve};
