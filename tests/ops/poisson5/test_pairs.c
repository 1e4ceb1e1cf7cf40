/* SPDX-License-Identifier: MIT */
/* Emulated doubles: pairs of floats keep 49 digits of a double, and steps on them at least 13
 * decimal digits of what steps in double give; without `precise`, or with low parts rounded away,
 * they do not. */
#include "support/mutants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/pairs.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"

static const char *const rows[] = {"poisson5/double_single", "poisson5/double_single_rgba"};

/* ---- Pairs ---- */

/* High parts are the nearest floats; sums are off by 2^-49 of the value at most, which is the
 * rounding of a float that is 2^-24 of it or less. */
CLEAN_TEST(pairs_keep_49_digits)
{
    uint64_t seed = 3;
    double worst = 0.0, values[1000], back[1000];
    for (int i = 0; i < COUNT(values); i++)
        values[i] = ldexp(qp_random(&seed, -1.0, 1.0), (int)qp_random(&seed, -70.0, 70.0));
    qp_pairs_split(values, COUNT(values), (float *)(void *)back);
    for (int i = 0; i < COUNT(values); i++) {
        float pair[2];
        memcpy(pair, &back[i], sizeof pair);
        assert_true(pair[0] == (float)values[i]);
        assert_true(fabsf(pair[1]) <= 0x1p-24f * fabsf(pair[0]));
    }
    qp_pairs_join(back, COUNT(back));
    for (int i = 0; i < COUNT(values); i++)
        worst = fmax(worst, fabs(back[i] - values[i]) / fabs(values[i]));
    assert_true(worst <= 0x1p-49 && worst > 0x1p-52);
}

/* Values that are no number, and zeros, stay as they are; a NaN keeps the bits that mark it as
 * unwritten. */
CLEAN_TEST(pairs_keep_what_is_no_number)
{
    const double values[] = {qp_unwritten(), NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e300, 0x1p-140};
    const double wanted[] = {NAN, NAN, INFINITY, -INFINITY, 0.0, 0.0, INFINITY, 0x1p-140};
    double back[COUNT(values)];
    qp_pairs_split(values, COUNT(values), (float *)(void *)back);
    qp_pairs_join(back, COUNT(back));
    assert_true(qp_is_unwritten(back[0]) && isnan(back[1]) && !qp_is_unwritten(back[1]));
    for (int i = 2; i < COUNT(values); i++)
        assert_true(back[i] == wanted[i]);
}

/* ---- Digits ---- */

/* Decimal digits that the answer shares with the steps in double: -log10 of the largest difference
 * over the largest value. */
static double digits(struct qp_context *context, const struct qp_variant *variant,
                     struct qp_problem *problem, int steps, const struct qp_weights *weights)
{
    const struct qp_walk_desc desc = {
        .iterations = steps, .keep_solution = true, .weights = weights};
    struct qp_result result, wanted;
    double worst = 0.0, most = 0.0;
    assert_ok(qp_walk(context, variant, problem, &desc, &result));
    assert_ok(qp_walk(NULL, qp_variant_find("poisson5/reference"), problem, &desc, &wanted));
    for (size_t i = 0; i < qp_problem_cells(problem); i++) {
        const double value = qp_matrix_value(&wanted.solution, i);
        worst = fmax(worst, fabs(qp_matrix_value(&result.solution, i) - value));
        most = fmax(most, fabs(value));
    }
    qp_matrix_destroy(&result.solution);
    qp_matrix_destroy(&wanted.solution);
    return worst > 0.0 ? -log10(worst / most) : 17.0;
}

static struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = kind, .width = width, .height = height, .seed = 11};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* Variants that this device can run, on one problem after the other; returns the fewest digits
 * after 19 steps. */
