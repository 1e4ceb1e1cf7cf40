/* SPDX-License-Identifier: MIT */
/* Claims of solves, against whole numbers: of thousands of systems, many singular or nearly so,
 * none that is singular is solved by elimination and none that is not is called so; one that
 * converged has such a residual, and x the digits that are called certain. Systems with a grid go
 * the way of both methods too. LONG=1 takes a hundred thousand. */
#include "support/threads.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/method.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/solve/residual.h"
#include "support/awkward.h"
#include "support/judge.h"

enum { SIDES = 2 };

/* ---- Claims ---- */

static int singular_solved, regular_refused, false_residuals, false_digits, false_columns;
static int solved, certain, refused, on_host, stagnated, iterated;

struct system {
    const struct kind *kind;
    struct qp_market a;
    double b[MOST * MOST];
    int sides;
    bool inverse, given; /* b; or it is A times ones */
};

/* A false claim is counted, and printed so that it can be looked at. */
static void count(int *claims, const struct system *s, const char *row, const char *what,
                  const char *sentence)
{
    ++*claims;
    print_message("%s, %d unknowns, %s: %s: %s\n", s->kind->name, s->a.rows, row, what, sentence);
}

/* Digits as a person reads them. */
static int digits_of(const char *sentence)
{
    const char *words = strstr(sentence, "x has ");
    return words == NULL ? 0 : atoi(words + (strncmp(words, "x has about ", 12) == 0 ? 12 : 6));
}

/* Checks the claims about one side; `error` is 1 where no digit is claimed. */
static void check_side(const struct system *s, const struct judge *judge, int k, const double *x,
                       double residual, double error, const char *row, const char *sentence)
{
    if (!judge_residual_within(judge, k, x, residual))
        count(&false_residuals, s, row, "a false residual", sentence);
    if (error < 1.0 && (judge_is_singular(judge) || !judge_error_within(judge, k, x, error)))
        count(&false_digits, s, row, "false digits", sentence);
}

static double error_of(int digits)
{
    return digits > 0 ? pow(10.0, -digits) : 1.0;
}

static void check_solution(const struct system *s, const struct judge *judge,
                           const struct qp_dense_solution *got, const char *row, double tolerance)
{
    const double error = error_of(digits_of(got->sentence));
    const bool converged = got->ending == QP_CONVERGED;
    if (judge_is_singular(judge)) {
        count(&singular_solved, s, row, "a singular matrix is solved", got->sentence);
        return;
    }
    for (int k = 0; k < got->sides; k++)
        check_side(s, judge, k, got->x + k * got->rows,
                   converged ? fmin(got->residuals[k], tolerance) : got->residuals[k],
                   fmin(error, got->errors[k]), row, got->sentence);
    solved += converged;
    stagnated += !converged;
    certain += error < 1.0;
    on_host += got->on_host;
}

/* By either method; an iteration may solve a singular system that has a solution. */
static void check_answer(const struct system *s, const struct judge *judge,
                         const struct qp_answer *got, double tolerance)
{
    for (int k = 0; k < got->sides; k++) {
        const struct qp_side *side = &got->side[k];
        const char *row = side->variant->name;
        const bool converged = side->ending == QP_CONVERGED;
        const double error = fmin(error_of(side->digits), error_of(digits_of(side->sentence)));
        if (side->method == QP_ELIMINATION && judge_is_singular(judge))
            count(&singular_solved, s, row, "a singular matrix is solved", side->sentence);
        check_side(s, judge, k, got->x + k * got->rows,
                   converged ? fmin(side->residual, tolerance) : side->residual, error, row,
                   side->sentence);
        iterated += converged && side->method == QP_ITERATION;
    }
}

/* True if two rows, or columns, are equal as a sentence says; one of zeros equals -1. */
static bool are_alike(const struct system *s, bool columns, int one, int other)
{
    for (int k = 0; k < s->a.rows; k++) {
        const double a = columns ? *support_entry(&s->a, k, one) : *support_entry(&s->a, one, k),
                     b = other < 0 ? 0.0
                         : columns ? *support_entry(&s->a, k, other)
                                   : *support_entry(&s->a, other, k);
        if (a != b)
            return false;
    }
    return true;
}

/* True if what the refusal names makes the matrix singular. */
static bool names_the_cause(const struct system *s, const struct judge *judge)
{
    const char *is = strstr(qp_error(), "singular: "), *column = strstr(qp_error(), "column ");
    int one, other;
    is = is != NULL ? is + 10 : "";
    if (sscanf(is, "rows %d and %d are", &one, &other) == 2)
        return are_alike(s, false, one - 1, other - 1);
    if (sscanf(is, "columns %d and %d are", &one, &other) == 2)
        return are_alike(s, true, one - 1, other - 1);
    if (sscanf(is, "row %d is zero", &one) == 1)
        return are_alike(s, false, one - 1, -1);
    return column != NULL && judge_is_combination(judge, atoi(column + 7) - 1);
}

