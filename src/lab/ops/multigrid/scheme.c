/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/scheme.h"

#include "lab/ops/multigrid/hierarchy.h"

/* 1.7 of 2, at which Jacobi would diverge: eigenvalues of D^-1 A above r / 2 shrink to less than
 * 0.7, those near r to 0.7. */
const struct qp_multigrid_smoother qp_multigrid_jacobi = {
    .name = "jacobi", .steps = 2, .weight = {1.7, 1.7}};

/* Chebyshev's weights of degree n for eigenvalues from r / 6 to r: r times
 * 1 / (7/12 + 5/12 cos((2 k + 1) pi / (2 n))). Below r / 6 the coarser grid is good. */
const struct qp_multigrid_smoother qp_multigrid_chebyshev2 = {
    .name = "chebyshev2", .steps = 2, .weight = {1.1390025515, 3.4637371745}};
const struct qp_multigrid_smoother qp_multigrid_chebyshev3 = {
    .name = "chebyshev3", .steps = 3, .weight = {1.0591231660, 1.7142857143, 4.4945958422}};

const struct qp_multigrid_smoother qp_multigrid_colours = {
    .name = "colours", .steps = 2, .colours = true};

const struct qp_multigrid_scheme qp_multigrid_schemes[QP_MULTIGRID_SCHEMES] = {
    [QP_MULTIGRID_REFERENCE] = {&qp_multigrid_chebyshev3, QP_MULTIGRID_V, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_CHEBYSHEV3] = {&qp_multigrid_chebyshev3, QP_MULTIGRID_V, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_CHEBYSHEV2] = {&qp_multigrid_chebyshev2, QP_MULTIGRID_V, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_JACOBI] = {&qp_multigrid_jacobi, QP_MULTIGRID_V, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_COLOURS] = {&qp_multigrid_colours, QP_MULTIGRID_V, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_W_CYCLE] = {&qp_multigrid_chebyshev3, QP_MULTIGRID_W, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_FULL_CYCLE] = {&qp_multigrid_chebyshev3, QP_MULTIGRID_FULL, QP_MULTIGRID_BOTTOM},
    [QP_MULTIGRID_REFINED] = {&qp_multigrid_chebyshev3, QP_MULTIGRID_V, QP_MULTIGRID_BOTTOM, true},
    [QP_MULTIGRID_FRAGMENTS] = {&qp_multigrid_chebyshev3, QP_MULTIGRID_V, 16 * 16},
    [QP_MULTIGRID_FRAGMENTS_FULL] = {&qp_multigrid_jacobi, QP_MULTIGRID_FULL, 16 * 16},
};

double qp_multigrid_work(const struct qp_multigrid_scheme *scheme)
{
    const double grid = 2.0 * scheme->smoother->steps + 1.0;
    switch (scheme->cycle) {
    case QP_MULTIGRID_W: /* 1 + 2/4 + 4/16 + ... */
        return 2.0 * grid;
    case QP_MULTIGRID_FULL: /* a V cycle on each grid, and a residual in front of it */
        return 16.0 / 9.0 * grid + 4.0 / 3.0;
    default: /* 1 + 1/4 + 1/16 + ... */
        return 4.0 / 3.0 * grid;
    }
}
