/* SPDX-License-Identifier: MIT */
#include "lab/walk/checker.h"

#include <math.h>
#include <stdlib.h>

#include "lab/ops/table.h"
#include "lab/plan/problem.h"
#include "lab/walk/description.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"
#include "toolkit/gl/objects.h"

static double strain(const struct qp_record *record)
{
    double ratio = record->error == 0.0 ? 0.0 : record->error / record->tolerance;
    return isnan(ratio) ? INFINITY : ratio;
}

/* Adds a case to a variant's tally. A skip because of the kind of problem says less than any other
 * skip. */
static void add_case(struct qp_tally *tally, const struct qp_record *record,
                     const struct qp_problem *problem)
{
    if (record->verdict == QP_SKIP) {
        bool foreign = !qp_recipe_takes_kind(record->variant->recipe, qp_problem_kind(problem));
        if (tally->passed == 0 && tally->failed == 0 && (tally->skipped == 0 || !foreign))
            tally->worst = *record;
        tally->skipped++;
        return;
    }
    bool first = tally->passed == 0 && tally->failed == 0, failed = record->verdict == QP_FAIL;
    if (tally->failed == 0 && (first || failed || strain(record) > strain(&tally->worst)))
        tally->worst = *record;
    tally->passed += !failed;
    tally->failed += failed;
}

enum qp_verdict qp_tally_verdict(const struct qp_tally *tally)
{
    if (tally == NULL)
        return QP_NO_VERDICT;
    if (tally->failed > 0)
        return QP_FAIL;
    return tally->passed > 0 ? tally->worst.verdict : QP_SKIP;
}

/* A check under way. */
struct checker {
    struct qp_context *context;
    const struct qp_variant *const *variants;
    int count;
    const struct qp_check_desc *desc;
    const struct qp_size *sizes;
    struct qp_problem **problems;   /* each variant's */
    struct qp_kept_problems **kept; /* problems in use, and others */
    struct qp_record *records;
    struct qp_tally *tallies;
    struct qp_trivials *trivials;
};

/* ---- Problems ---- */

static enum qp_status make_problem(const struct checker *checker, int number, int width, int height,
                                   int systems, struct qp_problem *out)
{
    const struct qp_check_desc *desc = checker->desc;
    return desc->make(desc->user, number, width, height, systems, out);
}

struct qp_kept_problems {
    int number, width, height, systems; /* as it was asked for */
    struct qp_problem problem;
    struct qp_kept_problems *next;
};

static void drop(struct qp_kept_problems **place)
{
    struct qp_kept_problems *old = *place;
    *place = old->next;
    qp_problem_destroy(&old->problem);
    free(old);
}

void qp_kept_problems_destroy(struct qp_kept_problems **kept)
{
    while (*kept != NULL)
        drop(kept);
}

/* The problem of this number and size, one of those that are kept from now on. */
static enum qp_status find_problem(const struct checker *checker, int number, int width, int height,
                                   int systems, struct qp_problem **out)
{
    struct qp_kept_problems *one = *checker->kept;
    while (one != NULL && (one->number != number || one->width != width || one->height != height ||
                           one->systems != systems))
        one = one->next;
    enum qp_status status = QP_OK;
    if (one == NULL) {
        one = qp_alloc_zero(1, sizeof *one, "a problem");
        status = one != NULL ? make_problem(checker, number, width, height, systems, &one->problem)
                             : qp_fail_within(QP_NO_MEMORY, "stage 1, problem");
        if (status != QP_OK) {
            free(one);
            return status;
        }
        *one =
            (struct qp_kept_problems){number, width, height, systems, one->problem, *checker->kept};
        *checker->kept = one;
    }
    *out = &one->problem;
    return status;
}

static enum qp_status make_problems(struct checker *checker, int number, int width, int height)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < checker->count && status == QP_OK; i++)
        status = find_problem(checker, number, width, height,
                              qp_variant_systems(checker->variants[i]), &checker->problems[i]);
    return status;
}

/* Leaves the small ones: those of one operation at all usual sizes take some 100 MB with their
 * references. */
static void drop_large(const struct checker *checker)
{
    struct qp_kept_problems **at = checker->kept;
    while (*at != NULL) {
        const struct qp_problem *problem = &(*at)->problem;
        if (qp_problem_cells(problem) * (size_t)problem->systems > 1 << 17)
            drop(at);
        else
            at = &(*at)->next;
    }
}

/* ---- Cases ---- */

/* The answer one step fewer, which a trivial kernel may give: the walk's reference goes on from it.
 * An interrupt ends the walk itself. */
static enum qp_status take_step_before(const struct checker *checker, struct qp_problem *problem,
                                       int steps)
{
    const struct qp_op *op = problem != NULL ? problem->op : NULL;
    if (op == NULL || op->judge == NULL || op->judge->trivial == NULL)
        return QP_OK;
    const enum qp_status status =
        qp_problem_reference(problem, steps - 1, checker->desc->interrupt);
    return status == QP_NO_MEMORY ? qp_fail_within(status, "stage 9, reference") : QP_OK;
}

