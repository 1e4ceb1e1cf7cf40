/* SPDX-License-Identifier: MIT */
/* The bounds that reduce.h states, worked out once more and held against sums of some 100 bits. */
#include "support/cells.h"
#include "support/exact.h"

#include <stdlib.h>

/* ---- Values that are hard to add ---- */

/* Random bits, and a number from -1 to 1. */
static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 16;
}

static double uniform(uint64_t *seed)
{
    return (double)(next(seed) & 0xffffff) * 0x1p-23 - 1.0;
}

typedef double make(uint64_t *seed, int i, int count);

static double random_value(uint64_t *seed, int i, int count)
{
    (void)i, (void)count;
    return uniform(seed);
}

/* Rounds the same way each time. */
static double tenths(uint64_t *seed, int i, int count)
{
    (void)seed, (void)i, (void)count;
    return (double)0.1f;
}

/* Magnitudes over 60 binary orders. */
static double mixed(uint64_t *seed, int i, int count)
{
    (void)i, (void)count;
    const double value = uniform(seed);
    return ldexp(value, (int)(next(seed) % 60) - 30);
}

/* Large ones that cancel, over small ones. */
static double drowned(uint64_t *seed, int i, int count)
{
    (void)seed;
    if (i % 8 != 0 || i / 8 * 8 + 4 >= count)
        return i % 8 == 4 ? -0x1p26 : 1.0;
    return 0x1p26;
}

static make *const makes[] = {random_value, tenths, mixed, drowned};

static void fill(const struct qp_array_desc *desc, make *value, double *x, double *y)
{
    const int count = desc->width * desc->height;
    uint64_t seed = 11;
    for (int i = 0; i < count; i++) {
        x[i] = (double)(float)value(&seed, i, count);
        y[i] = (double)(float)uniform(&seed);
    }
    for (int i = 0; i < count / 3 && value == mixed; i++) /* all but some cancel */
        x[count - 1 - i] = -x[i], y[count - 1 - i] = y[i];
}

/* ---- The bounds ---- */

/* 4 ceil(log4 of the longer side) + 1. */
static double depth_of(const struct qp_array_desc *desc)
{
    int side = desc->width > desc->height ? desc->width : desc->height, passes = 0;
    for (double reach = 1.0; reach < side; reach *= 4.0)
        passes++;
    return 4.0 * passes + 1.0;
}

static double bound(const struct qp_reduction_desc *desc, const struct exact *sum)
{
    const double u = desc->of.type == QP_ARRAY_DOUBLE ? 0x1p-53 : 0x1p-24, h = depth_of(&desc->of);
    if (desc->compensated)
        return 0x1p-53 * fabs(sum->high) + 2.0 * (h + 1.0) * (h + 1.0) * u * u * sum->magnitude;
    return h * u / (1.0 - h * u) * sum->magnitude;
}

static double least_slack = INFINITY; /* how near a bound was come to: bound / error */

static void keeps_its_bound(struct qp_context *context, const struct qp_reduction_desc *desc,
                            make *value, bool root)
{
    double *xs = cells_values(&desc->of), *ys = cells_values(&desc->of);
    struct exact sum = {0.0, 0.0, 0.0};
    fill(&desc->of, value, xs, ys);
    for (int i = 0; i < desc->of.width * desc->of.height; i++)
        exact_add(&sum, desc->what == QP_REDUCE_DOT      ? xs[i] * ys[i]
                        : desc->what == QP_REDUCE_NORM_1 ? fabs(xs[i])
                        : root                           ? xs[i] * xs[i]
                                                         : xs[i]);
    struct qp_array *x = cells_array(context, &desc->of, xs),
                    *y = cells_array(context, &desc->of, ys);
    const struct qp_pass_input input[] = {
        {"x", x}, {desc->what == QP_REDUCE_DOT ? "y" : NULL, y}, {NULL, NULL}};
    struct qp_reduction *reduction;
    struct qp_reduced got;
    assert_ok(qp_reduction_create(context, desc, &reduction));
    assert_ok(qp_reduce(reduction, input, NULL, &got));
    double most = bound(desc, &sum), error = exact_distance(&sum, got.value);
    if (root) { /* half the relative error, and a rounding of the root in double */
        const double exact = sqrt(sum.high + sum.low);
        most = exact * (0.5 * most / sum.high * (1.0 + most / sum.high) + 0x1p-52);
        error = fabs(got.value - exact);
    }
    if (!(error <= most))
        fail_msg(
            "kind %d, type %d, %d x %d, compensated %d: %.17g should be %.17g, off by %.3g of %.3g",
            (int)desc->what, (int)desc->of.type, desc->of.width, desc->of.height, desc->compensated,
            got.value, sum.high, error, most);
    if (error > 0.0)
        least_slack = fmin(least_slack, most / error);
    qp_reduction_destroy(&reduction);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    free(xs);
    free(ys);
}

