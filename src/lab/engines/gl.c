/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 on OpenGL, for every recipe: arrays = textures, kernels = shaders, computing =
 * drawing, feedback = ping-pong. */
#include "lab/engines/gl.h"

#include <stdlib.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "toolkit/base/clock.h"
#include "toolkit/gl/groups.h"

static struct qp_plan_gl *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

struct qp_pingpong *qp_plan_gl_pair(struct qp_plan *plan)
{
    return &own_of(plan)->pair;
}

const struct qp_texture *qp_plan_gl_input(const struct qp_plan *plan, int input)
{
    return &own_of(plan)->input[input];
}

/* ---- Cover of a draw ---- */

/* Boundary column as a line. Paper 1's lines from (0, 0) to (0, h) and from (w-1, 0) to (w-1, h)
 * miss the texels they mean: at x = 0.5 and w - 0.5, and drawn beyond both ends, they hit every
 * texel. Where a driver's lines still leave texels out, a quad of one texel's width is drawn
 * instead. */
static struct qp_geometry boundary(const struct qp_plan *plan, float column, float height)
{
    if (qp_context_device(plan->context)->abilities & QP_CAN_BOUNDARY_LINES)
        return qp_line(column + 0.5f, -1.0f, column + 0.5f, height + 1.0f);
    return qp_quad(column, 0.0f, column + 1.0f, height);
}

struct qp_geometry qp_cover_geometry(const struct qp_plan *plan, enum qp_cover cover)
{
    float width = (float)plan->layout.domain_x;
    float height = (float)plan->layout.domain_y;
    switch (cover) {
    case QP_COVER_INTERIOR:
        return qp_quad(1.0f, 0.0f, width - 1.0f, height);
    case QP_COVER_LEFT:
        return boundary(plan, 0.0f, height);
    case QP_COVER_RIGHT:
        return boundary(plan, width - 1.0f, height);
    case QP_COVER_POINTS:
        return qp_points(plan->problem->width, plan->problem->height);
    default:
        return qp_quad(0.0f, 0.0f, width, height);
    }
}

/* ---- Names of a draw ---- */

void qp_draw_names_add(struct qp_draw_names *list, struct qp_uniform name,
                       struct qp_step_value value)
{
    list->name[list->count] = name;
    list->value[list->count++] = value;
    list->name[list->count].name = NULL;
}

static void add_texture(struct qp_draw_names *list, const char *name, enum qp_uniform_type type,
                        int elements, const struct qp_texture *texture)
{
    qp_draw_names_add(list, (struct qp_uniform){.name = name, .type = type, .elements = elements},
                      (struct qp_step_value){.texture = texture});
}

static void add_number(struct qp_draw_names *list, const char *name, double value)
{
    qp_draw_names_add(list, (struct qp_uniform){.name = name, .type = QP_FLOAT},
                      (struct qp_step_value){.x = value});
}

static void add_vector(struct qp_draw_names *list, const char *name, double x, double y)
{
    qp_draw_names_add(list, (struct qp_uniform){.name = name, .type = QP_VECTOR},
                      (struct qp_step_value){.x = x, .y = y});
}

/* A texel of padding, which a bound fetches for all others: one number for each of four parts. */
static void add_same(struct qp_draw_names *list, const struct qp_layout *layout)
{
    qp_draw_names_add(list, (struct qp_uniform){.name = "same_x", .type = QP_VECTOR_4},
                      (struct qp_step_value){.x = layout->origin_x - 0.5});
    qp_draw_names_add(list, (struct qp_uniform){.name = "same_y", .type = QP_VECTOR_4},
                      (struct qp_step_value){.x = layout->origin_y - 0.5});
}

/* Sets the offsets of the neighbours to the left and right: beside the cell, or, for the first and
 * last cell of a row, at the far end of the row below or above. */
static void add_neighbours(struct qp_draw_names *list, double far, enum qp_cover cover)
{
    const bool left = cover == QP_COVER_LEFT, right = cover == QP_COVER_RIGHT;
    add_vector(list, "left", left ? far : -1.0, left ? -1.0 : 0.0);
    add_vector(list, "right", right ? -far : 1.0, right ? 1.0 : 0.0);
}

