/* SPDX-License-Identifier: MIT */
/* Dot products that keep the errors of all their roundings and add them up as well (Ogita, Rump and
 * Oishi 2005). What is lost is the rounding of that second sum: of m errors with the sum of
 * magnitudes E at most m u E, u = 2^-53, where E itself is some u |A| |x|. */
#include "lab/solve/residual.h"

#include <math.h>

#include "lab/solve/numbers.h"
#include "toolkit/base/sets.h"
#include "toolkit/base/twofold.h"

/* A product this small may have an error that no double holds. */
static const double small_product = 0x1p-960;

/* Subtracts a x from *rest; the errors are added up in `low`, and their magnitudes in `lost`, or
 * `least` for one that no double holds. */
static inline void add_term(double a, double x, double least, double *rest, double *low,
                            double *lost)
{
    const struct qp_twofold product = qp_two_product(a, x);
    const struct qp_twofold sum = qp_two_sum(*rest, -product.high);
    const double may_lose = a != 0.0 && x != 0.0 ? least : 0.0;
    *rest = sum.high;
    *low += sum.low - product.low;
    *lost +=
        fabs(sum.low) + fabs(product.low) + (fabs(product.high) < small_product ? may_lose : 0.0);
}

QP_EACH_FMA_SET
static void add_column(const double *a, double x, double least, size_t rows, double *restrict rest,
                       double *restrict low, double *restrict lost)
{
#pragma omp simd
    for (size_t i = 0; i < rows; i++)
        add_term(a[i], x, least, &rest[i], &low[i], &lost[i]);
}

static void add_terms(const struct qp_market *a, const double *x, double least, double *rest,
                      double *low, double *lost)
{
    const size_t rows = (size_t)a->rows;
    for (size_t j = 0; a->dense && j < (size_t)a->columns; j++) {
        if (x == NULL || x[j] != 0.0)
            add_column(a->value + j * rows, x != NULL ? x[j] : 1.0, least, rows, rest, low, lost);
    }
    for (size_t k = 0; !a->dense && k < a->count; k++) {
        const int i = a->row[k];
        add_term(a->value[k], x != NULL ? x[a->column[k]] : 1.0, least, &rest[i], &low[i],
                 &lost[i]);
    }
}

/* Computes rest = b - A x and lost >= |b - A x - rest|; x NULL: ones, b NULL: 0. */
static void subtract_product(const struct qp_market *a, const double *b, const double *x,
                             double *rest, double *lost, double *low)
{
    const double terms = 2.0 * (double)a->columns + 4.0, rounding = 2.0 * terms * 0x1p-53;
    for (size_t i = 0; i < (size_t)a->rows; i++) {
        rest[i] = b != NULL ? b[i] : 0.0;
        low[i] = lost[i] = 0.0;
    }
    add_terms(a, x, 0x1p-1074 / rounding, rest, low, lost);
    for (size_t i = 0; i < (size_t)a->rows; i++) {
        const struct qp_twofold sum = qp_two_sum(rest[i], low[i]);
        rest[i] = sum.high;
        lost[i] = fabs(sum.low) + rounding * lost[i];
        if (!isfinite(rest[i]) || !isfinite(lost[i]))
            lost[i] = INFINITY;
    }
}

void qp_residual_find(const struct qp_market *a, const double *b, const double *lost,
                      const double *x, double *rest, double *bound, double *scratch)
{
    subtract_product(a, b, x, rest, bound, scratch);
    for (size_t i = 0; i < (size_t)a->rows; i++)
        bound[i] += fabs(rest[i]) + (lost != NULL ? lost[i] : 0.0);
}

void qp_residual_times_ones(const struct qp_market *a, double *b, double *lost, double *scratch)
{
    subtract_product(a, NULL, NULL, b, lost, scratch);
    for (size_t i = 0; i < (size_t)a->rows; i++)
        b[i] = 0.0 - b[i]; /* and no -0 */
}

/* Norm of a residual, rounded up: the sum of squares and its root are off by (count / 2 + 2) u, and
 * a bound by a few u. */
double qp_residual_norm(const double *bound, const double *b, const int *shift, size_t count)
{
    const double up = 1.0 + 0x1p-50 * (double)(count + 16);
    const double all = qp_norm_scaled(b, shift, 1, count);
    return up * qp_norm_scaled(bound, shift, 1, count) / (all > 0.0 ? all : 1.0);
}
