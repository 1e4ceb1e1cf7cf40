/* SPDX-License-Identifier: MIT */
/* A direct solver in elimination's place: where it is taken, what its answers are worth, and what
 * becomes of a solve whose direct solver is wrong, refuses or is interrupted. Residuals in pairs of
 * doubles and solutions that are known judge; no OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/method.h>

#include "lab/baseline/baseline.h"
#include "support/exact.h"
#include "support/matrices.h"

enum { N = MATRICES_WIDTH * MATRICES_WIDTH };

static volatile sig_atomic_t stop;

static const struct qp_direct *need_direct(void)
{
    const struct qp_direct *direct = baseline_direct();
    if (direct == NULL) {
        struct qp_market one = {1, 1, 1, true, NULL, NULL, &(double){1.0}};
        double x, condition;
        assert_int_equal(baseline_solve(&one, &x, &x, &condition), QP_UNSUPPORTED);
        support_skip("blas");
    }
    return direct;
}

/* The one of them that takes any matrix. */
static const struct qp_direct *klu(void)
{
    const struct qp_direct *direct = need_direct();
    return direct->definite ? direct->next : direct;
}

#define DIRECT(title, factors, solves, destroys)                                       \
    {                                                                                  \
        .name = (title), .factor = (factors), .solve = (solves), .destroy = (destroys) \
    }

/* x of small whole numbers, and b = A x, which rounds nothing. */
static double known(int i)
{
    return i % 7 - 3;
}

static double *load_of(const struct qp_market *a)
{
    double *b = calloc((size_t)a->rows, sizeof *b);
    for (size_t k = 0; k < a->count; k++)
        b[a->row[k]] += a->value[k] * known(a->column[k]);
    return b;
}

/* ---- The choice ---- */

/* Solves. The residual is the true one, and no more digits are claimed than x has. */
static struct qp_answer solve(const struct qp_market *a, const struct qp_solve_desc *desc)
{
    struct qp_answer got;
    double *b = load_of(a), error = 0.0;
    assert_ok(qp_solve_system(NULL, a, b, 1, NULL, desc, &got));
    const struct qp_side *side = &got.side[0];
    const double residual = exact_residual(a, b, got.x);
    assert_true(residual <= side->residual * (1.0 + 1e-12));
    assert_int_equal(side->ending == QP_CONVERGED, side->residual <= 1e-5);
    for (int i = 0; i < a->rows; i++)
        error = fmax(error, fabs(got.x[i] - known(i)) / 3.0);
    if (side->digits > 0 && error > pow(10.0, -side->digits))
        fail_msg("%d digits of an error of %g", side->digits, error);
    free(b);
    return got;
}

TEST(what_no_iteration_solves)
{
    static const struct {
        const char *name;
        matrices_fill *fill;
        int digits; /* at least */
    } kinds[] = {{"permuted", matrices_permuted, 8},    {"skew", matrices_skew, 3},
                 {"circuit", matrices_circuit, 5},      {"banded", matrices_banded, 8},
                 {"arrow", matrices_arrow, 9},          {"helmholtz", matrices_helmholtz, 8},
                 {"convection", matrices_convection, 9}};
    const struct qp_direct *direct = need_direct();
    for (int k = 0; k < COUNT(kinds); k++) {
        struct qp_market a = matrices_make(kinds[k].fill, N);
        struct qp_answer got = solve(&a, &(struct qp_solve_desc){.direct = direct});
        const struct qp_side *side = &got.side[0];
        if (side->solver == NULL || strcmp(side->solver, "klu") != 0 || side->variant != NULL ||
            side->ending != QP_CONVERGED || side->digits < kinds[k].digits ||
            strstr(side->reason, "the host's klu was taken") == NULL)
            fail_msg("%s: %s; %s", kinds[k].name, side->reason, side->sentence);
        assert_int_equal(side->method, QP_ELIMINATION);
        assert_int_equal(side->eliminations, 1);
        assert_true(side->residual < 1e-9);
        qp_answer_destroy(&got);
        qp_market_destroy(&a);
    }
}

/* CHOLMOD takes what is symmetric and definite, scaled alike in rows and columns; KLU follows where
 * a pivot says that it is not, or where CHOLMOD is missing. */
