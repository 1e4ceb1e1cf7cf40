/* SPDX-License-Identifier: MIT */
/* Elimination by blocks of columns on OpenGL: LU factors with partial pivoting, then back
 * substitution. Block by block
 *
 *     panel      the block's columns are factored apart, and their pivots found
 *     lower      the pivots' rows, exchanged, become those of U
 *     product    a := a - L U on what is left of the matrix
 *
 * and from the last block to the first
 *
 *     upper      its unknowns, for all right-hand sides
 *     back       what they take from the right-hand sides of the rows above
 *
 * Nothing leaves the device before the end. One engine (blocked_engine.c) walks over the blocks,
 * and draws (blocked.c) or dispatches (blocked_compute.c) these five actions as the variant
 * says. */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_H

#include "lab/plan/plan.h"

/* Form of a panel's factorisation by one work group: invocations, rows in the registers of each,
 * and columns, of fragments a multiple of four, and the layers: a block begins with the first. */
struct qp_panel_form {
    int group, rows, columns;
};

enum { QP_PANEL_FORMS = 6, QP_ANY_ROWS = 0x7fffffff /* rows for fragments, which hold none */ };

struct qp_blocked_actions;
extern const struct qp_blocked_actions qp_blocked_drawn, qp_blocked_dispatched;

/* The engine's part of a variant: sizes chosen by measurement
 * (docs/measurements/gauss-jordan-speed.md). Forms are for the lowest panels first, whose blocks
 * are the widest, and the first that is high enough is taken. One vertex that looks at all rows
 * leaves the rest of a GPU idle; on software that search costs next to nothing and more passes cost
 * much. */
struct qp_blocked {
    const struct qp_blocked_actions *actions;
    struct qp_panel_form form[QP_PANEL_FORMS];
    const struct qp_panel_form *software; /* as many, for software; NULL: the same */
    int many;  /* rows left from which fragments on GPUs list candidates for pivots */
    int group; /* rows of a group, a multiple of four: each candidate is the best of one group */
};

/* Errors: QP_UNSUPPORTED for more rows than the last of the forms holds. */
enum qp_status qp_blocked_takes(const struct qp_recipe *recipe, int rows);

extern const struct qp_engine qp_engine_blocked;

#endif
