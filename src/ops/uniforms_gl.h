/* SPDX-License-Identifier: MIT */
/* Room 4, for shaders nobody has tried before: a misspelt sampler reads unit 0 without a word, so
 * names are compared before the first draw. */
#ifndef QP_OPS_UNIFORMS_GL_H
#define QP_OPS_UNIFORMS_GL_H

#include "gl/program.h"
#include "ops/plan.h"

/* QP_BAD_INPUT, with the name, for a uniform that the plan's arrays and parameters do not set or
 * that has another type, and for an array that none of the recipe's programs reads. */
enum qp_status qp_uniforms_check(const struct qp_plan *plan,
                                 const struct qp_program *const programs[], int count);

#endif
