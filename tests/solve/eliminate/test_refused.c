/* SPDX-License-Identifier: MIT */
/* Dense systems that are refused: bad input, sizes beyond a limit, and every way in which a matrix
 * can be singular, or seem so. */
#include "support/support.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "toolkit/base/watch.h"

static void refuse(struct qp_context *context, const struct qp_market *a, const double *b,
                   const char *variant, enum qp_status status, const char *words)
{
    struct qp_dense_desc desc = {.variant = variant != NULL ? qp_variant_find(variant) : NULL};
    struct qp_dense_solution got = {.sides = 7};
    const enum qp_status code = qp_solve_dense(context, a, b, 1, &desc, &got);
    support_assert_sentence(words);
    assert_int_equal(code, status);
    assert_true(got.x == NULL && got.residuals == NULL && got.sides == 0);
}

/* By the default, with b = A times ones. */
static struct qp_dense_solution solve(struct qp_context *context, const struct qp_market *a,
                                      bool refine)
{
    struct qp_dense_solution got;
    assert_ok(qp_solve_dense(context, a, NULL, 1, &(struct qp_dense_desc){.refine = refine}, &got));
    return got;
}

/* ---- Bad input and bad use ---- */

CLEAN_TEST(bad_input)
{
    struct qp_market a = support_random_dense(4, 1), oblong = a, empty = {0}, none = a;
    double b[4] = {1.0, 2.0, NAN, 4.0};
    oblong.columns = 3;
    oblong.count = 12;
    none.count = 0;
    none.dense = false;
    refuse(NULL, &oblong, NULL, NULL, QP_BAD_INPUT, "4 x 3; a system to be solved is square");
    refuse(NULL, &empty, NULL, NULL, QP_BAD_INPUT, "is 0 x 0, which is empty");
    refuse(NULL, &none, NULL, NULL, QP_BAD_INPUT, "row 1 is zero");
    refuse(NULL, &a, b, NULL, QP_BAD_INPUT, "right-hand side 1 holds nan in row 3");
    refuse(NULL, &a, NULL, "jacobi9/openmp", QP_UNSUPPORTED, "is a variant of jacobi9");
    *support_entry(&a, 2, 3) = -INFINITY;
    refuse(NULL, &a, NULL, NULL, QP_BAD_INPUT, "-inf in row 3, column 4");
    qp_market_destroy(&a);
}

CLEAN_TEST(bad_use)
{
    struct qp_market a = support_random_dense(4, 1);
    struct qp_dense_solution got;
    double b[8] = {0};
    assert_int_equal(
        qp_solve_dense(NULL, &a, b, 2, &(struct qp_dense_desc){.tolerance = -1.0}, &got),
        QP_BAD_USE);
    assert_int_equal(qp_solve_dense(NULL, &a, b, 0, &(struct qp_dense_desc){0}, &got), QP_BAD_USE);
    assert_int_equal(qp_solve_dense(NULL, &a, NULL, 2, &(struct qp_dense_desc){0}, &got),
                     QP_BAD_USE);
    support_assert_sentence("without b there is one");
    qp_market_destroy(&a);
}

/* Looked at before memory is: 300,000 unknowns would take a terabyte. */
CLEAN_TEST(sizes_beyond_the_limit)
{
    enum { N = 300000 };
    int places[2] = {0, N - 1};
    double ones[2] = {1.0, 1.0};
    struct qp_market large = {N, N, 2, false, places, places, ones};
    refuse(NULL, &large, NULL, NULL, QP_UNSUPPORTED, "the limit is about 23164;");
    struct qp_context *context = support_need_context(state);
    refuse(context, &large, NULL, NULL, QP_UNSUPPORTED, "the limit is about 23164;");
    struct qp_dense_solution got;
    assert_int_equal(qp_invert(context, &large, &(struct qp_dense_desc){0}, &got), QP_UNSUPPORTED);
    support_assert_sentence("the limit is about 16384;");
    /* Rows and sides together would be beyond an int. */
    struct qp_answer answer;
    large.rows = large.columns = INT_MAX;
    places[1] = INT_MAX - 1;
    assert_int_not_equal(
        qp_solve_system(NULL, &large, NULL, 1, NULL, &(struct qp_solve_desc){0}, &answer), QP_OK);
    assert_true(answer.x == NULL && answer.side == NULL);
}

