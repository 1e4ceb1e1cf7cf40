/* SPDX-License-Identifier: MIT */
/* Residual b - A x of the numbers in memory, with a bound on its rounding; all claims about an x,
 * by iteration or elimination, come from here. All vectors have as many values as A has rows; the
 * contents of `scratch` mean nothing. */
#ifndef QP_SOLVE_RESIDUAL_H
#define QP_SOLVE_RESIDUAL_H

#include <quadpass/market.h>

/* Computes rest = b - A x, where products and sums have twice double's digits, and bound >= |b - A
 * x| in exact terms, infinite where numbers leave the range of double. `lost` bounds the rounding
 * of b itself, NULL for an exact b. */
void qp_residual_find(const struct qp_market *a, const double *b, const double *lost,
                      const double *x, double *rest, double *bound, double *scratch);

/* Computes b = A times ones, and lost >= |b - A times ones|, which is 0 where nothing was
 * rounded. */
void qp_residual_times_ones(const struct qp_market *a, double *b, double *lost, double *scratch);

/* Relative norm ||bound||_2 / ||b||_2, or ||bound||_2 if b is 0, never below the exact value. With
 * `shift` both vectors are scaled by 2^shift. */
double qp_residual_norm(const double *bound, const double *b, const int *shift, size_t count);

#endif
