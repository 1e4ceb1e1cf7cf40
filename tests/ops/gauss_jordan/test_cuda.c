/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan on CUDA: sizes about the edges of panels, tiles, blocks and
 * clusters, what elimination leaves, columns without a pivot, and solves of
 * whole systems. Without a device: what is refused, and scratch memory. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <quadpass/dense.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan/kernels.h"

static const char *const rows[] = {"gauss_jordan/cuda_column", "gauss_jordan/cuda_column_pivoted",
                                   "gauss_jordan/cuda_blocked", "gauss_jordan/cuda_tf32",
                                   "gauss_jordan/cuda_cusolver"};

enum { OURS = COUNT(rows) - 1 }; /* the last one is cuSOLVER's */

static struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = kind, .width = width, .height = height, .seed = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(void **state, const char *name, struct qp_problem *problem, int steps)
{
    const struct qp_walk_desc desc = {.iterations = steps, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(*state, qp_variant_find(name), problem, &desc, &result));
    return result;
}

/* Skips the test where there is no device; cuSOLVER alone may be missing. */
static void need_cuda(void)
{
    if (!support_is_built(qp_variant_find("gauss_jordan/cuda_blocked")))
        skip();
}

static bool pivots(const char *name)
{
    return qp_gauss_jordan_exchanges_rows(qp_variant_find(name)->recipe);
}

/* ---- Without a device ---- */

CLEAN_TEST(refusals)
{
    struct qp_problem problem = make("general", 5, 5);
    assert_int_equal(qp_variant_takes(qp_variant_find(rows[0]), &problem), QP_UNSUPPORTED);
    support_assert_sentence("is not for the problem 'general'");
    for (int i = 1; i < OURS; i++)
        assert_int_equal(qp_variant_takes(qp_variant_find(rows[i]), &problem), QP_OK);
    const struct qp_cuda_kernel *lent = qp_lent_gauss_jordan_cusolver.kernel;
    qp_lent_gauss_jordan_cusolver.kernel = NULL;
    assert_int_equal(qp_variant_takes(qp_variant_find(rows[OURS]), &problem), QP_UNSUPPORTED);
    support_assert_sentence("built without cuSOLVER");
    qp_lent_gauss_jordan_cusolver.kernel = lent;
    qp_problem_destroy(&problem);
}

/* The log and [A | b] twice at least, and not much more than that of a large
 * matrix. */
CLEAN_TEST(scratch_memory)
{
    const struct qp_cuda_kernel *kernels[] = {
        &qp_kernel_gauss_jordan_column, &qp_kernel_gauss_jordan_column_pivoted,
        &qp_kernel_gauss_jordan_blocked, &qp_kernel_gauss_jordan_tf32};
    if (kernels[0]->scratch == NULL)
        skip(); /* built without CUDA */
    for (int i = 0; i < COUNT(kernels); i++) {
        for (int n = 1; n <= 40000; n = 3 * n + 1) {
            const struct qp_launch launch = {.width = n + 3, .height = n};
            const double bytes = kernels[i]->scratch(&launch), log = 16.0 * n,
                         matrix = 4.0 * n * (n + 3.0);
            assert_true(bytes >= log + 2.0 * matrix);
            assert_true(n < 2000 || bytes <= log + 2.3 * matrix);
        }
    }
}

/* ---- With one ---- */

/* Panels have 64 columns, tiles 128 rows and columns, blocks of threads 256
 * rows. */
CLEAN_TEST(awkward_sizes)
{
    static const int sizes[][2] = {{1, 1},     {63, 1},   {64, 2},   {65, 64}, {128, 65},
                                   {129, 200}, {192, 63}, {255, 3},  {256, 1}, {257, 64},
                                   {511, 1},   {513, 3},  {577, 70}, {1100, 1}};
    need_cuda();
    for (int i = 0; i < COUNT(sizes); i++) {
        const int n = sizes[i][0];
        struct qp_problem problem = make("general", n + sizes[i][1], n);
        for (int row = 1; row < COUNT(rows); row++) {
            struct qp_result result = walk(state, rows[row], &problem, 1);
            if (result.verdict == QP_FAIL)
                fail_msg("%s, %d + %d: %s", rows[row], n, sizes[i][1], result.reason);
            assert_true(row == OURS || result.verdict == QP_PASS);
            qp_matrix_destroy(&result.solution);
        }
        qp_problem_destroy(&problem);
    }
}

/* Panels higher than a cluster, of 16 blocks of 512 rows at most, go by the
 * grid; as less and less is left, the others go by clusters of every size. The
 * tolerance for this number of unknowns does not include their growth, so the
 * error is compared with what LAPACK leaves, which went from panel to panel
 * likewise. */
