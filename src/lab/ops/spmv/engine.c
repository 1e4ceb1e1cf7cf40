/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 for rows in parts: a first pass writes the sums of parts into a texture of their
 * own, a draw for each length of a part, and a second one adds them row by row. */
#include <math.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "lab/ops/spmv/spmv.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/framebuffer.h"

struct qp_plan_spmv {
    struct qp_plan_gl gl;       /* first */
    struct qp_spmv_parts parts; /* parts of fragments */
    struct qp_texture sums;     /* sums of parts */
    GLuint framebuffer_id;      /* framebuffer object of the sums */
};

/* ---- Stage 3 ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    struct qp_plan_spmv *own = qp_alloc_zero(1, sizeof *own, "a plan's OpenGL side");
    plan->own = own;
    enum qp_status status =
        own != NULL ? qp_spmv_parts_make(plan->problem->sparse, &own->parts) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_engine_gl.upload(plan);
    if (status != QP_OK)
        return status;
    const struct qp_texture *sums = &own->sums;
    const int lines = qp_groups_in(own->parts.count, QP_SPMV_ACROSS);
    status = qp_texture_create(plan->context, qp_gl_target(plan->target), QP_R32F, QP_SPMV_ACROSS,
                               qp_most(lines, 1), NULL, &own->sums);
    return status == QP_OK ? qp_framebuffer_create(plan->context, &sums, 1, &own->framebuffer_id)
                           : status;
}

/* ---- Stage 5 ---- */

/* Names of a draw: those of all rows, the sums, and a number. */
static void list_names(const struct qp_plan *plan, int draw, double count,
                       struct qp_draw_names *out)
{
    const struct qp_plan_spmv *own = plan->own;
    const struct qp_draw *recipe = &plan->variant->recipe->draw[draw];
    qp_draw_names_list(plan, &own->gl.pair, own->gl.input, recipe, out);
    qp_draw_names_add(out, (struct qp_uniform){.name = "parts", .type = QP_SAMPLER},
                      (struct qp_step_value){.texture = &own->sums});
    qp_draw_names_add(out, (struct qp_uniform){.name = "count", .type = QP_FLOAT},
                      (struct qp_step_value){.x = count});
}

static void add(struct qp_plan *plan, int draw, double count, struct qp_gl_pass pass,
                struct qp_passes *to)
{
    struct qp_plan_spmv *own = plan->own;
    struct qp_draw_names names;
    list_names(plan, draw, count, &names);
    pass.step = &own->gl.step[draw];
    pass.values = names.value;
    qp_passes_add(to, &pass);
}

/* Draws the places of a class: lines of the sums, and parts of lines. */
static void add_class(struct qp_plan *plan, const struct qp_length_class *class,
                      struct qp_passes *to)
{
    const struct qp_plan_spmv *own = plan->own;
    const int across = QP_SPMV_ACROSS, end = class->begin + class->rows;
    int begin = class->begin;
    struct qp_gl_pass pass = {.surface = {own->framebuffer_id, GL_COLOR_ATTACHMENT0},
                              .width = own->sums.width,
                              .height = own->sums.height};
    while (begin < end) {
        const int x = begin % across, y = begin / across,
                  lines = x == 0 ? qp_most((end - begin) / across, 1) : 1,
                  right = qp_least(x + end - begin, across);
        pass.geometry = qp_quad((float)x, (float)y, (float)right, (float)(y + lines));
        add(plan, 0, (double)class->length, pass, to);
        begin += lines > 1 ? lines * across : right - x;
    }
}

static void list_product(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    struct qp_plan_spmv *own = plan->own;
    const struct qp_layout *layout = &plan->layout;
    const struct qp_by_length *order = &own->parts.order;
    for (int c = 0; c < order->classes; c++)
        add_class(plan, &order->group[c], to);
    add(plan, 1, 0.0,
        (struct qp_gl_pass){.surface = qp_passes_target(to, &own->gl.pair),
                            .x = layout->origin_x,
                            .y = layout->origin_y,
                            .width = layout->domain_x,
                            .height = layout->domain_y,
                            .geometry = qp_cover_geometry(plan, QP_COVER_ALL)},
        to);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_product, 0);
}

/* ---- Stage 4 ---- */

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_spmv *own = plan->own;
    enum qp_status status = QP_OK;
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        const struct qp_draw *draw = &plan->variant->recipe->draw[i];
        const struct qp_program_source source = {.fragment = {.name = draw->fragment},
                                                 .target = qp_gl_target(plan->target)};
        struct qp_draw_names names;
        list_names(plan, i, 0.0, &names);
        status = qp_step_make(plan->context, &source, names.name, &own->gl.step[i]);
    }
    if (status == QP_OK)
        status = qp_plan_gl_warm_up(plan, pass);
    if (status == QP_OK)
        qp_framebuffer_fill(own->framebuffer_id, 1, NAN);
    return status;
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_spmv *own = plan->own;
    if (own != NULL && qp_context_enter(plan->context) == QP_OK) {
        qp_spmv_parts_destroy(&own->parts);
        qp_framebuffer_destroy(plan->context, &own->framebuffer_id);
        qp_texture_destroy(&own->sums);
    }
    qp_plan_gl_destroy(plan);
}

const struct qp_engine qp_engine_spmv = {.upload = upload,
                                         .program = program,
                                         .pass = pass,
                                         .swap = qp_plan_gl_swap,
                                         .finish = qp_finish_gl,
                                         .change = qp_plan_gl_change,
                                         .read = qp_plan_gl_read,
                                         .destroy = destroy};
