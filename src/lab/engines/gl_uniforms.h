/* SPDX-License-Identifier: MIT */
/* Uniforms of a recipe's draws: the arrays by their names, the operation's parameters, the place of
 * the domain, offsets of neighbours. */
#ifndef QP_ENGINES_GL_UNIFORMS_H
#define QP_ENGINES_GL_UNIFORMS_H

#include "lab/plan/plan.h"
#include "toolkit/gl/pingpong.h"
#include "toolkit/gl/step.h"

/* Names and their values: x, the inputs, and the rest. */
struct qp_draw_names {
    int count;
    struct qp_uniform name[QP_STEP_NAMES + 1]; /* NULL after the last */
    struct qp_step_value value[QP_STEP_NAMES];
};

/* All of them for the next pass of a draw, with the plan's pair of states and its inputs. A compute
 * shader writes its target by itself. */
void qp_draw_names_list(const struct qp_plan *plan, const struct qp_pingpong *pair,
                        const struct qp_texture *input, const struct qp_draw *draw,
                        struct qp_draw_names *out);

#endif