TEST(definite_matrices)
{
    enum { TIMES = 16 }; /* so that it takes some hundredths of a second */
    struct qp_market a = matrices_repeat(matrices_helmholtz, N, TIMES),
                     odd = matrices_repeat(matrices_helmholtz, N, TIMES),
                     small = matrices_make(matrices_helmholtz, N);
    for (size_t k = 0; k < a.count; k++) /* D A D, of 12 decades */
        a.value[k] = ldexp(a.value[k] + (a.row[k] == a.column[k] ? 0.75 : 0.0),
                           a.row[k] % 5 * 5 + a.column[k] % 5 * 5);
    for (size_t k = 0; k < odd.count; k++) /* so that it takes a pivot to see it */
        odd.value[k] += odd.row[k] == odd.column[k] ? 0.5625 : 0.0;
    for (size_t k = 0; k < small.count; k++)
        small.value[k] += small.row[k] == small.column[k] ? 0.5625 : 0.0;
    struct qp_direct alone = *need_direct();
    struct qp_answer got = solve(&a, &(struct qp_solve_desc){.direct = &alone});
    const char *solver = got.side[0].solver;
    if (strcmp(solver, "klu") == 0)
        assert_non_null(strstr(got.side[0].reason, "for found no CHOLMOD"));
    else
        assert_string_equal(solver, "cholmod");
    assert_true(got.side[0].ending == QP_CONVERGED && got.side[0].residual < 1e-12);
    qp_answer_destroy(&got);
    got = solve(&odd, &(struct qp_solve_desc){.direct = &alone});
    assert_string_equal(got.side[0].solver, "klu");
    assert_non_null(strstr(got.side[0].reason, "the host's klu was taken, for"));
    qp_answer_destroy(&got);
    alone.next = NULL;
    if (strcmp(solver, "cholmod") == 0) {
        got = solve(&small, &(struct qp_solve_desc){.direct = &alone});
        assert_null(got.side[0].solver);
        assert_non_null(strstr(got.side[0].reason, "the matrix is not definite, at pivot"));
        qp_answer_destroy(&got);
    }
    qp_market_destroy(&a);
    qp_market_destroy(&odd);
    qp_market_destroy(&small);
}

/* Without a direct solver, and where its forecast is no better. */
TEST(what_elimination_keeps)
{
    struct qp_market a = matrices_make(matrices_arrow, N), full = support_random_dense(9, 3);
    struct qp_answer got = solve(&a, &(struct qp_solve_desc){0});
    assert_non_null(strstr(got.side[0].reason, "elimination was taken"));
    qp_answer_destroy(&got);
    assert_ok(qp_solve_system(NULL, &full, NULL, 1, NULL,
                              &(struct qp_solve_desc){.direct = need_direct()}, &got));
    assert_non_null(got.side[0].variant);
    qp_answer_destroy(&got);
    qp_market_destroy(&full);
    qp_market_destroy(&a);
}

TEST(asked_for_by_name)
{
    struct qp_market a = matrices_make(matrices_arrow, 30), dense = support_random_dense(7, 3);
    struct qp_solve_desc desc = {.method = "direct", .refine = true};
    struct qp_answer got;
    struct qp_solution none;
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_UNSUPPORTED);
    support_assert_sentence("the method direct needs a direct solver of sparse matrices");
    desc.direct = need_direct();
    got = solve(&a, &desc);
    assert_string_equal(got.side[0].reason, "direct was asked for");
    assert_string_equal(got.side[0].solver, "klu");
    qp_answer_destroy(&got);
    assert_ok(qp_solve_system(NULL, &dense, NULL, 1, NULL, &desc, &got));
    assert_true(got.converged == 1 && exact_residual(&dense, NULL, got.x) < 1e-14);
    qp_answer_destroy(&got);
    assert_int_equal(qp_solve(NULL, &a, NULL, NULL, &desc, &none), QP_BAD_USE);
    support_assert_sentence("the method direct is qp_solve_system's");
    desc.precondition = "jacobi";
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_BAD_USE);
    support_assert_sentence("and not with direct");
    struct qp_direct definite = *desc.direct;
    definite.definite = true;
    definite.next = NULL;
    desc = (struct qp_solve_desc){.method = "direct", .direct = &definite};
    assert_int_equal(qp_solve_system(NULL, &dense, NULL, 1, NULL, &desc, &got), QP_UNSUPPORTED);
    support_assert_sentence("takes symmetric and positive definite matrices");
    desc = (struct qp_solve_desc){.method = "direct", .direct = need_direct(), .weight = 0.5};
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_BAD_USE);
    desc = (struct qp_solve_desc){.method = "direct",
                                  .direct = desc.direct,
                                  .variant = qp_variant_find("gauss_jordan/reference")};
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_BAD_USE);
    support_assert_sentence("does not go with the method direct");
    qp_market_destroy(&a);
    qp_market_destroy(&dense);
}

