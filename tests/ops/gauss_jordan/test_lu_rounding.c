/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan's tolerances can fail: eliminations that exchange rows too seldom, an x with too few
 * digits, and of the exact problem one with a bit too few, are wrong by the project's own judge,
 * whatever the seed and the size. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/half.h"
#include "lab/plan/problem.h"

/* ---- Eliminations in float ---- */

/* When row k gives way to the one whose element is largest. */
enum rule { ALWAYS, NEVER, WHERE_ZERO, FIRST_OF_FOUR, FIRST_PANEL, RULES };

static const char *const names[RULES] = {"always", "never", "where it is zero",
                                         "every fourth column", "the first 64 columns"};

static bool exchanges(enum rule rule, int k, float pivot)
{
    switch (rule) {
    case ALWAYS:
        return true;
    case WHERE_ZERO:
        return pivot == 0.0f;
    case FIRST_OF_FOUR:
        return k % 4 == 0;
    case FIRST_PANEL:
        return k < 64;
    default:
        return false;
    }
}

static void exchange(float *a, int width, int height, int k)
{
    int best = k;
    for (int i = k + 1; i < height; i++) {
        if (fabsf(a[i * width + k]) > fabsf(a[best * width + k]))
            best = i;
    }
    for (int j = 0; j < width; j++) {
        const float old = a[k * width + j];
        a[k * width + j] = a[best * width + j];
        a[best * width + j] = old;
    }
}

/* Eliminates with one right-hand side; x ends in the last column. Rows above the pivot change in
 * Gauss-Jordan's way only, or wait for substitution. The factor of row and column `off` (row n +
 * column; -1: none) is a bit too large. */
static void eliminate(float *a, int n, enum rule rule, bool substitutes, int off)
{
    const int width = n + 1;
    for (int k = 0; k < n; k++) {
        if (exchanges(rule, k, a[k * width + k]))
            exchange(a, width, n, k);
        for (int i = substitutes ? k + 1 : 0; i < n; i++) {
            const float right = a[i * width + k] / a[k * width + k];
            const float factor = i * n + k == off ? nextafterf(right, 2.0f * right) : right;
            for (int j = k; j < width && i != k; j++)
                a[i * width + j] -= factor * a[k * width + j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n && substitutes; j++)
            a[k * width + n] -= a[k * width + j] * a[j * width + n];
        a[k * width + n] /= a[k * width + k];
    }
}

static struct qp_problem make(const char *op, const char *kind, int width, int height, int seed)
{
    const struct qp_problem_desc desc = {
        .op = op, .kind = kind, .width = width, .height = height, .seed = (unsigned)seed};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_problem_reference(&problem, 1, NULL));
    return problem;
}

/* Tolerance by which variants of the table that work so are judged. */
static double tolerance_of(const struct qp_problem *problem, bool substitutes)
{
    return substitutes ? qp_gauss_jordan_tolerance_lu(NULL, problem)
                       : problem->op->tolerance(problem, 1, QP_FLOATS);
}

/* The error in tolerances. */
static double judge(const struct qp_problem *problem, const struct qp_matrix *answer,
                    double tolerance)
{
    struct qp_comparison worst;
    problem->op->judge->measure(problem, answer, &worst);
    return worst.error / tolerance;
}

/* ---- Exchanges ---- */

/* Column 0 is the first that a rule may leave out; of every fourth column, 5; after 64, 65, which
 * must have rows enough below it. */
static const int least[RULES] = {1, 2, 2, 10, 96};

