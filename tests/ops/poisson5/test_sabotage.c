/* SPDX-License-Identifier: MIT */
/* Convention 3 for OpenGL's variants of poisson5: each fetch dropped and shifted, h^2 f left out or
 * doubled, the rim's reset left out, weights forgotten: each must fail. */
#include "support/mutants.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

/* Texels and sheets that are not full; inside and rim of four steps, and of eight. */
enum { WIDTH = 42, HEIGHT = 37 };

static struct qp_problem field, spike;

/* Steps of the variant's longest pass, twice: the second reads what the first wrote. */
static int steps_of(const struct victim *victim)
{
    const int *steps = qp_poisson5_variant(victim->variant->recipe)->steps;
    return steps[1] > 0 ? 2 * steps[1] : 2;
}

static struct qp_result walk_steps(struct victim *victim)
{
    return mutants_walk(victim, steps_of(victim));
}

/* With another weight in each step, all of them not 1. */
static struct qp_result walk_weighted(struct victim *victim)
{
    static const double most[] = {0.9, 0.4, 1.1, 0.7, 1.2, 0.6, 0.8, 0.5};
    static const struct qp_weights weights = {most, COUNT(most)};
    const struct qp_walk_desc desc = {.iterations = 8, .weights = &weights};
    struct qp_result result;
    assert_ok(qp_walk(victim->context, victim->variant, victim->problem, &desc, &result));
    return result;
}

static struct victim victim_of(void **state, const char *row, struct qp_problem *problem)
{
    struct victim victim = {.context = support_need_context(state),
                            .variant = qp_variant_find(row),
                            .problem = problem,
                            .walk = walk_steps};
    const struct qp_draw *draw = &victim.variant->recipe->draw[0];
    victim.name = draw->compute != NULL ? draw->compute : draw->fragment;
    mutants_read(victim.name, victim.text);
    assert_int_equal(walk_steps(&victim).verdict, QP_PASS);
    return victim;
}

/* Steps of the variant that represents all that fuse them: more of them take longer to be
 * compiled. */
static int fused_steps(void)
{
    return support_takes_long() ? 4 : 2;
}

static const char *const short_rows[] = {"poisson5/luminance", "poisson5/rgba",
                                         "poisson5/targets_fused2"};
static const char *const long_rows[] = {"poisson5/luminance", "poisson5/rgba",
                                        "poisson5/targets_fused4"};
enum { ROWS = 3, FUSED = 2 };

static const char *row_at(int i)
{
    return (fused_steps() == 4 ? long_rows : short_rows)[i];
}

/* Each call of this function dropped, and shifted by these. */
static void strike_calls(struct victim *victim, const char *call, const char *const by[2])
{
    for (const char *at = victim->text; (at = strstr(at, call)) != NULL; at++) {
        if (strncmp(at - 5, "vec4 ", 5) != 0) /* not where it is defined */
            mutants_strike_call(victim, at, by, 2);
    }
}

static const char *const by_texels[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};

/* Five of x, or one more that needs its cell's old value, and one of h^2 f. */
CLEAN_TEST(every_fetch_of_single_steps_counts)
{
    static const int mutants[] = {3 * 5, 3 * 6};
    for (int i = 0; i < FUSED; i++) {
        struct victim victim = victim_of(state, row_at(i), &field);
        char *old = strstr(victim.text, "float old = texture2DRect"); /* the old value, weighted */
        mutants_tally = (struct mutants_tally){0};
        if (old != NULL)
            memset(old, ' ', strcspn(old, "\n"));
        strike_calls(&victim, "texture2DRect(", by_texels);
        assert_int_equal(mutants_tally.made, mutants[i]);
        assert_int_equal(mutants_tally.survived, 0);
    }
}

/* Rows of texels of the fragment that fuses steps, and those of h^2 f; each of its rows dropped,
 * and another in its place. */
