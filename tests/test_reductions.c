/* SPDX-License-Identifier: MIT */
/* The rows of reduce: their accuracy is proven against exact sums, on inputs made to be hard, by
 * the bounds that reducer.h and reduce_cpu.c state, worked out here once more. */
#include "support.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "exact.h"
#include "gl/context.h"
#include "gl/readback.h"
#include "ops/plan.h"
#include "ops/problem.h"
#include "ops/reduce.h"

/* A row on a problem; CPU rows get no context. */
struct row {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
};

static bool takes(const struct row *row)
{
    return (row->variant->recipe->not_kinds >> qp_reduce_kind(row->problem) & 1) == 0;
}

static bool can(const struct row *row)
{
    if (row->variant->backend != QP_GL)
        return support_is_built(row->variant);
    return row->context != NULL &&
           (row->variant->needs & ~qp_context_device(row->context)->abilities) == 0;
}

/* Walks where the row can; the caller destroys the answer. */
static bool walk(const struct row *row, const struct qp_walk_desc *desc, struct qp_result *result)
{
    struct qp_walk_desc keep = *desc;
    keep.keep_solution = true;
    if (!can(row))
        return false;
    assert_ok(qp_walk(row->variant->backend == QP_GL ? row->context : NULL, row->variant,
                      row->problem, &keep, result));
    if (!takes(row)) {
        assert_int_equal(result->verdict, QP_SKIP);
        assert_non_null(strstr(result->reason, "is not for the problem"));
        return false;
    }
    if (result->verdict != QP_PASS)
        fail_msg("%s, %s, %d x %d: %s", row->variant->name, row->problem->kind, row->problem->width,
                 row->problem->height, result->reason);
    assert_int_equal(result->solution.width, row->problem->answer_width);
    assert_int_equal(result->solution.height, 1);
    return true;
}

static void open_problem(const char *kind, int width, int height, struct qp_problem *problem)
{
    struct qp_problem_desc desc = {
        .op = "reduce", .kind = kind, .width = width, .height = height, .seed = 7};
    assert_ok(qp_problem_create(&desc, problem));
}

/* All rows of reduce, with or without OpenGL. */
static int each_row(void **state, struct qp_problem *problem, void (*test)(const struct row *row))
{
    int rows = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        struct row row = {*state, qp_variant_at(i), problem};
        if (strcmp(row.variant->op, "reduce") != 0)
            continue;
        test(&row);
        rows++;
    }
    return rows;
}

/* ---- By hand ---- */

static const float by_hand_x[] = {1.0f, -2.0f, 3.0f, -4.0f, 0.5f, 4.0f};
static const float by_hand_y[] = {2.0f, 2.0f, -1.0f, 1.0f, 4.0f, 0.0f};
static const struct {
    const char *kind;
    double answer[3];
} by_hand[] = {{"sum", {2.5}},
               {"squares", {46.25}},
               {"dot", {-7.0}},
               {"max", {4.0}},
               {"index", {4.0, 0.0, 1.0}}};
static const double *wanted;

static void gives_what_is_wanted(const struct row *row)
{
    for (int k = 0; k < 4; k++) {
        struct qp_walk_desc desc = {.iterations = 1 + k / 2,
                                    .target = k % 2 ? QP_2D : QP_RECTANGLE};
        struct qp_result result;
        if (!walk(row, &desc, &result))
            return;
        for (int i = 0; i < row->problem->answer_width; i++) {
            assert_true(result.solution.values[i] == (float)wanted[i]);
            assert_true(row->problem->reference[i] == wanted[i]);
        }
        qp_matrix_destroy(&result.solution);
    }
}

static void worked_out_with_a_pencil(void **state)
{
    for (int k = 0; k < COUNT(by_hand); k++) {
        struct qp_problem problem;
        open_problem(by_hand[k].kind, 3, 2, &problem);
        memcpy(qp_problem_field(&problem, "x")->values, by_hand_x, sizeof by_hand_x);
        memcpy(qp_problem_field(&problem, "y")->values, by_hand_y, sizeof by_hand_y);
        wanted = by_hand[k].answer;
        assert_true(each_row(state, &problem, gives_what_is_wanted) >= 8);
        qp_problem_destroy(&problem);
    }
    support_need_context(state);
}

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

/* What stands before the middle comes again with the other sign behind it; that of y with the same
 * (see fill). What is left of sum and product is below a rounding of the largest terms. */
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
    enum qp_reduction kind = qp_reduce_kind(problem);
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

/* Additions on the way up a ladder of launches where a thread adds so many of n values, 0 for the
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

/* The same of the CUDA rows, by what reduce_cuda.c states. */
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
    return 1.0 + 17.0 + 2.0 + 9.0 + ceil(ceil(n / 32768.0) / 512.0) + 9.0;
}

/* The largest error that is stated for this row. */
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
    if (!walk(row, &(struct qp_walk_desc){.iterations = 1}, &result))
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
    struct qp_problem problem;
    open_problem(kind, width, height, &problem);
    fill(&problem, value);
    sum_now = exact_sum(&problem);
    each_row(state, &problem, keeps_its_bound);
    qp_problem_destroy(&problem);
}

