/* SPDX-License-Identifier: MIT */
/* The heart model that gives jacobi9's first problem, assembled in double. */
#ifndef QP_OPS_JACOBI9_BIDOMAIN_H
#define QP_OPS_JACOBI9_BIDOMAIN_H

#include "toolkit/base/status.h"

/* Band order everywhere: the diagonal first, then the eight neighbours in memory order.
 * First letter: row above in memory (L, y-1), own row (D), row below (U, y+1); second letter:
 * column x-1 (L), x (D), x+1 (U). So QP_JACOBI9_LU of cell i holds a(i, i - width + 1). */
enum qp_jacobi9_band {
    QP_JACOBI9_DD,
    QP_JACOBI9_LL,
    QP_JACOBI9_LD,
    QP_JACOBI9_LU,
    QP_JACOBI9_DL,
    QP_JACOBI9_DU,
    QP_JACOBI9_UL,
    QP_JACOBI9_UD,
    QP_JACOBI9_UU,
    QP_JACOBI9_BANDS
};

/* Fills band[0..8] and `right_hand_side`, each width * height doubles owned by the caller, with the
 * elliptic equation of the bidomain model on a grid of width x height nodes. Cell i = y*width + x.
 * The matrix (S/m, per metre of thickness) is symmetric and positive definite; the unknown is the
 * extracellular potential in mV, so the right-hand side is in mA/m. Row y = 0 is grounded: its
 * diagonal is that of an inner node, its other bands and its right-hand side are 0, and so are its
 * neighbours' bands that point at it; a single row has only its first node grounded. Bands that
 * point out of the grid are 0. Every size from 1 x 1 works and every value is written.
 * Errors: QP_BAD_USE for a size below 1 or a missing array. Source and derivation: bidomain.c. */
enum qp_status qp_bidomain_assemble(int width, int height, double *const band[QP_JACOBI9_BANDS],
                                    double *right_hand_side);

#endif
