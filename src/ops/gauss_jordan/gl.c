/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan in fragment shaders, one column a step: the report's experiments in its order, each
 * a list of draws for the engine in columns_engine.c. */
#include "ops/gauss_jordan/blocked.h"
#include "ops/gauss_jordan/columns.h"
#include "ops/gauss_jordan/gauss_jordan.h"

#define FOUR_SYSTEMS                                                          \
    {                                                                         \
        .format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 1 \
    }

static const enum qp_pingpong_style two_fbos = QP_TWO_FBOS;
static const enum qp_pingpong_style two_attachments = QP_TWO_ATTACHMENTS;

/* Without a pass of its own for the division of row k: every fragment of the other rows divides the
 * element that it fetches. The divided row is not read, so it is not copied back. */
static const struct qp_elimination undivided = {
    .draw = {QP_DRAW("gauss_jordan/divide.frag", QP_PART_ROW),
             QP_DRAW("gauss_jordan/undivided.frag", QP_PART_ABOVE),
             QP_DRAW("gauss_jordan/undivided.frag", QP_PART_BELOW)},
    .pingpong = &two_fbos,
};

/* Normalise row k in the target and copy it back to the source, then the rows above and below. */
#define BASIC                                                                      \
    {                                                                              \
        QP_DRAW("gauss_jordan/divide.frag", QP_PART_ROW),                          \
            QP_DRAW_INTO("gauss_jordan/copy.frag", QP_PART_ROW, QP_SURFACE_SOURCE, \
                         QP_SURFACE_TARGET),                                       \
            QP_DRAW("gauss_jordan/rowop.frag", QP_PART_ABOVE),                     \
            QP_DRAW("gauss_jordan/rowop.frag", QP_PART_BELOW)                      \
    }
static const struct qp_elimination basic = {.draw = BASIC, .pingpong = &two_fbos};
static const struct qp_elimination doublebuffered = {.draw = BASIC, .pingpong = &two_attachments};

/* + one full quad for both. */
static const struct qp_elimination branched = {
    .draw = QP_DRAWS_BRANCHED("gauss_jordan/divide.frag", "gauss_jordan/copy.frag",
                              "gauss_jordan/branched.frag"),
    .pingpong = &two_attachments,
};

/* `branched` without fetches, and with all fetches from one texel. */
static const struct qp_elimination branched_notex = {
    .draw = QP_DRAWS_BRANCHED("gauss_jordan/divide_notex.frag", "gauss_jordan/copy_notex.frag",
                              "gauss_jordan/branched_notex.frag"),
    .pingpong = &two_attachments,
};

static const struct qp_elimination branched_alwayscache = {
    .draw = QP_DRAWS_BRANCHED("gauss_jordan/divide_alwayscache.frag",
                              "gauss_jordan/copy_alwayscache.frag",
                              "gauss_jordan/branched_alwayscache.frag"),
    .pingpong = &two_attachments,
};

/* Factors (ours): column k is divided in place of row k, into factors a_ik / a_kk in a texture of
 * their own. They multiply the undivided row k, which the source still holds: it is divided in the
 * target alone, and nothing is copied back. */
#define BY_FACTORS                                                                \
    QP_DRAW_INTO("gauss_jordan/factors.frag", QP_PART_COLUMN, QP_SURFACE_FACTORS, \
                 QP_SURFACE_SOURCE),                                              \
        QP_DRAW("gauss_jordan/divide.frag", QP_PART_ROW),                         \
        QP_DRAW("gauss_jordan/factors_rowop.frag", QP_PART_ABOVE),                \
        QP_DRAW("gauss_jordan/factors_rowop.frag", QP_PART_BELOW)
static const struct qp_elimination factors = {.draw = {BY_FACTORS}};

/* + an exchange in the source, before anything reads it. */
static const struct qp_elimination factors_pivoted = {
    .draw = {QP_DRAW_EXCHANGE(QP_PART_ROW, QP_SURFACE_SOURCE), BY_FACTORS},
    .pivots = true,
};

/* branched + no column that is finished. */
static const struct qp_elimination shrinking = {
    .draw = {QP_DRAW("gauss_jordan/divide.frag", QP_PART_RIGHT_ROW),
             QP_DRAW_INTO("gauss_jordan/copy.frag", QP_PART_RIGHT_ROW, QP_SURFACE_SOURCE,
                          QP_SURFACE_TARGET),
             QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RIGHT_ABOVE),
             QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RIGHT_BELOW)},
};

