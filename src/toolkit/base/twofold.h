/* SPDX-License-Identifier: MIT */
/* Double-double numbers, some 32 digits: a double and its rounding error (Knuth 1969, Dekker 1971).
 * Operations are exact but for the errors that the comments state, unless numbers leave the range
 * of double. */
#ifndef QP_BASE_TWOFOLD_H
#define QP_BASE_TWOFOLD_H

#include <math.h>

/* high + low, where |low| is at most half a unit in high's last place. */
struct qp_twofold {
    double high, low;
};

/* Both operations on doubles are exact: the result and its rounding error. */
static inline struct qp_twofold qp_two_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (struct qp_twofold){sum, (a - (sum - part)) + (b - part)};
}

static inline struct qp_twofold qp_two_product(double a, double b)
{
    const double product = a * b;
    return (struct qp_twofold){product, fma(a, b, -product)};
}

/* a - b c, with an error of a few 2^-104 (|a| + |b c|). */
static inline struct qp_twofold qp_twofold_minus_product(struct qp_twofold a, struct qp_twofold b,
                                                         struct qp_twofold c)
{
    struct qp_twofold product = qp_two_product(b.high, c.high);
    product.low += b.high * c.low + b.low * c.high;
    const struct qp_twofold rest = qp_two_sum(a.high, -product.high);
    const double low = rest.low + (a.low - product.low), high = rest.high + low;
    return (struct qp_twofold){high, low - (high - rest.high)};
}

/* a / b, with a relative error of a few 2^-104. */
static inline struct qp_twofold qp_twofold_over(struct qp_twofold a, struct qp_twofold b)
{
    const struct qp_twofold first = {a.high / b.high, 0.0};
    const double second = qp_twofold_minus_product(a, first, b).high / b.high;
    const double high = first.high + second;
    return (struct qp_twofold){high, second - (high - first.high)};
}

#endif
