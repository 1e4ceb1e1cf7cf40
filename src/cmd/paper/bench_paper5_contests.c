/* SPDX-License-Identifier: MIT */
/* Contests of figure 21: on CUDA as the thesis has it; without a device rows of compute shaders and of threads, each against
 * the synchronous row of its backend, on a grid and after a T that software comes to the end of. */
#include "base/status.h"
#include "cmd/paper/bench_paper5_async.h"
#include "cuda/device.h"
#include "ops/poisson5/accuracy.h"

enum { FEW_RUNS = 3, SMALL_SIZE = 256, SMALL_T = 128, SMALL_MANY = 4 * SMALL_T };

static const int alphas[] = {2, 4, 6, 8, 10, 14, 20, -1}, small_alphas[] = {2, 6, 14, -1},
                 few[] = {6, 14, -1};

enum { LEAST_SIZE = 512, LARGEST_SIZE = 4096, BUDGET_SIZE = 1024 };

/* Those of the figure's size, with a budget smaller, and the others below it; none above --size. */
static void choose_sizes(const struct paper_bench *bench, int *sizes)
{
    const int least = paper_side(bench, LEAST_SIZE);
    for (int n = bench->options->budget > 0.0 ? BUDGET_SIZE : LARGEST_SIZE; n > LEAST_SIZE;
         n /= 2) {
        if (paper_side(bench, n) == n)
            *sizes++ = n;
    }
    *sizes++ = least;
    *sizes = -1;
}

/* One whose rows are not in the table is left out. */
static enum qp_status hold(struct paper_bench *bench, const struct paper5_contest *contest,
                           struct paper5_async *async)
{
    if (qp_variant_find(contest->rows[0]) == NULL)
        return QP_OK;
    async->steps = contest->steps;
    async->many = contest->many;
    return paper5_async_contest(bench, contest, async);
}

static enum qp_status measure_cuda(struct paper_bench *bench, struct paper5_async *async)
{
    static const char *const rows[] = {"poisson5/cuda_async0",      "poisson5/cuda_async1",
                                       "poisson5/cuda_async2",      "poisson5/cuda_async3",
                                       "poisson5/cuda_async_tiles", NULL};
    static const char *const opponents[] = {"poisson5/cuda_tuned_sync", "poisson5/cuda_naive",
                                            NULL};
    static const char *const doubles[] = {"poisson5/cuda_temporal_double",
                                          "poisson5/cuda_naive_double",
                                          "poisson5/openmp_blocked_double", NULL};
    const bool short_of_time = bench->options->budget > 0.0;
    const int asked = bench->options->repeats;
    int sizes[8];
    const struct paper5_contest contest = {.rows = rows,
                                           .opponents = opponents,
                                           .waits = "poisson5/cuda_tuned_sync_waits",
                                           .doubles = doubles,
                                           .sizes = sizes,
                                           .alphas = short_of_time ? few : alphas,
                                           .few = few,
                                           .steps = PAPER5_T,
                                           .many = QP_POISSON5_THESIS_STEPS,
                                           .runs = asked > 0       ? asked
                                                   : short_of_time ? FEW_RUNS
                                                                   : QP_EQUAL_RUNS};
    choose_sizes(bench, sizes);
    return hold(bench, &contest, async);
}

static enum qp_status measure_without(struct paper_bench *bench,
                                      struct paper5_async async[PAPER5_CONTESTS])
{
    static const char *const rows[PAPER5_CONTESTS][5] = {
        {"poisson5/compute_async0", "poisson5/compute_async1", "poisson5/compute_async2",
         "poisson5/compute_async3", NULL},
        {"poisson5/threads_async0", "poisson5/threads_async1", "poisson5/threads_async2",
         "poisson5/threads_async3", NULL}};
    static const char *const opponents[PAPER5_CONTESTS][2] = {{"poisson5/compute_tuned_sync", NULL},
                                                              {"poisson5/threads", NULL}};
    static const char *const doubles[] = {"poisson5/openmp_blocked_double", NULL};
    const struct options *options = bench->options;
    const int sizes[] = {paper_side(bench, SMALL_SIZE), -1};
    enum qp_status status = QP_OK;
    for (int k = 0; k < PAPER5_CONTESTS && status == QP_OK && !cmd_interrupted; k++) {
        const struct paper5_contest contest = {.rows = rows[k],
                                               .opponents = opponents[k],
                                               .doubles = doubles,
                                               .sizes = sizes,
                                               .alphas = options->budget > 0.0 ? few : small_alphas,
                                               .few = few,
                                               .steps = SMALL_T,
                                               .many = SMALL_MANY,
                                               .runs = options->repeats > 0 ? options->repeats
                                                                            : FEW_RUNS,
                                               .one_block = true};
        status = hold(bench, &contest, &async[k]);
    }
    return status;
}

enum qp_status paper5_async_measure(struct paper_bench *bench,
                                    struct paper5_async async[PAPER5_CONTESTS])
{
    return qp_cuda_look(bench->cuda_ordinal) == QP_OK ? measure_cuda(bench, &async[0])
                                                      : measure_without(bench, async);
}
