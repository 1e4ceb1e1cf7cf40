/* SPDX-License-Identifier: MIT */
#include "support/blocked_variants.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/plan.h"
#include "toolkit/gl/context/context.h"

struct qp_problem blocked_problem(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = kind, .width = width, .height = height, .seed = 11};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

struct qp_result blocked_walk(void **state, const struct blocked_variant *variant,
                              struct qp_problem *problem, struct qp_walk_desc desc)
{
    struct qp_context *context = support_need_context(state);
    const bool software = context->device.software;
    struct qp_variant walked = *qp_variant_find(variant->name);
    struct qp_recipe recipe = *walked.recipe;
    struct qp_result result;
    if (variant->changed) {
        recipe.own = variant->own;
        walked.recipe = &recipe;
    }
    desc.keep_solution = true;
    context->device.software = software && !variant->changed;
    enum qp_status status = qp_walk(context, &walked, problem, &desc, &result);
    context->device.software = software;
    assert_ok(status);
    if (result.verdict == QP_SKIP && strstr(result.reason, "this device cannot do") != NULL) {
        qp_problem_destroy(problem);
        skip();
    }
    return result;
}

/* The first column whose row changes places with one that is a pivot already, or with none. */
static void look_at_pivots(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    const struct qp_pivot *pivots = qp_gauss_jordan_pivots(plan);
    const int n = plan->problem->height;
    int *wrong = user;
    (void)seconds;
    for (int k = 0; stage == QP_STAGE_READBACK && k < n && *wrong < 0; k++)
        *wrong = pivots[k].row < k || pivots[k].row >= n ? k : -1;
}

static void is_right(void **state, const struct blocked_variant *variant, const char *kind,
                     int width, int height)
{
    struct qp_problem problem = blocked_problem(kind, width, height);
    int wrong = -1;
    const struct qp_walk_desc desc = {.iterations = 1, .on_stage = look_at_pivots, .user = &wrong};
    struct qp_result result = blocked_walk(state, variant, &problem, desc);
    if (result.verdict != QP_PASS)
        fail_msg("'%s', %d x %d: %s", kind, width, height, result.reason);
    if (wrong >= 0)
        fail_msg("'%s', %d x %d: column %d has a row again", kind, width, height, wrong);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

void blocked_sizes_pass(void **state, const struct blocked_variant *variant, const int sizes[],
                        int count)
{
    for (int i = 0; i < count; i++) {
        const int n = sizes[i];
        const struct {
            const char *kind;
            int width;
        } problems[] = {{"general", n},
                        {"permuted", n + 3},
                        {"general", n + 2 + n / 2},
                        {"inverse", n},
                        {"ill", n}};
        for (int k = 0; k < COUNT(problems); k++) {
            if (support_takes(i + k, 3))
                is_right(state, variant, problems[k].kind, problems[k].width, n);
        }
    }
}

void blocked_is_the_same_again(void **state, const struct blocked_variant *variant, int unknowns)
{
    struct qp_problem problem = blocked_problem("general", unknowns + 3, unknowns);
    struct qp_matrix first = {0};
    for (int k = 0; k < 2 * QP_PINGPONG_STYLES; k++) {
        if (!support_takes(k, 5))
            continue;
        const struct qp_walk_desc desc = {.iterations = k % 3 + 1,
                                          .pingpong = (enum qp_pingpong_style)(k / 2),
                                          .target = k % 2 ? QP_2D : QP_RECTANGLE};
        struct qp_result result = blocked_walk(state, variant, &problem, desc);
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

void blocked_leaves_the_identity(void **state, const struct blocked_variant *variant, int unknowns)
{
    const int width = unknowns + 2;
    struct qp_problem problem = blocked_problem("general", width, unknowns);
    struct qp_result result =
        blocked_walk(state, variant, &problem, (struct qp_walk_desc){.iterations = 1});
    assert_int_equal(result.verdict, QP_PASS);
    for (int i = 0; i < unknowns * width; i++) {
        if (i % width < unknowns)
            assert_true(result.solution.values[i] == (i % width == i / width ? 1.0f : 0.0f));
    }
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* A column of zeros; or an identity but for one column, which is the sum of those before it. */
static void fill_singular(struct qp_problem *problem, int column, bool sum)
{
    for (int k = 0; k < problem->height * problem->height; k++) {
        const int i = k / problem->height, j = k % problem->height;
        float *value = &problem->field[0].values[i * problem->width + j];
        if (sum)
            *value = j == column ? i < column : i == j;
        else if (j == column)
            *value = 0.0f;
    }
}

void blocked_names_columns(void **state, const struct blocked_variant *variant, int unknowns,
                           const int columns[], int count)
{
    for (int i = 0; i < 2 * count; i++) {
        struct qp_problem problem = blocked_problem("general", unknowns, unknowns);
        char words[64];
        fill_singular(&problem, columns[i / 2], i % 2 == 1);
        struct qp_result result =
            blocked_walk(state, variant, &problem, (struct qp_walk_desc){.iterations = 1});
        snprintf(words, sizeof words, "column %d has no pivot", columns[i / 2] + 1);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, words));
        qp_problem_destroy(&problem);
    }
}

size_t blocked_passes(void **state, const struct blocked_variant *variant, int unknowns)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = blocked_problem("dominant", unknowns, unknowns);
    size_t passes[3];
    for (int steps = 0; steps < 3; steps++) {
        size_t before = qp_context_counters(context).passes;
        struct qp_result result =
            blocked_walk(state, variant, &problem, (struct qp_walk_desc){.iterations = steps});
        passes[steps] = qp_context_counters(context).passes - before;
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
    assert_int_equal(passes[1] - passes[0], passes[2] - passes[1]);
    return passes[1] - passes[0];
}
