/* SPDX-License-Identifier: MIT */
/* Helpers shared by iteration and elimination. */
#ifndef QP_SOLVE_SOLVING_H
#define QP_SOLVE_SOLVING_H

#include <quadpass/method.h>

#include "solve/checkpoint.h"

/* 2-norm of values times 2^exponent. */
double qp_norm(const double *values, int exponent, size_t count);

/* 2-norm of 2^shift[i] values[i], or with `sign` -1 of 2^-shift[i] values[i]. */
double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count);

/* The largest magnitude; infinite where a value is NaN. */
double qp_largest(const double *values, size_t count);

/* Tolerance asked for, or 1e-5 where that is 0. Errors: QP_BAD_USE for a value out of range. */
enum qp_status qp_find_tolerance(double asked, double *tolerance);

/* ---- Called by entries.c with checked arguments: descriptions are there, and their numbers in range ---- */

/* qp_solve with a callback every few steps; if it returns false the ending is QP_INTERRUPTED. *digits: certain digits of
 * x, proven, and then A is regular; -1: not proven. `goes_on` may be NULL, and so may the checkpoint, here and below. */
typedef bool qp_goes_on(void *user, const struct qp_progress *progress);
enum qp_status qp_iterate(struct qp_context *context, const struct qp_market *matrix,
                          const double *b, const double *start, const struct qp_solve_desc *desc,
                          qp_goes_on *goes_on, void *user, struct qp_checkpoint *checkpoint,
                          struct qp_solution *out, int *digits);

/* qp_solve_dense, or with `identity` qp_invert. Of the description it reads what elimination has. */
enum qp_status qp_eliminate(struct qp_context *context, const struct qp_market *matrix,
                            const double *b, int sides, bool identity,
                            const struct qp_solve_desc *desc, struct qp_checkpoint *checkpoint,
                            struct qp_dense_solution *out);

/* qp_solve_system. */
enum qp_status qp_choose_method(struct qp_context *context, const struct qp_market *matrix,
                                const double *b, int sides, const double *start,
                                const struct qp_solve_desc *desc, struct qp_checkpoint *checkpoint,
                                struct qp_answer *out);

/* A walk in the middle: its iterate after so many steps; empty before the first of them. */
struct qp_walked {
    int step;
    struct qp_matrix x;
};

/* Stores it, in either direction; a grid of width x height cells. */
void qp_archive_walked(struct qp_archive *archive, struct qp_walked *walked, int width, int height);

/* A walk with a problem of one system by any variant: one that takes several solves it several
 * times over, and the first answer counts. It goes on from `walked`, if that is not empty, in place of the
 * problem's start. */
enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_walked *walked, struct qp_result *result);

#endif
