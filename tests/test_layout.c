/* SPDX-License-Identifier: MIT */
/* Rooms 2 and 8 without OpenGL: where every float of an array stands. The expectations go from texels
 * to cells; layout.c goes from cells to texels. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "base/status.h"

static const struct {
    struct qp_shape shape;
    int slots;
} arrays[] = {
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
};

/* 1x1, one row, one column, 3x3, primes, multiples of four and not, one above a power of two. */
static const int sizes[][2] = {{1, 1},   {1, 7}, {7, 1}, {3, 3},  {4, 2},  {5, 2},
                               {13, 11}, {8, 8}, {6, 5}, {30, 2}, {16, 3}, {65, 9}};

/* What the header says of one float of the storage. */
enum part { GUARD, PADDING, CELL };

struct meaning {
    enum part part;
    int slot, cell; /* the cell's place in the row-major matrix */
};

static int floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Row r is the square number r, or r / sheets of the sheet r % sheets, read line by line. */
static struct meaning meaning_in_square(const struct qp_layout *layout, int x, int y, int sheet)
{
    const int side = layout->square;
    if (x < 0 || x >= layout->across * side || y < 0 || y >= layout->domain_y)
        return (struct meaning){GUARD, 0, 0};
    int row = (x / side + layout->across * (y / side)) * layout->sheets + sheet;
    int column = x % side + side * (y % side);
    if (row >= layout->cells_y || column >= layout->cells_x)
        return (struct meaning){PADDING, 0, 0};
    return (struct meaning){CELL, 0, row * layout->cells_x + column};
}

static struct meaning meaning_of(const struct qp_layout *layout, int index)
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
        return (struct meaning){GUARD, slot, 0};
    if (cell < 0 || cell >= layout->cells_x || row < 0 || row >= layout->cells_y)
        return (struct meaning){PADDING, slot, 0};
    return (struct meaning){CELL, slot, row * layout->cells_x + cell};
}

/* No two cells of an array hold the same value, and no cell holds a padding. */
static float value_of(int slot, int cell)
{
    return (float)(slot * 1000 + cell) + 0.25f;
}

static float padding_of(int slot)
{
    return -1.0f - (float)slot;
}

/* A packed array: every slot its own values (NULL: none computed yet) and its own padding. */
static float *pack_all(const struct qp_layout *layout, int cells, bool computed)
{
    float *texels = qp_alloc_floats(qp_layout_floats(layout), "a test's texels");
    float *values = qp_alloc_floats((size_t)cells, "a test's values");
    assert_true(texels != NULL && values != NULL);
    qp_layout_poison(layout, texels);
    for (int slot = 0; slot < layout->slots; slot++) {
        for (int i = 0; i < cells; i++)
            values[i] = value_of(slot, i);
        qp_layout_pack(layout, slot, computed ? values : NULL, padding_of(slot), texels);
    }
    free(values);
    return texels;
}

static void check_place(const struct qp_layout *layout, int index, float got, bool computed)
{
    struct meaning meaning = meaning_of(layout, index);
    if (meaning.part == GUARD || (meaning.part == CELL && !computed))
        assert_true(isnan(got));
    else if (meaning.part == PADDING)
        assert_true(got == padding_of(meaning.slot));
    else
        assert_true(got == value_of(meaning.slot, meaning.cell));
}

/* The outermost texels; a flat array is a single row, with none above and below. */
static bool on_rim(const struct qp_layout *layout, int index)
{
    int texel = index / layout->channels, rows = layout->storage_y;
    int x = texel % layout->storage_x, y = texel / layout->storage_x;
    return x == 0 || x == layout->storage_x - 1 || (rows > 1 && (y == 0 || y == rows - 1));
}

/* Every float means exactly one thing, so if each stands where it should, no two cells share one;
 * and all are there, because as many floats are cells as there are cells. */
static void check_array(struct qp_shape shape, int slots, int width, int height)
{
    struct qp_layout layout = qp_layout_make(shape, width, height, slots);
    int cells = 0;
    float *texels = pack_all(&layout, width * height, true);
    float *empty = pack_all(&layout, width * height, false);
    for (int i = 0; i < (int)qp_layout_floats(&layout); i++) {
        enum part part = meaning_of(&layout, i).part;
        check_place(&layout, i, texels[i], true);
        check_place(&layout, i, empty[i], false);
        cells += part == CELL;
        assert_true(part == GUARD || !on_rim(&layout, i));
    }
    assert_int_equal(cells, slots * width * height);
    if (shape.flat) /* the first cell begins a cache line, and x[i - nx - 1] of it is padding */
        assert_true((uintptr_t)(texels + layout.origin_x) % 64 == 0 && layout.pad_x == width + 1);
    float *back = pack_all(&layout, width * height, false); /* at least as large */
    for (int slot = 0; slot < slots; slot++) {
        qp_layout_unpack(&layout, slot, texels, back);
        for (int i = 0; i < width * height; i++)
            assert_true(back[i] == value_of(slot, i));
    }
    free(back);
    free(empty);
    free(texels);
}

