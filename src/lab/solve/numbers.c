/* SPDX-License-Identifier: MIT */
#include "lab/solve/numbers.h"

#include <limits.h>
#include <math.h>

#include "toolkit/base/status.h"

/* 2-norm, split into the answer and a factor 2^*unit: squares of numbers that were shifted to 1 at
 * most do not overflow, while the norm itself may. */
static double split_norm(const double *values, const int *shift, int sign, size_t count, int *unit)
{
    int most = INT_MIN, exponent;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        frexp(values[i], &exponent);
        exponent += shift != NULL ? sign * shift[i] : 0;
        if (values[i] != 0.0 && exponent > most)
            most = exponent;
    }
    for (size_t i = 0; i < count && most > INT_MIN; i++) {
        double value = ldexp(values[i], (shift != NULL ? sign * shift[i] : 0) - most);
        sum += value * value;
    }
    *unit = sum > 0.0 ? most : 0;
    return sqrt(sum);
}

double qp_norm(const double *values, int exponent, size_t count)
{
    int unit;
    const double norm = split_norm(values, NULL, 0, count, &unit);
    return ldexp(norm, unit + exponent);
}

double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count)
{
    int unit;
    const double norm = split_norm(values, shift, sign, count, &unit);
    return ldexp(norm, unit);
}

double qp_largest(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, isnan(values[i]) ? INFINITY : fabs(values[i]));
    return largest;
}

int qp_certain_digits(double error)
{
    return (int)floor(-log10(fmax(error, 0x1p-53)));
}

enum qp_status qp_find_tolerance(double asked, double *tolerance)
{
    *tolerance = asked > 0.0 ? asked : 1e-5;
    if (asked >= 0.0 && isfinite(asked))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "a tolerance of %g is none; give a positive number", asked);
}
