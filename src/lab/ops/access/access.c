/* SPDX-License-Identifier: MIT */
/* Patterns of access, and instructions: n = width * height whole numbers x, below 1000 and later
 * 2^24, p a parameter. A step makes of x[i]
 *
 *     offset      x[(i + p) mod n]
 *     stride      x[j p + k], j = i mod m, k = i / m, m = n / p: down the columns of an m x p
 *                 matrix; cells that fill no row of it stay
 *     columns     the same with a matrix of width + p columns
 *     permuted    x[i xor p], or x[i] where there is no such cell
 *     idle        0 where i mod 32 >= 32 - p, else x[i]
 *     gather      x[v[i] width + u[i]], at random, p neighbours together
 *     occupancy   x[i], by p blocks a multiprocessor
 *     chase       the group, of p cells each, where a walk from group 0 is after i steps, if
 *                 i < 2^20; else x[i]. The group that follows g is stored in u[g p]; the walk meets
 *                 all before any again
 *     banks       the sum of s[(t p + k) mod 1024], k < 64, mod 2^24; s the tile of 1024 cells that
 *                 i is number t of, 0 after the last cell
 *     multicast   of s[t / p + k]
 *     pairs       of s[2 t p + k], words of two cells
 *     divergent   64 steps x <- (a x + (x >> 7)) mod 2^31, a = 805 + 2 (i mod p)
 *     convergent  the same, a = 805 + 2 (i / 32 mod p)
 *     division    64 steps x <- (805 x + x / p) mod 2^31
 *     modulo      64 steps x <- (805 x + x mod p) mod 2^31
 *     multiply    64 steps x <- ((x mod 2^24) p + c) mod 2^31
 *     unrolling   p steps of division by 2^7
 *     local       256 steps x[k] = (805 x[k-1] + x[k-p]) mod 2^31; x[0] is x[i], x[k-p] before it
 *                 k - 1
 *     sin, ...    f(u[i]) + f(u[i] 63/64) + f(u[i] 62/64) + ..., p terms
 *
 * Chains of steps, divergent to local, end with x >> 7: 24 bits, which a float holds. All but the
 * functions are exact, however they are computed. */
#include "lab/ops/access/access.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/base/whole.h"

static const struct qp_field fields[QP_ACCESS_STORED] = {
    {.name = "x"}, {.name = "u"}, {.name = "v"}};

/* Useful bytes: x read and written, the places that gather reads, or words of shared or local
 * memory; for a step of the pointer chase the word it reads. Flops: steps of arithmetic, or
 * functions. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const int kind = qp_problem_kind(problem), parameter = problem->parameter;
    struct qp_cost cost = {.bytes = 8.0};
    (void)recipe;
    if (kind == QP_ACCESS_IDLE)
        cost.bytes = 4.0 + 4.0 * (QP_ACCESS_WARP - parameter) / QP_ACCESS_WARP;
    if (kind == QP_ACCESS_GATHER)
        cost.bytes = 16.0;
    if (qp_access_sums(kind))
        cost.bytes = 4.0 * QP_ACCESS_TILE_READS;
    else if (kind == QP_ACCESS_CHASE)
        cost.bytes = 4.0;
    else if (kind == QP_ACCESS_LOCAL)
        cost.bytes = 8.0 * QP_ACCESS_LOCAL_STEPS;
    else if (kind == QP_ACCESS_UNROLLING || qp_access_calls(kind))
        cost.flops = kind == QP_ACCESS_SINCOS ? 2.0 * parameter : parameter;
    else if (!qp_access_copies(kind))
        cost.flops = QP_ACCESS_CHAIN_STEPS;
    return cost;
}

static long count_of(const struct qp_problem *problem)
{
    return (long)problem->width * problem->height;
}

/* Updates: in chase each step counts as one, so 1 / GLUP/s is the time from one load to the next,
 * in ns. */
static struct qp_extent extent(const struct qp_problem *problem)
{
    const int kind = qp_problem_kind(problem);
    const long cells = count_of(problem);
    return (struct qp_extent){
        .updates = (double)(kind == QP_ACCESS_CHASE ? qp_access_steps(cells) : cells)};
}

