/* SPDX-License-Identifier: MIT */
/* A plan for a variant, and which engine runs it. */
#ifndef QP_ENGINES_CHOOSE_H
#define QP_ENGINES_CHOOSE_H

#include "lab/engines/check.h"
#include "lab/engines/engines.h"

/* The engine that a variant names, or that of its backend. */
const struct qp_engine *qp_engine_of(const struct qp_variant *variant);

/* Begins stage 2: checks variant, problem and device, then qp_plan_make with the variant's engine.
 * Errors: QP_UNSUPPORTED, QP_NO_MEMORY, QP_BAD_USE. Destroy *out in any case. */
enum qp_status qp_plan_create(struct qp_context *context, const struct qp_variant *variant,
                              const struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_plan **out);

#endif
