/* SPDX-License-Identifier: MIT */
/* Functions that engines have in common. */
#ifndef QP_ENGINES_COMMON_H
#define QP_ENGINES_COMMON_H

#include "plan/plan.h"

/* engine->finish on OpenGL: waits for all that was drawn. Errors: QP_DEVICE, as OpenGL says. */
enum qp_status qp_finish_gl(struct qp_plan *plan);

/* Stage 4: drivers finish compiling at the first draw, and first transfers are slow. Runs once, or
 * again and again for as long as the plan says, and waits for each. */
enum qp_status qp_warm_up(struct qp_plan *plan, enum qp_status (*run)(struct qp_plan *plan),
                          enum qp_status (*finish)(struct qp_plan *plan));

/* engine->pass where engine->passes takes any number of steps. */
enum qp_status qp_pass_once(struct qp_plan *plan);

#endif
