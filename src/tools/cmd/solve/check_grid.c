/* SPDX-License-Identifier: MIT */
/* Systems of nine bands on a grid, iterated, and judged by KLU. */
#include <stdio.h>

#include "lab/baseline/baseline.h"
#include "tools/cmd/solve/check_system.h"

static enum qp_status make(const struct check_origin *origin, struct qp_problem *problem,
                           struct check_system *out)
{
    const float *b = qp_problem_field(problem, "b")->values;
    out->width = problem->width;
    out->height = problem->height;
    enum qp_status status = origin->matrix != NULL ? origin->matrix(&out->matrix)
                                                   : baseline_matrix(problem, &out->matrix);
    if (status == QP_OK)
        status = check_system_allocate(out, 1);
    for (int i = 0; i < out->matrix.rows && status == QP_OK; i++)
        out->b[i] = b[i];
    return status == QP_OK ? baseline_solve(&out->matrix, out->b, out->x, &out->condition) : status;
}

static enum qp_status solve(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, const struct check_system *system,
                            double **x, char complaint[512])
{
    const struct qp_solve_desc desc = {.variant = variant,
                                       .tolerance = system->residual,
                                       .refine = true,
                                       .width = system->width,
                                       .height = system->height,
                                       .pingpong = options->pingpong,
                                       .target = options->target,
                                       .interrupt = &cmd_interrupted};
    struct qp_solution got;
    enum qp_status status = qp_solve(context, &system->matrix, system->b, NULL, &desc, &got);
    *x = got.x;
    if (got.ending != QP_CONVERGED)
        snprintf(complaint, 512, "%s", got.sentence);
    return status;
}

const struct check_input check_grid = {QP_NINE_BANDS, "elimination", make, solve};
