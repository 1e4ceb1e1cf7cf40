/* SPDX-License-Identifier: MIT */
/* The judge of whole solves: sparse Gaussian elimination by SuiteSparse. KLU of all its solvers,
 * because it needs no BLAS, which is judged here too, and estimates the condition number. */
#include "have.h"
#include "lab/baseline/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/io/market.h"

#if QP_HAVE_KLU
#include <suitesparse/klu.h>

/* Compressed columns: those of column j are at start[j] to start[j + 1] - 1. */
struct columns {
    int *start, *row;
    double *value;
};

/* Counting sort by columns. Every entry goes to the end of its column's filled part, whose index is
 * kept one place ahead, so that in the end all starts are right. */
static enum qp_status compress(const struct qp_market *a, struct columns *out)
{
    const size_t columns = (size_t)a->columns;
    int row, column;
    out->start = qp_alloc_zero(columns + 2, sizeof *out->start, "column starts");
    out->row = qp_alloc(a->count, sizeof *out->row, "row numbers");
    out->value = qp_alloc(a->count, sizeof *out->value, "values");
    if (out->start == NULL || out->row == NULL || out->value == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < a->count; k++) {
        qp_market_place(a, k, &row, &column);
        out->start[column + 2]++;
    }
    for (size_t j = 2; j < columns + 2; j++)
        out->start[j] += out->start[j - 1];
    for (size_t k = 0; k < a->count; k++) {
        qp_market_place(a, k, &row, &column);
        int place = out->start[column + 1]++;
        out->row[place] = row;
        out->value[place] = a->value[k];
    }
    return QP_OK;
}

/* KLU's own codes: below 0 it had no memory or misuse, above 0 the matrix is singular. */
static enum qp_status failed(const klu_common *common)
{
    if (common->status == KLU_SINGULAR)
        return qp_fail(QP_BAD_INPUT, "the matrix is singular: elimination finds no pivot");
    return qp_fail(QP_NO_MEMORY, "KLU could not factor the matrix (its status %d)", common->status);
}

/* x holds b before and the solution after. */
static enum qp_status eliminate(struct columns *a, int rows, double *x, double *condition)
{
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *order = klu_analyze(rows, a->start, a->row, &common);
    klu_numeric *factors =
        order != NULL ? klu_factor(a->start, a->row, a->value, order, &common) : NULL;
    bool good = factors != NULL && klu_condest(a->start, a->value, order, factors, &common) &&
                klu_solve(order, factors, rows, 1, x, &common);
    *condition = common.condest;
    enum qp_status status = good ? QP_OK : failed(&common);
    klu_free_numeric(&factors, &common);
    klu_free_symbolic(&order, &common);
    return status;
}

enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition)
{
    if (qp_market_check_square(matrix) != QP_OK)
        return QP_BAD_INPUT;
    struct columns columns = {0};
    enum qp_status status = compress(matrix, &columns);
    if (status == QP_OK) {
        memcpy(x, b, (size_t)matrix->rows * sizeof *x);
        status = eliminate(&columns, matrix->rows, x, condition);
    }
    free(columns.start);
    free(columns.row);
    free(columns.value);
    return status;
}
#else
enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition)
{
    (void)matrix, (void)b, (void)x, (void)condition;
    return qp_fail(QP_UNSUPPORTED, "built without SuiteSparse");
}
#endif