TEST(too_few_exchanges_fail)
{
    enum { SEEDS = 40 };
    static const int sizes[] = {1, 2, 3, 4, 7, 13, 30, 64, 67, 96, 128};
    for (int i = 0; i < COUNT(sizes) * SEEDS; i++) {
        const int n = sizes[i / SEEDS];
        struct qp_problem problem = make("gauss_jordan", "general", n, n, i);
        struct qp_matrix answer;
        assert_ok(qp_matrix_create(n + 1, n, &answer));
        for (int way = 0; way < 2 * RULES; way++) {
            const enum rule rule = (enum rule)(way / 2);
            if (n < least[rule])
                continue;
            memcpy(answer.values, problem.field[QP_GAUSS_JORDAN_AUGMENTED].values,
                   (size_t)(n * (n + 1)) * sizeof *answer.values);
            eliminate(answer.values, n, rule, way % 2 == 1, -1);
            const double error = judge(&problem, &answer, tolerance_of(&problem, way % 2 == 1));
            if (rule == ALWAYS ? error > 1.0 : error <= 1.0)
                fail_msg("%d unknowns, seed %d, %s, exchanges %s: %g tolerances", n, i,
                         way % 2 == 1 ? "substitution" : "Gauss-Jordan", names[rule], error);
        }
        qp_matrix_destroy(&answer);
        qp_problem_destroy(&problem);
    }
}

/* The same of a batch, in which one member of them is enough. */
TEST(batches_that_do_not_exchange_fail)
{
    enum { SYSTEMS = 20 };
    static const int sizes[] = {2, 3, 4, 7, 12, 13, 33, 64};
    for (int i = 0; i < COUNT(sizes) * 3; i++) {
        const int n = sizes[i / 3];
        struct qp_problem problem = make("gauss_jordan_batch", "general", n, SYSTEMS, i);
        struct qp_matrix answer;
        float a[QP_BATCH_MOST_UNKNOWNS * (QP_BATCH_MOST_UNKNOWNS + 1)];
        assert_ok(qp_matrix_create(n + 1, SYSTEMS, &answer));
        for (int s = 0; s < SYSTEMS; s++) {
            memcpy(a, problem.field[QP_BATCH_AUGMENTED].values + s * n * (n + 1),
                   (size_t)(n * (n + 1)) * sizeof *a);
            eliminate(a, n, (enum rule)(i % 3), true, -1);
            for (int k = 0; k < n; k++)
                answer.values[s * (n + 1) + k] = a[k * (n + 1) + n];
            answer.values[s * (n + 1) + n] = 0.0f;
        }
        const double error =
            judge(&problem, &answer, problem.op->tolerance(&problem, 1, QP_FLOATS));
        if ((enum rule)(i % 3) == ALWAYS ? error > 1.0 : error <= 1.0)
            fail_msg("%d systems of %d unknowns, exchanges %s: %g tolerances", SYSTEMS, n,
                     names[i % 3], error);
        qp_matrix_destroy(&answer);
        qp_problem_destroy(&problem);
    }
}

/* ---- Digits ---- */

/* The reference's x rounded to `bits` bits. */
static void round_to(const struct qp_problem *problem, int bits, struct qp_matrix *answer)
{
    for (int i = 0; i < problem->width * problem->height; i++) {
        int exponent;
        const double part = frexp(problem->reference[i], &exponent);
        answer->values[i] = (float)ldexp(nearbyint(ldexp(part, bits)), exponent - bits);
    }
}

/* Variants that substitute are not forgiven what grows above the pivots. */
TEST(ten_bits_are_too_few)
{
    static const int sizes[] = {4, 13, 30, 64, 128, 500};
    for (int i = 0; i < COUNT(sizes) * 3; i++) {
        const int n = sizes[i / 3];
        struct qp_problem problem = make("gauss_jordan", "ill", n, n, i);
        const double tolerance = tolerance_of(&problem, true);
        struct qp_matrix answer;
        assert_ok(qp_matrix_create(n + 1, n, &answer));
        round_to(&problem, 24, &answer);
        assert_true(judge(&problem, &answer, tolerance) <= 1.0);
        round_to(&problem, 10, &answer);
        if (judge(&problem, &answer, tolerance) <= 1.0)
            fail_msg("%d unknowns, seed %d: ten bits pass, %g tolerances of %g", n, i,
                     judge(&problem, &answer, tolerance), tolerance);
        qp_matrix_destroy(&answer);
        qp_problem_destroy(&problem);
    }
}

