/* SPDX-License-Identifier: MIT */
/* Convention 3 for chapter V in compute shaders: each fetch left out or shifted, fringes that are
 * not copied, stores in wrong places, neighbours, weights and numbers of steps: each must fail.
 * Variants that race have bounds alone, and lie within them without a barrier or an exchange of
 * fringes, too: such mutants are slower variants, and no wrong ones. So most are Async 2's, which
 * has its model's bits, and shares its functions. */
#include "support/mutants.h"

#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

/* Blocks that are whole and that are not, each way; low ones, since a shader for blocks of eight
 * rows takes twice as long to be compiled. */
enum { WIDTH = 67, HEIGHT = 7, LAUNCHES = 3, ALPHA = 4, UP = 4 };

static struct qp_problem field, sine, spike;

static struct qp_result walk_launches(struct victim *victim)
{
    const struct qp_walk_desc desc = {
        .iterations = LAUNCHES, .block = UP, .parts = {.alpha = ALPHA}};
    struct qp_result result;
    victim->problem->reference_iterations = -1;
    assert_ok(qp_walk(victim->context, victim->variant, victim->problem, &desc, &result));
    return result;
}

static struct victim victim_of(void **state, const char *row, struct qp_problem *problem)
{
    struct victim victim = {.context = support_need_context(state),
                            .variant = qp_variant_find(row),
                            .problem = problem,
                            .name = "poisson5/async.comp",
                            .walk = walk_launches};
    if (!(qp_context_device(victim.context)->abilities & QP_CAN_COMPUTE))
        skip();
    mutants_read(victim.name, victim.text);
    assert_int_equal(walk_launches(&victim).verdict, QP_PASS);
    return victim;
}

struct form {
    const char *old, *instead;
};

static void strike_all(void **state, const char *row, struct qp_problem *problem,
                       const struct form forms[])
{
    struct victim victim = victim_of(state, row, problem);
    mutants_tally = (struct mutants_tally){0};
    for (; forms->old != NULL; forms++) {
        if (!mutants_replace(&victim, forms->old, forms->instead))
            fail_msg("'%s' is not in %s", forms->old, victim.name);
    }
    assert_int_equal(mutants_tally.survived, 0);
}

/* Words that go into shared memory, from where, and into both blocks. */
CLEAN_TEST(every_fetch_counts)
{
    static const struct form forms[] = {
        {"ivec2(i - 1, j - 1)).x", "ivec2(i, j - 1)).x"},
        {"ivec2(i - 1, j - 1)).x", "ivec2(i - 1, j)).x"},
        {"b[to][j + 1][t + 1] = load(j + 1, t + 1)", "b[to][j + 1][t + 1] = 0.0"},
        {"b[to][j + 1][t + 1] = load(j + 1, t + 1)", "b[to][j + 1][t + 1] = load(j + 1, t)"},
        {"= load(0, t + 1)", "= 0.0"},
        {"= load(0, t + 1)", "= load(1, t + 1)"},
        {"= load(up + 1, t + 1)", "= 0.0"},
        {"= load(up + 1, t + 1)", "= load(up, t + 1)"},
        {"= load(t + 1, 0)", "= 0.0"},
        {"= load(t + 1, 0)", "= load(t + 1, 1)"},
        {"= load(t - UP + 1, across + 1)", "= 0.0"},
        {"= load(t - UP + 1, across + 1)", "= load(t - UP + 1, across)"},
        {"= b[from][0][t + 1];", "= 0.0;"},
        {"= b[from][up + 1][t + 1];", "= 0.0;"},
        {"= b[from][t + 1][0];", "= 0.0;"},
        {"= b[from][t - UP + 1][across + 1];", "= 0.0;"},
        {"b[to][0][t + 1] = load", "b[to][1][t + 1] = load"},
        {"b[to][up + 1][t + 1] = load", "b[to][UP + 1][t + 1] = load"},
        {"b[to][t - UP + 1][across + 1] = load", "b[to][t - UP + 1][ACROSS + 1] = load"},
        {"if (t < up)", "if (t + 1 < up)"},
        {"else if (t >= UP &&", "else if (t > UP &&"},
        {"side[j] = texture2DRect", "side[j] = 2.0 * texture2DRect"},
        {"corner + ivec2(t, j)) + 0.5)", "corner + ivec2(t, j)) + 1.5)"},
        {NULL, NULL}};
    strike_all(state, "poisson5/compute_async2", &field, forms);
}

