/* SPDX-License-Identifier: MIT */
#include "lab/engines/choose.h"

#include "lab/plan/problem.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/queue.h"

/* Engines of variants that name none. */
static const struct qp_engine *const usual[QP_BACKENDS] = {
    [QP_CPU] = &qp_engine_cpu, [QP_GL] = &qp_engine_gl, [QP_CUDA] = &qp_engine_cuda};

const struct qp_engine *qp_engine_of(const struct qp_variant *variant)
{
    const struct qp_engine *named = variant->recipe->engine;
    return named != NULL ? named : usual[variant->backend];
}

/* Refuses what an asynchronous variant cannot do: be judged on every kind, and measure a step's
 * change, for its launches take several. */
static enum qp_status check_alone(const struct qp_variant *variant,
                                  const struct qp_problem *problem, const struct qp_walk_desc *desc)
{
    const struct qp_alpha_rule *rule = qp_recipe_alpha_rule(variant->recipe);
    if (rule == NULL)
        return QP_OK;
    if (!desc->unchecked && rule->unjudged >> qp_problem_kind(problem) & 1)
        return qp_fail(QP_UNSUPPORTED, "has no judge for the problem '%s'", problem->kind);
    if (qp_walk_looks(desc))
        return qp_fail(QP_UNSUPPORTED,
                       "takes several steps a launch, and reports no change of one");
    return QP_OK;
}

enum qp_status qp_plan_create(struct qp_context *context, const struct qp_variant *variant,
                              const struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_plan **out)
{
    struct qp_plan outline;
    *out = NULL;
    if (qp_walk_looks(desc) && problem->op->change_scale == 0)
        return qp_fail(QP_BAD_USE, "%s has no residual to look at", problem->op->name);
    enum qp_status status = check_alone(variant, problem, desc);
    if (status == QP_OK)
        status = qp_plan_admit(context, variant, problem, desc->target, &outline);
    if (status != QP_OK)
        return status;
    if (context != NULL)
        qp_queue_begin(context);
    outline.context = context;
    outline.engine = qp_engine_of(variant);
    outline.ordinal = qp_context_cuda_ordinal(context);
    return qp_plan_make(&outline, desc, out);
}
