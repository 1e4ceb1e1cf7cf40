/* SPDX-License-Identifier: MIT */
/* Many systems A x = b of n unknowns each, all at once: Gauss-Jordan elimination with partial
 * pivoting, each system with pivots and factors of its own. (Paper 2 names it last among what it is
 * to deliver: the matrices of its chemical kinetics are 12 by 12, and there is one for every cell.)
 *
 * One system without a solution does not spoil the others: its unknowns are zero, its
 * column without a pivot is reported, and the verdict is a failure that names it. Zero and
 * NaN are no pivots, which is LAPACK's rule. Systems that are singular but for rounding
 * are solved like all others: whether such a pivot means anything depends on how the
 * caller scaled rows and columns. */
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan_batch/kinetics.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/base/whole.h"

static const struct qp_kind kinds[QP_BATCH_KINDS + 1] = {
    [QP_BATCH_DOMINANT] = {.name = "dominant",
                           .what = "random, diagonally dominant: no rows need be exchanged"},
    [QP_BATCH_GENERAL] = {.name = "general",
                          .what = "random; some pivots are small unless rows are exchanged"},
    [QP_BATCH_KINETICS] = {.name = "kinetics",
                           .what = "Newton matrices of burning gas, 12 x 12",
                           .width = QP_KINETICS_SPECIES,
                           .unchecked = true,
                           .benched = true},
};

/* Padding of the systems is 0, so a fragment without a system computes zeros. Padding of the answer
 * is not checked. */
static const struct qp_field fields[QP_BATCH_STORED] = {{.name = "a"},
                                                        {.name = "x", .padding = NAN}};

int qp_batch_unknowns(const struct qp_problem *problem)
{
    return problem->width - 1;
}

int qp_batch_count(const struct qp_problem *problem)
{
    return problem->height / qp_batch_unknowns(problem);
}

/* ---- Stage 1 ---- */

/* W x H means H systems of W unknowns. */
static enum qp_status grid(const struct qp_problem_desc *desc, int *width, int *height)
{
    const int n = desc->width;
    if (n > QP_BATCH_MOST_UNKNOWNS)
        return qp_fail(
            QP_BAD_USE,
            "stage 1, problem: systems of %d unknowns are no small ones; a batch takes up to "
            "%d, gauss_jordan takes one system of any size",
            n, QP_BATCH_MOST_UNKNOWNS);
    if (desc->kind != NULL && strcmp(desc->kind, kinds[QP_BATCH_KINETICS].name) == 0 &&
        n != QP_KINETICS_SPECIES)
        return qp_fail(QP_BAD_USE,
                       "stage 1, problem: kinetics has systems of %d unknowns, not of %d; take the "
                       "problem dominant or general",
                       QP_KINETICS_SPECIES, n);
    if (n < 1 || desc->height < 1)
        return qp_fail(
            QP_BAD_USE,
            "stage 1, problem: %d systems of %d unknowns are none; both must be at least 1",
            desc->height, n);
    if ((double)desc->height * n > 0x1p30)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %d systems are too many to be counted",
                       desc->height);
    *width = n + 1;
    *height = desc->height * n;
    return QP_OK;
}

/* A, n x n, and b = A x for a random x; kinetics brings its own b. */
static void fill_system(enum qp_batch_kind kind, int n, uint64_t *state, double *a, double *b)
{
    double x[QP_BATCH_MOST_UNKNOWNS];
    if (kind == QP_BATCH_KINETICS) {
        qp_kinetics_newton(state, a, b);
        return;
    }
    qp_matrix_fill(kind == QP_BATCH_GENERAL ? QP_MATRIX_GENERAL : QP_MATRIX_DOMINANT, n, 1.0, state,
                   a);
    for (int j = 0; j < n; j++)
        x[j] = qp_random(state, -1.0, 1.0);
    for (int i = 0; i < n; i++) {
        b[i] = 0.0;
        for (int j = 0; j < n; j++)
            b[i] += a[i * n + j] * x[j];
    }
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    enum { MOST = QP_BATCH_MOST_UNKNOWNS };
    const int n = qp_batch_unknowns(problem), count = qp_batch_count(problem);
    float *out = problem->field[QP_BATCH_AUGMENTED].values;
    double a[MOST * MOST], b[MOST];
    uint64_t state = desc->seed;
    for (int s = 0; s < count; s++) {
        fill_system((enum qp_batch_kind)qp_problem_kind(problem), n, &state, a, b);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                *out++ = (float)a[i * n + j];
            *out++ = (float)b[i];
        }
    }
    memset(problem->field[QP_BATCH_UNKNOWNS].values, 0, qp_problem_answers(problem) * sizeof *out);
    return QP_OK;
}

