/* SPDX-License-Identifier: MIT */
#include "toolkit/io/market.h"

#include <stdlib.h>

#include "toolkit/base/status.h"

/* Product with a dense matrix, column by column, as its array is stored. */
static void add_dense_product(const struct qp_market *a, double factor, const double *x, double *y)
{
    const size_t rows = (size_t)a->rows;
    for (size_t j = 0; j < (size_t)a->columns; j++) {
        const double *column = a->value + j * rows, part = factor * (x != NULL ? x[j] : 1.0);
        for (size_t i = 0; i < rows; i++)
            y[i] += column[i] * part;
    }
}

void qp_market_add_product(const struct qp_market *a, double factor, const double *x, double *y)
{
    if (a->dense) {
        add_dense_product(a, factor, x, y);
        return;
    }
    for (size_t k = 0; k < a->count; k++)
        y[a->row[k]] += factor * a->value[k] * (x != NULL ? x[a->column[k]] : 1.0);
}

bool qp_market_unpack(struct qp_market *market, int mirror)
{
    const double *packed = market->value;
    const size_t n = (size_t)market->rows;
    double *square = qp_alloc_zero(n * n, sizeof *square, "a symmetric array");
    for (size_t j = 0; square != NULL && j < n; j++)
        for (size_t i = j + (mirror < 0); i < n; i++, packed++) {
            square[j * n + i] = *packed;
            square[i * n + j] = mirror * *packed;
        }
    free(market->value);
    market->value = square;
    market->count = n * n;
    return square != NULL;
}

void qp_market_destroy(struct qp_market *market)
{
    if (market == NULL)
        return;
    free(market->row);
    free(market->column);
    free(market->value);
    *market = (struct qp_market){0};
}
