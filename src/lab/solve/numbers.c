/* SPDX-License-Identifier: MIT */
#include "lab/solve/numbers.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "toolkit/base/bands.h"
#include "toolkit/base/status.h"

/* Parts of a vector, few enough for a sum each. Their number is fixed, and so are a sum's bits on
 * any number of threads. */
enum { PARTS = 256 };

struct parts {
    const double *values;
    size_t count;
    double power[2];   /* factors of the values */
    double sum[PARTS]; /* squares of these values */
};

static size_t place_of(const struct parts *parts, size_t part)
{
    return parts->count * part / PARTS;
}

static double find_largest(void *user, size_t first, size_t end)
{
    const struct parts *parts = user;
    const size_t last = place_of(parts, end);
    double largest = 0.0;
    bool any = false;
#pragma omp simd reduction(max : largest) reduction(|| : any)
    for (size_t i = place_of(parts, first); i < last; i++) {
        const double size = fabs(parts->values[i]);
        largest = size > largest ? size : largest;
        any = any || size != size;
    }
    return any ? INFINITY : largest;
}

double qp_largest(const double *values, size_t count)
{
    struct parts parts = {.values = values, .count = count};
    return qp_bands(PARTS, count / PARTS + 1, find_largest, &parts);
}

static double sum_squares(void *user, size_t first, size_t end)
{
    struct parts *parts = user;
    for (size_t part = first; part < end; part++) {
        const size_t last = place_of(parts, part + 1);
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = place_of(parts, part); i < last; i++) {
            const double value = qp_times_power(parts->values[i], parts->power);
            sum += value * value;
        }
        parts->sum[part] = sum;
    }
    return 0.0;
}

/* Sum of squares of values that have a shift each, in units of 4^*unit. */
static double sum_shifted(const double *values, const int *shift, int sign, size_t count, int *unit)
{
    int most = INT_MIN, exponent;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        frexp(values[i], &exponent);
        exponent += sign * shift[i];
        if (values[i] != 0.0 && exponent > most)
            most = exponent;
    }
    for (size_t i = 0; i < count && most > INT_MIN; i++) {
        const double value = ldexp(values[i], sign * shift[i] - most);
        sum += value * value;
    }
    *unit = most;
    return sum;
}

/* 2-norm, split into the answer and a factor 2^*unit: squares of numbers that were shifted to 1 at
 * most do not overflow, while the norm itself may. */
static double split_norm(const double *values, const int *shift, int sign, size_t count, int *unit)
{
    double sum = 0.0;
    if (shift != NULL) {
        sum = sum_shifted(values, shift, sign, count, unit);
    } else {
        const double largest = qp_largest(values, count);
        *unit = 0;
        if (isfinite(largest))
            frexp(largest, unit);
        struct parts parts = {.values = values, .count = count};
        qp_set_power(-*unit, parts.power);
        qp_bands(PARTS, count / PARTS + 1, sum_squares, &parts);
        for (size_t part = 0; part < PARTS; part++)
            sum += parts.sum[part];
    }
    *unit = sum > 0.0 ? *unit : 0;
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
