/* SPDX-License-Identifier: MIT */
/* Rooms 3 and 7 of blocked elimination in compute shaders: its textures. */
#include <math.h>
#include <stdlib.h>

#include "ops/gauss_jordan/blocked_compute_engine.h"
#include "ops/gauss_jordan/gauss_jordan.h"

/* Texel rows of a panel's results: the log (rows exchanged and pivots), and the moves of rows. */
enum { MOVES = 4 };

/* Sizes for software rasterisers. GPUs have registers for 32 columns, and wide blocks are fewer dispatches;
 * software has no such registers, and takes long to compile unrolled loops. Its highest panel is as high as the
 * recipe's. */
static const struct qp_blocked_compute software = {
    8, {{64, 1, 8}, {256, 1, 8}, {1024, 1, 8}, {1024, 2, 8}, {1024, 4, 8}, {1024, 8, 4}}};

const struct qp_blocked_compute *qp_compute_choice(const struct qp_plan *plan)
{
    return qp_context_device(plan->context)->software ? &software : plan->variant->recipe->own;
}

int qp_compute_height(const struct qp_plan *plan, int form)
{
    return qp_compute_choice(plan)->form[form].group * qp_compute_choice(plan)->form[form].rows;
}

int qp_compute_form(const struct qp_plan *plan, int rows)
{
    int form = 0;
    while (qp_compute_height(plan, form) < rows)
        form++;
    return form;
}

enum qp_status qp_blocked_compute_takes(const struct qp_recipe *recipe, int rows)
{
    const struct qp_blocked_compute *choice = recipe->own;
    const struct qp_panel_form *last = &choice->form[QP_PANEL_FORMS - 1];
    if (rows <= last->group * last->rows)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "factors columns of at most %d rows in the registers of one group, and these "
                   "have %d; take gauss_jordan/blocked",
                   last->group * last->rows, rows);
}

/* ---- Room 3 ---- */

static enum qp_status make_array(struct qp_plan *plan, int width, int height, const float *texels,
                                 struct qp_render_texture *out)
{
    return qp_render_texture_create(plan->context, qp_gl_target(plan->target), QP_R32F, width,
                                    height, 0, texels, out);
}

void qp_compute_poison(const struct qp_plan_blocked_compute *own)
{
    for (int i = 0; i < 2; i++)
        qp_render_texture_fill(&own->panel[i], NAN);
    qp_render_texture_fill(&own->moves, NAN);
}

enum qp_status qp_compute_upload(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_blocked_compute *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of a blocked elimination");
    plan->own = own;
    plan->pingpong = QP_TWO_FBOS; /* start and matrix */
    if (own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status =
        make_array(plan, layout->storage_x, layout->storage_y, plan->texels, &own->start);
    if (status == QP_OK)
        status = make_array(plan, layout->storage_x, layout->storage_y, plan->empty, &own->matrix);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = make_array(plan, qp_gauss_jordan_unknowns(plan->problem),
                            qp_compute_choice(plan)->columns, NULL, &own->panel[i]);
    if (status == QP_OK)
        status =
            make_array(plan, qp_gauss_jordan_unknowns(plan->problem), MOVES, NULL, &own->moves);
    if (status == QP_OK)
        qp_compute_poison(own);
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "room 3, upload") : status;
}

/* ---- Room 7 ---- */

enum qp_status qp_compute_read(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_plan_blocked_compute *own = plan->own;
    enum qp_status status =
        qp_render_texture_read(target == own->done ? &own->start : &own->matrix, texels);
    if (status != QP_OK || !own->done || target)
        return status;
    const struct qp_surface log = {own->moves.framebuffer_id, GL_COLOR_ATTACHMENT0};
    return qp_gauss_jordan_read_exchanges(plan, &log, QP_R32F, 0,
                                          qp_gauss_jordan_unknowns(plan->problem));
}

void qp_compute_destroy(struct qp_plan *plan)
{
    struct qp_plan_blocked_compute *own = plan->own;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < 2; i++)
        qp_render_texture_destroy(&own->panel[i]);
    qp_render_texture_destroy(&own->start);
    qp_render_texture_destroy(&own->matrix);
    qp_render_texture_destroy(&own->moves);
    free(own);
    plan->own = NULL;
}
