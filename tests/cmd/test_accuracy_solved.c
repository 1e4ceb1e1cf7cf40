/* SPDX-License-Identifier: MIT */
/* Digits of whole solves, against solutions that come from elsewhere: Hilbert's inverse by its
 * formula, and Gauss's elimination in long double. */
#include "support/records.h"
#include "support/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"

enum { MOST = 64 };

static bool lacks_library(void)
{
    return strstr(output, "built without") != NULL;
}

/* An element of the inverse of 1 / (i + j + 1). */
static long double inverse(int n, int i, int j)
{
    long double product = (i + j) % 2 ? -1.0L : 1.0L;
    product *= i + j + 1;
    for (int k = 1; k <= n - j - 1; k++) /* n + i over n - j - 1 */
        product *= (long double)(i + j + 1 + k) / k;
    for (int k = 1; k <= n - i - 1; k++) /* n + j over n - i - 1 */
        product *= (long double)(i + j + 1 + k) / k;
    for (int k = 1; k <= i; k++) /* i + j over i, squared */
        product *= (long double)(j + k) / k * (j + k) / k;
    return product;
}

/* max |x - wanted| / max |wanted| */
static double distance(const double *x, const long double *wanted, int count)
{
    long double most = 0.0L, error = 0.0L;
    for (int i = 0; i < count; i++) {
        error = fmaxl(error, fabsl(x[i] - wanted[i]));
        most = fmaxl(most, fabsl(wanted[i]));
    }
    return (double)(error / most);
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 0.02 * wanted))
        fail_msg("an error of %g is told, and it is %g", got, wanted);
}

/* Distance from the exact solution of a system of Hilbert's matrix: of a variant's answer, or of
 * the reference's in double. */
static double hilbert_error(const char *name, int n, bool in_double)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = "hilbert", .width = n, .height = n, .seed = 1};
    const struct qp_walk_desc walk = {
        .iterations = 1, .unchecked = !in_double, .keep_solution = true};
    struct qp_problem problem;
    struct qp_result result;
    double x[MOST];
    long double exact[MOST];
    assert_int_equal(qp_problem_create(&desc, &problem), QP_OK);
    const float *a = problem.field[0].values;
    problem.kind = "file"; /* so that no variant asks for pivoting */
    assert_int_equal(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &result), QP_OK);
    assert_true(a[0] >= 0.5f && a[0] < 1.0f);
    for (int i = 0; i < n; i++) {
        exact[i] = 0.0L;
        x[i] = in_double ? problem.reference[i * (n + 1) + n]
                         : result.solution.values[i * (n + 1) + n];
        for (int j = 0; j < n; j++) {
            exact[i] += inverse(n, i, j) * a[j * (n + 1) + n] / a[0];
            assert_true((long double)a[i * (n + 1) + j] * (i + j + 1) == a[0]); /* exactly */
        }
    }
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    return distance(x, exact, n);
}

/* Elimination in float loses what the condition says, and refinement brings it back while it is
 * below 2^24. */
TEST(eliminations_have_digits)
{
    char digits[32];
    cJSON *tree = run_json("accuracy gauss_jordan/loop gauss_jordan/reference --problem hilbert "
                           "-n 6 --json -",
                           0);
    const char *const what[] = {"plain", "refined", "plain", "refined"};
    for (int k = 0; k < 4; k++) {
        const cJSON *r = record(tree, k);
        assert_string_equal(text(r, "what"), what[k]);
        assert_string_equal(text(r, "variant"),
                            k < 2 ? "gauss_jordan/reference" : "gauss_jordan/loop");
        assert_string_equal(text(r, "problem"), "hilbert");
        assert_true(number(r, "width") == 6.0 && number(r, "height") == 6.0);
        assert_true(number(r, "seconds") > 0.0 && number(r, "seconds") < 1.0);
        assert_true(fabs(number(r, "condition") / 2.907e7 - 1.0) < 0.01);
    }
    /* the reference's in double, not as it is read back */
    assert_near(number(record(tree, 0), "error"), hilbert_error("gauss_jordan/reference", 6, true));
    assert_near(number(record(tree, 2), "error"), hilbert_error("gauss_jordan/loop", 6, false));
    assert_true(number(record(tree, 3), "error") < 1e-9);
    assert_true(number(record(tree, 2), "iterations") == 1.0 &&
                number(record(tree, 3), "iterations") > 2.0);
    assert_int_equal(run("accuracy gauss_jordan/loop --problem hilbert -n 6"), 0);
    snprintf(digits, sizeof digits, " %6.1f\n", -log10(number(record(tree, 2), "error")));
    assert_int_equal(count(digits), 1);
    cJSON_Delete(tree);
}