/* ---- Stage 9: the reference ---- */

/* Number of the cell whose value cell i takes. */
static uint32_t source(const struct qp_problem *problem, int kind, uint32_t i)
{
    const uint32_t n = (uint32_t)count_of(problem), p = (uint32_t)problem->parameter;
    const uint32_t columns = kind == QP_ACCESS_COLUMNS ? (uint32_t)problem->width + p : p;
    switch (kind) {
    case QP_ACCESS_OFFSET:
        return (i + p) % n;
    case QP_ACCESS_STRIDE:
    case QP_ACCESS_COLUMNS:
        return i < n / columns * columns ? i % (n / columns) * columns + i / (n / columns) : i;
    case QP_ACCESS_PERMUTED:
        return (i ^ p) < n ? i ^ p : i;
    case QP_ACCESS_GATHER:
        return (uint32_t)problem->field[QP_ACCESS_V].values[i] * (uint32_t)problem->width +
               (uint32_t)problem->field[QP_ACCESS_U].values[i];
    default:
        return i;
    }
}

static double copy(const struct qp_problem *problem, int kind, const double *old, long i)
{
    bool idles =
        kind == QP_ACCESS_IDLE && i % QP_ACCESS_WARP >= QP_ACCESS_WARP - problem->parameter;
    return idles ? 0.0 : old[source(problem, kind, (uint32_t)i)];
}

static double sum_tile(const struct qp_problem *problem, int kind, const double *old, long i)
{
    const uint32_t t = (uint32_t)(i % QP_ACCESS_TILE), p = (uint32_t)problem->parameter;
    const uint32_t first = kind == QP_ACCESS_BANKS       ? t * p
                           : kind == QP_ACCESS_MULTICAST ? t / p
                                                         : 2 * t * p;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < QP_ACCESS_TILE_READS; k++) {
        long at = i - t + (first + k) % QP_ACCESS_TILE;
        sum += at < count_of(problem) ? (uint32_t)old[at] : 0;
    }
    return sum & QP_ACCESS_BITS_24;
}

static double chain(const struct qp_problem *problem, int kind, double old, long i)
{
    const uint32_t p = (uint32_t)problem->parameter;
    const uint32_t way = kind == QP_ACCESS_DIVERGENT    ? (uint32_t)(i % p)
                         : kind == QP_ACCESS_CONVERGENT ? (uint32_t)(i / QP_ACCESS_WARP % p)
                                                        : 0;
    uint32_t x = (uint32_t)old;
    for (uint32_t k = 0; k < (kind == QP_ACCESS_UNROLLING ? p : QP_ACCESS_CHAIN_STEPS); k++) {
        uint32_t added = kind == QP_ACCESS_DIVISION ? x / p
                         : kind == QP_ACCESS_MODULO ? x % p
                                                    : x >> 7;
        x = kind == QP_ACCESS_MULTIPLY ? (x & QP_ACCESS_BITS_24) * p + QP_ACCESS_CHAIN_TERM
                                       : (QP_ACCESS_CHAIN_FACTOR + 2 * way) * x + added;
        x &= QP_ACCESS_BITS_31;
    }
    return x >> 7;
}

/* Kind `local`: the array's words are the last p values; it holds 0, 1, 2 ... at first. */
static double lag(const struct qp_problem *problem, double old)
{
    const int p = problem->parameter;
    uint32_t x[QP_ACCESS_LOCAL_STEPS + 1] = {(uint32_t)old};
    for (int k = 1; k <= QP_ACCESS_LOCAL_STEPS; k++) {
        const uint32_t word = k <= p ? (uint32_t)k - 1 : x[k - p];
        x[k] = (QP_ACCESS_CHAIN_FACTOR * x[k - 1] + word) & QP_ACCESS_BITS_31;
    }
    return x[QP_ACCESS_LOCAL_STEPS] >> 7;
}

static double call(int kind, double u)
{
    switch (kind) {
    case QP_ACCESS_SIN:
        return sin(u);
    case QP_ACCESS_COS:
        return cos(u);
    case QP_ACCESS_SINCOS:
        return sin(u) + cos(u);
    case QP_ACCESS_EXP:
        return exp(u);
    case QP_ACCESS_LOG:
        return log(u);
    default:
        return kind == QP_ACCESS_RSQRT ? 1.0 / sqrt(u) : 1.0 / u;
    }
}

