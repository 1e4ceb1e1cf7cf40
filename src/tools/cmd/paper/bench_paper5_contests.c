/* SPDX-License-Identifier: MIT */
/* Contests of figure 21: on CUDA as the thesis has it; without a device variants of compute shaders
 * and of threads, each against the synchronous variant of its backend, on a grid and after a T that
 * software comes to the end of. */
#include <string.h>

#include "lab/ops/poisson5/accuracy.h"
#include "lab/plan/op.h"
#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"
#include "toolkit/cuda/device.h"
#include "tools/cmd/paper/bench_paper5_async.h"

enum { FEW_RUNS = 3, SMALL_T = 128, SMALL_MANY = 4 * SMALL_T };

/* Grids on CUDA, at most with a budget, and on software. */
enum { LEAST = 512, LARGEST = 4096, LARGEST_IN_BUDGET = 1024, SMALL = 256 };

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const int alphas[] = {2, 4, 6, 8, 10, 14, 20, -1}, small_alphas[] = {2, 6, 14, -1},
                 few[] = {6, 14, -1};

/* Contests whose rows are the one here and those that it builds on, back to the opponent. */
static const struct paper5_contest cuda[] = {
    {.variants = LIST("poisson5/cuda_async_tiles"),
     .opponents = LIST("poisson5/cuda_tuned_sync", "poisson5/cuda_naive"),
     .waits = "poisson5/cuda_tuned_sync_waits",
     .doubles = LIST("poisson5/cuda_temporal_double", "poisson5/cuda_naive_double",
                     "poisson5/openmp_blocked_double"),
     .alphas = alphas,
     .few = few,
     .steps = PAPER5_T,
     .many = QP_POISSON5_THESIS_STEPS,
     .runs = QP_EQUAL_RUNS},
    {0}};

/* Variants of one backend, without a device. */
#define SMALL_CONTEST(backend, opponent)                                                          \
    {                                                                                             \
        .variants = LIST("poisson5/" backend "_async3"), .opponents = LIST("poisson5/" opponent), \
        .doubles = LIST("poisson5/openmp_blocked_double"), .alphas = small_alphas, .few = few,    \
        .steps = SMALL_T, .many = SMALL_MANY, .runs = FEW_RUNS, .one_block = true                 \
    }
static const struct paper5_contest without[] = {
    SMALL_CONTEST("compute", "compute_tuned_sync"), SMALL_CONTEST("threads", "threads"), {0}};

/* The largest, and those below it; none above --size. */
static void choose_sizes(const struct paper_bench *bench, int largest, int least, int *sizes)
{
    for (int n = largest; n > least; n /= 2) {
        if (paper_side(bench, n) == n)
            *sizes++ = n;
    }
    *sizes++ = paper_side(bench, least);
    *sizes = -1;
}

/* Lists the variants after the opponent, each a change of the one before it, to this one; returns
 * their number, at most MOST_ASYNC_VARIANTS. */
static int list_rows(const char *last, const char *opponent, const char *rows[])
{
    const struct qp_variant *variant = qp_variant_find(last);
    if (variant == NULL || strcmp(last, opponent) == 0)
        return 0;
    const int before =
        qp_clamp(list_rows(variant->recipe->after, opponent, rows), 0, MOST_ASYNC_VARIANTS - 1);
    rows[before] = variant->name;
    return before + 1;
}

/* A contest whose variants are not in the table is left out. */
static enum qp_status hold(struct paper_bench *bench, const struct paper5_contest *listed,
                           const int *sizes, struct paper5_async *async)
{
    const struct options *options = bench->options;
    const char *rows[MOST_ASYNC_VARIANTS + 1] = {NULL};
    struct paper5_contest contest = *listed;
    contest.variants = rows;
    if (list_rows(listed->variants[0], contest.opponents[0], rows) == 0)
        return QP_OK;
    contest.sizes = sizes;
    if (options->budget > 0.0) {
        contest.alphas = few;
        contest.runs = FEW_RUNS;
    }
    if (options->repeats > 0)
        contest.runs = options->repeats;
    async->steps = contest.steps;
    async->many = contest.many;
    return paper5_async_contest(bench, &contest, async);
}

enum qp_status paper5_async_measure(struct paper_bench *bench,
                                    struct paper5_async async[PAPER5_CONTESTS])
{
    const bool device = qp_cuda_look(bench->cuda_ordinal) == QP_OK;
    const struct paper5_contest *contests = device ? cuda : without;
    int sizes[8];
    enum qp_status status = QP_OK;
    if (device)
        choose_sizes(bench, bench->options->budget > 0.0 ? LARGEST_IN_BUDGET : LARGEST, LEAST,
                     sizes);
    else
        choose_sizes(bench, SMALL, SMALL, sizes);
    for (int k = 0; contests[k].variants != NULL && status == QP_OK && !cmd_interrupted; k++)
        status = hold(bench, &contests[k], sizes, &async[k]);
    return status;
}
