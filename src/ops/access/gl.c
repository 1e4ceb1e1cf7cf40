/* SPDX-License-Identifier: MIT */
/* Access in fragment shaders: dependent fetches, at places that a shader computes or reads from
 * textures. Where places are computed in float, they are whole numbers, exact up to 2^24, and an offset
 * is up to 2^20 more than a cell's number. Quotients are put right as in ops/jacobi9/gl.c, if they miss by one
 * at most: those by 2 and more are below 2^22, where 2.5 units of the last place are less than one. A
 * stride of 1 alone divides by 1, and leaves every cell where it is whatever it counts. */
#include "ops/access/access.h"

enum { FLOAT_CELLS = (1 << 23) - 1 };

const struct qp_recipe qp_access_fetch_offset = {
    .draw = {{.fragment = "access/offset.frag"}},
    .most_cells = FLOAT_CELLS,
    .not_kinds = QP_ACCESS_ONLY(QP_ACCESS_OFFSET, QP_ACCESS_OFFSET),
};

const struct qp_recipe qp_access_fetch_stride = {
    .draw = {{.fragment = "access/stride.frag"}},
    .most_cells = FLOAT_CELLS,
    .not_kinds = QP_ACCESS_ONLY(QP_ACCESS_STRIDE, QP_ACCESS_STRIDE),
};

const struct qp_recipe qp_access_fetch_gather = {
    .input = {{.name = "u", .fields = 1, .field = {QP_ACCESS_U}},
              {.name = "v", .fields = 1, .field = {QP_ACCESS_V}}},
    .draw = {{.fragment = "access/gather.frag"}},
    .not_kinds = QP_ACCESS_ONLY(QP_ACCESS_GATHER, QP_ACCESS_GATHER),
};
