/* SPDX-License-Identifier: MIT */
/* Runs of Krylov methods: endings, breakdowns and what they leave, looks, and states that go on
 * with the same bits. */
#include "solve/krylov/systems.h"

#include <string.h>

/* All methods reach a target; what was found is true of A d. */
CLEAN_TEST(targets)
{
    static const int sizes[] = {1, 2, 3, 5, 97, N};
    struct qp_context *context = support_need_context(state);
    float r[N], d[N];
    double b[N], x[N], y[N];
    fill(N, r, b);
    for (int i = 0; i < COUNT(sizes) * COUNT(methods); i++) {
        const int n = sizes[i / COUNT(methods)], m = i % COUNT(methods);
        struct qp_sparse a = make(n, 0.0, false);
        struct qp_krylov *k = create(context, &a, methods[m].method, methods[m].precondition,
                                     i % 2 == 0 ? QP_PRODUCT_BEST : QP_PRODUCT_SLICED_ELL);
        const struct qp_krylov_result result = run(k, r, 1e-5, 1000, d);
        assert_int_equal(result.ending, QP_KRYLOV_TARGET);
        assert_true(result.residual <= 1.00001e-5 && result.steps < 200);
        for (int j = 0; j < n; j++)
            x[j] = (double)d[j];
        multiply(&a, x, y);
        for (int j = 0; j < n; j++)
            y[j] -= b[j];
        assert_true(sqrt(dot(n, y, y) / dot(n, b, b)) < 2e-5);
        qp_krylov_destroy(&k);
        qp_sparse_destroy(&a);
    }
}

static struct qp_sparse make_dense(int n, const float *value)
{
    struct qp_sparse a;
    assert_ok(qp_sparse_allocate(n, (size_t)n * (size_t)n, &a));
    a.count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (value[i * n + j] == 0.0f)
                continue;
            a.column[a.count] = j;
            a.value[a.count++] = value[i * n + j];
        }
        a.first[i + 1] = a.count;
    }
    return a;
}

/* A row and a column of 300, which is cut into pieces, with a dominant diagonal. */
CLEAN_TEST(arrow)
{
    enum { ARROW = 300 };
    struct qp_context *context = support_need_context(state);
    float *value = calloc(ARROW * ARROW, sizeof *value), r[ARROW], d[ARROW];
    for (int i = 0; i < ARROW; i++)
        value[i] = value[i * ARROW] = value[i * ARROW + i] = 1.0f;
    value[0] = 2.0f * ARROW;
    struct qp_sparse a = make_dense(ARROW, value);
    for (int i = 0; i < ARROW; i++) /* A times ones */
        r[i] = i == 0 ? 3.0f * ARROW - 1.0f : 2.0f;
    for (int m = 0; m < COUNT(methods); m++) {
        struct qp_krylov *k =
            create(context, &a, methods[m].method, methods[m].precondition, QP_PRODUCT_BEST);
        assert_int_equal(k->matrix.levels, 1);
        const struct qp_krylov_result result = run(k, r, 1e-7, 100, d);
        assert_int_equal(result.ending, QP_KRYLOV_TARGET);
        for (int i = 0; i < ARROW; i++)
            assert_true(fabsf(d[i] - 1.0f) < 1e-4f);
        qp_krylov_destroy(&k);
    }
    qp_sparse_destroy(&a);
    free(value);
}

/* ---- Breakdowns ---- */

