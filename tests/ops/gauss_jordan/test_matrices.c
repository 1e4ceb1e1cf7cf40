/* SPDX-License-Identifier: MIT */
/* Matrices to be eliminated are what their names say. */
#include "support/support.h"

#include <math.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/problem.h"

/* Rows are dominant, rotations orthogonal, permutations hold a one in each row and column. */
TEST(matrices_are_what_they_are_called)
{
    enum { N = 20 };
    double a[N * N];
    uint64_t seed = 5;
    qp_matrix_fill(QP_MATRIX_DOMINANT, N, 1.0, &seed, a);
    for (int i = 0; i < N; i++) {
        double rest = 0.0;
        for (int j = 0; j < N; j++)
            rest += i != j ? fabs(a[i * N + j]) : 0.0;
        assert_true(fabs(a[i * N + i]) > rest);
    }
    qp_matrix_fill(QP_MATRIX_ORTHOGONAL, N, 1.0, &seed, a);
    for (int i = 0; i < N * N; i++) {
        double product = 0.0;
        for (int j = 0; j < N; j++)
            product += a[i / N * N + j] * a[i % N * N + j];
        assert_true(fabs(product - (i / N == i % N)) < 1e-14);
    }
    for (int i = 0; i < N; i++) { /* nor is it the identity in disguise: all directions are mixed */
        double most = 0.0;
        for (int j = 0; j < N; j++)
            most = fmax(most, fabs(a[i * N + j]));
        assert_true(most > 0.05 && most < 0.99);
    }
    qp_matrix_fill(QP_MATRIX_PERMUTED, N, 1.0, &seed, a);
    for (int i = 0; i < N; i++) {
        double row = 0.0, column = 0.0;
        for (int j = 0; j < N; j++) {
            row += a[i * N + j];
            column += a[j * N + i];
            assert_true(a[i * N + j] == 0.0 || a[i * N + j] == 1.0);
        }
        assert_true(row == 1.0 && column == 1.0);
    }
}

/* Fisher and Yates: each of the six orders of three rows, about as often as the others. */
TEST(permutations_are_all_there)
{
    enum { TRIES = 600 };
    int seen[27] = {0}, orders = 0;
    uint64_t seed = 9;
    for (int k = 0; k < TRIES; k++) {
        double a[9], order = 0.0;
        qp_matrix_fill(QP_MATRIX_PERMUTED, 3, 1.0, &seed, a);
        for (int i = 0; i < 3; i++)
            order = 3.0 * order + a[3 * i + 1] + 2.0 * a[3 * i + 2];
        seen[(int)order]++;
    }
    for (int k = 0; k < COUNT(seen); k++) {
        assert_true(seen[k] == 0 || (seen[k] > TRIES / 10 && seen[k] < TRIES / 4));
        orders += seen[k] > 0;
    }
    assert_int_equal(orders, 6);
}

/* The 2-norm and the condition of "ill" are as requested, and no row or column is apart from the
 * others. By powers of A'A the largest singular value; A^-1 is the host's, in double. */
static double largest_singular_value(int n, const double *a)
{
    double x[64], y[64], norm = 1.0;
    for (int i = 0; i < n; i++)
        x[i] = 1.0 + 0.1 * i;
    for (int k = 0; k < 400; k++) {
        for (int i = 0; i < n; i++) {
            y[i] = 0.0;
            for (int j = 0; j < n; j++)
                y[i] += a[i * n + j] * x[j];
        }
        norm = 0.0;
        for (int i = 0; i < n; i++) {
            x[i] = 0.0;
            for (int j = 0; j < n; j++)
                x[i] += a[j * n + i] * y[j];
            norm += x[i] * x[i];
        }
        norm = sqrt(norm);
        for (int i = 0; i < n; i++)
            x[i] /= norm;
    }
    return sqrt(norm);
}

TEST(ill_has_its_condition)
{
    enum { N = 20 };
    for (double condition = 10.0; condition < 1e5; condition *= 30.0) {
        double a[N * N], inverse[N * N], unit[N * N] = {0}, ignored;
        struct qp_market matrix = {N, N, N * N, true, NULL, NULL, a};
        uint64_t seed = 5;
        qp_matrix_fill(QP_MATRIX_ILL, N, condition, &seed, a);
        for (int i = 0; i < N; i++) {
            double most = 0.0, rest = 0.0;
            unit[i * N + i] = 1.0;
            for (int j = 0; j < N; j++) {
                most = fmax(most, fabs(a[i * N + j]));
                rest += fabs(a[i * N + j]);
            }
            assert_true(rest > 1.5 * most);
        }
        if (baseline_solve_dense(&matrix, unit, N, inverse, &ignored) == QP_UNSUPPORTED)
            support_skip("blas");
        const double most = largest_singular_value(N, a);
        assert_true(fabs(most - 1.0) < 1e-6);
        assert_true(fabs(most * largest_singular_value(N, inverse) / condition - 1.0) < 1e-6);
    }
}

/* 1e4 where a description says nothing. */
TEST(ill_has_a_usual_condition)
{
    enum { N = 12 };
    static const double conditions[] = {0.0, 1e4, 1e3};
    struct qp_problem made[3];
    for (int k = 0; k < 3; k++) {
        const struct qp_problem_desc desc = {.op = "gauss_jordan",
                                             .kind = "ill",
                                             .width = N + 1,
                                             .height = N,
                                             .seed = 3,
                                             .condition = conditions[k]};
        assert_ok(qp_problem_create(&desc, &made[k]));
    }
    const float *usual = made[0].field[QP_GAUSS_JORDAN_AUGMENTED].values;
    const size_t bytes = (size_t)N * (N + 1) * sizeof *usual;
    assert_memory_equal(usual, made[1].field[QP_GAUSS_JORDAN_AUGMENTED].values, bytes);
    assert_memory_not_equal(usual, made[2].field[QP_GAUSS_JORDAN_AUGMENTED].values, bytes);
    for (int k = 0; k < 3; k++)
        qp_problem_destroy(&made[k]);
}

/* Every number of an `exact` elimination is a multiple of 1/2 between -8 and 8, quotients and
 * products too, so formats with five binary digits hold them all; and x is what b was made of. */
TEST(exact_is_exact)
{
    enum { N = 201 };
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = "exact", .width = N + 2, .height = N, .seed = 3};
    struct qp_problem problem;
    static double a[N][N + 2];
    assert_ok(qp_problem_create(&desc, &problem));
    for (int i = 0; i < N * (N + 2); i++)
        a[i / (N + 2)][i % (N + 2)] = problem.field[QP_GAUSS_JORDAN_AUGMENTED].values[i];
    for (int k = 0; k < N; k++) {
        const double pivot = a[k][k];
        assert_true(pivot == (k % 2 ? 0.5 : 2.0));
        for (int j = k; j < N + 2; j++)
            a[k][j] /= pivot;
        for (int i = 0; i < N; i++) {
            const double factor = a[i][k];
            for (int j = k; j < N + 2 && i != k; j++) {
                a[i][j] -= factor * a[k][j];
                assert_true(fabs(factor * a[k][j]) <= 16.0 && fabs(a[i][j]) <= 8.0);
                assert_true(4.0 * factor * a[k][j] == rint(4.0 * factor * a[k][j]));
                assert_true(2.0 * a[i][j] == rint(2.0 * a[i][j]));
            }
        }
    }
    for (int i = 0; i < N; i++)
        assert_true(fabs(a[i][N]) >= 1.0 && fabs(a[i][N + 1]) <= 4.0);
    assert_true(problem.op->half->tolerance(&problem, 1) == 0.0);
    qp_problem_destroy(&problem);
}
