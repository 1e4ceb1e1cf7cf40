/* SPDX-License-Identifier: MIT */
/* Convention 3 for reductions: as tests/ops/jacobi9/test_sabotage.c, but a mutant may survive many
 * problems and must fail on one of them. */
#include "support/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/reduce/reduce.h"
#include "lab/plan/op.h"
#include "toolkit/base/random.h"

enum { SIDE = 17, VALUES = SIDE * SIDE, TRIES = 300 };

/* Values at random; or two large ones among them that cancel; or all but three of them zero; or one
 * whose square those of the others vanish beside, one by one but not together. For maxima the
 * largest magnitude is in place number `try`; where places count, in another one too. */
static void fill_values(struct qp_problem *problem, int try)
{
    uint64_t seed = (uint64_t)try + 1;
    enum qp_reduction_kind kind = qp_reduce_kind(problem);
    float *x = problem->field[QP_REDUCE_X].values, *y = problem->field[QP_REDUCE_Y].values;
    int a = try % VALUES, b = (int)qp_random(&seed, 0.0, VALUES), c = VALUES / 2;
    float small = (float)qp_random(&seed, 5e-5, 2e-4);
    for (int i = 0; i < VALUES; i++) {
        bool keep = i == a || i == b || i == c;
        x[i] = (float)qp_random(&seed, -1.0, 1.0);
        y[i] = (float)qp_random(&seed, -1.0, 1.0);
        if (qp_reduce_adds(kind) && try % 4 == 2)
            x[i] = keep ? x[i] : 0.0f;
        if (qp_reduce_adds(kind) && try % 4 == 3)
            x[i] = y[i] = i == a ? 1.0f : small;
    }
    if (!qp_reduce_adds(kind)) {
        x[kind == QP_INDEX ? b : a] = 2.0f;
        x[a] = 2.0f;
    } else if (try % 4 == 1 && a != b) {
        x[a] = 0x1p26f;
        x[b] = -0x1p26f;
        y[a] = y[b] = 1.0f;
    }
    problem->reference_iterations = -1;
}

/* The verdict on the first of the tries that fails, or on the last. */
static struct qp_result walk_tries(struct victim *victim)
{
    struct qp_result result = {0};
    for (int try = 0; try < TRIES && result.verdict != QP_FAIL; try++) {
        fill_values(victim->problem, try);
        result = mutants_walk(victim, 1);
    }
    return result;
}

/* Strikes at each shader of each GL variant of reduce once; returns how many there were. */
static int visit_reductions(void **state, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state), .walk = walk_tries};
    const char *seen[32] = {0};
    int shaders = 0;
    mutants_tally = (struct mutants_tally){0};
    for (size_t i = 0; i < qp_variant_count() * QP_REDUCTIONS * 2; i++) {
        victim.variant = qp_variant_at(i / 2 / QP_REDUCTIONS);
        const struct qp_recipe *recipe = victim.variant->recipe;
        enum qp_reduction_kind kind = (enum qp_reduction_kind)(i / 2 % QP_REDUCTIONS);
        const struct qp_climb *climb = qp_reduce_climb(recipe);
        if (climb == NULL || recipe->not_kinds >> kind & 1 ||
            victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        victim.name =
            i % 2 ? climb->next[kind] : qp_climb_first(climb, kind, recipe->input[0].shape.format);
        int k = 0;
        while (k < shaders && strcmp(seen[k], victim.name) != 0)
            k++;
        if (k < shaders)
            continue;
        seen[shaders++] = victim.name;
        struct qp_problem_desc desc = {
            .op = "reduce", .kind = qp_op_reduce.kinds[kind].name, .width = SIDE, .height = SIDE};
        struct qp_problem problem;
        assert_ok(qp_problem_create(&desc, &problem));
        victim.problem = &problem;
        mutants_read(victim.name, victim.text);
        strike(&victim);
        qp_problem_destroy(&problem);
    }
    assert_int_equal(mutants_tally.survived, 0);
    return shaders;
}

static void pass_all_tries(struct victim *victim)
{
    assert_int_not_equal(walk_tries(victim).verdict, QP_FAIL);
}

CLEAN_TEST(unharmed_reductions_pass)
{
    assert_true(visit_reductions(state, pass_all_tries) >= 13);
}

/* Every fetch, and every term of a tree, dropped, shifted right, shifted up. */
static void strike_tree(struct victim *victim)
{
    static const char *const calls[] = {"texture2DRect(", "term(place", "row(place"};
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    for (int k = 0; k < 3; k++) {
        for (const char *at = victim->text; (at = strstr(at, calls[k])) != NULL; at++)
            mutants_strike_call(victim, at, by, 2);
    }
}

CLEAN_TEST(every_term_of_a_tree_counts)
{
    assert_true(visit_reductions(state, strike_tree) >= 13);
    assert_true(mutants_tally.made >= 369);
}

/* Edges, ties and what compensation is made of. An optimiser that takes (a + b) - a for b makes
 * nothing of a loss, as the mutant does. */
static void strike_reduction(struct victim *victim)
{
    bool sums = qp_reduce_adds(qp_reduce_kind(victim->problem));
    mutants_replace(victim, "void main()\n{", "void main()\n{ discard;");
    mutants_replace(victim, sums ? "place.x < size.x" : "none", "true");
    mutants_replace(victim, sums ? "place.y < size.y" : "none", "true");
    mutants_replace(victim, "(equal && first)", "equal");
    mutants_replace(victim, "(equal && first)", "false");
    mutants_replace(victim, "b.z < a.z", "b.z > a.z");
    mutants_replace(victim, "b.y < a.y", "b.y > a.y");
    mutants_replace(victim, "(a.x - (sum - part)) + (b.x - part)", "0.0");
    mutants_replace(victim, "(a.x - (sum - part)) +", "");
    mutants_replace(victim, "+ (b.x - part)", "");
    mutants_replace(victim, "vec2(product, loss)", "vec2(product, 0.0)");
    mutants_replace(victim, "4097.0", "1.0");
    if (strstr(victim->name, "next") != NULL)
        mutants_replace(victim, "(a.y + b.y) +", "");
}

CLEAN_TEST(edges_ties_and_losses_are_judged)
{
    assert_true(visit_reductions(state, strike_reduction) >= 13);
    assert_true(mutants_tally.made >= 52);
}

/* llvmpipe's compiler is such an optimiser: without `precise` compensated sums are no better than
 * the tree's. */
static void strike_precise(struct victim *victim)
{
    char mutant[MOST_TEXT];
    if (strstr(victim->text, "precise float") == NULL)
        return;
    snprintf(mutant, sizeof mutant, "%s", victim->text);
    for (char *at = mutant; (at = strstr(at, "precise float")) != NULL;)
        memset(at, ' ', strlen("precise"));
    mutants_sabotage(victim, victim->text, victim->text + strlen(victim->text), mutant);
}

CLEAN_TEST(an_optimiser_needs_precise)
{
    const struct qp_device *device = qp_context_device(support_need_context(state));
    if (strstr(device->renderer, "llvmpipe") == NULL || !(device->abilities & QP_CAN_PRECISE))
        skip();
    visit_reductions(state, strike_precise);
    assert_int_equal(mutants_tally.made, 4);
}

GROUP(mutants_set_up, mutants_tear_down)
