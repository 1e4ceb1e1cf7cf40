/* SPDX-License-Identifier: MIT */
/* Matrices to be eliminated: random ones with known properties, and famous ones. */
#include <math.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "toolkit/base/random.h"
#include "toolkit/base/watch.h"

const struct qp_kind qp_matrix_kinds[QP_MATRIX_KINDS + 1] = {
    [QP_MATRIX_DOMINANT] = {.name = "dominant",
                            .what = "random, diagonally dominant: no rows need be exchanged"},
    [QP_MATRIX_INVERSE] = {.name = "inverse",
                           .what = "dominant, with the identity as right-hand sides"},
    [QP_MATRIX_EXACT] = {.name = "exact",
                         .what = "I + u v' with signs u and v: nothing is rounded, in 16 bits "
                                 "either, at any size",
                         .benched = true},
    [QP_MATRIX_GENERAL] = {.name = "general",
                           .what = "random; some pivots are small unless rows are exchanged"},
    [QP_MATRIX_ORTHOGONAL] = {.name = "orthogonal", .what = "random rotations, of condition 1"},
    [QP_MATRIX_ILL] = {.name = "ill", .what = "random, of the condition that --condition says"},
    [QP_MATRIX_PERMUTED] = {.name = "permuted", .what = "the rows of an identity shuffled"},
    [QP_MATRIX_HILBERT] = {.name = "hilbert",
                           .what = "c / (i + j + 1), of condition e^(3.5 N); c makes it exact in "
                                   "float up to N = 11",
                           .unchecked = true,
                           .solved = true},
    [QP_MATRIX_WILKINSON] = {.name = "wilkinson",
                             .what = "partial pivoting lets its last column grow to 2^(N-1)",
                             .unchecked = true},
};

static void fill_uniform(double *a, size_t count, uint64_t *state)
{
    enum { LINE = 1 << 16 };
    for (size_t i = 0; i < count; i++) {
        if (i % LINE == 0 && qp_watch_leaves((double)i / (double)count))
            return;
        a[i] = qp_random(state, -1.0, 1.0);
    }
}

/* Plants small pivots: rows 0, 5, 10 ... get zeros left of the diagonal and on it some 2^-24. No
 * matter which rows change places before its column, such a row is unchanged when its column comes,
 * so that elimination without pivoting divides by 2^-24: about all digits of all rows below are
 * lost, though nothing is 0. Every fifth row, since panels, strips and fours of columns begin at
 * other ones. The condition does not change: the element beside the diagonal is no small one, and
 * the last rows are left alone. */
static void plant_small_pivots(double *a, int n, uint64_t *state)
{
    for (int k = 0; k + 1 < n && (k == 0 || k + 4 < n); k += 5) {
        double *row = a + (size_t)k * (size_t)n;
        for (int j = 0; j < k; j++)
            row[j] = 0.0;
        row[k] = copysign(ldexp(qp_random(state, 1.0, 2.0), -25), row[k]);
        row[k + 1] = copysign(0.5 + 0.5 * fabs(row[k + 1]), row[k + 1]);
    }
}

/* |a_ii| is between once and one and a half times what the rest of its row adds up to. */
static void make_dominant(double *a, int n, uint64_t *state)
{
    for (int i = 0; i < n && !qp_watch_leaves((double)i / n); i++) {
        double *row = a + (size_t)i * (size_t)n, rest = 0.0;
        for (int j = 0; j < n; j++)
            rest += j != i ? fabs(row[j]) : 0.0;
        row[i] = copysign((rest + 0.1) * qp_random(state, 1.05, 1.5), row[i]);
    }
}

/* Turns two rows, or two columns, by one angle: an orthogonal change. `step` leads from one of
 * their values to the next. */
static void rotate(double *u, double *v, int n, size_t step, double angle)
{
    double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < (size_t)n * step; i += step) {
        double old = u[i];
        u[i] = c * old - s * v[i];
        v[i] = s * old + c * v[i];
    }
}

/* Mixes all rows, or all columns: in each of about log2 n rounds every row is rotated with one
 * twice as far away as in the round before. */
static void mix(double *a, int n, size_t line, size_t step, uint64_t *state)
{
    for (int apart = 1; apart < n; apart *= 2) {
        for (int i = 0; i + apart < n && !qp_watch_leaves((double)i / n); i++)
            rotate(a + (size_t)i * line, a + (size_t)(i + apart) * line, n, step,
                   qp_random(state, 0.5, 5.8));
    }
}

/* U diag(1 ... 1/condition) V with orthogonal U and V. */
static void fill_singular(double *a, int n, double condition, uint64_t *state)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[(size_t)i * (size_t)n + (size_t)j] =
                i == j ? pow(condition, -(double)i / (n > 1 ? n - 1 : 1)) : 0.0;
    }
    mix(a, n, (size_t)n, 1, state);
    mix(a, n, 1, (size_t)n, state);
}

