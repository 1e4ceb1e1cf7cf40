/* SPDX-License-Identifier: MIT */
/* Dense systems from matrix to solution, by the library: real files, many sides, what float can
 * promise. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/half.h"
#include "toolkit/base/random.h"

static struct qp_market west, impcol;

/* b - A x of one side, straight from the definition, in more digits than double's. */
static double residual_of(const struct qp_market *a, const double *b, const double *x)
{
    long double *rest = calloc((size_t)a->rows, sizeof *rest), left = 0.0L, all = 0.0L;
    assert_non_null(rest);
    for (int i = 0; i < a->rows; i++)
        rest[i] = b[i];
    for (int k = 0; k < (int)a->count; k++) {
        int i = a->dense ? k % a->rows : a->row[k], j = a->dense ? k / a->rows : a->column[k];
        rest[i] -= (long double)a->value[k] * x[j];
    }
    for (int i = 0; i < a->rows; i++) {
        left += rest[i] * rest[i];
        all += (long double)b[i] * b[i];
    }
    free(rest);
    return (double)sqrtl(left / (all > 0.0L ? all : 1.0L));
}

static double *random_sides(int n, int sides)
{
    uint64_t seed = 11;
    double *b = calloc((size_t)n * (size_t)sides, sizeof *b);
    assert_non_null(b);
    for (int k = 0; k < n * sides; k++)
        b[k] = qp_random(&seed, -1.0, 1.0);
    return b;
}

/* Solves; every side's residual is that of the x it gives. Without a context the reference does. */
static struct qp_dense_solution solve(struct qp_context *context, const struct qp_market *a,
                                      const double *b, int sides, struct qp_dense_desc desc)
{
    struct qp_dense_solution got;
    assert_ok(qp_solve_dense(context, a, b, sides, &desc, &got));
    assert_true(got.rows == a->rows && got.sides == sides && got.seconds > 0.0);
    for (int k = 0; k < sides && b != NULL; k++) {
        const double residual = residual_of(a, b + k * a->rows, got.x + k * a->rows);
        assert_true(fabs(got.residuals[k] - residual) <= 0.01 * residual + 1e-15);
        assert_true(got.residuals[k] <= got.residual);
    }
    return got;
}

/* ---- Real files ---- */

/* Ones come out, as near as `most`, or as is promised; refinement goes as far as double. */
static void check_file(struct qp_context *context, const struct qp_market *a, double condition,
                       double most)
{
    for (int refine = 0; refine < 2; refine++) {
        struct qp_dense_solution got =
            solve(context, a, NULL, 1, (struct qp_dense_desc){.refine = refine});
        double error = 0.0;
        for (int i = 0; i < a->rows; i++)
            error = fmax(error, fabs(got.x[i] - 1.0));
        assert_true(got.residual <= (refine ? 1e-14 : 1e-4));
        assert_true(error <= (refine ? 1e-6 : most) && (refine == 0 || got.eliminations > 1));
        assert_true(got.condition > condition / 4.0 && got.condition < 16.0 * condition);
        qp_dense_solution_destroy(&got);
    }
}

/* Their conditions in the 1-norm by LAPACK: 4.3e2 and 4.4e7. */
CLEAN_TEST(real_files)
{
    check_file(NULL, &west, 4.3e2, 1e-4);
    check_file(NULL, &impcol, 4.4e7, 0.1);
    struct qp_context *context = support_need_context(state);
    check_file(context, &west, 4.3e2, 1e-4);
    check_file(context, &impcol, 4.4e7, 0.1);
}

/* A condition of 1e8 as given is one of 1e5 once rows and columns are scaled. */
CLEAN_TEST(scaling_helps)
{
    struct qp_dense_solution got = solve(NULL, &impcol, NULL, 1, (struct qp_dense_desc){0});
    assert_true(got.scaled_condition < 0.01 * got.condition);
    assert_non_null(strstr(got.sentence, "as scaled"));
    qp_dense_solution_destroy(&got);
}

/* LAPACK in double is off by less than what is promised, in the units that x is given in; rows and
 * columns may be of any magnitude. */
