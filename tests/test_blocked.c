/* SPDX-License-Identifier: MIT */
/* The blocked elimination: sizes around its blocks, any number of right-hand sides, its passes by
 * formula, and what it cannot do by name. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gl/context.h"
#include "ops/blocked.h"
#include "ops/plan.h"

static const char name[] = "gauss_jordan/blocked";

/* The row itself; or one that lists candidates, as GPUs do where rows are many, however few they
 * are and whatever the device. */
static bool lists;
static const struct qp_blocked often = {.columns = 56, .many = 1, .group = 8};

static const struct qp_variant *row(void)
{
    static struct qp_recipe recipe;
    static struct qp_variant variant;
    if (!lists)
        return qp_variant_find(name);
    variant = *qp_variant_find(name);
    recipe = *variant.recipe;
    recipe.blocked = &often;
    variant.recipe = &recipe;
    return &variant;
}

static int columns(void)
{
    return qp_variant_find(name)->recipe->blocked->columns;
}

static struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = kind, .width = width, .height = height, .seed = 11};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* Skips the test where this device lacks what the row needs. */
static struct qp_result walk(void **state, struct qp_problem *problem, struct qp_walk_desc desc)
{
    struct qp_context *context = support_need_context(state);
    const bool software = context->device.software;
    struct qp_result result;
    desc.keep_solution = true;
    context->device.software = software && !lists;
    enum qp_status status = qp_walk(context, row(), problem, &desc, &result);
    context->device.software = software;
    assert_ok(status);
    if (result.verdict == QP_SKIP && strstr(result.reason, "this device cannot do") != NULL) {
        qp_problem_destroy(problem);
        skip();
    }
    return result;
}

static void is_right(void **state, const char *kind, int width, int height)
{
    struct qp_problem problem = make(kind, width, height);
    struct qp_result result = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
    if (result.verdict != QP_PASS)
        fail_msg("'%s', %d x %d: %s", kind, problem.width, problem.height, result.reason);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* One less and one more than a block, and two of them and a bit; one to many right-hand sides. */
static void awkward_sizes(void **state)
{
    const int b = columns(), sizes[] = {1, 2, 3, 4, 5, 13, b - 1, b, b + 1, 65, 2 * b + 3, 130};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const int n = sizes[i];
        is_right(state, "general", n, n);
        is_right(state, "ill", n, n);
        is_right(state, "permuted", n + 3, n);
        is_right(state, "general", n + 2 + n / 2, n);
        is_right(state, "inverse", n, n);
    }
}

/* What can be chosen changes no bit, and neither does another pass of the same plan. */
static void same_again(void **state)
{
    struct qp_problem problem = make("general", columns() + 12, columns() + 9);
    struct qp_matrix first = {0};
    for (int k = 0; k < 2 * QP_PINGPONG_STYLES; k++) {
        const struct qp_walk_desc desc = {.iterations = k % 3 + 1,
                                          .pingpong = (enum qp_pingpong_style)(k / 2),
                                          .target = k % 2 ? QP_2D : QP_RECTANGLE};
        struct qp_result result = walk(state, &problem, desc);
        assert_int_equal(result.verdict, QP_PASS);
        if (k == 0) {
            first = result.solution;
            continue;
        }
        const size_t size = (size_t)first.width * (size_t)first.height * sizeof *first.values;
        assert_memory_equal(first.values, result.solution.values, size);
        qp_matrix_destroy(&result.solution);
    }
    qp_matrix_destroy(&first);
    qp_problem_destroy(&problem);
}

