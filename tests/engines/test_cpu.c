/* SPDX-License-Identifier: MIT */
/* Variants that sweep on a CPU: warming up leaves no trace, every elimination begins anew, LAPACK
 * reads and writes columns, and its kernels are those of this processor. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/plan.h"

static struct qp_problem make(const char *op, const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = op, .kind = kind, .width = width, .height = height, .seed = 5};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(const char *name, struct qp_problem *problem, int steps, double warm)
{
    const struct qp_walk_desc desc = {
        .iterations = steps, .keep_solution = true, .warm_seconds = warm};
    struct qp_result result;
    assert_ok(qp_walk(NULL, qp_variant_find(name), problem, &desc, &result));
    return result;
}

static bool is_built(const char *name)
{
    return support_is_built(qp_variant_find(name));
}

/* ---- Warming up ---- */

static const struct {
    const char *name, *op, *kind;
    int width, height;
} rows[] = {{"jacobi9/bands_cpu", "jacobi9", "random", 9, 7},
            {"gauss_jordan/loop", "gauss_jordan", "dominant", 16, 13},
            {"gauss_jordan/sgesv", "gauss_jordan", "general", 16, 13},
            {"gauss_jordan_batch/openmp", "gauss_jordan_batch", "general", 12, 30},
            {"gauss_jordan_batch/sgesv", "gauss_jordan_batch", "general", 12, 30}};

static void assert_same(const struct qp_matrix *a, const struct qp_matrix *b)
{
    assert_memory_equal(a->values, b->values,
                        (size_t)a->width * (size_t)a->height * sizeof *a->values);
}

/* Steps taken to warm up are none of the run's: its answer is that of a cold run, after no step the
 * start's. */
TEST(warming_up_leaves_nothing)
{
    for (int i = 0; i < COUNT(rows); i++) {
        if (!is_built(rows[i].name))
            continue;
        struct qp_problem problem = make(rows[i].op, rows[i].kind, rows[i].width, rows[i].height);
        for (int steps = 0; steps <= 3; steps++) {
            struct qp_result cold = walk(rows[i].name, &problem, steps, 0.0),
                             warm = walk(rows[i].name, &problem, steps, 0.002);
            assert_int_equal(warm.verdict, cold.verdict);
            assert_true(steps == 0 || warm.verdict == QP_PASS);
            assert_same(&cold.solution, &warm.solution);
            qp_matrix_destroy(&cold.solution);
            qp_matrix_destroy(&warm.solution);
        }
        qp_problem_destroy(&problem);
    }
}

static void look_at_target(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    if (stage != QP_STAGE_PROGRAM)
        return;
    float *target = malloc(qp_layout_bytes(&plan->layout));
    assert_ok(plan->engine->read(plan, true, target));
    *(bool *)user =
        isnan(target[plan->layout.origin_y * plan->layout.storage_x + plan->layout.origin_x]);
    free(target);
}

/* A sweep that does nothing must not find the answer of the steps that warmed up. */
TEST(targets_are_empty_again)
{
    struct qp_problem problem = make("jacobi9", "random", 9, 7);
    struct qp_result result;
    bool empty = false;
    const struct qp_walk_desc desc = {
        .iterations = 1, .warm_seconds = 0.002, .on_stage = look_at_target, .user = &empty};
    assert_ok(qp_walk(NULL, qp_variant_find("jacobi9/bands_cpu"), &problem, &desc, &result));
    assert_true(empty);
    qp_problem_destroy(&problem);
}

/* ---- In place ---- */

/* The second elimination is of A, not of what the first one left: the same bits. */
TEST(eliminations_begin_anew)
{
    for (int i = 1; i <= 2; i++) {
        if (!is_built(rows[i].name))
            continue;
        struct qp_problem problem = make(rows[i].op, rows[i].kind, rows[i].width, rows[i].height);
        struct qp_result once = walk(rows[i].name, &problem, 1, 0.0);
        for (int steps = 2; steps <= 3; steps++) {
            struct qp_result again = walk(rows[i].name, &problem, steps, 0.0);
            assert_int_equal(again.verdict, QP_PASS);
            assert_same(&once.solution, &again.solution);
            qp_matrix_destroy(&again.solution);
        }
        qp_matrix_destroy(&once.solution);
        qp_problem_destroy(&problem);
    }
}

