/* SPDX-License-Identifier: MIT */
/* The accuracy of reduce's variants is proven against exact sums, on inputs made to be hard, by the
 * bounds that reducer.h, lab/ops/reduce/cpu.c and lab/ops/reduce/cuda.c state, worked out here once
 * more. */
#include "support/reduce_rows.h"

#include <math.h>
#include <string.h>

#include "support/exact.h"
#include "toolkit/base/random.h"

/* ---- Hard inputs ---- */

typedef float make(uint64_t *seed, size_t i, size_t count);

static float uniform(uint64_t *seed, size_t i, size_t count)
{
    (void)i, (void)count;
    return (float)qp_random(seed, -1.0, 1.0);
}

/* No addition of equal ones is free: rounding goes the same way again and again. */
static float tenths(uint64_t *seed, size_t i, size_t count)
{
    (void)seed, (void)i, (void)count;
    return 0.1f;
}

/* Magnitudes from 2^-30 to 2^30. */
static float mixed(uint64_t *seed, size_t i, size_t count)
{
    (void)i, (void)count;
    float sign = qp_random(seed, -1.0, 1.0) < 0.0 ? -1.0f : 1.0f;
    return sign * (float)exp2(qp_random(seed, -30.0, 30.0));
}

/* Ones between large values that cancel: (2^26 + 1) - 2^26 is 0 in float. */
static float drowned(uint64_t *seed, size_t i, size_t count)
{
    (void)seed;
    if (i % 8 != 0 || i / 8 * 8 + 4 >= count)
        return i % 8 == 4 ? -0x1p26f : 1.0f;
    return 0x1p26f;
}

/* Values with cancellation: those before the middle come again with the other sign after it; those
 * of y with the same (see fill). Sum and product are then below a rounding of the largest terms. */
static float cancelling(uint64_t *seed, size_t i, size_t count)
{
    return i == count / 2 ? 0x1p-20f : mixed(seed, i, count);
}

static make *const makes[] = {uniform, tenths, mixed, drowned, cancelling};

static void fill(struct qp_problem *problem, make *value)
{
    float *x = qp_problem_field(problem, "x")->values, *y = qp_problem_field(problem, "y")->values;
    size_t count = (size_t)problem->width * (size_t)problem->height;
    uint64_t seed = 11;
    for (size_t i = 0; i < count; i++) {
        size_t mirror = count - 1 - i;
        bool again = value == cancelling && i > count / 2;
        x[i] = again ? -x[mirror] : value(&seed, i, count);
        y[i] = again ? y[mirror] : uniform(&seed, i, count);
    }
}

static struct exact exact_sum(const struct qp_problem *problem)
{
    const float *x = problem->field[QP_REDUCE_X].values, *y = problem->field[QP_REDUCE_Y].values;
    size_t count = (size_t)problem->width * (size_t)problem->height;
    enum qp_reduction_kind kind = qp_reduce_kind(problem);
    struct exact sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++)
        exact_add(&sum, kind == QP_SUM   ? x[i]
                        : kind == QP_DOT ? (double)x[i] * y[i]
                                         : (double)x[i] * x[i]);
    return sum;
}

/* ---- The bounds ---- */

static double g(double roundings)
{
    double error = roundings * 0x1p-24;
    return error / (1.0 - error);
}

/* Additions on the way up of width x height texels: 2 log2(fan) a pass. */
static double height_of(int width, int height, int fan)
{
    int side = width > height ? width : height, passes = 0;
    for (; side > 1; side = (side + fan - 1) / fan)
        passes++;
    return 2.0 * log2(fan) * passes;
}

/* Additions on the way up a ladder of launches where a thread adds `values` of n values, 0 for the
 * least even number that is log2 n or more, and then a block of 256. */
static double height_of_ladder(int values, double n)
{
    double height = 0.0;
    do {
        double own = values > 0 ? values : fmax(2.0, 2.0 * ceil(log2(n) / 2.0));
        height += floor(own / 2.0) + 8.0;
        n = ceil(n / (256.0 * own));
    } while (n > 1.0);
    return height;
}

/* The same of the CUDA variants, by what lab/ops/reduce/cuda.c states. */
static double height_on_cuda(const char *name, double n)
{
    static const struct {
        const char *name;
        int values;
    } ladder[] = {{"interleaved", 1},   {"strided", 1}, {"sequential", 1}, {"first_add", 2},
                  {"unrolled_warp", 2}, {"shuffle", 2}, {"unrolled", 2},   {"cascaded", 0}};
    for (int i = 0; i < COUNT(ladder); i++) {
        if (strcmp(name, ladder[i].name) == 0)
            return height_of_ladder(ladder[i].values, n);
    }
    if (strcmp(name, "naive") == 0)
        return fmax(1.0, ceil(log2(n)));
    if (strcmp(name, "cub") == 0)
        return 128.0 + n / 32768.0;
    assert_string_equal(name, "tiles");
    return 1.0 + 33.0 + 2.0 + 9.0 + ceil(fmax(256.0, ceil(n / 65536.0)) / 512.0) + 9.0;
}

