/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan in fragment shaders, one column a step: the report's experiments in its order, each
 * a list of draws for the engine in columns_engine.c. */
#include "lab/ops/gauss_jordan/blocked.h"
#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"

/* A list of draws for each column, in this layout; and without an exchange of rows, in the layout
 * of most, whose padding branched_alwayscache reads. */
#define COLUMNS(stands, ...)                                                               \
    .engine = &qp_engine_eliminate, .state = stands, .own = &(const struct qp_elimination) \
    {                                                                                      \
        __VA_ARGS__                                                                        \
    }
#define ONE_VALUE                                         \
    {                                                     \
        .format = QP_LUMINANCE32F, .pad_x = 1, .pad_y = 1 \
    }
#define UNPIVOTED(...) COLUMNS(ONE_VALUE, __VA_ARGS__), .not_kinds = QP_MATRIX_NEEDS_PIVOTING

#define FOUR_SYSTEMS                                                          \
    {                                                                         \
        .format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 1 \
    }

static const enum qp_pingpong_style two_fbos = QP_TWO_FBOS;
static const enum qp_pingpong_style two_attachments = QP_TWO_ATTACHMENTS;

/* Normalise row k in the target and copy it back to the source, then the rows above and below. */
#define BASIC                                                                      \
    {                                                                              \
        QP_DRAW("gauss_jordan/divide.frag", QP_PART_ROW),                          \
            QP_DRAW_INTO("gauss_jordan/copy.frag", QP_PART_ROW, QP_SURFACE_SOURCE, \
                         QP_SURFACE_TARGET),                                       \
            QP_DRAW("gauss_jordan/rowop.frag", QP_PART_ABOVE),                     \
            QP_DRAW("gauss_jordan/rowop.frag", QP_PART_BELOW)                      \
    }

/* Factors (ours): column k is divided in place of row k, into factors a_ik / a_kk in a texture of
 * their own. They multiply the undivided row k, which the source still holds: it is divided in the
 * target alone, and nothing is copied back. */
#define BY_FACTORS                                                                \
    QP_DRAW_INTO("gauss_jordan/factors.frag", QP_PART_COLUMN, QP_SURFACE_FACTORS, \
                 QP_SURFACE_SOURCE),                                              \
        QP_DRAW("gauss_jordan/divide.frag", QP_PART_ROW),                         \
        QP_DRAW("gauss_jordan/factors_rowop.frag", QP_PART_ABOVE),                \
        QP_DRAW("gauss_jordan/factors_rowop.frag", QP_PART_BELOW)

/* Sizes for software rasterisers. GPUs have registers for 32 columns, and wide blocks are fewer
 * dispatches; software has no such registers, and takes long to compile unrolled loops. Its highest
 * panel is as high as that of GPUs. */
static const struct qp_panel_form software[QP_PANEL_FORMS] = {
    {64, 1, 8}, {256, 1, 8}, {1024, 1, 8}, {1024, 2, 8}, {1024, 4, 8}, {1024, 8, 4}};

#define SQUARES_IN(textures)                                           \
    {                                                                  \
        .format = QP_LUMINANCE32F, .squares = true, .sheets = textures \
    }

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

#define ONE_HALF                                          \
    {                                                     \
        .format = QP_LUMINANCE16F, .pad_x = 1, .pad_y = 1 \
    }

/* Blending: the matrix stays in one texture, and the blender subtracts the multiple of row k from
 * each element in place. Sampling a texture that is blended into is wrong without any error, so
 * both factors are copied out first: row k, divided, and column k with 0 for row k itself, which so
 * stays as it is. One quad, no branch. */
#define BLENDED(part, shader, equation)                                            \
    {                                                                              \
        {.fragment = shader}, part, QP_SURFACE_TARGET, QP_SURFACE_SOURCE, equation \
    }
