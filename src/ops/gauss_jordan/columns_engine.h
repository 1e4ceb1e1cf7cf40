/* SPDX-License-Identifier: MIT */
/* Private parts of the engine of eliminations by columns, shared by its two files: the surfaces
 * (columns_surfaces.c) and the passes over them (columns_engine.c). */
#ifndef QP_OPS_GAUSS_JORDAN_COLUMNS_ENGINE_H
#define QP_OPS_GAUSS_JORDAN_COLUMNS_ENGINE_H

#include "engines/reducer.h"
#include "gl/pingpong.h"
#include "gl/render_texture.h"
#include "gl/step.h"
#include "gl/strips.h"
#include "ops/gauss_jordan/columns.h"

struct qp_plan_elimination {
    struct qp_pingpong pair;
    struct qp_texture start[QP_TARGETS];          /* the matrix as it came, for a second pass */
    struct qp_render_texture canvas[QP_SURFACES]; /* from QP_SURFACE_FACTORS on; two are the pair */
    struct qp_render_texture pivots;              /* the log, a texel a column, if asked */
    struct qp_strips strips;                      /* with stored blocks */
    struct qp_reducer search;                     /* for the pivot */
    struct qp_step step[QP_WAYS][QP_ELIMINATION_DRAWS], copy, log;
    bool started;    /* the source is no longer the start */
    bool repeats;    /* more than one pass will be asked for */
    bool log_pivots; /* even if that takes draws */
    qp_column_function *on_column;
    void *on_column_user;
};

/* The row's draws and settings. */
static inline const struct qp_elimination *qp_elimination_row(const struct qp_plan *plan)
{
    return plan->variant->recipe->own;
}

static inline struct qp_plan_elimination *qp_elimination_own(const struct qp_plan *plan)
{
    return plan->own;
}

/* Room 3. */
enum qp_status qp_elimination_upload(struct qp_plan *plan);

/* A surface as a texture; the first of the matrix's sheets. */
const struct qp_texture *qp_elimination_texture(const struct qp_plan *plan,
                                                enum qp_elimination_surface from);

void qp_elimination_destroy(struct qp_plan *plan);

#endif
