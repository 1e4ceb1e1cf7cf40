/* SPDX-License-Identifier: MIT */
#include "lab/engines/common.h"

#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"
#include "toolkit/gl/queue.h"

enum qp_status qp_end_upload(const struct qp_plan *plan, enum qp_status status)
{
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "stage 3, upload") : status;
}

enum qp_status qp_finish_gl(struct qp_plan *plan)
{
    qp_queue_finish(plan->context);
    return qp_gl_check(plan->context, "stages 5 and 6, pass and swap");
}

enum qp_status qp_warm_up(struct qp_plan *plan, enum qp_status (*run)(struct qp_plan *plan),
                          enum qp_status (*finish)(struct qp_plan *plan))
{
    const double begin = qp_clock();
    enum qp_status status;
    do {
        status = run(plan);
        if (status == QP_OK)
            status = finish(plan);
    } while (status == QP_OK && qp_clock() - begin < plan->warm_seconds && !qp_watch_wants_end());
    return status;
}

enum qp_status qp_draw_listed(struct qp_plan *plan, qp_list_passes *list, int k)
{
    struct qp_passes *to = qp_passes_of(plan->context);
    if (to == NULL)
        return QP_NO_MEMORY;
    list(plan, k, to);
    return qp_passes_run(plan->context, to);
}

enum qp_status qp_draw_parts(struct qp_plan *plan, qp_list_passes *list, int count)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < count && status == QP_OK; k++) {
        if (qp_watch_leaves((double)k / count))
            return qp_watch_fail();
        status = qp_draw_listed(plan, list, k);
    }
    return status;
}

enum qp_status qp_pass_once(struct qp_plan *plan)
{
    return plan->engine->passes(plan, 1);
}
