/* SPDX-License-Identifier: MIT */
/* Threads of poisson5's variants: where they run, when they wait, and that nothing of them is left;
 * blocks of the grid; and subnormal numbers, which the variants on the CPU flush. */
#include "lab/plan/problem.h"
#include "support/threads.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/engines/parts/pool.h"
#include "lab/ops/poisson5/cpu/blocks.h"
#include "toolkit/base/values.h"

/* ---- The process ---- */

static cpu_set_t affinity(void)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

/* ---- The pool ---- */

enum { THREADS = 5, ROUNDS = 200 };

struct shared {
    struct qp_pool *pool;
    cpu_set_t cores[THREADS];
    bool signals[THREADS]; /* would take SIGINT */
    int value[THREADS], wrong;
    bool waits;
};

/* Each thread raises its own number and then looks at all others': without a barrier some are
 * late. */
static void count_together(void *user, int id)
{
    struct shared *s = user;
    sigset_t blocked;
    s->cores[id] = affinity();
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    s->signals[id] = sigismember(&blocked, SIGINT) == 0;
    for (int round = 1; round <= ROUNDS; round++) {
        __atomic_store_n(&s->value[id], round, __ATOMIC_RELAXED);
        if (s->waits)
            qp_pool_wait(s->pool);
        for (int k = 0; k < THREADS; k++)
            if (__atomic_load_n(&s->value[k], __ATOMIC_RELAXED) != round)
                __atomic_fetch_add(&s->wrong, 1, __ATOMIC_RELAXED);
        if (s->waits)
            qp_pool_wait(s->pool);
    }
}

TEST(pools_wait_at_barriers)
{
    const int before = threads_count();
    for (int waits = 0; waits < 2; waits++) {
        struct shared s = {.waits = waits};
        assert_ok(qp_pool_start(THREADS, false, &s.pool));
        assert_int_equal(qp_pool_threads(s.pool), THREADS);
        assert_int_equal(threads_count_until(before + THREADS), before + THREADS);
        for (int run = 0; run < 3; run++)
            qp_pool_run(s.pool, count_together, &s);
        assert_true(waits ? s.wrong == 0 : s.wrong > 0);
        for (int k = 0; k < THREADS; k++)
            assert_false(s.signals[k]);
        qp_pool_stop(&s.pool);
        assert_null(s.pool);
        qp_pool_stop(&s.pool);
        assert_int_equal(threads_count_until(before), before);
    }
}

/* Each on one core, of those that the caller has, and no two on one as long as there are enough. */
TEST(bound_threads_stay)
{
    const cpu_set_t before = affinity();
    for (int narrow = 0; narrow < 2; narrow++) {
        cpu_set_t allowed = before;
        for (int cpu = CPU_SETSIZE - 1; narrow && CPU_COUNT(&allowed) > 1; cpu--)
            CPU_CLR(cpu, &allowed);
        assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
        struct shared s = {.waits = true};
        assert_ok(qp_pool_start(THREADS, true, &s.pool));
        qp_pool_run(s.pool, count_together, &s);
        qp_pool_stop(&s.pool);
        cpu_set_t all, now = affinity(), outside;
        CPU_ZERO(&all);
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(CPU_COUNT(&s.cores[k]), 1);
            CPU_OR(&all, &all, &s.cores[k]);
        }
        CPU_AND(&outside, &all, &allowed);
        assert_true(CPU_EQUAL(&outside, &all));
        assert_int_equal(CPU_COUNT(&all),
                         CPU_COUNT(&allowed) < THREADS ? CPU_COUNT(&allowed) : THREADS);
        assert_true(CPU_EQUAL(&now, &allowed));
        assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    }
    struct shared s = {.waits = true};
    assert_ok(qp_pool_start(THREADS, false, &s.pool));
    qp_pool_run(s.pool, count_together, &s);
    qp_pool_stop(&s.pool);
    for (int k = 0; k < THREADS; k++)
        assert_true(CPU_EQUAL(&s.cores[k], &before));
}

/* ---- Blocks ---- */

/* Every cell is in one block of a thread's, no block is empty, and all begin at a cache line. */
static void assert_covers(const struct qp_poisson5_blocks *b, int threads)
{
    unsigned char *seen = calloc((size_t)b->width * (size_t)b->height, 1);
    for (int id = 0; id < threads; id++) {
        const struct qp_poisson5_block block = qp_poisson5_block_of(b, id);
        assert_int_equal(block.x1 > block.x0 && block.y1 > block.y0, id < b->across * b->up);
        assert_int_equal(block.x0 % QP_RELAX_CELLS, 0);
        for (int y = block.y0; y < block.y1; y++)
            for (int x = block.x0; x < block.x1; x++)
                seen[(size_t)y * (size_t)b->width + (size_t)x]++;
    }
    for (size_t i = 0; i < (size_t)b->width * (size_t)b->height; i++)
        assert_int_equal(seen[i], 1);
    free(seen);
}

