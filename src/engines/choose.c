/* SPDX-License-Identifier: MIT */
#include "engines/choose.h"

#include "gl/context.h"
#include "gl/queue.h"

/* Engines of rows that name none. */
static const struct qp_engine *const usual[QP_BACKENDS] = {
    [QP_CPU] = &qp_engine_cpu, [QP_GL] = &qp_engine_gl, [QP_CUDA] = &qp_engine_cuda};

const struct qp_engine *qp_engine_of(const struct qp_variant *variant)
{
    const struct qp_engine *named = variant->recipe->engine;
    return named != NULL ? named : usual[variant->backend];
}

enum qp_status qp_plan_create(struct qp_context *context, const struct qp_variant *variant,
                              const struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_plan **out)
{
    *out = NULL;
    if (desc->every > 0 && problem->op->change_scale == 0)
        return qp_fail(QP_BAD_USE, "%s has no residual to look at", problem->op->name);
    enum qp_status status = qp_plan_check(context, variant, problem, desc->target);
    if (status != QP_OK)
        return status;
    if (context != NULL)
        qp_queue_begin(context);
    status = qp_plan_make(qp_engine_of(variant), context, variant, problem, desc, out);
    if (*out != NULL)
        (*out)->ordinal = qp_context_cuda_ordinal(context);
    return status;
}
