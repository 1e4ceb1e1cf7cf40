/* SPDX-License-Identifier: MIT */
/* Convention 3 for reductions: as tests/test_sabotage.c, but a mutant may survive many problems and must
 * fail on one of them. */
#include "mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ops/op.h"
#include "ops/reduce.h"

static int mutants, survivors;

enum { SIDE = 17, VALUES = SIDE * SIDE, TRIES = 300 };

/* Values at random; or two large ones among them that cancel; or all but three of them zero; or one
 * whose square those of the others vanish beside, one by one but not together. Of maxima the
 * largest magnitude stands in place number `try`; where places count, in another one too. */
static void fill_values(struct qp_problem *problem, int try)
{
    uint64_t seed = (uint64_t)try + 1;
    enum qp_reduction kind = qp_reduce_kind(problem);
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
    free(problem->reference);
    problem->reference = NULL;
}

/* The first of the tries whose verdict is this one; TRIES if there is none. */
static int first_try(const struct victim *victim, enum qp_verdict verdict)
{
    for (int try = 0; try < TRIES; try++) {
        fill_values(victim->problem, try);
        if (mutants_walk(victim, 1).verdict == verdict)
            return try;
    }
    return TRIES;
}

/* As above, but one of many problems must tell. */
static void sabotage_reduction(const struct victim *victim, const char *begin, const char *end,
                               const char *instead)
{
    mutants_strike(victim, begin, end, instead);
    bool found = first_try(victim, QP_FAIL) < TRIES;
    const char *reason = mutants_walk(victim, 1).reason;
    bool good = found && strstr(reason, "room 4") == NULL;
    mutants_write(victim->name, victim->text);
    mutants++;
    if (good)
        return;
    survivors++;
    print_error("%s, %s: '%s' for '%.*s' survives: %s\n", victim->variant->name, victim->name,
                instead, (int)(end - begin), begin, reason);
}

/* Strikes at each shader of each GL row of reduce once; returns how many there were. */
static int visit_reductions(void **state, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state)};
    const char *seen[32] = {0};
    int shaders = 0;
    mutants = survivors = 0;
    for (size_t i = 0; i < qp_variant_count() * QP_REDUCTIONS * 2; i++) {
        victim.variant = qp_variant_at(i / 2 / QP_REDUCTIONS);
        const struct qp_recipe *recipe = victim.variant->recipe;
        enum qp_reduction kind = (enum qp_reduction)(i / 2 % QP_REDUCTIONS);
        if (recipe->climb == NULL || recipe->not_kinds >> kind & 1 ||
            victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        victim.name = i % 2 ? recipe->climb->next[kind]
                            : qp_climb_first(recipe->climb, kind, recipe->input[0].shape.format);
        int k = 0;
        while (k < shaders && strcmp(seen[k], victim.name) != 0)
            k++;
        if (k < shaders)
            continue;
        seen[shaders++] = victim.name;
        struct qp_problem_desc desc = {
            .op = "reduce", .kind = qp_op_reduce.kinds[kind], .width = SIDE, .height = SIDE};
        struct qp_problem problem;
        assert_ok(qp_problem_create(&desc, &problem));
        victim.problem = &problem;
        mutants_read(victim.name, victim.text);
        strike(&victim);
        qp_problem_destroy(&problem);
    }
    assert_int_equal(survivors, 0);
    return shaders;
}

static void pass_all_tries(struct victim *victim)
{
    assert_int_equal(first_try(victim, QP_FAIL), TRIES);
}

static void unharmed_reductions_pass(void **state)
{
    assert_true(visit_reductions(state, pass_all_tries) >= 10);
}

