/* SPDX-License-Identifier: MIT */
/* Checks of variants: which cases there are, how they are counted, and which of them is the worst.
 * No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"

/* ---- Cases as they are seen ---- */

enum { ROWS = 2 };

static struct {
    int made, last_number; /* problems */
    int cases, steps[16], widths[64];
    double worst; /* error over tolerance of the first variant */
    volatile sig_atomic_t stop;
    int stop_after; /* number of cases; 0: never */
} seen;

static enum qp_status make(void *user, int number, int width, int height, int systems,
                           struct qp_problem *out)
{
    const struct qp_problem_desc desc = {
        .width = width, .height = height, .systems = systems, .seed = (unsigned long long)number};
    assert_ptr_equal(user, &seen);
    seen.widths[seen.made++ % COUNT(seen.widths)] = width;
    seen.last_number = number;
    return qp_problem_create(&desc, out);
}

static void note_case(void *user, const struct qp_record *record)
{
    assert_ptr_equal(user, &seen);
    if (seen.cases < COUNT(seen.steps))
        seen.steps[seen.cases] = record->iterations;
    seen.cases++;
    if (record->verdict == QP_PASS && strcmp(record->variant->name, "jacobi9/openmp") == 0)
        seen.worst = fmax(seen.worst, record->error / record->tolerance);
    seen.stop = seen.cases == seen.stop_after;
}

static struct qp_check_desc description(void)
{
    memset(&seen, 0, sizeof seen);
    return (struct qp_check_desc){
        .make = make, .on_case = note_case, .user = &seen, .interrupt = &seen.stop};
}

/* ---- Variants that are wrong ---- */

static struct qp_recipe wrong_recipe;
static struct qp_variant wrong;

/* Wrong by the number of the column, in grids that are wider than 3. */
static void sweep_wrongly(const struct qp_sweep *s)
{
    for (int i = 0; i < s->width * s->height; i++)
        s->out[i] = s->width > 3 ? (float)(i % s->width) : NAN;
}

static const struct qp_variant *make_wrong(void)
{
    wrong = *qp_variant_find("jacobi9/openmp");
    wrong_recipe = *wrong.recipe;
    wrong_recipe.sweep = sweep_wrongly;
    wrong.recipe = &wrong_recipe;
    return &wrong;
}

/* ---- Tests ---- */

TEST(given_cases_are_checked)
{
    const struct qp_variant *const variants[ROWS] = {qp_variant_find("jacobi9/openmp"),
                                                     qp_variant_find("jacobi9/reference")};
    struct qp_check_desc desc = description();
    struct qp_tally tally[ROWS];
    desc.width = 5, desc.height = 3, desc.problems = 3, desc.iterations = 4;
    assert_ok(qp_check(NULL, variants, ROWS, &desc, tally));
    assert_true(seen.made == 3 && seen.last_number == 2 && seen.widths[2] == 5);
    assert_int_equal(seen.cases, 3 * ROWS);
    assert_int_equal(seen.steps[0], 4);
    for (int i = 0; i < ROWS; i++) {
        assert_true(tally[i].passed == 3 && tally[i].failed == 0 && tally[i].skipped == 0);
        assert_int_equal(qp_tally_verdict(&tally[i]), QP_PASS);
        assert_ptr_equal(tally[i].worst.variant, variants[i]);
        assert_true(tally[i].seconds > 0.0 && tally[i].seconds == tally[0].seconds);
    }
    assert_true(tally[0].worst.error / tally[0].worst.tolerance == seen.worst);
    assert_int_equal(qp_tally_verdict(NULL), QP_NO_VERDICT);
}

/* Eleven sizes, each after 1, 2 and 7 steps; a problem of each size is made once for all variants
 * and steps. */
TEST(usual_cases_are_checked)
{
    const struct qp_variant *const variants[] = {qp_variant_find("jacobi9/openmp")};
    struct qp_check_desc desc = description();
    struct qp_tally tally;
    int sizes = 0, steps = 0;
    const struct qp_runs *const runs = qp_op_find("jacobi9")->runs;
    while (runs->sizes[sizes].width > 0)
        sizes++;
    while (runs->steps[steps] > 0)
        steps++;
    assert_ok(qp_check(NULL, variants, 1, &desc, &tally));
    assert_int_equal(seen.made, sizes);
    for (int i = 0; i < sizes; i++)
        assert_int_equal(seen.widths[i], runs->sizes[i].width);
    assert_int_equal(seen.cases, sizes * steps);
    for (int i = 0; i < steps; i++)
        assert_int_equal(seen.steps[i], runs->steps[i]);
    assert_int_equal(tally.passed, sizes * steps);
    assert_true(tally.worst.error / tally.worst.tolerance == seen.worst);
}