CLEAN_TEST(breakdowns)
{
    static const struct {
        enum qp_krylov_method method;
        int n;
        float a[9], r[3];
        enum qp_krylov_ending ending;
        int steps;
        float d[3];
    } cases[] = {{QP_KRYLOV_CG, 2, {1, 0, 0, -1}, {1, 1}, QP_KRYLOV_CURVATURE, 0, {0}},
                 {QP_KRYLOV_CG, 2, {-1, 0, 0, -1}, {1, 1}, QP_KRYLOV_CURVATURE, 0, {0}},
                 {QP_KRYLOV_CG, 2, {0, 1, -1, 0}, {1, 2}, QP_KRYLOV_CURVATURE, 0, {0}},
                 {QP_KRYLOV_CG, 2, {1, 0, 0, 0}, {1, 1}, QP_KRYLOV_CURVATURE, 1, {2, 2}},
                 {QP_KRYLOV_CG, 2, {3, 0, 0, -1}, {1, 1}, QP_KRYLOV_CURVATURE, 1, {1, 1}},
                 {QP_KRYLOV_CG, 2, {1e-30f, 1e15f, 1e15f, 0}, {1, 0}, QP_KRYLOV_CURVATURE, 0, {0}},
                 {QP_KRYLOV_CG, 2, {1e-18f, 0, 0, 1}, {1e-18f, 0}, QP_KRYLOV_TARGET, 1, {1, 0}},
                 {QP_KRYLOV_CG, 3, {0}, {1, 1, 1}, QP_KRYLOV_CURVATURE, 0, {0}},
                 {QP_KRYLOV_CHEBYSHEV, 2, {3, 0, 0, -1}, {1, 1}, QP_KRYLOV_CURVATURE, 1, {1, 1}},
                 {QP_KRYLOV_CG, 2, {3, 0, 0, -1}, {0, 0}, QP_KRYLOV_TARGET, 0, {0}},
                 {QP_KRYLOV_BICGSTAB, 2, {0, 1, -1, 0}, {1, 2}, QP_KRYLOV_TARGET, 2, {-2, 1}},
                 {QP_KRYLOV_BICGSTAB, 2, {0, 1, 1, 1}, {1, 0}, QP_KRYLOV_TARGET, 2, {-1, 1}},
                 {QP_KRYLOV_BICGSTAB, 2, {1, -1, 1, -1}, {1, 1}, QP_KRYLOV_RHO, 0, {0}},
                 {QP_KRYLOV_BICGSTAB, 2, {0}, {1, 2}, QP_KRYLOV_RHO, 0, {0}},
                 {QP_KRYLOV_BICGSTAB, 2, {1, 1, 1, 0}, {1, 0}, QP_KRYLOV_TARGET, 2, {0, 1}},
                 {QP_KRYLOV_BICGSTAB, 2, {1, 0, 1, 0}, {1, 0}, QP_KRYLOV_OMEGA, 0, {1, 0}},
                 {QP_KRYLOV_BICGSTAB,
                  3,
                  {2, 0, 0, 0, 4, 0, 0, 0, 8},
                  {2, 4, 8},
                  QP_KRYLOV_TARGET,
                  3,
                  {1, 1, 1}},
                 {QP_KRYLOV_BICGSTAB, /* r~'r = 0 after a step: it starts again */
                  3,
                  {1, 1, -1, 1, 1, 0, 1, 0, 3},
                  {1, 0, 0},
                  QP_KRYLOV_TARGET,
                  4,
                  {3, -3, -1}},
                 {QP_KRYLOV_BICGSTAB, 2, {1, 0, 0, 1}, {3, 5}, QP_KRYLOV_TARGET, 1, {3, 5}},
                 {QP_KRYLOV_MINRES, 2, {0, 1, 1, 0}, {1, 2}, QP_KRYLOV_TARGET, 2, {2, 1}},
                 {QP_KRYLOV_MINRES, 2, {1, 0, 0, -1}, {1, 1}, QP_KRYLOV_TARGET, 2, {1, -1}},
                 {QP_KRYLOV_MINRES, 2, {1, 0, 0, 0}, {0, 1}, QP_KRYLOV_OMEGA, 0, {0}},
                 {QP_KRYLOV_MINRES, 2, {1, 0, 0, 0}, {1, 1}, QP_KRYLOV_OMEGA, 1, {1, 1}},
                 {QP_KRYLOV_MINRES, 3, {0}, {1, 1, 1}, QP_KRYLOV_OMEGA, 0, {0}},
                 {QP_KRYLOV_MINRES, 2, {1, 0, 0, 1}, {0, 0}, QP_KRYLOV_TARGET, 0, {0}},
                 {QP_KRYLOV_CG, 2, {1, 0, 0, 1}, {3, 5}, QP_KRYLOV_TARGET, 1, {3, 5}}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        for (int layout = QP_PRODUCT_BEST; layout <= QP_PRODUCT_SLICED_ELL; layout++) {
            float d[3];
            if (layout == QP_PRODUCT_DIAGONALS && cases[i].a[0] == 0.0f && cases[i].a[1] == 0.0f)
                continue;
            struct qp_sparse a = make_dense(cases[i].n, cases[i].a);
            struct qp_krylov *k = create(context, &a, cases[i].method, QP_KRYLOV_NONE,
                                         (enum qp_product_layout)layout);
            const struct qp_krylov_result result = run(k, cases[i].r, 1e-6, 100, d);
            if (result.ending != cases[i].ending || result.steps != cases[i].steps)
                fail_msg("case %d ends as %d after %d steps", i, (int)result.ending, result.steps);
            for (int j = 0; j < cases[i].n; j++)
                assert_true(fabsf(d[j] - cases[i].d[j]) <= 1e-5f);
            qp_krylov_destroy(&k);
            qp_sparse_destroy(&a);
        }
    }
}