/* A variant that does not exchange rows may ask for one that does. */
static void check_refusal(const struct system *s, const struct judge *judge, const char *row,
                          bool exchanges)
{
    const bool claimed = strstr(qp_error(), "the matrix is singular:") != NULL ||
                         strstr(qp_error(), "the matrix is singular to") != NULL;
    refused++;
    if (!judge_is_singular(judge) && (claimed || exchanges))
        count(&regular_refused, s, row, "a regular matrix is refused", qp_error());
    else if (claimed && !names_the_cause(s, judge))
        count(&false_columns, s, row, "another row or column is the cause", qp_error());
}

static void solve(struct qp_context *context, const struct system *s, const struct judge *judge,
                  const char *row, bool refine)
{
    struct qp_dense_desc desc = {.variant = row != NULL ? qp_variant_find(row) : NULL,
                                 .refine = refine};
    struct qp_dense_solution got;
    const char *name = row != NULL ? row : "default";
    const enum qp_status status =
        s->inverse ? qp_invert(context, &s->a, &desc, &got)
                   : qp_solve_dense(context, &s->a, s->given ? s->b : NULL, s->sides, &desc, &got);
    if (status == QP_OK)
        check_solution(s, judge, &got, name, 1e-5);
    else if (status == QP_BAD_INPUT || status == QP_UNSUPPORTED)
        check_refusal(s, judge, name,
                      row == NULL || qp_gauss_jordan_exchanges_rows(desc.variant->recipe));
    else
        fail_msg("%s: %s", name, qp_error());
    qp_dense_solution_destroy(&got);
}

static void solve_by_either(struct qp_context *context, const struct system *s,
                            const struct judge *judge, bool refine)
{
    const struct qp_solve_desc desc = {.refine = refine};
    struct qp_answer got;
    const enum qp_status status =
        qp_solve_system(context, &s->a, s->given ? s->b : NULL, s->sides, NULL, &desc, &got);
    if (status == QP_OK)
        check_answer(s, judge, &got, 1e-5);
    else if (status == QP_BAD_INPUT || status == QP_UNSUPPORTED)
        check_refusal(s, judge, "either method", true);
    else
        fail_msg("%s", qp_error());
    qp_answer_destroy(&got);
}

/* ---- Thousands of them ---- */

/* A right-hand side is A times whole numbers, which a singular A has a solution for, or random. */
static void fill_side(const struct system *s, double *b)
{
    const int n = s->a.rows;
    const bool consistent = whole(0, 1);
    memset(b, 0, (size_t)n * sizeof *b);
    for (int j = 0; j < n; j++) {
        const int x = whole(-3, 3);
        for (int i = 0; i < n && consistent; i++)
            b[i] += s->a.value[j * n + i] * x;
        if (!consistent)
            b[j] = whole(-9, 9);
    }
}

static void make(struct system *s, int number)
{
    s->kind = &kinds[number % kind_count];
    const int most = whole(0, 7) == 0 ? s->kind->most : 9;
    const int n = whole(1, most < s->kind->most ? most : s->kind->most);
    s->a = support_dense(n);
    s->kind->fill(n, s->a.value);
    s->inverse = n <= 9 && whole(0, 7) == 0;
    s->given = s->inverse || whole(0, 2) > 0;
    s->sides = s->inverse ? n : s->given ? whole(1, SIDES) : 1;
    memset(s->b, 0, sizeof s->b);
    for (int k = 0; k < s->sides && s->given; k++) {
        if (s->inverse)
            s->b[k * n + k] = 1.0;
        else
            fill_side(s, s->b + k * n);
    }
}

/* Every `rare`th system goes to OpenGL too, which takes a hundred times as long. */
static void claim(struct qp_context *context, int systems, int rare)
{
    static const char *const rows[] = {"gauss_jordan/reference", "gauss_jordan/sgesv",
                                       "gauss_jordan/loop"};
    static const char *const drawn[] = {NULL, "gauss_jordan/pivoted", "gauss_jordan/lu_pivoted",
                                        NULL, "gauss_jordan/branched"};
    static struct system s;
    for (int k = 0; k < systems; k++) {
        make(&s, k);
        struct judge *judge = judge_create(&s.a, s.given ? s.b : NULL, s.sides);
        const char *row = rows[k / kind_count % COUNT(rows)];
        if (support_is_built(qp_variant_find(row)))
            solve(NULL, &s, judge, row, whole(0, 1));
        const bool is_rare = k / kind_count % rare == 0;
        if (qp_problem_has_grid(&s.a) && whole(0, 2) == 0)
            solve_by_either(is_rare ? context : NULL, &s, judge, whole(0, 1));
        if (context != NULL && is_rare)
            solve(context, &s, judge, drawn[k / kind_count / rare % COUNT(drawn)], whole(0, 1));
        judge_destroy(&judge);
        qp_market_destroy(&s.a);
    }
}

