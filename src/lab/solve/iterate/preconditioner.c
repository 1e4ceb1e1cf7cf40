/* SPDX-License-Identifier: MIT */
/* A cycle of multigrid as the preconditioner of conjugate gradients. The matrix of the system is
 * U A U, U the units, so M = U^-1 C U^-1, where C is a cycle of A from 0: in other units the
 * constant would no longer be what coarse grids hold. */
#include <stdlib.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/plan/problem.h"
#include "lab/solve/iterate/sparse.h"

struct qp_preconditioner {
    struct qp_multigrid_solver solver;
    struct qp_matrix from; /* on the grid */
    float *to;             /* likewise, in the solver's pitch, with zeros around it */
    long pitch;
    const double *units;
};

/* Makes the grids, and room for vectors. */
static enum qp_status make(const struct qp_problem *problem, struct qp_preconditioner *p)
{
    const struct qp_multigrid_scheme *scheme = &qp_multigrid_schemes[QP_MULTIGRID_CHEBYSHEV3];
    struct qp_multigrid multigrid = {0};
    enum qp_status status = qp_multigrid_make(problem->field, scheme->bottom, &multigrid);
    if (status == QP_OK)
        status =
            qp_multigrid_solver_make(&multigrid, QP_FLOATS, scheme, &problem->field[QP_MULTIGRID_B],
                                     qp_poisson5_thread_count(), &p->solver);
    qp_multigrid_free(&multigrid);
    if (status == QP_OK)
        status = qp_matrix_create(problem->width, problem->height, &p->from);
    if (status != QP_OK)
        return status;
    p->pitch = p->solver.grid->pitch;
    p->to = qp_alloc_zero((size_t)p->pitch * (size_t)(problem->height + 2), sizeof *p->to,
                          "a preconditioned vector");
    return p->to != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_preconditioner_make(const struct qp_market *matrix, int width, int height,
                                      const double *units, struct qp_preconditioner **out)
{
    struct qp_problem problem;
    enum qp_status status = qp_multigrid_from_market(matrix, width, height, &problem);
    if (status != QP_OK)
        return status;
    *out = qp_alloc_zero(1, sizeof **out, "a preconditioner");
    status = *out != NULL ? make(&problem, *out) : QP_NO_MEMORY;
    qp_problem_destroy(&problem);
    if (status != QP_OK)
        qp_preconditioner_destroy(out);
    else
        (*out)->units = units;
    return status;
}

void qp_preconditioner_destroy(struct qp_preconditioner **preconditioner)
{
    struct qp_preconditioner *p = *preconditioner;
    if (p == NULL)
        return;
    qp_multigrid_solver_free(&p->solver);
    qp_matrix_destroy(&p->from);
    free(p->to);
    free(p);
    *preconditioner = NULL;
}

void qp_preconditioner_apply(void *user, const float *from, float *to)
{
    struct qp_preconditioner *p = user;
    const size_t width = (size_t)p->from.width, height = (size_t)p->from.height;
    float *inside = p->to + p->pitch + QP_MULTIGRID_LINE;
    for (size_t i = 0; i < width * height; i++)
        p->from.values[i] = (float)(from[i] / p->units[i]);
    qp_multigrid_solver_set(&p->solver, &p->from);
    qp_multigrid_solver_cycle(&p->solver, NULL, inside, p->pitch);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            to[y * width + x] = (float)(inside[y * (size_t)p->pitch + x] / p->units[y * width + x]);
}