/* The first case that failed is reported, whatever comes after it. */
TEST(failures_are_counted)
{
    const struct qp_variant *const variants[ROWS] = {make_wrong(),
                                                     qp_variant_find("jacobi9/openmp")};
    struct qp_check_desc desc = description();
    struct qp_tally tally[ROWS];
    desc.width = 5, desc.height = 3, desc.problems = 2;
    assert_ok(qp_check(NULL, variants, ROWS, &desc, tally));
    assert_true(tally[0].failed == 6 && tally[0].passed == 0);
    assert_true(tally[1].failed == 0 && tally[1].passed == 6);
    assert_int_equal(qp_tally_verdict(&tally[0]), QP_FAIL);
    assert_int_equal(tally[0].worst.iterations, 1);
    assert_int_equal(tally[0].worst.verdict, QP_FAIL);
    desc.width = 3;
    assert_ok(qp_check(NULL, variants, 1, &desc, tally));
    assert_int_equal(tally[0].failed, 6);
    assert_true(isnan(tally[0].worst.error) || isinf(tally[0].worst.error));
}

/* Variants that need what is not there are skipped, with the reason. */
TEST(skips_are_counted)
{
    const struct qp_variant *const variants[] = {qp_variant_find("jacobi9/luminance")};
    struct qp_check_desc desc = description();
    struct qp_tally tally;
    desc.width = desc.height = 4, desc.no_device = "none today";
    assert_ok(qp_check(NULL, variants, 1, &desc, &tally));
    assert_true(tally.skipped == 3 && tally.passed == 0 && tally.failed == 0);
    assert_int_equal(qp_tally_verdict(&tally), QP_SKIP);
    assert_string_equal(tally.worst.reason, "none today");
}

/* The case under way when it is interrupted, and those before it, are kept. */
TEST(interrupts_keep_what_there_is)
{
    const struct qp_variant *const variants[] = {qp_variant_find("jacobi9/openmp")};
    struct qp_check_desc desc = description();
    struct qp_tally tally;
    desc.width = desc.height = 4, desc.problems = 2;
    seen.stop_after = 4;
    assert_ok(qp_check(NULL, variants, 1, &desc, &tally));
    assert_true(seen.cases == 4 && seen.made == 2 && tally.passed == 4);
}

TEST(what_is_no_check)
{
    const struct qp_variant *const variants[ROWS] = {qp_variant_find("jacobi9/openmp"), NULL};
    struct qp_check_desc desc = description();
    struct qp_tally tally[ROWS];
    assert_int_equal(qp_check(NULL, NULL, 1, &desc, tally), QP_BAD_USE);
    assert_int_equal(qp_check(NULL, variants, 1, NULL, tally), QP_BAD_USE);
    assert_int_equal(qp_check(NULL, variants, 1, &desc, NULL), QP_BAD_USE);
    assert_int_equal(qp_check(NULL, variants, 0, &desc, tally), QP_BAD_USE);
    support_assert_sentence("a check needs variants, and a function that makes problems, "
                            "such as qp_trial_make");
    assert_int_equal(qp_check(NULL, variants, ROWS, &desc, tally), QP_BAD_USE);
    support_assert_sentence("variant 2 of 2: there is no variant: the one asked for is NULL");
    desc.problems = -1;
    assert_int_equal(qp_check(NULL, variants, 1, &desc, tally), QP_BAD_USE);
    support_assert_sentence("-1 problems at each size cannot be made");
    desc.problems = 0, desc.iterations = -2;
    assert_int_equal(qp_check(NULL, variants, 1, &desc, tally), QP_BAD_USE);
    support_assert_sentence("-2 steps cannot be taken");
    desc.iterations = 0, desc.target = (enum qp_texture_target)7;
    assert_int_equal(qp_check(NULL, variants, 1, &desc, tally), QP_BAD_USE);
    support_assert_sentence("there is no texture target 7");
    desc.target = QP_RECTANGLE, desc.make = NULL;
    assert_int_equal(qp_check(NULL, variants, 1, &desc, tally), QP_BAD_USE);
    desc.make = make, desc.width = -1;
    assert_int_equal(qp_check(NULL, variants, 1, &desc, tally), QP_BAD_USE);
    support_assert_sentence("-1 x 0 cells are no grid");
    assert_int_equal(seen.cases, 0);
}
