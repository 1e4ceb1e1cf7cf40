/* SPDX-License-Identifier: MIT */
/* Parts that all iterations with a matrix share: vectors, and the judgement of a correction in
 * double, from the matrix as it was given. */
#include <math.h>

#include "lab/solve/certain.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/iterate/sparse.h"
#include "lab/solve/residual.h"
#include "lab/solve/solvers.h"

enum qp_status qp_iteration_allocate_matrix(struct qp_iteration *s)
{
    const bool is_b_made = s->given_b == NULL;
    enum qp_status status = qp_iteration_allocate(s, 1 + QP_CERTAIN_VECTORS + is_b_made);
    if (status == QP_OK && s->system == NULL)
        status = qp_sparse_read(s->matrix, &s->own_rows);
    s->rows = s->system != NULL ? &s->system->rows : &s->own_rows;
    if (status != QP_OK)
        return status;
    s->proof = s->scratch + s->n;
    s->lost = is_b_made ? s->proof + QP_CERTAIN_VECTORS * s->n : NULL;
    return QP_OK;
}

/* ---- Nine bands ---- */

enum qp_status qp_nine_bands_make(struct qp_iteration *s, const struct qp_solver *solver)
{
    enum qp_status status =
        solver->problem(s->matrix, s->desc->width, s->desc->height, &s->problem);
    if (status != QP_OK)
        return status;
    status = qp_iteration_allocate_matrix(s);
    if (status != QP_OK)
        return status;
    s->rhs = qp_problem_field(&s->problem, "b");
    s->scale = 1.0;
    return QP_OK;
}

static enum qp_status check_variant(const struct qp_iteration *s, const struct qp_variant *variant)
{
    struct qp_problem copies = s->problem;
    copies.systems = qp_variant_systems(variant);
    return qp_solver_check_variant(s->context, variant, &copies, s->desc->target);
}

enum qp_status qp_nine_bands_choose(struct qp_iteration *s, const char *const *names)
{
    if (s->desc->variant != NULL) {
        s->out->variant = s->desc->variant;
        enum qp_status status = check_variant(s, s->desc->variant);
        return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", s->desc->variant->name);
    }
    for (const char *const *name = names; *name != NULL; name++) {
        const struct qp_variant *variant = qp_variant_find(*name);
        enum qp_status status = check_variant(s, variant);
        if (status == QP_OK)
            s->out->variant = variant;
        if (status == QP_OK || qp_context_is_lost(s->context))
            return status;
    }
    return qp_fail_within(QP_UNSUPPORTED, "no variant can take this problem");
}

/* ---- Vectors ---- */

static enum qp_status refuse_value(size_t i, const char *whose, double value)
{
    return qp_fail(QP_BAD_INPUT,
                   "row %zu of %s is %.3g, where only finite numbers can be computed with; correct "
                   "it, or take other units",
                   i + 1, whose, value);
}

enum qp_status qp_iteration_set_vectors(struct qp_iteration *s)
{
    const double *b = s->given_b, *start = s->given_start;
    double *x = s->out->x;
    if (b == NULL)
        qp_residual_times_ones(s->matrix, s->b, s->lost, s->scratch);
    for (size_t i = 0; i < s->n; i++) {
        s->b[i] = b != NULL ? ldexp(b[i], s->shift) : s->b[i];
        x[i] = start != NULL ? start[i] : 0.0;
        if (!isfinite(s->b[i]))
            return refuse_value(i, b != NULL ? "the right-hand side" : "A times ones", s->b[i]);
        if (!isfinite(x[i]))
            return refuse_value(i, "the start", x[i]);
    }
    return QP_OK;
}

void qp_iteration_measure(struct qp_iteration *s)
{
    qp_residual_find(s->matrix, s->b, s->lost, s->out->x, s->residual, s->bound, s->scratch);
    s->out->residual = qp_residual_norm(s->bound, s->b, NULL, s->n);
}

struct qp_poisson5_course qp_iteration_plan(const struct qp_iteration *s, double factor)
{
    (void)factor;
    return (struct qp_poisson5_course){.weight = s->problem.weight,
                                       .walk = s->most_steps - s->steps_before};
}

bool qp_iteration_accepts(struct qp_iteration *s, double before)
{
    s->is_back = !isfinite(s->out->residual);
    if (s->is_back)
        s->ending = QP_DIVERGING;
    return !s->is_back && (!s->refines || s->out->residual < before);
}
