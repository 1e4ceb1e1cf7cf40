/* SPDX-License-Identifier: MIT */
/* Timed runs of a benchmark whose steps are too many to check them all. */
#ifndef QP_WALK_TIMED_WALK_H
#define QP_WALK_TIMED_WALK_H

#include <stdint.h>

#include <quadpass/bench.h>

/* Earlier runs of a row; begins as zeros. */
struct qp_earlier_runs {
    struct qp_result checked; /* of the run whose steps were checked, if there was one */
    uint64_t answer[2];       /* a hash of the first timed one's */
    int runs;                 /* timed so far */
};

/* Walks a run that is timed. Where a check takes fewer steps, a walk of those comes before the
 * first run, whose last launch is checked as well, from the row's own iterate before it, and all
 * runs must have its answer bit for bit. Rows that race, whose answers differ, are judged by their
 * bounds each time; a bound is looked at. The result's verdict says what failed. */
enum qp_status qp_timed_walk(struct qp_context *context, const struct qp_variant *variant,
                             struct qp_problem *problem, const struct qp_walk_desc *walk,
                             struct qp_earlier_runs *timed, struct qp_result *result);

#endif
