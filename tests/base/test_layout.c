/* SPDX-License-Identifier: MIT */
/* Stages 2 and 8 without OpenGL: the place of every float of an array. */
#include "support/texels.h"

#include <math.h>
#include <stdlib.h>

#include "lab/engines/choose.h"
#include "lab/ops/table.h"

static void check_place(const struct qp_layout *layout, int index, float got, bool computed)
{
    struct texels_meaning meaning = texels_meaning(layout, index);
    if (meaning.part == GUARD || (meaning.part == CELL && !computed))
        assert_true(isnan(got));
    else if (meaning.part == PADDING)
        assert_true(got == texels_padding(meaning.slot));
    else
        assert_true(got == texels_value(meaning.slot, meaning.cell));
}

/* Every float means exactly one thing, so if each is where it should be, no two cells share one;
 * and all are there, because as many floats are cells as there are cells. */
static void check_array(struct qp_shape shape, int slots, int width, int height)
{
    struct qp_layout layout = qp_layout_make(shape, width, height, slots);
    int cells = 0;
    float *texels = texels_pack(&layout, width * height, true);
    float *empty = texels_pack(&layout, width * height, false);
    for (int i = 0; i < (int)qp_layout_values(&layout); i++) {
        enum part part = texels_meaning(&layout, i).part;
        check_place(&layout, i, texels[i], true);
        check_place(&layout, i, empty[i], false);
        cells += part == CELL;
        assert_true(part == GUARD || !texels_on_rim(&layout, i));
    }
    assert_int_equal(cells, slots * width * height);
    if (shape.flat) /* the first cell begins a cache line, and x[i - nx - 1] of it is padding */
        assert_true((uintptr_t)(texels + layout.origin_x) % 64 == 0 && layout.pad_x == width + 1);
    float *back = texels_pack(&layout, width * height, false); /* at least as large */
    for (int slot = 0; slot < slots; slot++) {
        qp_layout_unpack(&layout, slot, texels, back);
        for (int i = 0; i < width * height; i++)
            assert_true(back[i] == texels_value(slot, i));
    }
    free(back);
    free(empty);
    free(texels);
}

TEST(every_float_has_its_place)
{
    for (int a = 0; a < COUNT(texels_arrays); a++) {
        for (int s = 0; s < COUNT(texels_sizes); s++)
            check_array(texels_arrays[a].shape, texels_arrays[a].slots, texels_sizes[s][0],
                        texels_sizes[s][1]);
    }
}

/* Worked out by hand from the drawings in the header. `index` is the float where cell (x, y) of
 * `slot` is: ((origin_y + y) * storage_x + column) * channels + channel. */
TEST(places_worked_out_by_hand)
{
    static const struct {
        int array, width, height, storage_x, storage_y, slot, x, y, index;
    } known[] = {
        {0, 1, 1, 3, 3, 0, 0, 0, 4},                   /* a cell in a ring of guards */
        {1, 3, 2, 7, 8, 0, 2, 1, (3 + 1) * 7 + 2 + 2}, /* a guard, a column, two rows of padding */
        {5, 5, 2, 6, 6, 0, 4, 1, ((2 + 1) * 6 + 2 + 1) * 4},           /* cell 4: texel 1, red */
        {6, 6, 2, 20, 4, 3, 5, 1, ((1 + 1) * 20 + 1 + 9 + 3) * 4 + 1}, /* texel 9 X + k, green */
        {6, 6, 2, 20, 4, 8, 0, 0, (1 * 20 + 1 + 8) * 4},
        {8, 2, 2, 6, 8, 2, 1, 0, (3 * 6 + 2 + 1) * 4 + 2}, /* matrix 2 in blue */
        {10, 3, 2, 16 + 6 + 4 + 1, 1, 0, 1, 1, 16 + 4}, /* flat: 4 ghosts, the guard fills a line */
        {11, 3, 2, 48 + 9 * 6 + 9 * 4 + 1, 1, 5, 2, 0, 48 + 9 * 2 + 5},
        {12, 5, 3, 7, 6, 0, 3, 2, ((2 + 1) * 7 + 2 + 1) * 4 + 1}, /* lower right of its square */
        /* 3 x 3 texels a row, 2 x 2 squares: row 2 is the square above row 0's, its value 4 the
           middle */
        {17, 7, 4, 8, 8, 0, 4, 2, (1 + 3 + 1) * 8 + 1 + 1},
        /* 5 rows in 4 sheets, two squares a sheet abreast: row 4 is the second one of the first
           sheet */
        {18, 4, 5, 6, 4 * 4, 0, 3, 4, (1 + 1) * 6 + 1 + 2 + 1},
        {19, 3, 2, 16, 6, 0, 2, 1, (2 + 1) * 16 + 8 + 2}, /* a guard and a padding, then an eight */
        {19, 15, 1, 32, 5, 0, 14, 0, 2 * 32 + 8 + 14},    /* 25 texels */
        {20, 15, 1, 24, 3, 0, 14, 0, 24 + 8 + 14},        /* 24 texels */
        {20, 16, 1, 40, 3, 0, 15, 0, 40 + 8 + 15}, /* 25 texels; four eights are no odd number */
    };
    for (int i = 0; i < COUNT(known); i++) {
        int width = known[i].width, height = known[i].height;
        struct qp_layout layout = qp_layout_make(texels_arrays[known[i].array].shape, width, height,
                                                 texels_arrays[known[i].array].slots);
        float *texels = texels_pack(&layout, width * height, true);
        assert_int_equal(layout.storage_x, known[i].storage_x);
        assert_int_equal(layout.storage_y, known[i].storage_y);
        assert_true(texels[known[i].index] ==
                    texels_value(known[i].slot, known[i].y * width + known[i].x));
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
                    texels_value(0, cell));
    }
}

