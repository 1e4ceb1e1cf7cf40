/* SPDX-License-Identifier: MIT */
/* The elimination by blocks in compute shaders: sizes around its blocks and in all forms of its panels,
 * the form of GPUs and that of software, its dispatches by formula, and what it cannot do by name. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "gl/context.h"
#include "ops/blocked_compute.h"
#include "ops/plan.h"

static const char name[] = "gauss_jordan/blocked_compute";

/* Of low panels, so that small matrices come through all of the forms. */
static const struct qp_blocked_compute low = {
    32, {{32, 1, 32}, {64, 1, 32}, {64, 2, 16}, {64, 3, 8}, {64, 4, 4}, {64, 5, 4}}};

/* The row itself; or one with these panels, whatever the device. */
static bool lower;

static const struct qp_variant *row(void)
{
    static struct qp_recipe recipe;
    static struct qp_variant variant;
    variant = *qp_variant_find(name);
    recipe = *variant.recipe;
    recipe.blocked_compute = lower ? &low : recipe.blocked_compute;
    variant.recipe = &recipe;
    return &variant;
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
    context->device.software = software && !lower;
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

/* Around blocks of 8, 16 and 32 columns, groups of 32 and 64 rows, and tiles of 64. */
static void awkward_sizes(void **state)
{
    static const int sizes[] = {1, 2, 7, 8, 9, 33, 64, 65, 129, 193, 256};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const int n = sizes[i];
        is_right(state, "general", n, n);
        is_right(state, "permuted", n + 3, n);
        is_right(state, "general", n + 2 + n / 2, n);
        is_right(state, "inverse", n, n);
    }
}

/* Targets and another pass of the same plan change no bit. */
static void same_again(void **state)
{
    struct qp_problem problem = make("general", 75, 70);
    struct qp_matrix first = {0};
    for (int k = 0; k < 4; k++) {
        const struct qp_walk_desc desc = {.iterations = k % 3 + 1,
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
    enum { N = 67, WIDTH = 69 };
    struct qp_problem problem = make("general", WIDTH, N);
    struct qp_result result = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
    assert_int_equal(result.verdict, QP_PASS);
    for (int i = 0; i < N * WIDTH; i++) {
        if (i % WIDTH < N)
            assert_true(result.solution.values[i] == (i % WIDTH == i / WIDTH ? 1.0f : 0.0f));
    }
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* In the first block and behind it; no row is a pivot again. */
static void look_at_pivots(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    (void)user, (void)seconds;
    for (int k = 0; room == QP_ROOM_READBACK && k < plan->problem->height; k++)
        if (plan->pivots != NULL && plan->pivots[k].row < k)
            fail_msg("column %d takes row %d again", k, plan->pivots[k].row);
}

static void singular_columns_are_named(void **state)
{
    enum { N = 70 };
    static const int zero[] = {3, 37, 69};
    for (size_t i = 0; i < COUNT(zero); i++) {
        struct qp_problem problem = make("general", N, N);
        char words[64];
        for (int y = 0; y < N; y++)
            problem.field[0].values[y * problem.width + zero[i]] = 0.0f;
        struct qp_result result = walk(
            state, &problem, (struct qp_walk_desc){.iterations = 1, .on_room = look_at_pivots});
        snprintf(words, sizeof words, "column %d has no pivot", zero[i] + 1);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, words));
        qp_problem_destroy(&problem);
    }
}

/* Three dispatches a block forth, but for the last one no product, two a block back, but for the first
 * one no product; the start and the identity. */
static void dispatches_are_counted(void **state)
{
    static const int sizes[] = {1, 8, 9, 64};
    struct qp_context *context = support_need_context(state);
    for (size_t i = 0; i < COUNT(sizes) && !lower; i++) {
        struct qp_problem problem = make("dominant", sizes[i], sizes[i]);
        const int columns = context->device.software ? 8 : 32;
        const size_t blocks = (size_t)((sizes[i] + columns - 1) / columns);
        size_t passes[2];
        for (int steps = 0; steps < 2; steps++) {
            size_t before = qp_context_counters(context).passes;
            struct qp_result result =
                walk(state, &problem, (struct qp_walk_desc){.iterations = steps + 1});
            passes[steps] = qp_context_counters(context).passes - before;
            qp_matrix_destroy(&result.solution);
        }
        assert_int_equal(passes[1] - passes[0], 5 * blocks - 2 + 2);
        qp_problem_destroy(&problem);
    }
}

/* Rows that no group has registers for. */
static void the_limit_is_named(void **state)
{
    const bool was = lower;
    lower = true;
    struct qp_problem problem = make("dominant", 321, 321);
    struct qp_result result = walk(state, &problem, (struct qp_walk_desc){.iterations = 1});
    lower = was;
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "at most 320 rows"));
    assert_non_null(strstr(result.reason, "take gauss_jordan/blocked"));
    qp_problem_destroy(&problem);
}

static int with_low_panels(void **state)
{
    lower = true;
    return support_open_context(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(awkward_sizes),       clean_test(same_again),
        clean_test(leaves_the_identity), clean_test(singular_columns_are_named),
        clean_test(the_limit_is_named),  clean_test(dispatches_are_counted),
    };
    return cmocka_run_group_tests_name("blocked_compute", tests, support_open_context,
                                       support_close_context) +
           cmocka_run_group_tests_name("blocked_compute, low panels", tests, with_low_panels,
                                       support_close_context);
}