CLEAN_TEST(the_promise_holds)
{
    struct qp_market a = support_random_dense(40, 5);
    double *b = random_sides(40, 3), x[120], condition;
    for (int k = 0; k < 1600; k++)
        a.value[k] = ldexp(a.value[k], 11 * (k % 40) - 7 * (k / 40));
    for (int k = 0; k < 120; k++)
        b[k] = ldexp(b[k], 11 * (k % 40));
    if (baseline_solve_dense(&a, b, 3, x, &condition) == QP_UNSUPPORTED)
        support_skip("blas");
    for (int refine = 0; refine < 2; refine++) {
        struct qp_dense_solution got =
            solve(*state, &a, b, 3, (struct qp_dense_desc){.refine = refine});
        assert_true(got.error < (refine ? 1e-10 : 1.0) && got.scaled_condition < 1e5);
        for (int k = 0; k < 3; k++) {
            double off = 0.0, all = 0.0;
            for (int j = 0; j < 40; j++) {
                off = fmax(off, fabs(got.x[40 * k + j] - x[40 * k + j]));
                all = fmax(all, fabs(x[40 * k + j]));
            }
            assert_true(off / all <= got.errors[k] + 1e-10 && got.errors[k] <= got.error);
        }
        qp_dense_solution_destroy(&got);
    }
    free(b);
    qp_market_destroy(&a);
}

/* ---- Every variant, and several sides ---- */

/* False for a variant that does not take this matrix. */
static bool check_row(struct qp_context *context, const struct qp_variant *variant)
{
    struct qp_market a = support_random_dense(23, 9);
    const bool half = qp_recipe_is_half(variant->recipe);
    for (int i = 0; i < 23; i++)
        *support_entry(&a, i, i) += 25.0;
    double *b = random_sides(23, 5);
    memset(b + 46, 0, 23 * sizeof *b); /* the third is zero */
    struct qp_dense_desc desc = {.variant = variant, .tolerance = 1e-13, .refine = true};
    struct qp_dense_solution got;
    if (qp_solve_dense(context, &a, b, 5, &desc, &got) == QP_UNSUPPORTED) {
        print_message("not taken by %s\n", qp_error()); /* a variant for some sizes only */
        free(b);
        qp_market_destroy(&a);
        return false;
    }
    qp_dense_solution_destroy(&got);
    got = solve(context, &a, b, 5, desc);
    assert_true(got.ending == QP_CONVERGED && got.converged == 5 && got.variant == variant);
    if (half) {
        struct qp_dense_solution plain =
            solve(context, &a, b, 5, (struct qp_dense_desc){.variant = variant});
        assert_true(plain.ending == QP_CONVERGED && plain.eliminations > 1);
        qp_dense_solution_destroy(&plain);
    }
    assert_true(got.eliminations >= 2 && got.eliminations <= (half ? 9 : 4));
    for (int i = 0; i < 23; i++)
        assert_true(got.x[46 + i] == 0.0);
    qp_dense_solution_destroy(&got);
    free(b);
    qp_market_destroy(&a);
    return true;
}

/* 3 on the processor; all but a few on OpenGL, those for several systems or for some sizes only. */
CLEAN_TEST(every_row_solves)
{
    int asked = 0, solved = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "gauss_jordan") == 0 && support_is_built(variant) &&
            !qp_variant_is_bound(variant) && (variant->backend != QP_GL || *state != NULL))
            solved += (asked++, check_row(variant->backend == QP_GL ? *state : NULL, variant));
    }
    assert_true(solved >= 2 && solved >= asked - 3);
    support_need_context(state);
}

/* However many sides, A goes through one elimination, and each comes out as it does alone but for
 * roundings. */
CLEAN_TEST(sides_share_one_elimination)
{
    struct qp_market a = support_random_dense(31, 2);
    double *b = random_sides(31, 6);
    struct qp_dense_solution all = solve(*state, &a, b, 6, (struct qp_dense_desc){0});
    assert_int_equal(all.eliminations, 1);
    for (int k = 0; k < 6; k++) {
        struct qp_dense_solution one = solve(*state, &a, b + 31 * k, 1, (struct qp_dense_desc){0});
        for (int i = 0; i < 31; i++)
            assert_true(one.x[i] == all.x[31 * k + i]);
        qp_dense_solution_destroy(&one);
    }
    qp_dense_solution_destroy(&all);
    free(b);
    qp_market_destroy(&a);
}

CLEAN_TEST(inverses)
{
    const struct qp_market *files[] = {&west, &impcol};
    for (size_t k = 0; k < COUNT(files); k++) {
        struct qp_dense_solution got;
        const int n = files[k]->rows;
        struct qp_dense_desc desc = {.refine = true};
        assert_ok(qp_invert(*state, files[k], &desc, &got));
        assert_true(got.ending == QP_CONVERGED && got.sides == n && got.residual < 1e-8);
        for (int j = 0; j < n; j++) {
            double *unit = calloc((size_t)n, sizeof *unit);
            unit[j] = 1.0;
            assert_true(fabs(residual_of(files[k], unit, got.x + j * n) - got.residuals[j]) < 1e-9);
            free(unit);
        }
        qp_dense_solution_destroy(&got);
    }
}

