/* SPDX-License-Identifier: MIT */
/* A step of one row twice: by two textures, as the variant takes it, and in place, from left to
 * right, by the operation's reference with one array for both, whose left neighbours are new. */
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "tools/cmd/draw/draw.h"

enum {
    MOST = 8,
    SPIKE = 64,
    LEFT = 58,
    SIDES = SVG_WIDTH - SVG_MARGIN - LEFT,
    TALL = 22,
    NEXT = 27
};

/* Makes the problem a row of zeros with one number, and a right-hand side of 0. */
static enum qp_status start(struct drawing *drawing, double *before)
{
    struct qp_problem *problem = &drawing->problem;
    const struct qp_problem_desc desc = {"poisson5", "field", problem->width, 1, .seed = 1};
    if (problem->op != &qp_op_poisson5 || drawing->variant->backend != QP_GL ||
        drawing->variant->recipe->engine == &qp_engine_poisson5_in_place)
        return draw_refuse(drawing, "takes no step of this row by two textures",
                           "poisson5/luminance");
    qp_problem_destroy(problem);
    const enum qp_status status = qp_problem_create(&desc, problem);
    for (int i = 0; i < desc.width && status == QP_OK; i++) {
        before[i] = i == desc.width / 3 ? SPIKE : 0;
        qp_problem_field(problem, "x")->values[i] = (float)before[i];
        qp_problem_field(problem, "f")->values[i] = 0.0f;
    }
    return status;
}

static void draw_row(struct svg *svg, const double *values, int width, const char *name)
{
    svg_text(svg, SVG_MARGIN, svg->height + 15, SVG_SMALL, SVG_START, "%s", name);
    svg_draw_cells(svg, &(struct svg_cells){values, width, 1, width, SPIKE, 1}, LEFT, svg->height,
                   (double)SIDES / width, TALL);
    svg->height += NEXT;
}

static void draw_head(struct svg *svg, bool good, const char *words)
{
    svg->height += SVG_GAP;
    svg_mark(svg, SVG_MARGIN, svg->height, good);
    svg_text(svg, SVG_MARGIN + 26, svg->height + 13, SVG_TEXT, SVG_START, "%s", words);
    svg->height += 24;
}

static void draw_both(struct svg *svg, double *now, const double *right, const double *wrong,
                      int width)
{
    const double side = (double)SIDES / width;
    draw_head(svg, true, "two textures: all cells read the source");
    draw_row(svg, now, width, "source");
    svg->height += NEXT;
    for (int i = 0; i < 2 * width; i++) {
        const int cell = i / 2, way = i % 2 == 0 ? -1 : 1; /* reads its neighbour on this side */
        const double x = LEFT + (cell + 0.5) * side;
        if (cell + way >= 0 && cell + way < width)
            svg_arrow(svg, x + way * 0.8 * side, svg->height - NEXT - 3, x + 4 * way,
                      svg->height - 1, "#1d6fa5");
    }
    draw_row(svg, right, width, "target");
    draw_head(svg, false, "in place, in plain C: one cell after the other");
    svg_note(svg, "framed: the cell; dashed: it reads a value that is new already");
    for (int i = 0; i < width; i++) {
        const double x = LEFT + i * side, y = svg->height;
        char name[16];
        now[i] = wrong[i];
        snprintf(name, sizeof name, "cell %d", i);
        draw_row(svg, now, width, name);
        svg_rectangle(svg, x, y, side, TALL, (struct svg_paint){NULL, "#212529", 2.5, NULL});
        if (i > 0)
            svg_rectangle(svg, x - side + 2, y + 2, side - 4, TALL - 4,
                          (struct svg_paint){NULL, "#c92a2a", 1.5, "3 2"});
    }
}

static void describe(struct svg *svg, const char *words, const double *values, int count)
{
    svg_describe(svg, "%s", words);
    for (int i = 0; i < count; i++)
        svg_describe(svg, " %.3g", values[i]);
}

enum qp_status draw_pingpong(struct drawing *drawing)
{
    const struct qp_walk_desc desc = {.iterations = 1, .keep_solution = true};
    struct svg *svg = &drawing->svg;
    double before[MOST], right[MOST], wrong[MOST], scale = 0.0;
    const int width = drawing->problem.width;
    struct qp_result result = {0};
    int off = 0;
    enum qp_status status = start(drawing, before);
    if (status == QP_OK)
        status = draw_run(drawing, NULL, &desc, &result);
    if (status != QP_OK)
        return status;
    memcpy(wrong, before, sizeof wrong);
    drawing->problem.op->step(&drawing->problem, wrong, wrong, &scale);
    for (int i = 0; i < width; i++) {
        right[i] = qp_matrix_value(&result.solution, (size_t)i);
        off += right[i] != wrong[i];
    }
    qp_matrix_destroy(&result.solution);
    if (off == 0 && width > 1)
        return draw_refuse(drawing, "has no wrong cell when it takes a step in one array",
                           "poisson5/luminance");
    svg_title(svg, "One step by ping-pong, and in place");
    svg_note(svg, "a cell becomes a quarter of the sum of its two neighbours");
    svg_describe(svg, "A cell becomes a quarter of the sum of its two neighbours. ");
    describe(svg, "Source", before, width);
    describe(svg, "; by two textures", right, width);
    describe(svg, "; in place, by the reference with one array", wrong, width);
    svg_describe(svg, ". %d of %d are wrong, for left neighbours are new already.", off, width);
    draw_both(svg, before, right, wrong, width);
    svg_note(svg, "%d of %d cells are wrong: the value ran through the row", off, width);
    return QP_OK;
}
