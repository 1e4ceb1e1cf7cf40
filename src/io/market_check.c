/* SPDX-License-Identifier: MIT */
/* Validation of a matrix from memory, which is as untrusted as a file: an index that counts from 1 would be a write
 * behind an array. */
#include <math.h>
#include <stdlib.h>

#include "base/caller.h"
#include "io/market.h"

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
    const bool from_one = row >= 0 && column >= 0 && row <= a->rows && column <= a->columns;
    return qp_fail(QP_BAD_INPUT,
                   "entry %zu stands at row[%zu] = %d, column[%zu] = %d, outside of %d x %d%s",
                   k + 1, k, row, k, column, a->rows, a->columns,
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

/* Linked lists of the entries of each row: the last entry, and the one before each, counted from 1, 0 at the end;
 * and for each column the row, from 1, that was seen there last. */
struct chains {
    size_t *last, *before;
    int *seen;
};

/* Goes through one row, when the first of its entries turns up. */
static enum qp_status check_row(const struct qp_market *a, struct chains *chains, int row)
{
    for (size_t k = chains->last[row]; k > 0; k = chains->before[k - 1]) {
        const int column = a->column[k - 1];
        if (chains->seen[column] == row + 1)
            return qp_fail(QP_BAD_INPUT,
                           "the matrix has two entries in row %d, column %d; join them into one",
                           row + 1, column + 1);
        chains->seen[column] = row + 1;
    }
    chains->last[row] = 0;
    return QP_OK;
}

static enum qp_status check_twice(const struct qp_market *a, struct chains *chains)
{
    for (size_t k = 0; k < a->count; k++) {
        chains->before[k] = chains->last[a->row[k]];
        chains->last[a->row[k]] = k + 1;
    }
    for (size_t k = 0; k < a->count; k++) {
        if (chains->last[a->row[k]] > 0 && check_row(a, chains, a->row[k]) != QP_OK)
            return QP_BAD_INPUT;
    }
    return QP_OK;
}

/* True if entries are sorted, row by row or column by column, as most programs fill a matrix. */
static bool is_in_order(const struct qp_market *a, const int *major, const int *minor)
{
    size_t k = 1;
    while (k < a->count &&
           (major[k] > major[k - 1] || (major[k] == major[k - 1] && minor[k] > minor[k - 1])))
        k++;
    return k >= a->count;
}

static enum qp_status check_places(const struct qp_market *a)
{
    if (is_in_order(a, a->row, a->column) || is_in_order(a, a->column, a->row))
        return QP_OK;
    struct chains chains = {
        .last = qp_alloc_zero((size_t)a->rows, sizeof *chains.last, "a look at the entries"),
        .before = qp_alloc(a->count, sizeof *chains.before, "a look at the entries"),
        .seen = qp_alloc_zero((size_t)a->columns, sizeof *chains.seen, "a look at the entries")};
    const bool good = chains.last != NULL && chains.before != NULL && chains.seen != NULL;
    enum qp_status status =
        good ? check_twice(a, &chains) : qp_fail_within(QP_NO_MEMORY, "room 1, problem");
    free(chains.last);
    free(chains.before);
    free(chains.seen);
    return status;
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
