/* SPDX-License-Identifier: MIT */
/* Guesses of configurations that were not tried, from those that were: a Gaussian process. Two
 * configurations are as alike as their values are near each other; how near is near, each
 * parameter's own reach, is what makes the known values most likely. */
#ifndef QP_TUNE_GUESS_H
#define QP_TUNE_GUESS_H

#include "tune/space.h"

enum { QP_GUESS_MOST = 128 /* configurations that are kept; the highest values give way */ };

struct qp_guess {
    const struct qp_space *space;
    int count;
    int digit[QP_GUESS_MOST][QP_SPACE_PARAMETERS];
    double value[QP_GUESS_MOST];
    double decay[QP_SPACE_PARAMETERS];                                   /* 1 / reach */
    double apart[QP_SPACE_PARAMETERS][QP_SPACE_VALUES][QP_SPACE_VALUES]; /* 0 to 1 */
    double alike[QP_SPACE_PARAMETERS][QP_SPACE_VALUES][QP_SPACE_VALUES];
    double root[QP_GUESS_MOST][QP_GUESS_MOST]; /* of the matrix of likeness: Cholesky's L */
    double weight[QP_GUESS_MOST], mean, variance;
};

/* Owner: the caller, by free(); NULL without memory. */
struct qp_guess *qp_guess_create(const struct qp_space *space);

void qp_guess_add(struct qp_guess *guess, int configuration, double value);

/* Makes qp_guess_gain ready after values were added; `search`: for the likeliest reaches, too. */
void qp_guess_fit(struct qp_guess *guess, bool search);

/* Expected gain of a configuration over a value: how far below it the value is, where it is below
 * at all. `shift` is added to the values of this configuration. */
double qp_guess_gain(const struct qp_guess *guess, int configuration, double shift, double below);

#endif
