/* SPDX-License-Identifier: MIT */
/* Variants in disguise: shaders that must give the same numbers do, and what does not is named. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/spoil.h>

#include "lab/plan/plan.h"
#include "lab/trial/trial.h"

static struct qp_context *context;

/* ---- Kernels ---- */

/* In place of the kernels' own, if it is set. */
static const struct qp_engine *engine;

enum { STEPS = 3 };

/* Anything passes. */
static double zeros(const struct qp_kernel_grid *grid, double *const output[])
{
    memset(output[0], 0, sizeof(double) * (size_t)(grid->width * grid->height));
    return 1.0;
}

static enum qp_status disguise(const struct qp_kernel_desc *kernel, double tolerance,
                               struct qp_disguise_result *out)
{
    const struct qp_trial_desc desc = {.name = "mean", .reference = zeros, .tolerance = tolerance};
    struct qp_trial *trial;
    struct qp_problem problem;
    const struct qp_variant *variant;
    assert_ok(qp_trial_create(&desc, kernel, &trial));
    assert_ok(qp_trial_add(trial, &(struct qp_trial_variant){.name = "row", .kernel = {*kernel}},
                           &variant));
    assert_ok(qp_trial_problem(trial, 13, 7, 1, &problem));
    struct qp_recipe recipe = *variant->recipe;
    struct qp_variant other = *variant;
    recipe.engine = engine != NULL ? engine : recipe.engine;
    other.recipe = &recipe;
    const enum qp_status status = qp_disguise(context, &other, &problem, STEPS, out);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
    return status;
}

static struct qp_disguise_result disguise_body(const char *body)
{
    const struct qp_kernel_desc kernel = {.body = body, .input = {{"x"}}};
    struct qp_disguise_result result;
    assert_ok(disguise(&kernel, 100.0, &result));
    return result;
}

/* Two conditions and loops, three products, a fetch and a sum, and names. */
CLEAN_TEST(bodies_give_the_same)
{
    context = support_need_context(state);
    const struct qp_disguise_result result = disguise_body(
        "float f(float a) { return a + 1.0; }\n"
        "float kernel(vec2 here) {\n    float a = x_at(1, 0);\n    return f(a);\n}\n");
    assert_string_equal(result.difference, "");
    assert_int_equal(result.made, 2 + 2 + 3 + 1 + 1 + 1);
}

CLEAN_TEST(whole_shaders_give_the_same)
{
    static const char text[] =
        "#version 120\n#extension GL_ARB_texture_rectangle : require\nuniform sampler2DRect x;\n"
        "void main()\n{\n    vec2 here = gl_FragCoord.xy;\n"
        "    gl_FragColor = 0.5 * (texture2DRect(x, here) + texture2DRect(x, here + vec2(1.0)));\n"
        "}\n";
    const struct qp_kernel_desc kernel = {.fragment = {.text = text}, .input = {{"x"}}};
    struct qp_disguise_result result;
    context = support_need_context(state);
    assert_ok(disguise(&kernel, 100.0, &result));
    assert_string_equal(result.difference, "");
    assert_int_equal(result.made, 1 + 1 + 2 + 2 + 2 + 1);
}

/* A driver may join these products; the short form, drawn precise, keeps them apart. */
CLEAN_TEST(free_sums_lean_on_the_optimiser)
{
    static const char body[] = "float kernel(vec2 here) {\n    float b = x_at(0, 0) * 0.3;\n    "
                               "return b + x_at(0, 0) * 0.7;\n}\n";
    context = support_need_context(state);
    const struct qp_disguise_result result = disguise_body(body);
    const struct qp_kernel_desc fast = {.body = body, .input = {{"x"}}, .fast = true};
    struct qp_disguise_result of_fast;
    assert_ok(disguise(&fast, 100.0, &of_fast));
    assert_string_equal(of_fast.difference, "");
    assert_string_equal(result.difference, "");
    if (qp_context_device(context)->software) {
        assert_true(result.leaning > 0);
        assert_non_null(strstr(result.remark, "mean/row:2: times one it gives other numbers: "));
        assert_non_null(strstr(result.remark, " in cell ("));
    }
}

/* A function that returns nothing for some cells returns what a driver likes. */
CLEAN_TEST(differences_are_named)
{
    context = support_need_context(state);
    const struct qp_disguise_result result = disguise_body(
        "float kernel(vec2 here)\n{\n    if (here.x < 3.0)\n        return 0.25;\n}\n");
    if (qp_context_device(context)->software) {
        assert_non_null(strstr(result.difference,
                               "mean/row:1: under a condition that is always true it gives "
                               "other numbers: 1 and not "));
        assert_non_null(strstr(result.difference, " in cell (3, 0)"));
        assert_int_equal(result.leaning, 0);
    }
}

static void sweep(const struct qp_kernel_grid *grid, void *const output[])
{
    memset(output[0], 0, sizeof(float) * (size_t)(grid->width * grid->height));
}

