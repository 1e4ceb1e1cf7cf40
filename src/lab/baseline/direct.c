/* SPDX-License-Identifier: MIT */
/* SuiteSparse's libraries as the direct solvers of solves. */
#include "lab/baseline/baseline.h"
#include "lab/baseline/factors.h"

#include <stdio.h>

static enum qp_status factor_by_klu(const struct qp_market *matrix, double seconds,
                                    const volatile sig_atomic_t *interrupt, void **factors,
                                    char *why, size_t size)
{
    return baseline_factors_make(baseline_klu, matrix, seconds, interrupt, factors, why, size);
}

static enum qp_status factor_by_cholmod(const struct qp_market *matrix, double seconds,
                                        const volatile sig_atomic_t *interrupt, void **factors,
                                        char *why, size_t size)
{
    return baseline_factors_make(baseline_cholmod, matrix, seconds, interrupt, factors, why, size);
}

static enum qp_status solve(void *factors, double *x, char *why, size_t size)
{
    struct baseline_factors *f = factors;
    if (f->by->solve(f, x))
        return QP_OK;
    snprintf(why, size, "%s", f->why);
    return f->status;
}

static void destroy(void *factors)
{
    if (factors != NULL)
        baseline_factors_destroy(factors);
}

const struct qp_direct *baseline_direct(void)
{
    static const struct qp_direct klu = {"klu", factor_by_klu, solve, destroy, false, NULL};
    static const struct qp_direct cholmod = {"cholmod", factor_by_cholmod, solve, destroy, true,
                                             &klu};
    return baseline_klu == NULL ? NULL : baseline_cholmod != NULL ? &cholmod : &klu;
}
