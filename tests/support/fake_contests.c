/* SPDX-License-Identifier: MIT */
/* Answers a contest of asynchronous variants (tools/cmd/paper/bench_paper5_async.h), as
 * fake_runs.c does runs: two variants, one of which is never near enough, on one problem. Contests
 * of OpenGL's variants are refused where none of its devices is. */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/paper/bench_paper5_async.h"

static void print_list(const char *what, const int *numbers)
{
    printf("%s", what);
    for (; *numbers >= 0; numbers++)
        printf(" %d", *numbers);
}

static void print_contest(const struct paper5_contest *contest)
{
    printf("> a contest of");
    for (const char *const *row = contest->variants; *row != NULL; row++)
        printf(" %s", strchr(*row, '/') + 1);
    printf("\n> against");
    for (const char *const *row = contest->opponents; *row != NULL; row++)
        printf(" %s", strchr(*row, '/') + 1);
    print_list(", n =", contest->sizes);
    print_list(", alpha", contest->alphas);
    print_list("; few", contest->few);
    printf(", T = %d of %d, %d runs%s\n", contest->steps, contest->many, contest->runs,
           contest->one_block ? ", their own blocks" : "");
}

ANSWER(enum qp_status, paper5_async_contest, struct paper_bench *bench,
       const struct paper5_contest *contest, struct paper5_async *async)
{
    const struct qp_variant *slow = qp_variant_find(contest->variants[1]),
                            *fast = qp_variant_find(contest->variants[3]);
    (void)bench;
    print_contest(contest);
    if (fast->backend == QP_GL && !fake.opens) {
        snprintf(async->reason, sizeof async->reason, "no OpenGL here");
        return QP_OK;
    }
    *async = (struct paper5_async){
        .opponent = qp_variant_find(contest->opponents[0]),
        .steps = async->steps,
        .many = async->many,
        .scene = {{.name = "spike, first cell of its block",
                   .judge = "poisson5/sequential_double",
                   .n = contest->sizes[0],
                   .enough = {0.25, 0.5},
                   .seconds = 0.1,
                   .waits = fast->backend == QP_CUDA ? slow : NULL,
                   .waits_seconds = 0.15}},
        .scenes = 1,
        .point = {{slow, 0, 2, 8, {.alpha = 2, .seconds = NAN}},
                  {fast,
                   0,
                   6,
                   8,
                   {6, {140, 150}, {142, 152}, {150, 160}, 0.04, 0.03, 0.05, {0.2, 0.3}}}},
        .points = 2,
        .variant = {slow, fast},
        .components = {{32768, 100, 16}, {32768, 100, fast->backend == QP_GL ? 0 : 20}},
        .variants = 2};
    return QP_OK;
}
