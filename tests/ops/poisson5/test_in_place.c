/* SPDX-License-Identifier: MIT */
/* Variants of poisson5 that draw into the texture they read: red_black follows its order exactly,
 * and needs its barriers; chaotic stays between Jacobi and the solution, whoever comes first. */
#include "support/mutants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <GL/glew.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "support/poisson.h"
#include "toolkit/base/values.h"

static struct qp_problem make(const char *kind, int width, int height, double weight)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = width,
                                         .height = height,
                                         .seed = 5,
                                         .weight = weight};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* A variant of this device, or the test is skipped. */
static const struct qp_variant *need_row(struct qp_context *context, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    if (variant->needs & ~qp_context_device(context)->abilities)
        skip();
    return variant;
}

/* ---- Mutants ---- */

static void strike_fetches(struct victim *victim, int shifts)
{
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    for (const char *at = victim->text; (at = strstr(at, "texture2DRect(")) != NULL; at++)
        mutants_strike_call(victim, at, by, shifts);
}

static void strike(struct victim *victim, const char *const mutants[][2], int count)
{
    for (int i = 0; i < count; i++)
        assert_true(mutants_replace(victim, mutants[i][0], mutants[i][1]));
}

/* Each fetch, the colours, the weight. */
CLEAN_TEST(red_black_mutants_fail)
{
    static const char *const mutants[][2] = {
        {"!= colour", "== colour"},
        {"!= colour", "!= 0.0"},
        {"discard;", ";"},
        {"cell.x + cell.y", "cell.x"},
        {"- origin - 0.5", "- vec2(1.5, 0.5) - origin"},
        {"old + weight *", "old + 0.9 * weight *"},
        {"old + weight *", "weight *"},
        {"sum * 0.25", "sum * 0.2501"},
    };
    struct qp_problem problem = make("field", 13, 11, 1.5);
    struct victim victim = {.context = support_need_context(state), .problem = &problem};
    victim.variant = need_row(victim.context, "poisson5/red_black");
    victim.name = victim.variant->recipe->draw[0].fragment;
    mutants_tally = (struct mutants_tally){0};
    mutants_read(victim.name, victim.text);
    assert_int_equal(mutants_walk(&victim, 1).verdict, QP_PASS);
    strike_fetches(&victim, 2);
    strike(&victim, mutants, COUNT(mutants));
    assert_int_equal(mutants_tally.made, 6 * 3 + COUNT(mutants));
    assert_int_equal(mutants_tally.survived, 0);
    qp_problem_destroy(&problem);
}

static struct qp_result walk_for_long(struct victim *victim)
{
    return mutants_walk(victim, 400);
}

/* A fetch left out, a cell left out, and steps that go beyond the solution or not as far as they
 * must. */
CLEAN_TEST(chaotic_mutants_fail)
{
    static const char *const mutants[][2] = {
        {"gl_FragColor =", "if (cell == vec2(5.0, 4.0)) discard; gl_FragColor ="},
        {"gl_FragColor =", "if (mod(cell.x, 3.0) == 1.0) discard; gl_FragColor ="},
        {"old + weight *", "old + 0.9 * weight *"},
        {"sum * 0.25", "sum * 0.2499"},
    };
    static const char *const beyond[][2] = {{"sum * 0.25", "sum * 0.251"}};
    struct qp_problem problem = make("sine", 13, 11, 0.9);
    struct victim victim = {.context = support_need_context(state), .problem = &problem};
    victim.variant = need_row(victim.context, "poisson5/chaotic");
    victim.name = victim.variant->recipe->draw[0].fragment;
    mutants_tally = (struct mutants_tally){0};
    mutants_read(victim.name, victim.text);
    for (int steps = 0; steps < 400; steps = 2 * steps + 1)
        assert_int_equal(mutants_walk(&victim, steps).verdict, QP_PASS);
    strike(&victim, mutants, COUNT(mutants));
    victim.walk = walk_for_long;
    strike_fetches(&victim, 0);
    strike(&victim, beyond, 1);
    assert_int_equal(mutants_tally.survived, 0);
    qp_problem_destroy(&problem);
}

/* ---- The barrier ---- */

static int barriers;

static void GLAPIENTRY forgotten(void)
{
    barriers++;
}

/* Barriers are one before each draw, two a step. Without them llvmpipe makes all draws of a tile
 * before those of the next one, if nothing else comes between; on other devices draws may
 * overlap. */
CLEAN_TEST(barriers_count)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = need_row(context, "poisson5/red_black");
    struct qp_problem problem = make("spike", 130, 129, 1.0);
    const struct qp_walk_desc desc = {.iterations = 19};
    struct qp_result result;
    const PFNGLTEXTUREBARRIERPROC barrier = glTextureBarrier;
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    barriers = 0;
    glTextureBarrier = forgotten;
    const enum qp_status status = qp_walk(context, variant, &problem, &desc, &result);
    glTextureBarrier = barrier;
    assert_ok(status);
    assert_true(barriers >= 2 * 19);
    if (qp_context_device(context)->software)
        assert_int_equal(result.verdict, QP_FAIL);
    qp_problem_destroy(&problem);
}

/* ---- Residuals ---- */

/* The residual is that of the iterate after the latest step, and looking at it changes nothing. */
CLEAN_TEST(residuals_are_looked_at_aside)
{
    static const char *const names[] = {"poisson5/red_black", "poisson5/chaotic"};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(names) * 2; i++) {
        const struct qp_variant *variant = need_row(context, names[i / 2]);
        struct qp_problem problem = make("sine", 21, 10, i % 2 ? 0.8 : 1.0);
        struct heard heard = {0};
        struct qp_walk_desc desc = {.iterations = 9,
                                    .every = 3,
                                    .on_residual = poisson_hear,
                                    .user = &heard,
                                    .keep_solution = true};
        struct qp_result result;
        assert_ok(qp_walk(context, variant, &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_PASS);
        assert_int_equal(heard.calls, 3);
        const double wanted = poisson_residual(&problem, &result.solution);
        assert_true(fabs(heard.residual - wanted) <= 1e-5 * wanted);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* Over-relaxed by its best weight, red-black order needs about as many steps as the grid has cells
 * across; a weight above 1 is refused where cells are updated in any order, and so is a problem
 * that the judge cannot bound. */
CLEAN_TEST(weights_above_one_need_an_order)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = need_row(context, "poisson5/red_black");
    struct qp_problem problem = make("sine", 63, 63, 0.0), field = make("field", 7, 7, 1.0);
    const double radius = qp_poisson5_radius(&problem);
    problem.weight = 2.0 / (1.0 + sqrt(1.0 - radius * radius));
    struct heard heard = {.enough = 1e-3};
    struct qp_walk_desc desc = {
        .iterations = 300, .every = 1, .on_residual = poisson_hear, .user = &heard};
    struct qp_result result;
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_true(result.iterations < 4 * 63);
    variant = qp_variant_find("poisson5/chaotic");
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    assert_true(result.verdict == QP_SKIP && strstr(result.reason, "weights above 0 up to 1"));
    assert_ok(qp_walk(context, variant, &field, &desc, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    qp_problem_destroy(&problem);
    qp_problem_destroy(&field);
}

GROUP(mutants_set_up, mutants_tear_down)
