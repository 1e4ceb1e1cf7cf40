/* SPDX-License-Identifier: MIT */
/* Room 4 of many small systems: programs, with the places of their uniforms. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_PROGRAM_H
#define QP_OPS_GAUSS_JORDAN_BATCH_PROGRAM_H

#include "gl/pass.h"
#include "plan/plan.h"

/* Values found in a column: the pivot's row, the pivot, the first column without one. Where a texel belongs to
 * one system, all three stand in it, else in textures of their own. */
enum { QP_BATCH_FOUND = 3 };

struct qp_batch_program {
    struct qp_program *program; /* the context's */
    int a, found[QP_BATCH_FOUND], origin, corner, place, size, count, k;
    int target[QP_TARGETS]; /* the sheets that a dispatch writes */
};

/* The program of a draw or of a dispatch, whose group it may choose; `lists` puts the lists of a system's
 * rows and columns in front of it. Errors: those of qp_program_make. */
enum qp_status qp_batch_program_find(struct qp_plan *plan, const struct qp_draw *recipe, bool lists,
                                     struct qp_batch_program *out);

#endif
