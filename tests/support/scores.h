/* SPDX-License-Identifier: MIT */
/* How good a strategy of the tuner is on a space whose times are all known. */
#ifndef QP_TESTS_SCORES_H
#define QP_TESTS_SCORES_H

void scores_sort(double *values, int count);

/* Sorts the values. */
double scores_median(double *values, int count);

/* The score of "A methodology for comparing auto-tuning optimization algorithms" (2024): by how much of the way from the
 * expected best of random runs to the optimum a strategy is ahead, in the mean over the runs, `most` at most, that random
 * ones take to come 95 % of the way from the median to the optimum. `sorted` are the times of all correct
 * configurations, `mean` the best that the strategy has after each run. */
double scores_of(const double *sorted, int count, const double *mean, int most);

#endif
