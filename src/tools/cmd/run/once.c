/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/once.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/output/terminal.h"
#include "tools/cmd/run/program.h"
#include "tools/cmd/run/trial.h"

/* A run under way. */
struct run {
    const struct options *options;
    struct run_trial own; /* the kernel file with its inputs; it judges with --check */
    struct run_program program;
    /* The first state; `values` are its own, of all states as they were read back. */
    struct run_input x;
    int read;              /* after this number of steps; -1: not yet */
    struct run_input film; /* first state in all frames of an animation, one above the other */
    int frames;            /* frames of the film; 0: no film */
    double seconds;        /* seconds of all steps, without uploads and reading */
    struct run_reduction reduction;
    double reduced; /* the latest; NaN: none */
    struct run_judgement judgement;
};

/* ---- Steps ---- */

static enum qp_status read_state(struct run *run)
{
    if (run->read == run->program.steps)
        return QP_OK;
    run->read = run->program.steps;
    return run_program_read(&run->program, &run->x);
}

/* Step at which the next look at the state is due. */
static int next_stop(const struct run *run)
{
    const int each = run->options->each, steps = run->program.steps, all = run->program.all;
    return each > 0 && all - steps > each - steps % each ? steps + each - steps % each : all;
}

static enum qp_status advance(struct run *run)
{
    const double start = qp_clock();
    const enum qp_status status =
        run_program_step(&run->program, next_stop(run) - run->program.steps);
    run->seconds += qp_clock() - start;
    return status;
}

static enum qp_status print_reduction(struct run *run)
{
    const bool draws = run->program.machine == NULL;
    enum qp_status status =
        draws ? run_reduction_take(&run->reduction, run->program.array[0], &run->reduced) : QP_OK;
    /* A mean of doubles may be within their range where the sum is not. */
    const bool here =
        !draws || (run->reduction.x.type == QP_ARRAY_DOUBLE && !isfinite(run->reduced));
    if (status == QP_OK && here)
        status = read_state(run);
    if (status == QP_OK && here)
        run->reduced = run_reduction_of(run->options->reduction, &run->x);
    if (status != QP_OK)
        return status;
    progress_end();
    fprintf(run->options->table, "%.9g\n", run->reduced);
    fflush(run->options->table);
    return QP_OK;
}

static enum qp_status write_frame(struct run *run, int number)
{
    const size_t count = run_input_count(&run->x);
    const enum qp_status status = read_state(run);
    if (status != QP_OK || run->frames == 0)
        return status == QP_OK ? outcome_frame(run->options, &run->x, number) : status;
    memcpy(qp_value_at(run->film.values, run->film.precision, (size_t)number * count),
           run->x.values, count * qp_value_bytes(run->x.precision));
    return QP_OK;
}

/* Prints the reduction and writes the frame that are due after this step. */
static enum qp_status show(struct run *run)
{
    const struct options *options = run->options;
    const int steps = run->program.steps;
    const bool regular = options->each > 0 && steps % options->each == 0,
               reduces = options->reduction != REDUCE_NOTHING && steps > 0 &&
                         (regular || steps == run->program.all),
               frames = (options->frames != NULL || run->frames > 0) && regular;
    const enum qp_status status = reduces ? print_reduction(run) : QP_OK;
    return status == QP_OK && frames ? write_frame(run, steps / options->each) : status;
}

static enum qp_status take_steps(struct run *run)
{
    enum qp_status status = show(run);
    while (status == QP_OK && run->program.steps < run->program.all) {
        status = advance(run);
        if (status == QP_OK)
            status = show(run);
    }
    return status;
}

/* ---- From the file to the outcome ---- */

