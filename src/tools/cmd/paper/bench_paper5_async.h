/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 21: asynchronous variants at the accuracy of the synchronous one; and the best of
 * them, by sizes. */
#ifndef QP_CMD_PAPER_BENCH_PAPER5_ASYNC_H
#define QP_CMD_PAPER_BENCH_PAPER5_ASYNC_H

#include "lab/plan/kernel.h"
#include "tools/cmd/paper/bench_paper.h"
#include "tools/tune/equal.h"

enum {
    MOST_ASYNC_VARIANTS = 6,
    MOST_ASYNC_SCENES = 8,
    MOST_ASYNC_POINTS = 512,
    PAPER5_CONTESTS = 2,
    PAPER5_T = 1000 /* T of figure 21 */
};

/* Variants that are compared, the opponent the first of `opponents` that runs, and the judge the
 * first of `doubles`. Lists end with NULL, sizes and alphas with a negative one. */
struct paper5_contest {
    const char *const *variants, *const *opponents, *const *doubles;
    const int *sizes, *alphas, *few; /* few: alphas of the figure's other problems */
    int steps, many;                 /* T, and those of the judge */
    const char *waits; /* synchronous variant that is timed beside the opponent; NULL: none */
    bool one_block;    /* variants keep to their own */
    int runs;          /* runs of each point of the figure; those of other sizes run once */
};

/* A problem that variants are compared on, the largest size first: the spike as the first cell of
 * its block, in its middle, and field; of other sizes the first alone. */
struct paper5_scene {
    const char *name, *judge;
    int n;
    /* The opponent's distances after T steps, and its time. */
    double enough[QP_EQUAL_NORMS], seconds;
    const struct qp_variant *waits; /* variant beside it, NULL if it did not run, and its time */
    double waits_seconds;
};

/* A variant at an alpha and a block on a scene. */
struct paper5_point {
    const struct qp_variant *variant;
    int scene, alpha, block;
    struct qp_equal equal;
};

/* All of it, in one block of memory without pointers to others, so that it may stand in a larger
 * one. */
struct paper5_async {
    const struct qp_variant *opponent;
    int steps, many;
    struct paper5_scene scene[MOST_ASYNC_SCENES];
    int scenes;
    struct paper5_point point[MOST_ASYNC_POINTS];
    int points;
    const struct qp_variant *variant[MOST_ASYNC_VARIANTS];
    /* Blocks m, p and d of section 5.1, at the largest size. */
    struct qp_launch_blocks components[MOST_ASYNC_VARIANTS];
    int variants;
    char reason[512]; /* why there is nothing, or no more */
};

/* Measures, after the lines of the bench: needs its context and options, appends a record for the
 * opponent on each scene and for each point (launches as iterations; error and tolerance are its
 * distance and the opponent's). `async` comes as zeros; contests that are not held stay so. Where
 * nothing can run `reason` says why, and QP_OK. Errors: QP_NO_MEMORY, QP_DEVICE. */
enum qp_status paper5_async_measure(struct paper_bench *bench,
                                    struct paper5_async async[PAPER5_CONTESTS]);

/* The same of any contest, such as of variants on the CPU; T and the judge's steps are in `async`
 * already. */
enum qp_status paper5_async_contest(struct paper_bench *bench, const struct paper5_contest *contest,
                                    struct paper5_async *async);

/* Prints m, p and d, the table of figure 21 beside the thesis's figures, and the best variant of
 * each size. */
void paper5_async_print(const struct paper_bench *bench,
                        const struct paper5_async async[PAPER5_CONTESTS]);

/* The fastest point of a scene, of one variant or with NULL of all; NULL if none came to an end. */
const struct paper5_point *paper5_async_best(const struct paper5_async *async, int scene,
                                             const struct qp_variant *variant);

#endif