/* ---- Shapes ---- */

CLEAN_TEST(least_and_odd_ones)
{
    struct qp_market one = support_dense(1), swap = support_dense(5);
    double b[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
    *support_entry(&one, 0, 0) = -4.0;
    struct qp_dense_solution got = solve(*state, &one, b, 1, (struct qp_dense_desc){0});
    assert_true(got.x[0] == -0.25 && got.residual == 0.0);
    qp_dense_solution_destroy(&got);
    for (int i = 0; i < 5; i++)
        *support_entry(&swap, i, (i + 2) % 5) = 1.0;
    got = solve(*state, &swap, b, 1, (struct qp_dense_desc){0});
    for (int i = 0; i < 5; i++)
        assert_true(got.x[(i + 2) % 5] == b[i]);
    assert_true(got.residual == 0.0 && got.ending == QP_CONVERGED);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&one);
    qp_market_destroy(&swap);
}

/* 1e30 and 1e-30 side by side, and a right-hand side beyond float. */
CLEAN_TEST(huge_and_tiny_values)
{
    struct qp_market a = support_dense(2);
    double b[2] = {3e100, 5e-30};
    *support_entry(&a, 0, 0) = 1e30;
    *support_entry(&a, 0, 1) = 2e30;
    *support_entry(&a, 1, 0) = 3e-30;
    *support_entry(&a, 1, 1) = 1e-30;
    struct qp_dense_solution got = solve(*state, &a, b, 1, (struct qp_dense_desc){.refine = true});
    assert_true(got.ending == QP_CONVERGED);
    assert_true(fabs(got.x[0] / -6e69 - 1.0) < 1e-12 && fabs(got.x[1] / 1.8e70 - 1.0) < 1e-12);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* Rows and unknowns in units 1e-150 to 1e150: D L D, which rows alone do not scale, and D L. */
CLEAN_TEST(units_of_rows_and_unknowns)
{
    enum { N = 12 };
    for (int both = 0; both < 2; both++) {
        struct qp_market a = support_dense(N);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++)
                *support_entry(&a, i, j) = (i == j ? 4.0 : 1.0) *
                                           pow(10.0, 27 * (7 * i % N) - 150) *
                                           (both ? pow(10.0, 27 * (7 * j % N) - 150) : 1.0);
        }
        struct qp_dense_solution got = solve(*state, &a, NULL, 1, (struct qp_dense_desc){0});
        assert_true(got.ending == QP_CONVERGED && !got.on_host && got.scaled_condition < 100.0);
        qp_dense_solution_destroy(&got);
        qp_market_destroy(&a);
    }
}

/* A range that no units mend is named with both entries. */
CLEAN_TEST(ranges_that_are_too_wide)
{
    struct qp_market a = support_dense(3); /* a matrix of the determinant 1e-200 */
    struct qp_dense_solution got;
    for (int k = 0; k < 6; k++)
        *support_entry(&a, k / 2, k / 4 + k % 2) = 1.0;
    *support_entry(&a, 0, 2) = 1e-200;
    assert_int_equal(qp_solve_dense(*state, &a, NULL, 1, NULL, &got), QP_UNSUPPORTED);
    assert_string_equal(qp_error(),
                        "row 1, column 3 holds 1e-200, and row 1, column 1 1: the range inside the "
                        "matrix is too wide for elimination; take other units");
    qp_market_destroy(&a);
}

