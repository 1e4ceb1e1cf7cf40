/* SPDX-License-Identifier: MIT */
/* Grids of a multigrid method, from the problem's own down to a few nodes, and the matrix of each:
 * nine bands in double, P' A P of the grid above it (Galerkin). */
#ifndef QP_OPS_MULTIGRID_HIERARCHY_H
#define QP_OPS_MULTIGRID_HIERARCHY_H

#include <stdbool.h>

#include <quadpass/matrix.h>

#include "lab/ops/jacobi9/bidomain.h"
#include "lab/ops/multigrid/scheme.h"
#include "toolkit/base/status.h"

enum {
    QP_MULTIGRID_GRIDS = 32, /* each has at most two thirds of the nodes of the one before */
    QP_MULTIGRID_BOTTOM = 30 /* nodes of the coarsest grid at most */
};

/* Row sums below this part of their terms are rounding. */
#define QP_MULTIGRID_ROUNDING 0x1p-20

/* Nodes of a grid in one direction, and whether its matrix holds x = 0 beyond the first and beyond
 * the last of them, as a rim that was left out of the system does. */
struct qp_multigrid_line {
    int nodes;
    bool low, high;
};

/* Interpolation in one direction: a fine node has weight[0] of the coarse node `at`, and weight[1]
 * of the one after it; either need not exist where its weight is 0. */
struct qp_multigrid_share {
    int at;
    double weight[2];
};

struct qp_multigrid_grid {
    int width, height;
    struct qp_multigrid_line across, up; /* these nodes */
    /* Row y of the matrix: band k of node x is row[y][k * width + x], k as in enum qp_jacobi9_band,
     * and 0 where the neighbour is missing. Equal rows one after the other are stored once. */
    double **row;
    double radius; /* bound of the eigenvalues of D^-1 A: the largest row sum of |D^-1 A| */
};

struct qp_multigrid {
    int grids;
    struct qp_multigrid_grid grid[QP_MULTIGRID_GRIDS]; /* the finest first */
    bool singular;   /* all row sums are 0: the constant is the null space */
    double *inverse; /* inverse of the coarsest matrix, n x n; pseudoinverse where it is singular */
};

/* Nodes of the next coarser grid in one direction: every other one, the first and the last among
 * them, counted with the rim where there is one. Of an even number the last but one is left out, so
 * the last coarse element is three wide; a shorter one beside it would be a sliver, whose errors no
 * smoother of points reduces. Of two nodes one is left, which stands for both. */
struct qp_multigrid_line qp_multigrid_coarse(struct qp_multigrid_line line);
struct qp_multigrid_share qp_multigrid_share_of(struct qp_multigrid_line line, int fine);

/* Grids of a matrix of nine bands in float or double, symmetric and positive definite or with the
 * constant as its null space, whose entries that point out of the grid are 0. The coarsest grid has
 * `bottom` nodes at most. Errors: QP_BAD_INPUT for a diagonal that is not positive or a coarsest
 * matrix that is singular, QP_NO_MEMORY; then *out is all zero. Free it. */
enum qp_status qp_multigrid_make(const struct qp_matrix band[QP_JACOBI9_BANDS], int bottom,
                                 struct qp_multigrid *out);
void qp_multigrid_free(struct qp_multigrid *multigrid);

/* ---- The reference (cycle.c): plain C in double, no faster than it need be ---- */

/* y = A x on a grid. */
void qp_multigrid_apply(const struct qp_multigrid_grid *grid, const double *x, double *y);

/* coarse = P' fine from one grid to the next; fine += P coarse back. */
void qp_multigrid_restrict(const struct qp_multigrid_grid *from, const double *fine,
                           const struct qp_multigrid_grid *to, double *coarse);
void qp_multigrid_prolong(const struct qp_multigrid_grid *from, const double *coarse,
                          const struct qp_multigrid_grid *to, double *fine);

/* x = M b: a cycle from x = 0 on the finest grid. M is symmetric, but in the full cycle, and where
 * the matrix is singular b's mean is taken out first. Errors: QP_NO_MEMORY. */
enum qp_status qp_multigrid_cycle(const struct qp_multigrid *multigrid,
                                  const struct qp_multigrid_scheme *scheme, const double *b,
                                  double *x);

#endif