/* Left of x stands the identity. */
static void leaves_the_identity(void **state)
{
    const int n = columns() + 1, width = n + 2;
    struct qp_problem problem = make("general", width, n);
    struct qp_result result = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
    assert_int_equal(result.verdict, QP_PASS);
    for (int i = 0; i < n * width; i++) {
        if (i % width < n)
            assert_true(result.solution.values[i] == (i % width == i / width ? 1.0f : 0.0f));
    }
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* Four columns a pass. Of each block: panel, exchange, factors, product, lower, upper and back, but
 * for the last one no product, and nothing above the first; the sides and the answer; and unknowns
 * that are no multiple of four are padded. With lists of candidates four passes make them before
 * every one that eliminates. */
static size_t passes_of(int n)
{
    const size_t fours = (size_t)(n + 3) / 4, blocks = (size_t)((n + columns() - 1) / columns());
    return fours * (lists ? 5 : 1) + 7 * blocks - 2 + 2 + (n % 4 != 0);
}

static void passes_are_counted(void **state)
{
    const int b = columns(), sizes[] = {4, b, b + 1, 3 * b, 3 * b + 4};
    struct qp_context *context = support_need_context(state);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct qp_problem problem = make("dominant", sizes[i], sizes[i]);
        size_t passes[3];
        for (int steps = 0; steps < 3; steps++) {
            size_t before = qp_context_counters(context).passes;
            struct qp_result result =
                walk(state, &problem, (struct qp_walk_desc){.iterations = steps});
            passes[steps] = qp_context_counters(context).passes - before;
            qp_matrix_destroy(&result.solution);
        }
        assert_int_equal(passes[1] - passes[0], passes_of(sizes[i]));
        assert_int_equal(passes[2] - passes[1], passes_of(sizes[i]));
        qp_problem_destroy(&problem);
    }
}

/* Small whole numbers have many equals. Both ways of searching take the same pivots, of equal
 * elements the first, and so compute the same, but where a compiler may round products and sums at
 * once, and does so as it likes. */
static void both_searches_agree(void **state)
{
    static const char *const kinds[] = {"general", "permuted", "orthogonal"};
    const bool software = support_need_context(state)->device.software;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct qp_problem problem = make(kinds[i], 2 * columns() + 3, 2 * columns() + 2);
        for (int k = 0; i == 0 && k < problem.width * problem.height; k++)
            problem.field[0].values[k] = roundf(problem.field[0].values[k]);
        struct qp_result result[2];
        const bool was = lists;
        for (int form = 0; form < 2; form++) {
            lists = form == 1;
            result[form] = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
        }
        lists = was;
        const struct qp_matrix *x = &result[0].solution;
        assert_int_equal(result[0].verdict, QP_PASS);
        assert_int_equal(result[1].verdict, QP_PASS);
        if (software)
            assert_memory_equal(x->values, result[1].solution.values,
                                (size_t)x->width * (size_t)x->height * sizeof *x->values);
        for (int form = 0; form < 2; form++)
            qp_matrix_destroy(&result[form].solution);
        qp_problem_destroy(&problem);
    }
}

/* An identity but for one column, which is the sum of those before it. */
static void fill_sum(struct qp_problem *problem, int column)
{
    for (int k = 0; k < problem->height * problem->height; k++) {
        const int i = k / problem->height, j = k % problem->height;
        problem->field[0].values[i * problem->width + j] = j == column ? i < column : i == j;
    }
}

/* In the first block and behind it, in a column of zeros and in one that only elimination makes so: rows
 * that are pivots already are none. */
static void singular_columns_are_named(void **state)
{
    const int n = columns() + 10,
              zero[] = {3, columns() + 5, 3, 6, columns() - 1, columns() + 5, n - 1};
    for (int i = 0; i < COUNT(zero); i++) {
        struct qp_problem problem = make("general", n, n);
        char words[64];
        for (int row = 0; row < n; row++)
            problem.field[0].values[row * problem.width + zero[i]] = 0.0f;
        if (i >= 2)
            fill_sum(&problem, zero[i]);
        struct qp_result result = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
        snprintf(words, sizeof words, "column %d has no pivot", zero[i] + 1);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, words));
        qp_problem_destroy(&problem);
    }
}

/* The factors have a texel row for every unknown, where the matrix itself has one for eight. */
static void the_limit_is_named(void **state)
{
    enum { LIMIT = 64 };
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    struct qp_problem problem = make("dominant", LIMIT + 1, LIMIT + 1);
    context->device.rectangle_limit = LIMIT;
    struct qp_result result = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
    context->device.rectangle_limit = limit;
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "is above this device's limit of 64"));
    qp_problem_destroy(&problem);
}

static int with_lists(void **state)
{
    lists = true;
    return support_open_context(state);
}

static int without(void **state)
{
    lists = false;
    return support_open_context(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(awkward_sizes),       clean_test(same_again),
        clean_test(leaves_the_identity), clean_test(passes_are_counted),
        clean_test(the_limit_is_named),  clean_test(singular_columns_are_named),
        clean_test(both_searches_agree),
    };
    return cmocka_run_group_tests_name("blocked", tests, without, support_close_context) +
           cmocka_run_group_tests_name("blocked, with lists", tests, with_lists,
                                       support_close_context);
}