/* Every fetch, and every term of a tree, dropped, shifted right, shifted up. */
static void strike_tree(struct victim *victim)
{
    static const char *const calls[] = {"texture2DRect(", "term(place", "row(place"};
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    for (int k = 0; k < 3; k++) {
        for (const char *at = victim->text; (at = strstr(at, calls[k])) != NULL; at++) {
            const char *end = mutants_end_of_call(at);
            char instead[256];
            snprintf(instead, sizeof instead, "(0.0 * %.*s)", (int)(end - at), at);
            sabotage_reduction(victim, at, end, instead);
            for (int b = 0; b < 2; b++) {
                snprintf(instead, sizeof instead, "%.*s%s", (int)(end - 1 - at), at, by[b]);
                sabotage_reduction(victim, at, end, instead);
            }
        }
    }
}

static void every_term_of_a_tree_counts(void **state)
{
    assert_true(visit_reductions(state, strike_tree) >= 10);
    assert_true(mutants >= 3 * 9 * 10);
}

/* Replaces words where they are. */
static void replace_in_reduction(const struct victim *victim, const char *old, const char *instead)
{
    const char *begin = strstr(victim->text, old);
    if (begin != NULL)
        sabotage_reduction(victim, begin, begin + strlen(old), instead);
}

/* Edges, ties and what compensation is made of. An optimiser that takes (a + b) - a for b makes
 * nothing of a loss, as the mutant does. */
static void strike_reduction(struct victim *victim)
{
    bool sums = qp_reduce_adds(qp_reduce_kind(victim->problem));
    replace_in_reduction(victim, "void main()\n{", "void main()\n{ discard;");
    replace_in_reduction(victim, sums ? "place.x < size.x" : "none", "true");
    replace_in_reduction(victim, sums ? "place.y < size.y" : "none", "true");
    replace_in_reduction(victim, "(equal && first)", "equal");
    replace_in_reduction(victim, "(equal && first)", "false");
    replace_in_reduction(victim, "b.z < a.z", "b.z > a.z");
    replace_in_reduction(victim, "b.y < a.y", "b.y > a.y");
    replace_in_reduction(victim, "(a.x - (sum - part)) + (b.x - part)", "0.0");
    replace_in_reduction(victim, "(a.x - (sum - part)) +", "");
    replace_in_reduction(victim, "+ (b.x - part)", "");
    replace_in_reduction(victim, "vec2(product, loss)", "vec2(product, 0.0)");
    replace_in_reduction(victim, "4097.0", "1.0");
    if (strstr(victim->name, "next") != NULL)
        replace_in_reduction(victim, "(a.y + b.y) +", "");
}

static void edges_ties_and_losses_are_judged(void **state)
{
    assert_true(visit_reductions(state, strike_reduction) >= 10);
    assert_true(mutants >= 40);
}

/* llvmpipe's compiler is such an optimiser: without `precise` compensated sums are no better than the
 * tree's. */
static void strike_precise(struct victim *victim)
{
    char mutant[MOST_TEXT];
    if (strstr(victim->text, "precise float") == NULL)
        return;
    snprintf(mutant, sizeof mutant, "%s", victim->text);
    for (char *at = mutant; (at = strstr(at, "precise float")) != NULL;)
        memset(at, ' ', strlen("precise"));
    sabotage_reduction(victim, victim->text, victim->text + strlen(victim->text), mutant);
}

static void an_optimiser_needs_precise(void **state)
{
    const struct qp_device *device = qp_context_device(support_need_context(state));
    if (strstr(device->renderer, "llvmpipe") == NULL || !(device->abilities & QP_CAN_PRECISE))
        skip();
    visit_reductions(state, strike_precise);
    assert_int_equal(mutants, 4);
}

static int set_up(void **state)
{
    support_open_context(state);
    mutants_begin();
    return 0;
}

static int tear_down(void **state)
{
    int left = mutants_end();
    return support_close_context(state) | left;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(unharmed_reductions_pass),
        clean_test(every_term_of_a_tree_counts),
        clean_test(edges_ties_and_losses_are_judged),
        clean_test(an_optimiser_needs_precise),
    };
    return cmocka_run_group_tests_name("sabotage of reductions", tests, set_up, tear_down);
}
