/* SPDX-License-Identifier: MIT */
/* Stage 8's look at guards and padding: every float that is broken is found, and where. */
#include "support/texels.h"

#include <math.h>
#include <stdlib.h>

/* Changes one float at a time: cells may become anything, nothing else may change. */
static void break_each_float(const struct qp_layout *layout, float *texels)
{
    static const float broken[] = {0.0f, 1e-30f, INFINITY, NAN};
    int x, y;
    for (int i = 0; i < (int)qp_layout_values(layout); i++) {
        enum part part = texels_meaning(layout, i).part;
        float before = texels[i];
        for (int k = 0; k < COUNT(broken); k++) {
            texels[i] = broken[k];
            bool harmless = part == CELL || (part == GUARD && isnan(broken[k]));
            assert_int_equal(qp_layout_intact(layout, texels, texels_padding(0), &x, &y), harmless);
            int up = y + layout->origin_y * layout->sheets; /* from the first sheet's first row */
            int line = up % layout->sheets * layout->sheet_y + up / layout->sheets;
            int texel = line * layout->storage_x + x + layout->origin_x;
            assert_true(harmless || texel == i / layout->channels);
        }
        texels[i] = before;
    }
    assert_true(qp_layout_intact(layout, texels, texels_padding(0), &x, &y));
}

TEST(every_broken_float_is_found)
{
    for (int a = 0; a < COUNT(texels_arrays); a++) {
        for (int s = 0; s < 6 && texels_arrays[a].slots == 1; s++) {
            int width = texels_sizes[s][0], height = texels_sizes[s][1];
            struct qp_layout layout = qp_layout_make(texels_arrays[a].shape, width, height, 1);
            float *texels = texels_pack(&layout, width * height, true);
            break_each_float(&layout, texels);
            free(texels);
        }
    }
}

/* A row's last cell that overflowed may spoil the padding in its own texel: comparing cells says so
 * better. In a texel of padding alone nothing is forgiven. */
TEST(overflow_is_left_to_the_comparison)
{
    /* three rows in the first three of eight sheets: the fifth one's row lies above them */
    struct qp_layout sheets = qp_layout_make(
        (struct qp_shape){.format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = 1}, 4, 3, 1);
    float *rows = texels_pack(&sheets, 12, true);
    size_t first = (size_t)(sheets.origin_y * sheets.storage_x + sheets.origin_x) * 4;
    size_t sheet = (size_t)(sheets.sheet_y * sheets.storage_x) * 4;
    int column, line;
    rows[first + 4 * sheet] = NAN;
    assert_false(qp_layout_intact(&sheets, rows, texels_padding(0), &column, &line));
    assert_true(column == 0 && line == 4);
    rows[first] = INFINITY;
    assert_true(qp_layout_intact(&sheets, rows, texels_padding(0), &column, &line));
    free(rows);

    /* texels that squares leave free are computed along with any row */
    struct qp_layout squares = qp_layout_make(texels_arrays[17].shape, 3, 2, 1);
    rows = texels_pack(&squares, 6, true);
    first = (size_t)(squares.origin_y * squares.storage_x + squares.origin_x);
    rows[first + (size_t)squares.storage_x + 1] = NAN;
    assert_false(qp_layout_intact(&squares, rows, texels_padding(0), &column, &line));
    assert_true(column == 1 && line == 1);
    rows[first + 2] = INFINITY;
    assert_true(qp_layout_intact(&squares, rows, texels_padding(0), &column, &line));
    free(rows);

    int x, y;
    struct qp_layout layout = qp_layout_make(texels_arrays[5].shape, 5, 2, 1);
    float *texels = texels_pack(&layout, 10, true);
    float *last = texels + ((layout.origin_y + 1) * layout.storage_x + layout.origin_x + 1) * 4;
    last[1] = NAN;
    assert_false(qp_layout_intact(&layout, texels, texels_padding(0), &x, &y));
    last[0] = INFINITY;
    assert_true(qp_layout_intact(&layout, texels, texels_padding(0), &x, &y));
    last[4] = NAN; /* the padding texel beside it */
    assert_false(qp_layout_intact(&layout, texels, texels_padding(0), &x, &y));
    assert_true(qp_layout_intact(&layout, texels, NAN, &x, &y)); /* which looks at guards alone */
    texels[0] = 0.0f;
    assert_false(qp_layout_intact(&layout, texels, NAN, &x, &y));
    free(texels);
}
