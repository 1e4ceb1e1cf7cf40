/* SPDX-License-Identifier: MIT */
/* Elimination in fragment shaders, one column a step: an engine that runs what variants describe as
 * data.
 *
 * Step k draws a variant's list of draws in order, after a search for the pivot if the variant
 * pivots. Every draw reads textures by their names in its shader
 *
 *     a        the source, or with `from` another surface
 *     factors  one column, as high as the matrix: what rows are multiplied with
 *     row      one row, as wide as the matrix: the pivot's, or with `from` the other one
 *     found    one texel: the pivot's value in r, rows from row k down to it in b
 *
 * and the uniforms `k`, the texel centre of element (k, k), and `origin`, the corner of the domain.
 * All matrix-shaped surfaces address their texels alike. Where rows of the matrix are squares,
 * `square` says how large, a draw covers all of them or row k's, and `row` is one square. Where
 * rows are dealt out to several textures (sheets), a shader that declares `a` as an array reads all
 * of them, any other the one with row k, whose number is `sheet`; draws into the matrix write all
 * of them. After the last draw source and target change roles, so what the next step reads must
 * have been written by this one; but in place all steps read and write the target. */
#ifndef QP_OPS_GAUSS_JORDAN_COLUMNS_H
#define QP_OPS_GAUSS_JORDAN_COLUMNS_H

#include "lab/plan/plan.h"
#include "toolkit/gl/pass.h"

/* Part of the matrix that a draw covers in step k: rows and columns, or-ed; 0 means all. */
enum qp_part {
    QP_PART_WHOLE = 0,

    QP_PART_ROW = 1,   /* row k */
    QP_PART_ABOVE = 2, /* the rows above it */
    QP_PART_BELOW = 3, /* the rows below it */
    QP_PART_ROWS = 3,

    QP_PART_COLUMN = 1 << 2, /* column k */
    QP_PART_RIGHT = 2 << 2,  /* the columns from k on */
    QP_PART_BEHIND = 3 << 2, /* the columns of A after k */
    QP_PART_RHS = 4 << 2,    /* the columns of b */
    QP_PART_COLUMNS = 7 << 2,

    QP_PART_RIGHT_ROW = QP_PART_RIGHT | QP_PART_ROW,
    QP_PART_RIGHT_ABOVE = QP_PART_RIGHT | QP_PART_ABOVE,
    QP_PART_RIGHT_BELOW = QP_PART_RIGHT | QP_PART_BELOW
};

/* Surfaces that draws write and read. */
enum qp_elimination_surface {
    QP_SURFACE_SOURCE,
    QP_SURFACE_TARGET,
    QP_SURFACE_FACTORS,
    QP_SURFACE_PIVOT_ROW,
    QP_SURFACE_OTHER_ROW, /* the row that a pivot's row is exchanged with */
    QP_SURFACES
};

struct qp_elimination_draw {
    struct qp_draw draw; /* its shaders; no fragment after the last */
    enum qp_part part;
    enum qp_elimination_surface into;
    enum qp_elimination_surface from; /* read as `a`; the source if nothing is said */
    enum qp_blend blend;
};

/* A draw of a list, and one from the source into the target, as most are. */
#define QP_DRAW_INTO(shader, part, into, from)             \
    {                                                      \
        {.fragment = shader}, part, into, from, QP_REPLACE \
    }
#define QP_DRAW(shader, part) QP_DRAW_INTO(shader, part, QP_SURFACE_TARGET, QP_SURFACE_SOURCE)

/* A list of three draws: row k is divided, copied back to the source, and one quad covers all other
 * rows. */
#define QP_DRAWS_BRANCHED(divide, copy, others)                                    \
    {                                                                              \
        QP_DRAW(divide, QP_PART_ROW),                                              \
            QP_DRAW_INTO(copy, QP_PART_ROW, QP_SURFACE_SOURCE, QP_SURFACE_TARGET), \
            QP_DRAW(others, QP_PART_WHOLE)                                         \
    }

/* A draw that writes the displaced row k into the row where the pivot was found. */
#define QP_DRAW_OTHER(part, into)                                                \
    {                                                                            \
        {"gauss_jordan/found.vert", "gauss_jordan/spread_row.frag"}, part, into, \
            QP_SURFACE_OTHER_ROW, QP_REPLACE                                     \
    }

/* Exchanges this part of row k with that of the row that was found, by copies. */
#define QP_DRAW_EXCHANGE(part, surface)                                                    \
    QP_DRAW_INTO("gauss_jordan/row_found.frag", part, QP_SURFACE_PIVOT_ROW, surface),      \
        QP_DRAW_INTO("gauss_jordan/row.frag", part, QP_SURFACE_OTHER_ROW, surface),        \
        QP_DRAW_INTO("gauss_jordan/spread_row.frag", part, surface, QP_SURFACE_PIVOT_ROW), \
        QP_DRAW_OTHER(part, surface)

/* Ways through the columns (whole runs over k), one after the other; most variants have the first
 * alone. */
enum qp_way {
    QP_WAY_FORTH, /* k = 0 ... N - 1: elimination, after a search for the pivot if a variant does */
    QP_WAY_AGAIN, /* k = 0 ... N - 1 once more: L y = b */
    QP_WAY_BACK,  /* k = N - 1 ... 0: U x = y */
    QP_WAYS
};

enum { QP_ELIMINATION_DRAWS = 12 };

/* Primitives of draws that cover the whole matrix (QP_PART_WHOLE), and how they send vertices. */
enum qp_blocks {
    QP_BLOCKS_NONE,
    QP_BLOCKS_SENT,  /* in strips of quads, plan->block texels each way, sent with every draw */
    QP_BLOCKS_STORED /* the same from a vertex buffer object */
};

/* Draws and settings of a variant of this engine. */
struct qp_elimination {
    union {
        struct {
            struct qp_elimination_draw draw[QP_ELIMINATION_DRAWS], again[QP_ELIMINATION_DRAWS],
                back[QP_ELIMINATION_DRAWS];
        };
        struct qp_elimination_draw way[QP_WAYS][QP_ELIMINATION_DRAWS]; /* the same lists */
    };
    bool pivots;   /* exchanges rows: `found` is searched for in column k from row k down */
    bool in_place; /* the matrix stays in the target, which all draws read and write */
    enum qp_blocks blocks;
    bool alike;                             /* source and target are both the matrix at first */
    const enum qp_pingpong_style *pingpong; /* style that the variant shows; NULL: the caller's */
};

extern const struct qp_engine qp_engine_eliminate;

/* Abilities that such a variant needs: in place its draws blend, and a pyramid finds pivots. */
unsigned qp_elimination_needs(const struct qp_recipe *recipe);

/* NULL for variants of other engines. */
const struct qp_elimination *qp_elimination_of(const struct qp_recipe *recipe);

/* Called after each column, when the target holds that column's result. */
typedef void qp_column_function(void *user, struct qp_plan *plan, int way, int k);

/* Has a plan call this, or nothing with NULL. False for plans of other engines. */
bool qp_elimination_watch(struct qp_plan *plan, qp_column_function *on_column, void *user);

/* Makes `pass` draw this part of a surface in step k (columns_cover.c): sets viewport, geometry and
 * number of targets. False if the part is empty: above the first row, or below the last. */
bool qp_elimination_cover(const struct qp_plan *plan, enum qp_elimination_surface into,
                          enum qp_part part, int k, struct qp_gl_pass *pass);

#endif