void qp_draw_names_list(const struct qp_plan *plan, const struct qp_pingpong *pair,
                        const struct qp_texture *input, const struct qp_draw *draw,
                        struct qp_draw_names *out)
{
    const struct qp_recipe *recipe = plan->variant->recipe;
    const struct qp_problem *problem = plan->problem;
    const struct qp_op *op = problem->op;
    const struct qp_layout *layout = &plan->layout;
    out->count = 0; /* its arrays stay as they are: to clear them takes time of short draws */
    add_texture(out, op->field[op->state].name, draw->loads_x ? QP_IMAGE : QP_SAMPLER,
                layout->sheets, qp_pingpong_source(pair));
    for (int i = 0; i < plan->inputs; i++)
        add_texture(out, recipe->input[i].name, qp_sampler_of(plan->input_layout[i].shape.format),
                    0, &input[i]);
    add_number(out, "weight", problem->weight);
    add_number(out, "parameter", problem->parameter);
    if (draw->compute != NULL)
        add_texture(out, "target", QP_IMAGE, 0, qp_pingpong_target(pair));
    add_vector(out, "origin", layout->origin_x, layout->origin_y);
    if (recipe->bound)
        add_same(out, layout);
    add_vector(out, "size", layout->domain_x, layout->domain_y);
    add_vector(out, "cells", problem->width, problem->height);
    add_neighbours(out, layout->domain_x - 1, draw->cover);
}

/* ---- Stage 3 ---- */

static enum qp_status make_texture(struct qp_plan *plan, const struct qp_layout *layout,
                                   void **texels, struct qp_texture *out)
{
    enum qp_status status =
        qp_texture_create(plan->context, qp_gl_target(plan->target), layout->shape.format,
                          layout->storage_x, layout->storage_y, *texels, out);
    free(*texels); /* the texture has them now */
    *texels = NULL;
    return status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    if (plan->own == NULL)
        plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_gl), "a plan's OpenGL side");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status =
        qp_pingpong_create(plan->context, plan->pingpong, qp_gl_target(plan->target), &plan->layout,
                           plan->texels, plan->empty, &own_of(plan)->pair);
    plan->pingpong = own_of(plan)->pair.style;
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = make_texture(plan, &plan->input_layout[i], &plan->input_texels[i],
                              &own_of(plan)->input[i]);
    if (status == QP_OK && plan->measures_change)
        status = qp_plan_gl_make_change_textures(plan);
    return qp_end_upload(plan, status);
}

/* ---- Stage 4 ---- */

static void list_draw(struct qp_plan *plan, int draw, struct qp_passes *to);

static void list_names(const struct qp_plan *plan, int draw, struct qp_draw_names *out)
{
    qp_draw_names_list(plan, &own_of(plan)->pair, own_of(plan)->input,
                       &plan->variant->recipe->draw[draw], out);
}

/* Trial of a work group size: the draw whose time it measures. */
struct trial {
    struct qp_plan *plan;
    int draw;
    const char *compute;
};

static enum qp_status use_group(struct qp_plan *plan, int draw, const char *compute,
                                struct qp_group group)
{
    const struct qp_program_source source = {
        .compute = {.name = compute}, .group = group, .target = qp_gl_target(plan->target)};
    struct qp_draw_names names;
    list_names(plan, draw, &names);
    return qp_step_make(plan->context, &source, names.name, &own_of(plan)->step[draw]);
}

/* Times a dispatch: the first run warms up, and runs too short for the clock are repeated. */
static enum qp_status try_group(void *user, struct qp_group group, double *seconds)
{
    struct trial *trial = user;
    int runs = qp_context_device(trial->plan->context)->software ? 1 : 16;
    enum qp_status status = use_group(trial->plan, trial->draw, trial->compute, group);
    if (status != QP_OK)
        return status;
    status = qp_draw_listed(trial->plan, list_draw, trial->draw);
    glFinish();
    double begin = qp_clock();
    for (int i = 0; i < runs && status == QP_OK; i++)
        status = qp_draw_listed(trial->plan, list_draw, trial->draw);
    glFinish();
    *seconds = (qp_clock() - begin) / runs;
    return status;
}

/* Trials of large problems take as many rows as make 2^18 texels. */
static enum qp_status prepare_compute(struct qp_plan *plan, const char *compute, int draw)
{
    struct qp_gl_pass *pass = &own_of(plan)->pass[draw];
    struct trial trial = {plan, draw, compute};
    struct qp_group group = {plan->group_x, plan->group_y};
    enum qp_status status = QP_OK;
    int height = pass->height, enough = (1 << 18) / pass->width + 1;
    pass->height = height < enough ? height : enough;
    if (group.x == 0)
        status = qp_groups_choose(plan->context, compute, qp_gl_target(plan->target),
                                  (long)pass->width * pass->height, try_group, &trial, &group);
    pass->height = height;
    plan->group_x = group.x;
    plan->group_y = group.y;
    return status == QP_OK ? use_group(plan, draw, compute, group) : status;
}

