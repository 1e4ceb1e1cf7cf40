/* SPDX-License-Identifier: MIT */
/* Layouts of paper 2 for two-dimensional texture caches: each row of the matrix as a square, and the matrix drawn
 * in blocks of b x b texels. In all else both are `branched`. */
#include "ops/gauss_jordan/columns.h"
#include "ops/gauss_jordan/gauss_jordan.h"

/* ---- Matrix-row to texture quad mapping ---- */

static const struct qp_elimination quads = {
    .draw = {QP_DRAW("gauss_jordan/quads_divide.frag", QP_ROW, QP_TARGET, QP_SOURCE),
             QP_DRAW("gauss_jordan/copy.frag", QP_ROW, QP_SOURCE, QP_TARGET),
             QP_DRAW("gauss_jordan/quads.frag", QP_WHOLE, QP_TARGET, QP_SOURCE)},
};

const struct qp_recipe qp_gauss_jordan_quads = {
    .engine = &qp_engine_eliminate,
    .state = {.format = QP_LUMINANCE32F, .squares = true},
    .elimination = &quads,
    .not_kinds = QP_NEEDS_PIVOTING,
    .bytes = 8.0,
};

/* Several render targets: a fragment cannot discard one of them, so row k is divided into a texture of its own,
 * and the draw of all rows writes it, too. */
static const struct qp_elimination quads_targets = {
    .draw = {QP_DRAW("gauss_jordan/quads_row.frag", QP_ROW, QP_PIVOT_ROW, QP_SOURCE),
             QP_DRAW("gauss_jordan/quads_targets.frag", QP_WHOLE, QP_TARGET, QP_SOURCE)},
};

/* + four rows at once, one in each of four textures: one fetch of row k for four elements. */
const struct qp_recipe qp_gauss_jordan_quads_targets = {
    .engine = &qp_engine_eliminate,
    .state = {.format = QP_LUMINANCE32F, .squares = true, .sheets = 4},
    .elimination = &quads_targets,
    .not_kinds = QP_NEEDS_PIVOTING,
    .bytes = 8.0,
};

/* ---- Block processing ---- */

/* N / b strips of N / b quads each: 2 (N / b + 1) vertices a strip. */

#define BRANCHED                                                                   \
    {                                                                              \
        QP_DRAW("gauss_jordan/divide.frag", QP_ROW, QP_TARGET, QP_SOURCE),         \
            QP_DRAW("gauss_jordan/copy.frag", QP_ROW, QP_SOURCE, QP_TARGET),       \
            QP_DRAW("gauss_jordan/branched.frag", QP_WHOLE, QP_TARGET, QP_SOURCE), \
    }
#define NOOP                                                               \
    {                                                                      \
        QP_DRAW("gauss_jordan/noop.frag", QP_WHOLE, QP_TARGET, QP_SOURCE), \
    }

static const struct qp_elimination blocks = {.draw = BRANCHED, .blocks = QP_SENT_BLOCKS};
static const struct qp_elimination blocks_vbo = {.draw = BRANCHED, .blocks = QP_STORED_BLOCKS};
static const struct qp_elimination blocks_noop = {.draw = NOOP, .blocks = QP_SENT_BLOCKS};
static const struct qp_elimination blocks_vbo_noop = {.draw = NOOP, .blocks = QP_STORED_BLOCKS};

const struct qp_recipe qp_gauss_jordan_blocks = {
    .engine = &qp_engine_eliminate,
    .state = QP_ONE_VALUE,
    .elimination = &blocks,
    .not_kinds = QP_NEEDS_PIVOTING,
    .bytes = 8.0,
};

/* + vertices stored on the device. */
const struct qp_recipe qp_gauss_jordan_blocks_vbo = {
    .engine = &qp_engine_eliminate,
    .state = QP_ONE_VALUE,
    .elimination = &blocks_vbo,
    .not_kinds = QP_NEEDS_PIVOTING,
    .bytes = 8.0,
};

/* Bound of the two rows above: vertices and fill rate only, no arithmetic. */
const struct qp_recipe qp_gauss_jordan_blocks_noop_notex = {
    .engine = &qp_engine_eliminate,
    .state = QP_ONE_VALUE,
    .elimination = &blocks_noop,
    .bound = true,
    .bytes = 8.0,
};

const struct qp_recipe qp_gauss_jordan_blocks_vbo_noop_notex = {
    .engine = &qp_engine_eliminate,
    .state = QP_ONE_VALUE,
    .elimination = &blocks_vbo_noop,
    .bound = true,
    .bytes = 8.0,
};
