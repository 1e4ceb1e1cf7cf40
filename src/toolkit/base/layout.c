/* SPDX-License-Identifier: MIT */
#include "toolkit/base/layout.h"

#include <math.h>
#include <string.h>

#include "toolkit/base/bands.h"

/* Work on an array, for bands of rows. */
struct work {
    const struct qp_layout *layout;
    int slot;
    const void *values;
    float padding;
    void *texels, *out; /* arrays of which only one is written */
};

static size_t values_in_row(const struct qp_layout *layout)
{
    return (size_t)layout->storage_x * (size_t)layout->channels;
}

static double poison_rows(void *user, size_t first, size_t end)
{
    const struct work *work = user;
    const size_t row = values_in_row(work->layout);
    for (size_t i = first * row; i < end * row; i++)
        qp_set_value(work->texels, work->layout->precision, i, NAN);
    return 0.0;
}

void qp_layout_poison(const struct qp_layout *layout, void *texels)
{
    struct work work = {.layout = layout, .texels = texels};
    qp_bands((size_t)layout->storage_y, values_in_row(layout), poison_rows, &work);
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

/* First value of texel (x, y) of a slot, counted from the domain's first; it
 * may lie in the padding. */
static size_t place(const struct qp_layout *layout, int slot, int x, int y)
{
    bool in_channels = layout->shape.slots == QP_IN_CHANNELS;
    int across = x * layout->stride + (in_channels ? 0 : slot);
    if (layout->shape.slots == QP_IN_STAMPS)
        across = QP_STAMP * (x / QP_STAMP * layout->slots + slot) + x % QP_STAMP;
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
    const int sheets = layout->sheets / batch->tiles, values = batch->rows * batch->columns;
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
        value = 4 * (column % (QP_STAMP * width) / QP_STAMP) + k;
        column = QP_STAMP * (column / (QP_STAMP * width)) + column % QP_STAMP;
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

/* True where row y of the matrix is stored as it is, value after value. */
static bool is_plain_row(const struct qp_layout *layout, int y)
{
    return layout->channels == 1 && layout->stride == 1 && layout->shape.slots != QP_IN_STAMPS &&
           layout->square == 0 && layout->column == 0 && layout->shape.standing == QP_NO_BATCH &&
           y >= 0 && y < layout->cells_y;
}

/* Texels of row y from column `begin` to `end`. */
static void pack_texels(const struct qp_layout *layout, int slot, int y, int begin, int end,
                        const void *values, float padding, void *texels)
{
    const enum qp_precision precision = layout->precision;
    for (int x = begin; x < end; x++) {
        const size_t first = place(layout, slot, x, y);
        for (int k = 0; k < cells_in_texel(layout); k++) {
            long cell = cell_at(layout, x, y, k);
            double value = cell < 0         ? padding
                           : values != NULL ? qp_value(values, precision, (size_t)cell)
                                            : qp_unwritten();
            qp_set_value(texels, precision, first + (size_t)k, value);
        }
    }
}

/* Writes row y's texels; without values, unwritten cells. */
static void pack_row(const struct qp_layout *layout, int slot, int y, const void *values,
                     void *texels)
{
    const enum qp_precision precision = layout->precision;
    const size_t cells = (size_t)layout->cells_x, first = place(layout, slot, 0, y);
    if (values != NULL)
        memcpy(qp_value_at(texels, precision, first),
               qp_value_at(values, precision, (size_t)y * cells),
               cells * qp_value_bytes(precision));
    for (size_t x = 0; x < cells && values == NULL; x++)
        qp_set_value(texels, precision, first + x, qp_unwritten());
}

static double pack_rows(void *user, size_t begin, size_t behind)
{
    const struct work *w = user;
    const struct qp_layout *layout = w->layout;
    const int end = layout->domain_x + layout->pad_x;
    for (int y = first_row(layout) + (int)begin; y < first_row(layout) + (int)behind; y++) {
        bool plain = is_plain_row(layout, y);
        pack_texels(layout, w->slot, y, -layout->pad_x, plain ? 0 : end, w->values, w->padding,
                    w->texels);
        if (!plain)
            continue;
        pack_row(layout, w->slot, y, w->values, w->texels);
        pack_texels(layout, w->slot, y, layout->domain_x, end, w->values, w->padding, w->texels);
    }
    return 0.0;
}

void qp_layout_pack(const struct qp_layout *layout, int slot, const void *values, float padding,
                    void *texels)
{
    struct work work = {layout, slot, values, padding, texels, NULL};
    qp_bands((size_t)(end_row(layout) - first_row(layout)), values_in_row(layout), pack_rows,
             &work);
}

/* Reads row y, which is stored as it is, or a texel's cells. */
static void unpack_row(const struct qp_layout *layout, int slot, int y, const void *texels,
                       void *values)
{
    const enum qp_precision precision = layout->precision;
    const size_t cells = (size_t)layout->cells_x;
    memcpy(qp_value_at(values, precision, (size_t)y * cells),
           qp_value_at(texels, precision, place(layout, slot, 0, y)),
           cells * qp_value_bytes(precision));
}

static void unpack_texel(const struct qp_layout *layout, int slot, int x, int y, const void *texels,
                         void *values)
{
    const enum qp_precision precision = layout->precision;
    const size_t first = place(layout, slot, x, y);
    for (int k = 0; k < cells_in_texel(layout); k++) {
        long cell = cell_at(layout, x, y, k);
        if (cell >= 0)
            qp_set_value(values, precision, (size_t)cell,
                         qp_value(texels, precision, first + (size_t)k));
    }
}

static double unpack_rows(void *user, size_t first, size_t end)
{
    const struct work *work = user;
    for (int y = (int)first; y < (int)end; y++) {
        if (is_plain_row(work->layout, y)) {
            unpack_row(work->layout, work->slot, y, work->values, work->out);
            continue;
        }
        for (int x = 0; x < work->layout->domain_x; x++)
            unpack_texel(work->layout, work->slot, x, y, work->values, work->out);
    }
    return 0.0;
}

void qp_layout_unpack(const struct qp_layout *layout, int slot, const void *texels, void *values)
{
    struct work work = {.layout = layout, .slot = slot, .values = texels, .out = values};
    qp_bands((size_t)(layout->domain_y * layout->sheets), values_in_row(layout), unpack_rows,
             &work);
}

/* Beyond a row's last cell, inside its texel, a computation that overflowed may carry NaN over.
 * `first` is the texel's first value. */
static bool overflowed(const struct qp_layout *layout, const void *texels, size_t first, int x,
                       int y)
{
    for (int k = 0; k < cells_in_texel(layout); k++) {
        if (cell_at(layout, x, y, k) >= 0 &&
            !isfinite(qp_value(texels, layout->precision, first + (size_t)k)))
            return true;
    }
    return false;
}

static bool texel_intact(const struct qp_layout *layout, const void *texels, size_t first, int x,
                         int y, float padding)
{
    bool guard = x < -layout->pad_x || x >= layout->domain_x + layout->pad_x ||
                 y < first_row(layout) || y >= end_row(layout);
    for (int k = 0; k < layout->channels; k++) {
        const double value = qp_value(texels, layout->precision, first + (size_t)k);
        bool outside = cell_at(layout, x, y, k % cells_in_texel(layout)) < 0;
        if (guard ? !isnan(value) : outside && !isnan(padding) && value != padding)
            return !guard && overflowed(layout, texels, first, x, y);
    }
    return true;
}

/* Padding that is computed along with cells: the rows above the matrix in its sheets, and texels
 * that squares leave free. An overflow anywhere may have spread to them. */
static bool is_computed(const struct qp_layout *layout, int x, int y)
{
    bool inside = x >= 0 && x < layout->domain_x && y >= 0 && y < layout->domain_y * layout->sheets;
    return inside && (layout->square > 0 || (layout->sheets > 1 && y >= layout->cells_y));
}

static bool any_overflowed(const struct qp_layout *layout, const void *texels)
{
    for (int y = 0; y < layout->domain_y * layout->sheets; y++) {
        for (int x = 0; x < layout->domain_x; x++) {
            if (overflowed(layout, texels, place(layout, 0, x, y), x, y))
                return true;
        }
    }
    return false;
}

/* The place of the first texel that is not intact from `column` of this row of storage on; false if
 * all are. */
static bool find_written(const struct work *work, int row, int *column, int *x, int *y)
{
    const struct qp_layout *layout = work->layout;
    *y = (row % layout->sheet_y - layout->origin_y) * layout->sheets + row / layout->sheet_y;
    for (; *column < layout->storage_x; ++*column) {
        *x = *column - layout->origin_x;
        if (*x == 0 && is_plain_row(layout, *y)) { /* skip its cells, which may be anything */
            *column += layout->cells_x - 1;
            continue;
        }
        const size_t first =
            (size_t)row * values_in_row(layout) + (size_t)*column * (size_t)layout->channels;
        if (!texel_intact(layout, work->values, first, *x, *y, work->padding))
            return true;
    }
    return false;
}

/* Minus the first row with such a texel. */
static double find_rows(void *user, size_t first, size_t end)
{
    int x, y, row = (int)first;
    for (; row < (int)end; row++) {
        int column = 0;
        if (find_written(user, row, &column, &x, &y))
            break;
    }
    return row < (int)end ? -(double)row : -INFINITY;
}

bool qp_layout_intact(const struct qp_layout *layout, const void *texels, float padding, int *x,
                      int *y)
{
    struct work work = {.layout = layout, .values = texels, .padding = padding};
    const double found =
        qp_bands((size_t)layout->storage_y, values_in_row(layout), find_rows, &work);
    bool forgives = false; /* cells computed along are forgiven; looked up when it matters */
    for (int row = isinf(found) ? layout->storage_y : (int)-found; row < layout->storage_y; row++) {
        for (int column = 0; find_written(&work, row, &column, x, y); column++) {
            forgives = forgives || any_overflowed(layout, texels);
            if (!forgives || !is_computed(layout, *x, *y))
                return false;
        }
    }
    return true;
}
