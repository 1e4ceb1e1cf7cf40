/* SPDX-License-Identifier: MIT */
/* Eight threads, each with a context of its own, walk and solve at the same time; what each gets is
 * bit for bit what one thread alone gets. */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, TURNS = 2, WIDTH = 19, HEIGHT = 17, CELLS = WIDTH * HEIGHT, ROWS = 16 };

static const char *const names[] = {"jacobi9/luminance",    "jacobi9/vertex", "jacobi9/rgba",
                                    "jacobi9/rgba_abreast", "jacobi9/openmp", "reduce/tree",
                                    "reduce/openmp"};
enum { NAMES = sizeof names / sizeof names[0] };

/* Work of one thread. */
struct worker {
    pthread_t thread;
    int first;                   /* variant to begin with */
    pthread_barrier_t *together; /* NULL: alone */
    enum qp_status status;
    char sentence[512];
    float cells[NAMES][CELLS];
    double x[ROWS];
    int steps;
};

/* Asserts nothing: cmocka lives in one thread. */
static enum qp_status walk(struct qp_context *context, const char *name, float cells[CELLS])
{
    struct qp_problem_desc wanted = {.op = qp_variant_find(name)->op,
                                     .width = WIDTH,
                                     .height = HEIGHT,
                                     .seed = 11,
                                     .weight = 0.8};
    struct qp_walk_desc desc = {.iterations = 12, .keep_solution = true};
    struct qp_problem problem;
    struct qp_result result = {.verdict = QP_PASS};
    enum qp_status status = qp_problem_create(&wanted, &problem);
    if (status == QP_OK)
        status = qp_walk(context, qp_variant_find(name), &problem, &desc, &result);
    if (status == QP_OK && result.verdict != QP_PASS)
        status = QP_DEVICE;
    if (status == QP_OK)
        memcpy(cells, result.solution.values,
               (size_t)(result.solution.width * result.solution.height) * sizeof *cells);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    return status;
}

static enum qp_status solve(struct qp_context *context, struct worker *worker)
{
    struct qp_solve_desc desc = {.variant = qp_variant_find(names[0]), .refine = true};
    struct qp_market a;
    struct qp_solution solution = {0};
    enum qp_status status = qp_market_read(QP_SOURCE_DIR "/tests/support/faults.mtx", &a);
    if (status == QP_OK)
        status = qp_solve(context, &a, NULL, NULL, &desc, &solution);
    if (status == QP_OK)
        memcpy(worker->x, solution.x, sizeof worker->x);
    worker->steps = solution.steps;
    qp_solution_destroy(&solution);
    qp_market_destroy(&a);
    return status;
}

/* The variants in an order of the worker's own, so that different ones meet. */
static void *work(void *pointer)
{
    struct worker *worker = pointer;
    struct qp_context *context = NULL;
    worker->status = qp_context_create(NULL, &context);
    if (worker->together != NULL)
        pthread_barrier_wait(worker->together);
    for (int i = 0; i < TURNS * NAMES && worker->status == QP_OK; i++) {
        int row = (worker->first + i) % NAMES;
        worker->status = walk(context, names[row], worker->cells[row]);
    }
    if (worker->status == QP_OK)
        worker->status = solve(context, worker);
    snprintf(worker->sentence, sizeof worker->sentence, "%s", qp_error());
    qp_context_destroy(&context);
    return NULL;
}

TEST(eight_threads_get_what_one_gets)
{
    static struct worker alone, workers[THREADS];
    pthread_barrier_t together;
    support_need_context(state);
    work(&alone);
    assert_int_equal(alone.status, QP_OK);
    assert_true(alone.steps > 0);
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        workers[i].together = &together;
        workers[i].first = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    pthread_barrier_destroy(&together);
    for (int i = 0; i < THREADS; i++) {
        if (workers[i].status != QP_OK)
            fail_msg("thread %d: %s", i, workers[i].sentence);
        assert_memory_equal(workers[i].cells, alone.cells, sizeof alone.cells);
        assert_memory_equal(workers[i].x, alone.x, sizeof alone.x);
        assert_int_equal(workers[i].steps, alone.steps);
    }
}

GROUP(support_open_context, support_close_context)
