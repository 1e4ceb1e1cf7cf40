/* SPDX-License-Identifier: MIT */
/* Convention 3 for the blocked elimination: every shader that it draws with, vertex shader
 * included, is sabotaged one place at a time and must be found out. */
#include "support/mutants.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/gauss_jordan/blocked.h"
#include "lab/plan/plan.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/shaders.h"

/* Two blocks, the second one incomplete, unknowns added up to a multiple of four, and right-hand
 * sides in two texels. */
enum { UNKNOWNS = 67, SIDES = 5 };

static const char row[] = "gauss_jordan/blocked";
static const struct qp_blocked often = {
    .actions = &qp_blocked_drawn, .form = {{1, QP_ANY_ROWS, 56}}, .many = 1, .group = 8};
static struct qp_problem problem;

/* True if the image that the call reads has layers. */
static bool has_layers(const struct victim *victim, const char *call)
{
    char declared[64];
    const char *name = call + strlen("imageLoad(");
    snprintf(declared, sizeof declared, "image2DArray %.*s;", (int)strcspn(name, ","), name);
    return strstr(victim->text, declared) != NULL;
}

/* Nothing in its place, and the texels right of it, above, and in the next layer. */
static void strike_fetch(struct victim *victim, const char *at)
{
    static const char *const by[2][3] = {
        {" + ivec2(1, 0))", " + ivec2(0, 1))"},
        {" + ivec3(1, 0, 0))", " + ivec3(0, 1, 0))", " + ivec3(0, 0, 1))"}};
    const bool layers = has_layers(victim, at);
    mutants_strike_call(victim, at, by[layers], layers ? 3 : 2);
}

static void strike_fetches(struct victim *victim)
{
    for (const char *at = victim->text; (at = strstr(at, "imageLoad(")) != NULL; at++)
        strike_fetch(victim, at);
}

/* Nothing is written, by fragments or where they would be. */
static void strike_whole(struct victim *victim)
{
    const bool draws = strstr(victim->name, ".frag") != NULL;
    assert_true(mutants_replace(victim, "void main()\n{",
                                draws ? "void main()\n{ discard;"
                                      : "void main()\n{ gl_Position = vec4(0.0); return;"));
}

/* Lists of candidates, which GPUs make where rows are many, are made wherever their shaders are
 * struck. */
static bool is_listing(const char *name)
{
    return strstr(name, "_candidates") != NULL || strstr(name, "_listed") != NULL;
}

static const struct qp_variant *with_lists(void)
{
    static struct qp_recipe recipe;
    static struct qp_variant variant;
    variant = *qp_variant_find(row);
    recipe = *variant.recipe;
    recipe.own = &often;
    variant.recipe = &recipe;
    return &variant;
}

static void visit_one(struct victim *victim, void (*strike)(struct victim *victim))
{
    struct qp_device *device = &victim->context->device;
    const bool software = device->software, lists = is_listing(victim->name);
    victim->variant = lists ? with_lists() : qp_variant_find(row);
    device->software = software && !lists;
    mutants_read(victim->name, victim->text);
    assert_int_not_equal(mutants_walk(victim, 1).verdict, QP_FAIL);
    strike(victim);
    device->software = software;
}

static int visit(void **state, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state),
                            .variant = qp_variant_find(row),
                            .problem = &problem};
    int shaders = 0;
    if (mutants_walk(&victim, 1).verdict == QP_SKIP)
        skip();
    mutants_tally = (struct mutants_tally){0};
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        victim.name = file->name;
        if (strncmp(file->name, "gauss_jordan/blocked_", 21) != 0)
            continue;
        visit_one(&victim, strike);
        shaders++;
    }
    assert_int_equal(mutants_tally.survived, 0);
    return shaders;
}

CLEAN_TEST(every_fetch_counts)
{
    assert_true(visit(state, strike_fetches) >= 14);
    assert_true(mutants_tally.made >= 95);
}

CLEAN_TEST(whole_shaders_are_judged)
{
    assert_true(visit(state, strike_whole) >= 14);
}

CLEAN_TEST(unharmed_copies_pass)
{
    struct victim victim = {.context = support_need_context(state),
                            .variant = qp_variant_find(row),
                            .problem = &problem};
    assert_int_not_equal(mutants_walk(&victim, 1).verdict, QP_FAIL);
}

static int set_up(void **state)
{
    const struct qp_problem_desc desc = {.op = "gauss_jordan",
                                         .kind = "general",
                                         .width = UNKNOWNS + SIDES,
                                         .height = UNKNOWNS,
                                         .seed = 7};
    assert_ok(qp_problem_create(&desc, &problem));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&problem);
    return mutants_tear_down(state);
}

CLEAN_TEST(unharmed_copies_pass_again)
{
    unharmed_copies_pass(state);
}

GROUP(set_up, tear_down)
