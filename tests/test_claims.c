/* SPDX-License-Identifier: MIT */
/* What dense solves claim, against whole numbers: of thousands of systems, many singular or nearly so, none that
 * is singular is solved and none that is not is called so; what converged has such a residual, and x the
 * digits that are called certain. LONG=1 takes a hundred thousand. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "judge.h"
#include "ops/gauss_jordan.h"

enum { MOST = 40, SIDES = 2 };

/* ---- Matrices ---- */

static uint64_t seed;

static int whole(int low, int high)
{
    return low + (int)(qp_random_bits(&seed) % (uint64_t)(high - low + 1));
}

/* Of a kind: so many unknowns at most, and how an element is made. */
struct kind {
    const char *name;
    int most;
    void (*fill)(int n, double *a);
};

static void fill_signs(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = whole(-1, 1);
}

static void fill_digits(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = whole(-9, 9);
}

static void fill_reals(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = qp_random(&seed, -1.0, 1.0);
}

static void fill_equal_columns(int n, double *a)
{
    fill_signs(n, a);
    const int from = whole(0, n - 1), to = whole(0, n - 1);
    memmove(a + to * n, a + from * n, (size_t)n * sizeof *a);
}

/* One column is the sum or difference of some others, none if there is but one. */
static void fill_dependent(int n, double *a)
{
    whole(0, 1) ? fill_signs(n, a) : fill_digits(n, a);
    const int to = whole(0, n - 1);
    for (int i = 0; i < n; i++)
        a[to * n + i] = 0.0;
    for (int times = whole(1, 3); times > 0; times--) {
        const int from = whole(0, n - 1), sign = whole(0, 1) ? 1 : -1;
        for (int i = 0; i < n && from != to; i++)
            a[to * n + i] += sign * a[from * n + i];
    }
}

/* Every row's sum is 0. */
static void fill_laplacian(int n, double *a)
{
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int edges = whole(n, 3 * n); edges > 0; edges--) {
        const int i = whole(0, n - 1), j = whole(0, n - 1), weight = whole(1, 3);
        a[j * n + i] -= weight;
        a[i * n + j] -= weight;
        a[i * n + i] += weight;
        a[j * n + j] += weight;
    }
}

static void fill_low_rank(int n, double *a)
{
    double left[MOST * MOST], right[MOST * MOST];
    const int rank = whole(1, n);
    fill_digits(n, left);
    fill_digits(n, right);
    for (int k = 0; k < n * n; k++) {
        a[k] = 0.0;
        for (int q = 0; q < rank; q++)
            a[k] += left[q * n + k % n] * right[q * n + k / n];
    }
}

/* [1 1; 1 1 + 2^-k] among others. */
static void fill_near(int n, double *a)
{
    fill_digits(n, a);
    const double small = ldexp(1.0, -whole(1, 52));
    for (int i = 0; i < n; i++)
        a[(n - 1) * n + i] = a[i];
    a[n * n - 1] *= 1.0 + small;
    a[n * n - 1] += a[n * n - 1] == 0.0 ? small : 0.0;
}

static void fill_hilbert(int n, double *a)
{
    const int from = whole(1, 3);
    for (int k = 0; k < n * n; k++)
        a[k] = 1.0 / (k % n + k / n + from);
}

static void fill_pascal(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = k % n == 0 || k / n == 0 ? 1.0 : a[k - 1] + a[k - n];
}

static void fill_wilkinson(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = k % n == k / n || k / n == n - 1 ? 1.0 : k % n > k / n ? -1.0 : 0.0;
}

/* Its least singular value is some 2^-n. */
static void fill_triangle(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = k % n == k / n ? 1.0 : k % n < k / n ? -1.0 : 0.0;
}

static void fill_graded(int n, double *a)
{
    const double step = pow(10.0, -whole(1, 4));
    fill_digits(n, a);
    for (int k = 0; k < n * n; k++)
        a[k] *= pow(step, k % n + k / n);
}

/* By powers of ten, which round and so leave no column dependent; or of two, which do neither. */
static void scale(int n, double *a, bool rows, bool columns, double base, int most)
{
    double row[MOST], column[MOST];
    for (int i = 0; i < n; i++) {
        row[i] = rows ? pow(base, whole(-1, 1) * most) : 1.0;
        column[i] = columns ? pow(base, whole(-most, most)) : 1.0;
    }
    for (int k = 0; k < n * n; k++)
        a[k] *= row[k % n] * column[k / n];
}

static void fill_scaled_rows(int n, double *a)
{
    fill_digits(n, a);
    scale(n, a, true, false, 10.0, 15);
}

static void fill_scaled_columns(int n, double *a)
{
    fill_digits(n, a);
    scale(n, a, false, true, 10.0, 15);
}

static void fill_scaled(int n, double *a)
{
    fill_reals(n, a);
    scale(n, a, true, true, 10.0, 15);
}

static void fill_scaled_dependent(int n, double *a)
{
    fill_dependent(n, a);
    scale(n, a, true, true, 2.0, 50);
}

