/* SPDX-License-Identifier: MIT */
/* Whole solves after a check: which systems a variant is given, and how its answers are judged,
 * which are the direct solver's here, wrong by a known part. */
/* wrap: qp_solve qp_solve_dense */
#include "support/support.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/status.h"
#include "toolkit/io/market.h"
#include "tools/cmd/solve/check_solves.h"

/* Answers that the variant gives, and requests that it got. */
static struct {
    double wrong; /* part by which the last side is too large */
    enum qp_status status;
    enum qp_ending ending;
    bool on_host, interrupted;
    char asked[1024];
    double tolerance; /* the smallest that error may have, by the condition number */
} row;

static enum qp_status answer(const struct qp_market *matrix, const double *b, int sides,
                             double tolerance, double **x,
                             enum qp_status (*solve)(const struct qp_market *matrix,
                                                     const double *b, double *x, double *condition))
{
    const size_t n = (size_t)matrix->rows;
    double condition = 0.0;
    assert_true(tolerance == 1e-12);
    *x = NULL;
    if (row.status != QP_OK)
        return qp_fail(row.status, "it did not work");
    cmd_interrupted = row.interrupted;
    *x = calloc(n * (size_t)sides, sizeof **x);
    for (int k = 0; k < sides; k++)
        assert_ok(solve(matrix, b + n * (size_t)k, *x + n * (size_t)k, &condition));
    for (size_t i = n * (size_t)(sides - 1); i < n * (size_t)sides; i++)
        (*x)[i] *= 1.0 + row.wrong;
    row.tolerance = fmin(row.tolerance, sqrt((double)n) * 1e-12 * condition);
    return QP_OK;
}

static enum qp_status solve_dense(const struct qp_market *matrix, const double *b, double *x,
                                  double *condition)
{
    return baseline_solve_dense(matrix, b, 1, x, condition);
}

enum qp_status __wrap_qp_solve(struct qp_context *context, const struct qp_market *matrix,
                               const double *b, const double *start,
                               const struct qp_solve_desc *desc, struct qp_solution *out);
enum qp_status __wrap_qp_solve(struct qp_context *context, const struct qp_market *matrix,
                               const double *b, const double *start,
                               const struct qp_solve_desc *desc, struct qp_solution *out)
{
    const size_t used = strlen(row.asked);
    double all = 0.0;
    assert_true(context == NULL && start == NULL && desc->refine);
    assert_ptr_equal(desc->interrupt, &cmd_interrupted);
    for (int i = 0; i < matrix->rows; i++)
        all += fabs(b[i]);
    assert_true(all > 1.0 && matrix->rows == desc->width * desc->height);
    snprintf(row.asked + used, sizeof row.asked - used, "%dx%d %s %s, ", desc->width, desc->height,
             qp_pingpong_name(desc->pingpong), qp_target_name(desc->target));
    *out = (struct qp_solution){.ending = row.ending, .sentence = "it ended so"};
    return answer(matrix, b, 1, desc->tolerance, &out->x, baseline_solve);
}

enum qp_status __wrap_qp_solve_dense(struct qp_context *context, const struct qp_market *matrix,
                                     const double *b, int sides, const struct qp_dense_desc *desc,
                                     struct qp_dense_solution *out);
enum qp_status __wrap_qp_solve_dense(struct qp_context *context, const struct qp_market *matrix,
                                     const double *b, int sides, const struct qp_dense_desc *desc,
                                     struct qp_dense_solution *out)
{
    const size_t used = strlen(row.asked), n = (size_t)matrix->rows;
    double sums[256] = {0};
    assert_true(context == NULL && desc->refine && n < 256);
    assert_ptr_equal(desc->interrupt, &cmd_interrupted);
    qp_market_add_product(matrix, -1.0, NULL, sums);
    for (size_t i = 0; i < n; i++) /* the first side is A times ones, the others are not */
        assert_true(fabs(sums[i] + b[i]) <= 1e-12 * fabs(b[i]));
    assert_true(b[n] != b[0]);
    snprintf(row.asked + used, sizeof row.asked - used, "%d for %d %s %s, ", matrix->rows, sides,
             qp_pingpong_name(desc->pingpong), qp_target_name(desc->target));
    *out = (struct qp_dense_solution){
        .ending = row.ending, .sentence = "it ended so", .on_host = row.on_host};
    return answer(matrix, b, sides, desc->tolerance, &out->x, solve_dense);
}

/* All systems of one variant; in a build without a direct solver the test is skipped. */
static struct solved check(const char *name, const char *problem)
{
    const struct options options = {
        .seed = 1, .parameter = -1, .problem = problem, .pingpong = QP_COPY, .target = QP_2D};
    struct solved solved;
    row.asked[0] = '\0';
    row.tolerance = INFINITY;
    if (row.ending == QP_NO_ENDING)
        row.ending = QP_CONVERGED;
    const enum qp_status status = check_solves(&options, NULL, qp_variant_find(name), &solved);
    if (status == QP_UNSUPPORTED)
        support_skip("blas");
    assert_int_equal(status, row.status == QP_NO_MEMORY ? QP_NO_MEMORY : QP_OK);
    cmd_interrupted = 0;
    return solved;
}

static int reset(void **state)
{
    (void)state;
    memset(&row, 0, sizeof row);
    return 0;
}

