/* SPDX-License-Identifier: MIT */
/* Convention 3 for eliminations: every shader of every GL variant is sabotaged one place at a time,
 * and some variant that draws with it must fail on some problem. */
#include "support/mutants.h"

#include <string.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/table.h"
#include "toolkit/gl/shaders.h"

/* Dominant for variants that do not pivot, then one that makes others exchange rows. */
enum { UNKNOWNS = 13, SIDES = 2, PROBLEMS = 2 };

/* A batch of more systems than fit in a row. */
enum { SMALL = 5, SYSTEMS = 37 };

static struct qp_problem one[PROBLEMS], four, batch[PROBLEMS];

static bool eliminates(const struct qp_variant *variant)
{
    return strncmp(variant->op, "gauss_jordan", 12) == 0 && variant->backend == QP_GL;
}

/* The verdict on the first problem that fails, or on the last. */
static struct qp_result walk_all(struct victim *victim)
{
    struct qp_result result = {0};
    int count = qp_variant_systems(victim->variant) > 1 ? 1 : PROBLEMS;
    for (int i = 0; i < count && result.verdict != QP_FAIL; i++) {
        struct qp_problem *single =
            batch[i].op == qp_op_find(victim->variant->op) ? &batch[i] : &one[i];
        victim->problem = count == 1 ? &four : single;
        if (i == 0 || qp_variant_takes(victim->variant, victim->problem) == QP_OK)
            result = mutants_walk(victim, 2);
    }
    return result;
}

/* The next variant from *variant on that draws with the shader: when it does not compile that
 * variant fails in stage 4. */
static bool find_user(struct victim *victim, size_t *row)
{
    bool found = false;
    for (; *row < qp_variant_count() && !found; ++*row) {
        victim->variant = qp_variant_at(*row);
        if (!eliminates(victim->variant))
            continue;
        mutants_write(victim->name, "#version 120\n#error none\n");
        struct qp_result result = walk_all(victim);
        mutants_write(victim->name, victim->text);
        found = result.verdict == QP_FAIL && strstr(result.reason, "stage 4") != NULL;
    }
    return found;
}

/* Not where the engine alone draws with it, to begin anew: from [I | x] as well as from [A | b]. */
static bool lists(const struct victim *victim)
{
    const struct qp_elimination *elimination = qp_elimination_of(victim->variant->recipe);
    bool listed = elimination == NULL;
    for (int way = 0; way < QP_WAYS && !listed; way++) {
        const struct qp_elimination_draw *draw = elimination->way[way];
        for (int i = 0; i < QP_ELIMINATION_DRAWS && draw[i].draw.fragment != NULL; i++)
            listed = listed || strcmp(draw[i].draw.fragment, victim->name) == 0;
    }
    return listed;
}

/* False where a shifted fetch returns the same texel, at the edge of a texture. */
static bool can_shift(const char *call, bool up)
{
    if (strstr(call, "(found,") == call + strlen("texture2DRect"))
        return false;
    return strstr(call, up ? "(row," : "(factors,") != call + strlen("texture2DRect");
}

/* True for code that only reports systems without a solution, which
 * tests/ops/gauss_jordan_batch/test_gauss_jordan_batch.c has. */
static bool tells_failures(const struct victim *victim, const char *begin, const char *end)
{
    const char *arguments = begin + strlen("texture2DRect");
    return strncmp(victim->name, "gauss_jordan_batch/", 19) == 0 &&
           (strstr(begin, "(failures,") == arguments ||
            (strstr(begin, "(found,") == arguments && strncmp(end, ".b", 2) == 0));
}

static void strike_fetches(struct victim *victim)
{
    for (const char *at = victim->text; (at = strstr(at, "texture2DRect(")) != NULL; at++) {
        const char *by[2];
        int shifts = 0;
        if (tells_failures(victim, at, mutants_end_of_call(at)))
            continue;
        if (can_shift(at, false))
            by[shifts++] = " + vec2(1.0, 0.0))";
        if (can_shift(at, true))
            by[shifts++] = " + vec2(0.0, 1.0))";
        mutants_strike_call(victim, at, by, shifts);
    }
}

static void strike_whole(struct victim *victim)
{
    assert_true(mutants_replace(victim, "void main()\n{", "void main()\n{ discard;"));
}

/* Once for each fragment shader below shaders/gauss_jordan and gauss_jordan_batch; bounds compute
 * nothing that could be wrong (tests/ops/gauss_jordan/test_gauss_jordan.c looks at what they
 * write), a log is read by the host alone (tests/ops/gauss_jordan/test_pivots.c), and blocked_* are
 * struck in tests/ops/gauss_jordan/test_sabotage_blocked.c. */
static int visit(void **state, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state), .walk = walk_all};
    int shaders = 0;
    mutants_tally = (struct mutants_tally){0};
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        size_t row = 0;
        victim.name = file->name;
        if (strncmp(file->name, "gauss_jordan", 12) != 0 || strstr(file->name, ".frag") == NULL ||
            strstr(file->name, "/log") != NULL || strstr(file->name, "/blocked_") != NULL)
            continue;
        mutants_read(victim.name, victim.text);
        bool used = find_user(&victim, &row);
        while (used && (victim.variant->recipe->bound || !lists(&victim)))
            used = find_user(&victim, &row);
        if (!used)
            continue;
        strike(&victim);
        shaders++;
    }
    assert_int_equal(mutants_tally.survived, 0);
    return shaders;
}

CLEAN_TEST(every_fetch_counts)
{
    assert_true(visit(state, strike_fetches) >= 31);
    assert_true(mutants_tally.made >= 203);
}

CLEAN_TEST(whole_shaders_are_judged)
{
    assert_true(visit(state, strike_whole) >= 31);
}

CLEAN_TEST(unharmed_copies_pass)
{
    struct victim victim = {.context = support_need_context(state)};
    for (size_t row = 0; row < qp_variant_count(); row++) {
        victim.variant = qp_variant_at(row);
        if (eliminates(victim.variant) && !victim.variant->recipe->bound)
            assert_int_not_equal(walk_all(&victim).verdict, QP_FAIL);
    }
}

static int set_up(void **state)
{
    for (int i = 0; i < PROBLEMS + 1; i++) {
        const struct qp_problem_desc desc = {.op = "gauss_jordan",
                                             .kind = i == 1 ? "general" : "dominant",
                                             .width = UNKNOWNS + SIDES,
                                             .height = UNKNOWNS,
                                             .systems = i == PROBLEMS ? 4 : 1,
                                             .seed = 7};
        assert_ok(qp_problem_create(&desc, i == PROBLEMS ? &four : &one[i]));
    }
    for (int i = 0; i < PROBLEMS; i++) {
        const struct qp_problem_desc desc = {.op = "gauss_jordan_batch",
                                             .kind = i == 1 ? "general" : "dominant",
                                             .width = SMALL,
                                             .height = SYSTEMS,
                                             .seed = 7};
        assert_ok(qp_problem_create(&desc, &batch[i]));
        for (int s = 0; s < SYSTEMS && i == 1; s++) /* no pivot without an exchange */
            batch[i].field[0].values[s * SMALL * (SMALL + 1)] = 0.0f;
    }
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    for (int i = 0; i < PROBLEMS; i++) {
        qp_problem_destroy(&one[i]);
        qp_problem_destroy(&batch[i]);
    }
    qp_problem_destroy(&four);
    return mutants_tear_down(state);
}

CLEAN_TEST(unharmed_copies_pass_again)
{
    unharmed_copies_pass(state);
}

GROUP(set_up, tear_down)
