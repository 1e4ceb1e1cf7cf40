/* SPDX-License-Identifier: MIT */
/* Asynchronous rows on threads (paper 5, chapter V): the one without a race has its model's bits,
 * the others lie within their bounds; the two hypotheses of section 5.1 hold, and where the second
 * is broken nothing converges. */
#include "support/support.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "ops/poisson5/async.h"
#include "plan/plan.h"
#include "plan/problem.h"

static const char *const rows[] = {"poisson5/threads_async0", "poisson5/threads_async1",
                                   "poisson5/threads_async2", "poisson5/threads_async3"};
enum { ASYNC0, ASYNC1, ASYNC2, ASYNC3, ROWS };

static struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = kind, .width = width, .height = height, .seed = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_walk_desc steps(int launches, int alpha, int block)
{
    return (struct qp_walk_desc){.iterations = launches,
                                 .block = block,
                                 .keep_solution = true,
                                 .parts = {.alpha = alpha > 0 ? alpha : -1}};
}

static struct qp_result walk(const char *row, struct qp_problem *problem,
                             const struct qp_walk_desc *desc)
{
    struct qp_result result;
    assert_ok(qp_walk(NULL, qp_variant_find(row), problem, desc, &result));
    return result;
}

/* A walk that nobody judges but the test. */
static struct qp_result run(const char *row, struct qp_problem *problem, int launches, int alpha)
{
    struct qp_walk_desc desc = steps(launches, alpha, 0);
    desc.unchecked = true;
    const struct qp_result result = walk(row, problem, &desc);
    if (result.verdict != QP_PASS)
        fail_msg("%s: %s", row, result.reason);
    return result;
}

/* Sizes of less than a block, one, one cell more, and of several. */
static const struct qp_size sizes[] = {{1, 1},   {2, 1},  {3, 2},   {63, 7},   {64, 8},  {65, 9},
                                       {127, 1}, {1, 40}, {64, 33}, {200, 70}, {330, 17}};
static const int blocks[] = {8, 4, 16, 32};
static const char *const kinds[] = {"spike", "sine", "field"};

/* ---- Judged ---- */

static void must_pass(int row, struct qp_problem *problem, int launches, int alpha, int block)
{
    const struct qp_walk_desc desc = steps(launches, alpha, block);
    struct qp_result result = walk(rows[row], problem, &desc);
    if (result.verdict != QP_PASS || (row == ASYNC2 && result.error != 0.0))
        fail_msg("%s, %d x %d, %s, %d launches at alpha %d, blocks of %d: error %g, %s", rows[row],
                 problem->width, problem->height, problem->kind, launches, alpha, block,
                 result.error, result.reason);
    assert_int_equal(result.parts.alpha, alpha);
    qp_matrix_destroy(&result.solution);
}

/* All rows at all sizes, the one without a race on fields of both signs and with other weights,
 * too. */
static void answers_are_the_models_or_within_bounds(void **state)
{
    static const int threads[] = {2, 4, 3, 16};
    const int before = omp_get_max_threads();
    (void)state;
    for (int i = 0; i < COUNT(sizes) * 3 * ROWS; i++) {
        const int s = i / ROWS / 3, k = i / ROWS % 3, row = i % ROWS;
        struct qp_problem problem = make(kinds[k], sizes[s].width, sizes[s].height);
        for (int n = 0; n < 4 && (k < 2 || row == ASYNC2); n++) {
            omp_set_num_threads(threads[n]);
            problem.weight = n % 2 == 0 ? 1.0 : row == ASYNC2 ? 1.3 : 0.7;
            problem.reference_iterations = -1;
            must_pass(row, &problem, 1 + (s + n) % 3, 2 * ((s + n) % 4) + (row == ASYNC3),
                      blocks[n]);
        }
        qp_problem_destroy(&problem);
    }
    omp_set_num_threads(before);
}

/* With alpha 0 a launch is Jacobi's step, and no cell has a choice. More launches than one call
 * takes. */
