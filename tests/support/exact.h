/* SPDX-License-Identifier: MIT */
/* Sums that are exact for a test's purposes: pairs of doubles (Knuth), some 100 bits. A product of
 * two floats is exact in double, so sums of products are as good. */
#ifndef QP_TESTS_EXACT_H
#define QP_TESTS_EXACT_H

#include <math.h>

struct exact {
    double high, low;
    double magnitude; /* magnitude of all terms together, rounded */
};

static inline void exact_add(struct exact *sum, double term)
{
    double high = sum->high + term, part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (term - part);
    sum->high = high;
    sum->magnitude += fabs(term);
}

/* |value - sum|. */
static inline double exact_distance(const struct exact *sum, double value)
{
    return fabs((value - sum->high) - sum->low);
}

#endif
