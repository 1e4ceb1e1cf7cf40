/* SPDX-License-Identifier: MIT */
#include "lab/walk/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/bench.h>

static int by_value(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

double qp_quantile(const double *samples, int count, double part)
{
    double sorted[QP_MOST_REPEATS];
    if (count <= 0)
        return NAN;
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    const double place = part * (count - 1);
    const int below = (int)place;
    if (below == count - 1)
        return sorted[below];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

double qp_spread(const double *samples, int count)
{
    if (count < QP_LEAST_SAMPLES)
        return NAN;
    const double wide = qp_quantile(samples, count, 0.75) - qp_quantile(samples, count, 0.25);
    return wide > 0.0 ? wide / qp_quantile(samples, count, 0.5) : 0.0;
}
