/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 of an elimination by blocks: the walk over them, forth and back. */
#include "lab/ops/gauss_jordan/blocked_engine.h"

#include <math.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"

static const struct qp_blocked_actions *actions(const struct qp_plan *plan)
{
    return qp_blocked_variant(plan)->actions;
}

const struct qp_panel_form *qp_blocked_forms(const struct qp_plan *plan)
{
    const struct qp_blocked *own = qp_blocked_variant(plan);
    return own->software != NULL && qp_context_device(plan->context)->software ? own->software
                                                                               : own->form;
}

static int height(const struct qp_panel_form *form)
{
    return form->group * form->rows;
}

int qp_blocked_form(const struct qp_plan *plan, int rows)
{
    int form = 0;
    while (height(&qp_blocked_forms(plan)[form]) < rows)
        form++;
    return form;
}

enum qp_status qp_blocked_takes(const struct qp_recipe *recipe, int rows)
{
    const struct qp_blocked *own = recipe->own;
    int most = 0;
    for (int i = 0; i < QP_PANEL_FORMS; i++)
        most = qp_most(most, height(&own->form[i]));
    if (rows <= most)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "factors columns of at most %d rows in the registers of one group, and these "
                   "have %d; take gauss_jordan/blocked",
                   most, rows);
}

/* ---- Stage 3 ---- */

/* Makes a texture in the plan's layout. */
static enum qp_status make_matrix(struct qp_plan *plan, const float *texels,
                                  struct qp_render_texture *out)
{
    const struct qp_layout *layout = &plan->layout;
    out->guard = QP_BLOCKED_GUARD;
    return qp_render_texture_create(plan->context, qp_gl_target(plan->target), layout->shape.format,
                                    layout->storage_x, layout->sheet_y,
                                    layout->sheets > 1 ? layout->sheets : 0, texels, out);
}

/* Fills everything not computed yet with NaN. */
static void poison(const struct qp_plan_blocked *own)
{
    for (int i = QP_BLOCKED_FILLED; i < QP_BLOCKED_TEXTURES; i++) {
        if (own->all[i].framebuffer_id != 0)
            qp_render_texture_fill(&own->all[i], NAN);
    }
}

static enum qp_status upload(struct qp_plan *plan)
{
    const int texel = plan->layout.neighbours; /* columns in it */
    struct qp_plan_blocked *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of a blocked elimination");
    plan->own = own;
    plan->pingpong =
        QP_TWO_FBOS; /* both arrays of a pair are more than a framebuffer object holds */
    if (own == NULL)
        return QP_NO_MEMORY;
    own->unknowns = texel * qp_groups_in(qp_gauss_jordan_unknowns(plan->problem), texel);
    own->sides = qp_groups_in(qp_gauss_jordan_sides(plan->problem), texel);
    own->width = own->unknowns / texel + own->sides;
    enum qp_status status = actions(plan)->make(plan);
    if (status == QP_OK)
        status = make_matrix(plan, plan->texels, &own->start);
    if (status == QP_OK)
        status = make_matrix(plan, plan->empty, &own->answer);
    if (status == QP_OK)
        poison(own);
    return qp_end_upload(plan, status);
}

/* ---- Stages 5 and 6 ---- */

/* Columns of the block that begins with column k. */
static int columns_at(const struct qp_plan *plan, int k)
{
    const int left = qp_blocked_own(plan)->unknowns - k;
    return left > 0 ? qp_least(left, qp_blocked_forms(plan)[qp_blocked_form(plan, left)].columns)
                    : 0;
}

static struct qp_column_block take_block(struct qp_plan *plan, int k, int columns)
{
    struct qp_plan_blocked *own = plan->own;
    const int end = qp_least(k + columns, own->unknowns);
    own->value[QP_BLOCKED_K].x = k;
    own->value[QP_BLOCKED_COLUMNS].x = (end - k) / plan->layout.neighbours;
    return (struct qp_column_block){k, end, end + columns_at(plan, end)};
}

/* First column of the next block; with `ends` of the next one of another form, or of the last. */
static int next_block(const struct qp_plan *plan, int k, int last, bool ends)
{
    const int n = qp_blocked_own(plan)->unknowns, next = k + columns_at(plan, k),
              form = qp_blocked_form(plan, n - k);
    if (!ends || next >= n)
        return next;
    return qp_most(next, form > 0 ? n - height(&qp_blocked_forms(plan)[form - 1]) : last);
}

