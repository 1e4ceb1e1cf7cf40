/* SPDX-License-Identifier: MIT */
/* Asynchronous variants on CUDA (paper 5, chapter V): the one without a race has its model's bits,
 * the others lie within their bounds; the two hypotheses of section 5.1 hold, and where the second
 * is broken nothing converges. */
#include "support/async.h"

#include <math.h>
#include <stdlib.h>

#include "lab/ops/poisson5/async.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"

static const char *const rows[] = {"poisson5/cuda_async0", "poisson5/cuda_async1",
                                   "poisson5/cuda_async2", "poisson5/cuda_async3"};

static void need_cuda(void)
{
    if (!support_is_built(qp_variant_find(rows[0]))) {
        print_message("%s\n", qp_error());
        skip();
    }
    support_need_cuda(qp_cuda_look(-1));
}

/* ---- Without a device ---- */

CLEAN_TEST(rows_without_a_device_say_why)
{
    if (qp_cuda_look(-1) == QP_OK)
        skip();
    const struct qp_walk_desc desc = async_steps(1, 2, 0);
    struct qp_problem problem = async_problem("spike", 9, 4);
    for (int r = 0; r < ROWS; r++) {
        const struct qp_result result = async_walk(NULL, rows[r], &problem, &desc);
        assert_int_equal(result.verdict, QP_SKIP);
        assert_int_equal(qp_cuda_look(-1), QP_UNSUPPORTED);
        assert_string_equal(result.reason, qp_error());
    }
    qp_problem_destroy(&problem);
}

/* ---- With one: judged ---- */

/* Sizes of less than a block, one, one cell more, and of several. */
static const struct qp_size sizes[] = {{1, 1},   {2, 1},  {3, 2},   {63, 7},   {64, 8},   {65, 9},
                                       {127, 1}, {1, 40}, {64, 33}, {200, 70}, {1000, 17}};
static const int blocks[] = {8, 4, 16, 32};

/* All variants at all sizes, the one without a race on fields of both signs and with other weights,
 * too. */
CLEAN_TEST(answers_are_the_models_or_within_bounds)
{
    static const char *const kinds[] = {"spike", "sine", "field"};
    need_cuda();
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int k = 0; k < 3; k++) {
            struct qp_problem problem = async_problem(kinds[k], sizes[s].width, sizes[s].height);
            for (int row = 0; row < ROWS; row++) {
                for (int i = 0; i < 4 && (k < 2 || row == ASYNC2); i++) {
                    problem.weight = i % 2 == 0 ? 1.0 : row == ASYNC2 ? 1.3 : 0.7;
                    async_must_pass(NULL, rows[row], &problem, 1 + (s + i) % 3, 2 * ((s + i) % 4),
                                    blocks[i]);
                }
            }
            problem.weight = 1.0;
            if (k < 2)
                async_must_pass(NULL, rows[ASYNC3], &problem, 2, 5, 8);
            qp_problem_destroy(&problem);
        }
    }
}

/* With alpha 0 a launch is Jacobi's step, and no cell has a choice. */
CLEAN_TEST(alpha_0_is_jacobi)
{
    need_cuda();
    async_alpha_0(NULL, rows, ROWS, "poisson5/cuda_naive", 5);
}

CLEAN_TEST(what_cannot_be_is_said)
{
    need_cuda();
    async_refusals(NULL, rows, 100000, "up to 65534, not 100000");
}

/* ---- Section 5.1 ---- */

/* m blocks of 64 x 8; p multiprocessors, and d that its 2048 threads and its shared memory hold. */
CLEAN_TEST(components_are_counted)
{
    struct qp_cuda *cuda;
    need_cuda();
    assert_ok(qp_cuda_open(-1, &cuda));
    struct qp_problem problem = async_problem("spike", 1000, 1001);
    for (int row = 0; row < ROWS; row++) {
        const struct qp_launch_blocks usual = async_components(rows[row], &problem, 0),
                                      high = async_components(rows[row], &problem, 32);
        print_message("%s: m = %d, p = %d, d = %d\n", rows[row], usual.m, usual.p, usual.d);
        assert_int_equal(usual.m, 16 * 126);
        assert_int_equal(high.m, 16 * 32);
        assert_int_equal(usual.p, cuda->multiprocessors);
        assert_true(usual.d >= 4 && usual.d <= cuda->threads / QP_ASYNC_ACROSS);
        assert_true(high.d >= 1 && high.d < usual.d);
    }
    qp_problem_destroy(&problem);
    qp_cuda_close(&cuda);
}

/* Hypothesis 1, as the computation proceeds newer information is read: all blocks are there at
 * once, and in one launch the spike is heard of in the next block, unless the variant exchanges
 * nothing; after two it is in all variants. */