/* A right-hand side is scaled by its largest element, whichever row that is in. */
CLEAN_TEST(any_row_sets_the_scale)
{
    enum { N = 5 };
    struct qp_market a = support_dense(N);
    double b[N * N] = {0};
    for (int i = 0; i < N; i++) {
        *support_entry(&a, i, i) = 2.0;
        b[i * N + i] = i % 2 ? 4e-100 : 4e100; /* beyond float, alone in side and row i */
    }
    struct qp_dense_solution got = solve(*state, &a, b, N, (struct qp_dense_desc){0});
    assert_true(got.converged == N && got.eliminations == 1 && !got.on_host);
    for (int i = 0; i < N; i++)
        assert_true(fabs(got.x[i * N + i] / b[i * N + i] - 0.5) < 1e-6);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* ---- Endings ---- */

CLEAN_TEST(endings)
{
    volatile sig_atomic_t stop = 1;
    struct qp_dense_solution got = solve(*state, &west, NULL, 1, (struct qp_dense_desc){0});
    assert_true(got.ending == QP_CONVERGED && got.eliminations == 1);
    assert_non_null(strstr(got.sentence, "; --refine goes further"));
    assert_non_null(strstr(got.sentence, " after 1 elimination in "));
    qp_dense_solution_destroy(&got);
    got = solve(*state, &west, NULL, 1, (struct qp_dense_desc){.tolerance = 1e-12});
    assert_true(got.ending == QP_CONVERGED && got.eliminations == 2);
    assert_non_null(strstr(got.sentence, " after 2 eliminations in "));
    qp_dense_solution_destroy(&got);
    got = solve(*state, &west, NULL, 1, (struct qp_dense_desc){.tolerance = 1e-30});
    assert_true(got.ending == QP_STAGNATED && got.converged == 0);
    assert_non_null(strstr(got.sentence, "stagnated, --refine gains nothing more: residual "));
    qp_dense_solution_destroy(&got);
    got = solve(*state, &west, NULL, 1, (struct qp_dense_desc){.interrupt = &stop});
    assert_true(got.ending == QP_INTERRUPTED && got.eliminations == 0 && got.x[0] == 0.0);
    assert_true(fabs(got.residual - 1.0) < 1e-12 &&
                strstr(got.sentence, "interrupted: ") == got.sentence);
    qp_dense_solution_destroy(&got);
}

/* An elimination in float leaves some columns of impcol's inverse above the tolerance: another one
 * follows by itself, and no third. */
CLEAN_TEST(what_float_alone_cannot_do)
{
    struct qp_dense_solution got;
    assert_ok(qp_invert(*state, &impcol, &(struct qp_dense_desc){0}, &got));
    assert_true(got.ending == QP_CONVERGED && got.converged == 207 && got.eliminations == 2);
    assert_true(got.residuals[got.worst] == got.residual && got.residual <= 1e-5);
    qp_dense_solution_destroy(&got);
}

CLEAN_TEST(problems)
{
    struct qp_problem problem;
    double b[134];
    for (int i = 0; i < 134; i++)
        b[i] = i;
    assert_ok(qp_problem_dense_from_market(&west, b, 2, &problem));
    assert_true(problem.width == 69 && problem.height == 67 && problem.systems == 1);
    const float *values = qp_problem_field(&problem, "a")->values;
    for (size_t k = 0; k < west.count; k++)
        assert_true(values[west.row[k] * 69 + west.column[k]] == (float)west.value[k]);
    for (int i = 0; i < 67; i++)
        assert_true(values[i * 69 + 67] == (float)i && values[i * 69 + 68] == (float)(i + 67));
    qp_problem_destroy(&problem);
    b[3] = 1e39;
    assert_int_equal(qp_problem_dense_from_market(&west, b, 1, &problem), QP_BAD_INPUT);
    support_assert_sentence("row 4, column 68 of [A | b] is beyond what float holds");
    assert_null(problem.op);
    assert_false(qp_problem_has_grid(&west));
}

/* The rounding of x itself, times 1e14, beside a b that is small in that row. */
TEST(a_residual_of_large_rows_is_told)
{
    struct qp_market a = support_dense(2);
    const double b[2] = {0.0, 4.0 / 3.0}; /* x is a third and 1 */
    *support_entry(&a, 0, 0) = 3e14;
    *support_entry(&a, 0, 1) = -1e14;
    *support_entry(&a, 1, 0) = *support_entry(&a, 1, 1) = 1.0;
    struct qp_dense_solution got = solve(NULL, &a, b, 1, (struct qp_dense_desc){0});
    assert_true(got.residual > 1e-5 && got.digits >= 14);
    assert_non_null(strstr(got.sentence, " (of the largest rows, where b is small; "));
    qp_dense_solution_destroy(&got);
    *support_entry(&a, 0, 0) = 3.0;
    *support_entry(&a, 0, 1) = -1.0;
    got = solve(NULL, &a, b, 1, (struct qp_dense_desc){0});
    assert_null(strstr(got.sentence, "largest rows"));
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

static int set_up(void **state)
{
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/west0067.mtx", &west));
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/impcol_a.mtx", &impcol));
    return support_open_context(state);
}

static int tear_down(void **state)
{
    qp_market_destroy(&west);
    qp_market_destroy(&impcol);
    return support_close_context(state);
}

GROUP(set_up, tear_down)