/* Systems that a variant's operation has, and that it promises to take. */
TEST(systems_of_rows, .setup_func = reset)
{
    static const struct {
        const char *name, *problem, *asked;
        int cases;
    } rows[] = {{"jacobi9/openmp", NULL,
                 "31x20 copy 2d, 20x31 copy 2d, 21x21 copy 2d, 13x11 copy 2d, 30x30 copy 2d, ", 5},
                {"jacobi9/openmp", "wraps", "20x31 copy 2d, ", 1},
                {"jacobi9/openmp", "gr_30_30", "30x30 copy 2d, ", 1},
                {"jacobi9/openmp", "diagonal", "", 0},
                {"jacobi9/rgba", NULL, "", 0}, /* there is no context */
                {"gauss_jordan/loop", NULL, "61 for 2 copy 2d, ", 2},
                {"gauss_jordan/reference", NULL,
                 "61 for 2 copy 2d, 61 for 2 copy 2d, 67 for 2 copy 2d, 207 for 2 copy 2d, ", 8},
                {"gauss_jordan/reference", "general", "61 for 2 copy 2d, ", 2},
                {"poisson5/openmp", NULL, "", 2}, /* by the library itself, as the next ones */
                {"poisson5/openmp_red_black_double", "spike", "", 1},
                {"poisson5/openmp", "sine", "", 0},
                {"reduce/loop", NULL, "", 0},
                {"gauss_jordan_batch/loop", NULL, "", 0}};
    for (int i = 0; i < COUNT(rows); i++) {
        const struct solved solved = check(rows[i].name, rows[i].problem);
        assert_string_equal(row.asked, rows[i].asked);
        assert_int_equal(solved.cases, rows[i].cases);
        assert_true(!solved.failed && solved.error <= solved.tolerance && solved.error < 1e-13);
    }
}

/* All errors are the same: so that with the smallest tolerance is the worst. */
TEST(errors_of_answers, .setup_func = reset)
{
    static const char *const names[] = {"jacobi9/openmp", "gauss_jordan/reference"};
    for (int i = 0; i < COUNT(names); i++) {
        row.wrong = 0.0;
        check(names[i], NULL);
        const double tolerance = row.tolerance;
        row.wrong = 0.5 * tolerance;
        struct solved solved = check(names[i], NULL);
        assert_true(!solved.failed && solved.reason[0] == '\0' && solved.cases == (i ? 8 : 5));
        assert_true(fabs(solved.tolerance / tolerance - 1.0) < 1e-9);
        assert_true(fabs(solved.error / row.wrong - 1.0) < 0.1);
        row.wrong = 1.0;
        solved = check(names[i], NULL);
        assert_true(solved.failed && solved.cases == (i ? 2 : 1)); /* it goes no further */
        assert_true(fabs(solved.error - 1.0) < 1e-6);
        assert_string_equal(solved.reason,
                            i ? "solving dominant: converged, but to another solution than LAPACK "
                                "finds"
                              : "solving random: converged, but to another solution than "
                                "elimination finds");
        row.wrong = NAN;
        assert_true(check(names[i], NULL).failed);
    }
}

TEST(endings_of_solves, .setup_func = reset)
{
    row.ending = QP_STAGNATED;
    struct solved solved = check("jacobi9/openmp", NULL);
    assert_true(solved.failed && solved.cases == 1);
    assert_string_equal(solved.reason, "solving random: it ended so");
    assert_string_equal(check("gauss_jordan/loop", NULL).reason, "solving dominant: it ended so");
    row.ending = QP_CONVERGED;
    row.on_host = true;
    assert_string_equal(check("gauss_jordan/loop", NULL).reason, "solving dominant: it ended so");
    row.on_host = false;
    for (int i = 0; i < 2; i++) {
        row.status = i ? QP_BAD_INPUT : QP_DEVICE;
        solved = check("gauss_jordan/loop", NULL);
        assert_true(solved.failed && solved.cases == 0);
        assert_string_equal(solved.reason, "solving dominant: it did not work");
    }
    row.status = QP_UNSUPPORTED; /* its own limits: no failure, and others are tried */
    solved = check("jacobi9/openmp", NULL);
    assert_true(!solved.failed && solved.cases == 0 && strstr(row.asked, "30x30") != NULL);
    row.status = QP_NO_MEMORY;
    assert_false(check("jacobi9/openmp", NULL).failed);
    assert_null(strstr(row.asked, "20x31"));
}

/* An interrupted solve is not judged, whatever its results. */
TEST(interrupts, .setup_func = reset)
{
    row.interrupted = true;
    row.wrong = 1.0;
    row.ending = QP_INTERRUPTED;
    const struct solved solved = check("jacobi9/openmp", NULL);
    assert_true(!solved.failed && solved.cases == 0);
    assert_null(strstr(row.asked, "20x31"));
}

/* A system that is left would be thousands of bytes each time. */
TEST(nothing_is_left, .setup_func = reset)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    size_t before = 0;
    for (int i = 0; i < 16; i++) {
        const struct mallinfo2 heap = mallinfo2();
        before = i == 6 ? heap.uordblks + heap.hblkhd : before;
        check("jacobi9/openmp", "wraps");
        check("gauss_jordan/loop", NULL);
        check("poisson5/openmp", "spike");
    }
    assert_true(mallinfo2().uordblks + mallinfo2().hblkhd <= before + 16384);
#endif
}
