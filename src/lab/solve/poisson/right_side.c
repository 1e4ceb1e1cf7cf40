/* SPDX-License-Identifier: MIT */
/* Right-hand sides and residuals of Poisson's equation on the host, in double. */
#include <float.h>
#include <math.h>

#include "lab/plan/problem.h"
#include "lab/solve/poisson/poisson.h"
#include "lab/solve/residual.h"
#include "toolkit/base/twofold.h"

static enum qp_status refuse_value(const struct qp_iteration *s, size_t i, const char *why)
{
    const size_t width = (size_t)s->problem.width;
    return qp_fail(QP_BAD_INPUT, "row %zu, column %zu of the right-hand side is %.3g, %s",
                   i / width + 1, i % width + 1, s->poisson->rhs[i], why);
}

static enum qp_status check_rhs(const struct qp_iteration *s)
{
    const bool any = s->poisson->in_double || s->poisson->refine;
    for (size_t i = 0; s->poisson->rhs != NULL && i < s->n; i++) {
        if (!isfinite(s->poisson->rhs[i]))
            return refuse_value(s, i, "where only finite numbers can be computed with");
        if (!any && fabs(s->poisson->rhs[i]) > FLT_MAX)
            return refuse_value(s, i, "beyond float; refine, compute in double, or scale it");
    }
    return QP_OK;
}

enum qp_status qp_poisson_fill_rhs(struct qp_iteration *s)
{
    const struct qp_poisson_desc *desc = s->poisson;
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

void qp_poisson_rhs(const struct qp_problem *problem, double *b)
{
    qp_op_poisson5.derive(problem, QP_POISSON5_RHS, QP_DOUBLES, qp_problem_cells(problem), b);
}

/* Computes row y of residual = b - A x. All sums keep the errors of their roundings, and 4 x is
 * exact; of b, h^2 f, the last bit is uncertain. */
static void find_row(struct qp_iteration *s, int y)
{
    const int width = s->problem.width, height = s->problem.height;
    const size_t row = (size_t)y * (size_t)width;
    const double *x = s->out->x + row;
    for (int i = 0; i < width; i++) {
        const double term[] = {i > 0 ? x[i - 1] : 0.0, i < width - 1 ? x[i + 1] : 0.0,
                               y > 0 ? x[i - width] : 0.0, y < height - 1 ? x[i + width] : 0.0};
        const double b = s->b[row + (size_t)i];
        struct qp_twofold sum = qp_two_sum(b, -4.0 * x[i]);
        double low = sum.low;
        for (int k = 0; k < 4; k++) {
            sum = qp_two_sum(sum.high, term[k]);
            low += sum.low;
        }
        const double rest = sum.high + low;
        s->residual[row + (size_t)i] = rest;
        s->bound[row + (size_t)i] = fabs(rest) * (1.0 + 0x1p-51) + fabs(b) * 0x1p-52;
    }
}

void qp_poisson_measure(struct qp_iteration *s)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < s->problem.height; y++)
        find_row(s, y);
    s->out->residual = qp_residual_norm(s->bound, s->b, NULL, s->n);
}