static const char *const sums[] = {"sum", "squares", "dot"};

static void bounds_hold(void **state)
{
    static const int sizes[][2] = {{1, 1},  {1, 7},   {7, 1},  {2, 2},  {13, 11},   {64, 64},
                                   {65, 9}, {257, 3}, {3, 65}, {1, 33}, {128, 130}, {1000, 37}};
    for (int k = 0; k < COUNT(sizes) * COUNT(sums); k++) {
        for (int i = 0; i < COUNT(makes); i++)
            prove(state, sums[k % 3], makes[i], sizes[k / 3][0], sizes[k / 3][1]);
    }
    support_need_context(state);
}

static void bounds_hold_for_millions(void **state)
{
    for (int i = 0; i < COUNT(makes); i++)
        prove(state, sums[i % 3], makes[i], 4096, 1024);
    prove(state, "sum", cancelling, 4096, 1024);
    prove(state, "sum", drowned, 1024, 4096);
    support_need_context(state);
}

/* ---- What the compensation is worth ---- */

static double answer_of(void **state, const char *name, struct qp_problem *problem)
{
    struct row row = {*state, qp_variant_find(name), problem};
    struct qp_result result;
    assert_true(walk(&row, &(struct qp_walk_desc){.iterations = 1}, &result));
    double answer = result.solution.values[0];
    qp_matrix_destroy(&result.solution);
    return answer;
}

/* One in 2^26 beside it is nothing to a tree of floats, and is all that the sum comes to. An
 * optimiser to which (a + b) - a is b would make the one of the other. */
static void compensated_beats_tree(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_PRECISE))
        skip();
    for (int side = 8; side <= 512; side *= 4) {
        struct qp_problem problem;
        open_problem("sum", side, side, &problem);
        fill(&problem, drowned);
        double ones = 0.75 * side * side, tree = answer_of(state, "reduce/tree", &problem);
        assert_true(answer_of(state, "reduce/compensated", &problem) == ones);
        assert_true(fabs(tree - ones) > 0.1 * ones);
        qp_problem_destroy(&problem);
    }
}

/* ---- Skips, costs, sentences ---- */

