/* SPDX-License-Identifier: MIT */
#include "toolkit/base/pairs.h"

#include <math.h>
#include <string.h>

float qp_pair_high(double value)
{
    return (float)value;
}

float qp_pair_low(double value)
{
    const float high = qp_pair_high(value);
    return isfinite(high) ? (float)(value - high) : 0.0f;
}

void qp_pairs_split(const double *values, size_t count, float *pairs)
{
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = qp_pair_high(values[i]);
        pairs[2 * i + 1] = qp_pair_low(values[i]);
    }
}

void qp_pairs_join(void *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *at = (char *)pairs + i * sizeof(double);
        float part[2];
        memcpy(part, at, sizeof part);
        const double value = isnan(part[0]) ? (double)part[0] : (double)part[0] + part[1];
        memcpy(at, &value, sizeof value);
    }
}
