/* SPDX-License-Identifier: MIT */
/* Checks that a device can run a variant. */
#ifndef QP_ENGINES_CHECK_H
#define QP_ENGINES_CHECK_H

#include "lab/plan/plan.h"

/* QP_OK if this variant can take this problem on this device: wrap entries, abilities, the size of
 * every texture, what a CUDA kernel keeps on the chip; else QP_UNSUPPORTED with the reason, before
 * anything is allocated. QP_NO_MEMORY and QP_DEVICE are those of asking the device. */
enum qp_status qp_plan_check(struct qp_context *context, const struct qp_variant *variant,
                             const struct qp_problem *problem, enum qp_texture_target target);

/* The same, and where it is QP_OK the outline that it went by (qp_plan_outline). */
enum qp_status qp_plan_admit(struct qp_context *context, const struct qp_variant *variant,
                             const struct qp_problem *problem, enum qp_texture_target target,
                             struct qp_plan *outline);

#endif