TEST(cells_stand_where_they_are_said_to)
{
    for (int k = 0; k < COUNT(texels_arrays) * COUNT(texels_sizes); k++) {
        int a = k / COUNT(texels_sizes), width = texels_sizes[k % COUNT(texels_sizes)][0];
        int height = texels_sizes[k % COUNT(texels_sizes)][1];
        if (texels_arrays[a].shape.flat || texels_arrays[a].shape.slots == QP_IN_STAMPS)
            continue;
        struct qp_layout layout =
            qp_layout_make(texels_arrays[a].shape, width, height, texels_arrays[a].slots);
        float *texels = texels_pack(&layout, width * height, true);
        check_said_places(&layout, texels, width, height);
        free(texels);
    }
}

/* Columns one after the other, of one matrix of 2 x 3 or of two of them below each other. */
TEST(columns_follow_each_other)
{
    static const struct qp_shape shape = {.format = QP_R32F, .flat = true, .columns = true};
    static const float values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                       one[] = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11},
                       two[] = {0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11};
    for (int matrices = 1; matrices <= 2; matrices++) {
        struct qp_layout layout = qp_layout_make(shape, 3, 4, 1);
        float back[12] = {0};
        int x, y;
        layout.column = 4 / matrices;
        float *texels = calloc(qp_layout_values(&layout), sizeof *texels);
        qp_layout_poison(&layout, texels);
        qp_layout_pack(&layout, 0, values, 0.0f, texels);
        assert_memory_equal(texels + layout.origin_x, matrices == 1 ? one : two, sizeof one);
        assert_true(qp_layout_intact(&layout, texels, 0.0f, &x, &y));
        texels[layout.origin_x + 12] = 1.0f;
        assert_false(qp_layout_intact(&layout, texels, 0.0f, &x, &y));
        assert_int_equal(x, 12);
        qp_layout_unpack(&layout, 0, texels, back);
        assert_memory_equal(back, values, sizeof values);
        free(texels);
    }
}

/* Ghost cells count too: a grid of one row has twice as many of them as cells. */
TEST(places_can_be_counted)
{
    const struct qp_variant *variant =
        qp_variant_find("jacobi9/amorim_cpu"); /* nine bands abreast */
    struct qp_problem problem = {
        .op = qp_op_find("jacobi9"), .kind = "random", .height = 1, .systems = 1};
    for (int width = 70000000; width <= 90000000; width += 1000000) {
        problem.width = problem.answer_width = width;
        const bool fits = 27.0 * width + 18.0 < 2147483648.0;
        assert_int_equal(qp_plan_check(NULL, variant, &problem, QP_RECTANGLE),
                         fits ? QP_OK : QP_UNSUPPORTED);
        if (fits)
            assert_true(qp_layout_make(variant->recipe->input[0].shape, width, 1, 9).storage_x > 0);
    }
    support_assert_sentence("needs an array of 2430000018 values");
}
