/* SPDX-License-Identifier: MIT */
/* The engine of OpenGL's variants, for engines that work on its textures too. */
#ifndef QP_ENGINES_GL_H
#define QP_ENGINES_GL_H

#include "lab/engines/reducer.h"
#include "lab/plan/plan.h"
#include "toolkit/gl/buffer.h"
#include "toolkit/gl/pingpong.h"
#include "toolkit/gl/step.h"

/* A plan's own. An engine whose own begins with it may make it before stage 3. */
struct qp_plan_gl {
    struct qp_pingpong pair;
    struct qp_texture input[QP_INPUTS];
    struct qp_texture scale[QP_TARGETS]; /* with plan->measures_change, one a sheet of x */
    struct qp_reducer reducer;           /* likewise */
    struct qp_step change;               /* likewise */
    struct qp_buffer rows;               /* pixel buffer that rows of a neighbour come through */
    int drawn_rows; /* rows of the domain's texels that are drawn, from below; 0: all */
    int draws;      /* number of the recipe's; `step` and `pass` say what each draws, and where */
    struct qp_step step[QP_DRAWS];
    struct qp_gl_pass pass[QP_DRAWS];
};

/* With plan->measures_change (gl_change.c): stage 3, the textures of the scale; stage 4, the
 * program that draws the change; and the changes of qp_engine_gl and of its rows. */
enum qp_status qp_plan_gl_make_change_textures(struct qp_plan *plan);
enum qp_status qp_plan_gl_make_change(struct qp_plan *plan);
enum qp_status qp_plan_gl_change(struct qp_plan *plan, double *norm);
enum qp_status qp_plan_gl_change_lines(struct qp_plan *plan, double *sums);

/* Warm-up, the end of stage 4: makes the program that draws the change, where changes are measured,
 * draws, and empties the target again, for an output that nobody wrote must show. */
enum qp_status qp_plan_gl_warm_up(struct qp_plan *plan, enum qp_status (*draw)(struct qp_plan *));

/* Other members of qp_engine_gl, for engines of plans whose own begins with this. */
void qp_plan_gl_swap(struct qp_plan *plan);
enum qp_status qp_plan_gl_read(struct qp_plan *plan, bool target, void *texels);
void qp_plan_gl_destroy(struct qp_plan *plan);

/* The pair of state textures, and an input, of a plan that qp_engine_gl has uploaded. */
struct qp_pingpong *qp_plan_gl_pair(struct qp_plan *plan);
const struct qp_texture *qp_plan_gl_input(const struct qp_plan *plan, int input);

/* Stage 5: which texels of the domain a draw covers. */
struct qp_geometry qp_cover_geometry(const struct qp_plan *plan, enum qp_cover cover);

/* Uniforms of a recipe's draws: the arrays by their names, the operation's parameters, the place of
 * the domain, offsets of neighbours. */
struct qp_draw_names {
    int count;
    struct qp_uniform name[QP_STEP_NAMES + 1]; /* NULL after the last */
    struct qp_step_value value[QP_STEP_NAMES];
};

/* Appends a name and its value; the list ends after it. */
void qp_draw_names_add(struct qp_draw_names *list, struct qp_uniform name,
                       struct qp_step_value value);

/* All of them for the next pass of a draw, with the plan's pair of states and its inputs. A compute
 * shader writes its target by itself. */
void qp_draw_names_list(const struct qp_plan *plan, const struct qp_pingpong *pair,
                        const struct qp_texture *input, const struct qp_draw *draw,
                        struct qp_draw_names *out);

/* Rows of x through the host's memory: what parts of a grid give each other (gl_rows.c). */
enum qp_status qp_plan_gl_get_rows(struct qp_plan *plan, int y, int count, void *values);
enum qp_status qp_plan_gl_put_rows(struct qp_plan *plan, int y, int count, const void *values);

/* Members of qp_engine_gl that any engine of such plans may have: no uploads, programs, passes or
 * rows; and members of its rows: no passes or changes. */
#define QP_PLAN_GL_MEMBERS                                                        \
    .swap = qp_plan_gl_swap, .finish = qp_finish_gl, .change = qp_plan_gl_change, \
    .read = qp_plan_gl_read, .destroy = qp_plan_gl_destroy
#define QP_PLAN_GL_ROWS .get = qp_plan_gl_get_rows, .put = qp_plan_gl_put_rows

#endif
