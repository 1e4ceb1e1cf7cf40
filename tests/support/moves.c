/* SPDX-License-Identifier: MIT */
#include "support/moves.h"

#include <string.h>

#include "lab/engines/choose.h"
#include "lab/ops/transfer/transfer.h"
#include "lab/plan/problem.h"

struct qp_problem moves_problem(int kind, int width, int height)
{
    const struct qp_problem_desc desc = {.op = "transfer",
                                         .kind = qp_op_transfer.kinds[kind].name,
                                         .width = width,
                                         .height = height,
                                         .seed = 5};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

bool moves_can(struct qp_context *context, const struct qp_variant *variant,
               const struct qp_problem *problem)
{
    if (strcmp(variant->op, "transfer") != 0 || !support_is_built(variant) ||
        (variant->backend == QP_GL && context == NULL))
        return false;
    return qp_plan_check(context, variant, problem, QP_RECTANGLE) == QP_OK;
}

struct qp_plan *moves_open(struct qp_context *context, const struct qp_variant *variant,
                           struct qp_problem *problem, int block)
{
    const struct qp_walk_desc desc = {.iterations = 1, .block = block};
    struct qp_plan *plan;
    assert_ok(qp_plan_create(context, variant, problem, &desc, &plan));
    assert_ok(qp_plan_pack(plan));
    assert_ok(plan->engine->upload(plan));
    assert_ok(plan->engine->program(plan));
    return plan;
}

enum qp_status moves_run(struct qp_plan *plan, bool *right)
{
    struct qp_matrix answer;
    *right = false;
    enum qp_status status = plan->engine->pass(plan);
    if (status == QP_OK)
        status = plan->engine->finish(plan);
    plan->engine->swap(plan);
    if (status == QP_OK)
        status = plan->engine->read(plan, false, plan->texels);
    if (status == QP_OK)
        status = qp_plan_unpack(plan, plan->texels, &answer);
    if (status != QP_OK)
        return status;
    const float more = qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP ? 1024.0f : 0.0f;
    const struct qp_matrix *x = &plan->problem->field[QP_TRANSFER_X];
    *right = true;
    for (int i = 0; i < x->width * x->height; i++)
        *right = *right && answer.values[i] == x->values[i] + more;
    qp_matrix_destroy(&answer);
    return QP_OK;
}

/* Every plan that can be had on the host's arrays: variants with one of their own. */
static int each_plan(void **state, struct qp_problem *problem, int block,
                     void (*test)(struct qp_plan *plan))
{
    int plans = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (!moves_can(*state, variant, problem) || variant->recipe->engine != &qp_engine_transfer)
            continue;
        struct qp_plan *plan = moves_open(*state, variant, problem, block);
        test(plan);
        qp_plan_destroy(&plan);
        plans++;
    }
    return plans;
}

void moves_on_all(void **state, int width, int height, int block,
                  void (*test)(struct qp_plan *plan))
{
    for (int kind = 0; kind < QP_TRANSFER_KINDS; kind++) {
        struct qp_problem problem = moves_problem(kind, width, height);
        assert_true(each_plan(state, &problem, block, test) >= (*state != NULL ? 7 : 1));
        qp_problem_destroy(&problem);
    }
    support_need_context(state);
}
