/* SPDX-License-Identifier: MIT */
/* Matrices of meshes in the plane, as multigrid takes them. */
#ifndef QP_TESTS_MESHES_H
#define QP_TESTS_MESHES_H

#include "support/support.h"

/* Five bands of -div(c grad): c is 1, and `islands` in squares (0: everywhere 1); couplings across
 * are `across` times those up (0: the same). Without a rim all rows add up to 0. The diagonal is
 * `less` smaller. `heart`: nine bands of the bidomain model in place of all that. */
struct mesh {
    int width, height;
    bool rimless, heart;
    double islands, across, less;
};

/* The caller destroys it; there is room for an entry more. */
struct qp_market meshes_make(const struct mesh *mesh);

#endif
