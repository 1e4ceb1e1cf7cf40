/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/cuda/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/plan/problem.h"

/* Copies bytes of the host into memory of their own. */
static enum qp_status send(struct qp_cuda *cuda, const void *from, size_t bytes, const char *what,
                           void **out)
{
    const enum qp_status status = qp_cuda_allocate(cuda, bytes, what, out);
    return status == QP_OK ? qp_cuda_upload(cuda, *out, from, bytes) : status;
}

/* The copy's address of what the host has at `of`. */
static void *there(void *copy, const void *host, const void *of)
{
    return (char *)copy + ((const char *)of - (const char *)host);
}

/* ---- A grid ---- */

/* Weights up, as the solver has those across: two of each node, four of each coarse node. */
static void take_weights(const struct qp_multigrid_vectors *from, enum qp_precision precision,
                         void *weight, int *at)
{
    const size_t nodes = (size_t)from->height;
    for (size_t y = 0; y < nodes; y++) {
        const struct qp_multigrid_share share = qp_multigrid_share_of(from->up, (int)y);
        at[y] = share.at;
        for (size_t side = 0; side < 2; side++) {
            const int k = share.at + (int)side, j = (int)y - (2 * k + from->up.low - 1);
            qp_set_value(weight, precision, side * nodes + y, share.weight[side]);
            if (share.weight[side] != 0.0)
                qp_set_value(weight, precision, (size_t)(2 + j) * nodes + (size_t)k,
                             share.weight[side]);
        }
    }
}

/* Numbers: of each row its row of the matrix, where each node interpolates up and across; and the
 * weights up. */
static enum qp_status send_numbers(struct qp_cuda *cuda, const struct qp_multigrid_vectors *from,
                                   enum qp_precision precision, struct qp_multigrid_cuda_grid *to)
{
    const size_t height = (size_t)from->height, width = (size_t)from->width;
    const size_t weights =
        QP_MULTIGRID_CUDA_WEIGHTS * height * qp_value_bytes(precision); /* multiple of 8 */
    const size_t bytes = weights + (2 * height + width) * sizeof(int);
    char *host = qp_alloc_zero(bytes, 1, "a grid's numbers");
    if (host == NULL)
        return QP_NO_MEMORY;
    int *row = (int *)(host + weights), *up = row + height, *across = up + height;
    take_weights(from, precision, host, up);
    for (size_t y = 1; y < height; y++)
        row[y] = row[y - 1] + (from->row[y] != from->row[y - 1]);
    memcpy(across, from->at, width * sizeof *across);
    const enum qp_status status = send(cuda, host, bytes, "a grid's numbers", &to->block[2]);
    to->row = there(to->block[2], host, row);
    to->up = (struct qp_multigrid_cuda_line){from->height, from->up.low, from->height,
                                             there(to->block[2], host, up), to->block[2]};
    to->across.at = there(to->block[2], host, across);
    free(host);
    return status;
}

static enum qp_status send_grid(struct qp_cuda *cuda, const struct qp_multigrid_vectors *from,
                                enum qp_precision precision, struct qp_multigrid_cuda_grid *to)
{
    *to = (struct qp_multigrid_cuda_grid){.pitch = (int)from->pitch, .radius = from->radius};
    enum qp_status status = send_numbers(cuda, from, precision, to);
    if (status == QP_OK)
        status = send(cuda, from->vectors, from->vectors_bytes, "a grid's vectors", &to->block[0]);
    if (status == QP_OK)
        status = send(cuda, from->rows, from->rows_bytes, "a grid's matrix", &to->block[1]);
    if (status != QP_OK)
        return status;
    to->rows = to->block[1];
    to->across = (struct qp_multigrid_cuda_line){from->width, from->across.low, (int)from->pitch,
                                                 to->across.at,
                                                 there(to->block[0], from->vectors, from->low)};
    to->b = there(to->block[0], from->vectors, from->b);
    to->smooth = there(to->block[0], from->vectors, from->smooth);
    to->residual = there(to->block[0], from->vectors, from->residual);
    if (from->x != NULL)
        to->x = there(to->block[0], from->vectors, from->x);
    return QP_OK;
}

