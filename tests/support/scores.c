/* SPDX-License-Identifier: MIT */
#include "support/scores.h"

#include <math.h>
#include <stdlib.h>

#include "support/support.h"

enum { RUNS = 30, MOST_SEARCHES = 100 };

static int by_value(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

void scores_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
}

double scores_median(double *values, int count)
{
    scores_sort(values, count);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* The expected best of `runs` random runs, none of which comes twice. */
static double expected(const double *sorted, int count, int runs)
{
    double sum = 0.0, left = 1.0;
    for (int i = 0; i < count && left > 0.0; i++) {
        const double here = fmin(left, left * runs / (count - i));
        sum += here * sorted[i];
        left -= here;
    }
    return sum;
}

double scores_of(const double *sorted, int count, const double *mean, int most)
{
    const double target = sorted[0] + 0.05 * (sorted[count / 2] - sorted[0]);
    double sum = 0.0;
    int runs = 0;
    do {
        const double random = expected(sorted, count, runs + 1);
        sum += (random - mean[runs]) / (random - sorted[0]);
        runs++;
    } while (runs < most && expected(sorted, count, runs) > target);
    return sum / runs;
}

/* ---- Searches ---- */

struct scores_space scores_space(const struct qp_space *space, const double *seconds)
{
    struct scores_space times = {seconds, malloc((size_t)space->count * sizeof(double)), 0};
    assert_non_null(times.sorted);
    for (int k = 0; k < space->count; k++) {
        if (seconds[space->valid[k]] > 0.0)
            times.sorted[times.count++] = seconds[space->valid[k]];
    }
    scores_sort(times.sorted, times.count);
    return times;
}

/* The best seconds after each run of one search. */
static double best_after[RUNS];
static const double *seconds_now;

static void note_best(void *user, const struct qp_search *now)
{
    (void)user;
    best_after[now->count - 1] =
        now->best >= 0 ? seconds_now[now->tried[now->best].configuration] : INFINITY;
}

double scores_search(const struct scores_space *times, struct qp_search_desc desc, int searches,
                     double *score)
{
    const double *sorted = times->sorted;
    double mean[RUNS] = {0.0}, part[MOST_SEARCHES];
    seconds_now = times->seconds;
    desc.runs = RUNS;
    desc.on_run = note_best;
    for (int i = 0; i < searches; i++) {
        struct qp_search found;
        desc.seed = (uint64_t)i + 1;
        assert_int_equal(qp_search(&desc, &found), QP_OK);
        for (int k = 0; k < RUNS; k++)
            mean[k] += fmin(best_after[k], sorted[times->count - 1]) / searches;
        part[i] = sorted[0] / best_after[RUNS - 1];
        qp_search_destroy(&found);
    }
    *score = scores_of(sorted, times->count, mean, RUNS);
    return scores_median(part, searches);
}
