/* SPDX-License-Identifier: MIT */
/* Arrays above the limit of a texture: cells to and from the host, copies and reductions, against
 * arrays that are whole; and arrays above the device's own limit. */
#include "support/tiles.h"
#include "support/toolkit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cells to and from the host ---- */

/* Parts that begin and end in any tile, with gaps between rows that are whole cells and that are
 * not. */
CLEAN_TEST(parts_of_every_type)
{
    static const struct qp_rect parts[] = {{0, 0, TILES_WIDTH, TILES_HEIGHT},
                                           {12, 12, 2, 2},
                                           {49, 36, 1, 1},
                                           {3, 5, 41, 30},
                                           {13, 0, 13, 13}};
    static unsigned char values[2 * TILES_BYTES], got[2 * TILES_BYTES], again[2 * TILES_BYTES];
    context = support_need_context(state);
    for (int i = 0; i < COUNT(tiles_kinds) * COUNT(parts); i++) {
        const struct tiles_kind *kind = &tiles_kinds[i / COUNT(parts)];
        const struct qp_rect *part = &parts[i % COUNT(parts)];
        if (!tiles_has(context, kind))
            continue;
        struct qp_array_desc desc = tiles_grid(QP_OUTSIDE_ZERO);
        desc.type = kind->type;
        desc.channels = kind->channels;
        tiles_fill_kind(kind, values, i, 1021);
        const struct tiles_pair pair = tiles_make_pair(context, desc, values);
        tiles_expect_same(&pair, "values of qp_array_create");
        const size_t gap =
            i % 3 == 0 ? 0 : (size_t)part->width * kind->cell_bytes + (i % 3 == 1 ? 32 : 3);
        tiles_fill_kind(kind, values, i + 1, 1021);
        memset(got, 0xa5, sizeof got);
        memset(again, 0xa5, sizeof again);
        assert_ok(qp_array_write(pair.whole, part, values, gap));
        assert_ok(qp_array_write(pair.tiled, part, values, gap));
        tiles_expect_same(&pair, "a part that was written");
        assert_ok(qp_array_read(pair.whole, part, got, gap));
        assert_ok(qp_array_read(pair.tiled, part, again, gap));
        assert_memory_equal(got, again, sizeof got);
        assert_ok(qp_array_fill(pair.whole, part, 7.0));
        assert_ok(qp_array_fill(pair.tiled, part, 7.0));
        tiles_expect_same(&pair, "a part that was filled");
        tiles_destroy_pair(&pair);
    }
}

CLEAN_TEST(new_arrays_are_zero)
{
    float got[TILES_CELLS];
    context = support_need_context(state);
    for (int i = 0; i < 2; i++) { /* the second time from the pool */
        const struct qp_array_desc desc = tiles_grid(QP_OUTSIDE_WRAP);
        struct qp_array *array = tiles_make(context, &desc, NULL, TILES_LIMIT);
        assert_int_equal(qp_array_describe(array).width, TILES_WIDTH);
        assert_int_equal(qp_array_describe(array).outside, QP_OUTSIDE_WRAP);
        assert_ok(qp_array_read(array, NULL, got, 0));
        for (int k = 0; k < TILES_CELLS; k++)
            assert_true(got[k] == 0.0f);
        assert_ok(qp_array_fill(array, NULL, 3.0));
        qp_array_destroy(&array);
    }
}

/* ---- Copies ---- */

/* From tiles to a whole array and back, and to other tiles, at places that cut tiles in other
 * ways. */
CLEAN_TEST(copies)
{
    static const struct qp_rect part = {5, 3, 40, 29};
    static float values[TILES_CELLS], zeros[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 1);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values),
                            y = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), zeros);
    assert_ok(qp_array_copy(x.whole, &part, y.whole, 9, 8));
    assert_ok(qp_array_copy(x.tiled, &part, y.tiled, 9, 8));
    tiles_expect_same(&y, "tiles to tiles");
    assert_ok(qp_array_fill(y.tiled, NULL, 0.0));
    assert_ok(qp_array_fill(y.whole, NULL, 0.0));
    assert_ok(qp_array_copy(x.tiled, &part, y.whole, 1, 2));
    assert_ok(qp_array_copy(x.whole, &part, y.tiled, 1, 2));
    tiles_expect_same(&y, "tiles to a whole array and back");
    const struct qp_rect corner = {0, 0, 20, 20};
    assert_ok(qp_array_copy(x.tiled, &corner, x.tiled, 22, 15));
    assert_ok(qp_array_copy(x.whole, &corner, x.whole, 22, 15));
    tiles_expect_same(&x, "within one array");
    assert_int_equal(qp_array_copy(x.tiled, &corner, x.tiled, 19, 16), QP_BAD_USE);
    support_assert_sentence("copied to cells that it holds itself");
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&y);
}

/* ---- Reductions ---- */

