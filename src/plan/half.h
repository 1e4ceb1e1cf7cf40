/* SPDX-License-Identifier: MIT */
/* What 16-bit floats hold: 11 binary digits, up to 65504; below 2^-14 digits fade, one for each
 * power of two, and at 2^-25 all are gone. */
#ifndef QP_PLAN_HALF_H
#define QP_PLAN_HALF_H

#include "plan/op.h"

/* True if x stands in a 16-bit format. */
bool qp_recipe_is_half(const struct qp_recipe *recipe);

/* Of room 10: the recipe's own, or the operation's for its width. */
double qp_recipe_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem,
                           int iterations);

/* QP_OK if a problem's stored values fit, and, where the operation judges itself, if its tolerance
 * says anything; else QP_UNSUPPORTED and a sentence with the range. Reads every value, which
 * packing then does again. */
enum qp_status qp_half_takes(const struct qp_problem *problem);

/* The same for what the reference alone tells: the size of the numbers that
 * were rounded on the way. */
enum qp_status qp_half_resolves(const struct qp_problem *problem);

#endif
