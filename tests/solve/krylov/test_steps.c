/* SPDX-License-Identifier: MIT */
/* Steps of CG, BiCGSTAB, MINRES and Chebyshev against the textbooks' in double. */
#include "solve/krylov/systems.h"

#include <string.h>

/* Chebyshev's steps by three terms from x, r = b - A x, between two bounds. */
static void chebyshev(const struct qp_sparse *a, double low, double high, int steps,
                      const double *b, double *x)
{
    const int n = a->rows;
    const double middle = (high + low) / 2, half = (high - low) / 2;
    double r[N], p[N], q[N], alpha = 0.0, beta;
    multiply(a, x, q);
    for (int i = 0; i < n; i++)
        r[i] = b[i] - q[i];
    for (int k = 0; k < steps; k++) {
        beta = k == 0   ? 0.0
               : k == 1 ? half * half / middle / middle / 2
                        : half * half * alpha * alpha / 4;
        alpha = k == 0 ? 1.0 / middle : 1.0 / (middle - beta / alpha);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + (k > 0 ? beta * p[i] : 0.0);
        multiply(a, p, q);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
    }
}

/* z = M r of a polynomial of four terms between 1/30 of the largest row sum and that. */
static void precondition(const struct qp_sparse *a, bool is, const double *r, double *z)
{
    memset(z, 0, (size_t)a->rows * sizeof *z);
    if (is)
        chebyshev(a, 8.0 / 30, 8.0, 4, r, z);
    else
        memcpy(z, r, (size_t)a->rows * sizeof *z);
}

static void cg(const struct qp_sparse *a, bool polynomial, int steps, const double *b, double *x)
{
    const int n = a->rows;
    double r[N], z[N], p[N], q[N], rho = 1.0;
    memset(x, 0, (size_t)n * sizeof *x);
    memcpy(r, b, (size_t)n * sizeof *r);
    for (int k = 0; k < steps; k++) {
        precondition(a, polynomial, r, z);
        const double before = rho, beta = (rho = dot(n, r, z)) / before;
        for (int i = 0; i < n; i++)
            p[i] = z[i] + (k > 0 ? beta * p[i] : 0.0);
        multiply(a, p, q);
        const double alpha = rho / dot(n, p, q);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
    }
}

static void bicgstab(const struct qp_sparse *a, int steps, const double *b, double *x)
{
    const int n = a->rows;
    double r[N], p[N], v[N], s[N], t[N], rho = dot(n, b, b);
    memset(x, 0, (size_t)n * sizeof *x);
    memcpy(r, b, (size_t)n * sizeof *r);
    memcpy(p, b, (size_t)n * sizeof *p);
    for (int k = 0; k < steps; k++) {
        multiply(a, p, v);
        const double alpha = rho / dot(n, b, v);
        for (int i = 0; i < n; i++)
            s[i] = r[i] - alpha * v[i];
        multiply(a, s, t);
        const double omega = dot(n, t, s) / dot(n, t, t), before = rho;
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i] + omega * s[i];
            r[i] = s[i] - omega * t[i];
        }
        rho = dot(n, b, r);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rho / before * alpha / omega * (p[i] - omega * v[i]);
    }
}

/* The least residual of all x in the Krylov space: directions whose products with A are made
 * orthogonal to all before, where MINRES only looks at two. */
static void least_residual(const struct qp_sparse *a, int steps, const double *b, double *x)
{
    static double p[11][N], q[11][N];
    const int n = a->rows;
    double r[N];
    memset(x, 0, (size_t)n * sizeof *x);
    memcpy(r, b, sizeof r);
    memcpy(p[0], b, sizeof r);
    for (int k = 0; k < steps; k++) {
        multiply(a, p[k], q[k]);
        for (int j = 0; j < k; j++) {
            const double part = dot(n, q[k], q[j]) / dot(n, q[j], q[j]);
            for (int i = 0; i < n; i++) {
                p[k][i] -= part * p[j][i];
                q[k][i] -= part * q[j][i];
            }
        }
        const double alpha = dot(n, r, q[k]) / dot(n, q[k], q[k]);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[k][i];
            r[i] -= alpha * q[k][i];
            p[k + 1][i] = q[k][i];
        }
    }
}

/* Makes the matrix of five points indefinite. */
static void shift(struct qp_sparse *a)
{
    for (int i = 0; i < a->rows; i++) {
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
            a->value[k] -= a->column[k] == i ? 2.75f : 0.0f;
    }
}

static void assert_near(int n, const float *d, const double *x, double tolerance)
{
    double largest = 0.0, error = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
        error = fmax(error, fabs((double)d[i] - x[i]));
    }
    if (!(error <= tolerance * largest))
        fail_msg("%g off of %g", error, largest);
}

CLEAN_TEST(reference_steps)
{
    static const int steps[] = {1, 2, 5, 10};
    struct qp_context *context = support_need_context(state);
    float r[N], d[N];
    double b[N], x[N];
    fill(N, r, b);
    for (int m = 0; m < COUNT(methods) * 2; m++) {
        const bool unsymmetric = methods[m / 2].method == QP_KRYLOV_BICGSTAB,
                   polynomial = methods[m / 2].precondition == QP_KRYLOV_POLYNOMIAL,
                   minres = methods[m / 2].method == QP_KRYLOV_MINRES;
        struct qp_sparse a = make(N, unsymmetric ? 0.5 : 0.0, unsymmetric && m % 2 == 1);
        if (minres)
            shift(&a);
        struct qp_krylov *k =
            create(context, &a, methods[m / 2].method, methods[m / 2].precondition,
                   m % 2 == 0 ? QP_PRODUCT_BEST : QP_PRODUCT_SLICED_ELL);
        assert_int_equal(qp_krylov_layout(k),
                         m % 2 == 0 ? QP_PRODUCT_DIAGONALS : QP_PRODUCT_SLICED_ELL);
        for (int i = 0; i < COUNT(steps); i++) {
            const struct qp_krylov_result result = run(k, r, 0.0, steps[i], d);
            if (unsymmetric)
                bicgstab(&a, steps[i], b, x);
            else if (minres)
                least_residual(&a, steps[i], b, x);
            else
                cg(&a, polynomial, steps[i], b, x);
            assert_int_equal(result.steps, steps[i]);
            assert_int_equal(result.ending, QP_KRYLOV_OUT_OF_STEPS);
            assert_near(N, d, x, 2e-5);
        }
        qp_krylov_destroy(&k);
        qp_sparse_destroy(&a);
    }
}

