/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan elimination: [A | b] becomes [I | x], A x = b, column by column:
 *
 *     row k        a[k][j] := a[k][j] / a[k][k]
 *     row i != k   a[i][j] := a[i][j] - a[i][k] a[k][j]        for k = 0 ... N - 1
 *
 * with or without an exchange of row k with the one below it whose a[i][k] is largest (partial
 * pivoting). b has m columns: one, or N of them, the identity, and x is the inverse. A step is a
 * whole elimination, from the start again; the answer stays the same. (Paper 2.) */
#include "lab/ops/gauss_jordan/gauss_jordan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/gauss_jordan/blocked.h"
#include "lab/plan/problem.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"

static const struct qp_field fields[QP_GAUSS_JORDAN_STORED] = {{.name = "a"}};

/* ---- Stage 1 ---- */

/* N x N means N unknowns and one right-hand side, and W x H for H unknowns and W - H. */
static enum qp_status grid(const struct qp_problem_desc *desc, int *width, int *height)
{
    bool inverse =
        desc->kind != NULL && strcmp(desc->kind, qp_matrix_kinds[QP_MATRIX_INVERSE].name) == 0;
    if (desc->width < desc->height)
        return qp_fail(
            QP_BAD_USE,
            "stage 1, problem: %d x %d is no augmented matrix; give N for N unknowns, or "
            "(N + m) x N for m right-hand sides",
            desc->width, desc->height);
    if (desc->height > INT_MAX / 2)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %d unknowns are too many to be counted",
                       desc->height);
    *height = desc->height;
    *width = inverse ? 2 * desc->height : desc->width > desc->height ? desc->width : *height + 1;
    return QP_OK;
}

/* Element i of right-hand side `side`. */
static float *side_at(const struct qp_problem *problem, int i, int side)
{
    const size_t width = (size_t)problem->width, n = (size_t)qp_gauss_jordan_unknowns(problem);
    return problem->field[QP_GAUSS_JORDAN_AUGMENTED].values + (size_t)i * width + n + (size_t)side;
}

/* b = A x in double for a random x, rounded to float with A. */
static void fill_sides(struct qp_problem *problem, const double *a, double *x, uint64_t *state)
{
    const int n = qp_gauss_jordan_unknowns(problem);
    const enum qp_matrix_kind kind = (enum qp_matrix_kind)qp_problem_kind(problem);
    for (int side = 0; side < qp_gauss_jordan_sides(problem); side++) {
        qp_matrix_fill_unknowns(kind, n, a, state, x);
        for (int i = 0; i < n && !qp_watch_leaves((double)i / n); i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += a[(size_t)i * (size_t)n + (size_t)j] * x[j];
            *side_at(problem, i, side) = (float)sum;
        }
    }
}

static void fill_identity(struct qp_problem *problem)
{
    for (int side = 0; side < qp_gauss_jordan_sides(problem); side++) {
        for (int i = 0; i < qp_gauss_jordan_unknowns(problem); i++)
            *side_at(problem, i, side) = i == side ? 1.0f : 0.0f;
    }
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    const size_t n = (size_t)qp_gauss_jordan_unknowns(problem);
    const enum qp_matrix_kind kind = (enum qp_matrix_kind)qp_problem_kind(problem);
    double condition = desc->condition > 0.0 ? desc->condition : 1e4;
    uint64_t state = desc->seed;
    double *a = qp_alloc(n * (n + 1), sizeof *a, "a matrix");
    if (a == NULL)
        return QP_NO_MEMORY;
    qp_matrix_fill(kind, (int)n, condition, &state, a);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            problem->field[QP_GAUSS_JORDAN_AUGMENTED].values[i * (size_t)problem->width + j] =
                (float)a[i * n + j];
    }
    if (kind == QP_MATRIX_INVERSE)
        fill_identity(problem);
    else
        fill_sides(problem, a, a + n * n, &state);
    free(a);
    return qp_watch_left() ? qp_watch_fail() : QP_OK;
}

/* ---- Stage 9: the reference ---- */

