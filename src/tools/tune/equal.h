/* SPDX-License-Identifier: MIT */
/* Equal accuracy, by which paper 5 compares asynchronous variants with the synchronous one (5.4,
 * figure 21): the first launch after which a variant is as near to the answer of many steps in
 * double as its opponent is after T steps, and stays so up to four times that launch. It orders
 * variants that are Jacobi with delays, and no other method: the exact solution itself is farther
 * from those many steps than the opponent. */
#ifndef QP_TUNE_EQUAL_H
#define QP_TUNE_EQUAL_H

#include <quadpass/walk.h>

#include "toolkit/base/status.h"

enum { QP_EQUAL_LARGEST, QP_EQUAL_TWO, QP_EQUAL_NORMS };

enum {
    QP_EQUAL_RUNS = 10,
    QP_EQUAL_TIMED = 5, /* runs that are timed, or all if there are fewer */
    QP_EQUAL_STAYS = 4  /* times that launch */
};

/* Settings of a measurement, of one variant on one problem. */
struct qp_equal_desc {
    const struct qp_variant *variant;
    int alpha, block;     /* as in struct qp_parts_desc and struct qp_walk_desc */
    const double *wanted; /* answer after many steps in double */
    /* The opponent's distances from it, as qp_equal_distance reports them. */
    double enough[QP_EQUAL_NORMS];
    int most;  /* launches of a run, at most */
    int runs;  /* 0: QP_EQUAL_RUNS */
    bool same; /* its runs all give the same bits, so one is looked at */
    const volatile sig_atomic_t *interrupt;
};

/* Results of the measurement. Launches are 0 where `most` did not suffice: never. */
struct qp_equal {
    int alpha; /* alpha of the runs */
    int least[QP_EQUAL_NORMS], launches[QP_EQUAL_NORMS], most[QP_EQUAL_NORMS]; /* median between */

    /* Times of launches[QP_EQUAL_LARGEST] without set-up, NaN for never: the median first. */
    double seconds, seconds_least, seconds_most, samples[QP_EQUAL_TIMED];
    int timed; /* samples */

    /* Distances after the first launch that was near enough, of the last run that had one. */
    double distance[QP_EQUAL_NORMS];
};

/* Distances of a variant's answer after `launches` launches, max |u - wanted| / max |wanted| and
 * the same of 2-norms, and the times of those; other members are 0. Errors: as qp_walk;
 * QP_UNSUPPORTED where the variant skips. */
enum qp_status qp_equal_distance(struct qp_context *context, struct qp_problem *problem,
                                 const struct qp_equal_desc *desc, int launches,
                                 struct qp_equal *out);

/* Runs the variant again and again. Errors likewise. */
enum qp_status qp_equal_run(struct qp_context *context, struct qp_problem *problem,
                            const struct qp_equal_desc *desc, struct qp_equal *out);

/* Answer after `steps` steps by the first of these variants, up to NULL, that runs here; *name is
 * set to its name. The caller frees *wanted. Errors likewise. */
enum qp_status qp_equal_wanted(struct qp_context *context, struct qp_problem *problem,
                               const char *const rows[], int steps,
                               const volatile sig_atomic_t *interrupt, const char **name,
                               double **wanted);

#endif
