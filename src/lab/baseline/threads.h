/* SPDX-License-Identifier: MIT */
/* Numbers of threads for calls of other libraries: the fastest, found by trial before the clock
 * runs. More threads may be slower, where cores share their time with others, or a lock is one for
 * all. */
#ifndef QP_BASELINE_THREADS_H
#define QP_BASELINE_THREADS_H

#include "lab/plan/op.h"

/* Seconds that the call takes on `threads` threads; its preparation is not timed. */
typedef double baseline_timed_call(const struct qp_sweep *sweep, int threads);

enum { BASELINE_SIZES = 16 };

/* Best numbers of threads by sizes, all zero at first. Each variant has one; a single thread of the
 * process uses it. */
struct baseline_threads {
    int tried; /* the latest replace the oldest */
    struct {
        int width, height, threads;
    } size[BASELINE_SIZES];
};

/* The best number for a sweep of this size; `most` where none was tried. */
int baseline_threads_for(const struct baseline_threads *known, const struct qp_sweep *sweep,
                         int most);

/* Tries `most` threads and then powers of two below it, downwards, unless this size was tried
 * before; ends after a number that takes more than twice as long as the best, since fewer take
 * longer still. */
void baseline_try_threads(struct baseline_threads *known, const struct qp_sweep *sweep, int most,
                          baseline_timed_call *call);

#endif