/* By hand: squares of what is rounded in row 0 and row 1, the larger of which counts. */
TEST(tolerances_are_as_derived)
{
    static const struct {
        float a[4];
        double squares, norm;
    } cases[] = {{{2, 1, 1, 3}, 15.0, 4.0},  /* 2 (4 + 1) and l^2 of it, l = 1/2, and twice 2.5^2 */
                 {{1, 3, 2, 1}, 15.0, 4.0},  /* the same, exchanged */
                 {{1, 3, 0, 1}, 20.0, 4.0},  /* row 0 alone */
                 {{1, 1, -1, 2}, 22.0, 3.0}, /* equal ones are not exchanged: 4, 9 and 9 */
                 {{0, 0, 0, 0}, 0.0, 1.0}};
    struct qp_problem problem = make("gauss_jordan", "general", 2, 2, 1);
    float *a = problem.field[QP_GAUSS_JORDAN_AUGMENTED].values;
    for (int k = 0; k < COUNT(cases); k++) {
        for (int e = 0; e < 4; e++)
            a[e / 2 * 3 + e % 2] = cases[k].a[e];
        const double units = tolerance_of(&problem, true) * 0x1p24,
                     wanted = 3.0 + 5.0 * sqrt(3.0 * cases[k].squares) / cases[k].norm;
        if (fabs(units - wanted) > 1e-9)
            fail_msg("case %d: %g units, not %g", k, units, wanted);
    }
    qp_problem_destroy(&problem);
}

/* ---- The exact problem ---- */

/* Judges as every variant of the table is judged: the error must be 0, or no variant may pass. */
static void expect(const struct qp_problem *problem, const struct qp_matrix *answer, bool right,
                   const char *what, int place)
{
    const double allowed[] = {tolerance_of(problem, false), tolerance_of(problem, true),
                              problem->op->half->tolerance(problem, 1)};
    struct qp_comparison worst;
    problem->op->judge->measure(problem, answer, &worst);
    for (int i = 0; i < COUNT(allowed); i++) {
        if ((worst.error <= allowed[i]) != right)
            fail_msg("%d unknowns, %s %d: error %g of %g allowed", problem->height, what, place,
                     worst.error, allowed[i]);
    }
}

static void expect_elimination(const struct qp_problem *problem, bool substitutes, int off,
                               struct qp_matrix *answer)
{
    memcpy(answer->values, problem->field[QP_GAUSS_JORDAN_AUGMENTED].values,
           (size_t)(answer->width * answer->height) * sizeof *answer->values);
    eliminate(answer->values, problem->height, ALWAYS, substitutes, off);
    expect(problem, answer, off < 0, "a bit of factor", off);
}

/* A bit of the first unknown, of one in the middle and of the last, either way. */
static void expect_bits_of_unknowns(const struct qp_problem *problem, struct qp_matrix *answer)
{
    const int n = problem->height;
    for (int k = 0; k < 6; k++) {
        float *x = &answer->values[(k / 2 * (n - 1) / 2) * (n + 1) + n];
        const float right = *x;
        *x = nextafterf(right, k % 2 ? INFINITY : -INFINITY);
        expect(problem, answer, false, "a bit of unknown", k / 2 * (n - 1) / 2);
        *x = right;
    }
}

/* A factor is a bit off, of the first column, one in the middle and one of the last ten, whose
 * errors later columns still meet. All columns are even: there elements halve, and a bit is left of
 * them; in odd ones, where they double, it is half a unit, which float rounds away. */
TEST(one_bit_is_too_few)
{
    static const int sizes[] = {1, 7, 60, 128, 255, 256, 500};
    for (int i = 0; i < COUNT(sizes); i++) {
        const int n = sizes[i], columns[] = {0, n / 4 * 2, (n - 9) / 2 * 2};
        struct qp_problem problem = make("gauss_jordan", "exact", n, n, i);
        struct qp_matrix answer;
        assert_ok(qp_matrix_create(n + 1, n, &answer));
        for (int way = 0; way < 2; way++) {
            for (int k = 0; k < COUNT(columns) && n > 60; k++)
                expect_elimination(&problem, way == 1, (n - 5) * n + columns[k], &answer);
            expect_elimination(&problem, way == 1, -1, &answer);
            expect_bits_of_unknowns(&problem, &answer);
        }
        qp_matrix_destroy(&answer);
        qp_problem_destroy(&problem);
    }
}