/* A singular matrix: BiCGSTAB's x grows along what it makes zero, beyond float. */
CLEAN_TEST(beyond_float)
{
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make_dense(2, (float[]){0.0f, 0.0f, 0.0f, 0.434481693f});
    struct qp_krylov *k = create(context, &a, QP_KRYLOV_BICGSTAB, QP_KRYLOV_NONE, QP_PRODUCT_BEST);
    float d[2];
    run(k, (float[]){-0.24690786f, 0.0451244153f}, 1e-5, 300, d);
    assert_true(d[0] == 0.0f && d[1] == 0.0f);
    qp_krylov_destroy(&k);
    qp_sparse_destroy(&a);
}

/* 3.9 on the diagonal in place of 4: the least eigenvalue is about -0.06. */
static struct qp_sparse make_indefinite(void)
{
    struct qp_sparse a = make(N, 0.0, false);
    for (int i = 0; i < N; i++)
        for (size_t k = a.first[i]; k < a.first[i + 1]; k++)
            a.value[k] -= a.column[k] == i ? 0.1f : 0.0f;
    return a;
}

/* Definite as far as CG's first steps see, but not beyond: the answer of the last good look
 * stays. */
CLEAN_TEST(hidden_eigenvalue)
{
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make_indefinite();
    float r[N], d[N], before[N];
    double b[N];
    fill(N, r, b);
    for (int m = 0; m < COUNT(methods); m++) {
        struct qp_krylov *k =
            create(context, &a, methods[m].method, methods[m].precondition, QP_PRODUCT_BEST);
        const struct qp_krylov_result result = run(k, r, 1e-7, 2000, d);
        if (methods[m].method == QP_KRYLOV_MINRES) {
            assert_int_equal(result.ending, QP_KRYLOV_TARGET);
        } else if (methods[m].method != QP_KRYLOV_BICGSTAB) {
            assert_int_equal(result.ending, QP_KRYLOV_CURVATURE);
            run(k, r, 1e-7, result.steps, before);
            assert_memory_equal(d, before, sizeof d);
        }
        for (int i = 0; i < N; i++)
            assert_true(isfinite(d[i]));
        qp_krylov_destroy(&k);
    }
    qp_sparse_destroy(&a);
}

/* r = A A of random numbers, in which small eigenvalues hardly occur. */
static void fill_smooth(const struct qp_sparse *a, float *r)
{
    double b[N], x[N];
    fill(N, r, b);
    multiply(a, b, x);
    multiply(a, x, b);
    for (int i = 0; i < N; i++)
        r[i] = (float)b[i];
}

