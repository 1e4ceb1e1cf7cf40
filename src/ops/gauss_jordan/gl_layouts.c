/* SPDX-License-Identifier: MIT */
/* Layouts of paper 2 for two-dimensional texture caches: each row of the matrix as a square, and
 * the matrix drawn in blocks of b x b texels. In all else both are `branched`. */
#include "ops/gauss_jordan/columns.h"
#include "ops/gauss_jordan/gauss_jordan.h"

/* ---- Matrix-row to texture quad mapping ---- */

static const struct qp_elimination quads = {
    .draw = QP_DRAWS_BRANCHED("gauss_jordan/quads_divide.frag", "gauss_jordan/copy.frag",
                              "gauss_jordan/quads.frag"),
};

#define SQUARES_IN(textures)                                           \
    {                                                                  \
        .format = QP_LUMINANCE32F, .squares = true, .sheets = textures \
    }
QP_ELIMINATION_ROW(quads, quads, SQUARES_IN(0), .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
                   .bytes = 8.0);

/* Several render targets: a fragment cannot discard one of them, so row k is divided into a texture
 * of its own, and the draw of all rows writes it, too. */
static const struct qp_elimination quads_targets = {
    .draw = {QP_DRAW_INTO("gauss_jordan/quads_row.frag", QP_PART_ROW, QP_SURFACE_PIVOT_ROW,
                          QP_SURFACE_SOURCE),
             QP_DRAW("gauss_jordan/quads_targets.frag", QP_PART_WHOLE)},
};

/* + four rows at once, one in each of four textures: one fetch of row k for four elements. */
QP_ELIMINATION_ROW(quads_targets, quads_targets, SQUARES_IN(4),
                   .not_kinds = QP_MATRIX_NEEDS_PIVOTING, .bytes = 8.0);

/* ---- Block processing ---- */

/* N / b strips of N / b quads each: 2 (N / b + 1) vertices a strip. */

#define BRANCHED                                                            \
    QP_DRAWS_BRANCHED("gauss_jordan/divide.frag", "gauss_jordan/copy.frag", \
                      "gauss_jordan/branched.frag")
#define NOOP                                              \
    {                                                     \
        QP_DRAW("gauss_jordan/noop.frag", QP_PART_WHOLE), \
    }

/* Default block size: half of a first-level cache of 32 KiB, or the whole matrix. */
static int usual_block(const struct qp_recipe *recipe, int rows)
{
    enum { USUAL = 64 };
    (void)recipe;
    return rows < USUAL ? rows : USUAL;
}

static const struct qp_block_rule in_blocks = {.usual = usual_block, .drawn = true};
static const struct qp_elimination blocks = {.draw = BRANCHED, .blocks = QP_BLOCKS_SENT};
static const struct qp_elimination blocks_vbo = {.draw = BRANCHED, .blocks = QP_BLOCKS_STORED};
static const struct qp_elimination blocks_noop_notex = {.draw = NOOP, .blocks = QP_BLOCKS_SENT};
static const struct qp_elimination blocks_vbo_noop_notex = {.draw = NOOP,
                                                            .blocks = QP_BLOCKS_STORED};

QP_UNPIVOTED_ROW(blocks, .blocks = &in_blocks, .bytes = 8.0);

/* + vertices stored on the device. */
QP_UNPIVOTED_ROW(blocks_vbo, .blocks = &in_blocks, .bytes = 8.0);

/* Bound of the two rows above: vertices and fill rate only, no arithmetic. */
QP_COLUMN_ROW(blocks_noop_notex, .blocks = &in_blocks, .bound = true, .bytes = 8.0);
QP_COLUMN_ROW(blocks_vbo_noop_notex, .blocks = &in_blocks, .bound = true, .bytes = 8.0);
