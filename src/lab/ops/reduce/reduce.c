/* SPDX-License-Identifier: MIT */
/* Reductions of n = width * height values to one:
 *
 *     sum: s = sum of x[i]    squares: s = sum of x[i]^2    dot: s = sum of x[i] y[i]
 *     max: m = max |x[i]|     index: m, and column and row of the first i, row by row, that has it
 *
 * A NaN anywhere gives NaN, and the index of the first NaN; the walk then fails and says so.
 * A step reduces once more; the answer stays the same.
 *
 * Problems are made so that no sum is rounded, in whatever order a variant adds: an answer is exact
 * or wrong, however many values there are. Bounds on roundings are for values that a caller puts
 * there. */
#include "lab/ops/reduce/reduce.h"

#include <math.h>

#include "lab/plan/problem.h"
#include "toolkit/base/random.h"

static const struct qp_kind kinds[QP_REDUCTIONS + 1] = {
    [QP_SUM] = {.name = "sum", .what = "the sum of x", .inputs = 1, .settles = true},
    [QP_SUM_OF_SQUARES] = {.name = "squares",
                           .what = "the sum of x^2",
                           .inputs = 1,
                           .settles = true},
    [QP_DOT] = {.name = "dot", .what = "the sum of x y", .inputs = 2, .settles = true},
    [QP_MAX_MAGNITUDE] = {.name = "max",
                          .what = "the largest magnitude of x",
                          .inputs = 1,
                          .settles = true},
    [QP_INDEX] = {.name = "index",
                  .what = "the largest magnitude of x, its column and its row",
                  .inputs = 1,
                  .settles = true},
};

static const struct qp_field fields[QP_REDUCE_STORED] = {
    {.name = "x"}, {.name = "y"}, {.name = "answer"}};

enum qp_reduction_kind qp_reduce_kind(const struct qp_problem *problem)
{
    return (enum qp_reduction_kind)qp_problem_kind(problem);
}

bool qp_reduce_adds(enum qp_reduction_kind kind)
{
    return kind <= QP_DOT;
}

/* Values of an answer: value, column and row for index, one for all other kinds. */
static int values_of(int kind)
{
    return kind == QP_INDEX ? 3 : 1;
}

static struct qp_extent extent(const struct qp_problem *problem)
{
    return (struct qp_extent){.answer = {values_of(qp_problem_kind(problem)), 1}};
}

/* Cost of a value that goes in, since the answer is but a few: an addition or a comparison, and a
 * product where there is one. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const enum qp_reduction_kind kind = qp_reduce_kind(problem);
    (void)recipe;
    return (struct qp_cost){.bytes = kinds[kind].inputs * (double)sizeof(float),
                            .flops = kind == QP_DOT || kind == QP_SUM_OF_SQUARES ? 2.0 : 1.0};
}

/* ---- Stage 9: the reference ---- */

static double term(const struct qp_problem *problem, enum qp_reduction_kind kind, size_t i)
{
    double x = problem->field[QP_REDUCE_X].values[i];
    double y = problem->field[QP_REDUCE_Y].values[i];
    return kind == QP_SUM ? x : kind == QP_DOT ? x * y : x * x;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)old;
    const float *x = problem->field[QP_REDUCE_X].values;
    enum qp_reduction_kind kind = qp_reduce_kind(problem);
    double sum = 0.0, magnitude = 0.0;
    size_t largest = 0;
    for (size_t i = 0; i < qp_problem_cells(problem); i++) {
        double value = term(problem, kind, i);
        sum += value;
        magnitude += fabs(value);
        if (fabsf(x[i]) > fabsf(x[largest]) || (isnan(x[i]) && !isnan(x[largest])))
            largest = i;
    }
    new[0] = qp_reduce_adds(kind) ? sum : fabsf(x[largest]);
    if (kind == QP_INDEX) {
        new[1] = (double)(largest % (size_t)problem->width);
        new[2] = (double)(largest / (size_t)problem->width);
    }
    if (qp_reduce_adds(kind))
        *scale = magnitude;
}

/* Witness, the judge of the reference: backwards, in long double; the maximum by its square. A
 * reference that is no number is not judged. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)old, (void)scale;
    const float *x = problem->field[QP_REDUCE_X].values;
    enum qp_reduction_kind kind = qp_reduce_kind(problem);
    long double sum = 0.0L;
    int column = problem->width - 1, row = problem->height - 1;
    double most = 0.0;
    for (int y = problem->height - 1; y >= 0; y--) {
        for (int at = problem->width - 1; at >= 0; at--) {
            size_t i = (size_t)y * (size_t)problem->width + (size_t)at;
            double square = (double)x[i] * x[i];
            sum += (long double)term(problem, kind, i);
            if (square < most)
                continue;
            most = square;
            column = at;
            row = y;
        }
    }
    new[0] = qp_reduce_adds(kind) ? (double)sum : sqrt(most);
    if (kind == QP_INDEX) {
        new[1] = column;
        new[2] = row;
    }
}

double qp_reduce_roundings(double k)
{
    double error = k * 0x1p-24;
    return error < 0.5 ? error / (1.0 - error) : 1.0;
}

/* Bits k of the values: whole multiples of 2^-k, at most 1, with k so large that partial sums of n
 * terms have the 24 bits of a float. 2^L >= n terms of either sign, each up to 2^k and 2^k /
 * sqrt(3) on average, add up like a random walk: 8 standard deviations are below 2^(k + L/2 + 3).
 * In a dot product both factors share these bits. Squares have one sign, so all n of them must
 * fit. */