/* CG's first steps see too large a smallest eigenvalue, which Chebyshev notices. */
CLEAN_TEST(bounds_too_narrow)
{
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make(N, 0.0, false);
    struct qp_krylov *k = create(context, &a, QP_KRYLOV_CHEBYSHEV, QP_KRYLOV_NONE, QP_PRODUCT_BEST);
    float r[N], d[N];
    fill_smooth(&a, r);
    run(k, r, 1e-9, LEARNED + 1, d);
    const float first = k->course.low;
    const struct qp_krylov_result result = run(k, r, 1e-9, 1000, d);
    assert_int_equal(result.ending, QP_KRYLOV_TARGET);
    if (result.steps > 250 || !(k->course.low < first))
        fail_msg("%d steps, bounds from %g to %g", result.steps, (double)first,
                 (double)k->course.low);
    qp_krylov_destroy(&k);
    qp_sparse_destroy(&a);
}

/* ---- Looks and states ---- */

struct looks {
    struct qp_krylov *k;
    int step, save_at, saved, stop_at;
    bool often; /* saves at each look from save_at on */
    float *state;
};

static bool look(void *user, int step, double residual)
{
    struct looks *l = user;
    assert_true(step > l->step && step <= l->step + 5 && residual > 0.0);
    l->step = step;
    if (step >= l->save_at && (l->often || l->saved == 0)) {
        assert_ok(qp_krylov_save(l->k, l->state));
        l->saved = step;
    }
    return step < l->stop_at;
}

CLEAN_TEST(states)
{
    static const int at[] = {5, 12, 36}; /* 5: an odd number of steps, too */
    struct qp_context *context = support_need_context(state);
    float r[N], d[N], other[N];
    double b[N];
    fill(N, r, b);
    struct qp_sparse a = make(N, 0.0, false);
    for (int i = 0; i < COUNT(methods) * COUNT(at); i++) {
        const int m = i / COUNT(at);
        const enum qp_product_layout layout =
            i % 2 == 0 ? QP_PRODUCT_DIAGONALS : QP_PRODUCT_SLICED_ELL;
        struct qp_krylov *k =
            create(context, &a, methods[m].method, methods[m].precondition, layout);
        struct looks looks = {.k = k, .save_at = at[i % COUNT(at)], .stop_at = 60};
        looks.state = calloc(qp_krylov_state_size(k), sizeof(float));
        struct qp_krylov_run desc = {
            .r = r, .target = 1e-20, .most_steps = 100, .look = look, .user = &looks};
        struct qp_krylov_result result, again;
        desc.every = looks.save_at % 2 == 0 ? 4 : 5;
        assert_ok(qp_krylov_run(k, &desc, &result));
        assert_ok(qp_krylov_answer(k, d));
        qp_krylov_destroy(&k);
        looks.step = looks.saved;
        looks.k = k = create(context, &a, methods[m].method, methods[m].precondition, layout);
        desc.r = NULL;
        assert_int_equal(qp_krylov_run(k, &desc, &again), QP_BAD_USE);
        assert_ok(qp_krylov_restore(k, looks.state));
        assert_ok(qp_krylov_run(k, &desc, &again));
        assert_ok(qp_krylov_answer(k, other));
        assert_memory_equal(d, other, sizeof d);
        assert_memory_equal(&result, &again, sizeof result);
        assert_true(result.ending == QP_KRYLOV_STOPPED && result.steps >= 60);
        looks.state[1] = NAN;
        assert_int_equal(qp_krylov_restore(k, looks.state), QP_BAD_INPUT);
        free(looks.state);
        qp_krylov_destroy(&k);
    }
    qp_sparse_destroy(&a);
}

/* A negative eigenvalue that CG's first steps did not see makes Chebyshev's residual grow. Then the
 * answer is that of the step where it began with its bounds, in a run that goes on from a state,
 * too. */
