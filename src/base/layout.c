/* SPDX-License-Identifier: MIT */
#include "base/layout.h"

#include <math.h>
#include <string.h>

enum {
    GUARD = 1,
    FLOATS_PER_LINE = 16 /* a cache line of 64 bytes */,
    STAMP = 4 /* texels: width of a stamp (a group of four texels of one matrix) */
};

static int round_up(int number, int multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

/* Flat arrays are one long row: no padding rows, and a guard wide enough that the first cell starts a
 * cache line, or where the shape wants it. */
static void make_flat(struct qp_layout *layout, int width)
{
    layout->pad_x = width + 1;
    int before = layout->pad_x * layout->stride + GUARD;
    layout->origin_x =
        round_up(before, layout->shape.align > 0 ? layout->shape.align : FLOATS_PER_LINE);
    layout->storage_x =
        layout->origin_x + (layout->domain_x + layout->pad_x) * layout->stride + GUARD;
    layout->storage_y = 1;
}

/* Stamps (four texels of each matrix in turn) stand without padding; the guard before them is as wide as one,
 * so that each begins a cache line. */
static void make_stamps(struct qp_layout *layout)
{
    int stamps = (layout->domain_x + STAMP - 1) / STAMP;
    layout->origin_x = STAMP;
    layout->origin_y = GUARD;
    layout->storage_x = STAMP + stamps * STAMP * layout->slots + GUARD;
    layout->storage_y = layout->domain_y + 2 * GUARD;
}

static int square_root_up(int number)
{
    int root = 1;
    while (root * root < number)
        root++;
    return root;
}

/* Rows as squares: as many squares as rows in a sheet, together about a square again, without padding. */
static void make_squares(struct qp_layout *layout)
{
    int rows = layout->domain_y;
    layout->square = square_root_up(layout->cells_x);
    layout->across = square_root_up(rows);
    layout->domain_x = layout->across * layout->square;
    layout->domain_y = (rows + layout->across - 1) / layout->across * layout->square;
    layout->origin_x = layout->origin_y = GUARD;
    layout->storage_x = layout->domain_x + 2 * GUARD;
    layout->storage_y = layout->domain_y + 2 * GUARD;
}

/* Pitched rows (shape.align) are as long as the next multiple, as cudaMallocPitch makes them, or the next
 * odd multiple; the guards take the texels left over. */
static void make_rectangle(struct qp_layout *layout)
{
    const int align = layout->shape.align > 0 ? layout->shape.align : 1;
    layout->pad_x = layout->shape.pad_x;
    layout->pad_y = layout->shape.pad_y;
    layout->origin_x = round_up(GUARD + layout->pad_x * layout->stride, align);
    layout->origin_y = GUARD + layout->pad_y;
    layout->storage_x = round_up(
        layout->origin_x + (layout->domain_x + layout->pad_x) * layout->stride + GUARD, align);
    if (layout->shape.odd && layout->storage_x / align % 2 == 0)
        layout->storage_x += align;
    layout->storage_y = layout->domain_y + 2 * layout->pad_y + 2 * GUARD;
}

struct qp_layout qp_layout_make(struct qp_shape shape, int width, int height, int slots)
{
    struct qp_layout layout = {.shape = shape,
                               .cells_x = shape.flat ? width * height : width,
                               .cells_y = shape.flat ? 1 : height,
                               .slots = slots,
                               .channels = qp_format_channels(shape.format),
                               .neighbours = shape.neighbours > 1 ? shape.neighbours : 1,
                               .rows = shape.rows > 1 ? shape.rows : 1,
                               .sheets = shape.sheets > 1 ? shape.sheets : 1,
                               .stride = shape.slots == QP_ABREAST ? slots : 1,
                               .row = width,
                               .column = shape.columns ? height : 0};
    layout.domain_x = (layout.cells_x + layout.neighbours - 1) / layout.neighbours;
    int rows = layout.rows * layout.sheets;
    layout.domain_y = (layout.cells_y + rows - 1) / rows;
    if (shape.flat)
        make_flat(&layout, width);
    else if (shape.slots == QP_IN_STAMPS)
        make_stamps(&layout);
    else if (shape.squares)
        make_squares(&layout);
    else
        make_rectangle(&layout);
    layout.sheet_y = layout.storage_y;
    layout.storage_y *= layout.sheets;
    return layout;
}

/* Number of sheets (textures of one array) that a batch's tile takes. */
static int sheets_of(struct qp_shape shape, const struct qp_batch *batch)
{
    return shape.standing == QP_AS_SHEETS ? (batch->rows * batch->columns + 3) / 4 : 1;
}

void qp_layout_system(struct qp_shape shape, int rows, int columns, int *width, int *height)
{
    const bool spread = shape.standing == QP_AS_BLOCKS || shape.standing == QP_AS_PLANES;
    *width = spread ? columns : shape.standing == QP_AS_LISTS ? (rows * columns + 3) / 4 : 1;
    *height = spread ? rows : 1;
}

struct qp_layout qp_layout_make_batch(struct qp_shape shape, struct qp_batch batch)
{
    struct qp_layout layout = {.shape = shape,
                               .slots = 1,
                               .channels = qp_format_channels(shape.format),
                               .neighbours = qp_format_channels(shape.format),
                               .rows = 1,
                               .sheets = batch.tiles * sheets_of(shape, &batch),
                               .stride = 1,
                               .batch = batch};
    int width, height;
    qp_layout_system(shape, batch.rows, batch.columns, &width, &height);
    layout.domain_x = batch.across * width;
    layout.domain_y = batch.up * height;
    layout.cells_x = layout.domain_x * layout.neighbours; /* padding among them */
    layout.cells_y = layout.domain_y * layout.sheets;
    make_rectangle(&layout);
    if (shape.standing == QP_AS_LISTS) {
        layout.origin_x = STAMP; /* as make_stamps has it */
        layout.storage_x = STAMP + layout.domain_x + GUARD;
    }
    layout.sheet_y = layout.storage_y;
    layout.storage_y *= layout.sheets;
    return layout;
}

size_t qp_layout_floats(const struct qp_layout *layout)
{
    return (size_t)layout->storage_x * (size_t)layout->storage_y * (size_t)layout->channels;
}

void qp_layout_place(const struct qp_layout *layout, int column, int row, int *x, int *y)
{
    const int side = layout->square, line = row / (layout->rows * layout->sheets);
    *x = layout->origin_x + column / layout->neighbours * layout->stride;
    *y = layout->origin_y + line;
    if (side > 0) {
        *x = layout->origin_x + line % layout->across * side + column % side;
        *y = layout->origin_y + line / layout->across * side + column / side;
    }
}

void qp_layout_poison(const struct qp_layout *layout, float *texels)
{
    size_t floats = qp_layout_floats(layout);
    for (size_t i = 0; i < floats; i++)
        texels[i] = NAN;
}

/* Rows of texels, padding included, run from first_row to end_row through all sheets in turn. */
static int first_row(const struct qp_layout *layout)
{
    return -layout->pad_y * layout->sheets;
}

static int end_row(const struct qp_layout *layout)
{
    return (layout->domain_y + layout->pad_y) * layout->sheets;
}

/* First float of texel (x, y) of a slot, counted from the domain's first; it
 * may lie in the padding. */
static size_t place(const struct qp_layout *layout, int slot, int x, int y)
{
    bool in_channels = layout->shape.slots == QP_IN_CHANNELS;
    int across = x * layout->stride + (in_channels ? 0 : slot);
    if (layout->shape.slots == QP_IN_STAMPS)
        across = STAMP * (x / STAMP * layout->slots + slot) + x % STAMP;
    size_t column = (size_t)(layout->origin_x + across);
    int up = y - first_row(layout); /* not negative */
    int in_sheet = layout->origin_y - layout->pad_y + up / layout->sheets;
    size_t row = (size_t)(up % layout->sheets * layout->sheet_y + in_sheet);
    size_t texel = row * (size_t)layout->storage_x + column;
    return texel * (size_t)layout->channels + (in_channels ? (size_t)slot : 0);
}

/* Cells in a texel of one slot. */
static int cells_in_texel(const struct qp_layout *layout)
{
    return layout->neighbours * layout->rows;
}

/* Row-major index of the cell in texel (x, y), if rows are squares; -1 outside the matrix. */
static long cell_in_square(const struct qp_layout *layout, int x, int y)
{
    const int side = layout->square, up = y / layout->sheets;
    if (x < 0 || x >= layout->domain_x || y < 0 || up >= layout->domain_y)
        return -1;
    long row = (long)(up / side * layout->across + x / side) * layout->sheets + y % layout->sheets;
    long column = (long)(up % side) * side + x % side;
    return row < layout->cells_y && column < layout->cells_x ? row * layout->cells_x + column : -1;
}

/* Row-major index of the k-th value of a batch's texel. */
static long cell_in_batch(const struct qp_layout *layout, int x, int y, int k)
{
    const struct qp_batch *batch = &layout->batch;
    const int sheets = sheets_of(layout->shape, batch), values = batch->rows * batch->columns;
    int width, height, value, sheet = y % layout->sheets, row = y / layout->sheets, column = x;
    if (x < 0 || x >= layout->domain_x || y < 0 || row >= layout->domain_y)
        return -1;
    qp_layout_system(layout->shape, batch->rows, batch->columns, &width, &height);
    if (layout->shape.standing == QP_AS_BLOCKS) {
        value = row % height * width + column % width;
        row /= height;
        column /= width;
    } else if (layout->shape.standing == QP_AS_PLANES) {
        value = row / batch->up * width + column / batch->across;
        row %= batch->up;
        column %= batch->across;
    } else if (layout->shape.standing == QP_AS_LISTS) {
        value = 4 * (column % (STAMP * width) / STAMP) + k;
        column = STAMP * (column / (STAMP * width)) + column % STAMP;
    } else {
        value = 4 * (sheet % sheets) + k;
    }
    long system = ((long)(sheet / sheets) * batch->up + row) * batch->across + column;
    if (layout->shape.standing == QP_AS_PLANES)
        system = 4 * system + k;
    return value < values && system < batch->count ? system * values + value : -1;
}

/* Row-major index of value x of a column-major array. */
static long cell_in_columns(const struct qp_layout *layout, long x)
{
    if (x < 0 || x >= layout->cells_x)
        return -1;
    const long place = x % ((long)layout->row * layout->column);
    return x - place + place % layout->column * layout->row + place / layout->column;
}

/* Row-major index of the k-th cell of texel (x, y), for any layout. */
static long cell_at(const struct qp_layout *layout, int x, int y, int k)
{
    if (layout->square > 0)
        return cell_in_square(layout, x, y);
    if (layout->shape.standing != QP_NO_BATCH)
        return cell_in_batch(layout, x, y, k);
    if (layout->column > 0)
        return cell_in_columns(layout, x);
    long column = (long)x * layout->neighbours + k % layout->neighbours;
    long row = (long)y * layout->rows + k / layout->neighbours;
    if (column < 0 || column >= layout->cells_x || row < 0 || row >= layout->cells_y)
        return -1;
    return row * layout->cells_x + column;
}

/* True where row y of the matrix stands as it is, value after value. */
static bool is_plain_row(const struct qp_layout *layout, int y)
{
    return layout->channels == 1 && layout->stride == 1 && layout->shape.slots != QP_IN_STAMPS &&
           layout->square == 0 && layout->column == 0 && layout->shape.standing == QP_NO_BATCH &&
           y >= 0 && y < layout->cells_y;
}

/* Texels of row y from column `begin` to `end`. */
static void pack_texels(const struct qp_layout *layout, int slot, int y, int begin, int end,
                        const float *values, float padding, float *texels)
{
    for (int x = begin; x < end; x++) {
        float *texel = texels + place(layout, slot, x, y);
        for (int k = 0; k < cells_in_texel(layout); k++) {
            long cell = cell_at(layout, x, y, k);
            texel[k] = cell < 0 ? padding : values != NULL ? values[cell] : qp_unwritten();
        }
    }
}

/* Packs one row, cell after cell; without values its cells are qp_unwritten(). */
static void pack_row(const struct qp_layout *layout, const float *values, float *cells)
{
    if (values != NULL)
        memcpy(cells, values, (size_t)layout->cells_x * sizeof *cells);
    for (int x = 0; x < layout->cells_x && values == NULL; x++)
        cells[x] = qp_unwritten();
}

void qp_layout_pack(const struct qp_layout *layout, int slot, const float *values, float padding,
                    float *texels)
{
    const int end = layout->domain_x + layout->pad_x;
    for (int y = first_row(layout); y < end_row(layout); y++) {
        bool plain = is_plain_row(layout, y);
        pack_texels(layout, slot, y, -layout->pad_x, plain ? 0 : end, values, padding, texels);
        if (!plain)
            continue;
        pack_row(layout, values != NULL ? values + (size_t)y * (size_t)layout->cells_x : NULL,
                 texels + place(layout, slot, 0, y));
        pack_texels(layout, slot, y, layout->domain_x, end, values, padding, texels);
    }
}

void qp_layout_unpack(const struct qp_layout *layout, int slot, const float *texels, float *values)
{
    const size_t cells = (size_t)layout->cells_x;
    for (int y = 0; y < layout->domain_y * layout->sheets; y++) {
        if (is_plain_row(layout, y)) {
            memcpy(values + (size_t)y * cells, texels + place(layout, slot, 0, y),
                   cells * sizeof *values);
            continue;
        }
        for (int x = 0; x < layout->domain_x; x++) {
            const float *texel = texels + place(layout, slot, x, y);
            for (int k = 0; k < cells_in_texel(layout); k++) {
                long cell = cell_at(layout, x, y, k);
                if (cell >= 0)
                    values[cell] = texel[k];
            }
        }
    }
}

/* Beyond a row's last cell, inside its texel, a computation that overflowed may carry NaN over. */
static bool overflowed(const struct qp_layout *layout, const float *texel, int x, int y)
{
    for (int k = 0; k < cells_in_texel(layout); k++) {
        if (cell_at(layout, x, y, k) >= 0 && !isfinite(texel[k]))
            return true;
    }
    return false;
}

static bool texel_intact(const struct qp_layout *layout, const float *texel, int x, int y,
                         float padding)
{
    bool guard = x < -layout->pad_x || x >= layout->domain_x + layout->pad_x ||
                 y < first_row(layout) || y >= end_row(layout);
    for (int k = 0; k < layout->channels; k++) {
        bool outside = cell_at(layout, x, y, k % cells_in_texel(layout)) < 0;
        if (guard ? !isnan(texel[k]) : outside && !isnan(padding) && texel[k] != padding)
            return !guard && overflowed(layout, texel, x, y);
    }
    return true;
}

/* Padding that is computed along with cells: the rows above the matrix in its sheets, and texels that squares
 * leave free. An overflow anywhere may have spread to them. */
static bool is_computed(const struct qp_layout *layout, int x, int y)
{
    bool inside = x >= 0 && x < layout->domain_x && y >= 0 && y < layout->domain_y * layout->sheets;
    return inside && (layout->square > 0 || (layout->sheets > 1 && y >= layout->cells_y));
}

static bool any_overflowed(const struct qp_layout *layout, const float *texels)
{
    for (int y = 0; y < layout->domain_y * layout->sheets; y++) {
        for (int x = 0; x < layout->domain_x; x++) {
            if (overflowed(layout, texels + place(layout, 0, x, y), x, y))
                return true;
        }
    }
    return false;
}

bool qp_layout_intact(const struct qp_layout *layout, const float *texels, float padding, int *x,
                      int *y)
{
    const float *texel = texels;
    bool forgives = false; /* padding computed along may be anything; looked up when it matters */
    for (int row = 0; row < layout->storage_y; row++) {
        *y = (row % layout->sheet_y - layout->origin_y) * layout->sheets + row / layout->sheet_y;
        for (int column = 0; column < layout->storage_x; column++) {
            *x = column - layout->origin_x;
            if (*x == 0 && is_plain_row(layout, *y)) { /* skip its cells, which may be anything */
                column += layout->cells_x - 1;
                texel += layout->cells_x;
                continue;
            }
            if (!texel_intact(layout, texel, *x, *y, padding)) {
                forgives = forgives || any_overflowed(layout, texels);
                if (!forgives || !is_computed(layout, *x, *y))
                    return false;
            }
            texel += layout->channels;
        }
    }
    return true;
}
