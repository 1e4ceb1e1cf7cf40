/* SPDX-License-Identifier: MIT */
/* Claims of Krylov methods, against whole numbers of any length: no x is called converged whose
 * residual is larger, none of a singular matrix without a word of that and no digit, and no digit
 * is called certain that is not. Of
 * strictly dominant matrices nine claims in ten are within a digit of the truth. LONG=1 takes
 * 20,000 systems. */
#include "support/threads.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/method.h>

#include "support/judge.h"
#include "toolkit/base/random.h"

enum { MOST = 24 };

/* ---- Systems ---- */

enum kind {
    STRICT,   /* entries at random places, and a diagonal larger than their sum */
    ALIKE,    /* the same, symmetric */
    MESH,     /* Laplace's equation on a line */
    SLOW,     /* the same, with b of its quickest eigenvectors and 1e-6 of the slowest */
    GRADED,   /* STRICT with rows and columns in units of their own */
    WILD,     /* no diagonal to speak of */
    SADDLE,   /* symmetric, and not definite */
    SINGULAR, /* rows that add up to 0, in whole numbers */
    KINDS
};
static const char *const names[KINDS] = {"strict", "alike", "mesh",   "slow",
                                         "graded", "wild",  "saddle", "singular"};

struct system {
    enum kind kind;
    int n;
    struct qp_market a;
    double b[MOST];
};

static uint64_t seed = 1;

static double between(double low, double high)
{
    return qp_random(&seed, low, high);
}

static int whole(int low, int high)
{
    return low + (int)between(0.0, high - low + 1.0);
}

/* Fills in entries other than the diagonal. */
static void scatter(const struct system *s)
{
    const bool line = s->kind == MESH || s->kind == SLOW, exact = s->kind == SINGULAR;
    const bool mirrored = s->kind == ALIKE || s->kind == SADDLE;
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            if (i == j || (mirrored && j > i) || (line ? abs(i - j) > 1 : whole(0, 3) > 0))
                continue;
            const double value = line ? -1.0 : exact ? whole(-4, 4) : between(-1.0, 1.0);
            *support_entry(&s->a, i, j) = value;
            if (mirrored)
                *support_entry(&s->a, j, i) = value;
        }
    }
}

static double diagonal_of(const struct system *s, int i)
{
    double sum = 0.0, magnitudes = 0.0;
    for (int j = 0; j < s->n; j++) {
        sum += j != i ? *support_entry(&s->a, i, j) : 0.0;
        magnitudes += j != i ? fabs(*support_entry(&s->a, i, j)) : 0.0;
    }
    switch (s->kind) {
    case MESH:
    case SLOW:
        return 2.0;
    case WILD:
        return between(-1.0, 1.0);
    case SADDLE:
        return i % 3 == 0 ? -1.0 : 2.0 + magnitudes;
    case SINGULAR:
        return -sum;
    default:
        return (magnitudes + 0.01) * between(1.02, 2.0);
    }
}

static void make(struct system *s, int number)
{
    s->kind = number % KINDS;
    s->n = whole(2, MOST);
    s->a = support_dense(s->n);
    scatter(s);
    for (int i = 0; i < s->n; i++)
        *support_entry(&s->a, i, i) = diagonal_of(s, i);
    for (int i = 0; i < s->n; i++) {
        const double turn = acos(-1.0) * (i + 1.0) / (s->n + 1.0);
        const double row = s->kind == GRADED ? pow(10.0, whole(-4, 4)) : 1.0;
        s->b[i] = row * (s->kind == SLOW ? sin(s->n * turn) + 1e-6 * sin(turn) : whole(-9, 9));
        for (int j = 0; j < s->n; j++)
            *support_entry(&s->a, i, j) *= row;
    }
    for (int j = 0; j < s->n && s->kind == GRADED; j++) {
        const double column = pow(10.0, whole(-2, 2));
        for (int i = 0; i < s->n; i++)
            *support_entry(&s->a, i, j) *= column;
    }
}

/* ---- Claims ---- */

