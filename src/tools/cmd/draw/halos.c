/* SPDX-License-Identifier: MIT */
/* Parts of a grid: what each owns, gives and takes, as the engine of parts cuts them
 * (lab/engines/parts/parts.h). */
#include "lab/engines/choose.h"
#include "lab/engines/parts/parts.h"
#include "tools/cmd/draw/draw.h"

enum { NOTHING, OWN, HALO, GIVEN, PAINTS, IN_LINE = 3 };

static const char *const paints[PAINTS] = {"#f1f3f5", "#8ecae6", "#ffb703", "#1d6fa5"};

struct place {
    const struct qp_plan_parts *parts;
    int part, height; /* height of the whole grid */
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

static void draw_parts(struct drawing *drawing, const struct qp_plan_parts *parts)
{
    const int width = drawing->problem.width, height = drawing->problem.height;
    const int in_line = parts->count < IN_LINE ? parts->count : IN_LINE;
    const double side = svg_side(width, in_line, 20);
    struct svg *svg = &drawing->svg;
    svg_title(svg, "%s: %d parts of %d x %d", drawing->variant->name, parts->count, width, height);
    svg->height += SVG_TEXT;
    svg_legend(svg, SVG_MARGIN, svg->height, paints[OWN], "own cells");
    svg_legend(svg, 100, svg->height, paints[GIVEN], "own, and given");
    svg_legend(svg, 230, svg->height, paints[HALO], "halo, taken");
    svg->height += 4;
    svg_describe(svg, "Steps from one exchange to the next: %d.", parts->depth);
    for (int k = 0; k < parts->count; k++) {
        const struct qp_plan_part *part = &parts->part[k];
        const struct place place = {parts, k, height};
        struct svg_raster raster =
            svg_squares(width, height, side, paints, PAINTS, paint_at, &place);
        raster.every[0] = raster.every[1] = 1;
        svg_panel(svg, raster, k, in_line, "part %d", k + 1);
        svg_describe(svg, " Part %d owns %d x %d cells from (%d, %d) on and computes %d x %d.",
                     k + 1, part->own.width, part->own.height, part->own.x, part->own.y,
                     part->all.width, part->all.height);
    }
}

enum qp_status draw_halos(struct drawing *drawing)
{
    struct qp_plan *plan = NULL;
    if (qp_engine_of(drawing->variant) != &qp_engine_parts)
        return draw_refuse(drawing, "computes its grid as a whole", "poisson5/parts_rgba");
    const struct qp_walk_desc desc = {.parts = drawing->options->parts};
    enum qp_status status =
        qp_plan_create(drawing->context, drawing->variant, &drawing->problem, &desc, &plan);
    if (status == QP_OK)
        draw_parts(drawing, qp_parts_of(plan));
    qp_plan_destroy(&plan);
    return status;
}
