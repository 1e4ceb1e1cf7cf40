/* SPDX-License-Identifier: MIT */
/* An elimination: A and b as the target holds them after each column. */
#include <math.h>
#include <string.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "tools/cmd/draw/draw.h"

enum { MOST = 8, WIDEST = 52, TALL = 20 };

struct columns {
    struct svg *svg;
    bool whole;                    /* A becomes the identity, without exchanges */
    int n;                         /* unknowns */
    double now[MOST * (MOST + 1)]; /* row after row */
    double most;
    enum qp_status status;
};

/* Draws A and b apart, with a frame around column k, below 0: around none. */
static void show(struct columns *columns, const struct qp_matrix *matrix, int k)
{
    struct svg *svg = columns->svg;
    const int n = columns->n;
    const double side = fmin(WIDEST, (SVG_INSIDE - SVG_GAP) / (n + 1.0)), y = svg->height;
    for (int i = 0; i < n * (n + 1); i++) {
        columns->now[i] = qp_matrix_value(matrix, (size_t)i);
        columns->most = k < 0 ? fmax(columns->most, fabs(columns->now[i])) : columns->most;
    }
    struct svg_cells cells = {columns->now, n, n, n + 1, columns->most, 1};
    svg_draw_cells(svg, &cells, SVG_MARGIN, y, side, TALL);
    cells.value += n, cells.columns = 1;
    svg_draw_cells(svg, &cells, SVG_MARGIN + n * side + SVG_GAP, y, side, TALL);
    if (k >= 0)
        svg_rectangle(svg, SVG_MARGIN + k * side, y, side, n * TALL,
                      (struct svg_paint){NULL, "#c92a2a", 2.5, "6 3"});
    svg->height += n * TALL + SVG_GAP;
}

static void on_column(void *user, struct qp_plan *plan, int way, int k)
{
    struct columns *columns = user;
    struct qp_matrix matrix;
    if (columns->status == QP_OK)
        columns->status = trace_matrix(plan, true, &matrix);
    if (columns->status != QP_OK)
        return;
    if (columns->whole)
        svg_note(columns->svg, "column %d: row %d / %.4g, then taken off the others", k, k,
                 columns->now[k * (columns->n + 2)]);
    else
        svg_note(columns->svg, "column %d%s", k, way == QP_WAY_BACK ? ", back" : "");
    show(columns, &matrix, k);
    qp_matrix_destroy(&matrix);
}

static void watch(const struct trace *trace)
{
    const bool begins = trace->stage == QP_STAGE_PROGRAM;
    qp_elimination_watch(trace->plan, begins ? on_column : NULL, trace->user);
}

enum qp_status draw_elimination(struct drawing *drawing)
{
    static const struct trace_stage stages[QP_STAGES + 1] = {
        [QP_STAGE_PROGRAM] = {.show = watch}, [QP_STAGE_PASS] = {.show = watch}};
    struct svg *svg = &drawing->svg;
    const struct qp_problem *problem = &drawing->problem;
    struct columns columns = {.svg = svg, .n = problem->height};
    struct trace trace = {.stages = stages, .user = &columns};
    struct qp_result result;
    const struct qp_elimination *how = qp_elimination_of(drawing->variant->recipe);
    if (how == NULL || problem->systems > 1 || problem->width != columns.n + 1)
        return draw_refuse(drawing, "does not eliminate one system column by column",
                           "gauss_jordan/basic");
    columns.whole = strcmp(how->draw[0].draw.fragment, "gauss_jordan/divide.frag") == 0 &&
                    !how->pivots && how->again[0].draw.fragment == NULL &&
                    how->back[0].draw.fragment == NULL;
    svg_title(svg, "Elimination by %s, %d x %d", drawing->variant->name, columns.n, columns.n);
    svg_note(svg, "A and b; framed below: the column that is done");
    show(&columns, &problem->field[problem->op->state], -1);
    enum qp_status status =
        draw_run(drawing, &trace, &(struct qp_walk_desc){.iterations = 1}, &result);
    if (status != QP_OK || (status = columns.status) != QP_OK)
        return status;
    svg_note(svg, "%sb has become x", columns.whole ? "A has become the identity, and " : "");
    svg_describe(svg, "A and b as the target holds them after each of %d columns. x is", columns.n);
    for (int i = 0; i < columns.n; i++)
        svg_describe(svg, " %.4g", columns.now[i * (columns.n + 1) + columns.n]);
    return QP_OK;
}
