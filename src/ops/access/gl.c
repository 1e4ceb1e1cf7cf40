/* SPDX-License-Identifier: MIT */
/* Access in fragment shaders: dependent fetches, at places that a shader computes or reads from
 * textures. Places computed in float are whole numbers, exact up to 2^24; an offset adds up to 2^20
 * to a cell's number. Quotients are corrected as in ops/jacobi9/gl.c, which needs them wrong by one
 * at most: divided by 2 or more they are below 2^22, where 2.5 units of the last place are less
 * than one. By 1 divide a stride of 1, which leaves every cell in its place whatever the quotient,
 * and grids a cell wide, whose fewer than 2^15 rows are exact. */
#include "ops/access/access.h"

static const struct qp_access_row computed = {.most_cells = (1 << 23) - 1};

#define ROW(name, kind, shader, ...)            \
    const struct qp_recipe qp_access_##name = { \
        .draw = {{.fragment = shader}}, .not_kinds = QP_ACCESS_ONLY(kind, kind), __VA_ARGS__}

ROW(fetch_offset, QP_ACCESS_OFFSET, "access/offset.frag", .own = &computed);
ROW(fetch_stride, QP_ACCESS_STRIDE, "access/stride.frag", .own = &computed);
ROW(fetch_gather, QP_ACCESS_GATHER, "access/gather.frag",
    .input = {{.name = "u", .fields = 1, .field = {QP_ACCESS_U}},
              {.name = "v", .fields = 1, .field = {QP_ACCESS_V}}});
