/* SPDX-License-Identifier: MIT */
/* Transposition in fragment shaders: variants that gather or scatter, with one or four values a
 * texel. The engine in lab/engines/gl.c runs them all. */
#include "lab/ops/transpose/transpose.h"

#define DRAWS(kinds, stands, ...)                                           \
    .backend = QP_GL, QP_TRANSPOSE_STANDS(stands), .draw = {{__VA_ARGS__}}, \
    .not_kinds = QP_TRANSPOSE_ONLY_##kinds

#define ONE_VALUE         \
    {                     \
        .format = QP_R32F \
    }

#define FOUR_VALUES                                       \
    {                                                     \
        .format = QP_RGBA32F, .neighbours = 4, .pad_y = 3 \
    }

/* Rows dealt out to four textures, or to four sheets of one: a fragment fetches 4 x 4 values in
 * four texels, turns them by swizzles, and writes all of them to four render targets. */
#define FOUR_SHEETS                                        \
    {                                                      \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 4 \
    }

const struct qp_recipe qp_transpose_gl[] = {
    /* ---- Texels of one value ---- */

    /* The roof: one fetch, one texel written, nothing turned. */
    {.name = "transpose/copy_texels",
     .layout = "one value a texel",
     .place = "ours, after paper 4: the roof",
     .sentence = "a copy, on the problem of that name: one texel in, one out, at the same place",
     DRAWS(COPIES, ONE_VALUE, .fragment = "transpose/copy.frag")},

    /* + coordinates exchanged: a fragment gathers from the place across the diagonal. Rows of
     * fragments read columns of x, which a two-dimensional texture cache is made for. */
    {.name = "transpose/sampled",
     .layout = "one value a texel",
     .place = "ours: paper 4 as a fragment shader",
     .sentence = "one quad; each fragment gathers from the place across the diagonal, through the "
                 "texture cache",
     DRAWS(TURNS, ONE_VALUE, .fragment = "transpose/sampled.frag")},

    /* Coordinates exchanged at four vertices, and interpolated by the rasteriser, without
     * arithmetic in a fragment. So textures were turned before there were shaders. */
    {.name = "transpose/corners",
     .layout = "one value a texel",
     .place = "ours: as before there were fragment shaders",
     .sentence = "texture coordinates are exchanged at the four corners; interpolators carry them",
     DRAWS(TURNS, ONE_VALUE, .vertex = "transpose/corners.vert",
           .fragment = "transpose/carried.frag")},

    /* Scatter, which fragments cannot do: every value is a point that its vertex moves to the
     * transposed place. Shows the cost of a vertex beside a fragment. */
    {.name = "transpose/points",
     .layout = "one value a texel",
     .place = "ours: a scatter",
     .sentence = "scatter: every value is a point that its vertex moves to the transposed place",
     DRAWS(TURNS, ONE_VALUE, .vertex = "transpose/points.vert",
           .fragment = "transpose/carried.frag", .cover = QP_COVER_POINTS)},

    /* ---- Four neighbours of a row a texel ----
     * Three rows of padding, because the last texel of a row of the answer reads four rows of x. */

    {.name = "transpose/copy_rgba",
     .after = "transpose/copy_texels",
     .layout = "four neighbours a texel",
     .place = "ours: the roof of four values a texel",
     .sentence = "copy_texels with four values a texel",
     DRAWS(COPIES, FOUR_VALUES, .fragment = "transpose/copy.frag")},

    /* Each texel of the answer by itself: four fetches, of which a quarter is used. */
    {.name = "transpose/rgba_rows",
     .layout = "four neighbours a texel",
     .place = "ours: one texel of the answer at a time",
     .sentence = "four fetches for four values: a quarter of what is fetched is used",
     DRAWS(TURNS, FOUR_VALUES, .fragment = "transpose/rgba_rows.frag")},

    {.name = "transpose/rgba_targets4",
     .layout = "four neighbours a texel, rows dealt out to four textures",
     .place = "ours: blocks of 4 x 4",
     .sentence = "four texels in, turned by swizzles, four texels out to four render targets: all "
                 "that is fetched is used",
     DRAWS(TURNS, FOUR_SHEETS, .fragment = "transpose/rgba_targets4.frag")},

    /* Compute shader: an invocation writes to any texel, so the same 4 x 4 values need no sheets.
     * */
    {.name = "transpose/compute_blocks",
     .layout = "four neighbours a texel",
     .place = "what came after: OpenGL 4.3",
     .sentence = "rgba_targets4 as a compute shader, which writes four rows without sheets",
     DRAWS(TURNS, FOUR_VALUES, .compute = "transpose/compute_blocks.comp")},

    {0},
};
