/* SPDX-License-Identifier: MIT */
#include <quadpass/bench.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/engines/nvml.h"
#include "lab/engines/parts/link.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "lab/walk/description.h"
#include "lab/walk/samples.h"
#include "lab/walk/timed_walk.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/objects.h"

/* Samples that are enough of a variant with a small spread, and of one with short runs, whose
 * quartiles one disturbance moves. */
enum { ENOUGH_SAMPLES = 5, SHORT_SAMPLES = 9 };

static const double small_spread = 0.02;
static const double short_run = 0.01, default_share = 1.0; /* seconds */

/* Duration of the warm-up: a data-centre GPU needs some 50 ms to leave its idle clock, and
 * functions on the CPU have memory to map and threads to start. A software rasteriser has done so
 * when its programs are compiled. */
static double warm_seconds(const struct qp_context *context, const struct qp_variant *variant)
{
    if (!qp_variant_draws(variant))
        return 0.1;
    return context != NULL && !qp_context_device(context)->software ? 0.1 : 0.0;
}

/* Further numbers of one variant's repeats, beside the record's samples. */
struct series {
    double upload[QP_MOST_REPEATS], readback[QP_MOST_REPEATS];
    /* Seconds of its walks after the first, which compiles and computes a reference. */
    double spent;
    struct qp_earlier_runs timed;
};

/* True if a variant that has neither failed nor been skipped is to be walked once more. */
static bool wants_more(const struct qp_bench_desc *desc, const struct qp_record *record,
                       const struct series *series)
{
    const int count = record->sample_count;
    const double share = desc->share > 0.0 ? desc->share : default_share;
    if (record->verdict == QP_FAIL || record->verdict == QP_SKIP)
        return false;
    if (desc->repeats > 0 || count < QP_LEAST_SAMPLES)
        return count < (desc->repeats > 0 ? desc->repeats : QP_LEAST_SAMPLES);
    if (series->spent >= share || count == QP_MOST_REPEATS)
        return false;
    const bool is_short = qp_quantile(record->samples, count, 0.5) < short_run;
    return count < (is_short ? SHORT_SAMPLES : ENOUGH_SAMPLES) ||
           qp_spread(record->samples, count) >= small_spread;
}

/* Steps where the caller gives no number. */
static int usual_steps(const struct qp_context *context, const struct qp_variant *variant,
                       const struct qp_problem *problem)
{
    const struct qp_runs *runs = problem->op->runs;
    const bool gpu = variant->backend == QP_CUDA || (variant->backend == QP_GL && context != NULL &&
                                                     !qp_context_device(context)->software);
    const int steps = gpu && runs->gpu_steps != NULL ? runs->gpu_steps(variant->recipe) : 0;
    return steps > 0 ? steps : runs->bench_steps(problem);
}

/* Steps of a run: as many as are asked for, or the usual. A launch of an asynchronous variant is
 * alpha + 1 of those. */
static int steps_of(const struct qp_context *context, const struct qp_bench_desc *desc,
                    const struct qp_variant *variant, const struct qp_problem *problem, int alpha)
{
    const int each = qp_recipe_alpha(variant->recipe, alpha) + 1;
    return desc->iterations > 0 ? desc->iterations
                                : qp_most(usual_steps(context, variant, problem) / each, 1);
}

struct qp_record qp_record_begin(const struct qp_variant *variant, const struct qp_extent *extent,
                                 struct qp_cost cost)
{
    return (struct qp_record){.variant = variant,
                              .width = extent->width,
                              .height = extent->height,
                              .systems = extent->systems,
                              .updates = extent->updates,
                              .cell = extent->cell,
                              .cost = cost,
                              .seconds = NAN,
                              .seconds_min = NAN,
                              .upload_seconds = NAN,
                              .readback_seconds = NAN,
                              .glups = NAN,
                              .gbytes_per_s = NAN,
                              .gflops = NAN,
                              .error = NAN,
                              .tolerance = NAN,
                              .error_rms = NAN,
                              .spread = NAN};
}

void qp_record_start(struct qp_record *record, const struct qp_variant *variant,
                     const struct qp_problem *problem, int iterations, struct qp_style style)
{
    const struct qp_extent extent = qp_problem_extent(problem);
    *record = qp_record_begin(variant, &extent, qp_variant_cost_of(variant, problem));
    record->iterations = iterations;
    record->style = style;
    record->parameter = problem->parameter;
    snprintf(record->problem, sizeof record->problem, "%s", problem->kind);
}