TEST(blocks_cover_the_grid)
{
    static const struct {
        int width, height, threads, across, up;
    } known[] = {{20, 16, 1, 1, 1},     {4096, 4096, 2, 1, 2}, {4096, 4096, 7, 1, 7},
                 {4096, 4096, 8, 2, 4}, {16384, 64, 16, 4, 4}, {1, 1, 16, 1, 1},
                 {17, 3, 16, 2, 3},     {100, 1, 6, 2, 1}};
    for (int k = 0; k < COUNT(known); k++) {
        const int width = known[k].width, height = known[k].height, threads = known[k].threads;
        for (int nodes = 1; nodes <= 4; nodes++) {
            const struct qp_poisson5_blocks b =
                qp_poisson5_blocks_of(width, height, threads, nodes);
            assert_int_equal(b.across, known[k].across);
            assert_int_equal(b.up, known[k].up);
            assert_covers(&b, threads);
        }
        const struct qp_poisson5_blocks strips = qp_poisson5_blocks_of(width, height, threads, 0);
        assert_int_equal(strips.across, 1);
        assert_int_equal(strips.up, threads < height ? threads : height);
        assert_covers(&strips, threads);
    }
}

/* The node of the block in this place, whose threads are equally many a node. */
static int node_at(const struct qp_poisson5_blocks *b, int threads, int nodes, int place)
{
    for (int id = 0; id < threads; id++) {
        if (qp_poisson5_place_of(b, id) == place)
            return id * nodes / threads;
    }
    fail_msg("no thread has block %d", place);
    return -1;
}

static int edges_between_nodes(const struct qp_poisson5_blocks *b, int threads, int nodes)
{
    int edges = 0;
    for (int place = 0; place < threads; place++) {
        const int its = node_at(b, threads, nodes, place);
        if (place % b->across < b->across - 1)
            edges += node_at(b, threads, nodes, place + 1) != its;
        if (place / b->across < b->up - 1)
            edges += node_at(b, threads, nodes, place + b->across) != its;
    }
    return edges;
}

/* Figure 4: 4 x 4 blocks on 4 sockets, {0, 1, 4, 5} on socket 0 and {2, 3, 6, 7} on socket 1, 8
 * edges between sockets, where strips would have 12. */
TEST(nodes_have_squares_of_blocks)
{
    static const int figure[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
    static const struct {
        int threads, nodes, edges;
    } known[] = {{16, 1, 0}, {16, 2, 4},  {16, 4, 8},  {8, 2, 2},   {12, 3, 8},
                 {12, 4, 9}, {64, 4, 16}, {64, 8, 32}, {36, 4, 12}, {15, 5, 12}};
    const struct qp_poisson5_blocks b = qp_poisson5_blocks_of(4096, 4096, 16, 4);
    for (int id = 0; id < 16; id++)
        assert_int_equal(qp_poisson5_place_of(&b, id), figure[id]);
    for (int k = 0; k < COUNT(known); k++) {
        const int threads = known[k].threads, nodes = known[k].nodes;
        const struct qp_poisson5_blocks squares = qp_poisson5_blocks_of(4096, 4096, threads, nodes),
                                        rows = qp_poisson5_blocks_of(4096, 4096, threads, 1);
        const int edges = edges_between_nodes(&squares, threads, nodes);
        if (edges != known[k].edges)
            fail_msg("%d threads on %d nodes have %d edges between nodes", threads, nodes, edges);
        assert_true(edges <= edges_between_nodes(&rows, threads, nodes));
    }
    const struct qp_poisson5_blocks strips = qp_poisson5_blocks_of(4096, 4096, 16, 1);
    assert_int_equal(edges_between_nodes(&strips, 16, 4), 12);
}

/* ---- Variants ---- */

/* During the first step, in the caller's thread. */
struct watched {
    int expected, tasks;
    cpu_set_t set;
    sig_atomic_t interrupt;
    bool interrupts;
};

static void watch(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct watched *w = user;
    (void)plan;
    (void)seconds;
    if (stage != QP_STAGE_PASS)
        return;
    w->tasks = threads_count_until(w->expected);
    w->set = affinity();
    w->interrupt = w->interrupts;
}

static void walk_watched(const char *name, int threads)
{
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 50, .height = 40};
    struct qp_problem problem;
    struct qp_result result;
    const cpu_set_t set = affinity();
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_problem_reference(&problem, 1, NULL)); /* starts OpenMP's threads, which stay */
    const int before = threads_count_until(threads);    /* as many with this one */
    for (int k = 0; k < 2; k++) {
        struct watched w = {.expected = before + threads, .interrupts = k == 1};
        const struct qp_walk_desc walk = {
            .iterations = 9, .on_stage = watch, .user = &w, .interrupt = &w.interrupt};
        assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &result));
        assert_int_equal(result.verdict, w.interrupts ? QP_SKIP : QP_PASS);
        assert_int_equal(result.iterations, w.interrupts ? 1 : 9);
        const cpu_set_t now = affinity();
        assert_int_equal(w.tasks, w.expected);
        assert_true(CPU_EQUAL(&w.set, &set));
        assert_true(CPU_EQUAL(&now, &set));
        assert_int_equal(threads_count_until(before), before);
    }
    qp_problem_destroy(&problem);
}

