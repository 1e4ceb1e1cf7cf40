/* SPDX-License-Identifier: MIT */
/* State of a walk: walk.c goes through the stages, judge.c is the last two. */
#ifndef QP_WALK_WALKER_H
#define QP_WALK_WALKER_H

#include <quadpass/walk.h>

#include "lab/plan/plan.h"
#include "toolkit/base/clock.h"

/* A walk under way. */
struct qp_walker {
    const struct qp_walk_desc *desc;
    struct qp_plan *plan;
    struct qp_result *result;
    enum qp_stage stage;
    double entered;
};

static inline void qp_enter(struct qp_walker *walker, enum qp_stage stage)
{
    walker->stage = stage;
    walker->entered = qp_clock();
}

/* Calls on_stage; returns the seconds spent in the stage. */
static inline double qp_leave(struct qp_walker *walker)
{
    double seconds = qp_clock() - walker->entered;
    if (walker->desc->on_stage != NULL)
        walker->desc->on_stage(walker->desc->user, walker->stage, walker->plan, seconds);
    return seconds;
}

/* qp_walk with the plan of an earlier walk by this variant, of the same problem with another start
 * and right-hand side, if its engine can renew that; *kept begins as NULL. Destroy it before the
 * problem and the context. NULL: no plan is kept. */
enum qp_status qp_walk_keeping(struct qp_context *context, const struct qp_variant *variant,
                               struct qp_problem *problem, const struct qp_walk_desc *desc,
                               struct qp_plan **kept, struct qp_result *result);

/* Stages 9 and 10, the longest at times. A walk that is cut short in them is neither right nor
 * wrong. */
enum qp_status qp_judge_answer(struct qp_walker *walker, struct qp_problem *problem);

/* Checks that the answer is finite, in place of stages 9 and 10. */
enum qp_status qp_look(const struct qp_problem *problem, enum qp_verdict good,
                       struct qp_result *result);

/* Stage 10 for a bound, which has no right answer: checks only that every cell was written. */
enum qp_status qp_judge_bound(struct qp_walker *walker, const struct qp_problem *problem);

#endif