CLEAN_TEST(every_part_of_a_step_counts)
{
    static const struct form forms[] = {
        {"b[from][j + 1][t] + b[from]", "0.0 * b[from][j + 1][t] + b[from]"},
        {"+ b[from][j + 1][t + 2]", "+ b[from][j + 1][t]"},
        {"below + above", "above + above"},
        {"below + above", "below"},
        {"beside + straight", "straight"},
        {"(sum + side[j]) * 0.25", "sum * 0.25"},
        {"* 0.25", "* 0.25000003"},
        {"below = from == to ? next : old", "below = next"},
        {"old = above", "old = next"},
        {"weight == 1.0 ? mean : relaxed", "relaxed * 1.0000001"},
        {"corner + ivec2(t, j), vec4", "corner + ivec2(t + 1, j), vec4"},
        {"min(ACROSS, int(cells.x) - first.x)", "ACROSS"},
        {"min(UP, int(cells.y) - first.y)", "UP"},
        {"min(UP, int(cells.y) - first.y)", "min(UP, int(cells.y) - first.y) - 1"},
        {"    finish(B1);", "    finish(B1 + alpha / 4);"},
        {NULL, NULL}};
    strike_all(state, "poisson5/compute_async2", &field, forms);
}

CLEAN_TEST(every_weight_counts)
{
    static const struct form forms[] = {{"weight * (mean - old)", "(mean - old)"},
                                        {"(mean - old)", "(mean - below)"},
                                        {"= old + change", "= below + change"},
                                        {NULL, NULL}};
    field.weight = 1.3;
    strike_all(state, "poisson5/compute_async2", &field, forms);
    field.weight = 1.0;
}

CLEAN_TEST(the_spike_is_one_cell)
{
    static const struct form forms[] = {{"== ivec2(spike) ? 1.0", "== ivec2(spike) ? 2.0"},
                                        {"== ivec2(spike) ?", "== ivec2(spike) + 1 ?"},
                                        {"== ivec2(spike) ?", "== ivec2(spike.yx) ?"},
                                        {NULL, NULL}};
    strike_all(state, "poisson5/compute_async2", &spike, forms);
}

/* Answers below the model or above the solution. Async 1 shares its judge with Async 0, Async 3 has
 * one of its own. It makes good what a fringe of zeros loses in its first step: its columns use new
 * values of others, on a GPU more of them than here. */
CLEAN_TEST(what_racing_rows_store_counts)
{
    static const struct form forms[] = {{"= load(0, t + 1)", "= 0.0"},
                                        {"= load(t + 1, 0)", "= 0.0"},
                                        {"vec4(b[from][j][i])", "vec4(0.0)"},
                                        {"vec4(b[from][j][i])", "vec4(1000.0 * b[from][j][i])"},
                                        {"beside + straight", "straight"},
                                        {NULL, NULL}};
    enum { OF_FRINGES = 2 };
    strike_all(state, "poisson5/compute_async0", &sine, forms);
    strike_all(state, "poisson5/compute_async3", &sine, forms + OF_FRINGES);
}

/* Steps that are left out in each figure's own lines; but one of Async 3 alone, whose columns run
 * ahead of the model. */
CLEAN_TEST(every_figure_counts)
{
    static const struct {
        const char *row, *after;
        struct form form;
    } lines[] = {
        {"poisson5/compute_async0", "#elif FIGURE == 17", {"v < alpha / 2", "v + 1 < alpha / 2"}},
        {"poisson5/compute_async0", "#elif FIGURE == 17", {"compute(B2, B1);", ""}},
        {"poisson5/compute_async1", "#elif FIGURE == 18", {"v < alpha / 2", "v + 1 < alpha / 2"}},
        {"poisson5/compute_async1", "#elif FIGURE == 18", {"compute(B1, B2);", ""}},
        {"poisson5/compute_async2", "#elif FIGURE == 19", {"v < alpha / 2", "v < alpha"}},
        {"poisson5/compute_async2", "#elif FIGURE == 19", {"v < alpha / 2", "v + 1 < alpha / 2"}},
        {"poisson5/compute_async2", "#elif FIGURE == 19", {"compute(B2, B1);", ""}},
        {"poisson5/compute_async3", "#else  ", {"compute(B1, B1);", ""}},
    };
    struct victim victim = {0};
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < COUNT(lines); i++) {
        if (i == 0 || strcmp(lines[i].row, lines[i - 1].row) != 0)
            victim = victim_of(state, lines[i].row, &sine);
        const char *begin = strstr(victim.text, lines[i].after);
        assert_non_null(begin);
        begin = strstr(begin, lines[i].form.old);
        assert_non_null(begin);
        mutants_sabotage(&victim, begin, begin + strlen(lines[i].form.old), lines[i].form.instead);
    }
    assert_int_equal(mutants_tally.survived, 0);
}

static int set_up(void **state)
{
    struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "field", .width = WIDTH, .height = HEIGHT, .seed = 5};
    assert_ok(qp_problem_create(&desc, &field));
    desc.kind = "sine";
    assert_ok(qp_problem_create(&desc, &sine));
    desc.kind = "spike";
    assert_ok(qp_problem_create(&desc, &spike));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&field);
    qp_problem_destroy(&sine);
    qp_problem_destroy(&spike);
    return mutants_tear_down(state);
}

GROUP(set_up, tear_down)
