/* SPDX-License-Identifier: MIT */
/* Timed runs of a benchmark whose steps are too many to check them all. */
#ifndef QP_WALK_TIMED_WALK_H
#define QP_WALK_TIMED_WALK_H

#include <stdint.h>

#include <quadpass/bench.h>

/* Earlier runs of a variant; begins as zeros. */
struct qp_earlier_runs {
    struct qp_result checked; /* result of the run whose steps were checked, if there was one */
    uint64_t answer[2];       /* a hash of the first timed one's */
    int runs;                 /* timed so far */
    bool on_patches;          /* judged there (patches.h) and on a small grid */
    /* Steps and cells of the timed grid that were compared with the reference; 0: all. */
    int judged_steps;
    double judged_cells;
};

/* Walks a run that is timed. Where a check takes fewer steps, the first run's answer is judged on
 * patches of the grid, after all steps, and the whole variant on a small grid before. Variants
 * whose steps are judged on whole grids alone walk those fewer steps first, and the first run's
 * last launch is checked from the variant's own iterate before it. All runs must have the first
 * one's answer bit for bit. Variants that race, whose answers differ, are judged by their bounds
 * each time; a bound is looked at. The result's verdict says what failed. */
enum qp_status qp_timed_walk(struct qp_context *context, const struct qp_variant *variant,
                             struct qp_problem *problem, const struct qp_walk_desc *walk,
                             struct qp_earlier_runs *timed, struct qp_result *result);

#endif