/* The host names a column; above its size double does, where a pivot is zero, or it is doubted. */
TEST(singular_matrices)
{
    const struct qp_solve_desc desc = {.direct = need_direct()};
    struct qp_market a = matrices_make(matrices_dependent, N),
                     odd = matrices_make(matrices_skew, 2101),
                     large = matrices_make(matrices_dependent, 2100);
    struct qp_answer got;
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("the matrix is singular to thirty digits: column ");
    assert_int_equal(qp_solve_system(NULL, &odd, NULL, 1, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence(
        "singular to the digits of double: elimination finds no pivot in column ");
    got = solve(&large, &desc);
    assert_true(got.side[0].digits <= 0);
    assert_non_null(strstr(got.side[0].sentence, "cannot tell whether A is singular"));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
    qp_market_destroy(&odd);
    qp_market_destroy(&large);
}

/* ---- Direct solvers that do wrong ---- */

static enum qp_status factor(const struct qp_market *matrix, double seconds,
                             const volatile sig_atomic_t *interrupt, void **factors, char *why,
                             size_t size)
{
    return klu()->factor(matrix, seconds, interrupt, factors, why, size);
}

static enum qp_status solve_roughly(void *factors, double *x, char *why, size_t size)
{
    const enum qp_status status = klu()->solve(factors, x, why, size);
    for (int i = 0; i < N; i++)
        x[i] *= 1.0 + 1e-3 * sin(i);
    return status;
}

static enum qp_status solve_nothing(void *factors, double *x, char *why, size_t size)
{
    (void)factors, (void)why, (void)size;
    for (int i = 0; i < N; i++)
        x[i] = 1.0;
    return QP_OK;
}

static enum qp_status solve_interrupted(void *factors, double *x, char *why, size_t size)
{
    static int solves;
    stop = ++solves == 3;
    return klu()->solve(factors, x, why, size);
}

static enum qp_status refuse(const struct qp_market *matrix, double seconds,
                             const volatile sig_atomic_t *interrupt, void **factors, char *why,
                             size_t size)
{
    (void)matrix, (void)seconds, (void)interrupt;
    *factors = NULL;
    snprintf(why, size, "the factors are too many");
    return QP_UNSUPPORTED;
}

static void destroy(void *factors)
{
    klu()->destroy(factors);
}

/* Rounds take off an error of a thousandth; nothing is believed of an x that is anything, and the
 * host solves. */
TEST(a_wrong_solver_is_noticed)
{
    const struct qp_direct rough = DIRECT("rough", factor, solve_roughly, destroy),
                           wrong = DIRECT("wrong", factor, solve_nothing, destroy);
    struct qp_market a = matrices_make(matrices_arrow, N);
    struct qp_solve_desc desc = {.direct = &rough, .tolerance = 1e-9, .method = "direct"};
    need_direct();
    struct qp_answer got = solve(&a, &desc);
    assert_true(got.side[0].ending == QP_CONVERGED && got.side[0].residual < 1e-9);
    assert_in_range(got.side[0].eliminations, 3, 9);
    qp_answer_destroy(&got);
    desc.direct = &wrong;
    got = solve(&a, &desc);
    assert_non_null(
        strstr(got.side[0].sentence, "double is not enough for this matrix, so the host"));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
    a = matrices_make(matrices_skew, 2100); /* where the host does not look */
    got = solve(&a, &desc);
    assert_true(got.side[0].ending == QP_STAGNATED && got.side[0].digits <= 0);
    assert_non_null(strstr(got.side[0].sentence, "elimination in double cannot tell whether"));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

static enum qp_status factor_nothing(const struct qp_market *matrix, double seconds,
                                     const volatile sig_atomic_t *interrupt, void **factors,
                                     char *why, size_t size)
{
    (void)matrix, (void)seconds, (void)interrupt, (void)why, (void)size;
    *factors = NULL;
    return QP_OK;
}

static enum qp_status solve_infinity(void *factors, double *x, char *why, size_t size)
{
    (void)factors, (void)why, (void)size;
    x[N - 1] = INFINITY;
    return QP_OK;
}

/* No factors, no numbers, and parts that are not there. */
TEST(what_makes_no_sense)
{
    const struct qp_direct empty = DIRECT("empty", factor_nothing, solve_nothing, destroy),
                           wild = DIRECT("wild", factor, solve_infinity, destroy),
                           parts[] = {DIRECT(NULL, factor, solve_nothing, destroy),
                                      DIRECT("a", NULL, solve_nothing, destroy),
                                      DIRECT("a", factor, NULL, destroy),
                                      DIRECT("a", factor, solve_nothing, NULL)};
    struct qp_market a = matrices_make(matrices_arrow, N),
                     large = matrices_make(matrices_skew, 2100);
    struct qp_solve_desc desc = {.method = "direct", .direct = &empty};
    struct qp_answer got;
    need_direct();
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_UNSUPPORTED);
    support_assert_sentence("empty returns no factors");
    desc.direct = &wild;
    got = solve(&a, &desc); /* by the host */
    assert_int_equal(got.converged, 1);
    qp_answer_destroy(&got);
    assert_int_equal(qp_solve_system(NULL, &large, NULL, 1, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence("the factors of wild give no numbers");
    for (int k = 0; k < COUNT(parts); k++) {
        desc = (struct qp_solve_desc){.direct = &parts[k]};
        assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_BAD_USE);
        support_assert_sentence("a direct solver needs a name and its three functions");
    }
    qp_market_destroy(&a);
    qp_market_destroy(&large);
}

TEST(one_that_refuses)
{
    const struct qp_direct none = DIRECT("none", refuse, solve_nothing, destroy);
    struct qp_market a = matrices_make(matrices_arrow, N);
    struct qp_solve_desc desc = {.direct = &none};
    char why[200];
    void *factors;
    struct qp_answer got = solve(&a, &desc);
    assert_string_equal(got.side[0].reason, "elimination was taken, for the factors are too many");
    assert_true(got.converged == 1 && got.side[0].variant != NULL && got.side[0].solver == NULL);
    qp_answer_destroy(&got);
    desc.method = "direct";
    assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got), QP_UNSUPPORTED);
    support_assert_sentence("the factors are too many");
    need_direct();
    assert_int_equal(factor(&a, 1e-12, NULL, &factors, why, sizeof why), QP_UNSUPPORTED);
    assert_null(factors);
    assert_non_null(strstr(why, "would take about "));
    qp_market_destroy(&a);
}

/* Between two solves, and while it factors; from a checkpoint to the same bits. */
TEST(an_interrupt_ends_it)
{
    char file[] = "/tmp/quadpass-direct-XXXXXX", why[200];
    const struct qp_direct cut = DIRECT("klu", factor, solve_interrupted, destroy);
    struct qp_market a = matrices_make(matrices_circuit, N);
    struct qp_solve_desc desc = {.method = "direct", .direct = &cut, .interrupt = &stop};
    void *factors = why;
    need_direct();
    close(mkstemp(file));
    desc.checkpoint = file;
    struct qp_answer got = solve(&a, &desc);
    assert_true(got.side[0].ending == QP_INTERRUPTED && got.side[0].eliminations <= 1);
    qp_answer_destroy(&got);
    assert_int_equal(stop, 1);
    assert_ok(factor(&a, INFINITY, &stop, &factors, why, sizeof why));
    assert_null(factors);
    stop = 0;
    desc.direct = klu();
    struct qp_answer whole = solve(&a, &desc);
    desc.resume = file;
    desc.checkpoint = NULL;
    got = solve(&a, &desc);
    assert_memory_equal(got.x, whole.x, N * sizeof *got.x);
    qp_answer_destroy(&got);
    qp_answer_destroy(&whole);
    qp_market_destroy(&a);
    unlink(file);
}

GROUP(NULL, NULL)