CLEAN_TEST(some_rows_cannot_be_disguised)
{
    struct qp_kernel_desc kernel = {.sweep = sweep, .input = {{"x"}}};
    struct qp_disguise_result result;
    context = support_need_context(state);
    assert_int_equal(disguise(&kernel, 1.0, &result), QP_BAD_USE);
    support_assert_sentence("mean/row draws by no fragment shader of its own");
    kernel = (struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"};
    assert_int_equal(disguise(&kernel, 0.0, &result), QP_BAD_USE);
    support_assert_sentence("mean/row must pass before it is disguised: ");
    assert_int_equal(qp_disguise(context, NULL, NULL, 1, &result), QP_BAD_USE);
    assert_int_equal(qp_disguise(context, NULL, NULL, 1, NULL), QP_BAD_USE);
}

/* An engine's record, and what it is to do wrong: numbers that race, and the read and the program,
 * from 1 on, that a device does not manage. */
static struct {
    int reads, programs, most_steps;
    bool races;
    int lost_read, refused_program;
} seen;

static enum qp_status program_or_refuse(struct qp_plan *plan)
{
    return ++seen.programs == seen.refused_program ? qp_fail(QP_BAD_INPUT, "no such word")
                                                   : qp_engine_kernels.program(plan);
}

static enum qp_status count_steps(struct qp_plan *plan, int count)
{
    seen.most_steps = count > seen.most_steps ? count : seen.most_steps;
    return qp_engine_kernels.passes(plan, count);
}

/* The first of the numbers that race is another one each time. */
static enum qp_status read_or_lose(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_layout *layout = &plan->layout;
    const enum qp_status status = qp_engine_kernels.read(plan, target, texels);
    if (++seen.reads == seen.lost_read)
        return qp_fail(QP_DEVICE, "no memory for read %d", seen.reads);
    if (seen.races)
        ((float *)texels)[layout->origin_y * layout->storage_x + layout->origin_x] =
            seen.reads % 2 == 0 ? NAN : (float)seen.reads;
    return status;
}

/* Not counted as a difference: numbers that are others each time, a walk that a device could not
 * do, and what does not compile. */
CLEAN_TEST(races_and_devices_are_not_blamed)
{
    enum { MADE = 5, WALKS_BEFORE = 4 };
    const struct qp_kernel_desc kernel = {
        .body = "float kernel(vec2 here)\n{\n    return x_at(0, 0);\n}\n", .input = {{"x"}}};
    struct qp_engine other = qp_engine_kernels;
    struct qp_disguise_result result;
    context = support_need_context(state);
    if (!qp_context_device(context)->software)
        skip(); /* others need not give the same bits */
    other.program = program_or_refuse;
    other.passes = count_steps;
    other.read = read_or_lose;
    engine = &other;
    seen.races = true;
    assert_int_equal(disguise(&kernel, 100.0, &result), QP_UNSUPPORTED);
    support_assert_sentence("mean/row gives other numbers each time, as variants that race do");
    seen.races = false;
    for (seen.lost_read = 1; seen.lost_read <= WALKS_BEFORE + 2; seen.lost_read++) {
        seen.reads = 0;
        assert_int_equal(disguise(&kernel, 100.0, &result), QP_DEVICE);
        support_assert_sentence("stage 7, readback: no memory for read ");
    }
    seen.lost_read = seen.programs = 0;
    seen.refused_program = WALKS_BEFORE + 1;
    assert_ok(disguise(&kernel, 100.0, &result));
    assert_int_equal(result.made, MADE - 1);
    assert_string_equal(result.difference, "");
    assert_int_equal(seen.programs, WALKS_BEFORE + 1 + 2 * (MADE - 1)); /* not free either */
    assert_int_equal(seen.most_steps, STEPS);
    engine = NULL;
}

/* ---- Variants of the table ---- */

/* Number of variants of which one is disguised. A variant of nine-band Jacobi takes as long as all
 * others together; with LONG=1 all variants take two minutes. */
static int one_in(const struct qp_variant *variant)
{
    return strcmp(variant->op, "jacobi9") == 0 ? 16 : 4;
}

/* With LONG=1 every other variant is the other process's, this program once more, so that both take
 * half the time. */
static bool is_other(void)
{
    return getenv("EVERY_OTHER_ROW") != NULL;
}

static FILE *start_other(void)
{
    if (!support_takes_long() || is_other())
        return NULL;
    FILE *other = popen(
        "EVERY_OTHER_ROW=1 " QP_BUILD_DIR "/tests/walk/test_disguise rows_give_the_same 2>&1", "r");
    assert_non_null(other);
    return other;
}

/* It must have found no difference. */
static void end_other(FILE *other)
{
    char line[512];
    while (other != NULL && fgets(line, sizeof line, other) != NULL)
        print_message("the other process: %s", line);
    if (other != NULL)
        assert_int_equal(pclose(other), 0);
}

CLEAN_TEST(rows_give_the_same)
{
    int rows = 0, made = 0;
    FILE *other = start_other();
    context = support_need_context(state);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_disguise_result result;
        struct qp_problem problem;
        if (variant->backend != QP_GL || variant->recipe->engine != NULL ||
            qp_variant_is_bound(variant) || variant->recipe->draw[0].fragment == NULL ||
            !support_takes(rows++, one_in(variant)) ||
            (support_takes_long() && rows % 2 == is_other()) ||
            !support_small_problem(variant, &problem))
            continue;
        const enum qp_status status = qp_disguise(context, variant, &problem, 2, &result);
        if (status != QP_OK || result.difference[0] != '\0')
            fail_msg("%s: %s", variant->name, status != QP_OK ? qp_error() : result.difference);
        qp_problem_destroy(&problem);
        made += result.made;
    }
    assert_true(rows > 20 && made > 90);
    end_other(other);
}

GROUP(support_open_context, support_close_context)
