/* SPDX-License-Identifier: MIT */
/* Schemes of multigrid as data: how errors are smoothed on a grid, and the order of the grids. */
#ifndef QP_OPS_MULTIGRID_SCHEME_H
#define QP_OPS_MULTIGRID_SCHEME_H

#include <stdbool.h>

enum { QP_MULTIGRID_STEPS = 3 };

/* Steps before and after the correction by the next coarser grid. A step is x + w D^-1 (b - A x)
 * with w = weight[k] / r, r the grid's radius, so weights hold for any matrix; or a Gauss-Seidel
 * step of weight 1 in four colours, those of nodes whose column and row are even or odd, which with
 * nine bands need no node of their own colour. Steps after the correction go through the colours
 * backwards, so that a cycle remains symmetric. */
struct qp_multigrid_smoother {
    const char *name;
    int steps;
    bool colours;
    double weight[QP_MULTIGRID_STEPS];
};

enum qp_multigrid_cycle {
    QP_MULTIGRID_V,   /* each coarser grid once */
    QP_MULTIGRID_W,   /* twice */
    QP_MULTIGRID_FULL /* from the coarsest grid upwards, on each a V cycle from its interpolation */
};

struct qp_multigrid_scheme {
    const struct qp_multigrid_smoother *smoother;
    enum qp_multigrid_cycle cycle;
    int bottom; /* nodes of the coarsest grid at most */
    /* x and its residual are in double, the cycle in float: a step begins with the residual, and
     * ends with the addition of the cycle's answer. */
    bool refined;
};

extern const struct qp_multigrid_smoother qp_multigrid_jacobi, qp_multigrid_chebyshev2,
    qp_multigrid_chebyshev3, qp_multigrid_colours;

/* Schemes of all variants, which name theirs by its number. */
enum {
    QP_MULTIGRID_REFERENCE,
    QP_MULTIGRID_CHEBYSHEV3,
    QP_MULTIGRID_CHEBYSHEV2,
    QP_MULTIGRID_JACOBI,
    QP_MULTIGRID_COLOURS,
    QP_MULTIGRID_W_CYCLE,
    QP_MULTIGRID_FULL_CYCLE,
    QP_MULTIGRID_REFINED,
    QP_MULTIGRID_FRAGMENTS,      /* an inverse from 16 x 16 nodes down, for passes are dear */
    QP_MULTIGRID_FRAGMENTS_FULL, /* likewise */
    QP_MULTIGRID_SCHEMES
};
extern const struct qp_multigrid_scheme qp_multigrid_schemes[QP_MULTIGRID_SCHEMES];

/* Sweeps of one cycle over its grids in units of one sweep over the finest, where each grid has a
 * quarter of the nodes of the one before: smoothing steps, residuals and corrections. */
double qp_multigrid_work(const struct qp_multigrid_scheme *scheme);

#endif