static double fewest_digits(struct qp_context *context, bool weighted)
{
    static const double list[] = {0.75, 1.6, 1.0, 0.3};
    static const struct qp_weights weights = {list, COUNT(list)};
    static const int sizes[][2] = {{1, 1}, {2, 3}, {64, 65}, {127, 40}};
    double fewest = 17.0;
    for (int i = 0; i < COUNT(sizes) * COUNT(rows) * 2; i++) {
        const int *size = sizes[i / 2 / COUNT(rows)];
        const struct qp_variant *variant = qp_variant_find(rows[i / 2 % COUNT(rows)]);
        struct qp_problem problem = make(i % 2 ? "sine" : "field", size[0], size[1]);
        if ((variant->needs & ~qp_context_device(context)->abilities) == 0)
            fewest =
                fmin(fewest, digits(context, variant, &problem, 19, weighted ? &weights : NULL));
        qp_problem_destroy(&problem);
    }
    return fewest;
}

CLEAN_TEST(steps_keep_13_digits)
{
    struct qp_context *context = support_need_context(state);
    const double plain = fewest_digits(context, false), weighted = fewest_digits(context, true);
    print_message("digits after 19 steps: %.1f, with weights %.1f\n", plain, weighted);
    assert_true(plain >= 13.0 && weighted >= 13.0);
}

/* 16 roundings of a pair a step, as derived beside the variant. */
CLEAN_TEST(the_tolerance_counts_steps)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(rows); i++) {
        const struct qp_variant *variant = qp_variant_find(rows[i]);
        struct qp_problem problem = make("field", 33, 17);
        struct qp_result result;
        if (variant->needs & ~qp_context_device(context)->abilities)
            continue;
        for (int steps = 0; steps < 3; steps++) {
            const struct qp_walk_desc desc = {.iterations = steps};
            assert_ok(qp_walk(context, variant, &problem, &desc, &result));
            assert_int_equal(result.verdict, QP_PASS);
            assert_true(result.tolerance == 16.0 * 0x1p-48 * steps);
        }
        qp_problem_destroy(&problem);
    }
}

/* ---- Mutants ---- */

static void remove_all(char *text, const char *word)
{
    for (char *at = text; (at = strstr(at, word)) != NULL;)
        memset(at, ' ', strlen(word));
}

/* Replaces all such words, which must be there. */
static void replace_all(char *text, const char *old, const char *new)
{
    char copy[MOST_TEXT] = "";
    const char *at = text, *next;
    assert_non_null(strstr(text, old));
    while ((next = strstr(at, old)) != NULL) {
        strncat(copy, at, (size_t)(next - at));
        strcat(copy, new);
        at = next + strlen(old);
    }
    strcat(copy, at);
    strcpy(text, copy);
}

/* Must leave fewer than 9 digits, and fail. */
static void must_fail(struct victim *victim, const char *mutant)
{
    mutants_write(victim->name, mutant);
    const struct qp_result result = mutants_walk(victim, 19);
    const double left = digits(victim->context, victim->variant, victim->problem, 19, NULL);
    mutants_write(victim->name, victim->text);
    assert_int_equal(result.verdict, QP_FAIL);
    assert_non_null(strstr(result.reason, "cell ("));
    assert_true(left < 9.0);
}

/* An optimiser that may take (a + b) - a for b, as Mesa's does, finds that no sum loses anything.
 * Other drivers need not. */
CLEAN_TEST(without_precise_digits_are_lost)
{
    struct victim victim = {.context = support_need_context(state)};
    struct qp_problem problem = make("field", 33, 17);
    victim.problem = &problem;
    for (int i = 0; i < COUNT(rows); i++) {
        char mutant[MOST_TEXT];
        victim.variant = qp_variant_find(rows[i]);
        if (victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        victim.name = victim.variant->recipe->draw[0].fragment;
        mutants_read(victim.name, victim.text);
        memcpy(mutant, victim.text, sizeof mutant);
        replace_all(mutant, "lost);", "0.0 * lost);");
        must_fail(&victim, mutant);
        memcpy(mutant, victim.text, sizeof mutant);
        remove_all(mutant, "precise ");
        if (qp_context_device(victim.context)->software)
            must_fail(&victim, mutant);
    }
    qp_problem_destroy(&problem);
}

GROUP(mutants_set_up, mutants_tear_down)
