/* SPDX-License-Identifier: MIT */
/* The opponent of all eliminations, of one system or of many: LAPACK's LU with partial pivoting. */
#include "baseline/baseline.h"
#include "have.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "ops/batch.h"
#include "ops/gauss_jordan.h"

#if QP_HAVE_LAPACK
#include <cblas.h>
#include <lapacke.h>

/* [A | b] row by row becomes LAPACK's columns, A's and then b's. */
static void give_columns(const struct qp_sweep *s, float *columns)
{
    for (int j = 0; j < s->width; j++) {
        for (int i = 0; i < s->height; i++)
            columns[(size_t)j * (size_t)s->height + (size_t)i] =
                s->x[(size_t)i * (size_t)s->width + (size_t)j];
    }
}

/* The identity, which elimination would have left, and x. */
static void take_solution(const struct qp_sweep *s, const float *columns)
{
    for (int i = 0; i < s->height; i++) {
        for (int j = 0; j < s->width; j++)
            s->out[(size_t)i * (size_t)s->width + (size_t)j] =
                j < s->height ? (i == j ? 1.0f : 0.0f)
                              : columns[(size_t)j * (size_t)s->height + (size_t)i];
    }
}

/* All cores, and one again afterwards, for idle threads spin where others want to work. Without
 * memory the answer is no number. */
static void sweep(const struct qp_sweep *s)
{
    const int n = s->height, sides = s->width - n;
    const size_t count = (size_t)s->width * (size_t)n;
    float *columns = malloc(count * sizeof *columns);
    lapack_int *order = malloc((size_t)n * sizeof *order), singular = 0;
    if (columns == NULL || order == NULL) {
        for (size_t i = 0; i < count; i++)
            s->out[i] = NAN;
    } else {
        give_columns(s, columns);
        openblas_set_num_threads(openblas_get_num_procs());
        singular = LAPACKE_sgesv(LAPACK_COL_MAJOR, n, sides, columns, n, order,
                                 columns + (size_t)n * (size_t)n, n);
        openblas_set_num_threads(1);
        take_solution(s, columns);
        *s->singular = (int)singular;
    }
    free(columns);
    free(order);
}

/* One small system: its answer row is x, and 0 or the column without a pivot. */
static void solve_small(const float *system, int n, float *x)
{
    float columns[QP_BATCH_MOST_UNKNOWNS * QP_BATCH_MOST_UNKNOWNS];
    lapack_int order[QP_BATCH_MOST_UNKNOWNS];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            columns[j * n + i] = system[i * (n + 1) + j];
        x[i] = system[i * (n + 1) + n];
    }
    lapack_int singular = LAPACKE_sgesv_work(LAPACK_COL_MAJOR, n, 1, columns, n, order, x, n);
    for (int i = 0; i < n && singular != 0; i++)
        x[i] = 0.0f;
    x[n] = (float)singular;
}

/* A call for each, on all cores: every thread has systems of its own, and
 * LAPACK one thread in each. */
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
    const struct qp_sweep view = {
        .width = problem->width, .height = n, .x = problem->field[QP_AUGMENTED].values};
    float *columns = qp_alloc((size_t)n * (size_t)view.width, sizeof *columns, "LAPACK's factors");
    lapack_int *order = qp_alloc((size_t)n, sizeof *order, "LAPACK's pivots");
    enum qp_status status = columns != NULL && order != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK) {
        give_columns(&view, columns);
        LAPACKE_sgetrf(LAPACK_COL_MAJOR, n, n, columns, n, order);
        for (int k = 0; k < n; k++)
            rows[k] = (int)order[k] - 1;
    }
    free(columns);
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
