/* SPDX-License-Identifier: MIT */
/* Stages 2 and 8 in double: every value is where its float would be, none is rounded, and guards,
 * padding and cells that nobody wrote are watched to the last bit. */
#include "support/texels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No float holds these. */
static double value_of(int slot, int cell)
{
    return (double)texels_value(slot, cell) + 0x1p-34;
}

static struct qp_layout layout_of(int array, int size)
{
    struct qp_shape shape = texels_arrays[array].shape;
    shape.format = QP_R64F;
    return qp_layout_make(shape, texels_sizes[size][0], texels_sizes[size][1],
                          texels_arrays[array].slots);
}

static double *pack(const struct qp_layout *layout, int cells, bool computed)
{
    double *texels = malloc(qp_layout_bytes(layout)), *values = malloc((size_t)cells * 8);
    assert_true(texels != NULL && values != NULL);
    assert_int_equal(qp_layout_bytes(layout), 8 * qp_layout_values(layout));
    qp_layout_poison(layout, texels);
    for (int slot = 0; slot < layout->slots; slot++) {
        for (int i = 0; i < cells; i++)
            values[i] = value_of(slot, i);
        qp_layout_pack(layout, slot, computed ? values : NULL, texels_padding(slot), texels);
    }
    free(values);
    return texels;
}

static void check_places(const struct qp_layout *layout, int cells)
{
    double *texels = pack(layout, cells, true), *empty = pack(layout, cells, false);
    double *back = calloc((size_t)cells, sizeof *back);
    for (int i = 0; i < (int)qp_layout_values(layout); i++) {
        const struct texels_meaning meaning = texels_meaning(layout, i);
        if (meaning.part == GUARD)
            assert_true(isnan(texels[i]) && isnan(empty[i]) && !qp_is_unwritten(empty[i]));
        else if (meaning.part == PADDING)
            assert_true(texels[i] == texels_padding(meaning.slot) && empty[i] == texels[i]);
        else
            assert_true(texels[i] == value_of(meaning.slot, meaning.cell) &&
                        qp_is_unwritten(empty[i]));
    }
    for (int slot = 0; slot < layout->slots; slot++) {
        qp_layout_unpack(layout, slot, texels, back);
        for (int i = 0; i < cells; i++)
            assert_true(back[i] == value_of(slot, i));
    }
    free(back);
    free(empty);
    free(texels);
}

/* Changes one double at a time, padding by its last bit. */
static void break_each_double(const struct qp_layout *layout, double *texels)
{
    const double padding = (double)texels_padding(0), broken[] = {nextafter(padding, 0.0), 1e-300};
    int x, y;
    for (int i = 0; i < 2 * (int)qp_layout_values(layout); i++) {
        const bool harmless = texels_meaning(layout, i / 2).part == CELL;
        const double before = texels[i / 2];
        texels[i / 2] = broken[i % 2];
        assert_int_equal(qp_layout_intact(layout, texels, texels_padding(0), &x, &y), harmless);
        const int up = y + layout->origin_y * layout->sheets;
        const int line = up % layout->sheets * layout->sheet_y + up / layout->sheets;
        assert_true(harmless || line * layout->storage_x + x + layout->origin_x == i / 2);
        texels[i / 2] = before;
    }
    assert_true(qp_layout_intact(layout, texels, texels_padding(0), &x, &y));
}

static void all_arrays(void (*test)(const struct qp_layout *layout, int cells))
{
    for (int k = 0; k < COUNT(texels_arrays) * COUNT(texels_sizes); k++) {
        const int array = k / COUNT(texels_sizes), size = k % COUNT(texels_sizes);
        const struct qp_layout layout = layout_of(array, size);
        if (qp_format_channels(texels_arrays[array].shape.format) == 1)
            test(&layout, texels_sizes[size][0] * texels_sizes[size][1]);
    }
}

static void check_guards(const struct qp_layout *layout, int cells)
{
    if (layout->slots > 1 || cells > 50)
        return;
    double *texels = pack(layout, cells, true);
    break_each_double(layout, texels);
    free(texels);
}

TEST(every_double_has_its_place)
{
    all_arrays(check_places);
}

TEST(every_broken_double_is_found)
{
    all_arrays(check_guards);
}

/* Rounding to float and back leaves the mark of a cell that nobody wrote, and gives it to no
 * other. */
TEST(unwritten_outlives_rounding)
{
    const float narrow = (float)qp_unwritten();
    const uint64_t other = 0x7ff92c0000000001;
    double value;
    assert_true(qp_is_unwritten(narrow) && isnan(narrow));
    memcpy(&value, &other, sizeof value);
    assert_false(qp_is_unwritten(value) || qp_is_unwritten(NAN) || qp_is_unwritten(-NAN));
}
