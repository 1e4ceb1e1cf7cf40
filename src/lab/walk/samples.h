/* SPDX-License-Identifier: MIT */
/* Statistics of a variant's timed runs: a few numbers, in the order in which they were taken. */
#ifndef QP_WALK_SAMPLES_H
#define QP_WALK_SAMPLES_H

/* Value below which the part 0 to 1 of at most QP_MOST_REPEATS samples lies, by linear
 * interpolation between the sorted ones: 0.5 is the median. NaN of none. */
double qp_quantile(const double *samples, int count, double part);

/* Samples that have a spread, and that are enough of a variant whose share of the time is over. */
enum { QP_LEAST_SAMPLES = 3 };

/* (third quartile - first) / median; NaN below QP_LEAST_SAMPLES samples. */
double qp_spread(const double *samples, int count);

#endif
