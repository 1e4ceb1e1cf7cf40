/* SPDX-License-Identifier: MIT */
/* Norms, digits and tolerances, which all solves need. */
#ifndef QP_SOLVE_NUMBERS_H
#define QP_SOLVE_NUMBERS_H

#include <stddef.h>

#include <quadpass/status.h>

/* 2-norm of values times 2^exponent. */
double qp_norm(const double *values, int exponent, size_t count);

/* 2-norm of 2^shift[i] values[i], or with `sign` -1 of 2^-shift[i] values[i]. */
double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count);

/* The largest magnitude; infinite where a value is NaN. */
double qp_largest(const double *values, size_t count);

/* Tolerance asked for, or 1e-5 where that is 0. Errors: QP_BAD_USE for a value out of range. */
enum qp_status qp_find_tolerance(double asked, double *tolerance);

/* Certain digits of an x with this error: the largest d with 10^-d >= error, 15 at most. */
int qp_certain_digits(double error);

#endif