static double sum_calls(const struct qp_problem *problem, int kind, long i, double *magnitude)
{
    double u = problem->field[QP_ACCESS_U].values[i], sum = 0.0;
    for (int k = 0; k < problem->parameter; k++) {
        double at = u * (1.0 - (double)k / QP_ACCESS_FUNCTION_STEPS), term = call(kind, at);
        sum += term;
        *magnitude += kind == QP_ACCESS_SINCOS ? fabs(sin(at)) + fabs(cos(at)) : fabs(term);
    }
    return sum;
}

static void walk(const struct qp_problem *problem, const double *old, double *new)
{
    long group = 0;
    for (long i = 0; i < count_of(problem); i++) {
        new[i] = i < QP_ACCESS_CHASE_STEPS ? (double)group : old[i];
        group = (long)problem->field[QP_ACCESS_U].values[group * problem->parameter] - (1L << 23);
    }
}

/* A step, on all cores, since cells are independent: it takes up to thousands of operations a
 * cell. */
static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    const int kind = qp_problem_kind(problem);
    double largest = *scale;
    if (kind == QP_ACCESS_CHASE) {
        walk(problem, old, new);
        return;
    }
#pragma omp parallel for schedule(static) reduction(max : largest) if (count_of(problem) > 1 << 15)
    for (long i = 0; i < count_of(problem); i++) {
        double magnitude = 0.0;
        new[i] = qp_access_copies(kind)    ? copy(problem, kind, old, i)
                 : qp_access_sums(kind)    ? sum_tile(problem, kind, old, i)
                 : qp_access_calls(kind)   ? sum_calls(problem, kind, i, &magnitude)
                 : kind == QP_ACCESS_LOCAL ? lag(problem, old[i])
                                           : chain(problem, kind, old[i], i);
        largest = fmax(largest, magnitude);
    }
    *scale = largest;
}

/* Tolerance of sums: a function that is right to two units in the last place is off by 4 u, u =
 * 2^-24; k - 1 additions by (k - 1) u of the terms' magnitudes (Jeannerod and Rump 2013), for k = p
 * terms, or 2 p. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)iterations, (void)precision;
    const int kind = qp_problem_kind(problem);
    const int added = problem->parameter * (kind == QP_ACCESS_SINCOS ? 2 : 1);
    return qp_access_calls(kind) ? (added + 4) * 0x1p-24 : 0.0;
}

/* ---- Stage 1 ---- */

/* Groups of p cells in random order; those after the last whole group stay. */
static enum qp_status shuffle(struct qp_problem *problem, uint64_t *state)
{
    const long n = count_of(problem), p = problem->parameter, groups = n / p;
    uint32_t *order = qp_alloc(groups > 0 ? (size_t)groups : 1, sizeof *order, "an order");
    if (order == NULL)
        return QP_NO_MEMORY;
    for (long k = 0; k < groups; k++) {
        long other = (long)(qp_random_bits(state) % (uint64_t)(k + 1));
        order[k] = order[other];
        order[other] = (uint32_t)k;
    }
    for (long i = 0; i < n; i++) {
        long from = i < groups * p ? order[i / p] * p + i % p : i;
        problem->field[QP_ACCESS_U].values[i] = (float)(from % problem->width);
        problem->field[QP_ACCESS_V].values[i] = (float)(from / problem->width);
    }
    free(order);
    return QP_OK;
}

/* A random order of groups that is one cycle (Sattolo 1986): a group changes places with an earlier
 * one. The successor of g is stored as 2^23 + its number, whose bits in float are those of 2^23 and
 * the number's own: so no conversion is needed between two loads. */
