/* SPDX-License-Identifier: MIT */
/* Digits that iterations call certain, against whole numbers of any length: none is false, none is
 * claimed where no proof can be, and of dominant matrices at least nine in ten claims are within a
 * digit of the truth. LONG=1 takes ten thousand systems. No OpenGL is needed here. */
#include "support/threads.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/method.h>

#include "lab/solve/certain.h"
#include "support/judge.h"
#include "toolkit/base/random.h"

enum { MOST = 36 };

/* ---- Systems ---- */

enum kind { STRICT, WEAK, LAPLACIAN, CONVECTION, NEARLY_SINGULAR, SCALED, NO_PROOF, KINDS };
static const char *const names[KINDS] = {"strict",          "weak",   "Laplacian", "convection",
                                         "nearly singular", "scaled", "no proof"};

struct system {
    enum kind kind;
    int width, height;
    struct qp_market a;
    double b[MOST];
};

static uint64_t seed = 1;

static double random_between(double low, double high)
{
    return qp_random(&seed, low, high);
}

static int whole(int low, int high)
{
    return low + (int)random_between(0.0, high - low + 1.0);
}

/* An entry of a row that the grid has; CONVECTION flows along rows. */
static double entry_of(enum kind kind, int dx, int dy)
{
    const bool straight = dx == 0 || dy == 0;
    switch (kind) {
    case STRICT:
    case WEAK:
    case SCALED:
        return random_between(-1.0, 1.0);
    case CONVECTION:
        return !straight ? 0.0 : dx < 0 ? -1.0 - 0x1p6 : -1.0;
    case NO_PROOF: /* turns by a quarter: what Jacobi takes, and the magnitudes do not say */
        return dy != 0 ? 0.0 : dx > 0 ? 0.8 : -0.8;
    default:
        return straight ? -1.0 : 0.0;
    }
}

/* Sets the diagonal by the magnitudes of the others. */
static double diagonal_of(enum kind kind, double sum, bool first)
{
    switch (kind) {
    case STRICT:
    case SCALED:
        return sum * random_between(1.01, 2.0) + 0.01;
    case NEARLY_SINGULAR:
        return sum + (first ? ldexp(1.0, whole(-20, -3)) : 0.0);
    case NO_PROOF:
        return 1.0;
    default:
        return sum + (first ? 1.0 : 0.0);
    }
}

static void make(struct system *s, int number)
{
    s->kind = number % KINDS;
    s->width = whole(3, 6);
    s->height = s->kind == NO_PROOF ? 1 : whole(1, 6);
    const int n = s->width * s->height;
    double left[MOST], right[MOST];
    s->a = support_dense(n);
    for (int i = 0; i < n; i++) {
        const bool scales = s->kind == SCALED;
        double sum = 0.0;
        left[i] = scales ? pow(10.0, whole(-3, 3)) : 1.0;
        right[i] = scales ? pow(10.0, whole(-1, 1)) : 1.0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                const int x = i % s->width + dx, y = i / s->width + dy;
                if ((dx == 0 && dy == 0) || x < 0 || x >= s->width || y < 0 || y >= s->height)
                    continue;
                const double value = entry_of(s->kind, dx, dy);
                *support_entry(&s->a, i, y * s->width + x) = value;
                sum += fabs(value);
            }
        }
        *support_entry(&s->a, i, i) =
            diagonal_of(s->kind, sum, i == 0) * (whole(0, 1) && s->kind < LAPLACIAN ? -1 : 1);
        s->b[i] = whole(-9, 9);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            *support_entry(&s->a, i, j) *= left[i] * right[j];
}

/* ---- Claims ---- */

static int claims, false_claims, claimed_unproven, dominant, near, foretold, well_foretold;

/* The largest number of digits that are right, 15 at most. */
static int true_digits(const struct judge *judge, const double *x)
{
    int digits = 15;
    while (digits > 0 && !judge_error_within(judge, 0, x, pow(10.0, -digits)))
        digits--;
    return digits;
}

