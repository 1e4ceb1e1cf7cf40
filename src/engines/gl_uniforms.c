/* SPDX-License-Identifier: MIT */
#include "engines/gl_uniforms.h"

#include <string.h>

/* Weight and number are those of the library's own problems; there is neither in an operation made at run
 * time, which may call an array or a parameter so. */
void qp_draw_uniforms_list(const struct qp_plan *plan, bool computes, struct qp_draw_uniforms *at,
                           struct qp_uniform list[QP_DRAW_UNIFORMS])
{
    const struct qp_recipe *recipe = plan->variant->recipe;
    const struct qp_op *op = plan->problem->op;
    const char *x = op->field_names[op->state];
    memset(at, -1, sizeof *at); /* nowhere */
    memset(list, 0, QP_DRAW_UNIFORMS * sizeof *list);
    *list++ = (struct qp_uniform){x, recipe->x_is_image ? QP_IMAGE : QP_SAMPLER, at->x,
                                  plan->layout.sheets};
    for (int i = 0; i < plan->inputs; i++)
        *list++ = (struct qp_uniform){recipe->input[i].name, QP_SAMPLER, &at->input[i], 0};
    for (int i = 0; i < qp_op_parameters(op); i++)
        *list++ = (struct qp_uniform){op->parameters[i].name, QP_FLOAT, &at->parameter[i], 0};
    if (!recipe->custom) {
        *list++ = (struct qp_uniform){"weight", QP_FLOAT, &at->weight, 0};
        *list++ = (struct qp_uniform){"parameter", QP_FLOAT, &at->number, 0};
    }
    if (computes)
        *list++ = (struct qp_uniform){"target", QP_IMAGE, &at->image, 0};
    *list++ = (struct qp_uniform){"origin", QP_VECTOR, &at->origin, 0};
    *list++ = (struct qp_uniform){"size", QP_VECTOR, &at->size, 0};
    *list++ = (struct qp_uniform){"cells", QP_VECTOR, &at->cells, 0};
    *list++ = (struct qp_uniform){"left", QP_VECTOR, &at->left, 0};
    *list++ = (struct qp_uniform){"right", QP_VECTOR, &at->right, 0};
}

/* Where the neighbours to the left and right stand: beside the cell, or, for the first and last
 * cell of a row, at the far end of the row below or above. */
static void set_neighbours(const struct qp_plan *plan, const struct qp_draw_uniforms *at,
                           enum qp_cover cover)
{
    double far = plan->layout.domain_x - 1;
    qp_uniform_vector(at->left, cover == QP_COVER_LEFT ? far : -1.0,
                      cover == QP_COVER_LEFT ? -1.0 : 0.0);
    qp_uniform_vector(at->right, cover == QP_COVER_RIGHT ? -far : 1.0,
                      cover == QP_COVER_RIGHT ? 1.0 : 0.0);
}

void qp_draw_uniforms_set(const struct qp_plan *plan, const struct qp_draw_uniforms *at,
                          enum qp_cover cover)
{
    for (int i = 0; i < plan->layout.sheets; i++)
        qp_uniform_sampler(at->x[i], i);
    qp_uniform_sampler(at->image, 0);
    for (int i = 0; i < plan->inputs; i++)
        qp_uniform_sampler(at->input[i], plan->layout.sheets + i);
    qp_uniform_vector(at->origin, plan->layout.origin_x, plan->layout.origin_y);
    qp_uniform_vector(at->size, plan->layout.domain_x, plan->layout.domain_y);
    qp_uniform_vector(at->cells, plan->problem->width, plan->problem->height);
    qp_uniform_float(at->weight, plan->problem->weight);
    qp_uniform_float(at->number, plan->problem->parameter);
    for (int i = 0; i < qp_op_parameters(plan->problem->op); i++)
        qp_uniform_float(at->parameter[i], plan->problem->op->parameters[i].value);
    set_neighbours(plan, at, cover);
}

enum qp_status qp_draw_uniforms_check_read(const struct qp_plan *plan,
                                           const struct qp_draw_uniforms *const at[], int count)
{
    for (int i = 0; i < plan->inputs; i++) {
        bool read = false;
        for (int k = 0; k < count; k++)
            read = read || at[k]->input[i] >= 0;
        if (!read)
            return qp_fail(QP_BAD_INPUT,
                           "room 4, program: no shader of %s reads the array '%s': there is no "
                           "sampler of that name, or its value changes nothing",
                           plan->variant->name, plan->variant->recipe->input[i].name);
    }
    return QP_OK;
}
