/* SPDX-License-Identifier: MIT */
/* Nine-band weighted Jacobi: its fields. */
#ifndef QP_OPS_JACOBI9_JACOBI9_H
#define QP_OPS_JACOBI9_JACOBI9_H

#include "ops/jacobi9/bidomain.h"
#include "plan/op.h"

/* Stored fields 0 to 8 are the bands (enum qp_band), named as in paper 1: the first letter is the
 * row of the stencil (Lower, Diagonal, Upper), the second the place in it (Left or Lower, Diagonal,
 * Upper). */
enum qp_jacobi9_field {
    QP_B = QP_BANDS, /* right-hand side */
    QP_X,            /* start */
    QP_STORED,

    QP_INVERSE_DD = QP_STORED, /* 1 / DD */
    QP_PRE_LL,                 /* LL / DD, and so on to UU: in the order of enum qp_band */
    QP_PRE_UU = QP_PRE_LL + (QP_UU - QP_LL),
    QP_PRE_B,  /* B / DD */
    QP_CHANGE, /* DD / (w ||b||); times a step's change it is the residual before the step */
    QP_ALL_FIELDS
};

/* Offset from cell i to the cell that a band multiplies: x[i + dx + dy * width]. */
int qp_band_dx(int band);
int qp_band_dy(int band);

/* True if entry (i, j) of the system's matrix is entry (j, i). */
bool qp_jacobi9_is_symmetric(const struct qp_problem *system);

extern const struct qp_op qp_op_jacobi9;
extern struct qp_lent_sweep qp_lent_jacobi9_blas;

#endif
