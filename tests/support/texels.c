/* SPDX-License-Identifier: MIT */
#include "support/texels.h"

#include <stdlib.h>

#include "toolkit/base/status.h"

const struct texels_array texels_arrays[] = {
    {{.format = QP_LUMINANCE32F}, 1},
    {{.format = QP_LUMINANCE32F, .neighbours = 1, .pad_x = 1, .pad_y = 2}, 1},
    {{.format = QP_R32F, .pad_x = 3}, 1},
    {{.format = QP_R32F, .slots = QP_ABREAST, .pad_x = 1, .pad_y = 1}, 9},
    {{.format = QP_RGBA32F, .neighbours = 4}, 1},
    {{.format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 1}, 1},
    {{.format = QP_RGBA32F, .neighbours = 4, .slots = QP_ABREAST}, 9},
    {{.format = QP_RGBA32F, .neighbours = 4, .slots = QP_ABREAST, .pad_x = 2, .pad_y = 1}, 3},
    {{.format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 2}, 4},
    {{.format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 2}, 3},
    {{.format = QP_R32F, .flat = true}, 1},
    {{.format = QP_R32F, .slots = QP_ABREAST, .flat = true}, 9},
    {{.format = QP_RGBA32F, .neighbours = 2, .rows = 2, .pad_x = 1, .pad_y = 1}, 1},
    {{.format = QP_RGBA32F, .neighbours = 4, .slots = QP_IN_STAMPS}, 9},
    {{.format = QP_R32F, .slots = QP_IN_STAMPS}, 3},
    {{.format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = 1, .pad_y = 1}, 1},
    {{.format = QP_R32F, .sheets = 3, .pad_x = 1, .pad_y = 2}, 1},
    {{.format = QP_LUMINANCE32F, .squares = true}, 1},
    {{.format = QP_R32F, .squares = true, .sheets = 4}, 1},
    {{.format = QP_R32F, .pad_x = 1, .pad_y = 1, .align = 8}, 1},
    {{.format = QP_R32F, .align = 8, .odd = true}, 1},
};

/* 1x1, one row, one column, 3x3, primes, multiples of four and not, one above a power of two. */
const int texels_sizes[][2] = {{1, 1},   {1, 7}, {7, 1}, {3, 3},  {4, 2},  {5, 2},
                               {13, 11}, {8, 8}, {6, 5}, {30, 2}, {16, 3}, {65, 9}};

static int floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Row r is the square number r, or r / sheets of the sheet r % sheets, read line by line. */
static struct texels_meaning meaning_in_square(const struct qp_layout *layout, int x, int y,
                                               int sheet)
{
    const int side = layout->square;
    if (x < 0 || x >= layout->across * side || y < 0 || y >= layout->domain_y)
        return (struct texels_meaning){GUARD, 0, 0};
    int row = (x / side + layout->across * (y / side)) * layout->sheets + sheet;
    int column = x % side + side * (y % side);
    if (row >= layout->cells_y || column >= layout->cells_x)
        return (struct texels_meaning){PADDING, 0, 0};
    return (struct texels_meaning){CELL, 0, row * layout->cells_x + column};
}

struct texels_meaning texels_meaning(const struct qp_layout *layout, int index)
{
    bool abreast = layout->shape.slots == QP_ABREAST, deep = layout->shape.slots == QP_IN_CHANNELS;
    int channel = index % layout->channels;
    int column = index / layout->channels % layout->storage_x - layout->origin_x;
    int line = index / layout->channels / layout->storage_x; /* through all sheets */
    int y = line % layout->sheet_y - layout->origin_y;
    if (layout->square > 0)
        return meaning_in_square(layout, column, y, line / layout->sheet_y);
    int x = abreast ? floor_div(column, layout->slots) : column;
    int slot = deep ? channel : abreast ? column - x * layout->slots : 0;
    if (layout->shape.slots == QP_IN_STAMPS) {
        int group = floor_div(column, 4), stamp = floor_div(group, layout->slots);
        x = 4 * stamp + column - 4 * group;
        slot = group - stamp * layout->slots;
    }
    int cell = x * layout->neighbours + channel % layout->neighbours;
    int row = y * layout->rows + channel / layout->neighbours % layout->rows;
    if (layout->sheets > 1)
        row = y * layout->sheets + line / layout->sheet_y;
    if (slot >= layout->slots || x < -layout->pad_x || x >= layout->domain_x + layout->pad_x ||
        y < -layout->pad_y || y >= layout->domain_y + layout->pad_y)
        return (struct texels_meaning){GUARD, slot, 0};
    if (cell < 0 || cell >= layout->cells_x || row < 0 || row >= layout->cells_y)
        return (struct texels_meaning){PADDING, slot, 0};
    return (struct texels_meaning){CELL, slot, row * layout->cells_x + cell};
}

float texels_value(int slot, int cell)
{
    return (float)(slot * 1000 + cell) + 0.25f;
}

float texels_padding(int slot)
{
    return -1.0f - (float)slot;
}

float *texels_pack(const struct qp_layout *layout, int cells, bool computed)
{
    float *texels = qp_alloc_floats(qp_layout_values(layout), "a test's texels");
    float *values = qp_alloc_floats((size_t)cells, "a test's values");
    assert_true(texels != NULL && values != NULL);
    qp_layout_poison(layout, texels);
    for (int slot = 0; slot < layout->slots; slot++) {
        for (int i = 0; i < cells; i++)
            values[i] = texels_value(slot, i);
        qp_layout_pack(layout, slot, computed ? values : NULL, texels_padding(slot), texels);
    }
    free(values);
    return texels;
}

bool texels_on_rim(const struct qp_layout *layout, int index)
{
    int texel = index / layout->channels, rows = layout->storage_y;
    int x = texel % layout->storage_x, y = texel / layout->storage_x;
    return x == 0 || x == layout->storage_x - 1 || (rows > 1 && (y == 0 || y == rows - 1));
}
