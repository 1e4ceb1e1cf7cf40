/* SPDX-License-Identifier: MIT */
/* State of a walk: walk.c goes through the rooms, judge.c is the last two. */
#ifndef QP_WALK_WALKER_H
#define QP_WALK_WALKER_H

#include <quadpass/walk.h>

#include "base/clock.h"
#include "plan/plan.h"

/* A walk under way. */
struct qp_walker {
    const struct qp_walk_desc *desc;
    struct qp_plan *plan;
    struct qp_result *result;
    enum qp_room room;
    double entered;
};

static inline void qp_enter(struct qp_walker *walker, enum qp_room room)
{
    walker->room = room;
    walker->entered = qp_clock();
}

/* Calls on_room; returns the seconds spent in the room. */
static inline double qp_leave(struct qp_walker *walker)
{
    double seconds = qp_clock() - walker->entered;
    if (walker->desc->on_room != NULL)
        walker->desc->on_room(walker->desc->user, walker->room, walker->plan, seconds);
    return seconds;
}

/* Rooms 9 and 10, the longest at times. A walk that is cut short in them is neither right nor
 * wrong. */
enum qp_status qp_judge_answer(struct qp_walker *walker, struct qp_problem *problem);

/* Checks that the answer is finite, in place of rooms 9 and 10. */
enum qp_status qp_look(const struct qp_problem *problem, enum qp_verdict good,
                       struct qp_result *result);

/* Room 10 for a bound, which has no right answer: checks only that every cell was written. */
enum qp_status qp_judge_bound(struct qp_walker *walker, const struct qp_problem *problem);

#endif