CLEAN_TEST(every_fetch_of_fused_steps_counts)
{
    static const char *const by_texel[] = {" + 1.0)", " - 1.0)"};
    struct victim victim = victim_of(state, row_at(FUSED), &field);
    char row[32], other[32];
    mutants_tally = (struct mutants_tally){0};
    strike_calls(&victim, "texture2DRect(", by_texels);
    for (const char *at = strstr(victim.text, "return row(vec4(0.0), ");
         (at = strstr(at, "texel(r, ")); at++)
        mutants_strike_call(&victim, at, by_texel, 2);
    for (int r = 0; r < 8 + 2 * fused_steps(); r++) {
        snprintf(row, sizeof row, "fetch(%d)", r);
        snprintf(other, sizeof other, "fetch(%d)", r % 3 ? r - 1 : r + 1);
        assert_true(mutants_replace(&victim, row, other));
    }
    assert_int_equal(mutants_tally.made, 3 * 2 + 3 * 3 + 8 + 2 * fused_steps());
    assert_int_equal(mutants_tally.survived, 0);
}

/* Texels two to the side, which five steps and more read. */
CLEAN_TEST(eight_steps_read_farther)
{
    if (!support_takes_long())
        skip();
    struct victim victim = victim_of(state, "poisson5/targets_fused8", &field);
    mutants_tally = (struct mutants_tally){0};
    mutants_replace(&victim, "texel(r, -2.0)", "texel(r, -1.0)");
    mutants_replace(&victim, "texel(r, 2.0)", "texel(r, 3.0)");
    mutants_replace(&victim, "update(old.farther_left.w,", "update(0.0,");
    mutants_replace(&victim, "old.farther_right.x,", "0.0,");
    mutants_replace(&victim, "above.farther_left, farther_left", "above.left, farther_left");
    mutants_replace(&victim, "fetch(23)", "fetch(22)");
    assert_int_equal(mutants_tally.made, 6);
    assert_int_equal(mutants_tally.survived, 0);
}

/* Each neighbour, the quarter, h^2 f left out and doubled, the reset beyond the rim, the order of
 * rows. */
static void strike_update(struct victim *victim)
{
    static const char *const forms[][2] = {
        {"before, at.", "0.0, at."},
        {"after))", "0.0))"},
        {"(left + right)", "(left + left)"},
        {"(below + above)", "below"},
        {"(below + above)", "(above + above)"},
        {"0.25", "0.250001"},
        {"sum += texture2DRect", "sum += 2.0 * texture2DRect"},
        {"sum += texture2DRect", "sum -= texture2DRect"},
        {"relaxed, column.inside)", "relaxed, bvec4(true))"},
        {"column, clamp(column, 0.0, ", "column, clamp(column, -1.0, "},
        {"column, 0.0, cells.x - 1.0)", "column, 0.0, cells.x)"},
        {"line_of(r) == clamp(line_of(r), 0.0, cells.y - 1.0)", "true"},
        {"line_of(r), 0.0, cells.y", "line_of(r), -1.0, cells.y"},
        {"line_of(r), 0.0, cells.y - 1.0)", "line_of(r), 0.0, cells.y)"},
        {"lessThan(column, cells.xxxx)", "lessThan(column, cells.xxxx + 1.0)"},
        {"sheet * float(sheet_of(r))", "sheet"},
        {"old.left.w, old.middle", "old.left.z, old.middle"},
        {"old.right.x, below.middle", "old.right.y, below.middle"},
        {"old.middle.x, below.left", "old.middle.y, below.left"},
        {"RELAX(relax, u3, u4, u5, 3)", "RELAX(relax, u3, u4, u4, 3)"},
        {"RELAX(relax, u3, u4, u5, 3)", ""},
        {"gl_FragData[5] = u5.middle", "gl_FragData[5] = u4.middle"},
    };
    for (int i = 0; i < COUNT(forms); i++)
        mutants_replace(victim, forms[i][0], forms[i][1]);
}

CLEAN_TEST(every_part_of_an_update_counts)
{
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < ROWS; i++) {
        struct victim victim = victim_of(state, row_at(i), &field);
        strike_update(&victim);
    }
    assert_int_equal(mutants_tally.made, 6 + 8 + 20);
    assert_int_equal(mutants_tally.survived, 0);
}

