/* SPDX-License-Identifier: MIT */
#include "walk/solving.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "io/market.h"
#include "ops/problem.h"

static const double unit = DBL_EPSILON / 2.0; /* of double's roundings */

double qp_norm(const double *values, size_t count)
{
    return qp_norm_scaled(values, NULL, 0, count);
}

/* Squares of numbers that were shifted to 1 at most: no overflow. */
double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count)
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
    return sum > 0.0 ? ldexp(sqrt(sum), most) : sum;
}

/* A product and a sum of two doubles are pairs of doubles without any error (Dekker, Knuth); what
 * rounds is the sum of the second ones. So a row of n terms is off by
 *
 *     u |r| + g^2 (|A| |x| + |b|),   g = n u / (1 - n u),
 *
 * instead of by g (|A| |x| + |b|): Ogita, Rump and Oishi, Accurate sum and dot product, SIAM J. Sci.
 * Comput. 26, 2005, proposition 5.5. */
double qp_subtract_product(const struct qp_market *a, const double *b, const double *x, int terms,
                           double *rest, double *low)
{
    const size_t rows = (size_t)a->rows;
    const double gamma = (terms + 2) * unit / (1.0 - (terms + 2) * unit);
    double magnitude = 0.0, size = 0.0;
    for (size_t i = 0; i < rows; i++) {
        rest[i] = b != NULL ? b[i] : 0.0;
        low[i] = 0.0;
        magnitude += fabs(rest[i]);
    }
    for (size_t k = 0; k < a->count; k++) {
        int row, column;
        qp_market_place(a, k, &row, &column);
        const double factor = x != NULL ? -x[column] : -1.0, old = rest[row];
        const double product = a->value[k] * factor, sum = old + product, part = sum - old;
        low[row] += fma(a->value[k], factor, -product) + ((old - (sum - part)) + (product - part));
        rest[row] = sum;
        magnitude += fabs(product);
    }
    for (size_t i = 0; i < rows; i++) {
        rest[i] += low[i];
        size += fabs(rest[i]);
    }
    /* Sums of magnitudes bound 2-norms; products below DBL_MIN lose up to DBL_TRUE_MIN each. */
    return (unit * size + gamma * gamma * magnitude) * (1.0 + 1e-6) +
           (magnitude > 0.0 ? (double)a->count * DBL_TRUE_MIN : 0.0);
}

/* A sum of n squares and its root are off by a factor of at most 1 +- (n / 2 + 2) u. */
double qp_residual_from_above(const double *rest, size_t count, double rounding, double norm_b)
{
    return (qp_norm(rest, count) + rounding) / norm_b * (1.0 + ((double)count + 8.0) * unit);
}

enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_result *result)
{
    if (qp_variant_systems(variant) == 1)
        return qp_walk(context, variant, problem, desc, result);
    struct qp_problem copies;
    *result = (struct qp_result){0};
    enum qp_status status = qp_problem_repeat(problem, qp_variant_systems(variant), &copies);
    if (status == QP_OK)
        status = qp_walk(context, variant, &copies, desc, result);
    qp_problem_destroy(&copies);
    return status;
}