/* Chebyshev's own steps, from the answer that CG's first ones leave. */
CLEAN_TEST(chebyshev_steps)
{
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make(N, 0.0, false);
    struct qp_krylov *k = create(context, &a, QP_KRYLOV_CHEBYSHEV, QP_KRYLOV_NONE, QP_PRODUCT_BEST);
    float r[N], d[N];
    double b[N], x[N], from[N];
    fill(N, r, b);
    run(k, r, 0.0, LEARNED, d);
    for (int i = 0; i < N; i++)
        from[i] = (double)d[i];
    for (int steps = 1; steps <= 10; steps++) {
        run(k, r, 0.0, LEARNED + steps, d);
        memcpy(x, from, sizeof x);
        assert_true(k->course.high == 8.0f && k->course.low > 0.02f && k->course.low < 0.1f);
        chebyshev(&a, (double)k->course.low, 8.0, steps, b, x);
        assert_near(N, d, x, 2e-6);
    }
    qp_krylov_destroy(&k);
    qp_sparse_destroy(&a);
}

/* Neighbours in a row of n. */
static struct qp_sparse make_chain(int n)
{
    struct qp_sparse a;
    assert_ok(qp_sparse_allocate(n, 3 * (size_t)n, &a));
    a.count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
            a.column[a.count] = j;
            a.value[a.count++] = i == j ? 2.1f : -1.0f;
        }
        a.first[i + 1] = a.count;
    }
    return a;
}

/* So many unknowns that sums take several levels: the residual that steps carry along is that of
 * the answer. */
CLEAN_TEST(levels_of_sums)
{
    enum { MANY = 80000 };
    struct qp_context *context = support_need_context(state);
    struct qp_sparse a = make_chain(MANY);
    uint64_t seed = 13;
    float *r = malloc(MANY * sizeof *r), *d = malloc(MANY * sizeof *d);
    double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y), before = 0.0, after = 0.0;
    for (int i = 0; i < MANY; i++)
        r[i] = (float)qp_random(&seed, -1.0, 1.0);
    for (int m = 0; m < COUNT(methods); m++) {
        struct qp_krylov *k =
            create(context, &a, methods[m].method, methods[m].precondition, QP_PRODUCT_BEST);
        assert_true(k->computes || k->sums.levels > 1);
        const struct qp_krylov_result result = run(k, r, 0.0, m == 3 ? LEARNED + 16 : 5, d);
        before = after = 0.0;
        for (int i = 0; i < MANY; i++)
            x[i] = (double)d[i];
        multiply(&a, x, y);
        for (int i = 0; i < MANY; i++) {
            before += (double)r[i] * (double)r[i];
            after += ((double)r[i] - y[i]) * ((double)r[i] - y[i]);
        }
        if (!(fabs(sqrt(after / before) / result.residual - 1.0) < 0.03))
            fail_msg("method %d: %g, not %g", m, result.residual, sqrt(after / before));
        assert_true(result.residual < 0.3);
        qp_krylov_destroy(&k);
    }
    free(r);
    free(d);
    free(x);
    free(y);
    qp_sparse_destroy(&a);
}

/* Both forms agree on vectors that end within a row of groups, a group, or a texel, in rows of any
 * length; every unknown counts in the sums, and the square of the residual is that of all. */
CLEAN_TEST(odd_sizes)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 31, 33, 255, 1023, 1025, 4097};
    struct qp_context *context = support_need_context(state);
    static float r[4097], d[4097], other[4097];
    for (int i = 0; i < COUNT(sizes) * COUNT(methods); i++) {
        const int n = sizes[i / COUNT(methods)], m = i % COUNT(methods);
        struct qp_sparse a = make_chain(n);
        for (int j = 0; j < n; j++)
            r[j] = j == n - 1 ? 1.0f : j % 3 == 0 ? 0.1f : 0.01f;
        struct qp_krylov_result result[2];
        for (int with = 0; with < 2; with++) {
            struct qp_krylov *k;
            const struct qp_krylov_desc desc = {.context = context,
                                                .matrix = &a,
                                                .method = methods[m].method,
                                                .precondition = methods[m].precondition,
                                                .layout = i % 2 == 0 ? QP_PRODUCT_BEST
                                                                     : QP_PRODUCT_SLICED_ELL,
                                                .form = with ? form : QP_KRYLOV_FRAGMENTS};
            assert_ok(qp_krylov_create(&desc, &k));
            result[with] = run(k, r, 0.0, 4, with ? d : other);
            qp_krylov_destroy(&k);
        }
        assert_true(fabs(result[0].residual - result[1].residual) < 1e-5);
        assert_true(n < 6 || result[1].residual > 1e-5);
        for (int j = 0; j < n; j++)
            assert_true(fabsf(d[j] - other[j]) < 1e-5f);
        qp_sparse_destroy(&a);
    }
}

GROUP(open_for_fragments, support_close_context)
GROUP(open_for_compute, support_close_context)