static void every_float_has_its_place(void **state)
{
    (void)state;
    for (int a = 0; a < COUNT(arrays); a++) {
        for (int s = 0; s < COUNT(sizes); s++)
            check_array(arrays[a].shape, arrays[a].slots, sizes[s][0], sizes[s][1]);
    }
}

/* Texel (x, y) of a tile's sheet, from the first of its domain, and a channel: the value of which system,
 * counted within the tile, is there? Behind the last value of a system there is none. */
static int batch_value(const struct qp_layout *layout, int x, int y, int sheet, int channel,
                       int *system)
{
    const struct qp_batch *b = &layout->batch;
    int texels = (b->rows * b->columns + 3) / 4;
    switch (layout->shape.standing) {
    case QP_AS_BLOCKS:
        *system = y / b->rows * b->across + x / b->columns;
        return y % b->rows * b->columns + x % b->columns;
    case QP_AS_PLANES:
        *system = (y % b->up * b->across + x % b->across) * 4 + channel;
        return y / b->up * b->columns + x / b->across;
    case QP_AS_LISTS:
        *system = y * b->across + x / (4 * texels) * 4 + x % 4;
        return x / 4 % texels * 4 + channel;
    default:
        *system = y * b->across + x;
        return sheet * 4 + channel;
    }
}

/* Every system's values are where the header says, in all tiles, and what is left is padding or guard. */
static void check_batch(struct qp_shape shape, struct qp_batch batch)
{
    struct qp_layout layout = qp_layout_make_batch(shape, batch);
    const int values = batch.rows * batch.columns, all = values * batch.count;
    float *texels = pack_all(&layout, all, true), *back = pack_all(&layout, all, false);
    int found = 0, per_tile = layout.sheets / batch.tiles;
    for (int i = 0; i < (int)qp_layout_floats(&layout); i++) {
        int texel = i / layout.channels, line = texel / layout.storage_x, system;
        int x = texel % layout.storage_x - layout.origin_x, sheet = line / layout.sheet_y;
        int y = line % layout.sheet_y - layout.origin_y;
        if (x < 0 || y < 0 || x >= layout.domain_x || y >= layout.domain_y) {
            assert_true(isnan(texels[i]));
            continue;
        }
        assert_false(on_rim(&layout, i));
        int value = batch_value(&layout, x, y, sheet % per_tile, i % layout.channels, &system);
        int fours = shape.standing == QP_AS_PLANES ? 4 : 1;
        system += sheet / per_tile * fours * batch.across * batch.up;
        bool cell = value < values && system < batch.count;
        assert_true(texels[i] == (cell ? value_of(0, system * values + value) : padding_of(0)));
        found += cell;
    }
    assert_int_equal(found, all);
    qp_layout_unpack(&layout, 0, texels, back);
    for (int i = 0; i < all; i++)
        assert_true(back[i] == value_of(0, i));
    free(back);
    free(texels);
}

static const struct qp_shape standings[] = {
    {.format = QP_R32F, .standing = QP_AS_BLOCKS},
    {.format = QP_RGBA32F, .standing = QP_AS_PLANES},
    {.format = QP_RGBA32F, .standing = QP_AS_LISTS},
    {.format = QP_RGBA32F, .standing = QP_AS_SHEETS},
};

/* One value, one system, a tile that is full, one that is not, and several. */
static const struct qp_batch batches[] = {
    {1, 1, 1, 4, 1, 1}, {1, 4, 7, 4, 2, 1},  {3, 4, 16, 4, 4, 1},
    {2, 3, 5, 4, 1, 2}, {5, 6, 37, 8, 2, 3},
};

static void every_system_has_its_place(void **state)
{
    (void)state;
    for (int a = 0; a < COUNT(standings) * COUNT(batches); a++)
        check_batch(standings[a / COUNT(batches)], batches[a % COUNT(batches)]);
}

