/* SPDX-License-Identifier: MIT */
/* The asynchronous variant in registers: within its bounds at sizes of less than a tile and of
 * many, in all its tiles; every tile takes part, and its sweeps bring more than as many of Jacobi's
 * steps. */
#include "support/async.h"

#include <stdlib.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"

static const char row[] = "poisson5/cuda_async_tiles";

static struct qp_result walk(const char *name, struct qp_problem *problem, int launches, int alpha,
                             int block, bool unchecked)
{
    const struct qp_walk_desc desc = {.iterations = launches,
                                      .block = block,
                                      .unchecked = unchecked,
                                      .keep_solution = true,
                                      .parts = {.alpha = alpha > 0 ? alpha : -1}};
    struct qp_result result;
    assert_ok(qp_walk(NULL, qp_variant_find(name), problem, &desc, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s, %d x %d, %s, %d launches at alpha %d, tiles of %d rows: error %g, %s", name,
                 problem->width, problem->height, problem->kind, launches, alpha, block,
                 result.error, result.reason);
    return result;
}

static void need_cuda(void)
{
    if (!support_is_built(qp_variant_find(row))) {
        print_message("%s\n", qp_error());
        skip();
    }
    support_need_cuda(qp_cuda_look(-1));
}

CLEAN_TEST(answers_lie_within_bounds)
{
    static const struct qp_size sizes[] = {{1, 1},    {2, 1},    {3, 2},   {63, 15},
                                           {64, 16},  {65, 17},  {127, 1}, {1, 40},
                                           {128, 32}, {192, 96}, {201, 70}};
    static const int blocks[] = {0, 8, 16, 32};
    need_cuda();
    for (int i = 0; i < COUNT(sizes) * 2; i++) {
        struct qp_problem problem =
            async_problem(i % 2 ? "sine" : "spike", sizes[i / 2].width, sizes[i / 2].height);
        for (int k = 0; k < COUNT(blocks) * 2; k++) {
            problem.weight = k % 3 == 2 ? 0.7 : 1.0;
            problem.reference_iterations = -1;
            struct qp_result result =
                walk(row, &problem, 1 + (i + k) % 3, (i + k) % 5, blocks[k / 2], false);
            qp_matrix_destroy(&result.solution);
        }
        qp_problem_destroy(&problem);
    }
}

/* From 0, with f above 0, iterates of both grow towards the solution. */
CLEAN_TEST(sweeps_bring_more_than_steps)
{
    enum { ALPHA = 6, LAUNCHES = 20 };
    need_cuda();
    struct qp_problem problem =
        async_problem("sine", 2040, 1601); /* more tiles than a device holds */
    const size_t cells = qp_problem_cells(&problem);
    struct qp_result jacobi =
        walk("poisson5/cuda_naive", &problem, LAUNCHES * (ALPHA + 1), 0, 0, true);
    struct qp_result one = walk("poisson5/cuda_naive", &problem, 1, 0, 0, true);
    struct qp_result first = walk(row, &problem, 1, ALPHA, 0, true);
    struct qp_result result = walk(row, &problem, LAUNCHES, ALPHA, 0, true);
    double sum = 0.0, theirs = 0.0;
    for (size_t i = 0; i < cells; i++) {
        if (!(first.solution.values[i] > 1.05f * one.solution.values[i]))
            fail_msg("cell %zu has %g, and %g after one step", i, (double)first.solution.values[i],
                     (double)one.solution.values[i]);
        sum += (double)result.solution.values[i];
        theirs += (double)jacobi.solution.values[i];
    }
    print_message("%d launches of %d sweeps come %.3f times as far as %d steps\n", LAUNCHES,
                  ALPHA + 1, sum / theirs, LAUNCHES * (ALPHA + 1));
    assert_true(sum > 1.05 * theirs);
    qp_matrix_destroy(&result.solution);
    qp_matrix_destroy(&first.solution);
    qp_matrix_destroy(&one.solution);
    qp_matrix_destroy(&jacobi.solution);
    qp_problem_destroy(&problem);
}