CLEAN_TEST(higher_than_a_cluster)
{
    need_cuda();
    struct qp_problem problem = make("general", 8300, 8300);
    struct qp_result result = walk(state, "gauss_jordan/cuda_blocked", &problem, 1);
    assert_int_equal(result.verdict, QP_PASS);
    qp_matrix_destroy(&result.solution);
    if (support_is_built(qp_variant_find("gauss_jordan/sgesv"))) {
        struct qp_result lapack = walk(state, "gauss_jordan/sgesv", &problem, 1);
        assert_int_equal(lapack.verdict, QP_PASS);
        assert_true(result.error <= 8.0 * lapack.error);
        qp_matrix_destroy(&lapack.solution);
    }
    qp_problem_destroy(&problem);
}

/* The identity is left of x, exactly where the variant says so and nearly where
 * it was computed; and another step begins from the start, so it gives the same
 * bits. */
CLEAN_TEST(leaves_the_identity)
{
    enum { N = 150 };
    need_cuda();
    struct qp_problem problem = make("dominant", N + 2, N);
    for (int row = 0; row < COUNT(rows); row++) {
        struct qp_result once = walk(state, rows[row], &problem, 1),
                         again = walk(state, rows[row], &problem, 3);
        const double away = row < 2 ? 1e-5 : 0.0;
        for (int i = 0; i < N * N && once.verdict == QP_PASS; i++)
            assert_true(fabs(once.solution.values[i / N * (N + 2) + i % N] -
                             (i % (N + 1) == 0 ? 1.0 : 0.0)) <= away);
        if (once.verdict == QP_PASS)
            assert_memory_equal(once.solution.values, again.solution.values,
                                sizeof(float) * N * (N + 2));
        assert_true(row == OURS || once.verdict == QP_PASS);
        qp_matrix_destroy(&once.solution);
        qp_matrix_destroy(&again.solution);
    }
    qp_problem_destroy(&problem);
}

/* In the first panel and after it. */
CLEAN_TEST(singular_columns_are_named)
{
    enum { N = 140 };
    static const int zero[] = {0, 3, 69, N - 1};
    need_cuda();
    for (int i = 0; i < COUNT(zero); i++) {
        struct qp_problem problem = make("dominant", N, N);
        for (int row = 0; row < N; row++)
            problem.field[0].values[row * problem.width + zero[i]] = 0.0f;
        for (int row = 0; row < COUNT(rows); row++) {
            char words[64];
            struct qp_result result = walk(state, rows[row], &problem, 1);
            if (pivots(rows[row]))
                snprintf(words, sizeof words, "column %d has no pivot", zero[i] + 1);
            else
                snprintf(words, sizeof words, "the pivot of column %d is 0", zero[i] + 1);
            assert_true(row == OURS || result.verdict == QP_FAIL);
            if (result.verdict == QP_FAIL && strstr(result.reason, words) == NULL)
                fail_msg("%s says '%s'", rows[row], result.reason);
            qp_matrix_destroy(&result.solution);
        }
        qp_problem_destroy(&problem);
    }
}

/* Numbers that are none do not hang a search, and are reported. */
CLEAN_TEST(not_a_number)
{
    need_cuda();
    struct qp_problem problem = make("general", 70, 70);
    for (int i = 0; i < 70; i++)
        problem.field[0].values[i * problem.width + 66] = NAN;
    for (int row = 1; row < OURS; row++) {
        struct qp_result result = walk(state, rows[row], &problem, 1);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, "the pivot of column 67 is"));
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* ---- Whole systems ---- */

CLEAN_TEST(solves)
{
    enum { N = 100 };
    need_cuda();
    struct qp_market a = support_random_dense(N, 5);
    for (int row = 1; row < COUNT(rows); row++) {
        const struct qp_dense_desc desc = {
            .variant = qp_variant_find(rows[row]), .tolerance = 1e-12, .refine = true};
        struct qp_dense_solution solution;
        enum qp_status status = qp_solve_dense(*state, &a, NULL, 1, &desc, &solution);
        if (row == OURS && status == QP_UNSUPPORTED)
            continue;
        assert_ok(status);
        assert_int_equal(solution.ending, QP_CONVERGED);
        for (int i = 0; i < N; i++)
            assert_true(fabs(solution.x[i] - 1.0) < 1e-9);
        qp_dense_solution_destroy(&solution);
        assert_ok(
            qp_invert(*state, &a, &(struct qp_dense_desc){.variant = desc.variant}, &solution));
        assert_true(solution.residual < 1e-3);
        qp_dense_solution_destroy(&solution);
    }
    qp_market_destroy(&a);
}

GROUP(support_open_context, support_close_context)