static void judge_side(const struct system *s, const struct judge *judge,
                       const struct qp_answer *got)
{
    const struct qp_side *side = &got->side[0];
    const int digits = side->digits, right = true_digits(judge, got->x);
    char words[80];
    snprintf(words, sizeof words, digits > 0 ? "; x has %d certain digit" : "; digits: not proven",
             digits);
    assert_non_null(strstr(side->sentence, words));
    const char *by_rate = strstr(side->sentence, "not proven (about ");
    foretold += by_rate != NULL;
    well_foretold += by_rate != NULL && abs(atoi(by_rate + 18) - right) <= 1;
    claims += digits > 0;
    claimed_unproven += digits > 0 && s->kind == NO_PROOF;
    if (digits > 0 && (judge_is_singular(judge) || digits > right)) {
        false_claims++;
        print_message("%s %d x %d: %s, and %d are\n", names[s->kind], s->width, s->height,
                      side->sentence, right);
    }
    if (s->kind == NO_PROOF || s->kind == SCALED || right == 0)
        return;
    dominant++;
    near += digits >= right - 1;
}

static void claim(int systems)
{
    static struct system s;
    for (int k = 0; k < systems; k++) {
        make(&s, k);
        const bool given = whole(0, 2) > 0;
        const struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/openmp"),
                                           .width = s.width,
                                           .height = s.height,
                                           .refine = whole(0, 3) == 0,
                                           .tolerance = pow(10.0, -whole(2, 6)),
                                           .most_steps = 20000};
        struct qp_answer got;
        assert_ok(qp_solve_system(NULL, &s.a, given ? s.b : NULL, 1, NULL, &desc, &got));
        struct judge *judge = judge_create(&s.a, given ? s.b : NULL, 1);
        if (got.side[0].ending == QP_CONVERGED && got.side[0].method == QP_ITERATION)
            judge_side(&s, judge, &got);
        else
            assert_int_equal(got.side[0].digits, -1);
        judge_destroy(&judge);
        qp_answer_destroy(&got);
        qp_market_destroy(&s.a);
    }
}

TEST(certain_digits_are_proven)
{
    struct qp_market one = support_dense(1);
    struct judge *judge = judge_create(&one, NULL, 1);
    const int systems = support_takes_long() ? 10000 : 350;
    qp_market_destroy(&one);
    if (judge == NULL)
        skip();
    judge_destroy(&judge);
    claim(systems);
    print_message("%d systems, %d claims, %d false; within a digit %d of %d dominant ones; "
                  "by the rate %d of %d\n",
                  systems, claims, false_claims, near, dominant, well_foretold, foretold);
    assert_int_equal(false_claims, 0);
    assert_int_equal(claimed_unproven, 0);
    assert_true(foretold > systems / 40 && well_foretold > 0.6 * foretold);
    assert_true(claims > systems / 2 && dominant > systems / 2 && near > 0.95 * dominant);
}

/* A slow iteration that nothing can be proven of: a line of Laplace's equation beside one that
 * turns. The change of x says three digits more than there are. */
