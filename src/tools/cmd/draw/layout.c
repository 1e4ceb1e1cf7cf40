/* SPDX-License-Identifier: MIT */
/* Layouts of a variant's arrays: the number of each cell is packed as stage 2 packs its value, and
 * what the texels then hold is drawn. Entries of a sparse matrix have the numbers of a dense one's
 * cells. */
#include <math.h>
#include <stdlib.h>

#include "lab/engines/choose.h"
#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/draw/draw.h"

/* Paints of values: guards, padding, places, and cells of one matrix or several. */
enum { GUARD, PADDING, PLACES, CELLS, PAINTS = CELLS + 10 };

static const char *paints[PAINTS] = {"#6c757d", "#dee2e6", "#f8f9fa"};

enum { MOST_ROWS = 9 }; /* rows of a matrix that is drawn itself */

/* Values that are no cell's number. */
enum { EMPTY = -1, PLACE = -2 };

/* An array whose values are numbers: of cell k of matrix m, m cells + k; of an entry in row i and
 * column j, i rows + j. */
struct array {
    const struct drawing *drawing;
    const struct qp_layout *layout;
    float *entries; /* the numbers, in the field's order; NULL: they count on */
    int matrix_width;
    long numbers;      /* in a field */
    long cells;        /* cells of a matrix */
    bool flat;         /* memory in one long row, drawn in lines as long as the matrix's */
    bool diagonals;    /* a colour for each diagonal, else for each row or matrix */
    int columns, rows; /* texels that are drawn beside and above each other */
    int across, down;  /* values of a texel, likewise */
    void *texels;
    int count[4]; /* texels with cells, of padding alone, guards; or values, and places */
};

/* Numbers of the entries in a field of a sparse matrix, EMPTY where it has none; NULL for a field
 * without any. Entries of rows sorted by length have places beside them. */
static float *entries_of(const struct qp_problem *problem, int field)
{
    const struct qp_sparse *a = problem->sparse;
    const bool has_entries = field == QP_SPMV_VALUE || field == QP_SPMV_SLICE_VALUE ||
                             field == QP_SPMV_DIAGONALS || field == QP_SPMV_SLICED_VALUE ||
                             field == QP_SPMV_ELL_VALUE || field == QP_SPMV_SORTED_ENTRIES;
    if (a == NULL || !has_entries)
        return NULL;
    const struct qp_size size = qp_field_size(problem, field);
    const size_t count = (size_t)size.width * (size_t)size.height;
    struct qp_problem numbered = *problem;
    struct qp_sparse matrix = *a;
    numbered.sparse = &matrix;
    matrix.value = qp_alloc(a->count + 1, sizeof *matrix.value, "numbers of entries");
    float *values = matrix.value != NULL ? qp_alloc_floats(count, "numbers of entries") : NULL;
    for (int i = 0; i < a->rows && values != NULL; i++)
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
            matrix.value[k] = (float)(i * a->rows + a->column[k] - EMPTY);
    if (values != NULL && qp_spmv_derive(&numbered, field, QP_FLOATS, count, values) != QP_OK) {
        free(values);
        values = NULL;
    }
    for (size_t k = 0; k < count && values != NULL; k++)
        values[k] =
            field == QP_SPMV_SORTED_ENTRIES && k % 4 > 0 ? (float)PLACE : values[k] + (float)EMPTY;
    free(matrix.value);
    return values;
}

