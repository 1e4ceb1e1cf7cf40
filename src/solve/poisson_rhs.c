/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "plan/problem.h"
#include "solve/poisson.h"

static enum qp_status refuse_value(const struct qp_iteration *s, size_t i, const char *why)
{
    const size_t width = (size_t)s->problem.width;
    return qp_fail(QP_BAD_INPUT, "row %zu, column %zu of the right-hand side is %.3g, %s",
                   i / width + 1, i % width + 1, s->equation->rhs[i], why);
}

static enum qp_status check_rhs(const struct qp_iteration *s)
{
    const bool any = s->equation->in_double || s->equation->refine;
    for (size_t i = 0; s->equation->rhs != NULL && i < s->n; i++) {
        if (!isfinite(s->equation->rhs[i]))
            return refuse_value(s, i, "where only finite numbers can be computed with");
        if (!any && fabs(s->equation->rhs[i]) > FLT_MAX)
            return refuse_value(s, i, "beyond float; refine, compute in double, or scale it");
    }
    return QP_OK;
}

enum qp_status qp_poisson_fill_rhs(struct qp_iteration *s)
{
    const struct qp_poisson_desc *desc = s->equation;
    const double h = qp_poisson5_h(&s->problem);
    const struct qp_problem_desc wanted = {.op = qp_op_poisson5.name,
                                           .kind = desc->kind,
                                           .width = desc->width,
                                           .height = desc->height,
                                           .seed = desc->seed};
    struct qp_problem made = {0};
    enum qp_status status = check_rhs(s);
    if (status == QP_OK && desc->rhs == NULL)
        status = qp_problem_create(&wanted, &made);
    for (size_t i = 0; status == QP_OK && desc->rhs != NULL && i < s->n; i++)
        s->b[i] = h * h * desc->rhs[i];
    if (status == QP_OK && desc->rhs == NULL)
        qp_poisson_rhs(&made, s->b);
    qp_problem_destroy(&made);
    return status;
}
