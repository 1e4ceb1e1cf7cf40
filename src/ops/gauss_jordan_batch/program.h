/* SPDX-License-Identifier: MIT */
/* Room 4 of many small systems: steps, and what they ask for. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_PROGRAM_H
#define QP_OPS_GAUSS_JORDAN_BATCH_PROGRAM_H

#include "gl/step.h"
#include "plan/plan.h"

/* Values found in a column: the pivot's row, the pivot, the first column without one. Where a texel
 * belongs to one system, all three are in it, else in textures of their own. */
enum { QP_BATCH_FOUND = 3 };

enum qp_batch_name {
    QP_BATCH_A,
    QP_BATCH_FIRST_FOUND,
    QP_BATCH_TARGET = QP_BATCH_FIRST_FOUND + QP_BATCH_FOUND, /* the sheets that a dispatch writes */
    QP_BATCH_ORIGIN,
    QP_BATCH_CORNER,
    QP_BATCH_PLACE,
    QP_BATCH_SIZE,
    QP_BATCH_COUNT,
    QP_BATCH_K,
    QP_BATCH_NAMES
};

/* The step of a draw or of a dispatch, whose group it may choose; `lists` puts the lists of a
 * system's rows and columns in front of it. Errors: those of qp_program_make. */
enum qp_status qp_batch_step_make(struct qp_plan *plan, const struct qp_draw *recipe, bool lists,
                                  struct qp_step *out);

#endif