static void alpha_0_is_jacobi(void **state)
{
    (void)state;
    struct qp_problem problem = make("field", 300, 100);
    struct qp_result jacobi = run("poisson5/sequential", &problem, 150, 0);
    const size_t bytes = qp_problem_cells(&problem) * sizeof(float);
    for (int row = 0; row < ROWS; row++) {
        struct qp_result result = run(rows[row], &problem, 150, 0);
        assert_memory_equal(result.solution.values, jacobi.solution.values, bytes);
        qp_matrix_destroy(&result.solution);
    }
    qp_matrix_destroy(&jacobi.solution);
    qp_problem_destroy(&problem);
}

static void must_skip(const char *row, struct qp_problem *problem, const struct qp_walk_desc *desc,
                      const char *words)
{
    const struct qp_result result = walk(row, problem, desc);
    assert_int_equal(result.verdict, QP_SKIP);
    if (strstr(result.reason, words) == NULL)
        fail_msg("%s: '%s' does not say '%s'", row, result.reason, words);
}

static bool never(void *user, int step, double residual)
{
    (void)user, (void)step, (void)residual;
    return false;
}

static void what_cannot_be_is_said(void **state)
{
    (void)state;
    struct qp_problem spike = make("spike", 64, 64), field = make("field", 64, 64);
    const struct qp_walk_desc odd = steps(1, 3, 0), many = steps(1, 100000, 0),
                              plain = steps(1, 2, 0), block = steps(1, 2, 12);
    struct qp_walk_desc looks = steps(4, 2, 0);
    looks.every = 1;
    looks.on_residual = never;
    looks.unchecked = true;
    for (int row = 0; row < ROWS; row++) {
        if (row != ASYNC3)
            must_skip(rows[row], &spike, &odd, "even async factors");
        if (row != ASYNC2)
            must_skip(rows[row], &field, &plain, "no judge");
        must_skip(rows[row], &spike, &many, "up to 65534, not 100000");
        must_skip(rows[row], &spike, &looks, "no change");
        must_skip(rows[row], &spike, &block, "12 rows");
    }
    qp_problem_destroy(&field);
    qp_problem_destroy(&spike);
}

/* ---- Section 5.1 ---- */

static void keep_components(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    if (room == QP_ROOM_PROGRAM)
        *(struct qp_launch_blocks *)user = qp_plan_blocks(plan);
}

