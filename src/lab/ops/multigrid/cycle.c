/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"

static int nodes_of(const struct qp_multigrid_grid *grid)
{
    return grid->width * grid->height;
}

/* ---- A matrix ---- */

/* Adds band k of A x to row `line` of y, in columns `first`, first + apart and so on. */
static void add_band(const struct qp_multigrid_grid *grid, int k, int line, int first, int apart,
                     const double *x, double *y)
{
    const int width = grid->width, dx = qp_band_dx(k), from = line + qp_band_dy(k);
    const double *band = grid->row[line] + k * width;
    if (from < 0 || from >= grid->height)
        return;
    for (int i = first + (first + dx < 0 ? apart : 0); i < width && i + dx < width; i += apart)
        y[line * width + i] += band[i] * x[from * width + i + dx];
}

void qp_multigrid_apply(const struct qp_multigrid_grid *grid, const double *x, double *y)
{
    memset(y, 0, (size_t)nodes_of(grid) * sizeof *y);
    for (int line = 0; line < grid->height; line++) {
        for (int k = 0; k < QP_JACOBI9_BANDS; k++)
            add_band(grid, k, line, 0, 1, x, y);
    }
}

/* ---- Between grids ---- */

/* The coarse node that has part k, 0 to 3, of a fine one's weight; *weight is 0 where none has. */
static int parent(const struct qp_multigrid_grid *fine, int i, const struct qp_multigrid_grid *to,
                  int k, double *weight)
{
    const struct qp_multigrid_share across = qp_multigrid_share_of(fine->across, i % fine->width);
    const struct qp_multigrid_share up = qp_multigrid_share_of(fine->up, i / fine->width);
    *weight = across.weight[k % 2] * up.weight[k / 2];
    return *weight != 0.0 ? (up.at + k / 2) * to->width + across.at + k % 2 : 0;
}

void qp_multigrid_restrict(const struct qp_multigrid_grid *from, const double *fine,
                           const struct qp_multigrid_grid *to, double *coarse)
{
    memset(coarse, 0, (size_t)nodes_of(to) * sizeof *coarse);
    for (int i = 0; i < 4 * nodes_of(from); i++) {
        double weight;
        const int at = parent(from, i / 4, to, i % 4, &weight);
        coarse[at] += weight * fine[i / 4];
    }
}

void qp_multigrid_prolong(const struct qp_multigrid_grid *from, const double *coarse,
                          const struct qp_multigrid_grid *to, double *fine)
{
    for (int i = 0; i < 4 * nodes_of(to); i++) {
        double weight;
        const int at = parent(to, i / 4, from, i % 4, &weight);
        fine[i / 4] += weight * coarse[at];
    }
}

/* ---- Smoothers ---- */

/* A Gauss-Seidel step of one colour: nodes of even or odd columns and rows. */
static void relax_colour(const struct qp_multigrid_grid *grid, const double *b, double *x,
                         double *scratch, int colour)
{
    for (int line = colour / 2; line < grid->height; line += 2) {
        double *row = x + line * grid->width, *sum = scratch + line * grid->width;
        memset(sum, 0, (size_t)grid->width * sizeof *sum);
        for (int k = 0; k < QP_JACOBI9_BANDS; k++)
            add_band(grid, k, line, colour % 2, 2, x, scratch);
        for (int i = colour % 2; i < grid->width; i += 2)
            row[i] += (b[line * grid->width + i] - sum[i]) /
                      grid->row[line][QP_JACOBI9_DD * grid->width + i];
    }
}

static void smooth(const struct qp_multigrid_grid *grid,
                   const struct qp_multigrid_smoother *smoother, const double *b, double *x,
                   double *scratch, bool after)
{
    for (int k = 0; k < smoother->steps; k++) {
        for (int c = 0; c < 4 && smoother->colours; c++)
            relax_colour(grid, b, x, scratch, after ? 3 - c : c);
        if (smoother->colours)
            continue;
        qp_multigrid_apply(grid, x, scratch);
        for (int i = 0; i < nodes_of(grid); i++)
            x[i] += smoother->weight[k] / grid->radius * (b[i] - scratch[i]) /
                    grid->row[i / grid->width][QP_JACOBI9_DD * grid->width + i % grid->width];
    }
}

/* ---- Cycles ---- */

struct cycle {
    const struct qp_multigrid *multigrid;
    const struct qp_multigrid_smoother *smoother;
    int visits; /* number of a cycle's on the next coarser grid */
};

static void solve_bottom(const struct qp_multigrid *multigrid, const double *b, double *x)
{
    const int n = nodes_of(&multigrid->grid[multigrid->grids - 1]);
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
        for (int j = 0; j < n; j++)
            x[i] += multigrid->inverse[i * n + j] * b[j];
    }
}

/* A cycle for A x = b on grid k from x, by vectors of its own: as many values as this grid and two
 * of the next coarser one have, then those of that. A full one, from x = 0, first interpolates the
 * coarser grid's answer to b. */
static void take(const struct cycle *cycle, int k, const double *b, double *x, double *room,
                 bool full)
{
    const struct qp_multigrid_grid *grid = &cycle->multigrid->grid[k];
    const int n = nodes_of(grid), coarse = nodes_of(grid + 1);
    double *r = room, *restricted = r + n, *e = restricted + coarse;
    if (k == cycle->multigrid->grids - 1) {
        solve_bottom(cycle->multigrid, b, x);
        return;
    }
    if (full) {
        qp_multigrid_restrict(grid, b, grid + 1, restricted);
        memset(e, 0, (size_t)coarse * sizeof *e);
        take(cycle, k + 1, restricted, e, e + coarse, true);
        qp_multigrid_prolong(grid + 1, e, grid, x);
    }
    smooth(grid, cycle->smoother, b, x, r, false);
    qp_multigrid_apply(grid, x, r);
    for (int i = 0; i < n; i++)
        r[i] = b[i] - r[i];
    qp_multigrid_restrict(grid, r, grid + 1, restricted);
    memset(e, 0, (size_t)coarse * sizeof *e);
    for (int visit = 0; visit < cycle->visits; visit++)
        take(cycle, k + 1, restricted, e, e + coarse, false);
    qp_multigrid_prolong(grid + 1, e, grid, x);
    smooth(grid, cycle->smoother, b, x, r, true);
}

enum qp_status qp_multigrid_cycle(const struct qp_multigrid *multigrid,
                                  const struct qp_multigrid_scheme *scheme, const double *b,
                                  double *x)
{
    const struct cycle cycle = {multigrid, scheme->smoother,
                                scheme->cycle == QP_MULTIGRID_W ? 2 : 1};
    size_t room = 0;
    for (int k = 0; k < multigrid->grids; k++)
        room += 3 * (size_t)nodes_of(&multigrid->grid[k]);
    double *values = qp_alloc(room, sizeof *values, "a cycle's vectors");
    if (values == NULL)
        return QP_NO_MEMORY;
    const int n = nodes_of(multigrid->grid);
    double mean = 0.0;
    for (int i = 0; i < n && multigrid->singular; i++)
        mean += b[i] / n;
    for (int i = 0; i < n; i++)
        values[i] = b[i] - mean;
    memset(x, 0, (size_t)n * sizeof *x);
    take(&cycle, 0, values, x, values + n, scheme->cycle == QP_MULTIGRID_FULL);
    free(values);
    return QP_OK;
}
