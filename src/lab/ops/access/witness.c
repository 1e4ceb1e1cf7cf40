/* SPDX-License-Identifier: MIT */
/* Witness of access, which judges its reference: the same steps by other algorithms. Copies are
 * scattered, not gathered; sums are differences of longer ones; integer arithmetic is done in
 * double, which holds all products below 2^53; functions are those of long double. */
#include <math.h>

#include <stdint.h>
#include <stdlib.h>

#include "lab/ops/access/access.h"
#include "lab/plan/problem.h"

static long count_of(const struct qp_problem *problem)
{
    return (long)problem->width * problem->height;
}

/* x mod p for whole numbers below 2^53, where no quotient is rounded up to the next whole
 * number. */
static double remainder_of(double x, double p)
{
    return x - p * floor(x / p);
}

/* ---- Copies ---- */

/* Scatters row by row; the reference gathers down the columns of the same matrix. */
static void scatter_matrix(long n, long columns, const double *old, double *new)
{
    const long rows = n / columns;
    long from = 0;
    for (long row = 0; row < rows; row++) {
        for (long column = 0; column < columns; column++)
            new[column * rows + row] = old[from++];
    }
    for (; from < n; from++)
        new[from] = old[from];
}

static void scatter(const struct qp_problem *problem, int kind, const double *old, double *new)
{
    const long n = count_of(problem), p = problem->parameter;
    for (long from = 0; from < n; from++) {
        switch (kind) {
        case QP_ACCESS_OFFSET:
            new[(from + n - p % n) % n] = old[from];
            break;
        case QP_ACCESS_PERMUTED: /* its own inverse */
            new[(from ^ p) < n ? from ^ p : from] = old[from];
            break;
        case QP_ACCESS_IDLE:
            new[from] =
                from / QP_ACCESS_WARP *QP_ACCESS_WARP + QP_ACCESS_WARP - p > from ? old[from] : 0.0;
            break;
        default:
            new[from] = old[from];
        }
    }
}

/* Gathers from the last cell to the first, with places in float as they are stored. */
static void gather(const struct qp_problem *problem, const double *old, double *new)
{
    const float *u = problem->field[QP_ACCESS_U].values, *v = problem->field[QP_ACCESS_V].values;
    for (long i = count_of(problem) - 1; i >= 0; i--)
        new[i] = old[(size_t)((double)v[i] * problem->width + (double)u[i])];
}

/* ---- Sums ---- */

/* The first cell of the tile that cell t reads. */
static long first_of(int kind, long t, long p)
{
    switch (kind) {
    case QP_ACCESS_BANKS:
        return t * p % QP_ACCESS_TILE;
    case QP_ACCESS_MULTICAST:
        return (t - t % p) / p;
    default:
        return 2 * (t * p % (QP_ACCESS_TILE / 2));
    }
}

/* 64 cells in a row are the difference of two sums from the tile's beginning. */
static void sum_tile(const struct qp_problem *problem, int kind, long origin, const double *old,
                     double *new)
{
    const long n = count_of(problem);
    double before[QP_ACCESS_TILE + QP_ACCESS_TILE_READS + 1] = {0.0};
    for (long k = 0; k < QP_ACCESS_TILE + QP_ACCESS_TILE_READS; k++) {
        long from = origin + (k < QP_ACCESS_TILE ? k : k - QP_ACCESS_TILE);
        before[k + 1] = before[k] + (from < n ? old[from] : 0.0);
    }
    for (long t = 0; t < QP_ACCESS_TILE && origin + t < n; t++) {
        long first = first_of(kind, t, problem->parameter);
        new[origin + t] =
            remainder_of(before[first + QP_ACCESS_TILE_READS] - before[first], 0x1p24);
    }
}

/* ---- Pointer chase ---- */

/* The chase backwards: before[g] is the group that g follows, so a way back from group 0 meets the
 * last place of a cycle of G groups first. Without memory the cells keep values that are no
 * places. */
