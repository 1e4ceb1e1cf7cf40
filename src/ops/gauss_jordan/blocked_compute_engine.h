/* SPDX-License-Identifier: MIT */
/* Private parts of the engine of blocked eliminations in compute shaders, shared by its two files: the
 * surfaces (blocked_compute_surfaces.c) and the dispatches (blocked_compute_engine.c). */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_COMPUTE_ENGINE_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_COMPUTE_ENGINE_H

#include "gl/render_texture.h"
#include "gl/step.h"
#include "ops/gauss_jordan/blocked_compute.h"

/* Steps that are dispatched; panels in as many forms. */
enum qp_compute_step {
    QP_COMPUTE_START,
    QP_COMPUTE_LOWER,
    QP_COMPUTE_PRODUCT,
    QP_COMPUTE_UPPER,
    QP_COMPUTE_IDENTITY,
    QP_COMPUTE_PANEL,
    QP_COMPUTE_STEPS = QP_COMPUTE_PANEL + QP_PANEL_FORMS
};

/* What shaders ask for: images, part of the matrix, numbers. */
enum qp_compute_name {
    QP_COMPUTE_A,
    QP_COMPUTE_SOURCE, /* the matrix as it came, or a panel */
    QP_COMPUTE_READ,   /* a panel */
    QP_COMPUTE_NEXT,   /* the other one */
    QP_COMPUTE_MOVES,
    QP_COMPUTE_ORIGIN,
    QP_COMPUTE_FIRST,
    QP_COMPUTE_END,
    QP_COMPUTE_K,
    QP_COMPUTE_N,
    QP_COMPUTE_IN_BLOCK,
    QP_COMPUTE_WIDTH,
    QP_COMPUTE_NEXT_END,
    QP_COMPUTE_BACK,
    QP_COMPUTE_NAMES
};

struct qp_plan_blocked_compute {
    struct qp_render_texture start,
        matrix; /* both in the plan's layout; the latter ends up with x */
    struct qp_render_texture panel[2], moves;
    struct qp_step step[QP_COMPUTE_STEPS];
    struct qp_step_value value[QP_COMPUTE_NAMES]; /* of the moment */
    int read; /* the panel that is read; the other one is written */
    bool done;
};

static inline struct qp_plan_blocked_compute *qp_compute_own(const struct qp_plan *plan)
{
    return plan->own;
}

/* Columns of a block at most, and the forms of panels: the recipe's, or those of software. */
const struct qp_blocked_compute *qp_compute_choice(const struct qp_plan *plan);

/* Number of the form for a panel of so many rows. */
int qp_compute_form(const struct qp_plan *plan, int rows);
int qp_compute_height(const struct qp_plan *plan, int form);

/* Rooms 3 and 7. */
enum qp_status qp_compute_upload(struct qp_plan *plan);
enum qp_status qp_compute_read(struct qp_plan *plan, bool target, void *texels);
void qp_compute_destroy(struct qp_plan *plan);

/* Fills everything not computed yet with NaN. */
void qp_compute_poison(const struct qp_plan_blocked_compute *own);

#endif
