/* SPDX-License-Identifier: MIT */
/* The judge of dense solves: LAPACK's LU with partial pivoting, in double. */
#include "have.h"
#include "lab/baseline/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "lab/baseline/openblas.h"
#include "toolkit/base/status.h"
#include "toolkit/io/market.h"

#if QP_HAVE_LAPACK
static void fill(const struct qp_market *matrix, double *a)
{
    const size_t n = (size_t)matrix->rows;
    memset(a, 0, n * n * sizeof *a);
    for (size_t k = 0; k < matrix->count; k++) {
        int row, column;
        qp_market_place(matrix, k, &row, &column);
        a[(size_t)column * n + (size_t)row] = matrix->value[k];
    }
}

/* dgecon's work, for n unknowns. */
struct work {
    double *values;
    int *signs;
};

/* x holds b before and the solution after. The condition wants the norm of A as it was, and its
 * factors. */
static enum qp_status eliminate(const struct baseline_openblas *blas, int n, double *a, int *order,
                                int sides, double *x, const struct work *work, double *condition)
{
    double norm = blas->dlange("1", &n, &n, a, &n, work->values, 1), inverse = 0.0;
    int info;
    blas->dgesv(&n, &sides, a, &n, order, x, &n, &info);
    if (info > 0)
        return qp_fail(QP_BAD_INPUT, "the matrix is singular: column %d has no pivot", info);
    if (info == 0)
        blas->dgecon("1", &n, a, &n, &norm, &inverse, work->values, work->signs, &info, 1);
    if (info != 0)
        return qp_fail(QP_NO_MEMORY, "LAPACK could not solve the system (%d)", info);
    *condition = 1.0 / inverse;
    return QP_OK;
}

enum qp_status baseline_solve_dense(const struct qp_market *matrix, const double *b, int sides,
                                    double *x, double *condition)
{
    const struct baseline_openblas *blas = baseline_openblas();
    const size_t n = (size_t)matrix->rows;
    if (blas == NULL)
        return QP_UNSUPPORTED;
    if (qp_market_check_square(matrix) != QP_OK)
        return QP_BAD_INPUT;
    double *a = qp_alloc(n * n, sizeof *a, "a dense matrix");
    int *order = qp_alloc(n, sizeof *order, "its rows' order");
    const struct work work = {qp_alloc(4 * n, sizeof *work.values, "LAPACK's work"),
                              qp_alloc(n, sizeof *work.signs, "LAPACK's work")};
    enum qp_status status = a != NULL && order != NULL && work.values != NULL && work.signs != NULL
                                ? QP_OK
                                : QP_NO_MEMORY;
    if (status == QP_OK) {
        fill(matrix, a);
        memcpy(x, b, n * (size_t)sides * sizeof *x);
        status = eliminate(blas, matrix->rows, a, order, sides, x, &work, condition);
    }
    free(a);
    free(order);
    free(work.values);
    free(work.signs);
    return status;
}
#else
enum qp_status baseline_solve_dense(const struct qp_market *matrix, const double *b, int sides,
                                    double *x, double *condition)
{
    (void)matrix, (void)b, (void)sides, (void)x, (void)condition;
    return qp_fail(QP_UNSUPPORTED, "built without LAPACK");
}
#endif
