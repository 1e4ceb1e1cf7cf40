/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "lab/engines/parts/parts.h"

/* Work on one part, in its thread. */
struct work {
    struct qp_plan *plan;
    qp_part_work *on;
};

void qp_parts_keep(struct qp_plan_part *part, enum qp_status status)
{
    part->status = status;
    if (status != QP_OK)
        snprintf(part->sentence, sizeof part->sentence, "%s", qp_error());
}

void qp_parts_swap(struct qp_plan_part *part)
{
    if (part->swaps)
        part->plan->engine->swap(part->plan);
    part->swaps = false;
}

/* A part that failed does no more work. */
static void work_on(void *user, int id)
{
    const struct work *work = user;
    const struct qp_plan_parts *parts = work->plan->own;
    struct qp_plan_part *part = &parts->part[parts->first + id];
    qp_parts_swap(part);
    if (part->status == QP_OK)
        qp_parts_keep(part, work->on(work->plan, part));
}

enum qp_status qp_parts_settle(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    enum qp_status status = QP_OK;
    for (int k = parts->first; k < parts->end && status == QP_OK; k++) {
        if (parts->part[k].status != QP_OK)
            status = qp_fail(parts->part[k].status, "%s", parts->part[k].sentence);
    }
    return parts->variant->link != NULL ? parts->variant->link->agree(status) : status;
}

enum qp_status qp_parts_work(struct qp_plan *plan, qp_part_work *on)
{
    const struct qp_plan_parts *parts = plan->own;
    struct work work = {plan, on};
    if (parts->pool != NULL)
        qp_pool_run(parts->pool, work_on, &work);
    for (int id = 0; parts->pool == NULL && id < parts->end - parts->first; id++)
        work_on(&work, id);
    return qp_parts_settle(plan);
}
