/* SPDX-License-Identifier: MIT */
/* What iteration and elimination share. */
#ifndef QP_WALK_SOLVING_H
#define QP_WALK_SOLVING_H

#include <quadpass/walk.h>

/* In the 2-norm. */
double qp_norm(const double *values, size_t count);

/* Of 2^shift[i] values[i], or with `sign` -1 of 2^-shift[i] values[i]. */
double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count);

/* A walk with a problem of one system by any variant: one that takes several solves it several
 * times over, and the first answer counts. */
enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_result *result);

#endif
