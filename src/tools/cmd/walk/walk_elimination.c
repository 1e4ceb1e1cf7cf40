/* SPDX-License-Identifier: MIT */
/* The tour of an elimination: the list of draws of a column, and for a small matrix the result of
 * every column. Rows are counted from the top, as matrices are written. */
#include <stdlib.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "tools/cmd/walk/walk.h"

enum { MOST_UNKNOWNS = 8 }; /* whose columns are shown one by one */

static const char *const surfaces[QP_SURFACES] = {[QP_SURFACE_SOURCE] = "source",
                                                  [QP_SURFACE_TARGET] = "target",
                                                  [QP_SURFACE_FACTORS] = "factors",
                                                  [QP_SURFACE_PIVOT_ROW] = "pivot row",
                                                  [QP_SURFACE_OTHER_ROW] = "other row"};

static const char *const ways[QP_WAYS] = {
    [QP_WAY_FORTH] = "", [QP_WAY_AGAIN] = " again", [QP_WAY_BACK] = " back"};

/* ---- The list of draws ---- */

static const char *const rows[QP_PART_ROWS + 1] = {[QP_PART_WHOLE] = "all rows",
                                                   [QP_PART_ROW] = "row k",
                                                   [QP_PART_ABOVE] = "the rows above row k",
                                                   [QP_PART_BELOW] = "the rows below row k"};

static const char *const columns[QP_PART_COLUMNS + 1] = {[QP_PART_WHOLE] = "",
                                                         [QP_PART_COLUMN] = ", column k",
                                                         [QP_PART_RIGHT] = ", columns from k on",
                                                         [QP_PART_BEHIND] =
                                                             ", columns of A after k",
                                                         [QP_PART_RHS] = ", columns of b"};

static const char *const blends[] = {[QP_REPLACE] = "",
                                     [QP_ADD] = ", the blender adds",
                                     [QP_SUBTRACT] = ", the blender subtracts",
                                     [QP_SUBTRACT_TIMES_ALPHA] =
                                         ", the blender multiplies by alpha and subtracts"};

static void print_draws(const struct trace *trace, enum qp_way way)
{
    const struct qp_elimination *elimination = qp_elimination_of(trace->plan->variant->recipe);
    const struct qp_elimination_draw *draw = elimination->way[way];
    if (draw[0].draw.fragment == NULL)
        return;
    fprintf(trace->out, "    for every column k%s:\n", ways[way]);
    if (way == QP_WAY_FORTH && elimination->pivots)
        fputs("      a reduction finds the largest element of column k from row k down\n"
              "      draw one texel of a log: where it was found; only this tour asks for it\n",
              trace->out);
    for (int i = 0; i < QP_ELIMINATION_DRAWS && draw[i].draw.fragment != NULL; i++)
        fprintf(trace->out, "      draw %s%s: %s -> %s%s, %s%s%s\n",
                rows[draw[i].part & QP_PART_ROWS], columns[draw[i].part & QP_PART_COLUMNS],
                surfaces[draw[i].from], surfaces[draw[i].into], blends[draw[i].blend],
                draw[i].draw.fragment, draw[i].draw.vertex ? " with " : "",
                draw[i].draw.vertex ? draw[i].draw.vertex : "");
    fputs(elimination->in_place ? "      the target stays the target\n"
                                : "      source and target change roles\n",
          trace->out);
}

/* ---- The result of every column ---- */

/* Prints the corners of each draw in this step. */
static void print_corners(FILE *out, const struct qp_plan *plan, enum qp_way way, int k)
{
    const struct qp_elimination_draw *draw = qp_elimination_of(plan->variant->recipe)->way[way];
    fprintf(out, "    column %d%s, texels drawn:", k, ways[way]);
    for (int i = 0; i < QP_ELIMINATION_DRAWS && draw[i].draw.fragment != NULL; i++) {
        struct qp_gl_pass pass = {0};
        bool some = qp_elimination_cover(plan, draw[i].into, draw[i].part, k, &pass);
        const struct qp_geometry *at = &pass.geometry;
        if (some)
            fprintf(out, "%s %g x %g", i > 0 ? "," : "", at->x1 - at->x0, at->y1 - at->y0);
        else
            fprintf(out, "%s none", i > 0 ? "," : "");
    }
    fputs("; the target then:\n", out);
}

