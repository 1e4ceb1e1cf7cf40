/* SPDX-License-Identifier: MIT */
#include "lab/baseline/threads.h"

#include <math.h>

#include "toolkit/base/watch.h"

/* Seconds for the trial of a number; a longer call is made once. */
static const double enough = 0.05;

static int find(const struct baseline_threads *known, const struct qp_sweep *s)
{
    for (int i = 0; i < known->tried && i < BASELINE_SIZES; i++) {
        if (known->size[i].width == s->width && known->size[i].height == s->height)
            return i;
    }
    return -1;
}

int baseline_threads_for(const struct baseline_threads *known, const struct qp_sweep *s, int most)
{
    const int place = find(known, s);
    return place >= 0 ? known->size[place].threads : most;
}

/* The shortest of several calls, of which the first starts threads. */
static double try_number(const struct qp_sweep *s, int threads, baseline_timed_call *call)
{
    double least = INFINITY, all = 0.0;
    while (all < enough && !qp_watch_wants_end()) {
        const double seconds = call(s, threads);
        least = fmin(least, seconds);
        all += seconds;
    }
    return least;
}

/* The largest power of two below `threads`; 0 below 1. */
static int fewer(int threads)
{
    int power = 1;
    while (2 * power < threads)
        power *= 2;
    return threads > 1 ? power : 0;
}

void baseline_try_threads(struct baseline_threads *known, const struct qp_sweep *s, int most,
                          baseline_timed_call *call)
{
    double best = INFINITY, last = 0.0;
    int threads = most, choice = most;
    if (find(known, s) >= 0)
        return;
    for (; threads > 0 && last <= 2.0 * best; threads = fewer(threads)) {
        last = try_number(s, threads, call);
        if (last < best)
            choice = threads;
        best = fmin(best, last);
    }
    if (qp_watch_wants_end())
        return;
    const int place = known->tried++ % BASELINE_SIZES;
    known->size[place].width = s->width;
    known->size[place].height = s->height;
    known->size[place].threads = choice;
}