CLEAN_TEST(newer_information_is_read)
{
    enum { WIDTH = 128, HEIGHT = 16, LONG = 8000 };
    need_cuda();
    struct qp_problem problem =
        async_problem("spike", WIDTH, HEIGHT); /* at (64, 8), first cell of a block */
    const size_t beside = 8 * WIDTH + 63, below = 7 * WIDTH + 64;
    for (int row = 0; row < ROWS; row++) {
        struct qp_result one = async_run(NULL, rows[row], &problem, 1, LONG),
                         two = async_run(NULL, rows[row], &problem, 2, LONG);
        const bool exchanges = row != ASYNC2;
        assert_int_equal(one.solution.values[beside] > 0.0f, exchanges);
        assert_int_equal(one.solution.values[below] > 0.0f, exchanges);
        assert_true(two.solution.values[beside] > 0.0f && two.solution.values[below] > 0.0f);
        qp_matrix_destroy(&one.solution);
        qp_matrix_destroy(&two.solution);
    }
    qp_problem_destroy(&problem);
}

/* Hypothesis 2, no component fails to be updated: with many more blocks than the device holds,
 * every cell has taken more than one step after one launch. */
CLEAN_TEST(every_component_is_updated)
{
    need_cuda();
    struct qp_problem problem = async_problem("sine", 2560, 1024);
    struct qp_result jacobi = async_run(NULL, "poisson5/cuda_naive", &problem, 1, 0);
    for (int row = 0; row < ROWS; row++) {
        const struct qp_launch_blocks c = async_components(rows[row], &problem, 0);
        assert_true(c.m > c.p * c.d);
        async_all_cells_move(rows[row], &problem, &jacobi);
    }
    qp_matrix_destroy(&jacobi.solution);
    qp_problem_destroy(&problem);
}

/* All barriers in one kernel, the variant that section 5.3 warns of: two rows of blocks, each twice
 * as many as the device holds, so that those of the lower row are done before the blocks above them
 * have their turn, and keep what they saw there, the start. More steps do not help; as many in
 * launches do. */
CLEAN_TEST(blocks_that_starve_do_not_converge)
{
    enum { LONG = 2000, UP = 8 };
    need_cuda();
    struct qp_problem small = async_problem("sine", QP_ASYNC_ACROSS, UP);
    const struct qp_launch_blocks c = async_components(rows[ASYNC0], &small, UP);
    qp_problem_destroy(&small);
    struct qp_problem problem = async_problem("sine", 2 * c.p * c.d * QP_ASYNC_ACROSS, 2 * UP);
    struct qp_result wanted = async_run(NULL, "poisson5/cuda_naive_double", &problem, 2 * LONG, 0);
    struct qp_result starved = async_run(NULL, rows[ASYNC0], &problem, 1, LONG),
                     longer = async_run(NULL, rows[ASYNC0], &problem, 1, 4 * LONG),
                     launched = async_run(NULL, rows[ASYNC0], &problem, 4 * LONG / 7, 6);
    const double off = async_distance(&starved, &wanted), still = async_distance(&longer, &wanted);
    const double right = async_distance(&launched, &wanted);
    print_message("%d steps in one launch are %.2g off, %d steps %.2g; %d launches of 7 %.2g\n",
                  LONG + 1, off, 4 * LONG + 1, still, 4 * LONG / 7, right);
    assert_true(right < 1e-4);
    assert_true(off > 0.3 && still > 0.3);
    qp_matrix_destroy(&launched.solution);
    qp_matrix_destroy(&longer.solution);
    qp_matrix_destroy(&starved.solution);
    qp_matrix_destroy(&wanted.solution);
    qp_problem_destroy(&problem);
}

/* ---- Distances on the device ---- */

struct told {
    double largest, norm;
    int calls;
};

static bool note(void *user, int step, double largest, double norm)
{
    struct told *told = user;
    *told = (struct told){largest, norm, told->calls + 1};
    return step < 6;
}

/* Distances are those that the host computes, in float and in double, also of a run that ends on
 * request. */
CLEAN_TEST(distances_are_the_hosts)
{
    static const char *const names[] = {"poisson5/cuda_naive", "poisson5/cuda_naive_double",
                                        "poisson5/cuda_async2"};
    need_cuda();
    struct qp_problem problem = async_problem("field", 301, 77);
    const size_t cells = qp_problem_cells(&problem);
    double *wanted = calloc(cells, sizeof *wanted);
    assert_non_null(wanted);
    for (size_t i = 0; i < cells; i++)
        wanted[i] = 1e-3 * (double)(i % 1001);
    for (int r = 0; r < COUNT(names); r++) {
        struct told told = {0};
        struct qp_walk_desc desc = async_steps(20, 2, 0);
        double largest = 0.0, squares = 0.0;
        desc.unchecked = true;
        desc.every = 2;
        desc.on_distance = note;
        desc.wanted = wanted;
        desc.user = &told;
        struct qp_result result = async_walk(NULL, names[r], &problem, &desc);
        assert_int_equal(result.iterations, 6);
        assert_int_equal(told.calls, 3);
        for (size_t i = 0; i < cells; i++) {
            const double off = fabs(qp_matrix_value(&result.solution, i) - wanted[i]);
            largest = fmax(largest, off);
            squares += off * off;
        }
        assert_true(told.largest == largest);
        assert_true(fabs(told.norm - sqrt(squares)) <= 1e-12 * told.norm);
        qp_matrix_destroy(&result.solution);
    }
    free(wanted);
    qp_problem_destroy(&problem);
}