static enum qp_status pack(struct array *array)
{
    const struct qp_layout *layout = array->layout;
    const size_t bytes = qp_value_bytes(layout->precision);
    void *numbers = qp_alloc((size_t)array->numbers, bytes, "numbers of cells");
    array->texels = qp_alloc(qp_layout_values(layout), bytes, "an array's texels");
    const bool made = numbers != NULL && array->texels != NULL;
    if (made)
        qp_layout_poison(layout, array->texels);
    for (int slot = 0; slot < layout->slots && made; slot++) {
        for (long k = 0; k < array->numbers; k++)
            qp_set_value(numbers, layout->precision, (size_t)k,
                         array->entries != NULL ? array->entries[k]
                                                : (double)(slot * array->cells + k));
        qp_layout_pack(layout, slot, numbers, -1.0f, array->texels);
    }
    free(numbers);
    return made ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status make(const struct drawing *drawing, int field, const struct qp_layout *layout,
                           struct array *out)
{
    const struct qp_problem *problem = &drawing->problem;
    const bool is_state = field == problem->op->state;
    const struct qp_size size =
        is_state ? (struct qp_size){problem->answer_width, problem->answer_height}
                 : qp_field_size(problem, field);
    float *entries = entries_of(problem, field);
    const int rows = entries != NULL ? problem->sparse->rows : 0;
    const int width = entries != NULL ? rows : qp_least(size.width, problem->width);
    const long cells = entries != NULL ? (long)rows * rows : (long)size.width * size.height;
    const bool flat = layout->storage_y == 1 && layout->storage_x > 2 * width;
    *out = (struct array){.drawing = drawing,
                          .layout = layout,
                          .entries = entries,
                          .matrix_width = width,
                          .numbers = (long)size.width * size.height,
                          .cells = cells,
                          .flat = flat,
                          .diagonals = entries != NULL && field == QP_SPMV_DIAGONALS,
                          .columns = flat ? width : layout->storage_x,
                          .rows = flat ? (layout->storage_x - 1) / width + 1 : layout->storage_y,
                          .across = layout->channels > 1 ? 2 : 1,
                          .down = layout->channels > 2 ? 2 : 1};
    return pack(out);
}

/* The value in a line, from the top, and a column. Lines of memory go down. */
static double value_at(const struct array *array, int column, int line)
{
    const struct qp_layout *layout = array->layout;
    const int row = array->flat ? line / array->down
                                : draw_row_at(array->drawing, line / array->down, array->rows);
    const int texel = row * array->columns + column / array->across;
    const int channel = line % array->down * array->across + column % array->across;
    return texel < layout->storage_x * layout->storage_y
               ? qp_value(array->texels, layout->precision,
                          (size_t)(texel * layout->channels + channel))
               : NAN;
}

static int paint_of(const struct array *array, long number)
{
    const long of_a_colour = array->entries != NULL ? array->matrix_width : array->cells;
    const long row = number / of_a_colour, column = number % of_a_colour;
    return CELLS +
           (int)(array->diagonals ? array->matrix_width + column - row : row) % (PAINTS - CELLS);
}

static int paint_at(const void *user, int column, int line)
{
    const struct array *array = user;
    const double value = value_at(array, column, line);
    return isnan(value)     ? GUARD
           : value == PLACE ? PLACES
           : value < 0      ? PADDING
                            : paint_of(array, (long)value);
}

static void discard(struct array *array)
{
    free(array->entries);
    free(array->texels);
}

static struct svg_raster raster_of(const struct array *array, double side)
{
    struct svg_raster raster =
        svg_squares(array->columns * array->across, array->rows * array->down, side / array->across,
                    paints, PAINTS, paint_at, array);
    raster.height = side / array->down;
    return raster;
}

static void count_texels(struct array *array)
{
    const int together = array->entries != NULL ? 1 : array->layout->channels;
    for (size_t k = 0; k < qp_layout_values(array->layout); k += (size_t)together) {
        int holds = 2;
        for (int c = 0; c < together; c++) {
            const double value = qp_value(array->texels, array->layout->precision, k + (size_t)c);
            holds = value >= 0.0 || holds == 0 ? 0 : value == PLACE ? 3 : isnan(value) ? holds : 1;
        }
        array->count[holds]++;
    }
}

/* Says on the page and in the description what there is. */
static void draw_legend(struct svg *svg, struct array *array)
{
    const struct qp_layout *layout = array->layout;
    count_texels(array);
    const char *note = array->flat            ? "memory, in lines of a row's length"
                       : array->diagonals     ? "i,j: row i, column j; a colour a diagonal"
                       : array->count[3] > 0  ? "a colour and number a row; pale: places"
                       : array->entries       ? "a colour a row; i,j: row i, column j"
                       : layout->slots > 1    ? "a colour for each matrix"
                       : layout->channels > 2 ? "four values in each: x, y above z, w"
                       : layout->channels > 1 ? "two values in each: x, y"
                                              : "each holds i,j: cell i of row j";
    const char *const words[] = {array->entries != NULL ? "%d entries" : "%d with cells",
                                 "%d of padding", "%d guards"};
    static const int paint[] = {CELLS, PADDING, GUARD}, at[] = {SVG_MARGIN, 125, 240};
    svg->height += SVG_TEXT;
    svg_text(svg, SVG_MARGIN, svg->height, SVG_TEXT, SVG_START, "%s", note);
    svg->height += SVG_LINE + 4;
    for (int i = 0; i < 3; i++) {
        char text[32];
        snprintf(text, sizeof text, words[i], array->count[i]);
        if (array->count[i] > 0)
            svg_legend(svg, at[i], svg->height,
                       paints[i == 0 && array->diagonals ? paint_of(array, 0) : paint[i]], "%s",
                       text);
        if (array->count[i] > 0 && paint[i] == PADDING)
            svg_stripes(svg, at[i], svg->height - 9, 10, 10);
    }
    svg->height += SVG_MARGIN;
    svg_describe(
        svg,
        array->entries != NULL
            ? "Of %d texels, %d value%s each (%s), %d values are entries, %d zeros of padding, %d "
              "guards, which nobody may touch, and %d places of entries."
            : "Of %d texels, %d value%s each (%s), %d hold cells, %d are padding, which is read "
              "but not written, and %d are guards, which nobody may touch.",
        layout->storage_x * layout->storage_y, layout->channels, layout->channels > 1 ? "s" : "",
        qp_format_name(layout->shape.format), array->count[0], array->count[1], array->count[2],
        array->count[3]);
}

/* The names of cells, where they fit. */
static void label(struct svg *svg, const struct array *array, const struct svg_raster *raster)
{
    enum { LEAST = 22 };
    for (int i = 0; raster->width >= LEAST && i < raster->columns * raster->lines; i++) {
        const int column = i % raster->columns, line = i / raster->columns;
        const double value = value_at(array, column, line);
        const long cell = value >= 0.0 ? (long)value % array->cells : -1;
        const long across = cell % array->matrix_width, up = cell / array->matrix_width;
        if (cell >= 0)
            svg_text(svg, raster->x + (column + 0.5) * raster->width,
                     raster->y + (line + 0.5) * raster->height + 4, SVG_SMALL, SVG_MIDDLE,
                     "%ld,%ld", array->entries != NULL ? up : across,
                     array->entries != NULL ? across : up);
    }
}

/* Rows of entries that share their texels with places: names have no room there. */
static void label_rows(struct svg *svg, const struct array *array, const struct svg_raster *raster)
{
    for (int i = 0; i + 1 < raster->columns * raster->lines; i++) {
        const int column = i % raster->columns, line = i / raster->columns;
        const double value = value_at(array, column, line);
        if (value >= 0.0 && value_at(array, column + 1, line) == PLACE)
            svg_text(svg, raster->x + (column + 1) * raster->width,
                     raster->y + (line + 1) * raster->height + 4, SVG_SMALL, SVG_MIDDLE, "%ld",
                     (long)value / array->matrix_width);
    }
}

/* The matrix itself, whose diagonals are slanted, with their names at its edge. */
static void draw_matrix(struct svg *svg, const struct array *array)
{
    enum { SIDE = 24, LEFT = SVG_MARGIN + 44, EDGE = 22 };
    const struct qp_sparse *a = array->drawing->problem.sparse;
    const double top = svg->height + EDGE, end = LEFT + a->rows * SIDE;
    bool told[2 * MOST_ROWS] = {false};
    svg_rectangle(svg, LEFT, top, end - LEFT, end - LEFT, (struct svg_paint){.stroke = "#adb5bd"});
    for (int i = 0; i < a->rows; i++) {
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
            const int j = a->column[k], d = j - i;
            const double x = LEFT + j * SIDE, y = top + i * SIDE;
            const int paint = paint_of(array, (long)i * a->rows + j);
            svg_rectangle(svg, x, y, SIDE, SIDE,
                          (struct svg_paint){paints[paint], "#fff", 1, NULL});
            svg_text(svg, x + SIDE / 2.0, y + 16, SVG_SMALL, SVG_MIDDLE, "%d,%d", i, j);
            if (!told[d + a->rows])
                svg_text(svg, d < 0 ? LEFT - 6 : x + SIDE / 2.0, d < 0 ? y + 16 : top - 5, SVG_TEXT,
                         d < 0 ? SVG_END : SVG_MIDDLE, d > 0 ? "+%d" : "%d", d);
            told[d + a->rows] = true;
        }
    }
    svg_text(svg, end + 12, top + 14, SVG_SMALL, SVG_START, "the matrix; at its edge");
    svg_text(svg, end + 12, top + 29, SVG_SMALL, SVG_START, "j - i, the diagonal's name");
    svg->height = top + a->rows * SIDE + SVG_MARGIN;
    svg_note(svg, "the texture: a diagonal is a column of texels, four rows in each");
}

