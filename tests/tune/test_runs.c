/* SPDX-License-Identifier: MIT */
/* Runs of the model on this machine: they are right and complete, a part that is made slower is, and the answer stays. */
#include "tune/runs.h"

#include <math.h>
#include <string.h>

#include "support/support.h"

static const char row[] = "poisson5/hybrid_rgba";

static void runs(void **state)
{
    static struct qp_tuned tuning;
    struct qp_context *context = support_need_context(state);
    const struct qp_tuned_desc desc = {
        .variant = qp_variant_find(row), .width = 40, .height = 48, .steps = 3, .repeats = 1};
    int sweep = 0;
    assert_ok(qp_tune(context, &desc, &tuning));
    for (int k = 0; k < tuning.count; k++) {
        const struct qp_tuned_split *run = &tuning.run[k];
        assert_true(run->measured > 0.0 && run->predicted >= 0.0);
        assert_in_range(run->rows, 0, 48);
        assert_int_equal(run->record.verdict, QP_PASS);
        sweep += run->what == QP_TUNE_SWEEP;
        if (run->what == QP_TUNE_SWEEP && k > 0 && tuning.run[k - 1].what == QP_TUNE_SWEEP)
            assert_true(run->rows >= tuning.run[k - 1].rows);
    }
    assert_in_range(sweep, 12, 13);
    assert_int_equal(tuning.run[tuning.count - 1].rows, 48);
    assert_int_equal(tuning.run[tuning.best].what, QP_TUNE_SWEEP);
    assert_int_equal(tuning.learned.split, tuning.run[tuning.best].rows);
    for (int k = tuning.count - sweep; k < tuning.count; k++)
        assert_true(tuning.run[k].measured >= tuning.run[tuning.optimum].measured);
}

static void refusals(void **state)
{
    static struct qp_tuned tuning;
    struct qp_context *context = support_need_context(state);
    struct qp_tuned_desc desc = {
        .variant = qp_variant_find("poisson5/rgba"), .width = 40, .height = 48};
    assert_int_equal(qp_tune(context, &desc, &tuning), QP_UNSUPPORTED);
    support_assert_sentence("shares no grid");
    desc.variant = qp_variant_find("poisson5/parts_rgba");
    assert_int_equal(qp_tune(context, &desc, &tuning), QP_UNSUPPORTED);
    desc.variant = qp_variant_find(row);
    desc.height = 15;
    assert_int_equal(qp_tune(context, &desc, &tuning), QP_BAD_USE);
    desc.height = 48;
    desc.kind = "of no such name";
    assert_int_equal(qp_tune(context, &desc, &tuning), QP_BAD_USE);
    desc.kind = NULL;
    desc.no_device = "none today";
    assert_int_equal(qp_tune(NULL, &desc, &tuning), QP_UNSUPPORTED);
    support_assert_sentence("none today");
}

/* A walk of a name's row; the seconds of its steps. The solution is the caller's. */
static double walk(struct qp_context *context, const char *name, struct qp_parts_desc parts,
                   struct qp_matrix *solution)
{
    const struct qp_problem_desc wanted = {
        .op = "poisson5", .kind = "field", .width = 96, .height = 96};
    const struct qp_walk_desc desc = {.iterations = 40, .parts = parts, .keep_solution = true};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&wanted, &problem));
    assert_ok(qp_walk(context, qp_variant_find(name), &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(result.parts.slow, parts.slow);
    qp_problem_destroy(&problem);
    *solution = result.solution;
    return result.run_seconds;
}

/* Steps that are taken again cost time and change no bit: two-array rows, blocked ones, and in place. */
static void a_slower_part(void **state)
{
    static const char *const rows[] = {"poisson5/hybrid_rgba", "poisson5/hybrid_fused4",
                                       "poisson5/hybrid_red_black", "poisson5/parts_rgba"};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_matrix once, again;
        walk(context, rows[k], (struct qp_parts_desc){.split = 32}, &once);
        walk(context, rows[k], (struct qp_parts_desc){.split = 32, .slow = 3}, &again);
        assert_int_equal(once.width * once.height, 96 * 96);
        assert_memory_equal(once.values, again.values, 96 * 96 * sizeof(float));
        qp_matrix_destroy(&once);
        qp_matrix_destroy(&again);
    }
}

/* The lower part alone takes far longer so, and the upper one alone does not. */
static void slow_part_takes_time(void **state)
{
    struct qp_context *context = support_need_context(state);
    double lower = INFINITY, slow = INFINITY, upper = INFINITY;
    for (int k = 0; k < 3; k++) {
        struct qp_matrix x;
        lower = fmin(lower, walk(context, row, (struct qp_parts_desc){.split = 96}, &x));
        qp_matrix_destroy(&x);
        slow = fmin(slow, walk(context, row, (struct qp_parts_desc){.split = 96, .slow = 200}, &x));
        qp_matrix_destroy(&x);
        upper =
            fmin(upper, walk(context, row, (struct qp_parts_desc){.split = -1, .slow = 200}, &x));
        qp_matrix_destroy(&x);
    }
    assert_true(slow > 10.0 * lower);
    assert_true(slow > 2.0 * upper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(runs), clean_test(refusals),
                                       clean_test(a_slower_part), clean_test(slow_part_takes_time)};
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