static const float *system_of(const struct qp_problem *problem, int system)
{
    const int n = qp_batch_unknowns(problem);
    return problem->field[QP_BATCH_AUGMENTED].values + (size_t)system * (size_t)(n * (n + 1));
}

/* ---- Stage 9: the reference ---- */

/* Solves one system. Returns the column without a pivot, counted from 1; 0 if every column has one.
 * On return *growth >= growth factor: the largest number at or below the pivots over the largest of
 * A. */
static int solve(const float *system, int n, double *x, double *growth)
{
    double a[QP_BATCH_MOST_UNKNOWNS * (QP_BATCH_MOST_UNKNOWNS + 1)], first = 0.0, most = 0.0;
    for (int q = 0; q < n * (n + 1); q++) {
        a[q] = system[q];
        first = fmax(first, q % (n + 1) < n ? fabs(a[q]) : 0.0);
    }
    for (int k = 0; k < n; k++) {
        const double *row = a + k * (n + 1);
        qp_gauss_jordan_exchange(a, n + 1, n, k);
        if (!(fabs(row[k]) > 0.0 && isfinite(row[k])))
            return k + 1;
        for (int i = 0; i < n; i++) {
            double factor = a[i * (n + 1) + k] / row[k];
            for (int j = k; j <= n && i != k; j++) {
                a[i * (n + 1) + j] -= factor * row[j];
                most = fmax(most, i > k && j < n ? fabs(a[i * (n + 1) + j]) : 0.0);
            }
        }
    }
    for (int k = 0; k < n; k++)
        x[k] = a[k * (n + 1) + n] / a[k * (n + 1) + k];
    *growth = fmax(*growth, most / first);
    return 0;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    const int n = qp_batch_unknowns(problem), count = qp_batch_count(problem);
    (void)old;
    for (int s = 0; s < count; s++) {
        double *x = new + (size_t)s *(size_t)(n + 1);
        x[n] = solve(system_of(problem, s), n, x, scale);
        for (int i = 0; i < n && x[n] > 0.0; i++)
            x[i] = 0.0;
    }
}

/* False beyond some seconds' work; the tolerance then assumes no growth of elements. */
static bool wants_reference(const struct qp_problem *problem)
{
    return qp_problem_extent(problem).updates <= 0x1p30;
}

/* ---- Stage 10: the judge ---- */

/* Residual |b - A x| of the worst row over ||A|| ||x|| + ||b|| in maximum norms, as in
 * gauss_jordan.c. */
static double residual_of(const float *system, const float *x, int n, int *row, double *rest)
{
    double norm_a = 0.0, norm_b = 0.0, norm_x = 0.0;
    *rest = -1.0;
    for (int i = 0; i < n; i++) {
        const float *a = system + i * (n + 1);
        double sum = 0.0, left = a[n];
        for (int j = 0; j < n; j++) {
            sum += fabs((double)a[j]);
            left -= (double)a[j] * x[j];
        }
        norm_a = fmax(norm_a, sum);
        norm_b = fmax(norm_b, fabs((double)a[n]));
        norm_x = fmax(norm_x, fabs((double)x[i]));
        left = isfinite(left) ? fabs(left) : INFINITY;
        if (left > *rest) {
            *rest = left;
            *row = i;
        }
    }
    double error = *rest == 0.0 ? 0.0 : *rest / (norm_a * norm_x + norm_b);
    return isfinite(error) ? error : INFINITY;
}

/* Error of a system without a solution: the largest unknown, since only zeros are right. */
static double nonzero_of(const float *x, int n, int *row, double *rest)
{
    *rest = 0.0;
    for (int i = 0; i < n; i++) {
        if (x[i] != 0.0f) {
            *row = i;
            *rest = x[i];
            return INFINITY;
        }
    }
    return 0.0;
}

static bool is_column(float value, int n)
{
    return value >= 0.0f && value <= (float)n && value == floorf(value);
}

static bool judge(const struct qp_problem *problem, const struct qp_matrix *answer,
                  struct qp_comparison *worst)
{
    const int n = qp_batch_unknowns(problem), count = qp_batch_count(problem);
    double squares = 0.0;
    *worst = (struct qp_comparison){.error = -1.0};
    for (int s = 0; s < count; s++) {
        const float *x = answer->values + (size_t)s * (size_t)(n + 1);
        double rest, error;
        int row = n;
        if (x[n] == 0.0f)
            error = residual_of(system_of(problem, s), x, n, &row, &rest);
        else
            error = nonzero_of(x, n, &row, &rest);
        if (!is_column(x[n], n)) {
            error = INFINITY;
            rest = x[n];
        }
        squares += error * error;
        if (error > worst->error)
            *worst = (struct qp_comparison){.error = error, .x = row, .y = s, .got = rest};
    }
    worst->rms = sqrt(squares / count);
    return true;
}

