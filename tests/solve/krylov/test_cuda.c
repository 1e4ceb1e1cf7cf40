/* SPDX-License-Identifier: MIT */
/* Krylov methods on CUDA: against OpenGL's, whose steps test_steps.c judges; and steps in a graph's
 * loop against steps that are launched one by one, which have the same bits wherever a run is
 * cut. */
#include "solve/krylov/systems.h"

#include <string.h>

#include "toolkit/cuda/device.h"

enum { MOST = 4099 };

static struct qp_krylov *create_on_cuda(const struct qp_sparse *a, int m, bool looped)
{
    struct qp_krylov *k;
    assert_ok(qp_krylov_create(&(struct qp_krylov_desc){.cuda = true,
                                                        .looped = looped,
                                                        .matrix = a,
                                                        .method = methods[m].method,
                                                        .precondition = methods[m].precondition},
                               &k));
    assert_true(qp_krylov_is_on_cuda(k));
    return k;
}

/* A ring of n unknowns with neighbours `apart` places away; above 400 make() takes too long. */
static struct qp_sparse make_ring(int n, int apart)
{
    struct qp_sparse a;
    size_t count = 0;
    assert_ok(qp_sparse_allocate(n, 3 * (size_t)n, &a));
    for (int i = 0; i < n; i++) {
        for (int j = i - apart; j <= i + apart; j += apart) {
            if (j < 0 || j >= n)
                continue;
            a.column[count] = j;
            a.value[count++] = j == i ? 2.5f : -1.0f;
        }
        a.first[i + 1] = count;
    }
    a.count = count;
    return a;
}

static double norm(int n, const float *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

/* A few steps of each method from OpenGL and from CUDA, for sizes that leave parts of fours, warps
 * and blocks. */
CLEAN_TEST(against_opengl)
{
    static const int sizes[] = {1, 2, 3, 5, 127, 1024, 1025, MOST}, steps[] = {1, 2, 9, 40};
    static float r[MOST], d[MOST], other[MOST];
    static double b[MOST];
    support_need_cuda(qp_cuda_look(-1));
    struct qp_context *context = support_need_context(state);
    fill(MOST, r, b);
    for (int i = 0; i < COUNT(methods) * COUNT(sizes); i++) {
        const int m = i / COUNT(sizes), n = sizes[i % COUNT(sizes)];
        struct qp_sparse a = make_ring(n, n > 100 ? 31 : 1);
        struct qp_krylov *gl = create(context, &a, methods[m].method, methods[m].precondition,
                                      QP_PRODUCT_SLICED_ELL),
                         *cuda = create_on_cuda(&a, m, false);
        for (int s = 0; s < COUNT(steps); s++) {
            const struct qp_krylov_result wanted = run(gl, r, 1e-5, steps[s], d),
                                          got = run(cuda, r, 1e-5, steps[s], other);
            assert_int_equal(got.ending, wanted.ending);
            assert_true(abs(got.steps - wanted.steps) <= 1);
            if (!(fabs(got.residual - wanted.residual) <= 0.02 * wanted.residual + 1e-6))
                fail_msg("method %d, %d unknowns, %d steps: residual %g off %g", m, n, steps[s],
                         got.residual, wanted.residual);
            const double size = norm(n, d);
            for (int k = 0; k < n; k++)
                other[k] -= d[k];
            if (!(norm(n, other) <= 1e-4 * size))
                fail_msg("method %d, %d unknowns, %d steps: x off by %g of %g", m, n, steps[s],
                         norm(n, other), size);
        }
        qp_krylov_destroy(&gl);
        qp_krylov_destroy(&cuda);
        qp_sparse_destroy(&a);
    }
}

/* ---- Graph against loop ---- */

/* A random sparse matrix with a diagonal that dominates, or nearly; `kind` 1: unsymmetric, 2:
 * indefinite, 3: singular. */
static struct qp_sparse make_random(uint64_t *seed, int n, int kind)
{
    struct qp_sparse a;
    double *dense = calloc((size_t)n * (size_t)n, sizeof *dense);
    assert_ok(qp_sparse_allocate(n, (size_t)n * (size_t)n, &a));
    for (int i = 0; i < n * 3; i++) {
        const int row = (int)qp_random(seed, 0.0, n), column = (int)qp_random(seed, 0.0, n);
        const double value = qp_random(seed, -1.0, 1.0);
        dense[row * n + column] = value;
        dense[column * n + row] = kind == 1 ? value / 2 : value;
    }
    a.count = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        dense[i * n + i] = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(dense[i * n + j]);
        dense[i * n + i] = (kind == 2 && i % 3 == 0 ? -1.0 : 1.0) * (sum * 0.7 + 0.01);
        if (kind == 3 && i == 0)
            dense[0] = 0.0;
        for (int j = 0; j < n; j++) {
            if (dense[i * n + j] == 0.0 && j != i)
                continue;
            a.column[a.count] = j;
            a.value[a.count++] = (float)dense[i * n + j];
        }
        a.first[i + 1] = a.count;
    }
    free(dense);
    return a;
}

/* Same bits from both forms, with looks anywhere and launches cut anywhere: the bits of the answer,
 * the ending, the steps. */