/* Padding and guards of a batch, one at a time. */
static void broken_batches_are_found(void **state)
{
    (void)state;
    for (int a = 0; a < COUNT(standings) * COUNT(batches); a++) {
        const struct qp_batch *batch = &batches[a % COUNT(batches)];
        struct qp_layout layout = qp_layout_make_batch(standings[a / COUNT(batches)], *batch);
        int x, y, cells = 0, all = batch->rows * batch->columns * batch->count;
        float *texels = pack_all(&layout, all, true);
        for (int i = 0; i < (int)qp_layout_floats(&layout); i++) {
            float before = texels[i];
            texels[i] = 1e-30f;
            cells += qp_layout_intact(&layout, texels, padding_of(0), &x, &y);
            texels[i] = before;
        }
        assert_int_equal(cells, all);
        assert_true(qp_layout_intact(&layout, texels, padding_of(0), &x, &y));
        free(texels);
    }
}

/* Worked out by hand from the drawings in the header. `index` is the float where cell (x, y) of
 * `slot` stands: ((origin_y + y) * storage_x + column) * channels + channel. */
static void places_worked_out_by_hand(void **state)
{
    (void)state;
    static const struct {
        int array, width, height, storage_x, storage_y, slot, x, y, index;
    } known[] = {
        {0, 1, 1, 3, 3, 0, 0, 0, 4},                   /* one cell in a ring of guards */
        {1, 3, 2, 7, 8, 0, 2, 1, (3 + 1) * 7 + 2 + 2}, /* a guard, a column, two rows of padding */
        {5, 5, 2, 6, 6, 0, 4, 1, ((2 + 1) * 6 + 2 + 1) * 4},           /* cell 4: texel 1, red */
        {6, 6, 2, 20, 4, 3, 5, 1, ((1 + 1) * 20 + 1 + 9 + 3) * 4 + 1}, /* texel 9 X + k, green */
        {6, 6, 2, 20, 4, 8, 0, 0, (1 * 20 + 1 + 8) * 4},
        {8, 2, 2, 6, 8, 2, 1, 0, (3 * 6 + 2 + 1) * 4 + 2}, /* matrix 2 in blue */
        {10, 3, 2, 16 + 6 + 4 + 1, 1, 0, 1, 1, 16 + 4}, /* flat: 4 ghosts, the guard fills a line */
        {11, 3, 2, 48 + 9 * 6 + 9 * 4 + 1, 1, 5, 2, 0, 48 + 9 * 2 + 5},
        {12, 5, 3, 7, 6, 0, 3, 2, ((2 + 1) * 7 + 2 + 1) * 4 + 1}, /* lower right of its square */
        /* 3 x 3 texels a row, 2 x 2 squares: row 2 is the square above row 0's, its value 4 the middle */
        {17, 7, 4, 8, 8, 0, 4, 2, (1 + 3 + 1) * 8 + 1 + 1},
        /* 5 rows in 4 sheets, two squares a sheet abreast: row 4 is the second one of the first sheet */
        {18, 4, 5, 6, 4 * 4, 0, 3, 4, (1 + 1) * 6 + 1 + 2 + 1},
    };
    for (int i = 0; i < COUNT(known); i++) {
        int width = known[i].width, height = known[i].height;
        struct qp_layout layout = qp_layout_make(arrays[known[i].array].shape, width, height,
                                                 arrays[known[i].array].slots);
        float *texels = pack_all(&layout, width * height, true);
        assert_int_equal(layout.storage_x, known[i].storage_x);
        assert_int_equal(layout.storage_y, known[i].storage_y);
        assert_true(texels[known[i].index] ==
                    value_of(known[i].slot, known[i].y * width + known[i].x));
        free(texels);
    }
}

static void check_said_places(const struct qp_layout *layout, const float *texels, int width,
                              int height)
{
    for (int cell = 0; cell < width * height; cell++) {
        int column = cell % width, row = cell / width, x, y;
        qp_layout_place(layout, column, row, &x, &y);
        int line = row / layout->rows % layout->sheets * layout->sheet_y + y;
        int channel = column % layout->neighbours + row % layout->rows * layout->neighbours;
        assert_true(texels[(line * layout->storage_x + x) * layout->channels + channel] ==
                    value_of(0, cell));
    }
}

static void cells_stand_where_they_are_said_to(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(arrays) * COUNT(sizes); k++) {
        int a = k / COUNT(sizes), width = sizes[k % COUNT(sizes)][0];
        int height = sizes[k % COUNT(sizes)][1];
        if (arrays[a].shape.flat || arrays[a].shape.slots == QP_IN_STAMPS)
            continue;
        struct qp_layout layout = qp_layout_make(arrays[a].shape, width, height, arrays[a].slots);
        float *texels = pack_all(&layout, width * height, true);
        check_said_places(&layout, texels, width, height);
        free(texels);
    }
}