/* Writes a sentence about the first system without a solution, and how many there are. */
static bool leaves_out(const struct qp_problem *problem, const struct qp_matrix *answer,
                       char *reason, size_t size)
{
    const int n = qp_batch_unknowns(problem), count = qp_batch_count(problem);
    int left = 0, first = 0, column = 0;
    for (int s = count - 1; s >= 0; s--) {
        float value = answer->values[(size_t)s * (size_t)(n + 1) + (size_t)n];
        if (value == 0.0f)
            continue;
        left++;
        first = s;
        column = (int)value;
    }
    if (left == 1)
        snprintf(reason, size,
                 "system %d of %d is singular: column %d has no pivot; the other %d are solved",
                 first + 1, count, column, count - 1);
    else if (left > 1)
        snprintf(reason, size,
                 "%d of %d systems are singular, system %d the first: column %d has no pivot; the "
                 "other %d are solved",
                 left, count, first + 1, column, count - left);
    return left > 0;
}

/* Tolerance as in gauss_jordan.c, but with the growth of elimination below the pivots. Above them
 * numbers may grow like the inverse of the triangle, and Gauss-Jordan's residual with them (Peters
 * and Wilkinson 1975), for which nothing is allowed here: among 20,000 random systems of 16
 * unknowns its residual was at most twelve times that of elimination with substitution, a tenth of
 * this. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)iterations, (void)precision;
    return qp_gauss_jordan_tolerance(problem, qp_batch_unknowns(problem), qp_batch_count(problem));
}

/* ---- Extents and costs, for records ---- */

/* Counted as gauss_jordan does, for every system. */
static struct qp_extent extent(const struct qp_problem *problem)
{
    const int n = qp_batch_unknowns(problem), count = qp_batch_count(problem);
    return (struct qp_extent){.width = n,
                              .height = n,
                              .systems = count,
                              .updates = (double)n * n * (n + 1) * count,
                              .answer = {n + 1, count},
                              .batch = n};
}

/* Systems are read, and their answers are small. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const int n = qp_batch_unknowns(problem), count = qp_batch_count(problem);
    return qp_gauss_jordan_cost(recipe, problem, 1, (2.0 / 3.0 * n + 2.0) * n * n * count);
}

/* Steps of a benchmark: small batches are repeated, for the clock's sake. */
static int bench_steps(const struct qp_problem *problem)
{
    return qp_clamp(0x1p25 / qp_problem_extent(problem).updates, 1, 20);
}

/* Sizes: one unknown, primes, multiples of four, one above; one system, a stamp, several rows of
 * them. */
static const struct qp_size sizes[] = {{1, 1},    {2, 3},   {3, 1009}, {4, 64}, {7, 17}, {12, 1},
                                       {12, 100}, {13, 21}, {33, 5},   {64, 3}, {0}};

static const int steps[] = {1, 2, 0};

static const struct qp_size bench_sizes[] = {{12, 1000}, {12, 10000}, {12, 100000}, {0}};

static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_batch_variant *own = recipe->own;
    if (own == NULL || qp_batch_unknowns(problem) <= own->most_unknowns)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "takes systems of at most %d unknowns, for compilers take a minute over what "
                   "more of them unroll into; take gauss_jordan_batch/planes",
                   own->most_unknowns);
}

static const struct qp_runs runs = {.sizes = sizes,
                                    .steps = steps,
                                    .bench_sizes = bench_sizes,
                                    .bench_steps = bench_steps,
                                    .whole_systems = true,
                                    .counts_systems = true};

static const struct qp_judge residual = {.measure = judge,
                                         .measured = "b - A x",
                                         .wants_reference = wants_reference,
                                         .leaves_out = leaves_out};

const struct qp_op qp_op_gauss_jordan_batch = {
    .name = "gauss_jordan_batch",
    .kinds = kinds,
    .equation = "A x = b by Gauss-Jordan elimination, for many small A and b at once",
    .state = QP_BATCH_UNKNOWNS,
    .fields = QP_BATCH_STORED,
    .field = fields,
    .runs = &runs,
    .create = create,
    .step = step,
    .tolerance = tolerance,
    .takes = takes,
    .cost = cost,
    .grid = grid,
    .extent = extent,
    .judge = &residual,
};