/* A pivot that leaves no digit is refused as it is on a GPU: 2^-20 of its row, no more and no
 * less. */
TEST(pivots_of_the_loop)
{
    static const struct {
        float pivot;
        enum qp_verdict verdict;
    } cases[] = {{0.0f, QP_FAIL}, {0x1.fp-21f, QP_FAIL}, {0x1.1p-20f, QP_PASS}, {1.0f, QP_PASS}};
    struct qp_problem problem = make("gauss_jordan", "dominant", 2, 2);
    for (int i = 0; i < COUNT(cases); i++) {
        const float values[] = {cases[i].pivot, 1.0f, 1.0f, 0.0f, 1.0f, 1.0f};
        memcpy(problem.field[QP_GAUSS_JORDAN_AUGMENTED].values, values, sizeof values);
        struct qp_result result = walk("gauss_jordan/loop", &problem, 1, 0.0);
        assert_int_equal(result.verdict, cases[i].verdict);
        if (result.verdict == QP_FAIL)
            assert_non_null(strstr(result.reason, "column 1 has no pivot"));
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* ---- LAPACK ---- */

/* Its factors are left of x: L without its ones, by columns, and U, whose first row is A's pivot
 * row. */
TEST(lapack_finds_columns)
{
    enum { N = 3 };
    static const float values[N * (N + 1)] = {1, 2, 3, 14, 4, 5, 6, 32, 2, 0, 1, 5};
    struct qp_problem problem = make("gauss_jordan", "general", N, N);
    if (!is_built("gauss_jordan/sgesv"))
        support_skip("blas");
    memcpy(problem.field[QP_GAUSS_JORDAN_AUGMENTED].values, values, sizeof values);
    struct qp_result result = walk("gauss_jordan/sgesv", &problem, 1, 0.0);
    const float *got = result.solution.values;
    assert_int_equal(result.verdict, QP_PASS);
    assert_true(got[0] == 4.0f && got[1] == 5.0f && got[2] == 6.0f);
    assert_true(fabsf(got[4]) == 0.5f || fabsf(got[4]) == 0.25f);
    for (int i = 0; i < N; i++)
        assert_true(fabsf(got[i * (N + 1) + N] - (float)(i + 1)) < 1e-6f);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* OpenBLAS falls back to SSE3 on processors that it does not know. */
TEST(kernels_are_of_this_processor)
{
    const char *kernels = baseline_kernels();
    if (kernels == NULL)
        support_skip("blas");
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        getenv("OPENBLAS_CORETYPE") == NULL)
        assert_string_not_equal(kernels, "Prescott");
#endif
}

/* ---- Judgement by variants ---- */

/* The tolerance of LU belongs to variants that eliminate below the pivots alone, and to no
 * others. */
TEST(recipes_say_how_they_round)
{
    static const char *const below[] = {"elimination",
                                        "elimination_pivoted",
                                        "lu",
                                        "lu_pivoted",
                                        "sgesv",
                                        "blend_elimination",
                                        "blend_elimination_pivoted",
                                        "blocked",
                                        "blocked_compute",
                                        "cuda_blocked",
                                        "cuda_cusolver"};
    int found = 0;
    for (size_t v = 0; v < qp_variant_count(); v++) {
        const struct qp_variant *variant = qp_variant_at(v);
        bool listed = false;
        for (int i = 0; i < COUNT(below) && strcmp(variant->op, "gauss_jordan") == 0; i++)
            listed = listed || strcmp(strchr(variant->name, '/') + 1, below[i]) == 0;
        assert_int_equal(variant->recipe->tolerance == qp_gauss_jordan_tolerance_lu, listed);
        found += listed;
    }
    assert_int_equal(found, COUNT(below));
}

GROUP(support_lend, NULL)