static int bits_of(const struct qp_problem *problem)
{
    const enum qp_reduction_kind kind = qp_reduce_kind(problem);
    int log = 0, bits;
    while ((size_t)1 << log < qp_problem_cells(problem))
        log++;
    bits = kind == QP_SUM_OF_SQUARES ? (24 - log) / 2 : 20 - (log + 1) / 2;
    return bits < 0 ? 0 : kind == QP_DOT ? bits / 2 : bits;
}

bool qp_reduce_is_exact(const struct qp_problem *problem)
{
    const enum qp_reduction_kind kind = qp_reduce_kind(problem);
    const double units = ldexp(1.0, (kind == QP_SUM ? 1 : 2) * bits_of(problem));
    double sum = 0.0, magnitude = 0.0, squares = 0.0, farthest = 0.0;
    for (size_t i = 0; i < qp_problem_cells(problem) && qp_reduce_adds(kind); i++) {
        const double t = term(problem, kind, i) * units;
        if (t != rint(t))
            return false; /* a NaN, too */
        sum += t;
        magnitude += fabs(t);
        squares += t * t;
        farthest = fmax(farthest, fabs(sum));
    }
    return magnitude <= 0x1p24 || (farthest <= 0x1p23 && 8.0 * sqrt(squares) <= 0x1p23);
}

double qp_reduce_tolerance(const struct qp_problem *problem, double roundings)
{
    if (qp_reduce_is_exact(problem))
        return 0.0;
    return qp_reduce_roundings(roundings) + qp_reduce_of_reference(problem);
}

double qp_reduce_of_reference(const struct qp_problem *problem)
{
    return (double)qp_problem_cells(problem) * 0x1p-53;
}

double qp_reduce_of_answer(const struct qp_problem *problem)
{
    return 0x1p-24 * fabs(problem->reference[0]) / problem->reference_scale;
}

/* Tolerance of the reference's own variant, whose answer is rounded to float. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)iterations, (void)precision;
    if (qp_reduce_is_exact(problem))
        return 0.0;
    return qp_reduce_of_answer(problem) + qp_reduce_of_reference(problem);
}

/* ---- Stage 1 ---- */

/* Plants the largest magnitude many times, of either sign, so that only the first place is
 * right. */
static void plant_ties(struct qp_problem *problem, uint64_t *state)
{
    float *x = problem->field[QP_REDUCE_X].values;
    size_t count = qp_problem_cells(problem);
    for (size_t k = 0; k < 2 + count / 64; k++) {
        size_t i = (size_t)qp_random(state, 0.0, (double)count);
        x[i] = k % 2 ? 1.5f : -1.5f;
    }
}

/* A random multiple of 2^-bits of either sign, up to 1. None is 0, since a lost 0 would not show;
 * but more than 2^24 squares would not fit, so that then all but 2^23 of them are 0. */
static float whole(const struct qp_problem *problem, int bits, uint64_t *state)
{
    const uint64_t draw = qp_random_bits(state);
    const double magnitude = ldexp((double)((draw >> 1) % (1u << bits) + 1), -bits);
    const bool crowded =
        qp_reduce_kind(problem) == QP_SUM_OF_SQUARES && qp_problem_cells(problem) > (size_t)1 << 24;
    if (crowded && qp_random(state, 0.0, (double)qp_problem_cells(problem)) >= 0x1p23)
        return 0.0f;
    return (float)(draw & 1 ? -magnitude : magnitude);
}

/* Changes a value if the sum is 0, which would be the answer of a variant that does nothing. */
static void avoid_zero(struct qp_problem *problem)
{
    const enum qp_reduction_kind kind = qp_reduce_kind(problem);
    double sum = 0.0;
    for (size_t i = 0; i < qp_problem_cells(problem); i++)
        sum += term(problem, kind, i);
    if (sum == 0.0)
        problem->field[QP_REDUCE_X].values[0] *= -1.0f;
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    const bool adds = qp_reduce_adds(qp_reduce_kind(problem));
    const int bits = bits_of(problem);
    uint64_t state = desc->seed;
    for (size_t i = 0; i < qp_problem_cells(problem); i++) {
        float *x = &problem->field[QP_REDUCE_X].values[i];
        float *y = &problem->field[QP_REDUCE_Y].values[i];
        *x = adds ? whole(problem, bits, &state) : (float)qp_random(&state, -1.0, 1.0);
        *y = adds ? whole(problem, bits, &state) : (float)qp_random(&state, -1.0, 1.0);
    }
    if (qp_reduce_kind(problem) == QP_INDEX)
        plant_ties(problem, &state);
    else if (adds)
        avoid_zero(problem);
    for (int i = 0; i < problem->answer_width; i++)
        problem->field[QP_REDUCE_ANSWER].values[i] = 0.0f;
    return QP_OK;
}

const struct qp_op qp_op_reduce = {
    .name = "reduce",
    .kinds = kinds,
    .equation = "sum = sum x[i], squares = sum x[i]^2, dot = sum x[i] y[i], max = max |x[i]|, "
                "index = max |x[i]|, its column, its row",
    .state = QP_REDUCE_ANSWER,
    .fields = QP_REDUCE_STORED,
    .field = fields,
    .runs = &qp_usual_runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = tolerance,
    .extent = extent,
    .cost = cost,
};
