/* SPDX-License-Identifier: MIT */
/* Systems of any matrix, eliminated, and judged by LAPACK. */
#include <stdio.h>

#include "lab/baseline/baseline.h"
#include "toolkit/base/random.h"
#include "toolkit/base/status.h"
#include "toolkit/io/market.h"
#include "tools/cmd/solve/check_system.h"

/* Copies A out of a random [A | b]. */
static enum qp_status take_left(struct qp_problem *problem, struct qp_market *out)
{
    const struct qp_matrix *all = qp_problem_field(problem, "a");
    const size_t n = (size_t)all->height;
    *out = (struct qp_market){.rows = all->height,
                              .columns = all->height,
                              .count = n * n,
                              .dense = true,
                              .value = qp_alloc(n * n, sizeof *out->value, "a dense matrix")};
    for (size_t k = 0; k < n * n && out->value != NULL; k++)
        out->value[k] = all->values[k % n * (size_t)all->width + k / n];
    return out->value != NULL ? QP_OK : QP_NO_MEMORY;
}

/* Fills b with A times ones and A times a random x, so that ||b|| is about ||A|| ||x||: then a
 * residual of 1e-12 can be reached in double whatever the condition. */
static enum qp_status fill_sides(struct check_system *system)
{
    const size_t n = (size_t)system->matrix.rows;
    uint64_t state = 1;
    enum qp_status status = check_system_allocate(system, 2);
    if (status != QP_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        system->x[i] = qp_random(&state, -1.0, 1.0);
    qp_market_add_product(&system->matrix, 1.0, NULL, system->b);
    qp_market_add_product(&system->matrix, 1.0, system->x, system->b + n);
    return QP_OK;
}

static enum qp_status make(const struct check_origin *origin, struct qp_problem *problem,
                           struct check_system *out)
{
    enum qp_status status = origin->kind != NULL ? take_left(problem, &out->matrix)
                                                 : baseline_file(origin->name, &out->matrix);
    if (status == QP_OK)
        status = fill_sides(out);
    if (status == QP_OK)
        status = baseline_solve_dense(&out->matrix, out->b, out->sides, out->x, &out->condition);
    return status;
}

/* Complains also where only the host solved it. */
static enum qp_status solve(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, const struct check_system *system,
                            double **x, char complaint[512])
{
    const struct qp_dense_desc desc = {.variant = variant,
                                       .tolerance = system->residual,
                                       .refine = true,
                                       .pingpong = options->pingpong,
                                       .target = options->target,
                                       .interrupt = &cmd_interrupted};
    struct qp_dense_solution got;
    enum qp_status status =
        qp_solve_dense(context, &system->matrix, system->b, system->sides, &desc, &got);
    *x = got.x;
    got.x = NULL;
    if (got.ending != QP_CONVERGED || got.on_host)
        snprintf(complaint, 512, "%s", got.sentence);
    qp_dense_solution_destroy(&got);
    return status;
}

const struct check_input check_matrix = {QP_ANY_MATRIX, "LAPACK", make, solve};
