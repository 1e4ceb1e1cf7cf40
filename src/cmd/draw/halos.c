/* SPDX-License-Identifier: MIT */
/* Parts of a grid: what each owns, its halo, and the rows that neighbours give each other, as the
 * engine of parts cuts them (engines/parts.h). */
#include "base/status.h"
#include "cmd/draw/draw.h"
#include "engines/choose.h"
#include "engines/parts.h"

enum { NOTHING, OWN, HALO, GIVEN, PAINTS };

static const char *const paints[PAINTS] = {"#f1f3f5", "#8ecae6", "#ffb703", "#1d6fa5"};

struct place {
    const struct qp_plan_parts *parts;
    int part, height; /* of the whole grid */
};

static bool is_in(const struct qp_part_area *area, int x, int y)
{
    return x >= area->x && x < area->x + area->width && y >= area->y && y < area->y + area->height;
}

/* An owned cell is given where it lies in another part's halo. */
static int paint_at(const void *user, int column, int line)
{
    const struct place *place = user;
    const struct qp_plan_parts *parts = place->parts;
    const int row = place->height - 1 - line;
    int paint = is_in(&parts->part[place->part].own, column, row)   ? OWN
                : is_in(&parts->part[place->part].all, column, row) ? HALO
                                                                    : NOTHING;
    for (int k = 0; k < parts->count && paint == OWN; k++)
        paint = k != place->part && is_in(&parts->part[k].all, column, row) ? GIVEN : OWN;
    return paint;
}

static void draw_part(struct drawing *drawing, const struct place *place, double x, double side)
{
    const struct qp_plan_part *part = &place->parts->part[place->part];
    const struct qp_problem *problem = &drawing->problem;
    struct svg *svg = &drawing->svg;
    svg_text(svg, x, svg->height + SVG_TEXT, SVG_SMALL, SVG_START, "part %d", place->part + 1);
    svg_draw_raster(svg, &(struct svg_raster){.x = x,
                                              .y = svg->height + SVG_LINE,
                                              .width = side,
                                              .height = side,
                                              .columns = problem->width,
                                              .lines = problem->height,
                                              .paints = paints,
                                              .count = PAINTS,
                                              .every = {1, 1},
                                              .paint_at = paint_at,
                                              .user = place});
    svg_describe(svg, " Part %d owns %d x %d cells from (%d, %d) on and computes %d x %d.",
                 place->part + 1, part->own.width, part->own.height, part->own.x, part->own.y,
                 part->all.width, part->all.height);
}

static void draw_parts(struct drawing *drawing, const struct qp_plan_parts *parts)
{
    enum { IN_LINE = 4, GAP = 8, WIDEST = 20 };
    const struct qp_problem *problem = &drawing->problem;
    struct svg *svg = &drawing->svg;
    const int beside = parts->count < IN_LINE ? parts->count : IN_LINE;
    const double slot = (double)(SVG_INSIDE + GAP) / beside, room = (slot - GAP) / problem->width;
    const double side = room < WIDEST ? room : WIDEST;
    svg_title(svg, "%s: %d parts of %d x %d", drawing->row->name, parts->count, problem->width,
              problem->height);
    svg->height += SVG_TEXT;
    svg_legend(svg, SVG_MARGIN, svg->height, paints[OWN], "own cells");
    svg_legend(svg, 100, svg->height, paints[GIVEN], "own, and given");
    svg_legend(svg, 230, svg->height, paints[HALO], "halo, taken");
    svg->height += 4;
    svg_describe(svg, "Steps from one exchange to the next: %d.", parts->depth);
    for (int k = 0; k < parts->count; k++) {
        const struct place place = {parts, k, problem->height};
        draw_part(drawing, &place, SVG_MARGIN + k % beside * slot, side);
        if (k % beside == beside - 1 || k == parts->count - 1)
            svg->height += SVG_LINE + problem->height * side + GAP;
    }
}

enum qp_status draw_halos(struct drawing *drawing)
{
    struct qp_plan *plan = NULL;
    if (qp_engine_of(drawing->row) != &qp_engine_parts)
        return qp_fail(QP_BAD_USE,
                       "%s computes its grid as a whole; halos shows rows in parts, such as "
                       "poisson5/parts_rgba",
                       drawing->row->name);
    enum qp_status status =
        qp_plan_create(drawing->context, drawing->row, &drawing->problem,
                       &(struct qp_walk_desc){.parts = drawing->options->parts}, &plan);
    if (status == QP_OK)
        draw_parts(drawing, qp_parts_of(plan));
    qp_plan_destroy(&plan);
    return status;
}
