/* SPDX-License-Identifier: MIT */
/* b - A x as the numbers stand in memory, and how much of it may be rounding. */
#ifndef QP_WALK_RESIDUAL_H
#define QP_WALK_RESIDUAL_H

#include <quadpass/market.h>

/* rest = b - A x, where products and sums have twice double's digits, and lost >= |b - A x - rest|, which is
 * 0 where nothing was rounded, and infinite where numbers leave the range of double. x NULL stands for
 * ones, b NULL for 0. All three have as many values as A has rows; `scratch` means nothing. */
void qp_residual_find(const struct qp_market *a, const double *b, const double *x, double *rest,
                      double *lost, double *scratch);

#endif