static void walk_back(const struct qp_problem *problem, const double *old, double *new)
{
    const long n = count_of(problem), groups = qp_access_groups(n, problem->parameter);
    const float *u = problem->field[QP_ACCESS_U].values;
    uint32_t *before = qp_alloc((size_t)groups, sizeof *before, "a walk back");
    for (long i = 0; i < n; i++)
        new[i] = old[i];
    for (long g = 0; g < groups && before != NULL; g++)
        before[(uint32_t)(u[g * problem->parameter] - 0x1p23f)] = (uint32_t)g;
    uint32_t group = 0;
    for (long k = groups; k > 0 && before != NULL; k--) {
        for (long i = k % groups; i < n && i < QP_ACCESS_CHASE_STEPS; i += groups)
            new[i] = group;
        group = before[group];
    }
    free(before);
}

/* ---- Chains and functions ---- */

static double chain(const struct qp_problem *problem, int kind, double x, long i)
{
    const double p = problem->parameter;
    const double way = kind == QP_ACCESS_DIVERGENT ? remainder_of((double)i, p)
                       : kind == QP_ACCESS_CONVERGENT
                           ? remainder_of(floor((double)i / QP_ACCESS_WARP), p)
                           : 0.0;
    for (int left = kind == QP_ACCESS_UNROLLING ? problem->parameter : QP_ACCESS_CHAIN_STEPS;
         left > 0; left--) {
        double added = kind == QP_ACCESS_DIVISION ? floor(x / p)
                       : kind == QP_ACCESS_MODULO ? remainder_of(x, p)
                                                  : floor(x / 128.0);
        x = kind == QP_ACCESS_MULTIPLY ? remainder_of(x, 0x1p24) * p + QP_ACCESS_CHAIN_TERM
                                       : (QP_ACCESS_CHAIN_FACTOR + 2.0 * way) * x + added;
        x = remainder_of(x, 0x1p31);
    }
    return floor(x / 128.0);
}

/* Kind `local` by rounds of p steps, each of which reads the values of the round before. */
static double lag(double x, long p)
{
    double left[QP_ACCESS_LOCAL_WORDS] = {0.0};
    for (long j = 0; j < p; j++)
        left[j] = (double)j;
    for (long first = 0; first < QP_ACCESS_LOCAL_STEPS; first += p) {
        for (long j = 0; j < p && first + j < QP_ACCESS_LOCAL_STEPS; j++)
            left[j] = x = remainder_of(QP_ACCESS_CHAIN_FACTOR * x + left[j], 0x1p31);
    }
    return floor(x / 128.0);
}

static double sum_calls(const struct qp_problem *problem, int kind, long i)
{
    long double u = problem->field[QP_ACCESS_U].values[i], sum = 0.0L;
    for (int k = problem->parameter - 1; k >= 0; k--) {
        long double at = u * (QP_ACCESS_FUNCTION_STEPS - k) / QP_ACCESS_FUNCTION_STEPS;
        sum += kind == QP_ACCESS_SIN      ? sinl(at)
               : kind == QP_ACCESS_COS    ? cosl(at)
               : kind == QP_ACCESS_SINCOS ? sinl(at) + cosl(at)
               : kind == QP_ACCESS_EXP    ? expl(at)
               : kind == QP_ACCESS_LOG    ? logl(at)
               : kind == QP_ACCESS_RSQRT  ? sqrtl(1.0L / at)
                                          : 1.0L / at;
    }
    return (double)sum;
}

void qp_access_witness(const struct qp_problem *problem, const double *old, double *new,
                       double *scale)
{
    const int kind = qp_problem_kind(problem);
    const long n = count_of(problem), p = problem->parameter;
    (void)scale;
    if (kind == QP_ACCESS_STRIDE || kind == QP_ACCESS_COLUMNS)
        scatter_matrix(n, kind == QP_ACCESS_COLUMNS ? problem->width + p : p, old, new);
    else if (kind == QP_ACCESS_GATHER)
        gather(problem, old, new);
    else if (qp_access_copies(kind))
        scatter(problem, kind, old, new);
    else if (kind == QP_ACCESS_CHASE)
        walk_back(problem, old, new);
    else if (qp_access_sums(kind)) {
        for (long origin = 0; origin < n; origin += QP_ACCESS_TILE)
            sum_tile(problem, kind, origin, old, new);
    } else {
        for (long i = 0; i < n; i++)
            new[i] = qp_access_calls(kind)     ? sum_calls(problem, kind, i)
                     : kind == QP_ACCESS_LOCAL ? lag(old[i], p)
                                               : chain(problem, kind, old[i], i);
    }
}