static void add_run(struct qp_record *record, struct series *series, const struct qp_result *result)
{
    record->verdict = result->verdict;
    snprintf(record->reason, sizeof record->reason, "%s", result->reason);
    if (!(result->error <= record->error)) /* keeps the worst; the initial NaN is overwritten */
        record->error = result->error;
    if (!(result->error_rms <= record->error_rms))
        record->error_rms = result->error_rms;
    record->tolerance = result->tolerance;
    record->style.pingpong = result->pingpong;
    record->group_x = result->group_x;
    record->group_y = result->group_y;
    record->block = result->block;
    record->threads = result->threads;
    record->occupancy = result->occupancy;
    record->parts = result->parts;
    record->vertices = result->vertices;
    series->upload[record->sample_count] = result->upload_seconds;
    series->readback[record->sample_count] = result->readback_seconds;
    record->samples[record->sample_count++] = result->run_seconds;
}

static enum qp_status skip(struct qp_record *record, const char *reason)
{
    record->verdict = QP_SKIP;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return QP_OK;
}

void qp_record_rate(struct qp_record *record, double seconds)
{
    const double updates = record->updates * record->iterations * (record->parts.alpha + 1);
    record->seconds = seconds;
    record->glups = 1e-9 * updates / seconds;
    record->gbytes_per_s = record->glups * record->cost.bytes;
    record->gflops = record->glups * record->cost.flops;
}

static void finish_record(struct qp_record *record, const struct series *series)
{
    if (record->verdict == QP_NO_VERDICT)
        skip(record, "interrupted before its first run");
    if (record->verdict != QP_PASS && record->verdict != QP_BOUND &&
        record->verdict != QP_UNCHECKED) {
        record->sample_count = 0;
        return;
    }
    const int count = record->sample_count;
    qp_record_rate(record, qp_quantile(record->samples, count, 0.5));
    record->seconds_min = qp_quantile(record->samples, count, 0.0);
    record->spread = qp_spread(record->samples, count);
    record->upload_seconds = qp_quantile(series->upload, count, 0.5);
    record->readback_seconds = qp_quantile(series->readback, count, 0.5);
}

/* True if the run has all its steps: an interrupted one does not count. */
static bool is_whole(const struct qp_bench_desc *desc, const struct qp_record *record,
                     const struct qp_result *result)
{
    return !qp_is_interrupted(desc->interrupt) ||
           (result->iterations == record->iterations && result->verdict != QP_SKIP);
}

bool qp_runs_here(const struct qp_variant *variant)
{
    if (qp_link_mpi.ranks == NULL || qp_link_mpi.ranks() == 1)
        return true;
    if (qp_link_mpi.rank() == 0)
        qp_link_mpi.alone(variant->backend != QP_MPI);
    return variant->backend == QP_MPI || qp_link_mpi.rank() == 0;
}

/* Reads the clock of the GPU that has just run, at the end of a walk's steps. */
struct clock_watch {
    struct qp_context *context;
    struct qp_record *record;
};

static void keep_clock(void *user)
{
    const struct clock_watch *watch = user;
    struct qp_record *record = watch->record;
    double mhz;
    unsigned reasons;
    if (!qp_nvml_read(watch->context, record->variant->backend, &mhz, &reasons))
        return;
    record->clock_mhz = record->clock_mhz > 0.0 ? fmin(record->clock_mhz, mhz) : mhz;
    record->throttled |= reasons;
}

/* All processes of a run have enough at once: when the first one has. */
static void agree_on_times(const struct qp_record *record, struct qp_result *result, double *took)
{
    if (record->variant->backend != QP_MPI || qp_link_mpi.spread == NULL)
        return;
    double times[] = {result->run_seconds, *took};
    qp_link_mpi.spread(0, times, sizeof times);
    result->run_seconds = times[0];
    *took = times[1];
}

/* Walks a variant once, into its record. */
static enum qp_status run_once(struct qp_context *context, struct qp_problem *problem,
                               const struct qp_bench_desc *desc, struct qp_record *record,
                               struct series *series)
{
    if (!qp_runs_here(record->variant))
        return skip(record, "runs in the first process alone");
    if (qp_variant_draws(record->variant) && context == NULL)
        return skip(record, desc->no_device != NULL ? desc->no_device : "no OpenGL context");
    const bool unchecked = problem->op->step == NULL; /* a trial that nothing judges */
    struct qp_walk_desc walk = {.iterations = record->iterations,
                                .pingpong = record->style.pingpong,
                                .target = record->style.target,
                                .group_x = record->style.group_x,
                                .group_y = record->style.group_y,
                                .block = record->style.block,
                                .parts = record->style.parts,
                                .interrupt = desc->interrupt,
                                .unchecked = unchecked,
                                .timed = !desc->cold,
                                .warm_seconds =
                                    desc->cold ? 0.0 : warm_seconds(context, record->variant),
                                .on_end = keep_clock,
                                .user = &(struct clock_watch){context, record}};
    struct qp_result result;
    const double begin = qp_clock();
    if (!desc->cold)
        qp_problem_start_at_random(problem,
                                   desc->random_start && !qp_races(record->variant, problem));
    enum qp_status status = desc->cold ? qp_walk(context, record->variant, problem, &walk, &result)
                                       : qp_timed_walk(context, record->variant, problem, &walk,
                                                       &series->timed, &result);
    if (status != QP_OK)
        return status;
    if (unchecked && result.verdict == QP_PASS)
        result.verdict = QP_UNCHECKED;
    double took = qp_clock() - begin;
    agree_on_times(record, &result, &took);
    series->spent += record->sample_count > 0 ? took : 0.0;
    record->judged_steps = series->timed.judged_steps;
    record->judged_cells = series->timed.judged_cells;
    if (is_whole(desc, record, &result))
        add_run(record, series, &result);
    return QP_OK;
}