#define BLEND(columns, shader, equation)                                                         \
    QP_DRAW_INTO("gauss_jordan/row_divided.frag", (columns) | QP_PART_ROW, QP_SURFACE_PIVOT_ROW, \
                 QP_SURFACE_TARGET),                                                             \
        QP_DRAW_INTO("gauss_jordan/others.frag", QP_PART_COLUMN, QP_SURFACE_FACTORS,             \
                     QP_SURFACE_TARGET),                                                         \
        QP_DRAW_INTO("gauss_jordan/spread_row.frag", (columns) | QP_PART_ROW, QP_SURFACE_TARGET, \
                     QP_SURFACE_PIVOT_ROW),                                                      \
        BLENDED(columns, shader, equation)

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

const struct qp_recipe qp_gauss_jordan_gl[] = {
    /* Without a pass of its own for the division of row k: every fragment of the other rows divides
     * the element that it fetches. The divided row is not read, so it is not copied back. */
    {.name = "gauss_jordan/undivided",
     .backend = QP_GL,
     .layout = "one value a texel, two framebuffers",
     .place = "paper 2, row division factors",
     .sentence = "basic without a division pass: every fragment divides its element of row k, four "
                 "fetches and a division",
     UNPIVOTED(.draw = {QP_DRAW("gauss_jordan/divide.frag", QP_PART_ROW),
                        QP_DRAW("gauss_jordan/undivided.frag", QP_PART_ABOVE),
                        QP_DRAW("gauss_jordan/undivided.frag", QP_PART_BELOW)},
               .pingpong = &two_fbos),
     .bytes = 8.0},

    /* + the divisions in a pass of their own: the report's algorithm. */
    {.name = "gauss_jordan/basic",
     .after = "gauss_jordan/undivided",
     .backend = QP_GL,
     .layout = "one value a texel, two framebuffers",
     .place = "paper 2, the algorithm",
     .sentence =
         "normalise row k in the target, copy it back, row operation on the quads above and below",
     UNPIVOTED(.draw = BASIC, .pingpong = &two_fbos),
     .bytes = 8.0},

    /* + one framebuffer object for both: nothing changes but the attachment that is drawn to. */
    {.name = "gauss_jordan/doublebuffered",
     .after = "gauss_jordan/basic",
     .backend = QP_GL,
     .layout = "one value a texel, two attachments",
     .place = "paper 2, double-buffered pbuffer",
     .sentence = "basic on two attachments of one framebuffer object, which is never changed",
     UNPIVOTED(.draw = BASIC, .pingpong = &two_attachments),
     .bytes = 8.0},

    /* + one full quad for both. */
    {.name = "gauss_jordan/branched",
     .after = "gauss_jordan/doublebuffered",
     .backend = QP_GL,
     .layout = "one value a texel, two attachments",
     .place = "paper 2, branching",
     .sentence =
         "one full quad in place of two; fragments of row k are discarded: the paper's best",
     UNPIVOTED(.draw = BRANCHED, .pingpong = &two_attachments),
     .bytes = 8.0},

    {.name = "gauss_jordan/factors",
     .after = "gauss_jordan/basic",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: factors of a column",
     .sentence = "column k divided in place of row k, into a texture of its own; these factors "
                 "take row k as it was: no copy back",
     UNPIVOTED(.draw = {BY_FACTORS}),
     .bytes = 8.0},

    /* ---- Matrix-row to texture quad mapping ---- */

    {.name = "gauss_jordan/quads",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "each row a square of texels",
     .place = "paper 2, row to texture quad mapping",
     .sentence = "branched where every matrix row is a square of texels, for a two-dimensional "
                 "texture cache",
     COLUMNS(SQUARES_IN(0),
             .draw = QP_DRAWS_BRANCHED("gauss_jordan/quads_divide.frag", "gauss_jordan/copy.frag",
                                       "gauss_jordan/quads.frag")),
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 8.0},

    /* + four rows at once, one in each of four textures: one fetch of row k for four elements.
     * Several render targets: a fragment cannot discard one of them, so row k is divided into a
     * texture of its own, and the draw of all rows writes it, too. */
    {.name = "gauss_jordan/quads_targets",
     .after = "gauss_jordan/quads",
     .backend = QP_GL,
     .layout = "each row a square, in four textures",
     .place = "paper 2, row to texture quad mapping",
     .sentence = "quads with rows dealt out to four textures: one fragment writes the same place "
                 "of four rows",
     COLUMNS(SQUARES_IN(4), .draw = {QP_DRAW_INTO("gauss_jordan/quads_row.frag", QP_PART_ROW,
                                                  QP_SURFACE_PIVOT_ROW, QP_SURFACE_SOURCE),
                                     QP_DRAW("gauss_jordan/quads_targets.frag", QP_PART_WHOLE)}),
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 8.0},

    /* ---- Block processing ----
     * N / b strips of N / b quads each: 2 (N / b + 1) vertices a strip. */

    {.name = "gauss_jordan/blocks",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 2, block processing",
     .sentence =
         "branched in strips of quads of b x b texels, b columns at a time, in immediate mode",
     UNPIVOTED(.draw = BRANCHED, .blocks = QP_BLOCKS_SENT),
     .blocks = &in_blocks,
     .bytes = 8.0},

    /* + vertices stored on the device. */
    {.name = "gauss_jordan/blocks_vbo",
     .after = "gauss_jordan/blocks",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 2, block processing",
     .sentence = "blocks with the vertices in a vertex buffer object",
     UNPIVOTED(.draw = BRANCHED, .blocks = QP_BLOCKS_STORED),
     .blocks = &in_blocks,
     .bytes = 8.0},

    /* Bound of the two variants above: vertices and fill rate only, no arithmetic. */
    {.name = "gauss_jordan/blocks_noop_notex",
     .after = "gauss_jordan/blocks",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 2, block processing, noop",
     .sentence = "bound of blocks: its vertices and its fill, no fetch, nothing computed",
     COLUMNS(ONE_VALUE, .draw = NOOP, .blocks = QP_BLOCKS_SENT),
     .blocks = &in_blocks,
     .bound = true,
     .bytes = 8.0},

    {.name = "gauss_jordan/blocks_vbo_noop_notex",
     .after = "gauss_jordan/blocks_vbo",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 2, block processing, noop",
     .sentence = "bound of blocks_vbo: its vertices and its fill, no fetch, nothing computed",
     COLUMNS(ONE_VALUE, .draw = NOOP, .blocks = QP_BLOCKS_STORED),
     .blocks = &in_blocks,
     .bound = true,
     .bytes = 8.0},

    /* Four systems, without pivoting: each would exchange other rows, but a texel is in the same
     * row for all. */
    {.name = "gauss_jordan/systems",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "four systems in RGBA",
     .place = "paper 2, 4 component wide efficiency",
     .sentence = "branched on four systems at once, one a channel",
     COLUMNS(FOUR_SYSTEMS, .draw = BRANCHED, .pingpong = &two_attachments),
     .systems = 4,
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 8.0},

    /* Bounds of `branched`: without fetches, and with all fetches from one texel. */
    {.name = "gauss_jordan/branched_notex",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel, two attachments",
     .place = "paper 2, notex",
     .sentence = "bound of branched: the same passes, branch and arithmetic, no fetch; values come "
                 "from coordinates and uniforms",
     COLUMNS(ONE_VALUE,
             .draw =
                 QP_DRAWS_BRANCHED("gauss_jordan/divide_notex.frag", "gauss_jordan/copy_notex.frag",
                                   "gauss_jordan/branched_notex.frag"),
             .pingpong = &two_attachments),
     .bound = true,
     .bytes = 8.0},

    {.name = "gauss_jordan/branched_alwayscache",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel, two attachments",
     .place = "paper 2, alwayscache",
     .sentence = "bound of branched: all its fetches, of one and the same texel",
     COLUMNS(ONE_VALUE,
             .draw = QP_DRAWS_BRANCHED("gauss_jordan/divide_alwayscache.frag",
                                       "gauss_jordan/copy_alwayscache.frag",
                                       "gauss_jordan/branched_alwayscache.frag"),
             .pingpong = &two_attachments),
     .bound = true,
     .bytes = 8.0},

    /* ---- Framebuffer operations ---- */

    {.name = "gauss_jordan/blend",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "paper 2, framebuffer operations",
     .sentence = "the shader multiplies, the blender subtracts: one quad, no branch, and no "
                 "element is fetched to be changed",
     UNPIVOTED(.draw = {BLEND(QP_PART_WHOLE, "gauss_jordan/blend.frag", QP_SUBTRACT)},
               .in_place = true),
     .bytes = 8.0},

    /* + the product in the blender too: the shader computes nothing. */
    {.name = "gauss_jordan/blend_multiply",
     .after = "gauss_jordan/blend",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "paper 2, framebuffer operations",
     .sentence = "+ the product in the blender, the factor in alpha: the shader only fetches",
     UNPIVOTED(.draw = {BLEND(QP_PART_WHOLE, "gauss_jordan/blend_multiply.frag",
                              QP_SUBTRACT_TIMES_ALPHA)},
               .in_place = true),
     .bytes = 8.0},

    /* 16-bit blending, all that blenders of 2004 could: tolerance_half in gauss_jordan.c derives
     * the loss. */
    {.name = "gauss_jordan/blend_half",
     .after = "gauss_jordan/blend",
     .backend = QP_GL,
     .layout = "one value a texel, in place, 16 bits",
     .place = "paper 2, framebuffer operations",
     .sentence = "blend in 16 bits, all that blenders of 2004 could: 11 digits, of which each step "
                 "may take one unit",
     COLUMNS(ONE_HALF, .draw = {BLEND(QP_PART_WHOLE, "gauss_jordan/blend.frag", QP_SUBTRACT)},
             .in_place = true),
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 4.0},

    {.name = "gauss_jordan/blend_multiply_half",
     .after = "gauss_jordan/blend_multiply",
     .backend = QP_GL,
     .layout = "one value a texel, in place, 16 bits",
     .place = "paper 2, framebuffer operations",
     .sentence = "blend_multiply in 16 bits",
     COLUMNS(ONE_HALF,
             .draw = {BLEND(QP_PART_WHOLE, "gauss_jordan/blend_multiply.frag",
                            QP_SUBTRACT_TIMES_ALPHA)},
             .in_place = true),
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 4.0},

    /* ---- Lower complexity ---- */

    {.name = "gauss_jordan/elimination",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 2, algorithms of lower complexity",
     .sentence = "only below the diagonal, on quads that shrink in both directions, then back "
                 "substitution: a third of the elements",
     UNPIVOTED(.draw = {BELOW_ONLY}, .back = {TAKE_X(QP_PART_ABOVE)}),
     .bytes = 8.0 / 3.0,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    {.name = "gauss_jordan/lu",
     .after = "gauss_jordan/elimination",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 2, algorithms of lower complexity",
     .sentence = "A = L U with L kept below the diagonal: right-hand sides wait, and cost 2 N^2 "
                 "each, not a whole elimination",
     UNPIVOTED(.draw = {QP_DRAW("gauss_jordan/copy.frag", QP_PART_RIGHT_ROW), FACTORIZE},
               .again = {TAKE_X(QP_PART_BELOW)}, .back = {DIVIDE_AND_TAKE_X}, .alike = true),
     .bytes = 8.0 / 3.0,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    /* ---- Ours ---- */

    /* branched + no column that is finished. */
    {.name = "gauss_jordan/shrinking",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours, after paper 2",
     .sentence = "only the columns that can still change: quads that shrink with every step",
     UNPIVOTED(.draw = {QP_DRAW("gauss_jordan/divide.frag", QP_PART_RIGHT_ROW),
                        QP_DRAW_INTO("gauss_jordan/copy.frag", QP_PART_RIGHT_ROW, QP_SURFACE_SOURCE,
                                     QP_SURFACE_TARGET),
                        QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RIGHT_ABOVE),
                        QP_DRAW("gauss_jordan/rowop.frag", QP_PART_RIGHT_BELOW)}),
     .bytes = 4.0},

    /* + no column that is finished, which here needs no copy. */
    {.name = "gauss_jordan/blend_shrinking",
     .after = "gauss_jordan/blend",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours, after paper 2",
     .sentence = "blend on quads that shrink: finished columns stay in place",
     UNPIVOTED(.draw = {BLEND(QP_PART_RIGHT, "gauss_jordan/blend.frag", QP_SUBTRACT)},
               .in_place = true),
     .bytes = 4.0},

    {.name = "gauss_jordan/blend_elimination",
     .after = "gauss_jordan/elimination",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours, after paper 2",
     .sentence = "elimination in the blender: finished rows and columns stay where they are",
     UNPIVOTED(.draw = {BLEND_BELOW_ONLY}, .back = {BLEND_X}, .in_place = true),
     .bytes = 8.0 / 3.0,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    /* Pivoted: the pivot's row is divided into a texture of its own; nothing is copied back, and
     * every row is written in one quad. */
    {.name = "gauss_jordan/pivoted",
     .after = "gauss_jordan/branched",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: partial pivoting",
     .sentence = "the largest element of column k by a reduction, rows exchanged as they are "
                 "fetched; nothing leaves the card",
     COLUMNS(ONE_VALUE,
             .draw = {QP_DRAW_INTO("gauss_jordan/pivoted_row.frag", QP_PART_ROW,
                                   QP_SURFACE_PIVOT_ROW, QP_SURFACE_SOURCE),
                      QP_DRAW("gauss_jordan/pivoted_rowop.frag", QP_PART_WHOLE)},
             .pivots = true),
     .bytes = 8.0},

    /* Blocked LU. There is no variant without pivoting beside it, for the search costs next to
     * nothing here, and none that clears the columns above as well: that is half as much work
     * again. Each block of columns reads and writes the rest of the matrix once. */
    {.name = "gauss_jordan/blocked",
     .after = "gauss_jordan/lu_pivoted",
     .backend = QP_GL,
     .layout = "four neighbours a texel, rows dealt out to eight layers",
     .place = "ours: paper 2, algorithms of lower complexity",
     .sentence = "LU by blocks of columns with partial pivoting, four columns a pass, then one "
                 "product; the factors stay for more right-hand sides",
     .needs = QP_CAN_LAYERED_IMAGES,
     .engine = &qp_engine_blocked,
     .state = {.format = QP_RGBA32F, .neighbours = 4, .sheets = 8},
     .own = &(const struct qp_blocked){.actions = &qp_blocked_drawn,
                                       .form = {{1, QP_ANY_ROWS, 56}},
                                       .many = 512,
                                       .group = 32},
     .bytes = 8.0 / (3.0 * 56.0),
     .tolerance = qp_gauss_jordan_tolerance_lu},

    /* Blocked LU in compute shaders, whose work groups have shared memory and barriers: no pass for
     * pivots, since one group factors a block while the others wait, and no layers, since a compute
     * shader writes to any texel. Registers hold 32 values an invocation, so that higher panels
     * are narrower. */
    {.name = "gauss_jordan/blocked_compute",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours: what came after, OpenGL 4.3",
     .sentence = "LU by blocks in compute shaders: one group factors a block's columns in its "
                 "registers, tiles in shared memory update the rest",
     .needs = QP_CAN_COMPUTE,
     .engine = &qp_engine_blocked,
     .own = &(const struct qp_blocked){.actions = &qp_blocked_dispatched,
                                       .form = {{64, 1, 32},
                                                {256, 1, 32},
                                                {1024, 1, 32},
                                                {1024, 2, 16},
                                                {1024, 4, 8},
                                                {1024, 8, 4}},
                                       .software = software},
     .state = {.format = QP_R32F},
     .bytes = 8.0 / (3.0 * 32.0),
     .tolerance = qp_gauss_jordan_tolerance_lu},

    {.name = "gauss_jordan/shrinking_pivoted",
     .after = "gauss_jordan/shrinking",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: partial pivoting",
     .sentence = "pivoted on quads that shrink",
     COLUMNS(ONE_VALUE,
             .draw = {QP_DRAW_INTO("gauss_jordan/pivoted_row.frag", QP_PART_RIGHT_ROW,
                                   QP_SURFACE_PIVOT_ROW, QP_SURFACE_SOURCE),
                      QP_DRAW("gauss_jordan/pivoted_rowop.frag", QP_PART_RIGHT)},
             .pivots = true),
     .bytes = 4.0},

    /* + an exchange in the source, before anything reads it. */
    {.name = "gauss_jordan/factors_pivoted",
     .after = "gauss_jordan/factors",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: partial pivoting",
     .sentence =
         "factors after an exchange of two rows by copies, to a place that a vertex shader fetches",
     COLUMNS(ONE_VALUE, .draw = {QP_DRAW_EXCHANGE(QP_PART_ROW, QP_SURFACE_SOURCE), BY_FACTORS},
             .pivots = true),
     .bytes = 8.0},

    /* The same four draws would let the other variants of this section pivot, at the same cost. */
    {.name = "gauss_jordan/blend_pivoted",
     .after = "gauss_jordan/blend",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours: partial pivoting",
     .sentence = "blend after an exchange of two rows by copies",
     COLUMNS(ONE_VALUE,
             .draw = {QP_DRAW_EXCHANGE(QP_PART_ROW, QP_SURFACE_TARGET),
                      BLEND(QP_PART_WHOLE, "gauss_jordan/blend.frag", QP_SUBTRACT)},
             .pivots = true, .in_place = true),
     .bytes = 8.0},

    /* With pivoting. Left of column k rows from k down hold zeros, so only the rest of them is
     * exchanged. */
    {.name = "gauss_jordan/elimination_pivoted",
     .after = "gauss_jordan/elimination",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: partial pivoting",
     .sentence = "elimination after an exchange of two rows without their finished columns",
     COLUMNS(ONE_VALUE,
             .draw = {QP_DRAW_EXCHANGE(QP_PART_RIGHT_ROW, QP_SURFACE_SOURCE), BELOW_ONLY},
             .back = {TAKE_X(QP_PART_ABOVE)}, .pivots = true),
     .bytes = 8.0 / 3.0,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    {.name = "gauss_jordan/blend_elimination_pivoted",
     .after = "gauss_jordan/blend_elimination",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours: partial pivoting",
     .sentence = "blend_elimination after an exchange of two rows without their finished columns",
     COLUMNS(ONE_VALUE,
             .draw = {QP_DRAW_EXCHANGE(QP_PART_RIGHT_ROW, QP_SURFACE_TARGET), BLEND_BELOW_ONLY},
             .back = {BLEND_X}, .pivots = true, .in_place = true),
     .bytes = 8.0 / 3.0,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    /* Rows are exchanged with their part of L and of b, in both textures. */
    {.name = "gauss_jordan/lu_pivoted",
     .after = "gauss_jordan/lu",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: partial pivoting",
     .sentence =
         "lu after an exchange of two rows with their factors: LAPACK's method, a column at a time",
     COLUMNS(ONE_VALUE,
             .draw = {QP_DRAW_EXCHANGE(QP_PART_ROW, QP_SURFACE_SOURCE),
                      QP_DRAW_INTO("gauss_jordan/spread_row.frag", QP_PART_ROW, QP_SURFACE_TARGET,
                                   QP_SURFACE_PIVOT_ROW),
                      QP_DRAW_OTHER(QP_PART_ROW, QP_SURFACE_TARGET), FACTORIZE},
             .again = {TAKE_X(QP_PART_BELOW)}, .back = {DIVIDE_AND_TAKE_X}, .pivots = true,
             .alike = true),
     .bytes = 8.0 / 3.0,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    {0},
};