int qp_gauss_jordan_exchange(double *a, int width, int height, int k)
{
    double *row = a + (size_t)k * (size_t)width;
    int best = k;
    for (int i = k + 1; i < height; i++) {
        if (fabs(a[(size_t)i * (size_t)width + (size_t)k]) >
            fabs(a[(size_t)best * (size_t)width + (size_t)k]))
            best = i;
    }
    for (int j = 0; j < width && best != k; j++) {
        double *other = a + (size_t)best * (size_t)width, old = row[j];
        row[j] = other[j];
        other[j] = old;
    }
    return best;
}

/* On return *scale >= growth factor: the largest |factor * row[j]| subtracted in A's columns; below
 * the pivot divided by max |A|, above it not, since those rows are normalised already. */
static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)old;
    const int width = problem->width, n = qp_gauss_jordan_unknowns(problem);
    double first = 0.0, most = 0.0;
    for (size_t i = 0; i < (size_t)width * (size_t)n; i++) {
        new[i] = problem->field[QP_GAUSS_JORDAN_AUGMENTED].values[i];
        if (i % (size_t)width < (size_t)n)
            first = fmax(first, fabs(new[i]));
    }
    for (int k = 0; k < n; k++) {
        const double left = (double)(n - k) / n;
        if (qp_watch_leaves(1.0 - left * left))
            return;
        double *row = new + (size_t)k *(size_t)width;
        qp_gauss_jordan_exchange(new, width, n, k);
        double pivot = row[k];
        for (int j = k; j < width; j++)
            row[j] /= pivot;
        for (int i = 0; i < n; i++) {
            double *other = new + (size_t)i *(size_t)width, factor = other[k];
            for (int j = k; j < width && i != k; j++) {
                if (j < n)
                    most = fmax(most, fabs(factor * row[j]) / (i > k ? first : 1.0));
                other[j] -= factor * row[j];
            }
        }
    }
    *scale = fmax(*scale, most);
}

/* True if the reference, N^3 in plain C, takes less than about a second; else the tolerance assumes
 * no more growth than in a dominant matrix. */
static bool wants_reference(const struct qp_problem *problem)
{
    enum { MOST_UNKNOWNS = 520 };
    return qp_gauss_jordan_unknowns(problem) <= MOST_UNKNOWNS;
}

/* ---- Stage 10: the judge ---- */

/* Right-hand sides that are judged together, row by row of A. */
enum { SIDES = 64 };

struct sides {
    int first, count;
    double norm_a; /* maximum norms */
    double norm_b[SIDES], norm_x[SIDES], rest[SIDES], most[SIDES];
    int row[SIDES]; /* row of the largest |b - A x| */
};

/* b - A x of one row of A, in double. */
static void judge_row(const struct qp_problem *system, const float *answer, int i,
                      struct sides *sides)
{
    const size_t width = (size_t)system->width;
    const int n = qp_gauss_jordan_unknowns(system);
    const float *a = system->field[QP_GAUSS_JORDAN_AUGMENTED].values + (size_t)i * width;
    const float *b = a + n + sides->first, *x = answer + n + sides->first;
    double sum = 0.0;
    for (int s = 0; s < sides->count; s++) {
        sides->rest[s] = b[s];
        sides->norm_b[s] = fmax(sides->norm_b[s], fabs((double)b[s]));
        sides->norm_x[s] = fmax(sides->norm_x[s], fabs((double)x[(size_t)i * width + (size_t)s]));
    }
    for (int j = 0; j < n; j++) {
        sum += fabs((double)a[j]);
        for (int s = 0; s < sides->count; s++)
            sides->rest[s] -= (double)a[j] * x[(size_t)j * width + (size_t)s];
    }
    sides->norm_a = fmax(sides->norm_a, sum);
    for (int s = 0; s < sides->count; s++) {
        double most = isfinite(sides->rest[s]) ? fabs(sides->rest[s]) : INFINITY;
        if (most > sides->most[s]) {
            sides->most[s] = most;
            sides->row[s] = i;
        }
    }
}

static void judge_sides(const struct qp_problem *system, const float *answer, int first,
                        struct sides *sides)
{
    const int left = qp_gauss_jordan_sides(system) - first;
    *sides = (struct sides){.first = first, .count = left < SIDES ? left : SIDES};
    for (int s = 0; s < sides->count; s++)
        sides->most[s] = -1.0;
    const int n = qp_gauss_jordan_unknowns(system);
    for (int i = 0; i < n && !qp_watch_leaves((double)i / n); i++)
        judge_row(system, answer, i, sides);
}

