/* SPDX-License-Identifier: MIT */
#include "lab/solve/walked.h"

#include "lab/plan/problem.h"
#include "lab/walk/walker.h"
#include "toolkit/base/values.h"

void qp_archive_walked(struct qp_archive *archive, struct qp_walked *walked, int width, int height)
{
    int precision = walked->x.precision;
    const size_t cells = (size_t)width * (size_t)height;
    qp_archive_int(archive, &walked->step);
    qp_archive_int(archive, &precision);
    archive->failed = archive->failed || precision < 0 || precision >= QP_PRECISIONS;
    if (archive->failed || walked->step == 0)
        return;
    if (archive->reads)
        archive->failed =
            qp_matrix_make(width, height, (enum qp_precision)precision, &walked->x) != QP_OK;
    qp_archive_bytes(archive, qp_matrix_values(&walked->x),
                     cells * qp_value_bytes((enum qp_precision)precision));
}

static enum qp_status walk_copies(struct qp_context *context, const struct qp_variant *variant,
                                  struct qp_problem *problem, const struct qp_walk_desc *desc,
                                  struct qp_plan **kept, struct qp_result *result)
{
    if (qp_variant_systems(variant) == 1)
        return qp_walk_keeping(context, variant, problem, desc, kept, result);
    struct qp_problem copies;
    *result = (struct qp_result){0};
    enum qp_status status = qp_problem_repeat(problem, qp_variant_systems(variant), &copies);
    if (status == QP_OK)
        status = qp_walk(context, variant, &copies, desc, result);
    qp_problem_destroy(&copies);
    return status;
}

enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_walked *walked, struct qp_plan **kept,
                              struct qp_result *result)
{
    if (walked == NULL || walked->step == 0)
        return walk_copies(context, variant, problem, desc, kept, result);
    struct qp_walk_desc further = *desc;
    struct qp_matrix *start = &problem->field[problem->op->state];
    const struct qp_matrix before = *start;
    further.first = walked->step;
    *start = walked->x;
    const enum qp_status status = walk_copies(context, variant, problem, &further, kept, result);
    *start = before;
    return status;
}
