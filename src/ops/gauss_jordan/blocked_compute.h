/* SPDX-License-Identifier: MIT */
/* Elimination in compute shaders, a block of columns at a time: LU factors with partial pivoting,
 * then back substitution. Block by block
 *
 *     panel      one group factors the block's columns, rows in its registers, and finds their
 *                pivots; it writes U, and which rows change places
 *     lower      rows are exchanged in what is right of the block, and the pivots' rows become
 *                those of U by substitution with L
 *     product    a := a - L U on what is left of the matrix; the next block's columns go to the
 *                other panel
 *
 * and from the last block to the first
 *
 *     upper      its unknowns, for all right-hand sides
 *     product    what they take from the right-hand sides above
 *
 * In the end the identity stands left of x. The matrix stands in one texture, one value a texel,
 * and is eliminated in place: a compute shader may read and write the same image, and a barrier
 * stands between any two of them. A panel's columns lie on their sides, so that neighbouring
 * invocations, which have neighbouring rows, read neighbouring texels. */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_COMPUTE_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_COMPUTE_H

#include "plan/plan.h"

/* Form of a panel's factorisation by one work group: invocations, rows in the registers of each, and columns. */
struct qp_panel_form {
    int group, rows, columns;
};

enum { QP_PANEL_FORMS = 6 };

/* Sizes chosen by measurement: columns of a block at most, and the forms, for the lowest panels
 * first; the first that is high enough is taken. */
struct qp_blocked_compute {
    int columns;
    struct qp_panel_form form[QP_PANEL_FORMS];
};

/* Errors: QP_UNSUPPORTED for more rows than the last of the forms holds. */
enum qp_status qp_blocked_compute_takes(const struct qp_recipe *recipe, int rows);

extern const struct qp_engine qp_engine_blocked_compute;

#endif
