/* SPDX-License-Identifier: MIT */
/* A matrix with nine bands, and the same entries in textures: each band is one, or a channel of
 * one, in which an entry is at the cell of its row. */
#include "lab/ops/jacobi9/jacobi9.h"
#include "tools/cmd/draw/draw.h"

enum { ROW = 30, TALL = 20, IN_LINE = 3 };

struct band {
    const struct drawing *drawing;
    const struct qp_problem *problem;
    int number;
};

/* 1 where the cell has no such neighbour, and the matrix no entry; or else 0. */
static int paint_at(const void *user, int column, int line)
{
    const struct band *band = user;
    const int x = column + qp_band_dx(band->number);
    const int y =
        draw_row_at(band->drawing, line, band->problem->height) + qp_band_dy(band->number);
    return x < 0 || x >= band->problem->width || y < 0 || y >= band->problem->height;
}

static double entry(const struct band *band, int column, int line)
{
    const int row = draw_row_at(band->drawing, line, band->problem->height);
    return band->problem->field[band->number].values[row * band->problem->width + column];
}

/* Draws the entries of a band in a matrix whose first row is at this height. */
static void draw_entries(struct svg *svg, const struct band *band)
{
    const int width = band->problem->width, cells = width * band->problem->height;
    const double side = (double)SVG_INSIDE / cells;
    for (int i = 0; i < cells; i++) {
        const int x = i % width, line = i / width;
        const int row = draw_row_at(band->drawing, line, band->problem->height) * width + x;
        const int column = row + qp_band_dx(band->number) + qp_band_dy(band->number) * width;
        const double left = SVG_MARGIN + column * side, top = svg->height + row * (double)ROW;
        if (paint_at(band, x, line) != 0)
            continue;
        svg_rectangle(svg, left, top, side, ROW,
                      (struct svg_paint){draw_colour(band->number), "#fff", 1, NULL});
        svg_text(svg, left + side / 2, top + 12, SVG_SMALL, SVG_MIDDLE, "%s",
                 band->problem->op->field[band->number].name);
        svg_number(svg, left + side / 2, top + 21, side - 6, entry(band, x, line));
    }
}

/* Name of a band's texture, and of its channel where a texel holds several bands; "": none. */
static void name_texture(const struct band *band, char name[64])
{
    const struct qp_recipe *recipe = band->drawing->variant->recipe;
    name[0] = '\0';
    for (int i = 0; i < qp_recipe_inputs(recipe); i++) {
        for (int c = 0; c < recipe->input[i].fields; c++) {
            if (recipe->input[i].field[c] == band->number)
                snprintf(name, 64, "%s%.*s", recipe->input[i].name,
                         recipe->input[i].fields > 1 ? 2 : 0, &".x.y.z.w"[2 * (c % 4)]);
        }
    }
}

static void draw_texture(struct svg *svg, const struct band *band, int number, const char *name)
{
    const int width = band->problem->width, height = band->problem->height;
    const char *const paints[] = {draw_colour(band->number), "#fff"};
    struct svg_raster raster =
        svg_squares(width, height, svg_side(width, IN_LINE, SVG_INSIDE), paints, 2, paint_at, band);
    raster.height = TALL, raster.every[0] = raster.every[1] = 1;
    raster = svg_panel(svg, raster, number, IN_LINE, "%s: %s",
                       band->problem->op->field[band->number].name, name);
    svg_stripe_paint(svg, &raster, 1);
    for (int i = 0; i < width * height; i++) {
        const int column = i % width, line = i / width;
        if (paint_at(band, column, line) == 0)
            svg_number(svg, raster.x + (column + 0.5) * raster.width,
                       raster.y + (line + 0.5) * TALL, raster.width - 6, entry(band, column, line));
    }
}

/* Textures are beside each other as the neighbours of a cell are. */
enum qp_status draw_bands(struct drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    const struct qp_problem *problem = &drawing->problem;
    const int cells = problem->width * problem->height;
    struct band band = {drawing, problem, 0};
    svg_title(svg, "A matrix of %d x %d entries and its nine bands", cells, cells);
    svg_note(svg, "a row for each of %d x %d cells, row 0 at the top", problem->width,
             problem->height);
    svg_rectangle(svg, SVG_MARGIN, svg->height, SVG_INSIDE, (double)ROW * cells,
                  (struct svg_paint){.stroke = "#adb5bd"});
    for (; problem->op == &qp_op_jacobi9 && band.number < QP_JACOBI9_BANDS; band.number++)
        draw_entries(svg, &band);
    svg->height += (double)ROW * cells + SVG_GAP;
    svg_note(svg, "a texel for each cell; striped: no neighbour, no entry");
    for (int i = 0; i < QP_JACOBI9_BANDS; i++) {
        char name[64] = "";
        for (band.number = 0; problem->op == &qp_op_jacobi9; band.number++) {
            if (qp_band_dx(band.number) == i % 3 - 1 && qp_band_dy(band.number) == 1 - i / 3)
                break;
        }
        if (problem->op == &qp_op_jacobi9 && drawing->variant->backend == QP_GL)
            name_texture(&band, name);
        if (name[0] == '\0')
            return draw_refuse(drawing, "has no texture for each of nine bands",
                               "jacobi9/luminance");
        draw_texture(svg, &band, i, name);
    }
    svg_describe(svg,
                 "The matrix of a grid of %d x %d cells has entries in nine bands alone, named "
                 "after the neighbour's row and column: l one less, d the same, u one more. Each "
                 "band is a texture, a texel for each cell: %d numbers in place of %d.",
                 problem->width, problem->height, 9 * cells, cells * cells);
    return QP_OK;
}
