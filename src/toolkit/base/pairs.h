/* SPDX-License-Identifier: MIT */
/* Doubles as pairs of floats, high + low, high being the double rounded to float and low what that
 * left: 49 binary digits at least, as long as low is above the least normal float, 2^-126; what
 * lies below may be flushed to 0 by a device. So computed those who had no doubles (Dekker
 * 1971). */
#ifndef QP_BASE_PAIRS_H
#define QP_BASE_PAIRS_H

#include <stddef.h>

/* Both parts of one double. A value that is no finite float is kept in high, a NaN with its bits,
 * and low is 0. */
float qp_pair_high(double value);
float qp_pair_low(double value);

/* `count` doubles into as many pairs. */
void qp_pairs_split(const double *values, size_t count, float *pairs);

/* `count` pairs into as many doubles in their place, each the exact sum. */
void qp_pairs_join(void *pairs, size_t count);

#endif
