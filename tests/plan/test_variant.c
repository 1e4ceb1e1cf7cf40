/* SPDX-License-Identifier: MIT */
/* Questions about variants of the table: what they are, need and take. No OpenGL is needed here. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"

TEST(what_is_no_variant)
{
    struct qp_variant variant = *qp_variant_find("jacobi9/luminance");
    assert_int_equal(qp_variant_check(NULL), QP_BAD_USE);
    assert_string_equal(qp_error(), "there is no variant: the one asked for is NULL");
    assert_ok(qp_variant_check(&variant));
    variant.op = NULL;
    assert_int_equal(qp_variant_check(&variant), QP_BAD_USE);
    support_assert_sentence("luminance' is no variant of this library; take one that "
                            "qp_variant_find or qp_trial_add hands out");
    variant = *qp_variant_find("jacobi9/luminance");
    variant.recipe = NULL;
    assert_int_equal(qp_variant_check(&variant), QP_BAD_USE);
    assert_int_equal(qp_variant_systems(&variant), 1);
    assert_false(qp_variant_is_bound(&variant));
    assert_null(qp_variant_library(&variant));
    variant = *qp_variant_find("jacobi9/luminance");
    variant.name = NULL;
    assert_int_equal(qp_variant_check(&variant), QP_BAD_USE);
    support_assert_sentence("'(without a name)' is no variant");
    assert_int_equal(qp_variant_systems(NULL), 1);
    assert_false(qp_variant_is_bound(NULL));
    assert_null(qp_variant_library(NULL));
}

/* Counts end at the first that is missing, and where the table is full. */
TEST(lists_are_counted)
{
    struct qp_recipe recipe = {0};
    assert_int_equal(qp_recipe_inputs(&recipe), 0);
    assert_int_equal(qp_recipe_draws(&recipe), 0);
    for (int i = 0; i < QP_INPUTS; i++) {
        recipe.input[i].name = "x";
        assert_int_equal(qp_recipe_inputs(&recipe), i + 1);
    }
    for (int i = 0; i < QP_DRAWS; i++) {
        if (i % 2)
            recipe.draw[i].fragment = "x";
        else
            recipe.draw[i].compute = "x";
        assert_int_equal(qp_recipe_draws(&recipe), i + 1);
    }
}

TEST(rows_say_what_they_need)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (variant->backend == QP_GL)
            assert_true(qp_variant_draws(variant));
        if (variant->backend == QP_CPU)
            assert_false(qp_variant_draws(variant));
        assert_int_equal(qp_variant_systems(variant), variant->recipe->systems > 1 ? 4 : 1);
    }
    assert_true(qp_variant_draws(qp_variant_find("jacobi9/cuda_arrays")));
    assert_false(qp_variant_draws(qp_variant_find("jacobi9/cuda_shared")));
    assert_int_equal(qp_variant_systems(qp_variant_find("jacobi9/luminance")), 1);
}

static void refuse(const char *name, const struct qp_problem *problem, const char *sentence)
{
    const struct qp_variant *variant = qp_variant_find(name);
    assert_non_null(variant);
    assert_int_equal(qp_variant_takes(variant, problem), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), sentence);
}

TEST(what_rows_take)
{
    struct qp_problem problem, other;
    const char *bound = NULL, *four = NULL;
    char sentence[128];
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 6, .height = 4}, &problem));
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.op = "reduce", .width = 6, .height = 4},
                                &other));
    assert_ok(qp_variant_takes(qp_variant_find("jacobi9/openmp"), &problem));
    refuse("jacobi9/openmp", &other, "is a variant of jacobi9, and the problem is one of reduce");
    assert_int_equal(qp_variant_takes(NULL, &problem), QP_BAD_USE);
    assert_int_equal(qp_variant_takes(qp_variant_find("jacobi9/openmp"), NULL), QP_BAD_USE);
    assert_int_equal(qp_variant_takes(qp_variant_find("jacobi9/openmp"), &(struct qp_problem){0}),
                     QP_BAD_USE);
    assert_string_equal(qp_error(), "jacobi9/openmp has no problem to take: none was made");
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "jacobi9") != 0)
            continue;
        if (variant->recipe->bound && variant->recipe->state.neighbours == 4 &&
            variant->recipe->state.sheets <= 1)
            bound = variant->name;
        if (variant->recipe->systems == 4)
            four = variant->name;
    }
    if (bound != NULL)
        refuse(bound, &problem,
               "needs a width that is a multiple of 4: a bound writes whole texels, and no padding "
               "may be in the last one of a row");
    if (four != NULL)
        refuse(four, &problem, "takes 4 systems at a time, not 1");
    problem.systems = 4;
    refuse("jacobi9/openmp", &problem, "takes 1 system at a time, not 4");
    problem.systems = 1;
    assert_ok(qp_takes_cells(&problem, 0));
    assert_ok(qp_takes_cells(&problem, 24));
    assert_int_equal(qp_takes_cells(&problem, 23), QP_UNSUPPORTED);
    snprintf(sentence, sizeof sentence,
             "wraps its coordinates in float, which is exact up to 23 cells, not 24");
    assert_string_equal(qp_error(), sentence);
    qp_problem_destroy(&problem);
    qp_problem_destroy(&other);
}

