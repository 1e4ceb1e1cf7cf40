/* SPDX-License-Identifier: MIT */
/* The judge of dense solves: LAPACK's LU with partial pivoting, in double. */
#include "baseline/baseline.h"
#include "have.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/market.h"

#if QP_HAVE_LAPACK
#include <lapacke.h>

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

/* x holds b before and the solution after. The condition wants the norm of A as it was, and its
 * factors. */
static enum qp_status eliminate(int n, double *a, lapack_int *order, int sides, double *x,
                                double *condition)
{
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, a, n), inverse = 0.0;
    lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, n, sides, a, n, order, x, n);
    if (info > 0)
        return qp_fail(QP_BAD_INPUT, "the matrix is singular: column %d has no pivot", (int)info);
    if (info == 0)
        info = LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, a, n, norm, &inverse);
    if (info != 0)
        return qp_fail(QP_NO_MEMORY, "LAPACK could not solve the system (%d)", (int)info);
    *condition = 1.0 / inverse;
    return QP_OK;
}

enum qp_status baseline_solve_dense(const struct qp_market *matrix, const double *b, int sides,
                                    double *x, double *condition)
{
    const size_t n = (size_t)matrix->rows;
    if (matrix->rows != matrix->columns)
        return qp_fail(QP_BAD_INPUT, "the matrix is %d x %d; a system to be solved is square",
                       matrix->rows, matrix->columns);
    double *a = qp_alloc(n * n, sizeof *a, "a dense matrix");
    lapack_int *order = qp_alloc(n, sizeof *order, "its rows' order");
    enum qp_status status = a != NULL && order != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK) {
        fill(matrix, a);
        memcpy(x, b, n * (size_t)sides * sizeof *x);
        status = eliminate(matrix->rows, a, order, sides, x, condition);
    }
    free(a);
    free(order);
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
