/* SPDX-License-Identifier: MIT */
/* The layouts of a row's arrays: each cell's number is packed in its place, as room 2 packs its
 * value, and what the texels then hold is drawn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cmd/draw/draw.h"
#include "engines/choose.h"

/* What a value of a texel is, from here on: a cell of matrix 0, 1 ... */
enum { GUARD = -2, PADDING = -1, PAINTS = 10 };

static const char *const paints[PAINTS] = {"#8ecae6", "#f4a261", "#a7c957", "#d4a5e0", "#f2d16b",
                                           "#84dcc6", "#f7a6b4", "#b8b8f3", "#c9ada7", "#e0e1dd"};
static const char *const guard_paint = "#6c757d", *const padding_paint = "#dee2e6";

/* An array, packed, as a raster of its values: those of a texel lie beside and below each other. */
struct raster_of_values {
    const struct qp_layout *layout;
    const char *name;
    int matrix_width;  /* cells of a row, */
    long cells;        /* and of a matrix */
    int columns, rows; /* texels that are drawn beside and above each other */
    int across, down;  /* values of a texel, likewise */
    void *texels;
};

/* Packs numbers: of cell k of matrix m, m cells + k. */
static enum qp_status pack(struct raster_of_values *array)
{
    const struct qp_layout *layout = array->layout;
    const size_t bytes = qp_value_bytes(layout->precision);
    void *numbers = qp_alloc((size_t)array->cells, bytes, "numbers of cells");
    array->texels = qp_alloc(qp_layout_values(layout), bytes, "an array's texels");
    const enum qp_status status = numbers != NULL && array->texels != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        qp_layout_poison(layout, array->texels);
    for (int slot = 0; slot < layout->slots && status == QP_OK; slot++) {
        for (long k = 0; k < array->cells; k++)
            qp_set_value(numbers, layout->precision, (size_t)k, (double)(slot * array->cells + k));
        qp_layout_pack(layout, slot, numbers, PADDING, array->texels);
    }
    free(numbers);
    return status;
}

/* Memory in one long row is drawn in lines as long as the matrix's. */
static enum qp_status make(const struct qp_layout *layout, const char *name, int width, int height,
                           struct raster_of_values *out)
{
    const bool flat = layout->storage_y == 1 && layout->storage_x > 2 * width;
    const int columns = flat ? width : layout->storage_x;
    *out = (struct raster_of_values){.layout = layout,
                                     .name = name,
                                     .matrix_width = width,
                                     .cells = (long)width * height,
                                     .columns = columns,
                                     .rows = flat ? (layout->storage_x + columns - 1) / columns
                                                  : layout->storage_y,
                                     .across = layout->channels > 1 ? 2 : 1,
                                     .down = layout->channels > 2 ? 2 : 1};
    return pack(out);
}

/* Number of the value in a line, from the top, and a column of the raster; GUARD, PADDING. Rows of
 * a texture go up, as a window's do; lines of memory go down. */
static long number_at(const struct raster_of_values *array, int column, int line)
{
    const struct qp_layout *layout = array->layout;
    const bool flat = array->columns != layout->storage_x;
    const int row = flat ? line / array->down : array->rows - 1 - line / array->down;
    const long texel = (long)row * array->columns + column / array->across;
    const int channel = line % array->down * array->across + column % array->across;
    if (texel >= (long)layout->storage_x * layout->storage_y)
        return GUARD;
    const double value =
        qp_value(array->texels, layout->precision, (size_t)(texel * layout->channels + channel));
    return isnan(value) ? GUARD : (long)value;
}

/* The matrix of such a number. */
static int kind_at(const struct raster_of_values *array, int column, int line)
{
    const long number = number_at(array, column, line);
    return number < 0 ? (int)number : (int)(number / array->cells) % PAINTS;
}

/* Fills all values of one kind, neighbours of a line by one rectangle. */
static void fill(struct svg *svg, const struct raster_of_values *array, int kind, double x,
                 double y, double side)
{
    const int columns = array->columns * array->across, lines = array->rows * array->down;
    const double width = side / array->across, height = side / array->down;
    svg_cells_begin(svg, kind == GUARD     ? guard_paint
                         : kind == PADDING ? padding_paint
                                           : paints[kind]);
    for (int line = 0; line < lines; line++) {
        for (int first = 0, end; first < columns; first = end + 1) {
            for (end = first; end < columns && kind_at(array, end, line) == kind; end++)
                continue;
            if (end > first)
                svg_cell(svg, x + first * width, y + line * height, (end - first) * width, height);
        }
    }
    svg_cells_end(svg);
}

