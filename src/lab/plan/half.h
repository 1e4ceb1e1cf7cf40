/* SPDX-License-Identifier: MIT */
/* Range of 16-bit floats: 11 binary digits, up to 65504; below 2^-14 (subnormals) one digit less
 * for each power of two, and at 2^-25 none is left. */
#ifndef QP_PLAN_HALF_H
#define QP_PLAN_HALF_H

#include "lab/plan/op.h"

/* True if x is stored in a 16-bit format. */
bool qp_recipe_is_half(const struct qp_recipe *recipe);

/* QP_OK if a problem's stored values fit, and, where the operation judges itself, if its tolerance
 * says anything; else QP_UNSUPPORTED and a sentence with the range. Reads every value, which
 * packing then does again. */
enum qp_status qp_half_takes(const struct qp_problem *problem);

/* The same check of the reference's scale: the size of the numbers that were rounded on the way. */
enum qp_status qp_half_resolves(const struct qp_problem *problem);

#endif
