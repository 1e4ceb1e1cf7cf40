/* SPDX-License-Identifier: MIT */
/* Limits that a device is asked for before a variant runs on it: abilities, numbers and sizes of
 * textures, how far indices count. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "lab/engines/check.h"
#include "lab/ops/table.h"
#include "toolkit/gl/context/context.h"

static enum qp_status check(struct qp_context *context, const char *row, int width, int height)
{
    struct qp_problem problem;
    assert_ok(
        qp_problem_create(&(struct qp_problem_desc){.width = width, .height = height}, &problem));
    const enum qp_status status =
        qp_plan_check(context, qp_variant_find(row), &problem, QP_RECTANGLE);
    qp_problem_destroy(&problem);
    return status;
}

/* Each ability that a variant needs is named where it is the only one that is missing. */
CLEAN_TEST(abilities_are_named)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_device kept = context->device;
    const struct qp_variant *variant = qp_variant_find("luminance");
    struct qp_variant needy = *variant;
    struct qp_problem problem;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 4, .height = 4}, &problem));
    for (int i = 0; i < QP_ABILITIES; i++) {
        char sentence[128];
        needy.needs = variant->needs | 1u << i;
        context->device.abilities = kept.abilities | variant->needs;
        context->device.abilities &= ~(1u << i);
        snprintf(sentence, sizeof sentence, "this device cannot do: %s", qp_ability_name(i));
        const enum qp_status status = qp_plan_check(context, &needy, &problem, QP_RECTANGLE);
        context->device = kept;
        assert_int_equal(status, QP_UNSUPPORTED);
        assert_string_equal(qp_error(), sentence);
    }
    qp_problem_destroy(&problem);
}

/* All sheets are drawn to at once; and each has a texture, as has each input. */
CLEAN_TEST(textures_are_counted)
{
    static const char row[] = "jacobi9/rgba_targets";
    struct qp_context *context = support_need_context(state);
    const struct qp_recipe *recipe = qp_variant_find(row)->recipe;
    const struct qp_device kept = context->device;
    const int sheets = recipe->state.sheets, textures = sheets + qp_recipe_inputs(recipe);
    const int limits[][3] = {{sheets, sheets, textures},
                             {sheets - 1, sheets, textures},
                             {sheets, sheets - 1, textures},
                             {sheets, sheets, textures - 1}};
    char draws[96], reads[96];
    assert_true(sheets > 1);
    snprintf(draws, sizeof draws, "draws to %d textures at a time and this device to ", sheets);
    snprintf(reads, sizeof reads, "reads %d textures at a time and this device %d", textures,
             textures - 1);
    for (int i = 0; i < COUNT(limits); i++) {
        context->device.draw_buffers = limits[i][0];
        context->device.colour_attachments = limits[i][1];
        context->device.texture_units = limits[i][2];
        const enum qp_status status = check(context, row, 8, 8);
        context->device = kept;
        assert_int_equal(status, i == 0 ? QP_OK : QP_UNSUPPORTED);
        if (i > 0)
            support_assert_sentence(i < 3 ? draws : reads);
    }
}

/* A single sheet of a variant that has no others needs one texture. */
CLEAN_TEST(one_sheet_is_counted)
{
    static const char row[] = "jacobi9/luminance";
    struct qp_context *context = support_need_context(state);
    const struct qp_device kept = context->device;
    context->device.texture_units = 1 + qp_recipe_inputs(qp_variant_find(row)->recipe);
    const enum qp_status enough = check(context, row, 8, 8);
    context->device.texture_units--;
    const enum qp_status fewer = check(context, row, 8, 8);
    context->device = kept;
    assert_ok(enough);
    assert_int_equal(fewer, QP_UNSUPPORTED);
}

/* A texture may be as large as the limit, each way. */
CLEAN_TEST(sizes_are_limited)
{
    static const char row[] = "jacobi9/luminance";
    static const int sizes[][2] = {{20, 30}, {30, 20}};
    struct qp_context *context = support_need_context(state);
    const struct qp_device kept = context->device;
    for (int i = 0; i < COUNT(sizes); i++) {
        const struct qp_problem_desc desc = {.width = sizes[i][0], .height = sizes[i][1]};
        struct qp_problem problem;
        char words[160];
        assert_ok(qp_problem_create(&desc, &problem));
        const struct qp_layout layout = qp_plan_outline(qp_variant_find(row), &problem).layout;
        const int most = i == 0 ? layout.storage_y : layout.storage_x;
        qp_problem_destroy(&problem);
        assert_true(most >= layout.storage_x && most >= layout.storage_y);
        context->device.rectangle_limit = most;
        const enum qp_status equal = check(context, row, desc.width, desc.height);
        context->device.rectangle_limit = most - 1;
        const enum qp_status above = check(context, row, desc.width, desc.height);
        context->device = kept;
        assert_ok(equal);
        assert_int_equal(above, QP_UNSUPPORTED);
        snprintf(words, sizeof words,
                 "needs a texture of %d x %d texels where this device's limit is %d each way",
                 layout.storage_x, layout.storage_y, most - 1);
        support_assert_sentence(words);
    }
}

/* The bands of a processor's variant are one array of nine, whose values an int counts, with 256 to
 * spare. */
TEST(flat_arrays_can_be_counted)
{
    struct qp_problem problem = {.op = qp_op_find("jacobi9"),
                                 .kind = "random",
                                 .height = 1,
                                 .systems = 1,
                                 .answer_height = 1};
    const struct qp_variant *variant = NULL;
    char sentence[96];
    for (size_t i = 0; i < qp_variant_count() && variant == NULL; i++) {
        const struct qp_variant *at = qp_variant_at(i);
        if (at->backend == QP_CPU && strcmp(at->op, "jacobi9") == 0 &&
            at->recipe->input[0].shape.flat && at->recipe->input[0].fields == 9)
            variant = at;
    }
    if (variant == NULL)
        skip();
    /* 3 width + 2 cells of 9 values each */
    problem.width = problem.answer_width = 79536413;
    assert_true(9.0 * (3.0 * problem.width + 2.0) <= 2147483391.0);
    assert_ok(qp_plan_check(NULL, variant, &problem, QP_RECTANGLE));
    problem.width = problem.answer_width = 79536422;
    assert_int_equal(qp_plan_check(NULL, variant, &problem, QP_RECTANGLE), QP_UNSUPPORTED);
    snprintf(sentence, sizeof sentence,
             "needs an array of %.0f values, and can count to 2147483391",
             9.0 * (3.0 * problem.width + 2.0));
    assert_string_equal(qp_error(), sentence);
}

GROUP(support_open_context, support_close_context)
