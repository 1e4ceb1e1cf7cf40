/* SPDX-License-Identifier: MIT */
/* Variants of drawings: how they run, and which have nothing to draw. */
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/op.h"
#include "toolkit/base/status.h"
#include "tools/cmd/draw/draw.h"

const char *draw_colour(int number)
{
    static const char *const colours[] = {"#8ecae6", "#f4a261", "#a7c957", "#d4a5e0", "#f2d16b",
                                          "#84dcc6", "#f7a6b4", "#b8b8f3", "#c9ada7", "#e0e1dd"};
    return colours[number % 10];
}

int draw_row_at(const struct drawing *drawing, int line, int rows)
{
    return drawing->upright ? line : rows - 1 - line;
}

enum qp_status draw_run(struct drawing *drawing, struct trace *trace,
                        const struct qp_walk_desc *desc, struct qp_result *result)
{
    struct qp_context *context = drawing->context;
    const enum qp_status status =
        trace != NULL
            ? trace_walk(trace, context, drawing->variant, &drawing->problem, desc, result)
            : qp_walk(context, drawing->variant, &drawing->problem, desc, result);
    if (status != QP_OK || (result->verdict != QP_FAIL && result->verdict != QP_SKIP))
        return status;
    qp_matrix_destroy(&result->solution);
    return qp_fail(QP_UNSUPPORTED, "%s: %s", drawing->variant->name, result->reason);
}

enum qp_status draw_refuse(const struct drawing *drawing, const char *why, const char *other)
{
    return qp_fail(QP_BAD_USE, "%s %s; draw a variant such as %s", drawing->variant->name, why,
                   other);
}

enum qp_status draw_check_textures(const struct drawing *drawing)
{
    const struct qp_recipe *recipe = drawing->variant->recipe;
    const bool on_grid =
        recipe->state.standing == QP_NO_BATCH && drawing->problem.op != &qp_op_gauss_jordan;
    const char *why = drawing->variant->backend != QP_GL ? "has no textures"
                      : recipe->bound                    ? "computes nothing of use"
                      : !on_grid                         ? "takes no step on a grid"
                                                         : NULL;
    return why != NULL ? draw_refuse(drawing, why, "jacobi9/luminance") : QP_OK;
}