/* Places of a compute shader beside the update: where it fetches, where it stores and where it
 * stops. */
CLEAN_TEST(what_is_stored_counts)
{
    static const char *const forms[][2] = {
        {"float(r - STEPS)));", "float(r - STEPS + 1)));"},
        {"x, here + vec2(across", "x, here + vec2(0.0"},
        {"ivec2(here) + ivec2(0, r)", "ivec2(here) + ivec2(1, r)"},
        {">= cells.y)", ">= cells.y - 1.0)"},
        {"greaterThanEqual(place, end)", "greaterThanEqual(place, end - 1.0)"},
        {"8.0 * place.y", "7.0 * place.y"},
        {"store(5, u5.middle);", ""},
    };
    if (!(qp_context_device(support_need_context(state))->abilities & QP_CAN_COMPUTE))
        skip();
    struct victim victim = victim_of(state, "poisson5/compute", &field);
    mutants_tally = (struct mutants_tally){0};
    for (int k = 0; k < COUNT(forms) - (support_takes_long() ? 0 : 3); k++)
        assert_true(mutants_replace(&victim, forms[k][0], forms[k][1]));
    assert_int_equal(mutants_tally.survived, 0);
}

/* Weights forgotten, or the first for all steps, or another old value. */
CLEAN_TEST(every_weight_counts)
{
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < ROWS; i++) {
        struct victim victim = victim_of(state, row_at(i), &field);
        victim.walk = walk_weighted;
        assert_int_equal(walk_weighted(&victim).verdict, QP_PASS);
        mutants_replace(&victim, "weight[0] *", "");
        mutants_replace(&victim, "weight[done] *", "");
        mutants_replace(&victim, "weight[done]", "weight[0]");
        mutants_replace(&victim, "(relaxed - at)", "(relaxed - below)");
        mutants_replace(&victim, "(relaxed - old)", "(relaxed - left)");
    }
    assert_int_equal(mutants_tally.made, 2 + 2 + 3);
    assert_int_equal(mutants_tally.survived, 0);
}

/* The spike left out, elsewhere, as wide as a row, and twice as high. */
CLEAN_TEST(the_spike_is_one_cell)
{
    static const char *const forms[][2] = {
        {"origin + spike + 0.5", "origin + spike + 1.5"},
        {"float(here ==", "2.0 * float(here =="},
        {"spike.xxxx", "spike.yyyy"},
        {"line_of(r) == spike.y", "line_of(r) == spike.x"},
        {"float(place.y == spike.y)", "float(place.y == spike.x)"},
        {"sum += vec4(equal(", "sum += 2.0 * vec4(equal("},
        {"float(line_of(r) == spike.y) *", ""},
        {"sum += float(line_of(r)", "sum += 2.0 * float(line_of(r)"},
    };
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < ROWS; i++) {
        struct victim victim = victim_of(state, row_at(i), &spike);
        for (int k = 0; k < COUNT(forms); k++)
            mutants_replace(&victim, forms[k][0], forms[k][1]);
    }
    assert_int_equal(mutants_tally.made, 2 + 3 + 4);
    assert_int_equal(mutants_tally.survived, 0);
}

/* Without sabotage the same copies pass, at each number of steps. */
CLEAN_TEST(unharmed_copies_pass)
{
    for (int i = 0; i < 2 * ROWS; i++) {
        struct victim victim = victim_of(state, row_at(i / 2), i % 2 ? &spike : &field);
        for (int steps = 0; steps < 10; steps++)
            assert_int_equal(mutants_walk(&victim, steps).verdict, QP_PASS);
    }
}

static int set_up(void **state)
{
    struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "field", .width = WIDTH, .height = HEIGHT, .seed = 5};
    assert_ok(qp_problem_create(&desc, &field));
    desc.kind = "spike";
    assert_ok(qp_problem_create(&desc, &spike));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&field);
    qp_problem_destroy(&spike);
    return mutants_tear_down(state);
}

CLEAN_TEST(unharmed_copies_pass_again)
{
    unharmed_copies_pass(state);
}

GROUP(set_up, tear_down)