/* Changes one float at a time: cells may become anything, nothing else may change. */
static void break_each_float(const struct qp_layout *layout, float *texels)
{
    static const float broken[] = {0.0f, 1e-30f, INFINITY, NAN};
    int x, y;
    for (int i = 0; i < (int)qp_layout_floats(layout); i++) {
        enum part part = meaning_of(layout, i).part;
        float before = texels[i];
        for (int k = 0; k < COUNT(broken); k++) {
            texels[i] = broken[k];
            bool harmless = part == CELL || (part == GUARD && isnan(broken[k]));
            assert_int_equal(qp_layout_intact(layout, texels, padding_of(0), &x, &y), harmless);
            int up = y + layout->origin_y * layout->sheets; /* from the first sheet's first row */
            int line = up % layout->sheets * layout->sheet_y + up / layout->sheets;
            int texel = line * layout->storage_x + x + layout->origin_x;
            assert_true(harmless || texel == i / layout->channels);
        }
        texels[i] = before;
    }
    assert_true(qp_layout_intact(layout, texels, padding_of(0), &x, &y));
}

static void every_broken_float_is_found(void **state)
{
    (void)state;
    for (int a = 0; a < COUNT(arrays); a++) {
        for (int s = 0; s < 6 && arrays[a].slots == 1; s++) {
            int width = sizes[s][0], height = sizes[s][1];
            struct qp_layout layout = qp_layout_make(arrays[a].shape, width, height, 1);
            float *texels = pack_all(&layout, width * height, true);
            break_each_float(&layout, texels);
            free(texels);
        }
    }
}

/* A row's last cell that overflowed may spoil the padding in its own texel: comparing cells says so
 * better. In a texel of padding alone nothing is forgiven. */
static void overflow_is_left_to_the_comparison(void **state)
{
    /* three rows in the first three of eight sheets: the fifth one's row lies above them */
    struct qp_layout sheets = qp_layout_make(
        (struct qp_shape){.format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = 1}, 4, 3, 1);
    float *rows = pack_all(&sheets, 12, true);
    size_t first = (size_t)(sheets.origin_y * sheets.storage_x + sheets.origin_x) * 4;
    size_t sheet = (size_t)(sheets.sheet_y * sheets.storage_x) * 4;
    int column, line;
    rows[first + 4 * sheet] = NAN;
    assert_false(qp_layout_intact(&sheets, rows, padding_of(0), &column, &line));
    assert_true(column == 0 && line == 4);
    rows[first] = INFINITY;
    assert_true(qp_layout_intact(&sheets, rows, padding_of(0), &column, &line));
    free(rows);

    /* what squares leave free is computed along with any row */
    struct qp_layout squares = qp_layout_make(arrays[17].shape, 3, 2, 1);
    rows = pack_all(&squares, 6, true);
    first = (size_t)(squares.origin_y * squares.storage_x + squares.origin_x);
    rows[first + (size_t)squares.storage_x + 1] = NAN;
    assert_false(qp_layout_intact(&squares, rows, padding_of(0), &column, &line));
    assert_true(column == 1 && line == 1);
    rows[first + 2] = INFINITY;
    assert_true(qp_layout_intact(&squares, rows, padding_of(0), &column, &line));
    free(rows);

    (void)state;
    int x, y;
    struct qp_layout layout = qp_layout_make(arrays[5].shape, 5, 2, 1);
    float *texels = pack_all(&layout, 10, true);
    float *last = texels + ((layout.origin_y + 1) * layout.storage_x + layout.origin_x + 1) * 4;
    last[1] = NAN;
    assert_false(qp_layout_intact(&layout, texels, padding_of(0), &x, &y));
    last[0] = INFINITY;
    assert_true(qp_layout_intact(&layout, texels, padding_of(0), &x, &y));
    last[4] = NAN; /* the padding texel beside it */
    assert_false(qp_layout_intact(&layout, texels, padding_of(0), &x, &y));
    assert_true(qp_layout_intact(&layout, texels, NAN, &x, &y)); /* which looks at guards alone */
    texels[0] = 0.0f;
    assert_false(qp_layout_intact(&layout, texels, NAN, &x, &y));
    free(texels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_float_has_its_place),
        cmocka_unit_test(every_system_has_its_place),
        cmocka_unit_test(broken_batches_are_found),
        cmocka_unit_test(places_worked_out_by_hand),
        cmocka_unit_test(cells_stand_where_they_are_said_to),
        cmocka_unit_test(every_broken_float_is_found),
        cmocka_unit_test(overflow_is_left_to_the_comparison),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
