/* SPDX-License-Identifier: MIT */
/* Ways to run a variant by their text, as the tuner keeps it. */
#include "support/support.h"

#include "tools/cmd/style.h"

TEST(all_are_read)
{
    struct qp_style style = {.parts = {.count = 3}};
    style_read("size=64x80 group=8x4 block=16 depth=4 split=20 pingpong=copy target=2d fish=7", 80,
               &style);
    assert_int_equal(style.group_x, 8);
    assert_int_equal(style.group_y, 4);
    assert_int_equal(style.block, 16);
    assert_int_equal(style.parts.count, 3);
    assert_int_equal(style.parts.depth, 4);
    assert_int_equal(style.parts.split, 20);
    assert_int_equal(style.pingpong, QP_COPY);
    assert_int_equal(style.target, QP_2D);
    style_read("pingpong=two_fbos target=rect group=own", 80, &style);
    assert_int_equal(style.pingpong, QP_TWO_FBOS);
    assert_int_equal(style.target, QP_RECTANGLE);
    assert_int_equal(style.group_x, 8);
}

/* A split is a share; a block larger than the grid is left to the variant, but where it was
 * found. */
TEST(other_sizes)
{
    struct qp_style style = {.block = 0};
    style_read("size=64x80 block=64 split=20", 40, &style);
    assert_int_equal(style.parts.split, 10);
    assert_int_equal(style.block, 0);
    style_read("size=64x80 block=64 split=20", 0, &style);
    assert_int_equal(style.parts.split, 0);
    style_read("size=4x8 block=32", 8, &style);
    assert_int_equal(style.block, 32);
    style_read("block=32 split=2", 8, &style);
    assert_int_equal(style.block, 32);
    assert_int_equal(style.parts.split, 2);
}