/* Names of diagonals in the guards above their columns of texels. */
static void label_columns(struct svg *svg, const struct array *array,
                          const struct svg_raster *raster)
{
    for (int texel = 0; texel < array->columns; texel++) {
        double value = -1.0;
        for (int i = 0; i < raster->lines * array->across && !(value >= 0.0); i++)
            value = value_at(array, texel * array->across + i % array->across, i / array->across);
        const int d = (int)((long)value % array->matrix_width - (long)value / array->matrix_width);
        if (value >= 0.0) {
            const double x = raster->x + (texel + 0.5) * array->across * raster->width;
            const double y = raster->y + array->down * raster->height;
            svg_rectangle(svg, x - 12, y - 20, 24, 16, (struct svg_paint){.fill = "#fff"});
            svg_text(svg, x, y - 8, SVG_TEXT, SVG_MIDDLE, d > 0 ? "+%d" : "%d", d);
        }
    }
}

/* Draws the array with a sparse matrix's entries, or else the state, large. */
static enum qp_status draw_first(struct drawing *drawing, const struct qp_plan *plan)
{
    enum { WIDEST = 48, TALLEST = 600 };
    const struct qp_problem *problem = &drawing->problem;
    const struct qp_op *op = problem->op;
    const struct qp_input *input = drawing->variant->recipe->input;
    struct svg *svg = &drawing->svg;
    struct array array;
    enum qp_status status = QP_OK;
    const char *name = NULL;
    for (int i = problem->sparse != NULL ? 0 : plan->inputs; name == NULL; i++) {
        const bool last = i == plan->inputs;
        status = make(drawing, last ? op->state : input[i].field[0],
                      last ? &plan->layout : &plan->input_layout[i], &array);
        if (last || status != QP_OK || array.entries != NULL)
            name = last ? op->field[op->state].name : input[i].name;
        else
            discard(&array);
    }
    const struct qp_layout *layout = array.layout;
    drawing->upright = drawing->upright || array.flat;
    const double side = svg_side(array.columns, 1, fmin(WIDEST, (double)TALLEST / array.rows));
    svg_title(svg, "Layout of %s: %s, %d x %d texels", drawing->variant->name, name,
              layout->storage_x, layout->storage_y);
    if (status == QP_OK) {
        struct svg_raster raster = raster_of(&array, side);
        draw_legend(svg, &array);
        if (array.diagonals && problem->sparse->rows <= MOST_ROWS)
            draw_matrix(svg, &array);
        raster.x = (SVG_WIDTH - side * array.columns) / 2;
        raster.y = svg->height;
        raster.every[0] = array.across, raster.every[1] = array.down;
        svg_draw_raster(svg, &raster);
        svg_stripe_paint(svg, &raster, PADDING);
        label(svg, &array, &raster);
        label_rows(svg, &array, &raster);
        if (array.diagonals)
            label_columns(svg, &array, &raster);
        svg->height += array.rows * side + SVG_MARGIN;
    }
    discard(&array);
    return status;
}