CLEAN_TEST(no_claim_is_false)
{
    const bool is_long = support_takes_long();
    struct qp_market one = support_dense(1);
    struct judge *judge = judge_create(&one, NULL, 1);
    qp_market_destroy(&one);
    if (judge == NULL)
        skip();
    judge_destroy(&judge);
    claim(*state, is_long ? 100000 : 6000, 24);
    print_message("%d solved, %d with certain digits, %d on the host, %d stagnated, %d refused, "
                  "%d by iteration\n",
                  solved, certain, on_host, stagnated, refused, iterated);
    assert_int_equal(singular_solved, 0);
    assert_int_equal(regular_refused, 0);
    assert_int_equal(false_residuals, 0);
    assert_int_equal(false_digits, 0);
    assert_int_equal(false_columns, 0);
    assert_true(solved > 1000 && certain > 500 && on_host > 100 && refused > 500 && iterated > 100);
}

static struct qp_dense_solution eliminate(struct qp_context *context, const struct qp_market *a,
                                          const double *b, bool refine)
{
    struct qp_dense_solution got;
    assert_ok(qp_solve_dense(context, a, b, 1, &(struct qp_dense_desc){.refine = refine}, &got));
    return got;
}

/* No x in double leaves less of the first row than 1e14 times its unknowns' rounding; a residual
 * that forgot its own rounding would be small. Columns of small numbers have unknowns of which
 * float alone is certain of none. */
CLEAN_TEST(claims_count_their_rounding)
{
    static const double digits[16] = {3, 6, 5, 7, 5, 8, 2, 2, 7, 3, 3, 6, 4, 9, 9, 9};
    static const double b[4] = {4, 9, 5, 3}, unit[4] = {1e15, 1.0, 1.0, 1e-15};
    struct qp_market a = support_dense(4);
    for (int k = 0; k < 16; k++)
        a.value[k] = digits[k] * unit[k % 4];
    struct qp_dense_solution got = eliminate(*state, &a, b, true);
    assert_true(got.ending == QP_STAGNATED && got.residual > 1.0);
    qp_dense_solution_destroy(&got);
    for (int k = 0; k < 16; k++)
        a.value[k] = (k % 5 == 0 ? 20.0 : digits[k]) * (k < 4 ? 1.0 : 1e-8);
    got = eliminate(*state, &a, NULL, false);
    assert_true(got.ending == QP_CONVERGED && got.error == 1.0);
    assert_non_null(strstr(got.sentence, "no digit of x is certain"));
    qp_dense_solution_destroy(&got);
    got = eliminate(*state, &a, NULL, true);
    assert_true(got.error < 1e-5 && got.error > 1e-16);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(got.x[i] - 1.0) <= 2.0 * got.error);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* 1 - 3 (1 / 3) as a double is 2^-54, at the end of a row of such terms; a product that no double
 * holds costs half of the least one. The bound is above both, and not far. */
CLEAN_TEST(bounds_are_above_residuals)
{
    for (int n = 1; n <= 5; n++) {
        struct qp_market a = support_dense(n);
        double x[5], b[5], rest[5], bound[5], scratch[5];
        for (int i = 0; i < n; i++) {
            b[i] = i < n - 1 ? 0.0 : 1.0;
            x[i] = i < n - 1 ? 0x1p-540 : 1.0 / 3.0;
            *support_entry(&a, i, i) = i < n - 1 ? 0x1p-540 : 3.0;
        }
        qp_residual_find(&a, b, NULL, x, rest, bound, scratch);
        for (int i = 0; i < n; i++) {
            assert_true(rest[i] == (i < n - 1 ? 0.0 : 0x1p-54));
            assert_true(bound[i] > rest[i]);
            assert_true(bound[i] < (i < n - 1 ? 0x1p-1020 : 0x1.001p-54));
        }
        qp_market_destroy(&a);
    }
}

static int set_up(void **state)
{
    setenv("LP_NUM_THREADS", "0", 0);
    threads_one(state);
    return support_open_context(state);
}

GROUP(set_up, support_close_context)