/* ---- Refined schemes in double ---- */

static enum qp_status send_finest(struct qp_cuda *cuda, const struct qp_multigrid_solver *from,
                                  struct qp_multigrid_cuda *to)
{
    const struct qp_multigrid_grid *grid = from->fine.grid;
    const size_t width = (size_t)grid->width, height = (size_t)grid->height;
    const size_t bytes = QP_JACOBI9_BANDS * width * sizeof(double);
    size_t rows = 1, row = 0;
    for (size_t y = 1; y < height; y++)
        rows += grid->row[y] != grid->row[y - 1];
    enum qp_status status = send(cuda, from->right, width * height * sizeof(double),
                                 "a right-hand side", (void **)&to->right);
    if (status == QP_OK)
        status = qp_cuda_allocate(cuda, rows * bytes, "a matrix in double", (void **)&to->fine);
    for (size_t y = 0; y < height && status == QP_OK; y++) {
        if (y == 0 || grid->row[y] != grid->row[y - 1])
            status = qp_cuda_upload(cuda, (char *)to->fine + row++ * bytes, grid->row[y], bytes);
    }
    return status;
}

/* ---- All grids ---- */

static enum qp_status send_all(struct qp_cuda *cuda, const struct qp_multigrid_solver *from,
                               struct qp_multigrid_cuda *to)
{
    const struct qp_multigrid_vectors *bottom = &from->grid[from->grids - 1];
    const size_t nodes = (size_t)bottom->width * (size_t)bottom->height;
    enum qp_status status = QP_OK;
    to->grids = from->grids;
    for (int k = 0; k < to->grids && status == QP_OK; k++)
        status = send_grid(cuda, &from->grid[k], from->precision, &to->grid[k]);
    if (status == QP_OK)
        status = send(cuda, to->grid, sizeof to->grid, "a list of grids", (void **)&to->table);
    if (status == QP_OK)
        status = send(cuda, from->inverse, nodes * nodes * sizeof *from->inverse, "an inverse",
                      (void **)&to->inverse);
    return status == QP_OK && to->refined ? send_finest(cuda, from, to) : status;
}

enum qp_status qp_multigrid_cuda_make(struct qp_cuda *cuda, const struct qp_problem *problem,
                                      const void *own, bool doubles, struct qp_multigrid_cuda *out)
{
    const struct qp_multigrid_scheme *scheme =
        &qp_multigrid_schemes[((const struct qp_multigrid_variant *)own)->scheme];
    const struct qp_multigrid_smoother *smoother = scheme->smoother;
    struct qp_multigrid multigrid = {0};
    struct qp_multigrid_solver solver = {0};
    *out = (struct qp_multigrid_cuda){.steps = smoother->steps,
                                      .full = scheme->cycle == QP_MULTIGRID_FULL,
                                      .refined = scheme->refined};
    memcpy(out->weight, smoother->weight, sizeof out->weight);
    enum qp_status status = qp_multigrid_make(problem->field, scheme->bottom, &multigrid);
    if (status == QP_OK)
        status = qp_multigrid_solver_make(&multigrid, doubles ? QP_DOUBLES : QP_FLOATS, scheme,
                                          &problem->field[QP_MULTIGRID_B],
                                          qp_poisson5_thread_count(), &solver);
    out->scale = solver.scale;
    if (status == QP_OK)
        status = send_all(cuda, &solver, out);
    qp_multigrid_solver_free(&solver);
    qp_multigrid_free(&multigrid);
    return status;
}

void qp_multigrid_cuda_free(struct qp_cuda *cuda, struct qp_multigrid_cuda *grids)
{
    for (int k = 0; k < 3 * QP_MULTIGRID_CUDA_GRIDS; k++)
        qp_cuda_free(cuda, grids->grid[k / 3].block[k % 3]);
    qp_cuda_free(cuda, grids->table);
    qp_cuda_free(cuda, grids->inverse);
    qp_cuda_free(cuda, grids->fine);
    qp_cuda_free(cuda, grids->right);
    *grids = (struct qp_multigrid_cuda){0};
}