/* All sizes that are usual, and where no digit is left, a reason in place of an error. */
TEST(what_float_cannot_is_said)
{
    assert_int_equal(run("accuracy gauss_jordan/sgesv gauss_jordan/branched_notex --csv a.csv"), 0);
    assert_int_equal(count("hilbert"), 16);
    assert_true(count("a bound computes no solution") >= 4 || count("built without") > 0);
    assert_true(count("an elimination leaves no digit") == 2 || count("built without") > 0);
    assert_int_equal(run("--version >v; grep -c "
                         "^what,variant,problem,width,height,iterations,seconds,wanted,error,"
                         "computed,condition,reason, a.csv"),
                     0);
    assert_int_equal(run("accuracy gauss_jordan/loop --problem inverse -n 5"), 0);
    must_print((const char *[]){"  10 x 5     inverse", " plain ", " refined "}, 3);
}

/* Solves A x = b of nine bands by Gauss's elimination. */
static void eliminate(const struct qp_problem *problem, int n, long double *x)
{
    static long double a[MOST][MOST + 1];
    struct qp_market matrix;
    assert_int_equal(baseline_matrix(problem, &matrix), QP_OK);
    memset(a, 0, sizeof a);
    for (size_t k = 0; k < matrix.count; k++)
        a[matrix.row[k]][matrix.column[k]] = matrix.value[k];
    qp_market_destroy(&matrix);
    for (int i = 0; i < n; i++)
        a[i][n] = problem->field[9].values[i];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = n; j >= k && i != k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    for (int i = 0; i < n; i++)
        x[i] = a[i][n] / a[i][i];
}

TEST(iterations_have_digits)
{
    enum { WIDTH = 7, HEIGHT = 6, N = WIDTH * HEIGHT };
    const struct qp_problem_desc desc = {
        .kind = "bidomain", .width = WIDTH, .height = HEIGHT, .seed = 1};
    const struct qp_solve_desc solve = {.variant = qp_variant_find("jacobi9/bands_cpu"),
                                        .tolerance = 1e-300};
    struct qp_problem problem;
    struct qp_market matrix;
    struct qp_solution solution;
    long double exact[N];
    double b[N];
    cJSON *tree = run_json("accuracy jacobi9/bands_cpu --problem bidomain -n 7x6 --json -", 0);
    assert_int_equal(qp_problem_create(&desc, &problem), QP_OK);
    eliminate(&problem, N, exact);
    assert_int_equal(baseline_matrix(&problem, &matrix), QP_OK);
    for (int i = 0; i < N; i++)
        b[i] = problem.field[9].values[i];
    assert_int_equal(qp_solve(NULL, &matrix, b, NULL, &solve, &solution), QP_OK);
    assert_near(number(record(tree, 0), "error"), distance(solution.x, exact, N));
    assert_true(number(record(tree, 1), "error") < 1e-15);
    assert_true(number(record(tree, 0), "iterations") == solution.steps);
    assert_true(number(record(tree, 0), "seconds") > 0.0);
    qp_solution_destroy(&solution);
    qp_market_destroy(&matrix);
    qp_problem_destroy(&problem);
    cJSON_Delete(tree);
}

/* Numbers of steps ask for the errors of steps, and an elimination has none. */
TEST(steps_are_followed_where_they_are_asked_for)
{
    assert_int_equal(run("accuracy jacobi9/bands_cpu --problem bidomain -n 7 --iterations 3"), 0);
    assert_true(count("largest") == 1 && count("digits") == 0);
    assert_int_equal(run("accuracy jacobi9/bands_cpu --problem random -n 7"), 0);
    assert_true(count("largest") == 1 && count("digits") == 0);
    assert_refused("accuracy gauss_jordan/loop --iterations 3", "--iterations does not go with");
    assert_refused("accuracy gauss_jordan/loop -n 100000", "are above the limit");
    assert_refused("accuracy gauss_jordan/loop -n 1x7", "is no augmented matrix");
    assert_refused("accuracy gauss_jordan/loop --problem heat", "--problem does not take 'heat'");
}

/* The commands of docs/precision.md whose output it does not make anew. */
TEST(other_formats_have_digits)
{
    assert_int_equal(run("accuracy poisson5/sequential poisson5/sequential_double -n 31; true"), 0);
    assert_true((count(" 1.20e-06    5.9\n") == 1 && count("7.77e-16   15.1\n") == 1) ||
                lacks_library());
    need_gl();
    assert_int_equal(run("accuracy jacobi9/luminance_half --problem bidomain -n 9"), 0);
    assert_true(count(" plain ") == 1 || lacks_library());
    assert_int_equal(run("accuracy poisson5/double_single -n 15; quadpass accuracy "
                         "poisson5/double -n 15"),
                     0);
    assert_true(count(" digits\n") == 2 || lacks_library());
}

GROUP(make_folder, remove_folder)
