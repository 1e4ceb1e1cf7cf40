/* SPDX-License-Identifier: MIT */
/* The opponent of all eliminations, of one system or of many: LAPACK's LU with partial pivoting. */
#include "baseline/baseline.h"
#include "have.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "ops/batch.h"
#include "ops/gauss_jordan.h"

#if QP_HAVE_LAPACK
#include <cblas.h>
#include <lapacke.h>

/* Nothing but LAPACK: the columns of [A | b] stand in `out`, where L, U and x take their place. On all
 * cores, and on one again afterwards, for idle threads spin where others want to work. Without memory
 * the answer is no number. */
static void sweep(const struct qp_sweep *s)
{
    const lapack_int n = s->height, sides = s->width - n;
    lapack_int *order = malloc((size_t)n * sizeof *order), singular = 0;
    if (order == NULL) {
        s->out[(size_t)n * (size_t)n] = NAN;
        return;
    }
    openblas_set_num_threads(openblas_get_num_procs());
    LAPACK_sgesv(&n, &sides, s->out, &n, order, s->out + (size_t)n * (size_t)n, &n, &singular);
    openblas_set_num_threads(1);
    *s->singular = (int)singular;
    free(order);
}

/* One small system, in columns: its answer row is x, and 0 or the column without a pivot. */
static void solve_small(const float *system, lapack_int n, float *x)
{
    static const lapack_int one = 1;
    float factors[QP_BATCH_MOST_UNKNOWNS * QP_BATCH_MOST_UNKNOWNS];
    lapack_int order[QP_BATCH_MOST_UNKNOWNS], singular = 0;
    memcpy(factors, system, (size_t)(n * n) * sizeof *factors);
    memcpy(x, system + n * n, (size_t)n * sizeof *x);
    LAPACK_sgesv(&n, &one, factors, &n, order, x, &n, &singular);
    if (singular != 0)
        memset(x, 0, (size_t)n * sizeof *x);
    x[n] = (float)singular;
}

/* A call for each, on all cores: every thread has systems of its own, and LAPACK one thread in each.
 * In every call OpenBLAS 0.3.21 takes the lock of its memory three times, and that is one for all
 * threads: so the row does not grow with the cores as `openmp` does. */
static void sweep_batch(const struct qp_sweep *s)
{
    const int n = s->width - 1, count = s->height / n;
#pragma omp parallel for
    for (int k = 0; k < count; k++)
        solve_small(s->input[0] + (size_t)k * (size_t)(n * s->width), n,
                    s->out + (size_t)k * (size_t)s->width);
}

void baseline_lend_lapack(void)
{
    qp_lent_gauss_jordan_sgesv.sweep = sweep;
    qp_lent_gauss_jordan_batch_sgesv.sweep = sweep_batch;
}

enum qp_status baseline_pivots(const struct qp_problem *problem, int *rows)
{
    const int n = qp_gauss_jordan_unknowns(problem);
    const float *a = problem->field[QP_AUGMENTED].values;
    float *factors = qp_alloc((size_t)n * (size_t)n, sizeof *factors, "LAPACK's factors");
    lapack_int *order = qp_alloc((size_t)n, sizeof *order, "LAPACK's pivots");
    enum qp_status status = factors != NULL && order != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK) {
        for (int i = 0; i < n * n; i++)
            factors[i] = a[(size_t)(i % n) * (size_t)problem->width + (size_t)(i / n)];
        LAPACKE_sgetrf(LAPACK_COL_MAJOR, n, n, factors, n, order);
        for (int k = 0; k < n; k++)
            rows[k] = (int)order[k] - 1;
    }
    free(factors);
    free(order);
    return status;
}
#else
void baseline_lend_lapack(void)
{
    qp_lent_gauss_jordan_sgesv.sweep = NULL;
    qp_lent_gauss_jordan_batch_sgesv.sweep = NULL;
}

enum qp_status baseline_pivots(const struct qp_problem *problem, int *rows)
{
    (void)problem, (void)rows;
    return qp_fail(QP_UNSUPPORTED, "built without LAPACK");
}
#endif