/* Entries of 1e-310 and sides of ones make an x of 1e310, which no double holds; A times ones makes
 * ones. */
CLEAN_TEST(beyond_double)
{
    struct qp_market a = support_random_dense(4, 1);
    const double ones[4] = {1.0, 1.0, 1.0, 1.0};
    for (int k = 0; k < 16; k++)
        a.value[k] = (k % 5 == 0 ? 4.0 : a.value[k]) * 1e-310;
    refuse(NULL, &a, ones, NULL, QP_BAD_INPUT, "of x is beyond what double holds");
    struct qp_dense_solution got = solve(*state, &a, true);
    assert_true(got.ending == QP_CONVERGED && got.condition < 100.0);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(got.x[i] - 1.0) < 1e-9);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* ---- Singular ones ---- */

enum wrong {
    ROW_TWICE,
    COLUMN_TWICE,
    ROW_OF_ZEROS,
    COLUMN_OF_ZEROS,
    RANK_LESS_ONE,
    HALF_RANK,
    WRONGS
};

static struct qp_market singular_matrix(int n, enum wrong wrong)
{
    struct qp_market a = support_random_dense(n, 17 + (uint64_t)n),
                     base = support_random_dense(n, 5);
    for (int k = 0; k < n * n; k++) /* so that sums of products are exact */
        base.value[k] = round(9.0 * base.value[k]);
    for (int k = 0; k < n * n; k++) {
        double *entry = &a.value[k];
        const int i = k % n, j = k / n, rank = wrong == HALF_RANK ? (n + 1) / 2 : n - 1;
        if (wrong == ROW_TWICE && i == n - 1)
            *entry = *support_entry(&a, 0, j);
        else if (wrong == COLUMN_TWICE && j == n - 1)
            *entry = *support_entry(&a, i, 0);
        else if ((wrong == ROW_OF_ZEROS && i == 1) || (wrong == COLUMN_OF_ZEROS && j == 1))
            *entry = 0.0;
        else if (wrong >= RANK_LESS_ONE) {
            *entry = 0.0;
            for (int q = 0; q < rank; q++)
                *entry += *support_entry(&base, i, q) * *support_entry(&base, (j + 3) % n, q);
        }
    }
    qp_market_destroy(&base);
    return a;
}

/* Rows and columns that are zero or equal are named before anything is eliminated. */
static const char *words_of(enum wrong wrong, int n)
{
    static char words[64];
    const char *what = wrong == ROW_TWICE ? "rows" : "columns";
    if (wrong == ROW_OF_ZEROS || wrong == COLUMN_OF_ZEROS)
        return wrong == ROW_OF_ZEROS ? ": row 2 is zero" : ": column 2 is zero";
    if (wrong != ROW_TWICE && wrong != COLUMN_TWICE)
        return "column ";
    snprintf(words, sizeof words, ": %s 1 and %d are equal", what, n);
    return words;
}

static void every_singular_matrix_is_found(struct qp_context *context)
{
    static const int sizes[] = {2, 5, 16, 61, 130};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        for (int wrong = 0; wrong < WRONGS; wrong++) {
            struct qp_market a = singular_matrix(sizes[k], (enum wrong)wrong);
            refuse(context, &a, NULL, NULL, QP_BAD_INPUT, "the matrix is singular");
            support_assert_sentence(words_of((enum wrong)wrong, sizes[k]));
            qp_market_destroy(&a);
        }
    }
}

CLEAN_TEST(singular)
{
    every_singular_matrix_is_found(NULL);
    every_singular_matrix_is_found(support_need_context(state));
}

/* ---- Not singular, whatever float says ---- */

/* Float distinguishes the first Hilbert matrices from singular ones, and the host the others. How
 * many digits are certain falls with the condition, by LAPACK 4.8e5 in the 2-norm at 5 and 1.7e16
 * at 12. */
