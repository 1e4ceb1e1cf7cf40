/* SPDX-License-Identifier: MIT */
/* Opponents and judges from other libraries: right where the build has them, skipped by name where
 * not. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/jacobi9/jacobi9.h"

static struct qp_problem make(bool wraps, int width, int height)
{
    struct qp_problem problem;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){.width = width, .height = height, .wraps = wraps, .seed = 7},
        &problem));
    return problem;
}

/* ---- The variant that calls BLAS ---- */

/* Skips where the build has no BLAS, and where nobody lent the sweep: the library alone never has
 * it. */
TEST(unlent_row_is_skipped)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/blas");
    struct qp_problem problem = make(false, 5, 4);
    struct qp_market matrix;
    struct qp_result result;
    struct qp_solution solution;
    qp_sweep_function *lent = qp_lent_jacobi9_blas.sweep;
    assert_string_equal(qp_variant_library(variant), "BLAS");
    assert_null(qp_variant_library(qp_variant_find("jacobi9/openmp")));
    qp_lent_jacobi9_blas.sweep = NULL;
    assert_int_equal(qp_variant_takes(variant, &problem), QP_UNSUPPORTED);
    assert_ok(qp_walk(NULL, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    assert_string_equal(result.reason, "built without BLAS");
    assert_ok(baseline_matrix(&problem, &matrix));
    assert_int_equal(
        qp_solve(NULL, &matrix, NULL, NULL, &(struct qp_solve_desc){.variant = variant}, &solution),
        QP_UNSUPPORTED);
    support_assert_sentence("built without BLAS");
    qp_market_destroy(&matrix);
    qp_problem_destroy(&problem);
    qp_lent_jacobi9_blas.sweep = lent;
}

/* It goes the same way as the plain loop over separate bands, and must come out where it does. */
TEST(lent_row_agrees_with_the_loop)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/blas");
    const struct qp_variant *loop = qp_variant_find("jacobi9/bands_cpu");
    const struct qp_walk_desc desc = {.iterations = 9, .keep_solution = true};
    struct qp_result got, wanted;
    if (!support_is_built(variant)) {
        qp_fail(QP_UNSUPPORTED, "built without BLAS");
        support_skip("blas");
    }
    for (int wraps = 0; wraps <= 1; wraps++) {
        struct qp_problem problem = make(wraps, 13, 11);
        assert_ok(qp_walk(NULL, variant, &problem, &desc, &got));
        assert_ok(qp_walk(NULL, loop, &problem, &desc, &wanted));
        assert_int_equal(got.verdict, QP_PASS);
        for (int i = 0; i < 13 * 11; i++)
            assert_true(fabsf(got.solution.values[i] - wanted.solution.values[i]) < 1e-5f);
        qp_matrix_destroy(&got.solution);
        qp_matrix_destroy(&wanted.solution);
        qp_problem_destroy(&problem);
    }
}

/* ---- The judge of solves ---- */

/* y = A x. */
static void multiply(const struct qp_market *a, const double *x, double *y)
{
    memset(y, 0, (size_t)a->rows * sizeof *y);
    for (size_t k = 0; k < a->count; k++)
        y[a->row[k]] += a->value[k] * x[a->column[k]];
}

/* A step with weight 1 is x + D^-1 (b - A x), so it gives A x without the matrix's entries. */
TEST(matrix_is_the_problem)
{
    for (int wraps = 0; wraps <= 1; wraps++) {
        struct qp_problem problem = make(wraps, 6, 5);
        struct qp_market matrix;
        double x[30], next[30], product[30], scale = 0.0;
        assert_ok(baseline_matrix(&problem, &matrix));
        for (int i = 0; i < 30; i++)
            x[i] = 1.0 / (i + 1.0);
        problem.weight = 1.0;
        problem.op->step(&problem, x, next, &scale);
        multiply(&matrix, x, product);
        for (int i = 0; i < 30; i++) {
            double wanted = problem.field[QP_JACOBI9_B].values[i] -
                            problem.field[QP_JACOBI9_DD].values[i] * (next[i] - x[i]);
            assert_true(fabs(product[i] - wanted) < 1e-12);
        }
        qp_market_destroy(&matrix);
        qp_problem_destroy(&problem);
    }
}

TEST(star_is_the_file)
{
    struct qp_market file, made, dense = support_dense(900);
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &file));
    assert_ok(baseline_gr_30_30(&made));
    assert_int_equal(made.rows, file.rows);
    assert_int_equal(made.count, file.count);
    for (size_t k = 0; k < file.count; k++)
        *support_entry(&dense, file.row[k], file.column[k]) = file.value[k];
    for (size_t k = 0; k < made.count; k++)
        assert_true(*support_entry(&dense, made.row[k], made.column[k]) == made.value[k]);
    qp_market_destroy(&file);
    qp_market_destroy(&made);
    qp_market_destroy(&dense);
}

/* KLU is there, or the sentence says that it is not and the test is skipped. */
static void need_solver(void)
{
    struct qp_market one = support_dense(1);
    double b = 6.0, x, condition;
    *support_entry(&one, 0, 0) = 2.0;
    enum qp_status status = baseline_solve(&one, &b, &x, &condition);
    qp_market_destroy(&one);
    if (status == QP_OK && x == 3.0 && condition == 1.0)
        return;
    assert_int_equal(status, QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "built without SuiteSparse");
    support_skip("blas");
}

