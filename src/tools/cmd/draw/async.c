/* SPDX-License-Identifier: MIT */
/* A step in place, and who saw which value: an arrow for each new value that a cell found beside it
 * (lab/ops/poisson5/seen.h). */
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/ops/poisson5/seen.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/draw/draw.h"

/* Paints of cells: how many new values they found, or a value that is of no one case. */
enum { UNCLEAR = 5, PAINTS, CASES = 16, MOST = 32 };

static const char *const paints[PAINTS] = {"#dee2e6", "#bde0fe", "#8ecae6",
                                           "#5a9fd4", "#2f6fb0", "#f4a261"};

struct map {
    int width, height;
    int found[MOST * MOST]; /* neighbours that a cell found updated, as bits; CASES: unclear */
    enum qp_status status;
};

static void look(const struct trace *trace)
{
    static const char digits[] = "0123456789abcdef";
    struct map *map = trace->user;
    void *after;
    map->status = trace_texels(trace->plan, false, &after);
    const struct qp_poisson5_seen seen = {trace->plan->problem, &trace->plan->layout,
                                          trace->plan->texels, after};
    for (int i = 0; map->status == QP_OK && i < map->width * map->height; i++) {
        const char found = qp_poisson5_case(&seen, i % map->width, i / map->width);
        map->found[i] = found == '.' ? 0 : (int)strcspn(digits, (const char[]){found, '\0'});
    }
    free(after);
}

static int paint_at(const void *user, int column, int line)
{
    static const int bits[CASES + 1] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, UNCLEAR};
    const struct map *map = user;
    return bits[map->found[(map->height - 1 - line) * map->width + column]];
}

static void draw_map(struct svg *svg, const struct map *map)
{
    static const int beside_x[] = {-1, 1, 0, 0}, beside_y[] = {0, 0, 1, -1}; /* on the page */
    const int width = map->width, height = map->height;
    const double side = svg_side(qp_most(width, height), 1, SVG_INSIDE);
    struct svg_raster raster = svg_squares(width, height, side, paints, PAINTS, paint_at, map);
    raster.every[0] = raster.every[1] = 1;
    svg_panel(svg, raster, 0, 1, "from a new value to the cell that found it");
    for (int i = 0; i < 4 * width * height; i++) {
        const int cell = i / 4, bits = map->found[cell] % CASES;
        const double x = SVG_MARGIN + (cell % width + 0.5) * side, dx = beside_x[i % 4] * side;
        const double y = svg->height - SVG_GAP - (cell / width + 0.5) * side;
        const double dy = beside_y[i % 4] * side;
        if (bits >> i % 4 & 1)
            svg_arrow(svg, x + 0.8 * dx, y + 0.8 * dy, x + 0.1 * dx, y + 0.1 * dy, "#212529");
    }
}

static void draw_legend(struct svg *svg, const struct map *map)
{
    int count[PAINTS] = {0};
    for (int i = 0; i < map->width * map->height; i++)
        count[paint_at(map, i % map->width, i / map->width)]++;
    svg->height += SVG_TEXT;
    svg_text(svg, SVG_MARGIN, svg->height, SVG_TEXT, SVG_START,
             "cells, and how many new values each found beside it:");
    svg_describe(svg,
                 "One step in place of %d x %d cells. Each new value that a cell found beside "
                 "it has an arrow; cells, and how many they found:",
                 map->width, map->height);
    svg->height += SVG_LINE + 2;
    for (int k = 0; k < UNCLEAR; k++) {
        svg_legend(svg, SVG_MARGIN + 70 * k, svg->height, paints[k], "%d: %d", k, count[k]);
        svg_describe(svg, "%s %d found %d", k > 0 ? "," : "", count[k], k);
    }
    svg_describe(svg, "; %d hold a value that does not say it.", count[UNCLEAR]);
    svg->height += SVG_MARGIN;
}

/* A right-hand side is a sine's, unless another is asked for: then all cells change in a step, and
 * each case of a cell gives another value. */
static enum qp_status run(struct drawing *drawing, struct map *map)
{
    struct qp_problem *problem = &drawing->problem;
    const struct qp_problem_desc sine = {"poisson5", "sine", map->width, map->height, .seed = 1};
    static const struct trace_stage stages[QP_STAGES + 1] = {[QP_STAGE_PASS] = {.show = look}};
    struct trace trace = {.stages = stages, .user = map};
    const struct qp_walk_desc desc = {.iterations = 1, .unchecked = true};
    struct qp_result result;
    enum qp_status status = QP_OK;
    if (drawing->options->problem == NULL) {
        qp_problem_destroy(problem);
        status = qp_problem_create(&sine, problem);
    }
    if (status == QP_OK)
        status = draw_run(drawing, &trace, &desc, &result);
    return status == QP_OK ? map->status : status;
}

enum qp_status draw_async(struct drawing *drawing)
{
    struct map map = {drawing->problem.width, drawing->problem.height, .status = QP_OK};
    if (drawing->variant->recipe->engine != &qp_engine_poisson5_in_place)
        return draw_refuse(drawing, "does not draw into the texture that it reads",
                           "poisson5/chaotic");
    const enum qp_status status = run(drawing, &map);
    if (status == QP_OK) {
        svg_title(&drawing->svg, "Who saw which value: %s", drawing->variant->name);
        draw_legend(&drawing->svg, &map);
        draw_map(&drawing->svg, &map);
    }
    return status;
}