static enum qp_status make_cycle(struct qp_problem *problem, uint64_t *state)
{
    const long p = problem->parameter, groups = qp_access_groups(count_of(problem), p);
    float *u = problem->field[QP_ACCESS_U].values;
    if (groups > 1L << 23)
        return qp_fail(QP_BAD_USE,
                       "'chase' counts groups to 2^23 in a float; %ld of %ld cells are "
                       "too many",
                       groups, p);
    for (long i = 0; i < count_of(problem); i++)
        u[i] = 0x1p23f;
    for (long g = 0; g < groups; g++) {
        const long other = g > 0 ? (long)(qp_random_bits(state) % (uint64_t)g) : 0;
        u[g * p] = u[other * p];
        u[other * p] = (float)(g + (1L << 23));
    }
    return QP_OK;
}

/* A random argument of a function: from a period, from -8 to 8, or from 1/2 to 8; in steps of
 * 2^-14, so that 64ths are exact in float. */
static float argument(int kind, uint64_t *state)
{
    const double most = kind <= QP_ACCESS_SINCOS ? 3.1415 : 8.0;
    const double least = kind >= QP_ACCESS_LOG ? 0.5 : -most;
    return (float)(rint(qp_random(state, least, most) * 0x1p14) * 0x1p-14);
}

/* Refuses grids whose places do not fit float's 24 bits: rounded, they would be other cells, or
 * none. */
static enum qp_status check_places(const struct qp_problem *problem)
{
    enum { MOST = 1 << 24 };
    if (problem->width <= MOST && problem->height <= MOST)
        return QP_OK;
    return qp_fail(
        QP_BAD_USE,
        "'gather' keeps columns and rows in floats, which count to %d; %d x %d is too long", MOST,
        problem->width, problem->height);
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    const int kind = qp_problem_kind(problem);
    uint64_t state = desc->seed;
    enum qp_status status = kind == QP_ACCESS_GATHER ? check_places(problem) : QP_OK;
    if (status != QP_OK)
        return status;
    for (long i = 0; i < count_of(problem); i++)
        problem->field[QP_ACCESS_X].values[i] = (float)(qp_random_bits(&state) % 1000);
    for (long i = 0; i < count_of(problem) && qp_access_calls(kind); i++)
        problem->field[QP_ACCESS_U].values[i] = argument(kind, &state);
    return kind == QP_ACCESS_GATHER  ? shuffle(problem, &state)
           : kind == QP_ACCESS_CHASE ? make_cycle(problem, &state)
                                     : QP_OK;
}

/* The least, one column, one row, primes, a tile but a cell, a tile and a cell, several tiles. */
static const struct qp_size sizes[] = {{1, 1},    {1, 7},    {7, 1},   {13, 11},
                                       {1023, 1}, {1025, 1}, {64, 33}, {0}};
static const int steps[] = {1, 3, 0};
static const struct qp_size bench_sizes[] = {{1024, 1024}, {4096, 4096}, {0}};

/* Steps of a benchmark: copies are short, pointer chases long; the others have a chain of work in
 * each cell. */
static int bench_steps(const struct qp_problem *problem)
{
    const bool copies = qp_access_copies(qp_problem_kind(problem));
    if (qp_problem_kind(problem) == QP_ACCESS_CHASE)
        return 1;
    return qp_clamp((copies ? 0x1p24 : 0x1p20) / (double)count_of(problem), copies ? 10 : 2, 200);
}

static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_access_variant *own = recipe->own;
    if (own == NULL)
        return QP_OK;
    if (own->powers_of_two && (problem->parameter & (problem->parameter - 1)) != 0)
        return qp_fail(QP_UNSUPPORTED, "takes powers of two, not %d", problem->parameter);
    return qp_takes_cells(problem, own->most_cells);
}

static const struct qp_runs runs = {
    .sizes = sizes, .steps = steps, .bench_sizes = bench_sizes, .bench_steps = bench_steps};

const struct qp_op qp_op_access = {
    .name = "access",
    .kinds = qp_access_kinds,
    .equation = "a cell becomes another cell, a sum of a tile's cells, the end of a chain of "
                "instructions or a sum of functions of u",
    .state = QP_ACCESS_X,
    .fields = QP_ACCESS_STORED,
    .field = fields,
    .runs = &runs,
    .create = create,
    .step = step,
    .witness = qp_access_witness,
    .tolerance = tolerance,
    .takes = takes,
    .cost = cost,
    .extent = extent,
};