CLEAN_TEST(graph_against_loop)
{
    const int systems = support_takes_long() ? 1000 : 40;
    uint64_t seed = 65;
    float r[N], d[N], other[N];
    double b[N];
    int endings[QP_KRYLOV_DIVERGING + 1] = {0};
    support_need_cuda(qp_cuda_look(-1));
    fill(N, r, b);
    for (int i = 0; i < systems; i++) {
        const int m = i % COUNT(methods), n = 1 + (int)qp_random(&seed, 0.0, i % 9 == 0 ? N : 60);
        struct qp_sparse a = make_random(&seed, n, (i / COUNT(methods)) % 4);
        struct qp_krylov *loop = create_on_cuda(&a, m, true), *graph = create_on_cuda(&a, m, false);
        const struct qp_krylov_run whole = {.r = r, .target = 1e-6, .most_steps = 300, .every = 8};
        struct qp_krylov_run cut = whole;
        struct qp_krylov_result wanted, got;
        assert_ok(qp_krylov_run(loop, &whole, &wanted));
        assert_ok(qp_krylov_answer(loop, d));
        if (methods[m].method != QP_KRYLOV_CHEBYSHEV)
            cut.every = 1 + (int)qp_random(&seed, 0.0, 400.0);
        graph->step_seconds = 0.5 / (1.0 + qp_random(&seed, 0.0, 50.0));
        assert_ok(qp_krylov_run(graph, &cut, &got));
        assert_ok(qp_krylov_answer(graph, other));
        if (memcmp(&wanted, &got, sizeof got) != 0 || memcmp(d, other, (size_t)n * sizeof *d) != 0)
            fail_msg("system %d, method %d, %d unknowns, looks every %d, launches of %g: %d steps, "
                     "ending %d, residual %.9g; by the loop %d, %d, %.9g",
                     i, m, n, cut.every, 0.5 / graph->step_seconds, got.steps, (int)got.ending,
                     got.residual, wanted.steps, (int)wanted.ending, wanted.residual);
        endings[got.ending]++;
        qp_krylov_destroy(&loop);
        qp_krylov_destroy(&graph);
        qp_sparse_destroy(&a);
    }
    assert_true(endings[QP_KRYLOV_TARGET] > 0 && endings[QP_KRYLOV_CURVATURE] > 0);
}

/* ---- Looks and states ---- */

struct looks {
    struct qp_krylov *k;
    int step, save_at, saved, stop_at;
    float *state;
};

static bool look(void *user, int step, double residual)
{
    struct looks *l = user;
    assert_true(step > l->step && residual > 0.0);
    l->step = step;
    if (step >= l->save_at && l->saved == 0) {
        assert_ok(qp_krylov_save(l->k, l->state));
        l->saved = step;
    }
    return step < l->stop_at;
}

/* A run that goes on from a state has the bits of one that was never stopped. */
CLEAN_TEST(states_on_cuda)
{
    float r[N], d[N], other[N];
    double b[N];
    support_need_cuda(qp_cuda_look(-1));
    fill(N, r, b);
    struct qp_sparse a = make(N, 0.0, false);
    for (int i = 0; i < COUNT(methods) * 2; i++) {
        struct qp_krylov *k = create_on_cuda(&a, i / 2, i % 2 == 1);
        struct looks looks = {.k = k, .save_at = 5 + i, .stop_at = 60};
        looks.state = calloc(qp_krylov_state_size(k), sizeof(float));
        struct qp_krylov_run desc = {
            .r = r, .target = 1e-20, .most_steps = 100, .every = 5, .look = look, .user = &looks};
        struct qp_krylov_result result, again;
        assert_ok(qp_krylov_run(k, &desc, &result));
        assert_ok(qp_krylov_answer(k, d));
        qp_krylov_destroy(&k);
        looks.step = looks.saved;
        looks.k = k = create_on_cuda(&a, i / 2, i % 2 == 0);
        desc.r = NULL;
        assert_ok(qp_krylov_restore(k, looks.state));
        assert_ok(qp_krylov_run(k, &desc, &again));
        assert_ok(qp_krylov_answer(k, other));
        assert_memory_equal(d, other, sizeof d);
        assert_memory_equal(&result, &again, sizeof result);
        free(looks.state);
        qp_krylov_destroy(&k);
    }
    qp_sparse_destroy(&a);
}

/* An interrupt that comes within a run ends it after the launch under way, with the answer of the
 * steps that were made. */
static volatile sig_atomic_t interrupt;

static bool interrupt_at_look(void *user, int step, double residual)
{
    (void)user;
    (void)residual;
    interrupt = step >= 20;
    return true;
}

CLEAN_TEST(interrupts_on_cuda)
{
    float r[N], d[N], other[N];
    double b[N];
    support_need_cuda(qp_cuda_look(-1));
    fill(N, r, b);
    struct qp_sparse a = make(N, 0.0, false);
    struct qp_krylov *k = create_on_cuda(&a, 0, false);
    struct qp_krylov_result result;
    const struct qp_krylov_run desc = {.r = r,
                                       .target = 1e-20,
                                       .most_steps = 1000,
                                       .every = 10,
                                       .look = interrupt_at_look,
                                       .interrupt = &interrupt};
    assert_ok(qp_krylov_run(k, &desc, &result));
    interrupt = 0;
    assert_int_equal(result.ending, QP_KRYLOV_STOPPED);
    assert_int_equal(result.steps, 20);
    assert_ok(qp_krylov_answer(k, d));
    run(k, r, 1e-20, 20, other);
    assert_memory_equal(d, other, sizeof d);
    qp_krylov_destroy(&k);
    qp_sparse_destroy(&a);
}

GROUP(support_open_context, support_close_context)
