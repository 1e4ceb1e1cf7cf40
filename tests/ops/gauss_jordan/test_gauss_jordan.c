/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan's promises: its judge sees what is wrong, float behaves as theory says, and what
 * cannot be eliminated is named. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"

static struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = kind, .width = width, .height = height, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(void **state, const char *name, struct qp_problem *problem, bool keep)
{
    const struct qp_walk_desc desc = {.iterations = 1, .keep_solution = keep};
    struct qp_result result;
    assert_ok(qp_walk(support_need_context(state), qp_variant_find(name), problem, &desc, &result));
    return result;
}

/* ---- Stage 1 ---- */

CLEAN_TEST(sizes_and_sides)
{
    static const struct {
        const char *kind;
        int width, height, unknowns, sides;
    } cases[] = {{"dominant", 5, 5, 5, 1}, {"general", 9, 5, 5, 4}, {"inverse", 5, 5, 5, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct qp_problem problem = make(cases[i].kind, cases[i].width, cases[i].height);
        assert_int_equal(qp_gauss_jordan_unknowns(&problem), cases[i].unknowns);
        assert_int_equal(qp_gauss_jordan_sides(&problem), cases[i].sides);
        qp_problem_destroy(&problem);
    }
    const struct qp_problem_desc wrong = {.op = "gauss_jordan", .width = 4, .height = 5};
    struct qp_problem problem;
    assert_int_equal(qp_problem_create(&wrong, &problem), QP_BAD_USE);
    support_assert_sentence("4 x 5 is no augmented matrix");
}

/* ---- Stage 10 ---- */

/* In b - A x, row by row, whatever is wrong with x is seen, and nothing else matters. */
CLEAN_TEST(the_judge_sees_x_alone)
{
    struct qp_problem problem = make("general", 15, 12);
    struct qp_result result = walk(state, "gauss_jordan/pivoted", &problem, true);
    float *x = result.solution.values + 7 * 15 + 13, old = *x;
    struct qp_comparison worst;
    assert_int_equal(result.verdict, QP_PASS);
    result.solution.values[7 * 15 + 3] = 5.0f; /* left of x */
    problem.op->judge->measure(&problem, &result.solution, &worst);
    assert_true(worst.error == result.error);
    *x += 200.0f * (float)result.tolerance;
    problem.op->judge->measure(&problem, &result.solution, &worst);
    assert_true(worst.error > result.tolerance && worst.x == 13);
    *x = NAN;
    problem.op->judge->measure(&problem, &result.solution, &worst);
    assert_true(isinf(worst.error));
    *x = old;
    problem.op->judge->measure(&problem, &result.solution, &worst);
    assert_true(worst.error == result.error);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* ---- Accuracy of float ---- */

static const char *const pivoting[] = {"gauss_jordan/pivoted",
                                       "gauss_jordan/shrinking_pivoted",
                                       "gauss_jordan/factors_pivoted",
                                       "gauss_jordan/blend_pivoted",
                                       "gauss_jordan/elimination_pivoted",
                                       "gauss_jordan/blend_elimination_pivoted",
                                       "gauss_jordan/lu_pivoted",
                                       "gauss_jordan/blocked",
                                       "gauss_jordan/blocked_compute",
                                       "gauss_jordan/sgesv"};

/* Partial pivoting lets the last column double in every step, and the residual with it: 2^(N-1) u,
 * as long as that is below 1 (Wilkinson 1961). */
CLEAN_TEST(wilkinsons_growth)
{
    for (int n = 12; n <= 22; n += 5) {
        struct qp_problem problem = make("wilkinson", n, n);
        for (size_t i = 0; i < sizeof pivoting / sizeof pivoting[0]; i++) {
            if (!support_is_built(qp_variant_find(pivoting[i])))
                continue;
            struct qp_result result = walk(state, pivoting[i], &problem, false);
            double grown = ldexp(1.0, n - 1);
            assert_int_equal(result.verdict, QP_PASS);
            assert_true(problem.reference_scale >= 0.5 * grown);
            assert_true(result.error <= 2.0 * grown * 0x1p-24);
            assert_true(result.error >= 1e-3 * grown * 0x1p-24);
        }
        qp_problem_destroy(&problem);
    }
}

/* The growth by hand, Wilkinson's last column doubles: relative to A, however large A is beside
 * b. */
CLEAN_TEST(growth_is_of_the_matrix)
{
    enum { N = 12 };
    for (int e = 0; e <= 20; e += 20) {
        struct qp_problem problem = make("wilkinson", N, N);
        for (int i = 0; i < N * (N + 1); i++)
            problem.field[QP_GAUSS_JORDAN_AUGMENTED].values[i] *=
                i % (N + 1) < N ? ldexpf(1.0f, e) : 1.0f;
        walk(state, "gauss_jordan/reference", &problem, false);
        assert_true(problem.reference_scale == ldexp(1.0, N - 2));
        qp_problem_destroy(&problem);
    }
}

/* Hilbert's matrix: the residual is small, the answer is lost with the condition, which passes 1 /
 * u at N = 6 (1.5e7). b is A x rounded, and x is unknown here, so the double reference takes its
 * place. */
CLEAN_TEST(hilberts_condition)
{
    for (int n = 2; n <= 10; n += 2) {
        struct qp_problem problem = make("hilbert", n, n);
        struct qp_result result = walk(state, "gauss_jordan/pivoted", &problem, true);
        double error = 0.0, most = 0.0, condition = 0.05 * exp(3.5 * n);
        assert_int_equal(result.verdict, QP_PASS);
        for (int i = 0; i < n; i++) {
            double x = problem.reference[i * (n + 1) + n];
            error = fmax(error, fabs(x - result.solution.values[i * (n + 1) + n]));
            most = fmax(most, fabs(x));
        }
        if (condition < 0x1p24)
            assert_true(error <= 4.0 * n * condition * 0x1p-24 * most);
        else if (condition > 0x1p30)
            assert_true(error > 1e-3 * most); /* no digit can be right but by luck */
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* ---- Matrices that cannot be eliminated ---- */

static void fill(struct qp_problem *problem, const float *values)
{
    memcpy(problem->field[QP_GAUSS_JORDAN_AUGMENTED].values, values,
           (size_t)problem->width * (size_t)problem->height * sizeof *values);
}

CLEAN_TEST(pivots_that_are_none_are_named)
{
    static const float zero_first[] = {0, 1, 1, 1, 0, 2}, tiny[] = {1e-12f, 1, 1, 1, 1, 2},
                       singular[] = {1, 2, 3, 2, 4, 1}, second[] = {1, 1, 1, 1, 1, 2};
    struct qp_problem problem = make("dominant", 2, 2);
    fill(&problem, zero_first);
    assert_int_equal(walk(state, "gauss_jordan/pivoted", &problem, false).verdict, QP_PASS);
    struct qp_result result = walk(state, "gauss_jordan/branched", &problem, false);
    assert_int_equal(result.verdict, QP_FAIL);
    assert_non_null(strstr(result.reason, "the pivot of column 1 is 0, too small to divide by"));
    result = walk(state, "gauss_jordan/loop", &problem, false);
    assert_non_null(strstr(result.reason, "column 1 has no pivot"));
    fill(&problem, tiny);
    result = walk(state, "gauss_jordan/shrinking", &problem, false);
    assert_int_equal(result.verdict, QP_FAIL);
    assert_non_null(strstr(result.reason, "the pivot of column 1 is 1e-12"));
    fill(&problem, second);
    result = walk(state, "gauss_jordan/basic", &problem, false);
    assert_non_null(strstr(result.reason, "the pivot of column 2 is 0"));
    fill(&problem, singular);
    for (size_t i = 0; i < sizeof pivoting / sizeof pivoting[0]; i++) {
        if (!support_is_built(qp_variant_find(pivoting[i])))
            continue;
        result = walk(state, pivoting[i], &problem, false);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, "column 2 has no pivot: the matrix is singular"));
    }
    qp_problem_destroy(&problem);
}

/* ---- Bounds ---- */

/* Value after the last step, k, in row i of column j: row k divided, all others less a product.
 * Without fetches numbers are made of texels' centres, and the domain begins after a guard and a
 * padding. */
static double wanted_of_bound(bool fetches, int i, int j, int k)
{
    const double y = i + 2.5, x = j + 2.5, pivot = k + 2.5;
    if (fetches)
        return i == k ? 1.0 : 0.0;
    if (i == k)
        return x / pivot;
    return x * y * pivot - pivot * y * pivot * (x * pivot * pivot);
}

CLEAN_TEST(bounds_leave_the_marks_of_all_draws)
{
    enum { N = 6 };
    static const char *const names[] = {"gauss_jordan/branched_notex",
                                        "gauss_jordan/branched_alwayscache"};
    struct qp_problem problem = make("dominant", N, N);
    for (int i = 0; i < 2; i++) {
        struct qp_result result = walk(state, names[i], &problem, true);
        assert_int_equal(result.verdict, QP_BOUND);
        for (int cell = 0; cell < N * (N + 1); cell++) {
            const double wanted = wanted_of_bound(i == 1, cell / (N + 1), cell % (N + 1), N - 1);
            assert_true(fabs(result.solution.values[cell] - wanted) <= 1e-5 * fabs(wanted));
        }
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* ---- 16 bits ---- */

static const char *const halves[] = {"gauss_jordan/blend_half", "gauss_jordan/blend_multiply_half"};

/* Skips the test where this device lacks what the variant needs. */
static void need_half(void **state, const char *name)
{
    struct qp_context *context = support_need_context(state);
    if (qp_variant_find(name)->needs & ~qp_context_device(context)->abilities)
        skip();
}

static void scale(struct qp_problem *problem, float factor)
{
    for (int i = 0; i < problem->width * problem->height; i++)
        problem->field[QP_GAUSS_JORDAN_AUGMENTED].values[i] *= factor;
}

/* Variants in half precision are as coarse as they say, and are skipped where they promise nothing
 * or digits fade. */
CLEAN_TEST(halves_say_what_they_promise)
{
    for (int i = 0; i < COUNT(halves); i++) {
        need_half(state, halves[i]);
        struct qp_problem problem = make("dominant", 30, 30);
        struct qp_result result = walk(state, halves[i], &problem, false);
        assert_int_equal(result.verdict, QP_PASS);
        assert_true(result.error > 5.0 * problem.op->tolerance(&problem, 1, QP_FLOATS));
        assert_true(result.tolerance < 0.05);
        scale(&problem, 1e-4f);
        result = walk(state, halves[i], &problem, false);
        assert_non_null(strstr(result.reason, "a holds nothing above"));
        scale(&problem, 1e8f);
        result = walk(state, halves[i], &problem, false);
        assert_non_null(strstr(result.reason, "16 bits hold numbers up to 65504"));
        assert_int_equal(result.verdict, QP_SKIP);
        qp_problem_destroy(&problem);
        problem = make("dominant", 260, 260);
        result = walk(state, halves[i], &problem, false);
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, "16 bits promise nothing of this"));
        qp_problem_destroy(&problem);
    }
}

/* Variants in half precision have no error at the report's sizes either where nothing need be
 * rounded; an unknown that is off by the least step of 16 bits is one. A software rasteriser has
 * the report's sizes with LONG=1 alone: what it draws is the same at 301, in a tenth of the
 * time. */
CLEAN_TEST(halves_of_the_reports_size)
{
    const bool is_software = qp_context_device(support_need_context(state))->software;
    for (int i = 0; i < COUNT(halves); i++) {
        need_half(state, halves[i]);
        const int n = is_software && !support_takes_long() ? 301 : i == 0 ? 1000 : 601;
        struct qp_problem problem = make("exact", n, n);
        struct qp_result result = walk(state, halves[i], &problem, true);
        struct qp_comparison worst;
        if (result.verdict != QP_PASS)
            fail_msg("%s: %s", halves[i], result.reason);
        assert_true(result.error == 0.0 && result.tolerance == 0.0);
        result.solution.values[(size_t)(n / 2) * (size_t)(n + 1) + (size_t)n] *= 1.0f + 0x1p-10f;
        problem.op->judge->measure(&problem, &result.solution, &worst);
        assert_true(worst.error > 0.0);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

GROUP(support_open_context, support_close_context)
