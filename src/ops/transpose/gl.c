/* SPDX-License-Identifier: MIT */
/* Transposition in fragment shaders: rows that gather or scatter, with one or four values a texel. The engine in
 * engines/gl.c runs them all. */
#include "ops/transpose/transpose.h"

/* ---- One value a texel ---- */

/* The roof: one fetch, one texel written, nothing turned. */
const struct qp_recipe qp_transpose_copy_texels = {
    QP_TRANSPOSE_STANDS({.format = QP_R32F}),
    .draw = {{.fragment = "transpose/copy.frag"}},
    .not_kinds = QP_TRANSPOSE_ONLY_COPIES,
};

/* + coordinates exchanged: a fragment gathers from the place across the diagonal. Rows of fragments
 * read columns of x, which a two-dimensional texture cache is made for. */
const struct qp_recipe qp_transpose_sampled = {
    QP_TRANSPOSE_STANDS({.format = QP_R32F}),
    .draw = {{.fragment = "transpose/sampled.frag"}},
    .not_kinds = QP_TRANSPOSE_ONLY_TURNS,
};

/* Coordinates exchanged at four vertices, and interpolated by the rasteriser, without arithmetic in a fragment. So
 * textures were turned before there were shaders. */
const struct qp_recipe qp_transpose_corners = {
    QP_TRANSPOSE_STANDS({.format = QP_R32F}),
    .draw = {{.vertex = "transpose/corners.vert", .fragment = "transpose/carried.frag"}},
    .not_kinds = QP_TRANSPOSE_ONLY_TURNS,
};

/* Scatter, which fragments cannot do: every value is a point that its vertex moves to the transposed place. Shows
 * the cost of a vertex beside a fragment. */
const struct qp_recipe qp_transpose_points = {
    QP_TRANSPOSE_STANDS({.format = QP_R32F}),
    .draw = {{.vertex = "transpose/points.vert",
              .fragment = "transpose/carried.frag",
              .cover = QP_COVER_POINTS}},
    .not_kinds = QP_TRANSPOSE_ONLY_TURNS,
};

/* ---- Four neighbours of a row a texel ----
 * Three rows of padding, because the last texel of a row of the answer reads four rows of x. */

#define FOUR_VALUES                                       \
    {                                                     \
        .format = QP_RGBA32F, .neighbours = 4, .pad_y = 3 \
    }

const struct qp_recipe qp_transpose_copy_rgba = {
    QP_TRANSPOSE_STANDS(FOUR_VALUES),
    .draw = {{.fragment = "transpose/copy.frag"}},
    .not_kinds = QP_TRANSPOSE_ONLY_COPIES,
};

/* One texel of the answer at a time: four fetches, of which a quarter is used. */
const struct qp_recipe qp_transpose_rgba_rows = {
    QP_TRANSPOSE_STANDS(FOUR_VALUES),
    .draw = {{.fragment = "transpose/rgba_rows.frag"}},
    .not_kinds = QP_TRANSPOSE_ONLY_TURNS,
};

/* Rows dealt out to four textures, or to four sheets of one: a fragment fetches 4 x 4 values in four
 * texels, turns them by swizzles, and writes all of them to four render targets. */
#define FOUR_SHEETS                                        \
    {                                                      \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 4 \
    }

const struct qp_recipe qp_transpose_rgba_targets4 = {
    QP_TRANSPOSE_STANDS(FOUR_SHEETS),
    .draw = {{.fragment = "transpose/rgba_targets4.frag"}},
    .not_kinds = QP_TRANSPOSE_ONLY_TURNS,
};

/* Compute shader: an invocation writes to any texel, so the same 4 x 4 values need no sheets. */
const struct qp_recipe qp_transpose_compute_blocks = {
    QP_TRANSPOSE_STANDS(FOUR_VALUES),
    .draw = {{.compute = "transpose/compute_blocks.comp"}},
    .not_kinds = QP_TRANSPOSE_ONLY_TURNS,
};
