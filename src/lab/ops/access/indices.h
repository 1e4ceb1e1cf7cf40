/* SPDX-License-Identifier: MIT */
/* Cells of global memory that threads read (global.cu), for the host too. */
#ifndef QP_OPS_ACCESS_INDICES_H
#define QP_OPS_ACCESS_INDICES_H

#include "lab/ops/access/pattern.h"
#include "toolkit/base/both.h"

/* Order in which cells are read, of kinds that copy. */
struct qp_access_indices {
    unsigned cells, parameter;
    unsigned columns, rows; /* size of the matrix whose columns stride and columns walk down */
    struct qp_divider by_rows;
};

/* A matrix of stride columns, or of `parameter` columns more than the problem's; cells that fill no
 * row of it stay where they are. */
static inline struct qp_access_indices qp_access_indices_make(int kind, unsigned cells,
                                                              unsigned width, unsigned parameter)
{
    struct qp_access_indices order = {cells, parameter, 0, 0, {0, 0}};
    order.columns = kind == QP_ACCESS_COLUMNS ? width + parameter : parameter;
    order.rows = order.columns > 0 ? cells / order.columns : 0;
    if (order.rows == 0) { /* a single row, whose columns are in order */
        order.columns = cells;
        order.rows = 1;
    }
    order.by_rows = qp_divider_make(order.rows);
    if (kind == QP_ACCESS_OFFSET)
        order.parameter %= cells;
    return order;
}

/* The cell that thread i reads, where no field says it. */
QP_BOTH unsigned qp_access_cell(int kind, const struct qp_access_indices *order, unsigned i)
{
    unsigned other = i;
    if (kind == QP_ACCESS_OFFSET) {
        other = i + order->parameter;
        return other < order->cells ? other : other - order->cells;
    }
    if (kind == QP_ACCESS_STRIDE || kind == QP_ACCESS_COLUMNS) {
        const unsigned column =
            (unsigned)((unsigned long long)i * order->by_rows.magic >> order->by_rows.shift);
        const unsigned row = i - column * order->rows;
        return column < order->columns ? row * order->columns + column : i;
    }
    if (kind == QP_ACCESS_PERMUTED)
        other = i ^ order->parameter;
    return other < order->cells ? other : i;
}

#endif
