/* SPDX-License-Identifier: MIT */
/* Engine: stages 3 to 7 for all recipes of one form. */
#ifndef QP_PLAN_ENGINE_H
#define QP_PLAN_ENGINE_H

#include <stdbool.h>

#include <quadpass/walk.h>

#include "toolkit/base/layout.h"
#include "toolkit/base/status.h"

struct qp_border; /* lab/engines/parts/border.h */
struct qp_plan;
struct qp_recipe;
struct qp_variant;
struct qp_walk_desc;

/* Rows of x, for a plan that computes a part of a grid (lab/engines/parts/parts.h): rows of cells,
 * in units of whole texels and sheets. A `count` of rows begins at row y, row after row without
 * gaps, in x's precision. */
struct qp_engine_rows {
    /* A step of rows y0 up to y1 alone; `ends` in the last call of a step. NULL: all at once. */
    enum qp_status (*pass)(struct qp_plan *plan, int y0, int y1, bool ends);

    /* Sums of the change's squares, line by line; a line is one row of cells, or as many as a texel
     * holds. In a fixed order that depends on no other line, so that parts of a grid sum as the
     * whole does. */
    enum qp_status (*change)(struct qp_plan *plan, double *sums);

    /* Rows of the source, out of it and into it. */
    enum qp_status (*get)(struct qp_plan *plan, int y, int count, void *values);
    enum qp_status (*put)(struct qp_plan *plan, int y, int count, const void *values);

    /* The same, begun without waiting: rows go into a border after all steps asked for, and come
     * from one before any step that is asked for later, but a pass of rows that need none of them
     * goes on meanwhile if it was asked for before. In each exchange a plan gives rows before it
     * takes some. NULL: get and put. */
    enum qp_status (*give)(struct qp_plan *plan, int y, int count, struct qp_border *border);
    enum qp_status (*take)(struct qp_plan *plan, int y, int count, struct qp_border *border);

    /* Later work of the plan waits for all of another one of this engine. NULL: it does anyway. */
    enum qp_status (*follow)(struct qp_plan *plan, struct qp_plan *other);
};

/* Limits that a device sets to an engine's arrays: its textures'; none, for the engine computes in
 * a process of its own, which knows by itself what a device can; or none for an array as a whole,
 * for the engine cuts it into textures that fit. */
enum qp_engine_limits { QP_LIMITS_OF_TEXTURES, QP_LIMITS_APART, QP_LIMITS_OF_CUTS };

/* Stages 3 to 7 of one backend. Each returns QP_OK or stores a sentence. */
struct qp_engine {
    /* Stage 2: changes a plan by the description, such as its layouts. NULL: nothing. */
    enum qp_status (*arrange)(struct qp_plan *plan, const struct qp_walk_desc *desc);
    enum qp_status (*upload)(struct qp_plan *plan);
    enum qp_status (*program)(struct qp_plan *plan);
    /* In place of stages 2 to 4, after a walk: takes over the problem's new start and right-hand
     * side; all else is as before. NULL: a plan is made for each walk. */
    enum qp_status (*renew)(struct qp_plan *plan);
    enum qp_status (*pass)(struct qp_plan *plan); /* a step into the target; does not wait */
    /* `count` passes with swaps between them, no more than plan->most_steps. NULL: one by one. */
    enum qp_status (*passes)(struct qp_plan *plan, int count);
    void (*swap)(struct qp_plan *plan);
    enum qp_status (*finish)(struct qp_plan *plan); /* waits for all work asked for */
    /* After a pass, before the swap: ||s (target - source)||, s the field op->change_scale. */
    enum qp_status (*change)(struct qp_plan *plan, double *norm);
    /* Distance of the source from what is wanted: max |source - wanted| and the sum of squares of
     * that difference, `wanted` row after row and always the same. NULL: the walk reads the source
     * and computes them itself. */
    enum qp_status (*distance)(struct qp_plan *plan, const double *wanted, double *largest,
                               double *squares);
    const struct qp_engine_rows *rows; /* NULL: computes no part of a grid */
    /* Threads that another library took for the latest step; 0: none, or unknown. NULL: none. */
    int (*threads)(const struct qp_plan *plan);
    /* The answer of process 0, for all processes that compute this run, to a question that a clock
     * or an interrupt decides. NULL: there is one process. */
    bool (*agreed)(struct qp_plan *plan, bool answer);
    /* Returns how the grid was cut; NULL: in one. */
    struct qp_parts_desc (*parts)(const struct qp_plan *plan);
    /* Blocks that a launch is made of, after stage 4. NULL: unknown. */
    struct qp_launch_blocks (*blocks)(const struct qp_plan *plan);
    /* The source's, or the target's, whole storage into `texels`, as large as plan->texels. */
    enum qp_status (*read)(struct qp_plan *plan, bool target, void *texels);
    /* Frees what the plan's `own` holds, but not itself; NULL: it holds nothing. */
    void (*destroy)(struct qp_plan *plan);
    /* The k-th shader file that a pass draws with, NULL after the last; NULL: the recipe's. */
    const char *(*shader)(const struct qp_plan *plan, int k);
    /* True if variants draw with this shader though no draw of their recipe names it; NULL:
     * none. */
    bool (*uses)(const struct qp_variant *variant, const char *shader);
    /* Abilities that a variant needs. NULL: those to draw, if its backend is OpenGL, else none. */
    unsigned (*needs)(const struct qp_recipe *recipe);
    bool asked_to_log; /* keeps a log of pivots only if the walk's description asks for it */
    enum qp_engine_limits limits;
};

/* Abilities that a variant needs of a device, or-ed; those to render to textures of a format; and
 * those of a variant that draws, by its own word, its state's format and its draws. */
unsigned qp_recipe_needs(const struct qp_recipe *recipe);
unsigned qp_needs_to_render(enum qp_format format);
unsigned qp_recipe_needs_to_draw(const struct qp_recipe *recipe);

#endif