static enum qp_status prepare_draw(struct qp_plan *plan, const struct qp_draw *recipe, int draw)
{
    const int rows = own_of(plan)->drawn_rows;
    own_of(plan)->pass[draw] =
        (struct qp_gl_pass){.x = plan->layout.origin_x,
                            .y = plan->layout.origin_y,
                            .width = plan->layout.domain_x,
                            .height = rows > 0 ? rows : plan->layout.domain_y,
                            .geometry = qp_cover_geometry(plan, recipe->cover),
                            .targets = plan->layout.sheets};
    if (recipe->compute != NULL)
        return prepare_compute(plan, recipe->compute, draw);
    const struct qp_program_source source = {
        .vertex = {.name = recipe->vertex},
        .fragment = {.name = recipe->fragment, .text = recipe->fragment_text},
        .target = qp_gl_target(plan->target)};
    struct qp_draw_names names;
    list_names(plan, draw, &names);
    return qp_step_make(plan->context, &source, names.name, &own_of(plan)->step[draw]);
}

static enum qp_status pass(struct qp_plan *plan);

enum qp_status qp_plan_gl_warm_up(struct qp_plan *plan, enum qp_status (*draw)(struct qp_plan *))
{
    double ignored;
    enum qp_status status = plan->measures_change ? qp_plan_gl_make_change(plan) : QP_OK;
    if (status == QP_OK)
        status = qp_warm_up(plan, draw, qp_finish_gl);
    if (status == QP_OK && plan->measures_change)
        status = plan->engine->change(plan, &ignored);
    if (status == QP_OK)
        status = qp_pingpong_write(&own_of(plan)->pair, true, plan->empty);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_recipe *recipe = plan->variant->recipe;
    struct qp_plan_gl *own = plan->own;
    enum qp_status status = QP_OK;
    own->draws = qp_recipe_draws(recipe);
    for (int i = 0; i < own->draws && status == QP_OK; i++)
        status = prepare_draw(plan, &recipe->draw[i], i);
    return status == QP_OK ? qp_plan_gl_warm_up(plan, pass) : status;
}

/* ---- Stages 5 and 6 ---- */

static void list_draw(struct qp_plan *plan, int draw, struct qp_passes *to)
{
    struct qp_plan_gl *own = plan->own;
    struct qp_gl_pass pass = own->pass[draw];
    struct qp_draw_names names;
    pass.surface = qp_passes_target(to, &own->pair);
    list_names(plan, draw, &names);
    pass.step = &own->step[draw];
    pass.values = names.value;
    qp_passes_add(to, &pass);
}

static void list_step(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    for (int i = 0; i < own_of(plan)->draws; i++)
        list_draw(plan, i, to);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_step, 0);
}

void qp_plan_gl_swap(struct qp_plan *plan)
{
    qp_pingpong_swap(&own_of(plan)->pair);
}

/* ---- Stage 7 ---- */

enum qp_status qp_plan_gl_read(struct qp_plan *plan, bool target, void *texels)
{
    return qp_pingpong_read(&own_of(plan)->pair, target, texels);
}

void qp_plan_gl_destroy(struct qp_plan *plan)
{
    struct qp_plan_gl *gl = plan->own;
    if (gl != NULL && qp_context_enter(plan->context) == QP_OK) {
        qp_reducer_destroy(&gl->reducer);
        for (int i = 0; i < QP_TARGETS; i++)
            qp_texture_destroy(&gl->scale[i]);
        for (int i = 0; i < QP_INPUTS; i++)
            qp_texture_destroy(&gl->input[i]);
        qp_pingpong_destroy(&gl->pair);
        qp_buffer_destroy(&gl->rows);
    }
}

static const struct qp_engine_rows rows = {QP_PLAN_GL_ROWS, .change = qp_plan_gl_change_lines};

const struct qp_engine qp_engine_gl = {QP_PLAN_GL_MEMBERS, .upload = upload, .program = program,
                                       .pass = pass, .rows = &rows};
