/* SPDX-License-Identifier: MIT */
/* Private parts of the engine of blocked eliminations, shared by its two files: the surfaces
 * (blocked_surfaces.c) and the passes over them (blocked_engine.c). */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_ENGINE_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_ENGINE_H

#include "gl/render_texture.h"
#include "gl/step.h"
#include "ops/gauss_jordan/blocked.h"

/* Rows of a panel in a texel row, and columns in a texel. */
enum { QP_BLOCKED_FOUR = 4 };

/* Texel columns of a panel before the block's own (blocked_panel.frag). */
enum { QP_BLOCKED_FIRST = 2 };

/* Layers of a list: candidates, and the pivots known (blocked_candidates.frag). */
enum { QP_BLOCKED_LIST_LAYERS = 2 };

/* Texel rows of the map: where rows come from, and the log, rows exchanged and pivots. */
enum { QP_BLOCKED_MAP_ROWS = 3 };

/* Textures, and how many of them come filled. */
enum { QP_BLOCKED_TEXTURES = 12, QP_BLOCKED_FILLED = 2 };

/* Steps that are drawn, in this order. */
enum qp_blocked_step {
    QP_BLOCKED_PAD,
    QP_BLOCKED_PANEL,
    QP_BLOCKED_PIVOTS,
    QP_BLOCKED_EXCHANGE,
    QP_BLOCKED_FACTORED,
    QP_BLOCKED_PRODUCT,
    QP_BLOCKED_SIDES,
    QP_BLOCKED_LOWER,
    QP_BLOCKED_UPPER,
    QP_BLOCKED_BACK,
    QP_BLOCKED_ANSWER,
    QP_BLOCKED_CANDIDATES, /* these two in place of QP_BLOCKED_PIVOTS where rows are many */
    QP_BLOCKED_LISTED,
    QP_BLOCKED_STEPS
};

/* What shaders ask for: what they read, and whole numbers. */
enum qp_blocked_name {
    QP_BLOCKED_IN_SOURCE,
    QP_BLOCKED_IN_PANEL,
    QP_BLOCKED_IN_LIST,
    QP_BLOCKED_IN_FACTORS,
    QP_BLOCKED_IN_MAP,
    QP_BLOCKED_IN_HALF_WAY,
    QP_BLOCKED_IN_X,
    QP_BLOCKED_K,
    QP_BLOCKED_J,
    QP_BLOCKED_KNOWN,
    QP_BLOCKED_COLUMNS,
    QP_BLOCKED_N,
    QP_BLOCKED_UNKNOWNS,
    QP_BLOCKED_RIGHT_SIDES,
    QP_BLOCKED_NAMES
};

struct qp_plan_blocked {
    int unknowns;     /* made a multiple of four */
    int sides, width; /* texels of the right-hand sides in a row, and of all of it */
    union {
        struct {
            struct qp_render_texture start, answer; /* in the plan's layout */
            struct qp_render_texture work[2], panel[2], factors, map, half_way, x;
            struct qp_render_texture list[2]; /* of candidates; unused without lists */
        };
        struct qp_render_texture all[QP_BLOCKED_TEXTURES];
    };
    struct qp_step step[QP_BLOCKED_STEPS];
    struct qp_step_value value[QP_BLOCKED_NAMES]; /* of the moment */
    int target;                                   /* the one of work that is drawn to next */
    bool done;                                    /* the answer is the source */
};

static inline struct qp_plan_blocked *qp_blocked_own(const struct qp_plan *plan)
{
    return plan->own;
}

/* What the row tells. */
static inline const struct qp_blocked *qp_blocked_sizes(const struct qp_plan *plan)
{
    return plan->variant->recipe->own;
}

/* True if so many rows are searched for pivots by lists of candidates; and the number of rows that each
 * candidate comes from. */
bool qp_blocked_lists(const struct qp_plan *plan, int rows);
int qp_blocked_candidates(const struct qp_plan *plan, int rows);

/* Room 3. */
enum qp_status qp_blocked_upload(struct qp_plan *plan);

/* Fills everything not computed yet with NaN. */
void qp_blocked_poison(const struct qp_plan_blocked *own);

/* Room 7. */
enum qp_status qp_blocked_read(struct qp_plan *plan, bool target, void *texels);

void qp_blocked_destroy(struct qp_plan *plan);

#endif