/* The largest error that is stated for this variant. */
static double bound(const struct row *row, const struct exact *sum)
{
    const char *name = row->variant->name;
    int width = row->problem->width, height = row->problem->height;
    double count = (double)width * height, u = 0x1p-24, h = height_of(width, height, 4);
    if (strcmp(name, "reduce/loop") == 0)
        return count * u * sum->magnitude;
    if (strcmp(name, "reduce/reference") == 0)
        return u * fabs(sum->high) + count * 0x1p-53 * sum->magnitude;
    if (strcmp(name, "reduce/openmp") == 0)
        return g(1.0 + 64.0 + 16.0 + 1.1) * sum->magnitude;
    if (strncmp(name, "reduce/cuda_", 12) == 0)
        return g(height_on_cuda(name + 12, count)) * sum->magnitude;
    if (strcmp(name, "reduce/compensated") == 0)
        return u * fabs(sum->high) + 2.0 * (h + 2.0) * (h + 2.0) * u * u * sum->magnitude;
    if (strcmp(name, "reduce/tree_2x2") == 0)
        h = height_of(width, height, 2);
    else if (strcmp(name, "reduce/tree_8x8") == 0)
        h = height_of(width, height, 8);
    else if (strcmp(name, "reduce/tree_rgba") == 0)
        h = height_of((width + 3) / 4, height, 4) + 1.0;
    else
        assert_string_equal(name, "reduce/tree");
    return g(h + 1.0) * sum->magnitude;
}

static struct exact sum_now;

/* The answer keeps the bound; and what a check allows is no more than that, but for what the
 * reference may itself be off by. */
static void keeps_its_bound(const struct row *row)
{
    struct qp_result result;
    double count = (double)row->problem->width * row->problem->height;
    if (!reduce_walk(row, &(struct qp_walk_desc){.iterations = 1}, &result))
        return;
    double most = bound(row, &sum_now);
    double error = exact_distance(&sum_now, result.solution.values[0]);
    if (!(error <= most))
        fail_msg("%s, %s, %d x %d: %.9g should be %.17g, off by %.3g of %.3g", row->variant->name,
                 row->problem->kind, row->problem->width, row->problem->height,
                 result.solution.values[0], sum_now.high, error, most);
    assert_true(result.tolerance * row->problem->reference_scale <=
                (most + count * 0x1p-53 * sum_now.magnitude) * (1.0 + 1e-6));
    qp_matrix_destroy(&result.solution);
}

static void prove(void **state, const char *kind, make *value, int width, int height)
{
    struct qp_problem problem = reduce_problem(kind, width, height);
    fill(&problem, value);
    sum_now = exact_sum(&problem);
    reduce_each_row(state, &problem, keeps_its_bound);
    qp_problem_destroy(&problem);
}

static const char *const sums[] = {"sum", "squares", "dot"};

CLEAN_TEST(bounds_hold)
{
    static const int sizes[][2] = {{1, 1},  {1, 7},   {7, 1},  {2, 2},  {13, 11},   {64, 64},
                                   {65, 9}, {257, 3}, {3, 65}, {1, 33}, {128, 130}, {1000, 37}};
    for (int k = 0; k < COUNT(sizes) * COUNT(sums); k++) {
        for (int i = 0; i < COUNT(makes); i++)
            prove(state, sums[k % 3], makes[i], sizes[k / 3][0], sizes[k / 3][1]);
    }
    support_need_context(state);
}

/* A pyramid above 2048 columns is as high as above 4096. */
CLEAN_TEST(bounds_hold_for_millions)
{
    for (int i = 0; i < COUNT(makes); i++)
        prove(state, sums[i % 3], makes[i], 2048, 1024);
    prove(state, "sum", cancelling, 2048, 1024);
    prove(state, "sum", drowned, 1024, 4096);
    support_need_context(state);
}

/* ---- Worth of the compensation ---- */

static double answer_of(void **state, const char *name, struct qp_problem *problem)
{
    struct row row = {*state, qp_variant_find(name), problem};
    struct qp_result result;
    assert_true(reduce_walk(&row, &(struct qp_walk_desc){.iterations = 1}, &result));
    double answer = result.solution.values[0];
    qp_matrix_destroy(&result.solution);
    return answer;
}

/* A value beside one 2^26 times as large is nothing to a tree of floats, and is all that the sum
 * comes to. An optimiser to which (a + b) - a is b would make the one of the other. */
CLEAN_TEST(compensated_beats_tree)
{
    struct qp_context *context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_PRECISE))
        skip();
    for (int side = 8; side <= 512; side *= 4) {
        struct qp_problem problem = reduce_problem("sum", side, side);
        fill(&problem, drowned);
        double ones = 0.75 * side * side, tree = answer_of(state, "reduce/tree", &problem);
        assert_true(answer_of(state, "reduce/compensated", &problem) == ones);
        assert_true(fabs(tree - ones) > 0.1 * ones);
        qp_problem_destroy(&problem);
    }
}

GROUP(support_open_context, support_close_context)