static int converged, claims, false_claims, dominant, near;

static int true_digits(const struct judge *judge, const double *x)
{
    int digits = 15;
    while (digits > 0 && !judge_error_within(judge, 0, x, pow(10.0, -digits)))
        digits--;
    return digits;
}

static void complain(const struct system *s, const struct qp_side *side, const char *what)
{
    false_claims++;
    print_message("%s, %d unknowns: %s, but %s\n", names[s->kind], s->n, side->sentence, what);
}

static void judge_side(const struct system *s, const struct judge *judge, double tolerance,
                       const struct qp_answer *got)
{
    const struct qp_side *side = &got->side[0];
    const bool good = side->ending == QP_CONVERGED, singular = judge_is_singular(judge);
    converged += good;
    if (good && singular && strstr(side->sentence, "no digit is certain: the matrix is s") == NULL)
        complain(s, side, "the matrix is singular");
    if (good != (side->residual <= tolerance) ||
        !judge_residual_within(judge, 0, got->x, side->residual))
        complain(s, side, "the residual is another one");
    if (!good || singular) {
        if (side->digits >= 0)
            complain(s, side, "nothing was solved");
        return;
    }
    const int right = true_digits(judge, got->x);
    claims += side->digits > 0;
    if (side->digits > right && side->method == QP_ITERATION)
        complain(s, side, "fewer digits are right");
    if ((s->kind == STRICT || s->kind == ALIKE) && right > 0) {
        dominant++;
        near += side->digits >= right - 1;
    }
}

/* A method that takes the kind, by name; or none, and then the choice is one. */
static const char *method_for(enum kind kind, int number)
{
    static const char *const all[] = {"bicgstab", "cg", "chebyshev"};
    const bool definite = kind == ALIKE || kind == MESH || kind == SLOW;
    return number / KINDS % 4 == 3 ? NULL : all[definite ? number / KINDS % 3 : 0];
}

static void claim(struct qp_context *context, int systems)
{
    static struct system s;
    for (int k = 0; k < systems; k++) {
        make(&s, k);
        const struct qp_solve_desc desc = {.method = method_for(s.kind, k),
                                           .refine = whole(0, 5) == 0,
                                           .tolerance = pow(10.0, -whole(2, 12)),
                                           .most_steps = 400};
        struct qp_answer got;
        struct judge *judge = judge_create(&s.a, s.b, 1);
        const enum qp_status status = qp_solve_system(context, &s.a, s.b, 1, NULL, &desc, &got);
        if (status == QP_OK)
            judge_side(&s, judge, desc.tolerance, &got);
        else if (status != QP_BAD_INPUT || !judge_is_singular(judge))
            fail_msg("%s: %s", names[s.kind], qp_error());
        judge_destroy(&judge);
        qp_answer_destroy(&got);
        qp_market_destroy(&s.a);
    }
}

TEST(no_claim_is_false, .setup_func = support_open_context, .teardown_func = support_close_context)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market one = support_dense(1);
    struct judge *judge = judge_create(&one, NULL, 1);
    const char *wanted = getenv("QUADPASS_RANDOM_SYSTEMS"), /* for less than LONG=1 takes */
        *other = getenv("QUADPASS_RANDOM_SEED");            /* for other systems */
    const int many = wanted != NULL ? atoi(wanted) : 20000,
              systems = support_takes_long() ? many : 304;
    qp_market_destroy(&one);
    if (judge == NULL)
        skip();
    judge_destroy(&judge);
    seed = other != NULL ? strtoull(other, NULL, 10) : seed;
    claim(context, systems);
    print_message("%d systems, %d converged, %d claims, %d false; within a digit %d of %d "
                  "dominant ones\n",
                  systems, converged, claims, false_claims, near, dominant);
    assert_int_equal(false_claims, 0);
    assert_true(converged > systems / 2 && claims > systems / 3);
    assert_true(dominant > systems / 5 && near >= 0.9 * dominant);
}

GROUP(threads_one, NULL)
