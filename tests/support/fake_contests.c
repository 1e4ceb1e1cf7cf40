/* SPDX-License-Identifier: MIT */
/* Answers a contest of asynchronous rows (cmd/paper/bench_paper5_async.h), as fake_runs.c does runs: two rows, one of which is
 * never near enough, on one problem. */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "cmd/paper/bench_paper5_async.h"

ANSWER(enum qp_status, paper5_async_measure, struct paper_bench *bench, struct paper5_async *async)
{
    const struct qp_variant *slow = qp_variant_find("poisson5/cuda_async1"),
                            *fast = qp_variant_find("poisson5/cuda_async3");
    (void)bench;
    printf("> a contest of asynchronous rows\n");
    *async = (struct paper5_async){
        .opponent = qp_variant_find("poisson5/cuda_naive"),
        .steps = 1000,
        .many = 4096,
        .scene = {{"spike, first cell of its block",
                   "poisson5/sequential_double",
                   4096,
                   {0.25, 0.5},
                   0.1}},
        .scenes = 1,
        .point = {{slow, 0, 2, 8, {.alpha = 2, .seconds = NAN}},
                  {fast,
                   0,
                   6,
                   8,
                   {6, {140, 150}, {142, 152}, {150, 160}, 0.04, 0.03, 0.05, {0.2, 0.3}}}},
        .points = 2,
        .row = {slow, fast},
        .components = {{32768, 100, 16}, {32768, 100, 20}},
        .rows = 2};
    return QP_OK;
}
