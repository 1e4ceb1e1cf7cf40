/* SPDX-License-Identifier: MIT */
/* Proposals of the report of 2004, in fragment shaders: row operations in the blender, and methods
 * of lower complexity. */
#include "ops/gauss_jordan/columns.h"
#include "ops/gauss_jordan/gauss_jordan.h"

#define ONE_HALF                                          \
    {                                                     \
        .format = QP_LUMINANCE16F, .pad_x = 1, .pad_y = 1 \
    }

/* ---- Framebuffer operations ---- */

/* Blending: the matrix stays in one texture, and the blender subtracts the multiple of row k from
 * each element in place. Sampling a texture that is blended into is wrong without any error, so
 * both factors are copied out first: row k, divided, and column k with 0 for row k itself, which so
 * stays as it is. One quad, no branch. */
#define BLENDED(part, shader, equation)                                    \
    {                                                                      \
        shader, part, QP_SURFACE_TARGET, QP_SURFACE_SOURCE, equation, NULL \
    }
#define BLEND(columns, shader, equation)                                                         \
    QP_DRAW_INTO("gauss_jordan/row_divided.frag", (columns) | QP_PART_ROW, QP_SURFACE_PIVOT_ROW, \
                 QP_SURFACE_TARGET),                                                             \
        QP_DRAW_INTO("gauss_jordan/others.frag", QP_PART_COLUMN, QP_SURFACE_FACTORS,             \
                     QP_SURFACE_TARGET),                                                         \
        QP_DRAW_INTO("gauss_jordan/spread_row.frag", (columns) | QP_PART_ROW, QP_SURFACE_TARGET, \
                     QP_SURFACE_PIVOT_ROW),                                                      \
        BLENDED(columns, shader, equation)

static const struct qp_elimination blend = {
    .draw = {BLEND(QP_PART_WHOLE, "gauss_jordan/blend.frag", QP_SUBTRACT)},
    .in_place = true,
};

static const struct qp_elimination blend_multiply = {
    .draw = {BLEND(QP_PART_WHOLE, "gauss_jordan/blend_multiply.frag", QP_SUBTRACT_TIMES_ALPHA)},
    .in_place = true,
};

static const struct qp_elimination blend_shrinking = {
    .draw = {BLEND(QP_PART_RIGHT, "gauss_jordan/blend.frag", QP_SUBTRACT)},
    .in_place = true,
};

/* The same four draws would let the other rows of this section pivot, at the same cost. */
static const struct qp_elimination blend_pivoted = {
    .draw = {QP_DRAW_EXCHANGE(QP_PART_ROW, QP_SURFACE_TARGET),
             BLEND(QP_PART_WHOLE, "gauss_jordan/blend.frag", QP_SUBTRACT)},
    .pivots = true,
    .in_place = true,
};

QP_UNPIVOTED_ROW(blend, .bytes = 8.0);

/* + the product in the blender too: the shader computes nothing. */
QP_UNPIVOTED_ROW(blend_multiply, .bytes = 8.0);

/* 16-bit blending, all that blenders of 2004 could: tolerance_half in
 * gauss_jordan.c derives the loss. */
QP_ELIMINATION_ROW(blend_half, blend, ONE_HALF, .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
                   .bytes = 4.0);
QP_ELIMINATION_ROW(blend_multiply_half, blend_multiply, ONE_HALF,
                   .not_kinds = QP_MATRIX_NEEDS_PIVOTING, .bytes = 4.0);

/* + no column that is finished, which here needs no copy. */
QP_UNPIVOTED_ROW(blend_shrinking, .bytes = 4.0);

QP_COLUMN_ROW(blend_pivoted, .bytes = 8.0);

/* ---- Lower complexity ---- */

/* Gaussian elimination: row k, divided, is drawn into both textures and is finished, until back
 * substitution. There row k has x_k already, which is subtracted from the rows above. A third of
 * the elements of Gauss-Jordan: quads shrink in both directions. */
#define BELOW_ONLY                                                                   \
    QP_DRAW("gauss_jordan/divide.frag", QP_PART_RIGHT_ROW),                          \
        QP_DRAW_INTO("gauss_jordan/copy.frag", QP_PART_RIGHT_ROW, QP_SURFACE_SOURCE, \
                     QP_SURFACE_TARGET),                                             \
        QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RIGHT_BELOW)
#define TAKE_X(rows)                                              \
    QP_DRAW("gauss_jordan/copy.frag", QP_PART_RHS | QP_PART_ROW), \
        QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RHS | (rows))

static const struct qp_elimination elimination = {
    .draw = {BELOW_ONLY},
    .back = {TAKE_X(QP_PART_ABOVE)},
};

/* With pivoting. Left of column k rows from k down hold zeros, so only the rest of them is
 * exchanged. */
static const struct qp_elimination elimination_pivoted = {
    .draw = {QP_DRAW_EXCHANGE(QP_PART_RIGHT_ROW, QP_SURFACE_SOURCE), BELOW_ONLY},
    .back = {TAKE_X(QP_PART_ABOVE)},
    .pivots = true,
};

/* Gaussian elimination in the blender. Finished rows stay in place, so nothing is drawn into both
 * textures; only the factors are copied out, as above. */