static struct qp_style style_of(const struct qp_bench_desc *desc, int row)
{
    if (desc->styles != NULL)
        return desc->styles[row];
    return (struct qp_style){
        .pingpong = desc->pingpong, .target = desc->target, .parts = desc->parts};
}

static enum qp_status check_arguments(const struct qp_variant *const variants[],
                                      struct qp_problem *const problems[], int count,
                                      const struct qp_bench_desc *desc)
{
    enum qp_status status = qp_check_steps(desc->iterations);
    if (desc->repeats < 0 || desc->repeats > QP_MOST_REPEATS)
        return qp_fail(QP_BAD_USE, "%d repeats are not from 1 to %d, and 0 means the default",
                       desc->repeats, QP_MOST_REPEATS);
    if (!(desc->share >= 0.0))
        return qp_fail(QP_BAD_USE, "a share of %g seconds is none", desc->share);
    if (count < 0)
        return qp_fail(QP_BAD_USE, "%d variants cannot be timed", count);
    for (int i = 0; i < count && status == QP_OK; i++) {
        const struct qp_style style = style_of(desc, i);
        status = qp_check_style(&style);
    }
    for (int i = 0; i < count && status == QP_OK; i++) {
        if (qp_variant_check(variants[i]) != QP_OK)
            return qp_fail_within(QP_BAD_USE, "variant %d of %d", i + 1, count);
        status = qp_check_problem(variants[i], problems[i]);
    }
    return status;
}

/* Walks that are still to come, at least. */
static int least_to_come(const struct qp_bench_desc *desc, const struct qp_record *records,
                         const struct series *series, int count)
{
    const int wanted = desc->repeats > 0 ? desc->repeats : QP_LEAST_SAMPLES;
    int sum = 0;
    for (int i = 0; i < count; i++) {
        if (wants_more(desc, &records[i], &series[i]))
            sum += qp_most(wanted - records[i].sample_count, 1);
    }
    return sum;
}

/* All variants in turn that want more samples, once. */
static enum qp_status run_round(struct qp_context *context, struct qp_problem *const problems[],
                                int count, const struct qp_bench_desc *desc,
                                struct qp_record *records, struct series *series, int *walks)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < count && status == QP_OK && !qp_is_interrupted(desc->interrupt); i++) {
        if (!wants_more(desc, &records[i], &series[i]))
            continue;
        status = run_once(context, problems[i], desc, &records[i], &series[i]);
        ++*walks;
        if (desc->on_walk != NULL)
            desc->on_walk(desc->user, *walks, *walks + least_to_come(desc, records, series, count));
    }
    return status;
}

enum qp_status qp_bench(struct qp_context *context, const struct qp_variant *const variants[],
                        struct qp_problem *const problems[], int count,
                        const struct qp_bench_desc *desc, struct qp_record *records)
{
    static const struct qp_bench_desc defaults = {0};
    if (QP_NEED(variants) || QP_NEED(problems) || QP_NEED(records))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &defaults;
    for (int i = 0; i < count; i++)
        records[i] = (struct qp_record){.variant = variants[i]};
    enum qp_status status = qp_context_check(context);
    if (status == QP_OK)
        status = check_arguments(variants, problems, count, desc);
    if (status != QP_OK)
        return status;
    struct series *series = qp_alloc_zero((size_t)count, sizeof *series, "a benchmark's times");
    status = series != NULL ? QP_OK : QP_NO_MEMORY;
    for (int i = 0; i < count && status == QP_OK; i++) {
        const struct qp_style style = style_of(desc, i);
        qp_record_start(&records[i], variants[i], problems[i],
                        steps_of(context, desc, variants[i], problems[i], style.parts.alpha),
                        style);
    }
    int walks = 0;
    while (status == QP_OK && !qp_is_interrupted(desc->interrupt) &&
           least_to_come(desc, records, series, count) > 0)
        status = run_round(context, problems, count, desc, records, series, &walks);
    for (int i = 0; i < count; i++)
        qp_problem_start_at_random(problems[i], false);
    for (int i = 0; i < count && status == QP_OK; i++)
        finish_record(&records[i], &series[i]);
    free(series);
    return status;
}