/* max |b - A x| / (||A|| ||x|| + ||b||) over all right-hand sides: by Rigal and Gaches the least
 * relative change of A and b that makes x exact. */
static bool judge(const struct qp_problem *problem, const struct qp_matrix *answer,
                  struct qp_comparison *worst)
{
    const int all = qp_gauss_jordan_sides(problem), n = qp_gauss_jordan_unknowns(problem);
    const size_t one = (size_t)n * (size_t)problem->width;
    double squares = 0.0;
    *worst = (struct qp_comparison){.error = -1.0};
    struct sides sides = {0};
    for (int k = 0; k < problem->systems * all && !qp_watch_wants_end(); k++) {
        const int system = k / all, s = k % all % SIDES;
        const struct qp_problem view = qp_problem_system(problem, system);
        if (s == 0)
            judge_sides(&view, answer->values + (size_t)system * one, k % all, &sides);
        double scale = sides.norm_a * sides.norm_x[s] + sides.norm_b[s];
        double error = sides.most[s] == 0.0 ? 0.0 : sides.most[s] / scale;
        error = isfinite(error) && isfinite(scale) ? error : INFINITY;
        squares += error * error;
        if (error <= worst->error)
            continue;
        *worst = (struct qp_comparison){
            .error = error, .x = n + k % all, .y = system * n + sides.row[s], .got = sides.most[s]};
    }
    worst->rms = sqrt(squares / ((double)problem->systems * all));
    return true;
}

/* Roundings: each of N steps rounds an element at most three times (factor, product, difference),
 * each time by at most u of growth times the largest element of A. Errors of either sign add up
 * like a random walk: lambda sqrt(k) u in place of k u bounds k roundings but for a probability of
 * 2 exp(-lambda^2 / 2) (Higham and Mary 2019). With lambda = 5 that is a few in a million, and
 * lambda grows so that it stays as much for all systems together. The 3 are for few steps, where
 * the statistical bound does not hold yet.
 *
 * A residual adds up a row of such errors. Its unit here is growth ||A||, as if a row's errors were
 * to its elements as growth is to 1: where the largest element is much of its row's sum the others,
 * and their roundings, are small; where all are alike their errors cancel along the row as
 * well. No theorem says so for every matrix. Growth is at most 2 for dominant matrices (Wilkinson
 * 1961); where the reference ran, it is the one that it measured. */
double qp_gauss_jordan_tolerance(const struct qp_problem *problem, int unknowns, int systems)
{
    const double lambda = sqrt(25.0 + 2.0 * log(systems));
    const double roundings = 3.0 + lambda * sqrt(3.0 * unknowns);
    return fmin(1.0, roundings * 0x1p-24 * fmax(2.0, problem->reference_scale));
}

/* QP_MATRIX_EXACT rounds nothing, in 16 bits either (matrices.c): whatever is left over is a
 * mistake. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)iterations, (void)precision;
    if (qp_problem_kind(problem) == QP_MATRIX_EXACT)
        return 0.0;
    return qp_gauss_jordan_tolerance(problem, qp_gauss_jordan_unknowns(problem), 1);
}

/* In 16 bits every element is rounded, or cut off, when it is stored: at first and after each of N
 * steps, E_k in step k, of which |E_k| <= v |a|, v = 2^-10. The row that is subtracted, its factor
 * and their product may lose as much in the blender, but what a row loses so in step k is at most
 * 3 v of the element that becomes 0, and in all steps a few v of its sum. The residual collects
 *
 *     b - A x = sum over k of (column 0 ... column k of A, e_(k+1) ... e_(N-1)) E_k (x, -1),
 *
 * since k steps of Gauss-Jordan are the inverse of that matrix, and no condition number comes in.
 * If A is dominant, rows below k never grow, and those above add up to less than 1 beside their
 * diagonal and to 2 |x| to the right of it: a step loses at most 3 v (||A|| ||x|| + ||b||), if all
 * elements lose a whole unit to one side. Numbers that are cut off lose 0.36 v of themselves on
 * average (half a unit in the last place, mantissas as logarithms spread them), which adds up: N v
 * for N steps, and 8 v more for few steps, where the average does not hold yet. */