/* All frames are kept, because their scale is known when the last one is. */
static enum qp_status make_film(struct run *run)
{
    const struct run_input *x = &run->own.inputs.at[0];
    const int frames = 1 + run->program.all / run->options->each;
    const double rows = (double)frames * x->height, have = 0.5 * qp_memory_there(),
                 need = rows * x->width * x->channels * (double)qp_value_bytes(x->precision);
    if (need > have || rows > INT_MAX)
        return qp_fail(QP_NO_MEMORY,
                       "%d frames of %d x %d cells take %.1f GiB, and an animation may take %.1f; "
                       "take a larger --every, or --frames",
                       frames, x->width, x->height, need / 0x1p30, have / 0x1p30);
    run->film = *x;
    run->film.height *= frames;
    run->frames = frames;
    run->film.values = NULL;
    return run_input_alloc(&run->film, 1);
}

static enum qp_status prepare(struct run *run, struct qp_context *context)
{
    const struct options *options = run->options;
    struct run_trial *own = &run->own;
    enum qp_status status = run_trial_open(options, options->judged, options->judged, own);
    if (status == QP_OK)
        run_trial_note_head(own, options);
    if (status == QP_OK)
        status = outcome_check(options, &own->file->head);
    if (status == QP_OK)
        status = outcome_check_channels(options, &own->inputs.at[0]);
    if (status == QP_OK)
        status = run_program_make(context, own, &run->program);
    if (status == QP_OK && run->program.machine == NULL)
        status =
            run_reduction_make(context, options->reduction, run->program.array[0], &run->reduction);
    if (status == QP_OK && options_animates(options))
        status = make_film(run);
    const struct qp_size size = {own->inputs.at[0].width, own->inputs.at[0].height};
    if (status == QP_OK && options->judged)
        status =
            run_trial_judge(own, context, own->variant, size, run->program.all, &run->judgement);
    if (status == QP_OK)
        status = run_program_start(&run->program, &own->inputs);
    if (status != QP_OK)
        return status;
    run->x = own->inputs.at[0];
    return run_input_alloc(&run->x, own->inputs.states);
}

static void print_verdict(const struct run *run)
{
    FILE *table = run->options->table;
    const struct run_judgement *judgement = &run->judgement;
    sentence_put_name(table, run->own.file->path);
    fprintf(table, " %s %d step%s", terminal_verdict(table, judgement->verdict, 5),
            judgement->steps, judgement->steps > 1 ? "s" : "");
    if (isfinite(judgement->error))
        fprintf(table, "  error %.1e, allowed %.1e%s", judgement->error, judgement->allowed,
                run->own.cases.tolerance > 0.0 ? " by its head" : "");
    fprintf(table, ", at %dx%d%s", run->x.width, run->x.height,
            run->own.cases.own.width > 0 ? " alone, by its head" : "");
    if (judgement->worst < judgement->steps)
        fprintf(table, ", step %d", judgement->worst);
    if (run->own.cases.steps > 0)
        fprintf(table, ", at most %d by its head", run->own.cases.steps);
    if (judgement->reason[0] != '\0')
        fprintf(table, "  %s", judgement->reason);
    fputc('\n', table);
}

static void print_line(const struct run *run)
{
    const struct run_input *x = &run->x;
    const struct run_range range = outcome_range(x);
    char by[256];
    sentence_put_name(run->options->table, run->own.file->path);
    fprintf(run->options->table, ": %d step%s of %d x %d cells in %.3g s", run->program.all,
            run->program.all > 1 ? "s" : "", x->width, x->height, run->seconds);
    if (run->program.machine != NULL) {
        run_machine_tell(run->program.machine, by);
        fprintf(run->options->table, " by %s", by);
    }
    fputs("; ", run->options->table);
    if (isnan(range.mean))
        fprintf(run->options->table, "%s has no finite value\n", x->name);
    else
        fprintf(run->options->table, "%s from %.6g to %.6g, mean %.6g\n", x->name, range.low,
                range.high, range.mean);
}