/* A case: walks all variants, each for `steps` steps. */
static enum qp_status check_case(const struct checker *checker, int steps)
{
    const struct qp_check_desc *desc = checker->desc;
    struct qp_bench_desc bench = {.iterations = steps,
                                  .repeats = 1,
                                  .cold = true,
                                  .pingpong = desc->pingpong,
                                  .target = desc->target,
                                  .parts = desc->parts,
                                  .no_device = desc->no_device,
                                  .interrupt = desc->interrupt};
    enum qp_status status = QP_OK;
    for (int i = 0; i < checker->count && status == QP_OK; i++)
        status = take_step_before(checker, checker->problems[i], steps);
    if (status == QP_OK)
        status = qp_bench(checker->context, checker->variants, checker->problems, checker->count,
                          &bench, checker->records);
    if (status != QP_OK || qp_is_interrupted(checker->desc->interrupt))
        return status;
    for (int i = 0; i < checker->count && status == QP_OK; i++) {
        add_case(&checker->tallies[i], &checker->records[i], checker->problems[i]);
        if (checker->records[i].verdict == QP_PASS)
            status = qp_trivials_add(&checker->trivials[i], checker->problems[i], steps,
                                     checker->records[i].tolerance);
        if (desc->on_case != NULL)
            desc->on_case(desc->user, &checker->records[i]);
    }
    return status;
}

/* Problem number `number` of this size, after each number of steps. */
static enum qp_status check_steps(struct checker *checker, int number, int width, int height)
{
    const int wanted[] = {checker->desc->iterations, 0};
    enum qp_status status = make_problems(checker, number, width, height);
    if (status != QP_OK)
        return status;
    const struct qp_op *op =
        checker->problems[0]->op; /* NULL: the walk refuses what is no problem */
    const int *steps = wanted[0] > 0 ? wanted : op != NULL ? op->runs->steps : qp_usual_steps;
    if (op != NULL && op->step == NULL)
        return qp_fail(QP_BAD_USE, "%s has no reference, and nothing could judge it; name one",
                       op->name);
    for (; *steps > 0 && status == QP_OK && !qp_is_interrupted(checker->desc->interrupt); steps++)
        status = check_case(checker, *steps);
    drop_large(checker);
    return status;
}

static enum qp_status check_all(struct checker *checker)
{
    const struct qp_check_desc *desc = checker->desc;
    const struct qp_size wanted[] = {{desc->width, desc->height}, {0}};
    const struct qp_size *size = desc->width != 0 || desc->height != 0 ? wanted : checker->sizes;
    int problems = desc->problems > 0 ? desc->problems : 1;
    enum qp_status status = QP_OK;
    for (bool first = true; first || size->width > 0; size++, first = false) {
        for (int k = 0;
             k < problems && status == QP_OK && !qp_is_interrupted(checker->desc->interrupt); k++)
            status = check_steps(checker, k, size->width, size->height);
    }
    return status;
}

static enum qp_status check_arguments(const struct qp_variant *const variants[], int count,
                                      const struct qp_check_desc *desc)
{
    if (count < 1 || desc->make == NULL)
        return qp_fail(
            QP_BAD_USE,
            "a check needs variants, and a function that makes problems, such as qp_trial_make");
    for (int i = 0; i < count; i++) {
        if (qp_variant_check(variants[i]) != QP_OK)
            return qp_fail_within(QP_BAD_USE, "variant %d of %d", i + 1, count);
    }
    if (desc->problems < 0)
        return qp_fail(QP_BAD_USE, "%d problems at each size cannot be made", desc->problems);
    const struct qp_style style = {.pingpong = desc->pingpong, .target = desc->target};
    enum qp_status status = qp_check_steps(desc->iterations);
    return status == QP_OK ? qp_check_style(&style) : status;
}

enum qp_status qp_check(struct qp_context *context, const struct qp_variant *const variants[],
                        int count, const struct qp_check_desc *desc, struct qp_tally *tallies)
{
    struct qp_kept_problems *kept = NULL;
    const enum qp_status status =
        qp_check_keeping(context, variants, count, desc, NULL, &kept, tallies);
    qp_kept_problems_destroy(&kept);
    return status;
}

enum qp_status qp_check_keeping(struct qp_context *context,
                                const struct qp_variant *const variants[], int count,
                                const struct qp_check_desc *desc, const struct qp_size *sizes,
                                struct qp_kept_problems **kept, struct qp_tally *tallies)
{
    if (QP_NEED(variants) || QP_NEED(desc) || QP_NEED(tallies))
        return QP_BAD_USE;
    for (int i = 0; i < count; i++)
        tallies[i] = (struct qp_tally){.worst = {.variant = variants[i], .verdict = QP_SKIP}};
    enum qp_status status = qp_context_check(context);
    if (status == QP_OK)
        status = check_arguments(variants, count, desc);
    if (status != QP_OK)
        return status;
    const struct qp_op *op = qp_op_find(variants[0]->op);
    struct checker checker = {.context = context,
                              .variants = variants,
                              .count = count,
                              .desc = desc,
                              .sizes = sizes != NULL ? sizes
                                       : op != NULL  ? op->runs->sizes
                                                     : qp_usual_sizes,
                              .kept = kept,
                              .tallies = tallies};
    checker.problems = qp_alloc((size_t)count, sizeof *checker.problems, "a check's problems");
    checker.records = qp_alloc((size_t)count, sizeof *checker.records, "a check's records");
    checker.trivials =
        qp_alloc_zero((size_t)count, sizeof *checker.trivials, "a check's trivial answers");
    const double start = qp_clock();
    status = checker.problems != NULL && checker.records != NULL && checker.trivials != NULL
                 ? check_all(&checker)
                 : QP_NO_MEMORY;
    const double seconds = qp_clock() - start;
    for (int i = 0; i < count; i++) {
        tallies[i].seconds = seconds / count;
        if (status == QP_OK)
            qp_trivials_doubt(&checker.trivials[i], &tallies[i].worst);
    }
    free(checker.trivials);
    free(checker.problems);
    free(checker.records);
    return status;
}