#define BLEND_BELOW_ONLY                                                                   \
    QP_DRAW_INTO("gauss_jordan/row_divided.frag", QP_PART_RIGHT_ROW, QP_SURFACE_PIVOT_ROW, \
                 QP_SURFACE_TARGET),                                                       \
        QP_DRAW_INTO("gauss_jordan/others.frag", QP_PART_COLUMN | QP_PART_BELOW,           \
                     QP_SURFACE_FACTORS, QP_SURFACE_TARGET),                               \
        QP_DRAW_INTO("gauss_jordan/spread_row.frag", QP_PART_RIGHT_ROW, QP_SURFACE_TARGET, \
                     QP_SURFACE_PIVOT_ROW),                                                \
        BLENDED(QP_PART_RIGHT_BELOW, "gauss_jordan/blend.frag", QP_SUBTRACT)
#define BLEND_X                                                                            \
    QP_DRAW_INTO("gauss_jordan/row.frag", QP_PART_RHS | QP_PART_ROW, QP_SURFACE_PIVOT_ROW, \
                 QP_SURFACE_TARGET),                                                       \
        QP_DRAW_INTO("gauss_jordan/others.frag", QP_PART_COLUMN | QP_PART_ABOVE,           \
                     QP_SURFACE_FACTORS, QP_SURFACE_TARGET),                               \
        BLENDED(QP_PART_RHS | QP_PART_ABOVE, "gauss_jordan/blend.frag", QP_SUBTRACT)

static const struct qp_elimination blend_elimination = {
    .draw = {BLEND_BELOW_ONLY},
    .back = {BLEND_X},
    .in_place = true,
};

static const struct qp_elimination blend_elimination_pivoted = {
    .draw = {QP_DRAW_EXCHANGE(QP_PART_RIGHT_ROW, QP_SURFACE_TARGET), BLEND_BELOW_ONLY},
    .back = {BLEND_X},
    .pivots = true,
    .in_place = true,
};

/* A = L U: factors are stored in place of the zeros they make, in both textures, and b is not
 * touched before all of them are there. Then L y = b forwards, with 1 on the diagonal of L, and U x
 * = y backwards. */
#define FACTORIZE                                                                                 \
    QP_DRAW_INTO("gauss_jordan/factors.frag", QP_PART_COLUMN | QP_PART_BELOW, QP_SURFACE_FACTORS, \
                 QP_SURFACE_SOURCE),                                                              \
        QP_DRAW_INTO("gauss_jordan/spread_factors.frag", QP_PART_COLUMN | QP_PART_BELOW,          \
                     QP_SURFACE_TARGET, QP_SURFACE_FACTORS),                                      \
        QP_DRAW_INTO("gauss_jordan/spread_factors.frag", QP_PART_COLUMN | QP_PART_BELOW,          \
                     QP_SURFACE_SOURCE, QP_SURFACE_FACTORS),                                      \
        QP_DRAW("gauss_jordan/factors_rowop.frag", QP_PART_BEHIND | QP_PART_BELOW)
#define DIVIDE_AND_TAKE_X                                                                    \
    QP_DRAW("gauss_jordan/divide.frag", QP_PART_RHS | QP_PART_ROW),                          \
        QP_DRAW_INTO("gauss_jordan/copy.frag", QP_PART_RHS | QP_PART_ROW, QP_SURFACE_SOURCE, \
                     QP_SURFACE_TARGET),                                                     \
        QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RHS | QP_PART_ABOVE)

static const struct qp_elimination lu = {
    .draw = {QP_DRAW("gauss_jordan/copy.frag", QP_PART_RIGHT_ROW), FACTORIZE},
    .again = {TAKE_X(QP_PART_BELOW)},
    .back = {DIVIDE_AND_TAKE_X},
    .alike = true,
};

/* Rows are exchanged with their part of L and of b, in both textures. */
static const struct qp_elimination lu_pivoted = {
    .draw = {QP_DRAW_EXCHANGE(QP_PART_ROW, QP_SURFACE_SOURCE),
             QP_DRAW_INTO("gauss_jordan/spread_row.frag", QP_PART_ROW, QP_SURFACE_TARGET,
                          QP_SURFACE_PIVOT_ROW),
             QP_DRAW_OTHER(QP_PART_ROW, QP_SURFACE_TARGET), FACTORIZE},
    .again = {TAKE_X(QP_PART_BELOW)},
    .back = {DIVIDE_AND_TAKE_X},
    .pivots = true,
    .alike = true,
};

QP_UNPIVOTED_ROW(elimination, .bytes = 8.0 / 3.0, .tolerance = qp_gauss_jordan_tolerance_lu);
QP_COLUMN_ROW(elimination_pivoted, .bytes = 8.0 / 3.0, .tolerance = qp_gauss_jordan_tolerance_lu);
QP_UNPIVOTED_ROW(blend_elimination, .bytes = 8.0 / 3.0, .tolerance = qp_gauss_jordan_tolerance_lu);
QP_COLUMN_ROW(blend_elimination_pivoted, .bytes = 8.0 / 3.0,
              .tolerance = qp_gauss_jordan_tolerance_lu);
QP_UNPIVOTED_ROW(lu, .bytes = 8.0 / 3.0, .tolerance = qp_gauss_jordan_tolerance_lu);
QP_COLUMN_ROW(lu_pivoted, .bytes = 8.0 / 3.0, .tolerance = qp_gauss_jordan_tolerance_lu);