static double tolerance_half(const struct qp_problem *problem, int iterations)
{
    const double rounded = tolerance(problem, iterations, QP_FLOATS);
    const double stored = (8.0 + qp_gauss_jordan_unknowns(problem)) * 0x1p-10;
    return rounded > 0.0 ? fmin(1.0, rounded + stored * fmax(1.0, problem->reference_scale)) : 0.0;
}

/* Limits in 16 bits: subnormal elements are off by 2^-24 each, which is little beside the roundings
 * of the others if the largest is 1/16 or more. */
static const struct qp_half half = {.tolerance = tolerance_half, .least_largest = 0x1p-4};

/* ---- Extents and costs, for records ---- */

/* The algorithm of 2004 updates every element in every one of N steps, and that is what an update
 * is here, for all variants. */
static struct qp_extent extent(const struct qp_problem *problem)
{
    const double n = qp_gauss_jordan_unknowns(problem), m = qp_gauss_jordan_sides(problem);
    return (struct qp_extent){.width = problem->height + (m > 1.0 ? (int)m : 0),
                              .height = problem->height,
                              .updates = n * n * (n + m) * problem->systems};
}

struct qp_cost qp_gauss_jordan_cost(const struct qp_recipe *recipe,
                                    const struct qp_problem *problem, int moves, double flops)
{
    const double updates = qp_problem_extent(problem).updates;
    const double cells = (double)problem->width * problem->height * problem->systems;
    struct qp_cost cost = {.bytes = recipe->bytes};
    if (recipe->bytes == 0.0)
        cost.bytes = (double)qp_format_bytes(recipe->state.format) * moves *
                     (updates > 0.0 ? cells / updates : 1.0);
    if (updates > 0.0)
        cost.flops = flops / updates;
    return cost;
}

/* Flops are what elimination with back substitution needs, LINPACK's 2/3 N^3 + 2 N^2 m, whatever a
 * variant does in fact. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const double n = qp_gauss_jordan_unknowns(problem), m = qp_gauss_jordan_sides(problem);
    return qp_gauss_jordan_cost(recipe, problem, 2,
                                (2.0 / 3.0 * n * n * n + 2.0 * n * n * m) * problem->systems);
}

/* Steps of a benchmark: small matrices are repeated, for the clock's sake. */
static int bench_steps(const struct qp_problem *problem)
{
    return qp_clamp(0x1p22 / qp_problem_extent(problem).updates, 1, 20);
}

/* Sizes: one unknown, several right-hand sides, primes, a power of two, one above, no multiple of
 * four. */
static const struct qp_size sizes[] = {{1, 1},   {2, 2},   {4, 3},   {7, 5},    {13, 13}, {17, 11},
                                       {30, 30}, {64, 64}, {67, 65}, {128, 96}, {0}};

static const int steps[] = {1, 2, 0};

static const struct qp_size bench_sizes[] = {{128, 128}, {256, 256}, {512, 512}, {0}};

static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    return recipe->engine == &qp_engine_blocked ? qp_blocked_takes(recipe, problem->height) : QP_OK;
}

static const struct qp_runs runs = {.sizes = sizes,
                                    .steps = steps,
                                    .bench_sizes = bench_sizes,
                                    .bench_steps = bench_steps,
                                    .whole_systems = true};

static const struct qp_judge residual = {.measure = judge,
                                         .measured = "b - A x",
                                         .wants_reference = wants_reference,
                                         .explain = qp_gauss_jordan_explain};

const struct qp_op qp_op_gauss_jordan = {
    .name = "gauss_jordan",
    .kinds = qp_matrix_kinds,
    .equation = "a[k][j] /= a[k][k], a[i][j] -= a[i][k] a[k][j], i != k, k = 0 ... N - 1",
    .state = QP_GAUSS_JORDAN_AUGMENTED,
    .fields = QP_GAUSS_JORDAN_STORED,
    .field = fields,
    .runs = &runs,
    .create = create,
    .step = step,
    .tolerance = tolerance,
    .half = &half,
    .cost = cost,
    .grid = grid,
    .extent = extent,
    .judge = &residual,
    .takes = takes,
};
