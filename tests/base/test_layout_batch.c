/* SPDX-License-Identifier: MIT */
/* Stages 2 and 8 of a batch: the places of every system's values, in all tiles, and that what is
 * around them is watched. */
#include "support/texels.h"

#include <math.h>
#include <stdlib.h>

static const struct qp_shape standings[] = {
    {.format = QP_R32F, .standing = QP_AS_BLOCKS},
    {.format = QP_RGBA32F, .standing = QP_AS_PLANES},
    {.format = QP_RGBA32F, .standing = QP_AS_LISTS},
    {.format = QP_RGBA32F, .standing = QP_AS_SHEETS},
};

/* Batches: one value, one system, a tile that is full, one that is not, and several. */
static const struct qp_batch batches[] = {
    {1, 1, 1, 4, 1, 1}, {1, 4, 7, 4, 2, 1},  {3, 4, 16, 4, 4, 1},
    {2, 3, 5, 4, 1, 2}, {5, 6, 37, 8, 2, 3},
};

/* Texel (x, y) of a tile's sheet, from the first of its domain, and a channel: the value of which
 * system, counted within the tile, is there? After the last value of a system there is none. */
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

/* Every system's values are where the header says, in all tiles, and what is left is padding or
 * guard. */
static void check_batch(struct qp_shape shape, struct qp_batch batch)
{
    struct qp_layout layout = qp_layout_make_batch(shape, batch);
    const int values = batch.rows * batch.columns, all = values * batch.count;
    float *texels = texels_pack(&layout, all, true), *back = texels_pack(&layout, all, false);
    int found = 0, per_tile = layout.sheets / batch.tiles;
    for (int i = 0; i < (int)qp_layout_values(&layout); i++) {
        int texel = i / layout.channels, line = texel / layout.storage_x, system;
        int x = texel % layout.storage_x - layout.origin_x, sheet = line / layout.sheet_y;
        int y = line % layout.sheet_y - layout.origin_y;
        if (x < 0 || y < 0 || x >= layout.domain_x || y >= layout.domain_y) {
            assert_true(isnan(texels[i]));
            continue;
        }
        assert_false(texels_on_rim(&layout, i));
        int value = batch_value(&layout, x, y, sheet % per_tile, i % layout.channels, &system);
        int fours = shape.standing == QP_AS_PLANES ? 4 : 1;
        system += sheet / per_tile * fours * batch.across * batch.up;
        bool cell = value < values && system < batch.count;
        assert_true(texels[i] ==
                    (cell ? texels_value(0, system * values + value) : texels_padding(0)));
        found += cell;
    }
    assert_int_equal(found, all);
    qp_layout_unpack(&layout, 0, texels, back);
    for (int i = 0; i < all; i++)
        assert_true(back[i] == texels_value(0, i));
    free(back);
    free(texels);
}

TEST(every_system_has_its_place)
{
    for (int a = 0; a < COUNT(standings) * COUNT(batches); a++)
        check_batch(standings[a / COUNT(batches)], batches[a % COUNT(batches)]);
}

/* Padding and guards of a batch, one at a time. */
TEST(broken_batches_are_found)
{
    for (int a = 0; a < COUNT(standings) * COUNT(batches); a++) {
        const struct qp_batch *batch = &batches[a % COUNT(batches)];
        struct qp_layout layout = qp_layout_make_batch(standings[a / COUNT(batches)], *batch);
        int x, y, cells = 0, all = batch->rows * batch->columns * batch->count;
        float *texels = texels_pack(&layout, all, true);
        for (int i = 0; i < (int)qp_layout_values(&layout); i++) {
            float before = texels[i];
            texels[i] = 1e-30f;
            cells += qp_layout_intact(&layout, texels, texels_padding(0), &x, &y);
            texels[i] = before;
        }
        assert_int_equal(cells, all);
        assert_true(qp_layout_intact(&layout, texels, texels_padding(0), &x, &y));
        free(texels);
    }
}
