/* SPDX-License-Identifier: MIT */
#include "engines/common.h"

#include "base/clock.h"
#include "gl/queue.h"

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
    } while (status == QP_OK && qp_clock() - begin < plan->warm_seconds);
    return status;
}

enum qp_status qp_pass_once(struct qp_plan *plan)
{
    return plan->engine->passes(plan, 1);
}