TEST(the_rate_tells_of_a_slow_iteration)
{
    enum { N = 36 };
    const struct qp_solve_desc desc = {
        .variant = qp_variant_find("jacobi9/openmp"), .width = N, .height = 1, .tolerance = 1e-6};
    struct qp_market a = support_dense(N);
    struct qp_answer got;
    for (int i = 0; i < N; i++) {
        *support_entry(&a, i, i) = i < 4 ? 1.0 : 2.0;
        if (i > 0 && i != 4)
            *support_entry(&a, i, i - 1) = i < 4 ? -0.8 : -1.0;
        if (i < N - 1 && i != 3)
            *support_entry(&a, i, i + 1) = i < 4 ? 0.8 : -1.0;
    }
    assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
    double error = 0.0;
    for (int i = 0; i < N; i++)
        error = fmax(error, fabs(got.x[i] - 1.0));
    const char *words = strstr(got.side[0].sentence, "; digits: not proven (about ");
    assert_non_null(words);
    assert_true(got.side[0].digits == -1 && abs(atoi(words + 28) - (int)floor(-log10(error))) <= 1);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

static double error_of(const struct qp_market *a, const double *x, const double *rest,
                       const double *bound, int steps, const volatile sig_atomic_t *interrupt,
                       double *scratch)
{
    struct qp_sparse rows;
    assert_ok(qp_sparse_read(a, &rows));
    const double error = qp_certain_error(a, &rows, x, rest, bound, steps, interrupt, scratch);
    qp_sparse_destroy(&rows);
    return error;
}

/* Errors count against x', which may be smaller than x; no w > 0 makes the second matrix
 * dominant. */
TEST(small_matrices)
{
    double one = 2.0, four[] = {1.0, -1.0, 1.0, 1.0}, scratch[2 * QP_CERTAIN_VECTORS];
    const double x[] = {1.5, 1.5}, rest[] = {-1.0, 0.0}, bound[] = {1.0, 0.0}, exact[] = {0.0, 0.0};
    const struct qp_market a = {1, 1, 1, true, NULL, NULL, &one},
                           turn = {2, 2, 4, true, NULL, NULL, four};
    const volatile sig_atomic_t stopped = 1;
    const double error = error_of(&a, x, rest, bound, 10, NULL, scratch);
    assert_true(error >= 0.5 && error < 0.500001);
    assert_true(error_of(&a, x, rest, bound, 10, &stopped, scratch) >= 0.5);
    assert_true(error_of(&a, x, exact, exact, 10, NULL, scratch) == 0.0);
    assert_true(error_of(&turn, x, rest, bound, 10, NULL, scratch) == 1.0);
    assert_true(error_of(&turn, x, exact, exact, 10, NULL, scratch) == 1.0);
}

/* Residuals whose signs change leave a smaller error than their magnitudes would: with r = (1, -1,
 * 1) / 1024, or one of these 0, all but a tenth of the bound is the error. */
TEST(signs_of_residuals_count)
{
    double line[] = {2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0};
    const double x[] = {1.0, 0.25, 0.5};
    const struct qp_market a = {3, 3, 9, true, NULL, NULL, line};
    for (int k = 0; k < 4; k++) {
        static const double largest[] = {0.5, 0.5, 1.0, 0.5}; /* largest of A^-1 r, by hand */
        double rest[3], bound[3], scratch[3 * QP_CERTAIN_VECTORS];
        for (int i = 0; i < 3 * QP_CERTAIN_VECTORS; i++)
            scratch[i] = 1e3; /* left there by others */
        for (int i = 0; i < 3; i++) {
            rest[i] = i == k - 1 ? 0.0 : (i == 1 ? -0x1p-10 : 0x1p-10);
            bound[i] = fabs(rest[i]);
        }
        const double error = error_of(&a, x, rest, bound, 10, NULL, scratch);
        assert_true(1024.0 * error >= largest[k] && 1024.0 * error < 1.1 * largest[k]);
    }
}

/* A mesh's distances from its boundary prove what no step was taken for: of a line of Laplace's
 * equation within a factor of two, as x (n + 1 - x) / 2 is A^-1 times ones. */
TEST(distances_prove_a_mesh)
{
    enum { N = 31 };
    double x[N], rest[N], bound[N], scratch[N * QP_CERTAIN_VECTORS];
    struct qp_market a = support_dense(N);
    for (int i = 0; i < N; i++) {
        *support_entry(&a, i, i) = 2.0;
        if (i > 0)
            *support_entry(&a, i, i - 1) = *support_entry(&a, i - 1, i) = -1.0;
        x[i] = 1.0;
        rest[i] = bound[i] = 0x1p-20;
    }
    const double error = error_of(&a, x, rest, bound, 0, NULL, scratch), most = 128 * 0x1p-20;
    assert_true(error >= most && error < 2.1 * most);
    *support_entry(&a, 7, 8) = -1.5; /* no row is dominant that has this */
    assert_true(error_of(&a, x, rest, bound, 0, NULL, scratch) == 1.0);
    qp_market_destroy(&a);
}

/* The first step towards A^-1 r divides by 0, and what has no numbers bounds nothing. */
TEST(steps_that_break_down_prove_nothing)
{
    double signs[] = {1.0, 0.0, 0.0, -1.0}, scratch[2 * QP_CERTAIN_VECTORS];
    const double x[] = {1.0, 1.0}, rest[] = {0.25, 0.25};
    const struct qp_market a = {2, 2, 4, true, NULL, NULL, signs};
    assert_true(error_of(&a, x, rest, rest, 10, NULL, scratch) >= 0.2);
}

/* The sentence counts digits: one, or more. */
TEST(one_digit_is_one)
{
    struct qp_market a;
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &a));
    for (int k = 0; k < 2; k++) {
        const struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/openmp"),
                                           .tolerance = k == 0 ? 1e-3 : 1e-5};
        struct qp_solution got;
        assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
        assert_non_null(strstr(got.sentence, k == 0 ? "x has 1 certain digit, of its"
                                                    : "x has 3 certain digits, of its"));
        qp_solution_destroy(&got);
    }
    qp_market_destroy(&a);
}

GROUP(threads_one, NULL)
