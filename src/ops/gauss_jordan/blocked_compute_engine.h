/* SPDX-License-Identifier: MIT */
/* Inside of the engine of eliminations by blocks in compute shaders, what its two files share: the
 * surfaces (blocked_compute_surfaces.c) and what is dispatched (blocked_compute_engine.c). */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_COMPUTE_ENGINE_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_COMPUTE_ENGINE_H

#include "gl/pass.h"
#include "gl/render_texture.h"
#include "ops/gauss_jordan/blocked_compute.h"

/* What is dispatched; panels in as many forms. */
enum qp_compute_step {
    QP_COMPUTE_START,
    QP_COMPUTE_LOWER,
    QP_COMPUTE_PRODUCT,
    QP_COMPUTE_UPPER,
    QP_COMPUTE_IDENTITY,
    QP_COMPUTE_PANEL,
    QP_COMPUTE_STEPS = QP_COMPUTE_PANEL + QP_PANEL_FORMS
};

enum qp_compute_number {
    QP_COMPUTE_K,
    QP_COMPUTE_N,
    QP_COMPUTE_IN_BLOCK,
    QP_COMPUTE_WIDTH,
    QP_COMPUTE_NEXT_END,
    QP_COMPUTE_BACK,
    QP_COMPUTE_NUMBERS
};

enum { QP_COMPUTE_IMAGES = 5 };

struct qp_compute_program {
    struct qp_program *program;
    int origin, first, end, image[QP_COMPUTE_IMAGES], number[QP_COMPUTE_NUMBERS];
};

struct qp_plan_blocked_compute {
    struct qp_render_texture start,
        matrix; /* standing as the plan's layout says; x comes to be in the latter */
    struct qp_render_texture panel[2], moves;
    struct qp_compute_program program[QP_COMPUTE_STEPS];
    int number[QP_COMPUTE_NUMBERS];
    int read; /* the panel that is read; the other one is written */
    bool done;
};

int qp_compute_unknowns(const struct qp_plan *plan);

/* Columns of a block at most, and the forms of panels: the recipe's, or those of software. */
const struct qp_blocked_compute *qp_compute_choice(const struct qp_plan *plan);

/* The number of the form for a panel so high. */
int qp_compute_form(const struct qp_plan *plan, int rows);
int qp_compute_height(const struct qp_plan *plan, int form);

/* Rooms 3 and 7. */
enum qp_status qp_compute_upload(struct qp_plan *plan);
enum qp_status qp_compute_read(struct qp_plan *plan, bool target, void *texels);
void qp_compute_destroy(struct qp_plan *plan);

/* What was never computed is no number. */
void qp_compute_poison(const struct qp_plan_blocked_compute *own);

#endif