static const enum qp_reduce_what sums[] = {QP_REDUCE_SUM, QP_REDUCE_DOT, QP_REDUCE_NORM_1,
                                           QP_REDUCE_NORM_2};

static void prove(void **state, enum qp_array_type type, bool compensated)
{
    static const int sizes[][2] = {{1, 1},     {2, 2},  {1, 33},    {33, 1},   {65, 9},
                                   {128, 130}, {3, 65}, {1000, 37}, {257, 129}};
    struct qp_context *context = support_need_context(state);
    if (compensated && !(qp_context_device(context)->abilities & QP_CAN_PRECISE))
        skip();
    for (int k = 0; k < COUNT(sizes) * COUNT(makes) * COUNT(sums); k++) {
        const int *size = sizes[k / COUNT(sums) / COUNT(makes)];
        const struct qp_reduction_desc desc = {
            .what = sums[k % COUNT(sums)],
            .compensated = compensated,
            .of = {.width = size[0], .height = size[1], .channels = 1, .type = type}};
        keeps_its_bound(context, &desc, makes[k / COUNT(sums) % COUNT(makes)],
                        desc.what == QP_REDUCE_NORM_2);
    }
}

CLEAN_TEST(trees)
{
    prove(state, QP_ARRAY_FLOAT, false);
    assert_true(least_slack < 100.0); /* a bound that is far from all errors proves little */
}

CLEAN_TEST(trees_of_doubles)
{
    prove(state, QP_ARRAY_DOUBLE, false);
}

CLEAN_TEST(compensated)
{
    prove(state, QP_ARRAY_FLOAT, true);
}

/* A value beside one 2^26 times as large is nothing to a tree of floats, and is all that the sum
 * comes to. */
CLEAN_TEST(compensated_beats_tree)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array_desc of = {.width = 128, .height = 128, .channels = 1};
    if (!(qp_context_device(context)->abilities & QP_CAN_PRECISE))
        skip();
    double *xs = cells_values(&of), *ys = cells_values(&of);
    fill(&of, drowned, xs, ys);
    struct qp_array *x = cells_array(context, &of, xs);
    const struct qp_pass_input input[] = {{"x", x}, {NULL, NULL}};
    struct qp_reduction_desc desc = {.of = of, .compensated = true};
    struct qp_reduction *reduction;
    struct qp_reduced tree, pairs;
    assert_ok(qp_array_reduce(x, QP_REDUCE_SUM, &tree));
    assert_ok(qp_reduction_create(context, &desc, &reduction));
    assert_ok(qp_reduce(reduction, input, NULL, &pairs));
    assert_true(pairs.value == 0.75 * 128 * 128);
    assert_true(fabs(tree.value - pairs.value) > 0.1 * pairs.value);
    qp_reduction_destroy(&reduction);
    qp_array_destroy(&x);
    free(xs);
    free(ys);
}

/* ---- Ranges ---- */

/* Sums of values from 1 to 2 of either sign, times 2^exponent: not rounded before the end. */
static double scaled_sum(enum qp_reduce_what what, const double *base, int count, int exponent)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += what == QP_REDUCE_SUM      ? base[i]
               : what == QP_REDUCE_NORM_1 ? fabs(base[i])
                                          : base[i] * base[i];
    if (what == QP_REDUCE_NORM_2)
        sum = sqrt(sum);
    return ldexp(sum, what == QP_REDUCE_DOT ? 2 * exponent : exponent);
}

