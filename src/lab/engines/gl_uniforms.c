/* SPDX-License-Identifier: MIT */
#include "lab/engines/gl_uniforms.h"

static void add(struct qp_draw_names *list, struct qp_uniform name, struct qp_step_value value)
{
    list->name[list->count] = name;
    list->value[list->count++] = value;
}

static void add_texture(struct qp_draw_names *list, const char *name, enum qp_uniform_type type,
                        int elements, const struct qp_texture *texture)
{
    add(list, (struct qp_uniform){.name = name, .type = type, .elements = elements},
        (struct qp_step_value){.texture = texture});
}

static void add_number(struct qp_draw_names *list, const char *name, double value)
{
    add(list, (struct qp_uniform){.name = name, .type = QP_FLOAT},
        (struct qp_step_value){.x = value});
}

static void add_vector(struct qp_draw_names *list, const char *name, double x, double y)
{
    add(list, (struct qp_uniform){.name = name, .type = QP_VECTOR},
        (struct qp_step_value){.x = x, .y = y});
}

/* A texel of padding, which a bound fetches for all others: one number for each of four parts. */
static void add_same(struct qp_draw_names *list, const struct qp_layout *layout)
{
    add(list, (struct qp_uniform){.name = "same_x", .type = QP_VECTOR_4},
        (struct qp_step_value){.x = layout->origin_x - 0.5});
    add(list, (struct qp_uniform){.name = "same_y", .type = QP_VECTOR_4},
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
    *out = (struct qp_draw_names){0};
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
