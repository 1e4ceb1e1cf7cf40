/* SPDX-License-Identifier: MIT */
/* Uniforms of the shaders that qp_engine_poisson5 draws with. */
#ifndef QP_OPS_POISSON5_UNIFORMS_H
#define QP_OPS_POISSON5_UNIFORMS_H

#include "gl/step.h"
#include "ops/poisson5/poisson5.h"
#include "plan/plan.h"

enum {
    QP_POISSON5_AT_TARGET, /* of what computes */
    QP_POISSON5_AT_X,
    QP_POISSON5_AT_RHS,
    QP_POISSON5_AT_WEIGHT, /* of each step */
    QP_POISSON5_AT_ORIGIN,
    QP_POISSON5_AT_SIZE,
    QP_POISSON5_AT_CELLS,
    QP_POISSON5_AT_SPIKE,
    QP_POISSON5_AT_SHEET, /* rows of texels from one sheet of h^2 f to the next */
    QP_POISSON5_SAME_X,   /* a texel of padding, which a bound fetches alone */
    QP_POISSON5_SAME_Y,
    QP_POISSON5_FIRST, /* of an area, for what computes; its values are the engine's */
    QP_POISSON5_END,   /* likewise */
    QP_POISSON5_UNIFORMS
};

/* All names that a draw's shader may ask for, NULL after the last. */
void qp_poisson5_list_names(const struct qp_plan *plan, const struct qp_draw *draw,
                            struct qp_uniform out[QP_POISSON5_UNIFORMS + 1]);

/* Values of these names for the next pass; `weights` must live until it is drawn. */
void qp_poisson5_list_values(struct qp_plan *plan, const double weights[QP_POISSON5_FUSED],
                             struct qp_step_value out[QP_POISSON5_UNIFORMS]);

#endif
