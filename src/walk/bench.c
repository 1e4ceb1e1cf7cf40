/* SPDX-License-Identifier: MIT */
#include <quadpass/bench.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/caller.h"
#include "base/interrupt.h"
#include "engines/link.h"
#include "plan/op.h"
#include "plan/problem.h"
#include "walk/description.h"
#include "walk/timed_walk.h"

enum { DEFAULT_REPEATS = 5, ENOUGH_REPEATS = 3, MOST_REPEATS = 1000 };

/* Seconds after which three repeats are enough for a row, unless the caller gave a number. */
static const double long_time = 5.0;

/* Duration of the warm-up: a data-centre GPU needs some 50 ms to leave its idle clock, and functions on the CPU
 * have memory to map and threads to start. A software rasteriser has done so when its programs are compiled. */
static double warm_seconds(const struct qp_context *context, const struct qp_variant *variant)
{
    if (!qp_variant_draws(variant))
        return 0.1;
    return context != NULL && !qp_context_device(context)->software ? 0.1 : 0.0;
}

/* Times of one variant's repeats. */
struct series {
    int count;
    double *run, *upload, *readback;
    struct qp_earlier_runs timed;
};

static int by_value(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

static bool has_enough(const struct qp_bench_desc *desc, const struct series *series)
{
    double sum = 0.0;
    for (int i = 0; i < series->count; i++)
        sum += series->run[i];
    return desc->repeats == 0 && series->count >= ENOUGH_REPEATS && sum > long_time;
}

/* Sorts the values. */
static double median(double *values, int count)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* Steps where the caller gives no number. */
static int usual_steps(const struct qp_context *context, const struct qp_variant *variant,
                       const struct qp_problem *problem)
{
    const struct qp_trial *trial = problem->op->trial;
    const bool gpu = variant->backend == QP_CUDA || (variant->backend == QP_GL && context != NULL &&
                                                     !qp_context_device(context)->software);
    const int steps = gpu && trial->gpu_steps != NULL ? trial->gpu_steps(variant->recipe) : 0;
    return steps > 0 ? steps : trial->bench_steps(problem);
}

static void start_record(struct qp_record *record, const struct qp_variant *variant,
                         const struct qp_problem *problem, int iterations, struct qp_style style)
{
    const struct qp_extent extent = qp_problem_extent(problem);
    *record = (struct qp_record){.variant = variant,
                                 .width = extent.width,
                                 .height = extent.height,
                                 .systems = extent.systems,
                                 .updates = extent.updates,
                                 .cell = extent.cell,
                                 .iterations = iterations,
                                 .seconds = NAN,
                                 .seconds_min = NAN,
                                 .upload_seconds = NAN,
                                 .readback_seconds = NAN,
                                 .glups = NAN,
                                 .gbytes_per_s = NAN,
                                 .gflops = NAN,
                                 .cost = qp_variant_cost_of(variant, problem),
                                 .error = NAN,
                                 .tolerance = NAN,
                                 .style = style,
                                 .error_rms = NAN,
                                 .parameter = problem->parameter};
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
    record->occupancy = result->occupancy;
    record->parts = result->parts;
    record->vertices = result->vertices;
    series->run[series->count] = result->run_seconds;
    series->upload[series->count] = result->upload_seconds;
    series->readback[series->count] = result->readback_seconds;
    series->count++;
}

static void finish_record(struct qp_record *record, struct series *series)
{
    if (record->verdict == QP_NO_VERDICT) {
        record->verdict = QP_SKIP;
        snprintf(record->reason, sizeof record->reason, "interrupted before its first run");
    }
    if (record->verdict != QP_PASS && record->verdict != QP_BOUND)
        return;
    double updates = record->updates * record->iterations * (record->parts.alpha + 1);
    record->seconds = median(series->run, series->count);
    record->seconds_min = series->count > 0 ? series->run[0] : NAN;
    record->upload_seconds = median(series->upload, series->count);
    record->readback_seconds = median(series->readback, series->count);
    record->glups = 1e-9 * updates / record->seconds;
    record->gbytes_per_s = record->glups * record->cost.bytes;
    record->gflops = record->glups * record->cost.flops;
}

/* True if the run has all its steps: an interrupted one does not count. */
static bool is_whole(const struct qp_bench_desc *desc, const struct qp_record *record,
                     const struct qp_result *result)
{
    return !qp_is_interrupted(desc->interrupt) ||
           (result->iterations == record->iterations && result->verdict != QP_SKIP);
}

/* Of several processes the first alone runs rows of one process, while the others wait for it. */
static bool runs_here(const struct qp_variant *variant)
{
    if (qp_link_mpi.ranks == NULL || qp_link_mpi.ranks() == 1)
        return true;
    if (qp_link_mpi.rank() == 0)
        qp_link_mpi.alone(variant->backend != QP_MPI);
    return variant->backend == QP_MPI || qp_link_mpi.rank() == 0;
}

/* One walk of one variant into its record, unless it has already failed or been skipped. */
static enum qp_status run_once(struct qp_context *context, struct qp_problem *problem,
                               const struct qp_bench_desc *desc, struct qp_record *record,
                               struct series *series)
{
    if (record->verdict == QP_FAIL || record->verdict == QP_SKIP || has_enough(desc, series))
        return QP_OK;
    if (!runs_here(record->variant)) {
        record->verdict = QP_SKIP;
        snprintf(record->reason, sizeof record->reason, "runs in the first process alone");
        return QP_OK;
    }
    if (qp_variant_draws(record->variant) && context == NULL) {
        record->verdict = QP_SKIP;
        snprintf(record->reason, sizeof record->reason, "%s",
                 desc->no_device != NULL ? desc->no_device : "no OpenGL context");
        return QP_OK;
    }
    struct qp_walk_desc walk = {.iterations = record->iterations,
                                .pingpong = record->style.pingpong,
                                .target = record->style.target,
                                .group_x = record->style.group_x,
                                .group_y = record->style.group_y,
                                .block = record->style.block,
                                .parts = record->style.parts,
                                .interrupt = desc->interrupt,
                                .warm_seconds =
                                    desc->cold ? 0.0 : warm_seconds(context, record->variant)};
    struct qp_result result;
    if (!desc->cold)
        qp_problem_start_at_random(problem,
                                   desc->random_start && !qp_races(record->variant, problem));
    enum qp_status status = desc->cold ? qp_walk(context, record->variant, problem, &walk, &result)
                                       : qp_timed_walk(context, record->variant, problem, &walk,
                                                       &series->timed, &result);
    if (status == QP_OK && record->variant->backend == QP_MPI && qp_link_mpi.spread != NULL)
        qp_link_mpi.spread(0, &result.run_seconds,
                           sizeof result.run_seconds); /* all have enough at once */
    if (status == QP_OK && is_whole(desc, record, &result))
        add_run(record, series, &result);
    return status;
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
    if (desc->repeats < 0 || desc->repeats > MOST_REPEATS)
        return qp_fail(QP_BAD_USE, "%d repeats are not from 1 to %d, and 0 stands for the default",
                       desc->repeats, MOST_REPEATS);
    if (count < 0)
        return qp_fail(QP_BAD_USE, "%d rows cannot be timed", count);
    for (int i = 0; i < count && status == QP_OK; i++) {
        const struct qp_style style = style_of(desc, i);
        status = qp_check_style(&style);
    }
    for (int i = 0; i < count && status == QP_OK; i++) {
        if (qp_variant_check(variants[i]) != QP_OK)
            return qp_fail_within(QP_BAD_USE, "variant %d of %d", i + 1, count);
        if (problems[i] == NULL || problems[i]->op == NULL)
            return qp_fail(QP_BAD_USE, "%s has no problem to walk through: none was made",
                           variants[i]->name);
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
    const int repeats = desc->repeats > 0 ? desc->repeats : DEFAULT_REPEATS;
    enum qp_status status = check_arguments(variants, problems, count, desc);
    if (status != QP_OK)
        return status;
    size_t numbers = 3 * (size_t)count * (size_t)repeats;
    double *block = qp_alloc(numbers, sizeof *block, "a benchmark's times");
    struct series *series = qp_alloc_zero((size_t)count, sizeof *series, "a benchmark's rows");
    status = block != NULL && series != NULL ? QP_OK : QP_NO_MEMORY;
    for (int i = 0; i < count && status == QP_OK; i++) {
        start_record(&records[i], variants[i], problems[i],
                     desc->iterations > 0 ? desc->iterations
                                          : usual_steps(context, variants[i], problems[i]),
                     style_of(desc, i));
        series[i].run = block + (size_t)i * (size_t)repeats;
        series[i].upload = series[i].run + numbers / 3;
        series[i].readback = series[i].upload + numbers / 3;
    }
    for (int done = 0; done < repeats * count && status == QP_OK; done++) {
        if (qp_is_interrupted(desc->interrupt))
            break;
        int row = done % count;
        status = run_once(context, problems[row], desc, &records[row], &series[row]);
        if (desc->on_walk != NULL)
            desc->on_walk(desc->user, done + 1, repeats * count);
    }
    for (int i = 0; i < count; i++)
        qp_problem_start_at_random(problems[i], false);
    for (int i = 0; i < count && status == QP_OK; i++)
        finish_record(&records[i], &series[i]);
    free(series);
    free(block);
    return status;
}
