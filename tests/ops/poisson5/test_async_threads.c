/* SPDX-License-Identifier: MIT */
/* Asynchronous variants on threads (paper 5, chapter V): the one without a race has its model's
 * bits, the others lie within their bounds; the two hypotheses of section 5.1 hold, and where the
 * second is broken nothing converges. */
#include "support/async.h"
#include "support/threads.h"

#include "lab/ops/poisson5/async.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"

/* ---- Judged ---- */

/* All variants at all sizes, the one without a race on fields of both signs and with other weights,
 * too. */
THREADS_TEST(answers_are_the_models_or_within_bounds)
{
    static const int threads[] = {2, 4, 3, 16};
    for (int i = 0; i < ASYNC_SIZES * 3 * ROWS; i++) {
        const int s = i / ROWS / 3, k = i / ROWS % 3, row = i % ROWS;
        struct qp_problem problem =
            async_problem(async_kinds[k], async_sizes[s].width, async_sizes[s].height);
        for (int n = 0; n < 4 && (k < 2 || row == ASYNC2); n++) {
            omp_set_num_threads(threads[n]);
            problem.weight = n % 2 == 0 ? 1.0 : row == ASYNC2 ? 1.3 : 0.7;
            async_must_pass(NULL, async_rows[row], &problem, 1 + (s + n) % 3,
                            2 * ((s + n) % 4) + (row == ASYNC3), async_blocks[n]);
        }
        qp_problem_destroy(&problem);
    }
}

/* With alpha 0 a launch is Jacobi's step, and no cell has a choice. More launches than one call
 * takes. */
CLEAN_TEST(alpha_0_is_jacobi)
{
    async_alpha_0(NULL, async_rows, ROWS, "poisson5/sequential", 150);
}

CLEAN_TEST(alpha_is_6_unless_asked)
{
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(qp_recipe_alpha(qp_variant_find(async_rows[i])->recipe, 0), 6);
}

CLEAN_TEST(what_cannot_be_is_said)
{
    async_refusals(NULL, async_rows, 100000, "up to 65534, not 100000");
}

/* ---- Section 5.1 ---- */

/* m blocks of 64 x 8, p threads, each of which holds one. */
THREADS_TEST(components_are_counted)
{
    omp_set_num_threads(3);
    struct qp_problem problem = async_problem("spike", 1000, 101);
    for (int row = 0; row < ROWS; row++) {
        const struct qp_launch_blocks c =
            async_components(async_rows[row], &problem, row % 2 ? 32 : 0);
        assert_int_equal(c.m, row % 2 ? 16 * 4 : 16 * 13);
        assert_int_equal(c.p, 3);
        assert_int_equal(c.d, 1);
    }
    qp_problem_destroy(&problem);
}

/* Hypothesis 1: of two blocks that two threads compute at the same time, the first hears of the
 * spike in the second within a launch, unless the variant exchanges nothing; after two launches it
 * does in all variants. The second thread may wake up when the first one has done, so there are
 * many attempts. */
THREADS_TEST(newer_information_is_read)
{
    enum { WIDTH = 128, HEIGHT = 8, LONG = 20000, ATTEMPTS = 50 };
    const size_t beside = HEIGHT / 2 * WIDTH + 63; /* first cell of its row beside the spike */
    omp_set_num_threads(2);
    struct qp_problem problem = async_problem("spike", WIDTH, HEIGHT);
    for (int row = 0; row < ROWS; row++) {
        const int attempts = row == ASYNC2 ? 3 : ATTEMPTS;
        bool heard = false;
        for (int k = 0; k < attempts && !heard; k++) {
            struct qp_result one = async_run(NULL, async_rows[row], &problem, 1, LONG);
            heard = one.solution.values[beside] > 0.0f;
            qp_matrix_destroy(&one.solution);
        }
        assert_int_equal(heard, row != ASYNC2);
        struct qp_result two = async_run(NULL, async_rows[row], &problem, 2, 10);
        assert_true(two.solution.values[beside] > 0.0f);
        qp_matrix_destroy(&two.solution);
    }
    qp_problem_destroy(&problem);
}

/* Hypothesis 2: with more blocks than threads every cell has taken more than one step after one
 * launch. */
CLEAN_TEST(every_component_is_updated)
{
    struct qp_problem problem = async_problem("sine", 640, 256);
    struct qp_result jacobi = async_run(NULL, "poisson5/sequential", &problem, 1, 0);
    for (int row = 0; row < ROWS; row++)
        async_all_cells_move(async_rows[row], &problem, &jacobi);
    qp_matrix_destroy(&jacobi.solution);
    qp_problem_destroy(&problem);
}

/* All barriers in one launch, of which section 5.3 warns: one thread is done with the first block
 * before the second has its turn, and what it saw there was the start. More steps do not help; as
 * many in launches do. */
THREADS_TEST(blocks_that_starve_do_not_converge)
{
    enum { LONG = 2000 };
    omp_set_num_threads(1);
    struct qp_problem problem = async_problem("sine", 2 * QP_ASYNC_ACROSS, 16);
    struct qp_result wanted = async_run(NULL, "poisson5/sequential_double", &problem, 2 * LONG, 0);
    for (int row = 0; row < ROWS; row++) {
        struct qp_result starved = async_run(NULL, async_rows[row], &problem, 1, LONG),
                         longer = async_run(NULL, async_rows[row], &problem, 1, 4 * LONG),
                         launched = async_run(NULL, async_rows[row], &problem, 4 * LONG / 7, 6);
        assert_true(async_distance(&launched, &wanted) < 1e-4);
        assert_true(async_distance(&starved, &wanted) > 0.1 &&
                    async_distance(&longer, &wanted) > 0.1);
        qp_matrix_destroy(&launched.solution);
        qp_matrix_destroy(&longer.solution);
        qp_matrix_destroy(&starved.solution);
    }
    qp_matrix_destroy(&wanted.solution);
    qp_problem_destroy(&problem);
}