/* Up to 2^28 updates all steps are checked, beyond that two launches and one more. */
TEST(steps_that_are_checked)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/openmp");
    struct qp_problem problem = {.op = qp_op_find("jacobi9"),
                                 .kind = "random",
                                 .width = 1 << 12,
                                 .height = 1 << 12,
                                 .systems = 1,
                                 .answer_width = 1 << 12,
                                 .answer_height = 1 << 12};
    const int launch = problem.op->runs->launch(variant->recipe);
    assert_int_equal(qp_checked_steps(variant, &problem, 16, 1), 16);
    assert_int_equal(qp_checked_steps(variant, &problem, 17, launch + 5), 17);
    assert_int_equal(qp_checked_steps(variant, &problem, 1000, 1), 2 * launch + 1);
    assert_int_equal(qp_checked_steps(variant, &problem, 1000, launch + 5), 2 * (launch + 5) + 1);
}

/* ---- Operations ---- */

TEST(kinds_are_found_by_name)
{
    static const int sweep[] = {1, 3, 9, -1};
    static const struct qp_kind kinds[] = {
        {.name = "a"},
        {.name = "b", .range = {.what = "things", .least = 1, .most = 9, .sweep = sweep}},
        {.name = "c", .range = {.what = "none", .sweep = sweep + 3}},
        {0}};
    const struct qp_op op = {.name = "op", .kinds = kinds}, plain = {.name = "plain"},
                       first = {.name = "first", .kinds = kinds + 1},
                       bare = {.name = "bare", .kinds = kinds + 3};
    assert_int_equal(qp_op_kind(&op, "a"), 0);
    assert_int_equal(qp_op_kind(&op, "c"), 2);
    assert_int_equal(qp_op_kind(&op, "d"), -1);
    assert_int_equal(qp_op_kind(&plain, "d"), 0);
    assert_ptr_equal(qp_op_kind_at(&op, 0), &kinds[0]);
    assert_ptr_equal(qp_op_kind_at(&op, 2), &kinds[2]);
    assert_null(qp_op_kind_at(&op, -1)->name);
    assert_null(qp_op_kind_at(&plain, 0)->name);
    assert_true(qp_op_has_parameters(&op) && qp_op_has_parameters(&first));
    assert_false(qp_op_has_parameters(&plain) || qp_op_has_parameters(&bare));
    assert_int_equal(qp_kind_sweep(&kinds[0]), 1);
    assert_int_equal(qp_kind_sweep(&kinds[1]), 3);
    assert_int_equal(qp_kind_sweep(&kinds[2]), 1);
}

/* 2^24 updates, in 10 to 200 steps; launches of 8. */
TEST(usual_runs)
{
    struct qp_problem problem = {.width = 1 << 9, .height = 1 << 9, .systems = 1};
    assert_int_equal(qp_usual_runs.bench_steps(&problem), 64);
    problem.systems = 4;
    assert_int_equal(qp_usual_runs.bench_steps(&problem), 16);
    problem.width = 1 << 12;
    assert_int_equal(qp_usual_runs.bench_steps(&problem), 10);
    problem.width = problem.systems = 1;
    assert_int_equal(qp_usual_runs.bench_steps(&problem), 200);
    assert_int_equal(qp_usual_runs.launch(NULL), 8);
    int sizes = 0, steps = 0, benches = 0;
    while (qp_usual_sizes[sizes].width > 0)
        sizes++;
    while (qp_usual_steps[steps] > 0)
        steps++;
    while (qp_usual_runs.bench_sizes[benches].width > 0)
        benches++;
    assert_true(sizes == 11 && steps == 3 && benches == 4);
    assert_true(qp_usual_sizes[0].width == 1 && qp_usual_sizes[0].height == 1);
}
