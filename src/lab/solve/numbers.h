/* SPDX-License-Identifier: MIT */
/* Norms, digits and tolerances, which all solves need. */
#ifndef QP_SOLVE_NUMBERS_H
#define QP_SOLVE_NUMBERS_H

#include <math.h>
#include <stddef.h>

#include <quadpass/status.h>

/* Sets two factors whose product is 2^exponent, for many values: ldexp takes longer than all else
 * that is done to a value, and a single factor would leave the range of double. */
static inline void qp_set_power(int exponent, double power[2])
{
    power[0] = ldexp(1.0, exponent / 2);
    power[1] = ldexp(1.0, exponent - exponent / 2);
}

/* ldexp of a value; where it is subnormal it may be rounded twice. */
static inline double qp_times_power(double value, const double power[2])
{
    return value * power[0] * power[1];
}

/* Values whose work is worth starting threads. */
enum { QP_MANY = 1 << 16 };

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
