/* SPDX-License-Identifier: MIT */
#include "engines/choose.h"

#include "gl/queue.h"

static const struct qp_engine *choose_engine(const struct qp_variant *variant)
{
    if (variant->recipe->engine != NULL)
        return variant->recipe->engine;
    if (variant->backend == QP_GL)
        return variant->recipe->tile > 0 ? &qp_engine_tiles : &qp_engine_gl;
    if (variant->backend == QP_CUDA)
        return variant->recipe->sharing != QP_UNSHARED ? &qp_engine_interop : &qp_engine_cuda;
    return qp_recipe_sweep(variant->recipe) != NULL ? &qp_engine_cpu : &qp_engine_reference;
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
    return qp_plan_make(choose_engine(variant), context, variant, problem, desc, out);
}
