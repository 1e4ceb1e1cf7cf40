/* SPDX-License-Identifier: MIT */
#include "ops/poisson5/uniforms.h"

#include "engines/gl.h"

void qp_poisson5_list_names(const struct qp_plan *plan, const struct qp_draw *draw,
                            struct qp_uniform out[QP_POISSON5_UNIFORMS + 1])
{
    const int sheets = plan->layout.sheets;
    const enum qp_format format = plan->layout.shape.format;
    const struct qp_uniform names[QP_POISSON5_UNIFORMS + 1] = {
        [QP_POISSON5_AT_TARGET] = {"target", QP_IMAGE, sheets},
        [QP_POISSON5_AT_X] = {"x", draw->loads_x ? QP_IMAGE : qp_sampler_of(format), sheets},
        [QP_POISSON5_AT_RHS] = {"rhs", qp_sampler_of(format), 0},
        [QP_POISSON5_AT_WEIGHT] = {"weight", qp_number_of(format), QP_POISSON5_FUSED},
        [QP_POISSON5_AT_ORIGIN] = {"origin", QP_VECTOR, 0},
        [QP_POISSON5_AT_SIZE] = {"size", QP_VECTOR, 0},
        [QP_POISSON5_AT_CELLS] = {"cells", QP_VECTOR, 0},
        [QP_POISSON5_AT_SPIKE] = {"spike", QP_VECTOR, 0},
        /* rows of texels from one sheet of h^2 f to the next */
        [QP_POISSON5_AT_SHEET] = {"sheet", QP_FLOAT, 0},
        [QP_POISSON5_SAME_X] = {"same_x", QP_FLOAT, 5},
        [QP_POISSON5_SAME_Y] = {"same_y", QP_FLOAT, 16},
        /* of the area: what computes finds its place itself */
        [QP_POISSON5_FIRST] = {"first", QP_VECTOR, 0},
        [QP_POISSON5_END] = {"end", QP_VECTOR, 0},
    };
    for (int i = 0; i <= QP_POISSON5_UNIFORMS; i++)
        out[i] = names[i];
}

void qp_poisson5_list_values(struct qp_plan *plan, const double weights[QP_POISSON5_FUSED],
                             struct qp_step_value out[QP_POISSON5_UNIFORMS])
{
    const struct qp_layout *layout = &plan->layout;
    const struct qp_problem *problem = plan->problem;
    int x, y;
    qp_poisson5_spike(problem, &x, &y);
    const struct qp_step_value values[QP_POISSON5_UNIFORMS] = {
        [QP_POISSON5_AT_TARGET] = {.texture = qp_pingpong_target(qp_plan_gl_pair(plan))},
        [QP_POISSON5_AT_X] = {.texture = qp_pingpong_source(qp_plan_gl_pair(plan))},
        [QP_POISSON5_AT_RHS] = {.texture = plan->inputs > 0 ? qp_plan_gl_input(plan, 0) : NULL},
        [QP_POISSON5_AT_WEIGHT] = {.list = weights},
        [QP_POISSON5_AT_ORIGIN] = {.x = layout->origin_x, .y = layout->origin_y},
        [QP_POISSON5_AT_SIZE] = {.x = layout->domain_x, .y = layout->domain_y},
        [QP_POISSON5_AT_CELLS] = {.x = problem->width, .y = problem->height},
        [QP_POISSON5_AT_SPIKE] = {.x = x, .y = y},
        [QP_POISSON5_AT_SHEET] = {.x = plan->inputs > 0 ? plan->input_layout[0].sheet_y : 0},
        [QP_POISSON5_SAME_X] = {.x = layout->origin_x - 0.5},
        [QP_POISSON5_SAME_Y] = {.x = layout->origin_y - 0.5},
    };
    for (int i = 0; i < QP_POISSON5_UNIFORMS; i++)
        out[i] = values[i];
}
