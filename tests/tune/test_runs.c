/* SPDX-License-Identifier: MIT */
/* Runs of the model on this machine: they are right and complete, a part that is made slower is,
 * and the answer stays. */
/* wrap: qp_bench */
#include "tools/tune/runs.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "support/support.h"

static const char row[] = "poisson5/hybrid_rgba";

CLEAN_TEST(runs)
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

/* Made-up times of runs: a part takes 1 s or 1.5 s a row, so that the model splits 64 rows at 38,
 * and the sweep's split at 52 was the fastest. */
static int made_up, timed_again[2];

enum qp_status __real_qp_bench(struct qp_context *context, const struct qp_variant *const *variants,
                               struct qp_problem *const *problems, int count,
                               const struct qp_bench_desc *desc, struct qp_record *records);

enum qp_status __wrap_qp_bench(struct qp_context *context, const struct qp_variant *const *variants,
                               struct qp_problem *const *problems, int count,
                               const struct qp_bench_desc *desc, struct qp_record *records);

enum qp_status __wrap_qp_bench(struct qp_context *context, const struct qp_variant *const *variants,
                               struct qp_problem *const *problems, int count,
                               const struct qp_bench_desc *desc, struct qp_record *records)
{
    if (made_up == 0)
        return __real_qp_bench(context, variants, problems, count, desc, records);
    for (int k = 0; k < count; k++) {
        const int split = desc->styles[k].parts.split, rows = split > 0 ? split : 0;
        const double lower = rows, upper = 1.5 * (problems[k]->height - rows);
        records[k] = (struct qp_record){.variant = variants[k],
                                        .verdict = QP_PASS,
                                        .iterations = 1,
                                        .seconds = split == 52 ? 0.5 : fmax(lower, upper),
                                        .parts = desc->styles[k].parts,
                                        .style = desc->styles[k]};
    }
    for (int k = 0; made_up == 2 && k < 2; k++)
        timed_again[k] = count == 2 ? desc->styles[k].parts.split : 0;
    made_up = 2;
    desc->on_walk(desc->user, 1, count * desc->repeats);
    desc->on_walk(desc->user, count * desc->repeats, count * desc->repeats);
    return QP_OK;
}

static int walks[4], looks; /* walks that were done at each look */

static void note_walks(void *user, int done, int all)
{
    (void)user;
    assert_int_equal(all, 2 * (6 + 6 + 3 + 12 + 2));
    assert_in_range(looks, 0, COUNT(walks) - 1);
    walks[looks++] = done;
}

/* The model's best split, which the sweep lacks, is timed in turn with the sweep's fastest, which
 * comes after it. Walks are counted over both groups: of 27 runs, two walks each, and of two. */
CLEAN_TEST(two_runs_are_timed_again)
{
    static const int counted[] = {1, 54, 55, 58};
    static struct qp_tuned tuning;
    const struct qp_tuned_desc desc = {.variant = qp_variant_find(row),
                                       .width = 40,
                                       .height = 64,
                                       .steps = 1,
                                       .repeats = 2,
                                       .on_walk = note_walks};
    made_up = 1;
    assert_ok(qp_tune(NULL, &desc, &tuning));
    made_up = 0;
    assert_in_range(timed_again[0], 37, 39);
    assert_int_equal(timed_again[1], 52);
    assert_int_equal(tuning.run[tuning.best].rows, timed_again[0]);
    assert_int_equal(tuning.run[tuning.optimum].rows, 52);
    assert_int_equal(looks, COUNT(counted));
    assert_memory_equal(walks, counted, sizeof counted);
}

/* Five runs of each split, where a description says nothing. */
CLEAN_TEST(splits_are_timed_five_times)
{
    static struct qp_tuned tuning;
    struct qp_context *context = support_need_context(state);
    const struct qp_tuned_desc desc = {
        .variant = qp_variant_find(row), .width = 8, .height = 32, .steps = 1};
    assert_ok(qp_tune(context, &desc, &tuning));
    for (int k = 0; k < tuning.count; k++)
        assert_int_equal(tuning.run[k].record.sample_count, 5);
}

CLEAN_TEST(refusals)
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

/* A walk of a name's variant. The solution is the caller's. */
static void walk(struct qp_context *context, const char *name, struct qp_parts_desc parts,
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
}

/* Steps that are taken again cost time and change no bit: two-array variants, blocked ones, and in
 * place. */
CLEAN_TEST(a_slower_part)
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

/* Seconds of processor time, which other programs do not lengthen as they do the time of a run. */
static double effort(struct qp_context *context, struct qp_parts_desc parts)
{
    struct qp_matrix x;
    const clock_t begin = clock();
    walk(context, row, parts, &x);
    qp_matrix_destroy(&x);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* The lower part alone works far longer so, and the upper one alone does not. */
CLEAN_TEST(slow_part_works_longer)
{
    static const int splits[] = {96, -1};
    struct qp_context *context = support_need_context(state);
    for (int part = 0; part < 2; part++) {
        double usual = INFINITY, slow = INFINITY;
        for (int k = 0; k < 3; k++) {
            usual = fmin(usual, effort(context, (struct qp_parts_desc){.split = splits[part]}));
            slow = fmin(
                slow, effort(context, (struct qp_parts_desc){.split = splits[part], .slow = 400}));
        }
        if ((slow > 5.0 * usual) != (part == 0))
            fail_msg("part %d: %g s, and %g s where the slow one is 400 times slower", part, usual,
                     slow);
    }
}

GROUP(support_open_context, support_close_context)