/* Lists the passes of the block that begins with column k: forth, or back. */
static void list_forth(struct qp_plan *plan, int k, struct qp_passes *to)
{
    const struct qp_blocked_actions *act = actions(plan);
    const struct qp_column_block block = take_block(plan, k, columns_at(plan, k));
    qp_blocked_own(plan)->to = to;
    if (k == 0)
        act->begin(plan);
    act->panel(plan, block);
    act->lower(plan, block);
    act->product(plan, block);
}

static void list_back(struct qp_plan *plan, int k, struct qp_passes *to)
{
    const struct qp_blocked_actions *act = actions(plan);
    const struct qp_column_block block = take_block(plan, k, qp_blocked_columns(plan));
    qp_blocked_own(plan)->to = to;
    act->upper(plan, block);
    act->back(plan, block);
    if (k == 0)
        act->end(plan);
}

/* Runs the whole elimination; with `ends` a block of each form, the first one and the last, to
 * compile and warm up. */
static enum qp_status run(struct qp_plan *plan, bool ends)
{
    const int n = qp_blocked_own(plan)->unknowns, columns = qp_blocked_columns(plan),
              last = (n - 1) / columns * columns;
    enum qp_status status = QP_OK;
    for (int k = 0; k < n && status == QP_OK; k = next_block(plan, k, last, ends)) {
        const double left = (double)(n - k) / n; /* share of rows, columns and blocks to come */
        if (qp_watch_leaves(1.0 - left * left * left))
            return qp_watch_fail();
        status = qp_draw_listed(plan, list_forth, k);
    }
    for (int k = last; k >= 0 && status == QP_OK; k -= ends && last > 0 ? last : columns) {
        if (qp_watch_leaves(1.0))
            return qp_watch_fail();
        status = qp_draw_listed(plan, list_back, k);
    }
    return status;
}

static enum qp_status pass(struct qp_plan *plan)
{
    qp_blocked_own(plan)->done = false;
    return run(plan, false);
}

static void swap(struct qp_plan *plan)
{
    qp_blocked_own(plan)->done = true;
}

/* ---- Stage 4 ---- */

static enum qp_status run_ends(struct qp_plan *plan)
{
    return run(plan, true);
}

static void list_stay(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    qp_blocked_own(plan)->to = to;
    actions(plan)->stay(plan);
}

/* Some blocks, and then all is as it was, but for what no pass changes. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    enum qp_status status = qp_warm_up(plan, run_ends, qp_finish_gl);
    poison(own);
    if (status == QP_OK)
        status = qp_texture_upload(&own->answer.texture, plan->empty);
    if (status == QP_OK && actions(plan)->stay != NULL)
        status = qp_draw_listed(plan, list_stay, 0);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    enum qp_status status = QP_OK;
    for (int step = 0; step < actions(plan)->steps(plan) && status == QP_OK; step++) {
        char head[QP_BLOCKED_HEAD];
        struct qp_program_source source = {.target = qp_gl_target(plan->target)};
        actions(plan)->describe(plan, step, head, &source);
        status = qp_step_make(plan->context, &source, actions(plan)->names, &own->step[step]);
    }
    own->value[QP_BLOCKED_N].x = own->unknowns;
    return status == QP_OK ? warm_up(plan) : status;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    return actions(plan)->shader(plan, k);
}

static bool uses(const struct qp_variant *variant, const char *file)
{
    const struct qp_blocked *own = variant->recipe->own;
    return strncmp(file, own->actions->shaders, strlen(own->actions->shaders)) == 0;
}

/* ---- Stage 7 ---- */

static enum qp_status read_matrix(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_plan_blocked *own = plan->own;
    enum qp_status status =
        qp_render_texture_read(target == own->done ? &own->start : &own->answer, texels);
    if (status != QP_OK || !own->done || target)
        return status;
    const struct qp_surface log = {own->log.framebuffer_id, GL_COLOR_ATTACHMENT0};
    return qp_gauss_jordan_read_exchanges(plan, &log, plan->layout.shape.format,
                                          actions(plan)->log_row, own->unknowns);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < QP_BLOCKED_TEXTURES; i++)
        qp_render_texture_destroy(&own->all[i]);
}

const struct qp_engine qp_engine_blocked = {.upload = upload,
                                            .program = program,
                                            .pass = pass,
                                            .swap = swap,
                                            .finish = qp_finish_gl,
                                            .read = read_matrix,
                                            .destroy = destroy,
                                            .shader = shader,
                                            .uses = uses};