/* Without `precise` the compensated row is skipped by that name, and no other row. */
static void without_precise(void **state)
{
    struct qp_context *context = support_need_context(state);
    unsigned abilities = context->device.abilities;
    struct qp_problem problem;
    open_problem("sum", 5, 4, &problem);
    context->device.abilities &= ~(unsigned)QP_CAN_PRECISE;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *row = qp_variant_at(i);
        struct qp_result result;
        if (strcmp(row->op, "reduce") != 0 || row->backend == QP_CUDA)
            continue;
        assert_ok(
            qp_walk(context, row, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
        bool compensated = strcmp(row->name, "reduce/compensated") == 0;
        assert_int_equal(result.verdict, compensated ? QP_SKIP : QP_PASS);
        if (compensated)
            assert_string_equal(result.reason, "this device cannot do: precise");
    }
    context->device.abilities = abilities;
    qp_problem_destroy(&problem);
}

/* A value is read once, two in a product of two; an operation each. */
static void costs(void **state)
{
    static const double bytes[] = {4, 4, 8, 4, 4}, flops[] = {1, 2, 2, 1, 1};
    (void)state;
    for (int kind = 0; kind < QP_REDUCTIONS; kind++) {
        const struct qp_problem problem = {.op = &qp_op_reduce, .kind = qp_op_reduce.kinds[kind]};
        struct qp_cost cost = qp_variant_cost_of(qp_variant_find("reduce/tree"), &problem);
        assert_true(cost.bytes == bytes[kind] && cost.flops == flops[kind]);
    }
}

static void wrong_uses(void **state)
{
    struct qp_problem_desc desc = {.op = "reduce", .kind = "product", .width = 3, .height = 2};
    struct qp_problem problem, jacobi;
    struct qp_result result;
    (void)state;
    assert_int_equal(qp_problem_create(&desc, &problem), QP_BAD_USE);
    support_assert_sentence(
        "reduce has no problem 'product'; it has sum, squares, dot, max, index");
    open_problem("sum", 3, 2, &problem);
    struct qp_walk_desc every = {.iterations = 2, .every = 1};
    assert_int_equal(qp_walk(NULL, qp_variant_find("reduce/loop"), &problem, &every, &result),
                     QP_BAD_USE);
    support_assert_sentence("reduce has no residual");
    assert_ok(qp_walk(NULL, qp_variant_find("jacobi9/openmp"), &problem,
                      &(struct qp_walk_desc){.iterations = 1}, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(
        strstr(result.reason, "is a variant of jacobi9, and the problem is one of reduce"));
    desc = (struct qp_problem_desc){.kind = "sum", .width = 3, .height = 2};
    assert_int_equal(qp_problem_create(&desc, &jacobi), QP_BAD_USE);
    support_assert_sentence("jacobi9 has no problem 'sum'; it has random, wraps,");
    qp_problem_destroy(&problem);
}

/* A NaN among the values is the answer, and an answer that is no number judges nothing. */
static void nan_is_reported(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(by_hand); k++) {
        struct qp_problem problem;
        struct qp_result result;
        open_problem(by_hand[k].kind, 9, 5, &problem);
        qp_problem_field(&problem, "x")->values[17] = NAN;
        assert_ok(qp_walk(NULL, qp_variant_find("reduce/openmp"), &problem,
                          &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, "cell (0, 0) of reduce is nan"));
        qp_problem_destroy(&problem);
    }
}

/* What warming up has drawn is gone: a pass that draws nothing, on any level, must show. */
static void levels_start_empty(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_walk_desc desc = {.iterations = 1};
    struct qp_problem problem;
    struct qp_plan *plan;
    open_problem("sum", 21, 18, &problem);
    assert_ok(qp_plan_create(context, qp_variant_find("reduce/tree"), &problem, &desc, &plan));
    assert_ok(qp_plan_pack(plan));
    assert_ok(plan->engine->upload(plan));
    assert_ok(plan->engine->program(plan));
    const struct qp_reducer *reducer = &plan->reduce->reducer;
    assert_int_equal(reducer->top, 3);
    for (int level = 1; level <= reducer->top; level++) {
        const struct qp_texture *texture = &reducer->texture[level];
        struct qp_surface surface = {reducer->framebuffer_id[level], GL_COLOR_ATTACHMENT0};
        float texels[6 * 5];
        assert_ok(qp_readback(context, surface, texture->format, 0, 0, texture->width,
                              texture->height, texels));
        for (int i = 0; i < texture->width * texture->height; i++)
            assert_true(isnan(texels[i]));
    }
    assert_ok(plan->engine->read(plan, false, plan->texels));
    assert_true(plan->texels[plan->layout.storage_x + 1] == 0.0f); /* the start */
    assert_ok(plan->engine->pass(plan));
    plan->engine->swap(plan);
    assert_ok(plan->engine->read(plan, false, plan->texels));
    assert_false(isnan(plan->texels[plan->layout.storage_x + 1]));
    qp_plan_destroy(&plan);
    qp_problem_destroy(&problem);
}

/* ---- Rows on the CPU ---- */

/* As the sweep answers, without a judge. */
static float swept(const struct qp_problem *problem, const char *name, float out[3])
{
    const struct qp_recipe *recipe = qp_variant_find(name)->recipe;
    struct qp_sweep sweep = {
        .width = problem->width,
        .height = problem->height,
        .kind = qp_problem_kind(problem),
        .out = out,
        .input = {problem->field[QP_REDUCE_X].values, problem->field[QP_REDUCE_Y].values}};
    recipe->sweep(&sweep);
    return out[0];
}

/* The largest magnitude, a NaN or nothing but zeros, at every place: vectors, what is behind them,
 * chunks of threads. */
static void places_on_the_cpu(void **state)
{
    static const char *const names[] = {"reduce/loop", "reduce/openmp"};
    struct qp_problem problem;
    float out[3];
    (void)state;
    open_problem("index", 67, 37, &problem);
    float *x = problem.field[QP_REDUCE_X].values;
    for (int k = 0; k < 2 * 67 * 37; k++) {
        int place = k / 2, other = (place * 7 + 3) % (67 * 37);
        float value = k % 2 ? NAN : -9.0f;
        memset(x, 0, 67 * 37 * sizeof *x);
        x[place] = value;
        x[other > place ? other : place] = value;
        for (int i = 0; i < 2; i++) {
            float found = swept(&problem, names[i], out);
            assert_true(isnan(value) ? isnan(found) : found == 9.0f);
            assert_true(out[1] == (float)(place % 67) && out[2] == (float)(place / 67));
        }
    }
    memset(x, 0, 67 * 37 * sizeof *x);
    for (int i = 0; i < 2; i++)
        assert_true(swept(&problem, names[i], out) == 0.0f && out[1] == 0.0f && out[2] == 0.0f);
    qp_problem_destroy(&problem);
}

/* Bit for bit the same on one thread and on many. */
static void threads_agree(void **state)
{
    int before = omp_get_max_threads();
    struct qp_problem problem;
    float one[3], many[3];
    (void)state;
    open_problem("sum", 501, 301, &problem);
    omp_set_num_threads(1);
    swept(&problem, "reduce/openmp", one);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        swept(&problem, "reduce/openmp", many);
        assert_true(one[0] == many[0]);
    }
    omp_set_num_threads(before);
    qp_problem_destroy(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(worked_out_with_a_pencil),
        clean_test(bounds_hold),
        clean_test(bounds_hold_for_millions),
        clean_test(compensated_beats_tree),
        clean_test(without_precise),
        clean_test(levels_start_empty),
        cmocka_unit_test(costs),
        cmocka_unit_test(wrong_uses),
        cmocka_unit_test(nan_is_reported),
        cmocka_unit_test(places_on_the_cpu),
        cmocka_unit_test(threads_agree),
    };
    return cmocka_run_group_tests_name("reductions", tests, support_open_context,
                                       support_close_context);
}
