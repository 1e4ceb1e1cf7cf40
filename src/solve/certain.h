/* SPDX-License-Identifier: MIT */
#ifndef QP_SOLVE_CERTAIN_H
#define QP_SOLVE_CERTAIN_H

#include <signal.h>

#include <quadpass/market.h>

/* A proven bound on max |x - x'| / max |x'|, A x' = b, from rest, which is nearly b - A x, and bound >= |b - A x|; it proves A regular, too. 1 without a proof,
 * as for a matrix that no w > 0 makes dominant. At most so many steps look for w, each with two products of a vector by
 * A, and none once interrupted. */
double qp_certain_error(const struct qp_market *a, const double *x, const double *rest,
                        const double *bound, int steps, const volatile sig_atomic_t *interrupt);

#endif