CLEAN_TEST(diverging)
{
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make_indefinite();
    struct qp_krylov *k = create(context, &a, QP_KRYLOV_CHEBYSHEV, QP_KRYLOV_NONE, QP_PRODUCT_BEST);
    struct looks looks = {.k = k, .save_at = LEARNED + 4, .stop_at = 10000, .often = true};
    looks.state = calloc(qp_krylov_state_size(k), sizeof(float));
    float r[N], d[N], other[N];
    fill_smooth(&a, r);
    struct qp_krylov_run desc = {
        .r = r, .target = 1e-9, .most_steps = 10000, .every = 4, .look = look, .user = &looks};
    struct qp_krylov_result result, again;
    assert_ok(qp_krylov_run(k, &desc, &result));
    assert_ok(qp_krylov_answer(k, d));
    assert_int_equal(result.ending, QP_KRYLOV_DIVERGING);
    assert_true(result.steps >= LEARNED && looks.saved > 0 && result.residual < 1.0);
    run(k, r, 0.0, result.steps, other);
    assert_memory_equal(d, other, sizeof d);
    looks.step = looks.saved;
    desc.r = NULL;
    assert_ok(qp_array_fill(k->vector[KEPT], NULL, 0.0));
    assert_ok(qp_krylov_restore(k, looks.state));
    assert_ok(qp_krylov_run(k, &desc, &again));
    assert_ok(qp_krylov_answer(k, other));
    assert_memory_equal(d, other, sizeof d);
    assert_memory_equal(&result, &again, sizeof result);
    free(looks.state);
    qp_krylov_destroy(&k);
    qp_sparse_destroy(&a);
}

/* An interrupt ends a run at once, or at its next look; where steps take long, after one. */
static volatile sig_atomic_t interrupt;

static bool look_and_interrupt(void *user, int step, double residual)
{
    (void)residual;
    interrupt = step >= *(int *)user;
    return true;
}

CLEAN_TEST(interrupts)
{
    struct qp_context *context = support_need_context(state);
    float r[N];
    double b[N];
    fill(N, r, b);
    struct qp_sparse a = make(N, 0.0, false);
    for (int i = 0; i < COUNT(methods) * 2; i++) {
        struct qp_krylov *k = create(context, &a, methods[i / 2].method,
                                     methods[i / 2].precondition, QP_PRODUCT_BEST);
        int at = 4;
        struct qp_krylov_run desc = {.r = r,
                                     .most_steps = 100,
                                     .every = 2,
                                     .look = look_and_interrupt,
                                     .user = &at,
                                     .interrupt = &interrupt};
        struct qp_krylov_result result;
        k->slow = i % 2 == 1;
        interrupt = 0;
        assert_ok(qp_krylov_run(k, &desc, &result));
        assert_int_equal(result.ending, QP_KRYLOV_STOPPED);
        assert_int_equal(result.steps, 4);
        assert_int_equal(qp_krylov_hurries(k), k->slow);
        assert_ok(qp_krylov_run(k, &desc, &result));
        assert_int_equal(result.ending, QP_KRYLOV_STOPPED);
        assert_int_equal(result.steps, 0);
        qp_krylov_destroy(&k);
    }
    qp_sparse_destroy(&a);
}

CLEAN_TEST(refusals)
{
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make(N, 0.0, true);
    struct qp_krylov_desc desc = {.context = context,
                                  .matrix = &a,
                                  .method = QP_KRYLOV_BICGSTAB,
                                  .precondition = QP_KRYLOV_POLYNOMIAL,
                                  .layout = QP_PRODUCT_BEST};
    struct qp_krylov *k;
    enum qp_product_layout layout;
    double bytes;
    assert_int_equal(qp_krylov_create(&desc, &k), QP_UNSUPPORTED);
    assert_null(k);
    support_assert_sentence("--method cg");
    desc.precondition = QP_KRYLOV_NONE;
    desc.layout = QP_PRODUCT_DIAGONALS;
    assert_int_equal(qp_krylov_create(&desc, &k), QP_UNSUPPORTED);
    support_assert_sentence("28 of them; this one has more");
    desc.layout = QP_PRODUCT_BEST;
    assert_int_equal(qp_krylov_estimate(&desc, 4, &bytes, &layout), QP_UNSUPPORTED);
    support_assert_sentence("4 x 4 texels");
    assert_ok(qp_krylov_estimate(&desc, 16384, &bytes, &layout));
    assert_int_equal(layout, QP_PRODUCT_SLICED_ELL);
    assert_true(bytes > 8.0 * (double)a.count && bytes < 1e6);
    qp_sparse_destroy(&a);
}

GROUP(open_for_fragments, support_close_context)
GROUP(open_for_compute, support_close_context)
