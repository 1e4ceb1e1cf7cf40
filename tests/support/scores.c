/* SPDX-License-Identifier: MIT */
#include "support/scores.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

void scores_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
}

double scores_median(double *values, int count)
{
    scores_sort(values, count);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* The expected best of so many random runs, none of which comes twice. */
static double expected(const double *sorted, int count, int runs)
{
    double sum = 0.0, left = 1.0;
    for (int i = 0; i < count && left > 0.0; i++) {
        const double here = fmin(left, left * runs / (count - i));
        sum += here * sorted[i];
        left -= here;
    }
    return sum;
}

double scores_of(const double *sorted, int count, const double *mean, int most)
{
    const double target = sorted[0] + 0.05 * (sorted[count / 2] - sorted[0]);
    double sum = 0.0;
    int runs = 0;
    do {
        const double random = expected(sorted, count, runs + 1);
        sum += (random - mean[runs]) / (random - sorted[0]);
        runs++;
    } while (runs < most && expected(sorted, count, runs) > target);
    return sum / runs;
}
