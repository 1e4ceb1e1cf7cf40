/* SPDX-License-Identifier: MIT */
/* Sparse Gaussian elimination by KLU: a direct solver of the command, and the judge of the tests'
 * whole solves. KLU of all its kind, because it needs no BLAS, which is judged here too, and
 * estimates the condition number; and its licence is the LGPL. */
#include "have.h"
#include "lab/baseline/baseline.h"
#include "lab/baseline/factors.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/io/market.h"

#if QP_HAVE_KLU
#include <suitesparse/klu.h>

struct klu {
    klu_common common;
    klu_symbolic *order;
    klu_numeric *factors;
};

/* KLU's own codes: below 0 it had no memory or misuse, above 0 the matrix is singular. */
static bool failed(struct baseline_factors *f)
{
    const klu_common *common = &((struct klu *)f->own)->common;
    if (common->status != KLU_SINGULAR)
        return baseline_refuse(f, QP_NO_MEMORY, "klu could not factor the matrix (its status %d)",
                               common->status);
    return baseline_refuse(f, QP_BAD_INPUT,
                           "the matrix is singular to the digits of double: elimination finds no "
                           "pivot in column %d",
                           common->singular_col + 1);
}

static bool factor(struct baseline_factors *f)
{
    struct klu *own = f->own = qp_alloc_zero(1, sizeof *own, "sparse factors");
    if (own == NULL)
        return baseline_refuse(f, QP_NO_MEMORY, "%s", qp_error());
    klu_defaults(&own->common);
    own->order = klu_analyze(f->rows, f->start, f->row, &own->common);
    if (own->order == NULL)
        return failed(f);
    if (!baseline_fits(f, own->order->lnz + own->order->unz, own->order->est_flops))
        return false;
    own->factors = klu_factor(f->start, f->row, f->value, own->order, &own->common);
    return own->factors != NULL || failed(f);
}

static bool solve(struct baseline_factors *f, double *x)
{
    struct klu *own = f->own;
    return klu_solve(own->order, own->factors, f->rows, 1, x, &own->common) || failed(f);
}

static void destroy(struct baseline_factors *f)
{
    struct klu *own = f->own;
    if (own == NULL)
        return;
    klu_free_numeric(&own->factors, &own->common);
    klu_free_symbolic(&own->order, &own->common);
    free(own);
}

static const struct baseline_sparse klu = {"klu", factor, solve, destroy};
const struct baseline_sparse *const baseline_klu = &klu;

enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition)
{
    struct baseline_factors *f;
    if (qp_market_check_square(matrix) != QP_OK)
        return QP_BAD_INPUT;
    enum qp_status status = baseline_factors_create(&klu, matrix, &f);
    if (status != QP_OK)
        return status;
    memcpy(x, b, (size_t)matrix->rows * sizeof *x);
    bool good = factor(f);
    struct klu *own = f->own;
    good = good &&
           (klu_condest(f->start, f->value, own->order, own->factors, &own->common) || failed(f)) &&
           solve(f, x);
    *condition = own != NULL ? own->common.condest : 0.0;
    status = good ? QP_OK : qp_fail(f->status, "%s", f->why);
    baseline_factors_destroy(f);
    return status;
}
#else
const struct baseline_sparse *const baseline_klu = NULL;

enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition)
{
    (void)matrix, (void)b, (void)x, (void)condition;
    return qp_fail(QP_UNSUPPORTED, "built without SuiteSparse");
}
#endif