static bool is_near(double got, double wanted, double allowed)
{
    return got == wanted || fabs(got - wanted) <= allowed * fabs(wanted) + 0x1p-1074;
}

/* Reduces values 2^exponent times those of 1 to 2, on the host and on the device. */
static void reduce_in_range(struct qp_context *context, const struct qp_reduction_desc *desc,
                            int exponent)
{
    const struct qp_array_desc one = {.width = 1, .height = 1, .type = desc->of.type};
    const int count = desc->of.width * desc->of.height;
    const bool floats = desc->of.type == QP_ARRAY_FLOAT;
    double *base = cells_values(&desc->of), *values = cells_values(&desc->of), *answer;
    for (int i = 0; i < count; i++) {
        base[i] = (double)(float)(1.0 + i * 37 % 101 / 103.0) * (i % 7 == 0 ? -1.0 : 1.0);
        values[i] = ldexp(base[i], exponent);
    }
    const double wanted = scaled_sum(desc->what, base, count, exponent),
                 allowed = floats && !desc->compensated ? 20.0 * 0x1p-24 : 40.0 * 0x1p-53;
    struct qp_array *x = cells_array(context, &desc->of, values), *out;
    const struct qp_pass_input input[] = {
        {"x", x}, {desc->what == QP_REDUCE_DOT ? "y" : NULL, x}, {NULL, NULL}};
    struct qp_reduction *reduction;
    struct qp_reduced got;
    assert_ok(qp_reduction_create(context, desc, &reduction));
    assert_ok(qp_array_create(context, &one, NULL, &out));
    assert_ok(qp_reduce(reduction, input, NULL, &got));
    assert_ok(qp_reduce_to(reduction, input, NULL, out));
    answer = cells_read(out);
    if (!is_near(got.value, wanted, allowed))
        fail_msg("kind %d, type %d, compensated %d, 2^%d: %.17g, not %.17g", (int)desc->what,
                 (int)desc->of.type, desc->compensated, exponent, got.value, wanted);
    const double rounded = floats ? (double)(float)wanted : wanted;
    if (!is_near(answer[0], rounded, allowed + (floats ? 0x1p-23 : 0x1p-52)) &&
        !(fabs(rounded) < (floats ? 0x1p-126 : 0x1p-1022))) /* denormal */
        fail_msg("kind %d, type %d, compensated %d, 2^%d on the device: %.17g, not %.17g",
                 (int)desc->what, (int)desc->of.type, desc->compensated, exponent, answer[0],
                 wanted);
    qp_reduction_destroy(&reduction);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
    free(base);
    free(values);
    free(answer);
}

/* Neither squares nor sums overflow or underflow between values and their answer. */
CLEAN_TEST(ranges)
{
    static const enum qp_reduce_what kinds[] = {QP_REDUCE_SUM, QP_REDUCE_DOT, QP_REDUCE_NORM_1,
                                                QP_REDUCE_NORM_2};
    static const int floats[] = {-125, -100, -64, -40, -10, 30, 62, 80, 116, 126},
                     doubles[] = {-1020, -700, -520, -399, 0, 350, 400, 500, 667, 1022};
    struct qp_context *context = support_need_context(state);
    const unsigned able = qp_context_device(context)->abilities;
    for (int k = 0; k < 3 * COUNT(kinds) * COUNT(floats); k++) {
        const int way = k / COUNT(kinds) / COUNT(floats), at = k % COUNT(floats);
        const struct qp_reduction_desc desc = {
            .what = kinds[k / COUNT(floats) % COUNT(kinds)],
            .compensated = way == 1,
            .of = {.width = 19,
                   .height = 6,
                   .channels = 1,
                   .type = way == 2 ? QP_ARRAY_DOUBLE : QP_ARRAY_FLOAT}};
        if ((way == 1 && !(able & QP_CAN_PRECISE)) || (way == 2 && !(able & QP_CAN_DOUBLE)))
            continue;
        reduce_in_range(context, &desc, way == 2 ? doubles[at] : floats[at]);
    }
}

GROUP(support_open_context, support_close_context)