static const struct kind kinds[] = {
    {"signs", MOST, fill_signs},
    {"digits", MOST, fill_digits},
    {"reals", 20, fill_reals},
    {"equal columns", MOST, fill_equal_columns},
    {"dependent", MOST, fill_dependent},
    {"laplacian", MOST, fill_laplacian},
    {"low rank", 30, fill_low_rank},
    {"near", 20, fill_near},
    {"hilbert", 13, fill_hilbert},
    {"pascal", 20, fill_pascal},
    {"wilkinson", MOST, fill_wilkinson},
    {"triangle", MOST, fill_triangle},
    {"graded", 8, fill_graded},
    {"scaled rows", 20, fill_scaled_rows},
    {"scaled columns", 20, fill_scaled_columns},
    {"scaled", 16, fill_scaled},
    {"scaled dependent", 16, fill_scaled_dependent},
};

/* ---- Claims ---- */

static int singular_solved, regular_refused, false_residuals, false_digits, false_columns;
static int solved, certain, refused, on_host, stagnated;

struct system {
    const struct kind *kind;
    struct qp_market a;
    double b[MOST * MOST];
    int sides;
    bool inverse, given; /* b; or it is A times ones */
};

/* A false claim is counted, and told so that it can be looked at. */
static void count(int *claims, const struct system *s, const char *row, const char *what,
                  const char *sentence)
{
    ++*claims;
    print_message("%s, %d unknowns, %s: %s: %s\n", s->kind->name, s->a.rows, row, what, sentence);
}

/* Digits as a person reads them. */
static int digits_of(const char *sentence)
{
    const char *words = strstr(sentence, "x has about ");
    return words != NULL ? atoi(words + 12) : 0;
}

static void check_solution(const struct system *s, const struct judge *judge,
                           const struct qp_dense_solution *got, const char *row, double tolerance)
{
    const int n = s->a.rows, digits = digits_of(got->sentence);
    const bool converged = got->ending == QP_CONVERGED;
    if (judge_is_singular(judge)) {
        count(&singular_solved, s, row, "a singular matrix is solved", got->sentence);
        return;
    }
    for (int k = 0; k < got->sides; k++) {
        const double *x = got->x + k * n;
        if (!judge_residual_within(judge, k, x, got->residuals[k]) ||
            (converged && !judge_residual_within(judge, k, x, tolerance)))
            count(&false_residuals, s, row, "a false residual", got->sentence);
        if ((digits > 0 && !judge_error_within(judge, k, x, pow(10.0, -digits))) ||
            (got->errors[k] < 1.0 && !judge_error_within(judge, k, x, got->errors[k])))
            count(&false_digits, s, row, "false digits", got->sentence);
    }
    solved += converged;
    stagnated += !converged;
    certain += digits > 0;
    on_host += got->on_host;
}

/* A row that does not exchange rows may ask for one that does. */
static void check_refusal(const struct system *s, const struct judge *judge, const char *row,
                          bool exchanges)
{
    const char *column = strstr(qp_error(), "column ");
    const bool claimed = strstr(qp_error(), "the matrix is singular:") != NULL ||
                         strstr(qp_error(), "the matrix is singular to") != NULL;
    refused++;
    if (!judge_is_singular(judge) && (claimed || exchanges))
        count(&regular_refused, s, row, "a regular matrix is refused", qp_error());
    else if (claimed && (column == NULL || !judge_is_combination(judge, atoi(column + 7) - 1)))
        count(&false_columns, s, row, "another column is the combination", qp_error());
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
    s->kind = &kinds[number % COUNT(kinds)];
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
    seed = 7;
    for (int k = 0; k < systems; k++) {
        make(&s, k);
        struct judge *judge = judge_create(&s.a, s.given ? s.b : NULL, s.sides);
        const char *row = rows[k / COUNT(kinds) % COUNT(rows)];
        if (support_is_built(qp_variant_find(row)))
            solve(NULL, &s, judge, row, whole(0, 1));
        if (context != NULL && k / COUNT(kinds) % rare == 0)
            solve(context, &s, judge, drawn[k / COUNT(kinds) / rare % COUNT(drawn)], whole(0, 1));
        judge_destroy(&judge);
        qp_market_destroy(&s.a);
    }
}

static void no_claim_is_false(void **state)
{
    const bool is_long = getenv("LONG") != NULL && strcmp(getenv("LONG"), "1") == 0;
    struct qp_market one = support_dense(1);
    struct judge *judge = judge_create(&one, NULL, 1);
    qp_market_destroy(&one);
    if (judge == NULL)
        skip();
    judge_destroy(&judge);
    claim(*state, is_long ? 100000 : 16000, 24);
    print_message("%d solved, %d with certain digits, %d on the host, %d stagnated, %d refused\n",
                  solved, certain, on_host, stagnated, refused);
    assert_int_equal(singular_solved, 0);
    assert_int_equal(regular_refused, 0);
    assert_int_equal(false_residuals, 0);
    assert_int_equal(false_digits, 0);
    assert_int_equal(false_columns, 0);
    assert_true(solved > 1000 && certain > 500 && on_host > 100 && refused > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(no_claim_is_false)};
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
