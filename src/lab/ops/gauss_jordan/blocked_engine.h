/* SPDX-License-Identifier: MIT */
/* Private parts of the engine of eliminations by blocks, shared by the walk over blocks
 * (blocked_engine.c) and its actions in fragment shaders (blocked.c) and in compute shaders
 * (blocked_compute.c). */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_ENGINE_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_ENGINE_H

#include "lab/ops/gauss_jordan/blocked.h"
#include "toolkit/gl/passes.h"
#include "toolkit/gl/render_texture.h"

/* Guard texels around every matrix-shaped surface: they hold NaN, and nothing may read or write
 * them. */
enum { QP_BLOCKED_GUARD = 1 };

/* Textures, how many of them come filled, steps and names at most, and bytes of a shader's head. */
enum {
    QP_BLOCKED_TEXTURES = 12,
    QP_BLOCKED_FILLED = 2,
    QP_BLOCKED_STEPS = 13,
    QP_BLOCKED_NAMES = 14,
    QP_BLOCKED_HEAD = 256
};

/* Names of numbers that the engine sets; those of the actions follow. */
enum { QP_BLOCKED_K, QP_BLOCKED_COLUMNS, QP_BLOCKED_N, QP_BLOCKED_COMMON };

/* A block: its first column, the one after its last, and the one after the next block's last. */
struct qp_column_block {
    int k, end, next_end;
};

struct qp_plan_blocked {
    int unknowns;     /* made a multiple of the columns in a texel */
    int sides, width; /* texels of the right-hand sides in a row, and of all of it */
    union {
        struct {
            struct qp_render_texture start, answer; /* in the plan's layout */
            struct qp_render_texture panel[2], log; /* the log: rows exchanged, and pivots */
            /* Textures of fragments alone. */
            struct qp_render_texture work[2], factors, half_way, x;
            struct qp_render_texture list[2]; /* lists of candidates; unused without lists */
        };
        struct qp_render_texture all[QP_BLOCKED_TEXTURES];
    };
    struct qp_step step[QP_BLOCKED_STEPS];
    struct qp_step_value value[QP_BLOCKED_NAMES]; /* values of the moment */
    struct qp_passes *to;                         /* list that actions append to */
    int target; /* the one of work, or of the panels, that is written next */
    bool done;  /* the answer is the source */
};

/* Actions append their passes to own->to, but for make, steps and describe, which draw nothing. */
struct qp_blocked_actions {
    const char *shaders; /* the names of their files begin so */
    const struct qp_uniform *names;
    int log_row; /* row of the log's texels with exchanged rows; the next one: pivots */
    enum qp_status (*make)(struct qp_plan *plan); /* stage 3: all textures but start and answer */
    int (*steps)(const struct qp_plan *plan);
    /* Names a step's shaders and writes the definitions that go in front of them. */
    void (*describe)(const struct qp_plan *plan, int step, char *head,
                     struct qp_program_source *source);
    void (*begin)(struct qp_plan *plan);
    void (*panel)(struct qp_plan *plan, struct qp_column_block block);
    void (*lower)(struct qp_plan *plan, struct qp_column_block block);
    void (*product)(struct qp_plan *plan, struct qp_column_block block);
    void (*upper)(struct qp_plan *plan, struct qp_column_block block);
    void (*back)(struct qp_plan *plan, struct qp_column_block block);
    void (*end)(struct qp_plan *plan);
    void (*stay)(struct qp_plan *plan); /* draws that no pass changes; NULL: nothing */
    const char *(*shader)(const struct qp_plan *plan, int k);
};

static inline struct qp_plan_blocked *qp_blocked_own(const struct qp_plan *plan)
{
    return plan->own;
}

/* The engine's part of the variant. */
static inline const struct qp_blocked *qp_blocked_variant(const struct qp_plan *plan)
{
    return plan->variant->recipe->own;
}

/* The forms of panels: the variant's, or those of software. */
const struct qp_panel_form *qp_blocked_forms(const struct qp_plan *plan);

/* Number of the form for a panel of this many rows. */
int qp_blocked_form(const struct qp_plan *plan, int rows);

/* Columns of a block at most. */
static inline int qp_blocked_columns(const struct qp_plan *plan)
{
    return qp_blocked_forms(plan)[0].columns;
}

#endif
