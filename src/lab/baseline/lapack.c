/* SPDX-License-Identifier: MIT */
/* The opponent of all eliminations, of one system or of many: LAPACK's LU with partial pivoting. */
#include "have.h"
#include "lab/baseline/baseline.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/openblas.h"
#include "lab/baseline/threads.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"

#if QP_HAVE_LAPACK

static struct baseline_threads fastest, fastest_batch;

/* LAPACK alone: the columns of [A | b] are stored in `out`, where L, U and x replace them. Sets
 * this number of threads, and one again afterwards, since idle threads spin on cores that others
 * need. Without memory the answer is NaN. */
static void solve(const struct qp_sweep *s, int threads)
{
    const struct baseline_openblas *blas = baseline_openblas();
    const int n = s->height, sides = s->width - n;
    int *order = malloc((size_t)n * sizeof *order), singular = 0;
    if (order == NULL) {
        s->out[(size_t)n * (size_t)n] = NAN;
        return;
    }
    blas->set_threads(threads);
    qp_watch_library = "LAPACK";
    blas->sgesv(&n, &sides, s->out, &n, order, s->out + (size_t)n * (size_t)n, &n, &singular);
    qp_watch_library = NULL;
    blas->set_threads(1);
    if (singular > 0)
        *s->status = qp_gauss_jordan_fail(true, singular);
    free(order);
}

static void sweep(const struct qp_sweep *s)
{
    *s->threads = baseline_threads_for(&fastest, s, baseline_openblas()->processors());
    solve(s, *s->threads);
}

static double timed_call(const struct qp_sweep *s, int threads)
{
    memcpy(s->out, s->x, (size_t)s->width * (size_t)s->height * sizeof *s->out);
    const double begin = qp_clock();
    solve(s, threads);
    return qp_clock() - begin;
}

static void tune(const struct qp_sweep *s)
{
    baseline_try_threads(&fastest, s, baseline_openblas()->processors(), timed_call);
}

/* Solves one small system, by columns: its answer row is x, and 0 or the column without a pivot. */
static void solve_small(const struct baseline_openblas *blas, const float *system, int n, float *x)
{
    static const int one = 1;
    float factors[QP_BATCH_MOST_UNKNOWNS * QP_BATCH_MOST_UNKNOWNS];
    int order[QP_BATCH_MOST_UNKNOWNS], singular = 0;
    memcpy(factors, system, (size_t)(n * n) * sizeof *factors);
    memcpy(x, system + n * n, (size_t)n * sizeof *x);
    blas->sgesv(&n, &one, factors, &n, order, x, &n, &singular);
    if (singular != 0)
        memset(x, 0, (size_t)n * sizeof *x);
    x[n] = (float)singular;
}

/* LAPACK is called once a system: every thread has systems of its own, and each call one thread. In
 * every call OpenBLAS 0.3.21 takes the lock of its memory three times, one lock for all threads: so
 * the variant does not scale with the cores as `openmp` does. */
static void solve_batch(const struct qp_sweep *s, int threads)
{
    const struct baseline_openblas *blas = baseline_openblas();
    const int n = s->width - 1, count = s->height / n;
#pragma omp parallel for num_threads(threads)
    for (int k = 0; k < count; k++)
        solve_small(blas, s->input[0] + (size_t)k * (size_t)(n * s->width), n,
                    s->out + (size_t)k * (size_t)s->width);
}

static void sweep_batch(const struct qp_sweep *s)
{
    *s->threads = baseline_threads_for(&fastest_batch, s, omp_get_max_threads());
    solve_batch(s, *s->threads);
}

static double timed_call_batch(const struct qp_sweep *s, int threads)
{
    const double begin = qp_clock();
    solve_batch(s, threads);
    return qp_clock() - begin;
}

static void tune_batch(const struct qp_sweep *s)
{
    baseline_try_threads(&fastest_batch, s, omp_get_max_threads(), timed_call_batch);
}

static const struct qp_lent lent = {.library = "LAPACK",
                                    .sweep = sweep,
                                    .tune = tune,
                                    .open = baseline_open_openblas},
                            lent_batch = {.library = "LAPACK",
                                          .sweep = sweep_batch,
                                          .tune = tune_batch,
                                          .open = baseline_open_openblas};

enum qp_status baseline_pivots(const struct qp_problem *problem, int *rows)
{
    const struct baseline_openblas *blas = baseline_openblas();
    const int order = qp_gauss_jordan_unknowns(problem);
    const size_t n = (size_t)order, width = (size_t)problem->width;
    const float *a = problem->field[QP_GAUSS_JORDAN_AUGMENTED].values;
    float *factors = qp_alloc(n * n, sizeof *factors, "LAPACK's factors");
    int *pivots = qp_alloc(n, sizeof *pivots, "LAPACK's pivots"), info;
    enum qp_status status = factors != NULL && pivots != NULL ? QP_OK : QP_NO_MEMORY;
    if (blas == NULL)
        status = QP_UNSUPPORTED;
    if (status == QP_OK) {
        for (size_t i = 0; i < n * n; i++)
            factors[i] = a[i % n * width + i / n];
        blas->sgetrf(&order, &order, factors, &order, pivots, &info);
        for (size_t k = 0; k < n; k++)
            rows[k] = pivots[k] - 1;
    }
    free(factors);
    free(pivots);
    return status;
}
#else
static const struct qp_lent lent = {.library = "LAPACK"}, lent_batch = {.library = "LAPACK"};

enum qp_status baseline_pivots(const struct qp_problem *problem, int *rows)
{
    (void)problem, (void)rows;
    return qp_fail(QP_UNSUPPORTED, "built without LAPACK");
}
#endif

void baseline_lend_lapack(void)
{
    qp_lent_gauss_jordan_sgesv = lent;
    qp_lent_gauss_jordan_batch_sgesv = lent_batch;
}