CLEAN_TEST(nearly_singular)
{
    for (int n = 5; n <= 12; n++) {
        struct qp_market a = support_dense(n);
        for (int k = 0; k < n * n; k++)
            a.value[k] = 1.0 / (k % n + k / n + 1);
        for (int refine = 0; refine < 2; refine++) {
            struct qp_dense_solution got = solve(*state, &a, refine);
            assert_true(got.ending == QP_CONVERGED && got.regular);
            assert_true(got.residual <= (refine ? 1e-14 : 1e-5));
            assert_true(got.on_host ? n > 6 : n < 9);
            assert_true(n < 12 || (got.error == 1.0 && strstr(got.sentence, "no digit of x is")));
            assert_true(!refine || n > 9 || got.error < 1e-2);
            assert_true(n > 5 || (got.condition > 1e5 && got.condition < 3e6));
            qp_dense_solution_destroy(&got);
        }
        qp_market_destroy(&a);
    }
}

/* [1 1; 1 1 + 2^-k]: a float holds the last element up to 23. */
CLEAN_TEST(pairs_that_nearly_agree)
{
    struct qp_market a = support_dense(2);
    for (int k = 1; k <= 52; k++) {
        const double values[4] = {1.0, 1.0, 1.0, 1.0 + ldexp(1.0, -k)};
        memcpy(a.value, values, sizeof values);
        struct qp_dense_solution got = solve(*state, &a, false);
        assert_true(got.ending == QP_CONVERGED && (k < 24 || got.on_host));
        qp_dense_solution_destroy(&got);
    }
    qp_market_destroy(&a);
}

static void fill_wilkinson(const struct qp_market *a)
{
    const int n = a->rows;
    for (int k = 0; k < n * n; k++)
        a->value[k] = k % n == k / n || k / n == n - 1 ? 1.0 : k % n > k / n ? -1.0 : 0.0;
}

/* Wilkinson's: far from singular, but its last column doubles in every step, beyond what even twice
 * double's digits can hold. Rounds mend what float can, pivots of all the rest on the host what it
 * cannot. */
CLEAN_TEST(growth_is_not_singularity)
{
    static const int sizes[] = {20, 25, 30, 60, 150};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(sizes); k++) {
        struct qp_market a = support_dense(sizes[k]);
        fill_wilkinson(&a);
        struct qp_dense_solution got = solve(context, &a, false);
        assert_true(got.ending == QP_CONVERGED && got.condition < 1e4 && got.error < 1e-9);
        assert_true(got.on_host || sizes[k] < 60);
        for (int i = 0; i < a.rows; i++)
            assert_true(fabs(got.x[i] - 1.0) < 1e-9);
        qp_dense_solution_destroy(&got);
        qp_market_destroy(&a);
    }
}

/* An identity whose first unknowns make a matrix of their own. */
static struct qp_market with_corner(int n, int corner, double (*element)(int i, int j))
{
    struct qp_market a = support_dense(n);
    for (int i = 0; i < n; i++)
        *support_entry(&a, i, i) = 1.0;
    for (int k = 0; k < corner * corner; k++)
        *support_entry(&a, k % corner, k / corner) = element(k % corner, k / corner);
    return a;
}

static double hilbert(int i, int j)
{
    return 1.0 / (i + j + 1);
}

static double almost_one(int i, int j)
{
    return i + j == 2 ? 1.0 + 0x1p-40 : 1.0;
}

/* Above what the host takes nobody looks, and the sentence says so; where float finds no pivot
 * there is no x. */
CLEAN_TEST(too_large_to_be_looked_at)
{
    enum { N = 2049 };
    static const char row[] = "gauss_jordan/sgesv";
    const struct qp_dense_desc desc = {.variant = qp_variant_find(row)};
    if (!support_is_built(desc.variant))
        support_skip("blas");
    struct qp_market a = with_corner(N, 8, hilbert), pair = with_corner(N, 2, almost_one);
    struct qp_dense_solution got;
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &desc, &got));
    assert_true(got.ending == QP_CONVERGED && !got.regular && !got.on_host && got.error == 1.0);
    assert_non_null(strstr(got.sentence, "no digit of x is certain"));
    assert_non_null(strstr(got.sentence, "for so many unknowns nobody looked in double"));
    qp_dense_solution_destroy(&got);
    refuse(NULL, &pair, NULL, row, QP_UNSUPPORTED, "nobody looked whether double can");
    support_assert_sentence("column 2 has no pivot");
    qp_market_destroy(&a);
    qp_market_destroy(&pair);
}

