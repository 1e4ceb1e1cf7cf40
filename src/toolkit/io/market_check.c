/* SPDX-License-Identifier: MIT */
/* Validation of a matrix from memory, which is as untrusted as a file: an index that counts from 1
 * would be a write past an array's end. */
#include <math.h>
#include <stdlib.h>

#include "toolkit/base/caller.h"
#include "toolkit/io/market.h"
#include "toolkit/io/market_places.h"

static enum qp_status check_shape(const struct qp_market *a)
{
    const size_t places = a->rows > 0 && a->columns > 0 ? (size_t)a->rows * (size_t)a->columns : 0;
    if (places == 0)
        return qp_fail(QP_BAD_INPUT,
                       "the matrix is %d x %d, which is empty: nothing was read or filled in",
                       a->rows, a->columns);
    if (a->dense && a->count != places)
        return qp_fail(QP_BAD_INPUT, "the dense matrix of %d x %d says it has %zu values, not %zu",
                       a->rows, a->columns, a->count, places);
    if (a->count > places)
        return qp_fail(QP_BAD_INPUT, "the matrix has %zu entries and %d x %d has no place for them",
                       a->count, a->rows, a->columns);
    if (a->count > 0 && (a->value == NULL || (!a->dense && (a->row == NULL || a->column == NULL))))
        return qp_fail(QP_BAD_INPUT, "the matrix has %zu entries, but its array '%s' is NULL",
                       a->count,
                       a->value == NULL ? "value"
                       : a->row == NULL ? "row"
                                        : "column");
    return QP_OK;
}

static enum qp_status check_place(const struct qp_market *a, size_t k)
{
    const int row = a->row[k], column = a->column[k];
    if (row >= 0 && row < a->rows && column >= 0 && column < a->columns)
        return QP_OK;
    const bool from_one = row >= 1 && column >= 1 && row <= a->rows && column <= a->columns;
    return qp_fail(QP_BAD_INPUT,
                   "entry %zu is at row[%zu] = %d, column[%zu] = %d, outside of %d x %d%s", k + 1,
                   k, row, k, column, a->rows, a->columns,
                   from_one ? " (indices count from 0: are these from 1?)" : "");
}

static enum qp_status check_entries(const struct qp_market *a)
{
    for (size_t k = 0; k < a->count; k++) {
        int row, column;
        if (!a->dense && check_place(a, k) != QP_OK)
            return QP_BAD_INPUT;
        if (isfinite(a->value[k]))
            continue;
        qp_market_place(a, k, &row, &column);
        return qp_fail(QP_BAD_INPUT,
                       "the matrix holds %g in row %d, column %d, where only finite numbers "
                       "can be computed with",
                       a->value[k], row + 1, column + 1);
    }
    return QP_OK;
}

static enum qp_status check_places(const struct qp_market *a)
{
    struct qp_market_places places = {0};
    size_t second;
    const bool good = qp_market_places_look(&places, a, false, a->count, &second);
    free(places.taken);
    if (!good)
        return qp_fail(QP_NO_MEMORY, "no memory for a look at %zu entries", a->count);
    return second == a->count
               ? QP_OK
               : qp_fail(QP_BAD_INPUT,
                         "the matrix has two entries in row %d, column %d; join them into one",
                         a->row[second] + 1, a->column[second] + 1);
}

enum qp_status qp_market_check(const struct qp_market *matrix)
{
    if (QP_NEED(matrix))
        return QP_BAD_USE;
    enum qp_status status = check_shape(matrix);
    if (status == QP_OK)
        status = check_entries(matrix);
    return status == QP_OK && !matrix->dense ? check_places(matrix) : status;
}

enum qp_status qp_market_check_square(const struct qp_market *matrix)
{
    return matrix->rows == matrix->columns
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "the matrix is %d x %d; a system to be solved is square",
                         matrix->rows, matrix->columns);
}
