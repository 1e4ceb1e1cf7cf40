/* SPDX-License-Identifier: MIT */
/* Convention 3 for OpenGL's variant of small grids: each fetch dropped and shifted, rims moved or
 * forgotten, sums mistaken: each must fail. */
#include "support/mutants.h"

#include <string.h>

#include "lab/plan/problem.h"

/* Grids side by side, in rows that are not full. */
enum { N = 13, GRIDS = 23 };

static struct qp_problem problem;

static struct qp_result walk_twice(struct victim *victim)
{
    return mutants_walk(victim, 2);
}

static struct victim victim_of(void **state)
{
    struct victim victim = {.context = support_need_context(state),
                            .variant = qp_variant_find("poisson5_batch/blocks"),
                            .problem = &problem,
                            .walk = walk_twice};
    victim.name = victim.variant->recipe->draw[0].fragment;
    mutants_read(victim.name, victim.text);
    assert_int_equal(walk_twice(&victim).verdict, QP_PASS);
    mutants_tally = (struct mutants_tally){0};
    return victim;
}

/* Four of x, one of h^2 f. */
CLEAN_TEST(every_fetch_counts)
{
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    struct victim victim = victim_of(state);
    for (const char *at = victim.text; (at = strstr(at, "texture2DRect(")) != NULL; at++)
        mutants_strike_call(&victim, at, by, 2);
    assert_int_equal(mutants_tally.made, 3 * 5);
    assert_int_equal(mutants_tally.survived, 0);
}

CLEAN_TEST(every_rim_and_sum_counts)
{
    static const char *const forms[][2] = {
        {"cell.x > 0.0", "cell.x > 1.0"},
        {"cell.x > 0.0", "true"},
        {"cell.x < n - 1.0", "cell.x < n"},
        {"cell.x < n - 1.0", "cell.x < n - 2.0"},
        {"cell.y > 0.0", "true"},
        {"cell.y < n - 1.0", "cell.y < n"},
        {"(at + 0.5) / n", "(at + 0.5) / (n + 1.0)"},
        {"(left + right)", "(left + left)"},
        {"(below + above)", "above"},
        {"0.25", "0.250001"},
        {"sum +=", "sum -="},
        {"floor(here) - origin", "floor(here)"},
    };
    struct victim victim = victim_of(state);
    for (int k = 0; k < COUNT(forms); k++)
        assert_true(mutants_replace(&victim, forms[k][0], forms[k][1]));
    assert_int_equal(mutants_tally.survived, 0);
}

static int set_up(void **state)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5_batch", .width = N, .height = GRIDS, .seed = 5};
    assert_ok(qp_problem_create(&desc, &problem));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&problem);
    return mutants_tear_down(state);
}

GROUP(set_up, tear_down)