/* m blocks of 64 x 8, p threads, each of which holds one. */
static void components_are_counted(void **state)
{
    const int before = omp_get_max_threads();
    (void)state;
    omp_set_num_threads(3);
    struct qp_problem problem = make("spike", 1000, 101);
    for (int row = 0; row < ROWS; row++) {
        struct qp_launch_blocks c = {0};
        struct qp_walk_desc desc = steps(1, 2, row % 2 ? 32 : 0);
        desc.unchecked = true;
        desc.on_room = keep_components;
        desc.user = &c;
        struct qp_result result = walk(rows[row], &problem, &desc);
        assert_int_equal(c.m, row % 2 ? 16 * 4 : 16 * 13);
        assert_int_equal(c.p, 3);
        assert_int_equal(c.d, 1);
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
    omp_set_num_threads(before);
}

/* Hypothesis 1: of two blocks that two threads compute at the same time, the first hears of the
 * spike in the second within a launch, unless the row exchanges nothing; after two launches it does
 * in all rows. The second thread may wake up when the first one has done, so there are many
 * attempts. */
static void newer_information_is_read(void **state)
{
    enum { WIDTH = 128, HEIGHT = 8, LONG = 20000, ATTEMPTS = 50 };
    const size_t beside = HEIGHT / 2 * WIDTH + 63; /* of the spike, first cell of its row there */
    const int before = omp_get_max_threads();
    (void)state;
    omp_set_num_threads(2);
    struct qp_problem problem = make("spike", WIDTH, HEIGHT);
    for (int row = 0; row < ROWS; row++) {
        const int attempts = row == ASYNC2 ? 3 : ATTEMPTS;
        bool heard = false;
        for (int k = 0; k < attempts && !heard; k++) {
            struct qp_result one = run(rows[row], &problem, 1, LONG);
            heard = one.solution.values[beside] > 0.0f;
            qp_matrix_destroy(&one.solution);
        }
        assert_int_equal(heard, row != ASYNC2);
        struct qp_result two = run(rows[row], &problem, 2, 10);
        assert_true(two.solution.values[beside] > 0.0f);
        qp_matrix_destroy(&two.solution);
    }
    qp_problem_destroy(&problem);
    omp_set_num_threads(before);
}

/* Hypothesis 2: with more blocks than threads every cell has taken more than one step after one
 * launch. */
static void every_component_is_updated(void **state)
{
    (void)state;
    struct qp_problem problem = make("sine", 640, 256);
    struct qp_result jacobi = run("poisson5/sequential", &problem, 1, 0);
    const size_t cells = qp_problem_cells(&problem);
    for (int row = 0; row < ROWS; row++) {
        struct qp_result result = run(rows[row], &problem, 1, 2);
        for (size_t i = 0; i < cells; i++) {
            if (!(result.solution.values[i] > 1.05f * jacobi.solution.values[i]))
                fail_msg("%s: cell %zu has %g, and %g after one step", rows[row], i,
                         (double)result.solution.values[i], (double)jacobi.solution.values[i]);
        }
        qp_matrix_destroy(&result.solution);
    }
    qp_matrix_destroy(&jacobi.solution);
    qp_problem_destroy(&problem);
}

/* Largest distance from the answer after many steps, relative to its largest value. */
static double distance(const struct qp_result *result, const struct qp_result *wanted)
{
    double off = 0.0, largest = 0.0;
    for (size_t i = 0; i < (size_t)(result->solution.width * result->solution.height); i++) {
        const double w = qp_matrix_value(&wanted->solution, i);
        off = fmax(off, fabs(qp_matrix_value(&result->solution, i) - w));
        largest = fmax(largest, fabs(w));
    }
    return off / largest;
}

/* All barriers in one launch, of which section 5.3 warns: one thread is done with the first block
 * before the second has its turn, and what it saw there was the start. More steps do not help; as
 * many in launches do. */
static void blocks_that_starve_do_not_converge(void **state)
{
    enum { LONG = 2000 };
    const int before = omp_get_max_threads();
    (void)state;
    omp_set_num_threads(1);
    struct qp_problem problem = make("sine", 2 * QP_ASYNC_ACROSS, 16);
    struct qp_result wanted = run("poisson5/sequential_double", &problem, 2 * LONG, 0);
    for (int row = 0; row < ROWS; row++) {
        struct qp_result starved = run(rows[row], &problem, 1, LONG),
                         longer = run(rows[row], &problem, 1, 4 * LONG),
                         launched = run(rows[row], &problem, 4 * LONG / 7, 6);
        assert_true(distance(&launched, &wanted) < 1e-4);
        assert_true(distance(&starved, &wanted) > 0.1 && distance(&longer, &wanted) > 0.1);
        qp_matrix_destroy(&launched.solution);
        qp_matrix_destroy(&longer.solution);
        qp_matrix_destroy(&starved.solution);
    }
    qp_matrix_destroy(&wanted.solution);
    qp_problem_destroy(&problem);
    omp_set_num_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(answers_are_the_models_or_within_bounds),
                                       clean_test(alpha_0_is_jacobi),
                                       clean_test(what_cannot_be_is_said),
                                       clean_test(components_are_counted),
                                       clean_test(newer_information_is_read),
                                       clean_test(every_component_is_updated),
                                       clean_test(blocks_that_starve_do_not_converge)};
    return cmocka_run_group_tests_name("poisson5/threads_async", tests, NULL, NULL);
}
