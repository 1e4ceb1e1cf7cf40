/* SPDX-License-Identifier: MIT */
/* Uniforms of a draw: the value of each name, in all variants of OpenGL. No OpenGL is needed
 * here. */
#include "support/support.h"

#include <string.h>

#include "lab/engines/gl.h"
#include "lab/ops/table.h"
#include "lab/plan/op.h"

static const struct qp_step_value *find(const struct qp_draw_names *list, const char *name)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->name[i].name, name) == 0)
            return &list->value[i];
    }
    return NULL;
}

static void expect(const struct qp_draw_names *list, const char *name, double x, double y)
{
    const struct qp_step_value *value = find(list, name);
    assert_non_null(value);
    if (value->x != x || value->y != y)
        fail_msg("%s is (%g, %g), and not (%g, %g)", name, value->x, value->y, x, y);
}

/* Offsets of the neighbours: beside the cell, or at the far end of the next row. */
static void expect_neighbours(const struct qp_draw_names *list, enum qp_cover cover, double far)
{
    if (cover == QP_COVER_LEFT)
        expect(list, "left", far, -1.0);
    else
        expect(list, "left", -1.0, 0.0);
    if (cover == QP_COVER_RIGHT)
        expect(list, "right", -far, 1.0);
    else
        expect(list, "right", 1.0, 0.0);
}

static void look(struct qp_plan *plan, const struct qp_draw *draw)
{
    const struct qp_recipe *recipe = plan->variant->recipe;
    const struct qp_layout *layout = &plan->layout;
    struct qp_texture input[QP_INPUTS] = {{0}};
    struct qp_pingpong pair = {.source = 1};
    struct qp_draw_names list;
    qp_draw_names_list(plan, &pair, input, draw, &list);
    assert_null(list.name[list.count].name);
    const struct qp_op *op = plan->problem->op;
    assert_ptr_equal(find(&list, op->field[op->state].name)->texture, qp_pingpong_source(&pair));
    for (int i = 0; i < plan->inputs; i++)
        assert_ptr_equal(find(&list, recipe->input[i].name)->texture, &input[i]);
    if (draw->compute != NULL)
        assert_ptr_equal(find(&list, "target")->texture, qp_pingpong_target(&pair));
    expect(&list, "weight", 0.75, 0.0);
    expect(&list, "parameter", 3.0, 0.0);
    expect(&list, "origin", layout->origin_x, layout->origin_y);
    expect(&list, "size", layout->domain_x, layout->domain_y);
    expect(&list, "cells", plan->problem->width, plan->problem->height);
    expect_neighbours(&list, draw->cover, layout->domain_x - 1);
    if (recipe->bound) { /* the middle of the last texel before the domain */
        expect(&list, "same_x", layout->origin_x - 0.5, 0.0);
        expect(&list, "same_y", layout->origin_y - 0.5, 0.0);
    } else {
        assert_null(find(&list, "same_x"));
    }
}

TEST(names_stand_for_places)
{
    int draws = 0, bounds = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const struct qp_recipe *recipe = variant->recipe;
        struct qp_problem problem = {.op = qp_op_find(variant->op),
                                     .kind = "random",
                                     .width = 24,
                                     .height = 16,
                                     .systems = 1,
                                     .answer_width = 24,
                                     .answer_height = 16,
                                     .weight = 0.75,
                                     .parameter = 3};
        if (variant->backend != QP_GL || recipe->draw[0].fragment == NULL ||
            strcmp(variant->op, "jacobi9") != 0)
            continue;
        struct qp_plan plan = qp_plan_outline(variant, &problem);
        for (int k = 0; k < qp_recipe_draws(recipe); k++, draws++)
            look(&plan, &recipe->draw[k]);
        bounds += recipe->bound;
    }
    assert_true(draws > 20 && bounds > 2);
}