/* A variant that exchanges none says so, and never gives numbers that mean nothing. */
static volatile sig_atomic_t stop, has_called, quiet;

/* Ends a solve that has been outside of LAPACK for 0.4 s of processor time: elimination on the host
 * has begun. */
static void look_where(int number)
{
    (void)number;
    has_called = has_called || qp_watch_library != NULL;
    quiet = has_called && qp_watch_library == NULL ? quiet + 1 : 0;
    stop = stop || quiet == 40;
}

/* Up to 2048 unknowns the host looks, and where it is interrupted the sentence does not say that
 * nobody did. */
CLEAN_TEST(the_host_looks_at_a_thousand)
{
    const struct qp_dense_desc desc = {.variant = qp_variant_find("gauss_jordan/sgesv"),
                                       .interrupt = &stop};
    const struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
    struct qp_dense_solution got;
#ifdef QP_DEBUG
    print_message("with sanitizers it takes longer from LAPACK to the host's elimination\n");
    skip();
#endif
    if (!support_is_built(desc.variant))
        support_skip("blas");
    struct qp_market a = with_corner(1100, 8, hilbert);
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &desc, &got));
    assert_true(got.ending == QP_CONVERGED && got.regular && got.on_host);
    assert_non_null(strstr(got.sentence, "so the host eliminated"));
    qp_dense_solution_destroy(&got);
    signal(SIGPROF, look_where);
    setitimer(ITIMER_PROF, &often, NULL);
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &desc, &got));
    setitimer(ITIMER_PROF, &never, NULL);
    assert_true(stop == 1 && !got.on_host && !got.regular);
    assert_non_null(strstr(got.sentence, "and elimination in double did not end"));
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

CLEAN_TEST(rows_that_do_not_pivot)
{
    struct qp_market swap = support_dense(3), tiny = support_random_dense(30, 4), west,
                     grows = support_dense(60);
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/west0067.mtx", &west));
    for (int i = 0; i < 3; i++)
        *support_entry(&swap, i, 2 - i) = 1.0;
    refuse(NULL, &swap, NULL, "gauss_jordan/loop", QP_BAD_INPUT,
           "the matrix is singular or needs an exchange of rows: column 1 has no pivot");
    *support_entry(&tiny, 0, 0) = 2e-8;
    refuse(NULL, &tiny, NULL, "gauss_jordan/loop", QP_BAD_INPUT,
           "needs an exchange of rows: column 1");
    for (int k = 0; k < 60 * 60; k++) /* Wilkinson's: its last column doubles 59 times */
        grows.value[k] = k % 60 == k / 60 || k / 60 == 59 ? 1.0 : k % 60 > k / 60 ? -1.0 : 0.0;
    refuse(NULL, &grows, NULL, "gauss_jordan/loop", QP_UNSUPPORTED, "loses every digit");
    qp_market_destroy(&grows);
    if (*state != NULL) {
        refuse(*state, &swap, NULL, "gauss_jordan/branched", QP_BAD_INPUT, "the pivot of column 1");
        refuse(*state, &swap, NULL, "gauss_jordan/systems", QP_BAD_INPUT, "the pivot of column 1");
        refuse(*state, &west, NULL, "gauss_jordan/basic", QP_BAD_INPUT, "the pivot of column ");
        refuse(*state, &tiny, NULL, "gauss_jordan/shrinking", QP_BAD_INPUT,
               "the pivot of column 1");
    }
    qp_market_destroy(&swap);
    qp_market_destroy(&tiny);
    qp_market_destroy(&west);
    support_need_context(state);
}

GROUP(support_open_context, support_close_context)
