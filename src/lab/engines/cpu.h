/* SPDX-License-Identifier: MIT */
/* Plans of the CPU's engine, for engines of operations that build on it. */
#ifndef QP_ENGINES_CPU_H
#define QP_ENGINES_CPU_H

#include "lab/plan/plan.h"

struct qp_plan_cpu {
    void *state[2];     /* source first: the plan's arrays, or the reference's own in double */
    int step;           /* number of the next one */
    int threads;        /* threads of another library, as its latest sweep took them; else 0 */
    void *more, *lines; /* data of the engine that builds on this one; freed with the plan */
};

/* Members of qp_engine_cpu, for engines of plans whose own this is. */
enum qp_status qp_plan_cpu_upload(struct qp_plan *plan);
enum qp_status qp_plan_cpu_warm_up(struct qp_plan *plan); /* stage 4 */
void qp_plan_cpu_renew(struct qp_plan *plan);             /* takes over the start alone */
void qp_plan_cpu_swap(struct qp_plan *plan);
enum qp_status qp_plan_cpu_finish(struct qp_plan *plan);
enum qp_status qp_plan_cpu_change(struct qp_plan *plan, double *norm);
enum qp_status qp_plan_cpu_read(struct qp_plan *plan, bool target, void *texels);
void qp_plan_cpu_destroy(struct qp_plan *plan);
enum qp_status qp_plan_cpu_change_lines(struct qp_plan *plan, double *sums);
enum qp_status qp_plan_cpu_get_rows(struct qp_plan *plan, int y, int count, void *values);
enum qp_status qp_plan_cpu_put_rows(struct qp_plan *plan, int y, int count, const void *values);

/* All but uploads, passes, changes and rows; and members of its rows but passes and changes. */
#define QP_PLAN_CPU_MEMBERS                                                                 \
    .program = qp_plan_cpu_warm_up, .swap = qp_plan_cpu_swap, .finish = qp_plan_cpu_finish, \
    .read = qp_plan_cpu_read, .destroy = qp_plan_cpu_destroy
#define QP_PLAN_CPU_ROWS .get = qp_plan_cpu_get_rows, .put = qp_plan_cpu_put_rows

#endif
