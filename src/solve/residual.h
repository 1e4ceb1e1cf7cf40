/* SPDX-License-Identifier: MIT */
/* b - A x as the numbers stand in memory, and how much of it may be rounding: by iteration and elimination alike,
 * what is claimed of an x comes from here. All vectors have as many values as A has rows; `scratch` means
 * nothing. */
#ifndef QP_SOLVE_RESIDUAL_H
#define QP_SOLVE_RESIDUAL_H

#include <quadpass/market.h>

/* rest = b - A x, where products and sums have twice double's digits, and bound >= |b - A x| in exact terms,
 * infinite where numbers leave the range of double. `lost` is how far b may be from the one that is meant, NULL
 * for not at all. */
void qp_residual_find(const struct qp_market *a, const double *b, const double *lost,
                      const double *x, double *rest, double *bound, double *scratch);

/* b = A times ones, and lost >= |b - A times ones|, which is 0 where nothing was rounded. */
void qp_residual_times_ones(const struct qp_market *a, double *b, double *lost, double *scratch);

/* ||bound||_2 / ||b||_2, or ||bound||_2 if b is 0, and not below what that is in exact terms. With `shift` both
 * vectors are scaled by 2^shift. */
double qp_residual_norm(const double *bound, const double *b, const int *shift, size_t count);

#endif
