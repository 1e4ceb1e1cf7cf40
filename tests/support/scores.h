/* SPDX-License-Identifier: MIT */
/* How good a strategy of the tuner is on a space whose times are all known. */
#ifndef QP_TESTS_SCORES_H
#define QP_TESTS_SCORES_H

#include "tools/tune/search.h"

void scores_sort(double *values, int count);

/* Sorts the values. */
double scores_median(double *values, int count);

/* The score of "A methodology for comparing auto-tuning optimization algorithms" (2024): by how
 * much of the way from the expected best of random runs to the optimum a strategy is ahead, in the
 * mean over the runs, `most` at most, that random ones take to come 95 % of the way from the median
 * to the optimum. `sorted` are the times of all correct configurations, `mean` the best that the
 * strategy has after each run. */
double scores_of(const double *sorted, int count, const double *mean, int most);

/* Times of a space's configurations by their numbers, in seconds; those that are not above 0 are
 * wrong. */
struct scores_space {
    const double *seconds;
    double *sorted; /* times of the correct ones, sorted */
    int count;
};

/* Owner: the caller, who frees `sorted`. */
struct scores_space scores_space(const struct qp_space *space, const double *seconds);

/* Searches `searches` times with 30 runs, with seeds from 1 on: returns the median of the optimum /
 * what is found. */
double scores_search(const struct scores_space *times, struct qp_search_desc desc, int searches,
                     double *score);

#endif