static void expect_reduced(const struct tiles_pair *x, const struct tiles_pair *y,
                           enum qp_reduce_what what)
{
    struct qp_reduced whole, tiled;
    if (y != NULL) {
        assert_ok(qp_array_dot(x->whole, y->whole, &whole));
        assert_ok(qp_array_dot(x->tiled, y->tiled, &tiled));
    } else {
        assert_ok(qp_array_reduce(x->whole, what, &whole));
        assert_ok(qp_array_reduce(x->tiled, what, &tiled));
    }
    const bool same = isnan(whole.value)
                          ? isnan(tiled.value)
                          : fabs(whole.value - tiled.value) <=
                                (what == QP_REDUCE_NORM_2 ? 1e-12 : 0.0) * whole.value;
    if (!same || whole.x != tiled.x || whole.y != tiled.y)
        fail_msg("reduction %d: %.17g at (%d, %d) in tiles, and %.17g at (%d, %d)", (int)what,
                 tiled.value, tiled.x, tiled.y, whole.value, whole.x, whole.y);
}

/* Small integers, whose sums and products are exact. Extremes are in several tiles, and the first
 * of equal ones is in a tile that is not the first. */
CLEAN_TEST(reductions)
{
    static const struct qp_rect places[] = {{40, 2, 1, 1}, {3, 3, 1, 1}, {44, 30, 1, 1}};
    static unsigned char values[TILES_BYTES];
    context = support_need_context(state);
    for (int i = 0; i < COUNT(tiles_kinds); i++) {
        if (!tiles_has(context, &tiles_kinds[i]))
            continue;
        struct qp_array_desc desc = tiles_grid(QP_OUTSIDE_ZERO);
        desc.type = tiles_kinds[i].type;
        desc.channels = tiles_kinds[i].channels;
        tiles_fill_kind(&tiles_kinds[i], values, 1, 17);
        const struct tiles_pair x = tiles_make_pair(context, desc, values),
                                y = tiles_make_pair(context, desc, values);
        for (int k = 0; k < 3 * COUNT(places); k++) {
            assert_ok(qp_array_fill(x.whole, &places[k % 3], k < 3 ? 30.0 : 0.0));
            assert_ok(qp_array_fill(x.tiled, &places[k % 3], k < 3 ? 30.0 : 0.0));
            for (int what = 0; what <= QP_REDUCE_NORM_MAX; what++) {
                if (support_takes(i + k + what, 3))
                    expect_reduced(&x, what == QP_REDUCE_DOT ? &y : NULL,
                                   (enum qp_reduce_what)what);
            }
        }
        tiles_destroy_pair(&x);
        tiles_destroy_pair(&y);
    }
}

/* NaN is the answer beside an infinity too, which another tile holds. */
CLEAN_TEST(reductions_of_nan)
{
    static const struct qp_rect places[] = {{44, 30, 1, 1}, {40, 2, 1, 1}, {3, 3, 1, 1}},
                                endless = {20, 20, 1, 1};
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 7);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values);
    assert_ok(qp_array_fill(x.whole, &endless, INFINITY));
    assert_ok(qp_array_fill(x.tiled, &endless, INFINITY));
    for (int k = 0; k < COUNT(places); k++) {
        assert_ok(qp_array_fill(x.whole, &places[k], NAN));
        assert_ok(qp_array_fill(x.tiled, &places[k], NAN));
        for (int what = 0; what <= QP_REDUCE_NORM_MAX; what++) {
            if (what != QP_REDUCE_DOT)
                expect_reduced(&x, NULL, (enum qp_reduce_what)what);
        }
    }
    tiles_destroy_pair(&x);
}

/* ---- The device's own limit ---- */

static float expected_cell(const float *values, int width, int x, int y)
{
    const int left = (x + width - 1) % width, right = (x + 1) % width;
    return values[y * width + left] + 2.0f * values[y * width + right] + (float)x;
}

static void run_wide(int width, int height)
{
    const struct qp_array_desc desc = {
        .width = width, .height = height, .outside = QP_OUTSIDE_WRAP};
    const size_t cells = (size_t)width * (size_t)height;
    float *values = malloc(cells * sizeof *values), *got = malloc(cells * sizeof *got);
    struct qp_array *x, *y;
    assert_true(values != NULL && got != NULL);
    tiles_fill(values, width * height, 4);
    assert_ok(qp_array_create(context, &desc, values, &x));
    assert_ok(qp_array_create(context, &desc, NULL, &y));
    struct qp_kernel *made = kernel(
        (struct qp_kernel_desc){.body = "float kernel(vec2 here) {\n"
                                        "    return x_at(-1, 0) + 2.0 * x_at(1, 0) + here.x;\n"
                                        "}\n",
                                .input = {{.name = "x", .reach = 1}}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made, .input = {{"x", x}}, .output = {y}}));
    assert_ok(qp_array_read(y, NULL, got, 0));
    for (int i = 0; i < width * height; i++) {
        if (got[i] != expected_cell(values, width, i % width, i / width))
            fail_msg("cell (%d, %d) is %g", i % width, i / width, (double)got[i]);
    }
    free(values);
    free(got);
    qp_kernel_destroy(&made);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
}

/* The second one has tiles as large as can be, beside which a window has no place. */
CLEAN_TEST(above_the_limit_of_the_device)
{
    context = support_need_context(state);
    const int limit = qp_context_device(context)->rectangle_limit;
    run_wide(limit + 5, 3);
    run_wide(2 * limit, 1);
}

GROUP(support_open_context, support_close_context)
