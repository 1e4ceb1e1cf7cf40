/* SPDX-License-Identifier: MIT */
/* Elimination in fragment shaders, one column a step: an engine that runs what rows describe as data.
 *
 * Step k draws a row's list of draws in order, after a search for the pivot if the row pivots. Every
 * draw reads textures by their names in its shader
 *
 *     a        the source, or with `from` another surface
 *     factors  one column, as high as the matrix: what rows are multiplied with
 *     row      one row, as wide as the matrix
 *     found    one texel: the pivot's value in r, rows from row k down to it in b
 *
 * and the uniforms `k`, the texel centre of element (k, k), and `origin`, the corner of the domain. All
 * matrix-shaped surfaces address their texels alike. After the last draw source and target change
 * roles, so what the next step reads must have been written by this one. */
#ifndef QP_OPS_ELIMINATE_H
#define QP_OPS_ELIMINATE_H

#include "gl/pass.h"
#include "ops/plan.h"

/* What a draw covers in step k. */
enum qp_part {
    QP_WHOLE,       /* all of the matrix */
    QP_ROW,         /* row k */
    QP_ABOVE,       /* the rows above it */
    QP_BELOW,       /* the rows below it */
    QP_COLUMN,      /* column k */
    QP_RIGHT,       /* the columns from k on, all rows */
    QP_RIGHT_ROW,   /* row k, from column k on */
    QP_RIGHT_ABOVE, /* the rows above it, from column k on */
    QP_RIGHT_BELOW  /* the rows below it, from column k on */
};

/* Where to, and where from. */
enum qp_elimination_surface { QP_SOURCE, QP_TARGET, QP_FACTORS, QP_PIVOT_ROW, QP_SURFACES };

struct qp_elimination_draw {
    const char *fragment; /* NULL behind the last */
    enum qp_part part;
    enum qp_elimination_surface into;
    enum qp_elimination_surface from; /* read as `a`; the source if nothing is said */
    enum qp_blend blend;
};

enum { QP_ELIMINATION_DRAWS = 6 };

struct qp_elimination {
    struct qp_elimination_draw draw[QP_ELIMINATION_DRAWS];
    bool pivots;   /* exchanges rows: `found` is searched for in column k from row k down */
    bool in_place; /* the matrix stays in the target, where all draws go on with it */
};

extern const struct qp_engine qp_engine_eliminate;

#endif
