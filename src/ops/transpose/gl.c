/* SPDX-License-Identifier: MIT */
/* Transposition in fragment shaders: rows that gather or scatter, with one or four values a texel.
 * The engine in engines/gl.c runs them all. */
#include "ops/transpose/transpose.h"

#define ROW(name, kinds, stands, ...)                                          \
    const struct qp_recipe qp_transpose_##name = {QP_TRANSPOSE_STANDS(stands), \
                                                  .draw = {{__VA_ARGS__}},     \
                                                  .not_kinds = QP_TRANSPOSE_ONLY_##kinds}

/* ---- Texels of one value ---- */

#define ONE_VALUE         \
    {                     \
        .format = QP_R32F \
    }

/* The roof: one fetch, one texel written, nothing turned. */
ROW(copy_texels, COPIES, ONE_VALUE, .fragment = "transpose/copy.frag");

/* + coordinates exchanged: a fragment gathers from the place across the diagonal. Rows of fragments
 * read columns of x, which a two-dimensional texture cache is made for. */
ROW(sampled, TURNS, ONE_VALUE, .fragment = "transpose/sampled.frag");

/* Coordinates exchanged at four vertices, and interpolated by the rasteriser, without arithmetic in
 * a fragment. So textures were turned before there were shaders. */
ROW(corners, TURNS, ONE_VALUE, .vertex = "transpose/corners.vert",
    .fragment = "transpose/carried.frag");

/* Scatter, which fragments cannot do: every value is a point that its vertex moves to the
 * transposed place. Shows the cost of a vertex beside a fragment. */
ROW(points, TURNS, ONE_VALUE, .vertex = "transpose/points.vert",
    .fragment = "transpose/carried.frag", .cover = QP_COVER_POINTS);

/* ---- Four neighbours of a row a texel ----
 * Three rows of padding, because the last texel of a row of the answer reads four rows of x. */

#define FOUR_VALUES                                       \
    {                                                     \
        .format = QP_RGBA32F, .neighbours = 4, .pad_y = 3 \
    }

ROW(copy_rgba, COPIES, FOUR_VALUES, .fragment = "transpose/copy.frag");

/* Each texel of the answer by itself: four fetches, of which a quarter is used. */
ROW(rgba_rows, TURNS, FOUR_VALUES, .fragment = "transpose/rgba_rows.frag");

/* Rows dealt out to four textures, or to four sheets of one: a fragment fetches 4 x 4 values in
 * four texels, turns them by swizzles, and writes all of them to four render targets. */
#define FOUR_SHEETS                                        \
    {                                                      \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 4 \
    }

ROW(rgba_targets4, TURNS, FOUR_SHEETS, .fragment = "transpose/rgba_targets4.frag");

/* Compute shader: an invocation writes to any texel, so the same 4 x 4 values need no sheets. */
ROW(compute_blocks, TURNS, FOUR_VALUES, .compute = "transpose/compute_blocks.comp");
