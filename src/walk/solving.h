/* SPDX-License-Identifier: MIT */
/* What iteration and elimination share. */
#ifndef QP_WALK_SOLVING_H
#define QP_WALK_SOLVING_H

#include <quadpass/solve.h>

/* In the 2-norm. */
double qp_norm(const double *values, size_t count);

/* Of 2^shift[i] values[i], or with `sign` -1 of 2^-shift[i] values[i]. */
double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count);

/* rest = b - A x; b NULL stands for 0 and x NULL for ones. Every row of at most `terms` entries is summed
 * in a pair of doubles, `low` being room for the second ones. Returns how far rest can be from the exact
 * one in the 2-norm. */
double qp_subtract_product(const struct qp_market *a, const double *b, const double *x, int terms,
                           double *rest, double *low);

/* ||rest||_2 / norm_b, and not below what that is in exact terms, where `rounding` bounds the error of
 * rest and norm_b is a qp_norm. */
double qp_residual_from_above(const double *rest, size_t count, double rounding, double norm_b);

/* qp_solve with somebody who looks on every few steps and may end it: then the ending is
 * QP_INTERRUPTED. `goes_on` may be NULL. */
typedef bool qp_goes_on(void *user, const struct qp_progress *progress);
enum qp_status qp_iterate(struct qp_context *context, const struct qp_market *matrix,
                          const double *b, const double *start, const struct qp_solve_desc *desc,
                          qp_goes_on *goes_on, void *user, struct qp_solution *out);

/* A walk with a problem of one system by any variant: one that takes several solves it several
 * times over, and the first answer counts. */
enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_result *result);

#endif