/* Names the cell that each value holds, where there is room. */
static void label(struct svg *svg, const struct raster_of_values *array, double x, double y,
                  double side)
{
    enum { LEAST = 22 };
    const double width = side / array->across, height = side / array->down;
    for (int line = 0; line < array->rows * array->down && width >= LEAST; line++) {
        for (int column = 0; column < array->columns * array->across; column++) {
            const long number = number_at(array, column, line), cell = number % array->cells;
            if (number >= 0)
                svg_text(svg, x + (column + 0.5) * width, y + (line + 0.5) * height + 4, SVG_SMALL,
                         SVG_MIDDLE, "%ld,%ld", cell % array->matrix_width,
                         cell / array->matrix_width);
        }
    }
}

static void draw_array(struct svg *svg, const struct raster_of_values *array, double x, double y,
                       double side)
{
    const int matrices = array->layout->slots < PAINTS ? array->layout->slots : PAINTS;
    for (int kind = GUARD; kind < matrices; kind++)
        fill(svg, array, kind, x, y, side);
}

/* Lines between texels. */
static void draw_grid(struct svg *svg, const struct raster_of_values *array, double x, double y,
                      double side)
{
    const struct svg_paint paint = {.stroke = "#fff", .width = 1.5};
    for (int i = 0; i <= array->columns; i++)
        svg_line(svg, x + i * side, y, x + i * side, y + array->rows * side, paint);
    for (int j = 0; j <= array->rows; j++)
        svg_line(svg, x, y + j * side, x + array->columns * side, y + j * side, paint);
}

/* Texels by what they hold: cells in all or some of their values, padding alone, guards. */
static void count(const struct raster_of_values *array, long texels[3])
{
    memset(texels, 0, 3 * sizeof texels[0]);
    for (long k = 0; k < (long)qp_layout_values(array->layout); k += array->layout->channels) {
        int holds = 2;
        for (int c = 0; c < array->layout->channels; c++) {
            const double value = qp_value(array->texels, array->layout->precision, (size_t)(k + c));
            if (!isnan(value))
                holds = value >= 0.0 ? 0 : holds < 1 ? holds : 1;
        }
        texels[holds]++;
    }
}

/* How a texel's values are drawn, and how memory is. */
static const char *note_of(const struct raster_of_values *array)
{
    return array->columns != array->layout->storage_x ? "memory, in lines of a row's length"
           : array->layout->slots > 1                 ? "a colour for each matrix"
           : array->layout->channels > 2              ? "four values in each: x, y above z, w"
           : array->layout->channels > 1              ? "two values in each: x, y"
                                                      : "each holds cell i,j of row j";
}

static void legend(struct svg *svg, const struct raster_of_values *array)
{
    long texels[3];
    const int values = array->layout->channels;
    count(array, texels);
    svg_text(svg, SVG_MARGIN, svg->height + SVG_TEXT, SVG_TEXT, SVG_START, "%s", note_of(array));
    svg->height += 2 * SVG_LINE;
    svg_legend(svg, SVG_MARGIN, svg->height, (struct svg_paint){.fill = paints[0]},
               "%ld with cells", texels[0]);
    svg_legend(svg, 125, svg->height, (struct svg_paint){.fill = padding_paint}, "%ld of padding",
               texels[1]);
    svg_legend(svg, 240, svg->height, (struct svg_paint){.fill = guard_paint}, "%ld guards",
               texels[2]);
    svg_describe(svg,
                 "%s is %d x %d texels of %d value%s, %s: %ld hold cells, %ld padding, which is "
                 "read but not written, and %ld are guards, which nobody may touch.",
                 array->name, array->layout->storage_x, array->layout->storage_y, values,
                 values > 1 ? "s" : "", qp_format_name(array->layout->shape.format), texels[0],
                 texels[1], texels[2]);
}

