/* SPDX-License-Identifier: MIT */
/* Functions that engines have in common. */
#ifndef QP_ENGINES_COMMON_H
#define QP_ENGINES_COMMON_H

#include "lab/plan/plan.h"
#include "toolkit/gl/passes.h"

/* Ends stage 3 on OpenGL, which came to this status: waits. Errors: the status; QP_DEVICE. */
enum qp_status qp_end_upload(const struct qp_plan *plan, enum qp_status status);

/* engine->finish on OpenGL: waits for all that was drawn. Errors: QP_DEVICE, as OpenGL says. */
enum qp_status qp_finish_gl(struct qp_plan *plan);

/* Stage 4: drivers finish compiling at the first draw, and first transfers are slow. Runs once, or
 * again and again for as long as the plan says, and waits for each. */
enum qp_status qp_warm_up(struct qp_plan *plan, enum qp_status (*run)(struct qp_plan *plan),
                          enum qp_status (*finish)(struct qp_plan *plan));

/* Stage 5 on OpenGL: a function appends the passes of part k of a step to a list, which is then
 * drawn. Does not wait. Errors: those that the function left in the list. */
typedef void qp_list_passes(struct qp_plan *plan, int k, struct qp_passes *to);
enum qp_status qp_draw_listed(struct qp_plan *plan, qp_list_passes *list, int k);

/* Draws parts 0 to count - 1 so; between two of them an interrupt is seen. Errors: those of
 * qp_watch_fail, too. */
enum qp_status qp_draw_parts(struct qp_plan *plan, qp_list_passes *list, int count);

/* engine->pass where engine->passes takes any number of steps. */
enum qp_status qp_pass_once(struct qp_plan *plan);

#endif
