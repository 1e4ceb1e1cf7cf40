/* SPDX-License-Identifier: MIT */
/* Asynchronous variants in compute shaders (paper 5, chapter V): the one without a race has its
 * model's bits, the others lie within their bounds; and what a block writes, blocks after it
 * read. */
#include "support/async.h"

#include "lab/plan/problem.h"

static const char *const rows[] = {"poisson5/compute_async0", "poisson5/compute_async1",
                                   "poisson5/compute_async2", "poisson5/compute_async3"};
enum { LONGEST = 1022 };

static struct qp_context *need_compute(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
    return context;
}

/* ---- Judged ---- */

/* Sizes of less than a block, one, one cell more, and of several. */
static const struct qp_size sizes[] = {{1, 1},  {2, 1},  {63, 7},  {64, 8},
                                       {65, 9}, {1, 40}, {64, 33}, {200, 70}};

/* Rows of a block. Shaders for high ones take long to be compiled, so each variant has one other
 * than the usual, on one kind; with LONG=1 it has all. */
static int block_of(int row, int size, int kind)
{
    enum { USUAL = 8, SINE = 1 };
    static const int all[] = {USUAL, 4, 16, 32}, one[ROWS] = {16, 32, 4, 4};
    if (size % ROWS != row)
        return USUAL;
    return support_takes_long() ? all[(size + kind + row) % 4] : kind == SINE ? one[row] : USUAL;
}

static void must_pass(struct qp_context *context, int row, struct qp_problem *problem, int launches,
                      int alpha, int block)
{
    const struct qp_result result =
        async_must_pass(context, rows[row], problem, launches, alpha, block);
    assert_int_equal(result.group_x, 64);
    assert_int_equal(result.group_y, 1);
}

/* All variants at all sizes, the one without a race on fields of both signs and with other weights,
 * too. */
CLEAN_TEST(answers_are_the_models_or_within_bounds)
{
    static const char *const kinds[] = {"spike", "sine", "field"};
    struct qp_context *context = need_compute(state);
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int k = 0; k < 3; k++) {
            struct qp_problem problem = async_problem(kinds[k], sizes[s].width, sizes[s].height);
            for (int row = 0; row < ROWS; row++) {
                const int i = (s + k + row) % 4;
                if (k == 2 && row != ASYNC2)
                    continue;
                problem.weight = i % 2 == 0 ? 1.0 : row == ASYNC2 ? 1.3 : 0.7;
                must_pass(context, row, &problem, 1 + (s + i) % 3, 2 * ((s + i) % 4),
                          block_of(row, s, k));
            }
            problem.weight = 1.0;
            if (k < 2)
                must_pass(context, ASYNC3, &problem, 2, 5, 8);
            qp_problem_destroy(&problem);
        }
    }
}

/* Launches with as many rounds as a software rasteriser's loops allow, in the highest blocks. */
CLEAN_TEST(the_longest_launch_is_whole)
{
    struct qp_context *context = need_compute(state);
    struct qp_problem problem = async_problem("field", 65, 33);
    must_pass(context, ASYNC2, &problem, 1, LONGEST, 32);
    qp_problem_destroy(&problem);
}

/* With alpha 0 a launch is Jacobi's step, and no cell has a choice; and so is the synchronous
 * variant's. */
CLEAN_TEST(alpha_0_is_jacobi)
{
    static const char *const all[] = {"poisson5/compute_async0", "poisson5/compute_async1",
                                      "poisson5/compute_async2", "poisson5/compute_async3",
                                      "poisson5/compute_tuned_sync"};
    async_alpha_0(need_compute(state), all, COUNT(all), "poisson5/rgba", 5);
}

/* ---- Refused ---- */

CLEAN_TEST(what_cannot_be_is_said)
{
    struct qp_context *context = need_compute(state);
    struct qp_problem spike = async_problem("spike", 64, 64);
    struct qp_walk_desc group = async_steps(1, 2, 0);
    group.group_x = group.group_y = 8;
    async_refusals(context, rows, LONGEST + 2, "up to 1022, not 1024");
    for (int row = 0; row < ROWS; row++)
        async_must_skip(context, rows[row], &spike, &group, "groups of 64 x 1");
    qp_problem_destroy(&spike);
}

/* ---- Section 5.1, hypothesis 1 ---- */

/* Sees if one long launch brings news of the spike to the blocks beside and above. On a late core
 * they may be done before the first block has stored anything, so there are some attempts. */
static void hear(struct qp_context *context, int row, struct qp_problem *problem,
                 const size_t cells[2], bool heard[2])
{
    const int attempts = row == ASYNC2 ? 2 : 30; /* which never brings any */
    heard[0] = heard[1] = false;
    for (int k = 0; k < attempts && !(heard[0] && heard[1]); k++) {
        struct qp_result one = async_run(context, rows[row], problem, 1, LONGEST);
        for (int i = 0; i < 2; i++)
            heard[i] |= one.solution.values[cells[i]] > 0.0f;
        qp_matrix_destroy(&one.solution);
    }
}

/* The spike is the last cell of the first block: in one long launch it is heard of in the next
 * ones, unless the variant exchanges nothing; after two it is in all variants. */
CLEAN_TEST(newer_information_is_read)
{
    enum { WIDTH = 128, HEIGHT = 16 };
    static const size_t cells[2] = {7 * WIDTH + 64, 8 * WIDTH + 63}; /* beside and above */
    struct qp_context *context = need_compute(state);
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = "spike",
                                         .width = WIDTH,
                                         .height = HEIGHT,
                                         .mark_x = -1,
                                         .mark_y = -1};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    for (int row = 0; row < ROWS; row++) {
        bool heard[2];
        hear(context, row, &problem, cells, heard);
        struct qp_result two = async_run(context, rows[row], &problem, 2, LONGEST);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(heard[i], row != ASYNC2);
            assert_true(two.solution.values[cells[i]] > 0.0f);
        }
        qp_matrix_destroy(&two.solution);
    }
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