/* The state, as large as the page is wide, each value with its cell. */
static void draw_state(struct svg *svg, const struct raster_of_values *array)
{
    enum { WIDEST = 48, TALLEST = 600 };
    const double room = SVG_WIDTH - 2 * SVG_MARGIN;
    const double side = fmin(fmin(room / array->columns, WIDEST), (double)TALLEST / array->rows);
    const double x = SVG_MARGIN + (room - side * array->columns) / 2;
    legend(svg, array);
    svg->height += SVG_MARGIN;
    draw_array(svg, array, x, svg->height, side);
    draw_grid(svg, array, x, svg->height, side);
    label(svg, array, x, svg->height, side);
    svg->height += array->rows * side + SVG_MARGIN;
}

/* Arrays that the row reads, all to one scale. */
static enum qp_status draw_inputs(struct svg *svg, const struct qp_plan *plan)
{
    enum { SLOT = 86, IN_LINE = 4 };
    const struct qp_problem *problem = plan->problem;
    double tallest = 0.0, side = 4.0;
    enum qp_status status = QP_OK;
    for (int pass = 0; pass < 2; pass++) { /* the scale, and with it the pictures */
        for (int i = 0; i < plan->inputs && status == QP_OK; i++) {
            struct raster_of_values array;
            status = make(&plan->input_layout[i], plan->variant->recipe->input[i].name,
                          problem->width, problem->height, &array);
            if (status == QP_OK && pass == 0) {
                side = fmin(side, (SLOT - 10.0) / array.columns);
            } else if (status == QP_OK) {
                const double x = SVG_MARGIN + SLOT * (i % IN_LINE);
                svg->height += i % IN_LINE == 0 ? tallest : 0.0;
                tallest = i % IN_LINE == 0 ? 0.0 : tallest;
                tallest = fmax(tallest, array.rows * side + SVG_LINE + SVG_MARGIN);
                svg_text(svg, x, svg->height + SVG_TEXT, SVG_SMALL, SVG_START, "%s", array.name);
                draw_array(svg, &array, x, svg->height + SVG_LINE, side);
            }
            free(array.texels);
        }
    }
    svg->height += tallest;
    return status;
}

/* The row's plan: of rows whose engine lays arrays out, as it arranges them. */
static enum qp_status make_plan(struct drawing *drawing, struct qp_plan *outline,
                                struct qp_plan **plan)
{
    const struct qp_variant *row = drawing->row;
    *plan = NULL;
    *outline = qp_plan_outline(row, &drawing->problem);
    if (qp_engine_of(row)->arrange == NULL)
        return QP_OK;
    enum qp_status status = draw_open(drawing);
    if (status == QP_OK)
        status = qp_plan_create(drawing->context, row, &drawing->problem, &(struct qp_walk_desc){0},
                                plan);
    return status;
}

static enum qp_status draw_plan(struct drawing *drawing, const struct qp_plan *plan)
{
    const struct qp_problem *problem = &drawing->problem;
    struct svg *svg = &drawing->svg;
    struct raster_of_values state;
    enum qp_status status = make(&plan->layout, problem->op->field[problem->op->state].name,
                                 problem->answer_width, problem->answer_height, &state);
    snprintf(svg->title, sizeof svg->title, "Layout of %s, %d x %d cells", drawing->row->name,
             problem->width, problem->height);
    svg_heading(svg, "%s: %s of %d x %d texels", drawing->row->name, state.name,
                plan->layout.storage_x, plan->layout.storage_y);
    svg->height = SVG_HEADING;
    if (status == QP_OK)
        draw_state(svg, &state);
    free(state.texels);
    if (status == QP_OK && plan->inputs > 0)
        svg_describe(svg, " It reads %d more array%s.", plan->inputs, plan->inputs > 1 ? "s" : "");
    return status == QP_OK ? draw_inputs(svg, plan) : status;
}

enum qp_status draw_layout(struct drawing *drawing)
{
    struct qp_plan outline, *plan;
    enum qp_status status = make_plan(drawing, &outline, &plan);
    if (status == QP_OK)
        status = draw_plan(drawing, plan != NULL ? plan : &outline);
    qp_plan_destroy(&plan);
    return status;
}