static enum qp_status draw_inputs(struct drawing *drawing, const struct qp_plan *plan)
{
    enum { IN_LINE = 4, WIDEST = 4 };
    enum qp_status status = QP_OK;
    if (plan->inputs > 0)
        svg_describe(&drawing->svg, " It reads %d more array%s.", plan->inputs,
                     plan->inputs > 1 ? "s" : "");
    for (int i = 0; i < plan->inputs && status == QP_OK; i++) {
        struct array array;
        status = make(drawing, drawing->variant->recipe->input[i].field[0], &plan->input_layout[i],
                      &array);
        array.across = array.down = 1; /* too small for more than a texel's first value */
        if (status == QP_OK)
            svg_panel(&drawing->svg, raster_of(&array, svg_side(array.columns, IN_LINE, WIDEST)), i,
                      IN_LINE, "%s", drawing->variant->recipe->input[i].name);
        discard(&array);
    }
    return status;
}

/* Variants whose engine arranges arrays by itself are asked for their plan. A sparse matrix that a
 * variant does not take may not fit into the variant's arrays. */
enum qp_status draw_layout(struct drawing *drawing)
{
    const struct qp_plan outline = qp_plan_outline(drawing->variant, &drawing->problem);
    const bool asks = qp_engine_of(drawing->variant)->arrange != NULL;
    struct qp_plan *plan = NULL;
    for (int i = CELLS; i < PAINTS; i++)
        paints[i] = draw_colour(i - CELLS);
    enum qp_status status = drawing->problem.sparse != NULL
                                ? qp_variant_takes(drawing->variant, &drawing->problem)
                                : QP_OK;
    if (status == QP_OK && asks)
        status = qp_plan_create(drawing->context, drawing->variant, &drawing->problem,
                                &(struct qp_walk_desc){0}, &plan);
    if (status == QP_OK)
        status = draw_first(drawing, asks ? plan : &outline);
    if (status == QP_OK)
        status = draw_inputs(drawing, asks ? plan : &outline);
    qp_plan_destroy(&plan);
    return status;
}
