/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 21: asynchronous rows at the accuracy of the synchronous one; and the best of them, by sizes. */
#ifndef QP_CMD_PAPER_BENCH_PAPER5_ASYNC_H
#define QP_CMD_PAPER_BENCH_PAPER5_ASYNC_H

#include "cmd/paper/bench_paper.h"
#include "plan/kernel.h"
#include "tune/equal.h"

enum { MOST_ASYNC_POINTS = 160, MOST_ASYNC_SCENES = 8 };

/* A problem that rows are compared on: the spike as the first cell of its block, in its middle, or field; its answer is
 * that of `many` steps by the row `judge`, and the opponent's distances from it after T steps stand in `enough`. */
struct paper5_scene {
    const char *name, *judge;
    int n;
    double enough[QP_EQUAL_NORMS], seconds; /* of the opponent's T steps */
};

/* A row at an alpha and a block on a scene. */
struct paper5_point {
    const struct qp_variant *variant;
    int scene, alpha, block;
    struct qp_equal equal;
};

/* All of it, in one block of memory without pointers to others, so that it may stand in a larger one. */
struct paper5_async {
    const struct qp_variant *opponent;
    int steps, many; /* T, and of the answer they are measured by */
    struct paper5_scene scene[MOST_ASYNC_SCENES];
    int scenes;
    struct paper5_point point[MOST_ASYNC_POINTS];
    int points;
    struct qp_components components[4]; /* m, p and d of section 5.1, of async0 to async3 */
    char reason[512];                 /* why there is nothing, or no more */
};

/* Measures, after the lines of the bench: needs its context, options and repeats, appends a record for each point
 * (launches as iterations; error and tolerance are its distance and the opponent's). `async` comes as zeros. Where
 * nothing can run that is told in `reason`, and QP_OK. Errors: QP_NO_MEMORY, QP_DEVICE. */
enum qp_status paper5_async_measure(struct paper_bench *bench, struct paper5_async *async);

/* Prints the table of figure 21 beside the thesis's figures, and the best row of each size. */
enum qp_status paper5_async_print(const struct paper_bench *bench,
                                  const struct paper5_async *async);

#endif