/* Worked out with a pencil: matrix row by row, right-hand side, solution, ||A||_1 ||A^-1||_1. */
static const struct {
    int rows;
    double a[9], b[3], x[3], condition;
} by_hand[] = {
    {2, {1, 0, 0, 10}, {3, 20}, {3, 2}, 10},                   /* diagonal */
    {2, {0, 1, 2, 3}, {4, 22}, {5, 4}, 10},                    /* a zero pivot: needs an exchange */
    {3, {2, 1, 0, 1, 2, 1, 0, 1, 2}, {4, 8, 8}, {1, 2, 3}, 8}, /* tridiagonal */
};

TEST(systems_by_hand)
{
    need_solver();
    for (size_t k = 0; k < COUNT(by_hand); k++) {
        int n = by_hand[k].rows;
        struct qp_market a = support_dense(n);
        double x[3], condition;
        for (int i = 0; i < n * n; i++)
            *support_entry(&a, i / n, i % n) = by_hand[k].a[i];
        assert_ok(baseline_solve(&a, by_hand[k].b, x, &condition));
        for (int i = 0; i < n; i++)
            assert_true(fabs(x[i] - by_hand[k].x[i]) < 1e-14);
        if (fabs(condition - by_hand[k].condition) > 1e-12)
            fail_msg("condition %zu is %g", k, condition);
        qp_market_destroy(&a);
    }
}

TEST(sparse_is_as_dense)
{
    struct qp_problem problem = make(true, 5, 4);
    struct qp_market sparse, dense = support_dense(20);
    double b[20], x[20], same[20], product[20], condition, again;
    need_solver();
    assert_ok(baseline_matrix(&problem, &sparse));
    for (size_t k = 0; k < sparse.count; k++)
        *support_entry(&dense, sparse.row[k], sparse.column[k]) = sparse.value[k];
    for (int i = 0; i < 20; i++)
        b[i] = i - 7.5;
    assert_ok(baseline_solve(&sparse, b, x, &condition));
    assert_ok(baseline_solve(&dense, b, same, &again));
    multiply(&sparse, x, product);
    for (int i = 0; i < 20; i++)
        assert_true(fabs(product[i] - b[i]) < 1e-13 && fabs(x[i] - same[i]) < 1e-13);
    assert_true(fabs(condition - again) < 1e-9 * again);
    qp_market_destroy(&sparse);
    qp_market_destroy(&dense);
    qp_problem_destroy(&problem);
}

TEST(no_solution)
{
    struct qp_market a = support_dense(2);
    double b[2] = {1.0, 1.0}, x[2], condition;
    need_solver();
    for (int k = 0; k < 4; k++)
        a.value[k] = 1.0;
    assert_int_equal(baseline_solve(&a, b, x, &condition), QP_BAD_INPUT);
    support_assert_sentence("singular");
    a.columns = 1;
    assert_int_equal(baseline_solve(&a, b, x, &condition), QP_BAD_INPUT);
    support_assert_sentence("2 x 1");
    qp_market_destroy(&a);
}

/* ---- The judge of dense solves ---- */

/* The same by LAPACK, two sides at once. */
TEST(dense_systems_by_hand)
{
    for (size_t k = 0; k < COUNT(by_hand); k++) {
        int n = by_hand[k].rows;
        struct qp_market a = support_dense(n);
        double b[6], x[6], condition;
        for (int i = 0; i < n * n; i++)
            *support_entry(&a, i / n, i % n) = by_hand[k].a[i];
        for (int i = 0; i < 2 * n; i++)
            b[i] = by_hand[k].b[i % n] * (i < n ? 1.0 : -2.0);
        enum qp_status status = baseline_solve_dense(&a, b, 2, x, &condition);
        if (status == QP_UNSUPPORTED)
            support_skip("blas");
        assert_ok(status);
        for (int i = 0; i < 2 * n; i++)
            assert_true(fabs(x[i] - by_hand[k].x[i % n] * (i < n ? 1.0 : -2.0)) < 1e-13);
        if (fabs(condition - by_hand[k].condition) > 1e-12 * condition)
            fail_msg("condition %zu is %g", k, condition);
        a.value[0] = a.value[1] = a.value[n - 1] = 0.0;
        assert_int_equal(baseline_solve_dense(&a, b, 2, x, &condition), QP_BAD_INPUT);
        support_assert_sentence("column 1 has no pivot");
        a.columns--;
        assert_int_equal(baseline_solve_dense(&a, b, 2, x, &condition), QP_BAD_INPUT);
        qp_market_destroy(&a);
    }
}

/* Built-in matrices equal the files in data/, and all judges agree on their solutions. */
TEST(files_are_built_in)
{
    static const char *const names[] = {"west0067.mtx", "impcol_a.mtx"};
    for (size_t k = 0; k < COUNT(names); k++) {
        struct qp_market built, file;
        char path[512];
        snprintf(path, sizeof path, "%s/data/%s", QP_SOURCE_DIR, names[k]);
        assert_ok(qp_market_read(path, &file));
        assert_ok(baseline_file(names[k], &built));
        assert_true(file.rows == built.rows && file.count == built.count);
        assert_memory_equal(file.value, built.value, file.count * sizeof *file.value);
        assert_memory_equal(file.row, built.row, file.count * sizeof *file.row);
        qp_market_destroy(&file);
        qp_market_destroy(&built);
    }
    struct qp_market none;
    assert_int_equal(baseline_file("none.mtx", &none), QP_BAD_USE);
}
