/* SPDX-License-Identifier: MIT */
/* Access in fragment shaders: dependent fetches, at places that a shader computes or reads from
 * textures. Places computed in float are whole numbers, exact up to 2^24; an offset adds up to 2^20
 * to a cell's number. Quotients are corrected as in lab/ops/jacobi9/gl.c, which needs them wrong
 * by one at most: divided by 2 or more they are below 2^22, where 2.5 units of the last place are
 * less than one. By 1 divide a stride of 1, which leaves every cell in its place whatever the
 * quotient, and grids a cell wide, whose fewer than 2^15 rows are exact. */
#include "lab/ops/access/access.h"

static const struct qp_access_variant computed = {.most_cells = (1 << 23) - 1};

const struct qp_recipe qp_access_gl[] = {
    {.name = "access/fetch_offset",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours, after paper 4, global memory",
     .sentence = "a dependent fetch, from a place some cells further on",
     .draw = {{.fragment = "access/offset.frag"}},
     .not_kinds = QP_ACCESS_ONLY(QP_ACCESS_OFFSET, QP_ACCESS_OFFSET),
     .own = &computed},

    {.name = "access/fetch_stride",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours, after paper 4, global memory",
     .sentence = "a dependent fetch, with a stride from one fragment to the next",
     .draw = {{.fragment = "access/stride.frag"}},
     .not_kinds = QP_ACCESS_ONLY(QP_ACCESS_STRIDE, QP_ACCESS_STRIDE),
     .own = &computed},

    {.name = "access/fetch_gather",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours, after paper 4, scattered memory access",
     .sentence = "a dependent fetch, from a place that is read from textures",
     .draw = {{.fragment = "access/gather.frag"}},
     .not_kinds = QP_ACCESS_ONLY(QP_ACCESS_GATHER, QP_ACCESS_GATHER),
     .input = {{.name = "u", .fields = 1, .field = {QP_ACCESS_U}},
               {.name = "v", .fields = 1, .field = {QP_ACCESS_V}}}},

    {0},
};