static void on_column(void *user, struct qp_plan *plan, int way, int k)
{
    const struct trace *trace = &((const struct walk_columns *)user)->trace;
    struct qp_matrix now;
    print_corners(trace->out, plan, (enum qp_way)way, k);
    if (trace_matrix(plan, true, &now) == QP_OK)
        walk_values(trace, now.width, qp_gauss_jordan_unknowns(plan->problem), now.values,
                    QP_FLOATS);
    else
        fprintf(trace->out, "    %s\n", qp_error());
    qp_matrix_destroy(&now);
}

static void watch(const struct trace *trace)
{
    struct walk_columns *results = trace->user;
    if (qp_gauss_jordan_unknowns(trace->plan->problem) > MOST_UNKNOWNS ||
        !qp_elimination_watch(trace->plan, NULL, NULL))
        return;
    results->trace = *trace;
    results->trace.out = open_memstream(&results->text, &results->length);
    if (results->trace.out != NULL)
        qp_elimination_watch(trace->plan, on_column, results);
}

void walk_print_columns(const struct trace *trace)
{
    struct walk_columns *results = trace->user;
    if (results->trace.out == NULL)
        return;
    fclose(results->trace.out);
    fputs(results->text, trace->out);
    free(results->text);
    results->trace.out = NULL;
}

/* ---- Stages ---- */

static void print_upload(const struct trace *trace)
{
    if (trace->plan->variant->backend == QP_GL)
        fprintf(trace->out, "    arrays = textures: %s twice (%s), the source filled\n",
                walk_state_name(trace), qp_pingpong_name(trace->plan->pingpong));
    else
        fprintf(trace->out, "    %s twice in memory\n", walk_state_name(trace));
}

static void print_program(const struct trace *trace)
{
    walk_program(trace);
    watch(trace);
}

static void print_pass(const struct trace *trace)
{
    const bool draws = qp_elimination_of(trace->plan->variant->recipe) != NULL;
    if (draws)
        fputs("    computing = drawing:\n", trace->out);
    else
        fputs(trace->plan->variant->backend == QP_GL
                  ? "    one elimination\n"
                  : "    call the function once: one elimination\n",
              trace->out);
    for (int way = 0; draws && way < QP_WAYS; way++)
        print_draws(trace, (enum qp_way)way);
    qp_elimination_watch(trace->plan, NULL, NULL);
    walk_print_columns(trace);
}

static void print_readback(const struct trace *trace)
{
    const struct qp_pivot *pivots = qp_gauss_jordan_pivots(trace->plan);
    walk_texels(trace);
    if (pivots == NULL)
        return;
    fputs("    pivots:", trace->out);
    for (int k = 0; k < qp_gauss_jordan_unknowns(trace->plan->problem) && k < MOST_UNKNOWNS; k++)
        fprintf(trace->out, " %.3f in row %d%s", pivots[k].value, pivots[k].row,
                k < qp_gauss_jordan_unknowns(trace->plan->problem) - 1 ? "," : "");
    fputs(qp_gauss_jordan_unknowns(trace->plan->problem) > MOST_UNKNOWNS ? " ...\n" : "\n",
          trace->out);
}

/* The problem, packing, unpacking and judging are those of all variants. */
const struct trace_stage walk_elimination[QP_STAGES + 1] = {
    [QP_STAGE_UPLOAD] = {NULL, print_upload},
    [QP_STAGE_PROGRAM] = {"    kernels = shaders:\n", print_program},
    [QP_STAGE_PASS] = {NULL, print_pass},
    [QP_STAGE_SWAP] = {"    feedback = ping-pong: the last target is the source that comes back\n",
                       NULL},
    [QP_STAGE_READBACK] = {"    the source after the last column:\n", print_readback},
};
