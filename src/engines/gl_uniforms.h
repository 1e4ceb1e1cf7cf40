/* SPDX-License-Identifier: MIT */
/* Uniforms of a recipe's draws: the arrays by their names, the operation's parameters, the place of the domain,
 * offsets of neighbours. */
#ifndef QP_ENGINES_GL_UNIFORMS_H
#define QP_ENGINES_GL_UNIFORMS_H

#include "gl/pass.h"
#include "plan/plan.h"

/* Locations of the uniforms in a draw's program. */
struct qp_draw_uniforms {
    int x[QP_TARGETS], image, origin, size, cells, weight, number, left, right;
    int input[QP_INPUTS];
    int parameter[QP_CUSTOM_PARAMETERS];
};

enum { QP_DRAW_UNIFORMS = QP_INPUTS + QP_CUSTOM_PARAMETERS + 10 };

/* The list of them, for qp_program_make. A shader that `computes` writes its target by itself. */
void qp_draw_uniforms_list(const struct qp_plan *plan, bool computes, struct qp_draw_uniforms *at,
                           struct qp_uniform list[QP_DRAW_UNIFORMS]);

/* Sets them in the program in use: x on the first units, the inputs behind. */
void qp_draw_uniforms_set(const struct qp_plan *plan, const struct qp_draw_uniforms *at,
                          enum qp_cover cover);

/* QP_BAD_INPUT for an input that none of the recipe's programs reads, naming it. */
enum qp_status qp_draw_uniforms_check_read(const struct qp_plan *plan,
                                           const struct qp_draw_uniforms *const at[], int count);

#endif
