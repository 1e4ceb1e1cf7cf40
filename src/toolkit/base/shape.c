/* SPDX-License-Identifier: MIT */
/* Shapes at one size: where domain, padding and guards begin and end. */
#include "toolkit/base/layout.h"
#include "toolkit/base/whole.h"

enum { GUARD = 1, VALUES_PER_LINE = 16 /* a cache line of 64 bytes, or two of doubles */ };

static int round_up(int number, int multiple)
{
    return qp_groups_in(number, multiple) * multiple;
}

/* Makes one long row: no padding rows, and a guard wide enough that the first cell starts a cache
 * line, or where the shape wants it. */
static void make_flat(struct qp_layout *layout, int width)
{
    layout->pad_x = width + 1;
    int before = layout->pad_x * layout->stride + GUARD;
    layout->origin_x =
        round_up(before, layout->shape.align > 0 ? layout->shape.align : VALUES_PER_LINE);
    layout->storage_x =
        layout->origin_x + (layout->domain_x + layout->pad_x) * layout->stride + GUARD;
    layout->storage_y = 1;
}

/* Whole stamps, without padding; the guard before them is as wide as one, so that
 * each begins a cache line. */
static void make_stamps(struct qp_layout *layout)
{
    int stamps = qp_groups_in(layout->domain_x, QP_STAMP);
    layout->origin_x = QP_STAMP;
    layout->origin_y = GUARD;
    layout->storage_x = QP_STAMP + stamps * QP_STAMP * layout->slots + GUARD;
    layout->storage_y = layout->domain_y + 2 * GUARD;
}

static int square_root_up(int number)
{
    int root = 1;
    while (root * root < number)
        root++;
    return root;
}

/* Arranges the rows of a sheet as squares, all together about a square again, without padding. */
static void make_squares(struct qp_layout *layout)
{
    int rows = layout->domain_y;
    layout->square = square_root_up(layout->cells_x);
    layout->across = square_root_up(rows);
    layout->domain_x = layout->across * layout->square;
    layout->domain_y = qp_groups_in(rows, layout->across) * layout->square;
    layout->origin_x = layout->origin_y = GUARD;
    layout->storage_x = layout->domain_x + 2 * GUARD;
    layout->storage_y = layout->domain_y + 2 * GUARD;
}

/* Rows that begin where the shape wants it are as long as the next multiple, as cudaMallocPitch
 * makes them, or the next odd one; the guards take what is left. */
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
                               .precision = qp_format_precision(shape.format),
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
    layout.domain_x = qp_groups_in(layout.cells_x, layout.neighbours);
    int rows = layout.rows * layout.sheets;
    layout.domain_y = qp_groups_in(layout.cells_y, rows);
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

/* Sheets of a tile. */
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
                               .precision = qp_format_precision(shape.format),
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
        layout.origin_x = QP_STAMP; /* as make_stamps has it */
        layout.storage_x = QP_STAMP + layout.domain_x + GUARD;
    }
    layout.sheet_y = layout.storage_y;
    layout.storage_y *= layout.sheets;
    return layout;
}

int qp_layout_unit(const struct qp_layout *layout)
{
    return layout->rows * layout->sheets;
}

size_t qp_layout_values(const struct qp_layout *layout)
{
    return (size_t)layout->storage_x * (size_t)layout->storage_y * (size_t)layout->channels;
}

size_t qp_layout_bytes(const struct qp_layout *layout)
{
    return qp_layout_values(layout) * qp_value_bytes(layout->precision);
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
