/* SPDX-License-Identifier: MIT */
/* Rooms 2, 3 and 7 of an elimination by blocks in compute shaders: what is read and written. */
#include <math.h>
#include <stdlib.h>

#include "gl/framebuffer.h"
#include "gl/readback.h"
#include "ops/blocked_compute_gl.h"
#include "ops/gauss_jordan.h"
#include "ops/problem.h"

/* Texel rows of what a panel tells: the log, rows exchanged and pivots, and who goes where. */
enum { MOVES = 4, LOGGED = 2 };

int qp_compute_unknowns(const struct qp_plan *plan)
{
    return qp_gauss_jordan_unknowns(plan->problem);
}

/* GPUs have registers for 32 columns, and wide blocks are fewer dispatches. Software has neither,
 * and takes long to compile what is unrolled. */
static const struct qp_blocked_compute software = {
    8, {{64, 1, 8}, {256, 1, 8}, {1024, 1, 8}, {1024, 2, 8}, {1024, 4, 8}, {1024, 8, 4}}};

const struct qp_blocked_compute *qp_compute_choice(const struct qp_plan *plan)
{
    return qp_context_device(plan->context)->software ? &software
                                                      : plan->variant->recipe->blocked_compute;
}

int qp_compute_height(const struct qp_plan *plan, int form)
{
    return qp_compute_choice(plan)->form[form].group * qp_compute_choice(plan)->form[form].rows;
}

int qp_compute_form(const struct qp_plan *plan, int rows)
{
    int form = 0;
    while (form < QP_PANEL_FORMS && qp_compute_height(plan, form) < rows)
        form++;
    return form;
}

/* ---- Room 2 ---- */

enum qp_status qp_compute_arrange(struct qp_plan *plan)
{
    if (qp_compute_form(plan, qp_compute_unknowns(plan)) < QP_PANEL_FORMS)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "factors columns of at most %d rows in the registers of one group, and these "
                   "have %d; take gauss_jordan/blocked",
                   qp_compute_height(plan, QP_PANEL_FORMS - 1), qp_compute_unknowns(plan));
}

/* ---- Room 3 ---- */

static enum qp_status make_array(struct qp_plan *plan, int width, int height, const float *texels,
                                 struct qp_compute_array *out)
{
    const struct qp_texture *const textures[] = {&out->texture};
    enum qp_status status = qp_texture_create(plan->context, qp_gl_target(plan->target), QP_R32F,
                                              width, height, texels, &out->texture);
    return status == QP_OK ? qp_framebuffer_create(plan->context, textures, 1, &out->framebuffer_id)
                           : status;
}

void qp_compute_poison(const struct qp_plan_blocked_compute *own)
{
    for (int i = 0; i < 2; i++)
        qp_framebuffer_fill(own->panel[i].framebuffer_id, 1, NAN);
    qp_framebuffer_fill(own->moves.framebuffer_id, 1, NAN);
}

enum qp_status qp_compute_upload(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_blocked_compute *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of a blocked elimination");
    plan->blocked_compute = own;
    if (own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status =
        make_array(plan, layout->storage_x, layout->storage_y, plan->texels, &own->start);
    if (status == QP_OK)
        status = make_array(plan, layout->storage_x, layout->storage_y, plan->empty, &own->matrix);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = make_array(plan, qp_compute_unknowns(plan), qp_compute_choice(plan)->columns, NULL,
                            &own->panel[i]);
    if (status == QP_OK)
        status = make_array(plan, qp_compute_unknowns(plan), MOVES, NULL, &own->moves);
    if (status == QP_OK)
        qp_compute_poison(own);
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "room 3, upload") : status;
}

/* ---- Room 7 ---- */

/* The log, as other rows write theirs: pivots, and rows from row k on. */
static enum qp_status read_pivots(struct qp_plan *plan)
{
    const struct qp_surface surface = {plan->blocked_compute->moves.framebuffer_id,
                                       GL_COLOR_ATTACHMENT0};
    const int n = qp_compute_unknowns(plan);
    float *log = qp_alloc_floats((size_t)(LOGGED + 4) * (size_t)n, "the pivots");
    if (log == NULL)
        return QP_NO_MEMORY;
    float *texels = log + LOGGED * n;
    enum qp_status status = qp_readback(plan->context, surface, QP_R32F, 0, 0, n, LOGGED, log);
    for (int k = 0; k < n; k++) {
        texels[4 * k] = log[n + k];
        texels[4 * k + 2] = log[k] - (float)k;
    }
    if (status == QP_OK)
        status = qp_gauss_jordan_take_pivots(plan, texels, true);
    free(log);
    return status;
}

enum qp_status qp_compute_read(struct qp_plan *plan, bool target, float *texels)
{
    const struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const struct qp_compute_array *array = target == own->done ? &own->start : &own->matrix;
    const struct qp_surface surface = {array->framebuffer_id, GL_COLOR_ATTACHMENT0};
    enum qp_status status = qp_readback(plan->context, surface, QP_R32F, 0, 0, array->texture.width,
                                        array->texture.height, texels);
    return status == QP_OK && own->done && !target ? read_pivots(plan) : status;
}

static void destroy_array(const struct qp_plan *plan, struct qp_compute_array *array)
{
    qp_framebuffer_destroy(plan->context, &array->framebuffer_id);
    qp_texture_destroy(&array->texture);
}

void qp_compute_destroy(struct qp_plan *plan)
{
    struct qp_plan_blocked_compute *own = plan->blocked_compute;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < 2; i++)
        destroy_array(plan, &own->panel[i]);
    destroy_array(plan, &own->start);
    destroy_array(plan, &own->matrix);
    destroy_array(plan, &own->moves);
    free(own);
    plan->blocked_compute = NULL;
}
