/* SPDX-License-Identifier: MIT */
/* Access in fragment shaders: dependent fetches, at places that a shader computes or reads from
 * textures. Where places are computed in float, whole numbers end at 2^24; an offset is up to 2^20 more
 * than a cell's number, so the last power of two below holds them all. Quotients are put right as in
 * jacobi9_gl.c. (2^23 cells through a stride of 1 may count one too many, which moves none of them.) */
#include "ops/access.h"

enum { FLOAT_CELLS = 1 << 23 };

const struct qp_recipe qp_access_fetch_offset = {
    .draw = {{.fragment = "access/offset.frag"}},
    .most_cells = FLOAT_CELLS,
    .not_kinds = QP_ACCESS_ONLY(QP_OFFSET, QP_OFFSET),
};

const struct qp_recipe qp_access_fetch_stride = {
    .draw = {{.fragment = "access/stride.frag"}},
    .most_cells = FLOAT_CELLS,
    .not_kinds = QP_ACCESS_ONLY(QP_STRIDE, QP_STRIDE),
};

const struct qp_recipe qp_access_fetch_gather = {
    .input = {{.name = "u", .fields = 1, .field = {QP_ACCESS_U}},
              {.name = "v", .fields = 1, .field = {QP_ACCESS_V}}},
    .draw = {{.fragment = "access/gather.frag"}},
    .not_kinds = QP_ACCESS_ONLY(QP_GATHER, QP_GATHER),
};
