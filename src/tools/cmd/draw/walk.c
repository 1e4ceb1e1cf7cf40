/* SPDX-License-Identifier: MIT */
/* A matrix in the ten stages, in colours of one scale: texels where a stage has them, else
 * cells. */
#include <math.h>
#include <stdlib.h>

#include "toolkit/base/status.h"
#include "tools/cmd/draw/draw.h"

enum { STEPS = 2 };

struct stages {
    const struct drawing *drawing;
    const struct qp_result *result;
    double low, high; /* the range of all numbers */
    enum qp_status status;
    struct numbers {
        double *value; /* row after row from below; NULL: none */
        int columns, rows;
        const struct stages *stages;
    } of[QP_STAGES + 1];
};

static void keep(const struct trace *trace, const void *values, enum qp_precision precision,
                 int columns, int rows)
{
    struct stages *stages = trace->user;
    double *kept = qp_alloc((size_t)columns * (size_t)rows, sizeof *kept, "a stage's numbers");
    if (kept == NULL)
        stages->status = QP_NO_MEMORY;
    for (int i = 0; i < columns * rows && kept != NULL; i++) {
        kept[i] = qp_value(values, precision, (size_t)i);
        stages->low = isfinite(kept[i]) ? fmin(stages->low, kept[i]) : stages->low;
        stages->high = isfinite(kept[i]) ? fmax(stages->high, kept[i]) : stages->high;
    }
    stages->of[trace->stage] = (struct numbers){kept, columns, rows, stages};
}

static void keep_matrix(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    const struct qp_matrix *matrix =
        trace->stage == QP_STAGE_PROBLEM ? &p->field[p->op->state] : &trace->result->solution;
    keep(trace, qp_matrix_values(matrix), matrix->precision, matrix->width, matrix->height);
}

/* Texels, of stages that have some on the device the target's. */
static void keep_texels(const struct trace *trace)
{
    const struct qp_layout *layout = &trace->plan->layout;
    const bool packed = trace->stage == QP_STAGE_PACK || trace->stage == QP_STAGE_READBACK;
    void *target = NULL;
    const enum qp_status status = packed ? QP_OK : trace_texels(trace->plan, true, &target);
    if (status == QP_OK)
        keep(trace, packed ? trace->plan->texels : target, layout->precision,
             layout->storage_x * layout->channels, layout->storage_y);
    else
        ((struct stages *)trace->user)->status = status;
    free(target);
}

static void keep_reference(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    if (p->reference != NULL)
        keep(trace, p->reference, QP_DOUBLES, p->answer_width, p->answer_height * p->systems);
}

static const struct trace_stage kept[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {.show = keep_matrix}, [QP_STAGE_PACK] = {.show = keep_texels},
    [QP_STAGE_UPLOAD] = {.show = keep_texels},  [QP_STAGE_PASS] = {.show = keep_texels},
    [QP_STAGE_SWAP] = {.show = keep_texels},    [QP_STAGE_READBACK] = {.show = keep_texels},
    [QP_STAGE_UNPACK] = {.show = keep_matrix},  [QP_STAGE_REFERENCE] = {.show = keep_reference},
};

/* ---- The picture ---- */

static int paint_at(const void *user, int column, int line)
{
    const struct numbers *n = user;
    return svg_step(n->value[draw_row_at(n->stages->drawing, line, n->rows) * n->columns + column],
                    n->stages->low, n->stages->high);
}

/* All to one scale, three in a line; two stages have no numbers. */
static void draw_stages(struct svg *svg, const struct stages *stages)
{
    enum { IN_LINE = 3, WIDEST = 14, LEAST = 6 };
    const double side = svg_side(stages->of[QP_STAGE_PACK].columns, IN_LINE, WIDEST);
    for (int stage = 1; stage <= QP_STAGES; stage++) {
        const struct numbers *numbers = &stages->of[stage];
        const char *words =
            stage == QP_STAGE_PROBLEM ? ": x, the start"
            : stage == QP_STAGE_UPLOAD || stage == QP_STAGE_PASS || stage == QP_STAGE_SWAP
                ? ": target"
            : stage == QP_STAGE_READBACK ? ": source"
                                         : "";
        struct svg_raster raster = svg_squares(numbers->columns, numbers->rows, side, svg_colours(),
                                               SVG_COLOURS + 1, paint_at, numbers);
        raster.height = fmax(side, LEAST);
        svg_panel(svg, raster, stage - 1, IN_LINE, "%d %s%s", stage,
                  qp_stage_name((enum qp_stage)stage), words);
    }
    svg->height += SVG_LINE;
    svg_legend(svg, SVG_MARGIN, svg->height, svg_colours()[SVG_COLOURS], "no number; verdict: %s",
               qp_verdict_name(stages->result->verdict));
    svg->height += SVG_MARGIN;
    svg_scale(svg, stages->low, stages->high);
}

/* Follows a cell through the stages that hold matrices. */
static void describe(struct svg *svg, const struct stages *stages)
{
    const struct numbers *answer = &stages->of[QP_STAGE_UNPACK],
                         *packed = &stages->of[QP_STAGE_PACK];
    const int x = answer->columns / 2, y = answer->rows / 2, cell = y * answer->columns + x;
    svg_describe(
        svg,
        "%d x %d cells become %d x %d values with guards and padding; the target holds no "
        "numbers in stage 3 and the first step in stage 5. Cell %d,%d begins as %.3f and is "
        "%.3f after %d steps; the reference has %.3f. Verdict: %s.",
        answer->columns, answer->rows, packed->columns, packed->rows, x, y,
        stages->of[QP_STAGE_PROBLEM].value[cell], answer->value[cell], STEPS,
        stages->of[QP_STAGE_REFERENCE].value[cell], qp_verdict_name(stages->result->verdict));
}

enum qp_status draw_walk(struct drawing *drawing)
{
    struct qp_result result;
    struct stages stages = {.drawing = drawing, .result = &result, .low = NAN, .high = NAN};
    struct trace trace = {.stages = kept, .user = &stages};
    const struct qp_walk_desc desc = {.iterations = STEPS};
    enum qp_status status = draw_check_textures(drawing);
    if (status == QP_OK)
        status = trace_walk(&trace, drawing->context, drawing->variant, &drawing->problem, &desc,
                            &result);
    if (status == QP_OK && stages.of[QP_STAGE_REFERENCE].value == NULL)
        status = qp_fail(QP_UNSUPPORTED, "%s: %s", drawing->variant->name, result.reason);
    if (status == QP_OK)
        status = stages.status;
    if (status == QP_OK) {
        svg_title(&drawing->svg, "%s in the ten stages", drawing->variant->name);
        describe(&drawing->svg, &stages);
        draw_stages(&drawing->svg, &stages);
    }
    for (int stage = 1; stage <= QP_STAGES; stage++)
        free(stages.of[stage].value);
    return status;
}
