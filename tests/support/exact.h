/* SPDX-License-Identifier: MIT */
/* Sums that are exact for a test's purposes: pairs of doubles (Knuth), some 100 bits. A product of
 * two floats is exact in double, so sums of products are as good. */
#ifndef QP_TESTS_EXACT_H
#define QP_TESTS_EXACT_H

#include <math.h>
#include <stdlib.h>

#include <quadpass/market.h>

struct exact {
    double high, low;
    double magnitude; /* magnitude of all terms together, rounded */
};

static inline void exact_add(struct exact *sum, double term)
{
    double high = sum->high + term, part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (term - part);
    sum->high = high;
    sum->magnitude += fabs(term);
}

/* |value - sum|. */
static inline double exact_distance(const struct exact *sum, double value)
{
    return fabs((value - sum->high) - sum->low);
}

static inline double exact_norm(const struct exact *values, int count)
{
    double squares = 0.0;
    for (int i = 0; i < count; i++)
        squares += pow(values[i].high + values[i].low, 2.0);
    return sqrt(squares);
}

/* ||b - A x||_2 / ||b||_2 of one side; b NULL means A times ones. */
static inline double exact_residual(const struct qp_market *a, const double *b, const double *x)
{
    struct exact *rest = calloc((size_t)a->rows, 2 * sizeof *rest), *right = rest + a->rows;
    for (size_t k = 0; k < a->count; k++) {
        const int i = a->dense ? (int)k % a->rows : a->row[k];
        const int j = a->dense ? (int)k / a->rows : a->column[k];
        const double product = a->value[k] * x[j];
        exact_add(&rest[i], -product);
        exact_add(&rest[i], -fma(a->value[k], x[j], -product));
        exact_add(&rest[i], b == NULL ? a->value[k] : 0.0);
        exact_add(&right[i], b == NULL ? a->value[k] : 0.0);
    }
    for (int i = 0; i < a->rows && b != NULL; i++) {
        exact_add(&rest[i], b[i]);
        exact_add(&right[i], b[i]);
    }
    const double all = exact_norm(right, a->rows), left = exact_norm(rest, a->rows);
    free(rest);
    return left / (all > 0.0 ? all : 1.0);
}

#endif