/* A random permutation of the identity's rows (Fisher and Yates). */
static void fill_permuted(double *a, int n, uint64_t *state)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[(size_t)i * (size_t)n + (size_t)j] = i == j ? 1.0 : 0.0;
    }
    for (int i = n - 1; i > 0 && !qp_watch_leaves(1.0 - (double)i / n); i--) {
        int k = (int)qp_random(state, 0.0, (double)i + 1.0);
        for (int j = 0; j < n; j++) {
            double *here = a + (size_t)i * (size_t)n + j, *there = a + (size_t)k * (size_t)n + j;
            double old = *here;
            *here = *there;
            *there = old;
        }
    }
}

/* Ones on the diagonal and in the last column, -1 below the diagonal (Wilkinson 1961). */
static double wilkinson(int n, int i, int j)
{
    if (i == j || j == n - 1)
        return 1.0;
    return j < i ? -1.0 : 0.0;
}

/* The factor c, from 1/2 to 1, with which float holds c / k for all k below 2 n: the odd part of
 * their least common multiple, while that has no more than float's 24 bits; else 1. */
static double hilbert_unit(int n)
{
    long unit = 1;
    for (int k = 3; k < 2 * n; k += 2) {
        long a = unit, b = k;
        while (b != 0) {
            const long rest = a % b;
            a = b;
            b = rest;
        }
        unit *= k / a;
        if (unit >= 1L << 24)
            return 1.0;
    }
    int exponent;
    return frexp((double)unit, &exponent);
}

/* I + u v', u_i = 1 or -1, v_i = u_i or, for odd i, -u_i. After k columns the rest of it is I + c u
 * v' with c = 1 / (1 + sum of u_i v_i, i < k), which is 1 where k is even and 1/2 where it is odd,
 * and the rows above hold c u v'. So pivots are 2 and 1/2 in turn, quotients are exact, and all
 * elements multiples of 1/2 up to 2. Every second one of the diagonal is 0 until elimination fills
 * it. */
static void fill_exact(double *a, int n, uint64_t *state)
{
    const size_t next = (size_t)n + 1;
    for (int i = 0; i < n; i++)
        a[(size_t)i * next] = qp_random(state, -1.0, 1.0) < 0.0 ? -1.0 : 1.0; /* u_i */
    for (int i = 0; i < n && !qp_watch_leaves((double)i / n); i++) {
        for (int j = 0; j < n; j++) {
            if (j != i)
                a[(size_t)i * (size_t)n + (size_t)j] =
                    a[(size_t)i * next] * a[(size_t)j * next] * (j % 2 ? -1.0 : 1.0);
        }
    }
    for (int i = 0; i < n; i++)
        a[(size_t)i * next] = i % 2 ? 0.0 : 2.0;
}

/* After k columns the right-hand side is x_i + c u_i t, t the sum of v_j x_j, j >= k. Integers up
 * to 4, each of the sign that takes t towards 0, keep t from -4 to 4. */
static void fill_exact_unknowns(int n, const double *a, uint64_t *state, double *x)
{
    double t = 0.0;
    for (int j = n - 1; j >= 0; j--) {
        const double v = a[j] - (j == 0 ? 1.0 : 0.0); /* by u_0 */
        const double part = floor(qp_random(state, 1.0, 5.0));
        const bool up = t < 0.0 || (t == 0.0 && qp_random(state, -1.0, 1.0) < 0.0);
        x[j] = (up ? part : -part) * v;
        t += v * x[j];
    }
}

void qp_matrix_fill_unknowns(enum qp_matrix_kind kind, int n, const double *a, uint64_t *state,
                             double *x)
{
    if (kind == QP_MATRIX_EXACT)
        fill_exact_unknowns(n, a, state, x);
    else
        fill_uniform(x, (size_t)n, state);
}

void qp_matrix_fill(enum qp_matrix_kind kind, int n, double condition, uint64_t *state, double *a)
{
    double unit = 1.0;
    switch (kind) {
    case QP_MATRIX_EXACT:
        fill_exact(a, n, state);
        break;
    case QP_MATRIX_ORTHOGONAL:
        fill_singular(a, n, 1.0, state);
        break;
    case QP_MATRIX_ILL:
        fill_singular(a, n, condition, state);
        break;
    case QP_MATRIX_PERMUTED:
        fill_permuted(a, n, state);
        break;
    case QP_MATRIX_HILBERT:
        unit = hilbert_unit(n);
        /* fall through */
    case QP_MATRIX_WILKINSON:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                a[(size_t)i * (size_t)n + (size_t)j] =
                    kind == QP_MATRIX_HILBERT ? unit / (i + j + 1) : wilkinson(n, i, j);
        }
        break;
    default:
        fill_uniform(a, (size_t)n * (size_t)n, state);
        if (kind == QP_MATRIX_GENERAL)
            plant_small_pivots(a, n, state);
        else
            make_dominant(a, n, state);
    }
}