/* Pivoted: the pivot's row is divided into a texture of its own; nothing is copied back, and every
 * row is written in one quad. */
static const struct qp_elimination pivoted = {
    .draw = {QP_DRAW_INTO("gauss_jordan/pivoted_row.frag", QP_PART_ROW, QP_SURFACE_PIVOT_ROW,
                          QP_SURFACE_SOURCE),
             QP_DRAW("gauss_jordan/pivoted_rowop.frag", QP_PART_WHOLE)},
    .pivots = true,
};

static const struct qp_elimination shrinking_pivoted = {
    .draw = {QP_DRAW_INTO("gauss_jordan/pivoted_row.frag", QP_PART_RIGHT_ROW, QP_SURFACE_PIVOT_ROW,
                          QP_SURFACE_SOURCE),
             QP_DRAW("gauss_jordan/pivoted_rowop.frag", QP_PART_RIGHT)},
    .pivots = true,
};

/* ---- Rows ---- */

QP_UNPIVOTED_ROW(undivided, .bytes = 8.0);

/* + the divisions in a pass of their own: the report's algorithm. */
QP_UNPIVOTED_ROW(basic, .bytes = 8.0);

/* + one framebuffer object for both: nothing changes but the attachment that is drawn to. */
QP_UNPIVOTED_ROW(doublebuffered, .bytes = 8.0);

QP_UNPIVOTED_ROW(branched, .bytes = 8.0);

/* Bounds of `branched`: without fetches, and with every fetch a cache hit. */
QP_COLUMN_ROW(branched_notex, .bound = true, .bytes = 8.0);
QP_COLUMN_ROW(branched_alwayscache, .bound = true, .bytes = 8.0);

QP_UNPIVOTED_ROW(factors, .bytes = 8.0);

/* Four systems, without pivoting: each would exchange other rows, but a texel is in the same row
 * for all. */
QP_ELIMINATION_ROW(systems, branched, FOUR_SYSTEMS, .systems = 4,
                   .not_kinds = QP_MATRIX_NEEDS_PIVOTING, .bytes = 8.0);

QP_UNPIVOTED_ROW(shrinking, .bytes = 4.0);
QP_COLUMN_ROW(pivoted, .bytes = 8.0);
QP_COLUMN_ROW(factors_pivoted, .bytes = 8.0);
QP_COLUMN_ROW(shrinking_pivoted, .bytes = 4.0);

/* ---- By blocks ---- */

static const struct qp_blocked blocked = {
    .actions = &qp_blocked_drawn, .form = {{1, QP_ANY_ROWS, 56}}, .many = 512, .group = 32};

/* Blocked LU. There is no row without pivoting beside it, for the search costs next to nothing
 * here, and none that clears the columns above as well: that is half as much work again. Each block
 * of columns reads and writes the rest of the matrix once. */
const struct qp_recipe qp_gauss_jordan_blocked = {
    .engine = &qp_engine_blocked,
    .state = {.format = QP_RGBA32F, .neighbours = 4, .sheets = 8},
    .own = &blocked,
    .bytes = 8.0 / (3.0 * 56.0),
    .tolerance = qp_gauss_jordan_tolerance_lu,
};

/* Sizes for software rasterisers. GPUs have registers for 32 columns, and wide blocks are fewer
 * dispatches; software has no such registers, and takes long to compile unrolled loops. Its highest
 * panel is as high as that of GPUs. */
static const struct qp_panel_form software[QP_PANEL_FORMS] = {
    {64, 1, 8}, {256, 1, 8}, {1024, 1, 8}, {1024, 2, 8}, {1024, 4, 8}, {1024, 8, 4}};

/* Forms of panels: registers hold 32 values an invocation, so that higher panels are narrower. */
static const struct qp_blocked blocked_compute = {
    .actions = &qp_blocked_dispatched,
    .form = {{64, 1, 32}, {256, 1, 32}, {1024, 1, 32}, {1024, 2, 16}, {1024, 4, 8}, {1024, 8, 4}},
    .software = software};

/* Blocked LU in compute shaders, whose work groups have shared memory and barriers: no pass for
 * pivots, since one group factors a block while the others wait, and no layers, since a compute
 * shader writes to any texel. */
const struct qp_recipe qp_gauss_jordan_blocked_compute = {
    .engine = &qp_engine_blocked,
    .own = &blocked_compute,
    .state = {.format = QP_R32F},
    .bytes = 8.0 / (3.0 * 32.0),
    .tolerance = qp_gauss_jordan_tolerance_lu,
};
