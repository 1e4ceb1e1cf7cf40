/* SPDX-License-Identifier: MIT */
/* Witness, the judge of the reference: the cycle of cpu/cycle.c in double, which gathers where the
 * reference scatters, smooths x where that smooths a correction, and takes all steps on a grid in
 * one sweep. Grids, weights and the inverse of the coarsest grid are common to both; tests make
 * those in other ways. */
#include <stdlib.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"

/* A step by room for two vectors, in which each row has a 0 before it, which is also the one after
 * the row below. */
static void take_cycle(struct qp_multigrid_solver *solver, const double *old, double *room,
                       double *new)
{
    const size_t width = (size_t)solver->grid->width, height = (size_t)solver->grid->height;
    double *x = room + 1, *out = x + (width + 1) * height + 1, mean = 0.0;
    for (size_t y = 0; y < height; y++)
        memcpy(x + y * (width + 1), old + y * width, width * sizeof *x);
    qp_multigrid_solver_cycle(solver, x, out, (long)width + 1);
    for (size_t i = 0; i < width * height && solver->singular && solver->grids == 1; i++)
        mean += old[i] / (double)(width * height); /* a constant, which the inverse leaves out */
    for (size_t i = 0; i < width * height; i++)
        new[i] = out[i / width * (width + 1) + i % width] + mean;
}

void qp_multigrid_witness(const struct qp_problem *problem, const double *old, double *new,
                          double *scale)
{
    const struct qp_multigrid_scheme *scheme = &qp_multigrid_schemes[QP_MULTIGRID_REFERENCE];
    struct qp_multigrid multigrid = {0};
    struct qp_multigrid_solver solver = {0};
    const size_t cells = qp_problem_cells(problem) + (size_t)problem->height + 1;
    double *room = qp_alloc_zero(cells, 2 * sizeof *room, "a witness's vectors");
    enum qp_status status = room != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_multigrid_make(problem->field, scheme->bottom, &multigrid);
    if (status == QP_OK)
        status = qp_multigrid_solver_make(&multigrid, QP_DOUBLES, scheme,
                                          &problem->field[QP_MULTIGRID_B], 1, &solver);
    if (status == QP_OK)
        take_cycle(&solver, old, room, new);
    else
        *scale = -1.0;
    qp_multigrid_solver_free(&solver);
    qp_multigrid_free(&multigrid);
    free(room);
}