/* The range and mean of the last x, and its reduction. */
static bool add_values(cJSON *row, const struct run *run)
{
    struct run_range range = outcome_range(&run->x);
    if (range.others > 0) /* no range is that of all */
        range = (struct run_range){NAN, NAN, NAN, 0};
    const enum reduction reduction = run->options->reduction;
    const char *name = reduction != REDUCE_NOTHING ? options_reduction(reduction) : NULL;
    return records_add(row, "min", records_number(range.low)) &&
           records_add(row, "max", records_number(range.high)) &&
           records_add(row, "mean", records_number(range.mean)) &&
           records_add(row, "reduce", records_string(name)) &&
           records_add(row, "reduced", records_number(run->reduced));
}

static cJSON *make_record(const struct run *run)
{
    const struct run_judgement *judgement = &run->judgement;
    cJSON *row = cJSON_CreateObject();
    const enum backend backend = run->own.machines.at[0].backend;
    const char *name = run->options->judged ? qp_verdict_name(judgement->verdict) : NULL;
    const bool good =
        records_add(row, "shader", records_string(run->own.file->path)) &&
        records_add(row, "width", records_number(run->x.width)) &&
        records_add(row, "height", records_number(run->x.height)) &&
        records_add(row, "channels", records_number(run->x.channels)) &&
        records_add(row, "iterations", records_number(run->program.all)) &&
        records_add(row, "seconds", records_number(run->seconds)) && add_values(row, run) &&
        records_add(row, "error", records_number(judgement->error)) &&
        records_add(row, "tolerance", records_number(judgement->allowed)) &&
        records_add(row, "verdict", records_string(name)) &&
        records_add(row, "reason", records_string(judgement->reason)) &&
        records_add(row, "backend", records_string(options_backend(backend))) &&
        records_add(row, "tuned", records_string(run->own.machines.at[0].build.tuned));
    return records_keep(good, row);
}

/* Writes --json and --csv if they are asked for: one record. */
static enum qp_status write_record(const struct run *run, struct qp_context *context)
{
    if (run->options->json == NULL && run->options->csv == NULL)
        return QP_OK;
    cJSON *rows = cJSON_CreateArray();
    const bool good = records_append(rows, make_record(run));
    struct records_head head = cmd_head(run->options, context);
    head.cases = run->options->judged ? &run->own.cases : NULL;
    return records_write_rows(run->options->json, run->options->csv, &head, NULL,
                              records_keep(good, rows));
}

static enum qp_status finish(struct run *run, struct qp_context *context)
{
    enum qp_status status = read_state(run);
    progress_end();
    if (status == QP_OK)
        status = outcome_write(run->options, &run->x, &run->film, run->frames);
    if (status != QP_OK)
        return status;
    if (run->judgement.verdict == QP_FAIL)
        run_trial_note_loops(&run->own, run->judgement.reason, sizeof run->judgement.reason);
    status = write_record(run, context);
    if (status == QP_OK && run->options->reduction == REDUCE_NOTHING)
        print_line(run);
    if (status == QP_OK && run->options->judged)
        print_verdict(run);
    else if (status == QP_OK)
        run_tell_blow_up(&run->program, &run->own.inputs, &run->x);
    return status;
}

static void destroy(struct run *run)
{
    free(run->x.values);
    free(run->film.values);
    run_reduction_destroy(&run->reduction);
    run_program_destroy(&run->program);
    run_trial_close(&run->own);
}

enum qp_status run_once(const struct options *options, struct qp_context *context,
                        enum qp_verdict *verdict)
{
    struct run run = {.options = options,
                      .read = -1,
                      .reduced = NAN,
                      .judgement = {.verdict = QP_SKIP, .error = NAN, .allowed = NAN}};
    progress_say("run of %s", options->words[0]);
    enum qp_status status = prepare(&run, context);
    if (status == QP_OK)
        status = take_steps(&run);
    if (status == QP_OK)
        status = finish(&run, context);
    progress_end();
    if (status == QP_OK)
        run_advise(options, context, &run.own, (double)run.x.width * run.x.height * run.program.all,
                   run.seconds);
    *verdict = run.judgement.verdict;
    destroy(&run);
    return status;
}