/* The threads are there during the steps, and neither they nor a core's binding afterwards; nor
 * after an interrupted run, which ends between steps. */
THREADS_TEST(rows_leave_nothing)
{
    static const char *const names[] = {"poisson5/threads", "poisson5/threads_bound_double",
                                        "poisson5/threads_numa", "poisson5/threads_async2"};
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        for (int k = 0; k < COUNT(names); k++)
            walk_watched(names[k], threads);
    }
}

/* In pages. */
static long resident(void)
{
    long all, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &all, &pages), 2);
    fclose(file);
    return pages;
}

/* The blocks of threads are unmapped: twenty runs with two megabytes of them grow by less than half
 * of these. */
TEST(blocks_are_given_back)
{
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 512, .height = 512};
    const struct qp_variant *variant = qp_variant_find("poisson5/threads_numa");
    struct qp_problem problem;
    long before = 0;
#ifdef QP_DEBUG
    skip(); /* for sanitizers keep what is freed */
#endif
    assert_ok(qp_problem_create(&desc, &problem));
    for (int k = 0; k < 22; k++) {
        struct qp_result result;
        const struct qp_walk_desc walk = {.iterations = 1, .unchecked = true};
        assert_ok(qp_walk(NULL, variant, &problem, &walk, &result));
        before = k == 1 ? resident() : before;
    }
    assert_true((resident() - before) * sysconf(_SC_PAGESIZE) < 10 * 2L * 512 * 512 * 4);
    qp_problem_destroy(&problem);
}

static int count_subnormals(const struct qp_matrix *x)
{
    const double least = x->precision == QP_DOUBLES ? DBL_MIN : (double)FLT_MIN;
    int found = 0;
    for (size_t i = 0; i < (size_t)x->width * (size_t)x->height; i++) {
        const double value = fabs(qp_matrix_value(x, i));
        found += value > 0.0 && value < least;
    }
    return found;
}

/* The sums of a spike's front in float, in a processor that keeps subnormal numbers: there are some
 * to flush. */
static int count_in_a_loop(int width, int steps)
{
    float *u = calloc((size_t)width + 2, sizeof *u), *v = calloc((size_t)width + 2, sizeof *v);
    int found = 0;
    for (int k = 0; k < steps; k++) {
        for (int i = 1; i <= width; i++)
            v[i] = 0.25f * (u[i - 1] + u[i + 1] + (i == width / 2 ? 1.0f : 0.0f));
        float *swapped = u;
        u = v;
        v = swapped;
    }
    for (int i = 1; i <= width; i++)
        found += u[i] > 0.0f && u[i] < FLT_MIN;
    free(u);
    free(v);
    return found;
}

/* True if this thread keeps subnormal numbers. */
static bool keeps_subnormals(void)
{
    volatile float least = FLT_MIN;
    return least * 0.5f > 0.0f;
}

TEST(subnormals_are_flushed)
{
    static const char *const rows[] = {
        "sequential",     "sequential_vectors", "threads", "threads_bound",  "threads_numa",
        "threads_strips", "openmp_plain",       "openmp",  "openmp_blocked", "openmp_red_black"};
    enum { WIDTH = 200, STEPS = 80 };
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "spike", .width = WIDTH, .height = 3};
    struct qp_problem problem;
#if !defined(__SSE2__)
    skip();
#endif
    assert_true(count_in_a_loop(WIDTH, STEPS) > 0);
    assert_ok(qp_problem_create(&desc, &problem));
    for (int k = 0; k < COUNT(rows); k++) {
        char name[64];
        struct qp_result result;
        const struct qp_walk_desc walk = {.iterations = STEPS, .keep_solution = true};
        snprintf(name, sizeof name, "poisson5/%s", rows[k]);
        assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &result));
        assert_int_equal(result.verdict, QP_PASS);
        assert_int_equal(count_subnormals(&result.solution), 0);
        assert_true(qp_matrix_value(&result.solution, WIDTH + WIDTH / 2 + 60) > 0.0);
        qp_matrix_destroy(&result.solution);
        int keeping = 0, threads = 0;
#pragma omp parallel reduction(+ : keeping, threads)
        {
            keeping += keeps_subnormals();
            threads++;
        }
        assert_int_equal(keeping, threads);
    }
    qp_problem_destroy(&problem);
}
