/* SPDX-License-Identifier: MIT */
#include "cmd/run/once.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compare.h"
#include "base/status.h"
#include "cmd/options_run.h"
#include "cmd/output/progress.h"
#include "cmd/output/sentence.h"
#include "cmd/output/terminal.h"
#include "cmd/run/program.h"
#include "cmd/run/reference.h"
#include "toolkit/kernel.h"

/* A run under way. */
struct run {
    const struct options *options;
    struct qp_kernel_file *file;
    struct run_inputs inputs;
    struct run_program program;
    struct run_input
        x;    /* the first state; `values` are its own, of all states as they were read back */
    int read; /* after so many steps; -1: not yet */
    double seconds; /* of all steps, without uploads and reading */
    struct run_reduction reduction;
    double reduced; /* the latest; NaN: none */
    /* With --check: */
    struct run_reference reference;
    double scale;               /* largest magnitude so far */
    struct qp_comparison worst; /* of all steps, in parts of what is allowed */
    double allowed;             /* there */
    int judged;                 /* steps */
    char reason[512];           /* "": none is wrong so far */
};

/* ---- Judging ---- */

/* The error allowed after so many steps, in parts of the scale: that of trials. */
static double allowance(const struct run *run)
{
    static const double usual[] = {[QP_ARRAY_FLOAT] = 0x1p-20, [QP_ARRAY_DOUBLE] = 0x1p-48};
    const double own = run->file->head.tolerance;
    return run->program.steps * (own > 0.0 ? own : usual[run->x.type]);
}

static double largest(const double *values, size_t count)
{
    double magnitude = 0.0;
    for (size_t i = 0; i < count; i++)
        magnitude = fmax(magnitude, fabs(values[i]));
    return magnitude;
}

static enum qp_status read_state(struct run *run)
{
    if (run->read == run->program.steps)
        return QP_OK;
    run->read = run->program.steps;
    return run_program_read(&run->program, &run->x);
}

static void note(struct run *run, const struct qp_comparison *found)
{
    const double allowed = allowance(run);
    const int state = found->y / run->x.height;
    char place[192];
    run->judged++;
    if (run->judged == 1 || found->error * run->allowed >= run->worst.error * allowed) {
        run->worst = *found;
        run->allowed = allowed;
    }
    if (found->error <= allowed)
        return;
    snprintf(place, sizeof place, "cell (%d, %d)%s%s after step %d", found->x / run->x.channels,
             found->y % run->x.height, run->program.states > 1 ? " of " : "",
             run->program.states > 1 ? run->inputs.at[state].name : "", run->program.steps);
    qp_comparison_tell(found, NULL, place, allowed, run->reason, sizeof run->reason);
    qp_kernel_note_loops(run->program.kernel, run->reason, sizeof run->reason);
}

/* Compares the state with the reference's, which goes its own way from the start on, in double. After a wrong step
 * nothing is compared. */
static enum qp_status judge(struct run *run)
{
    struct run_reference *reference = &run->reference;
    if (!run->options->judged || run->reason[0] != '\0')
        return QP_OK;
    enum qp_status status = run_reference_step(reference, run->program.steps);
    if (status == QP_OK)
        status = read_state(run);
    if (status != QP_OK)
        return status;
    run->scale = fmax(run->scale, fmax(largest(reference->before, reference->count),
                                       largest(reference->after, reference->count)));
    const struct qp_matrix got = run_input_matrix(&run->x, run->program.states);
    const struct qp_comparison found =
        qp_compare(&got, reference->after, run->scale > 0.0 ? run->scale : 1.0);
    note(run, &found);
    run_reference_advance(reference);
    return QP_OK;
}

/* ---- Steps ---- */

/* Where the next look at the state is due. */
static int next_stop(const struct run *run)
{
    const int each = run->options->each, steps = run->program.steps, all = run->program.all;
    if (run->options->judged && run->reason[0] == '\0')
        return steps + 1;
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
    const enum qp_status status =
        run_reduction_take(&run->reduction, run->program.array[0], &run->reduced);
    if (status != QP_OK)
        return status;
    progress_end();
    fprintf(run->options->table, "%.9g\n", run->reduced);
    fflush(run->options->table);
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
               frames = options->frames != NULL && regular;
    enum qp_status status = reduces ? print_reduction(run) : QP_OK;
    if (status == QP_OK && frames)
        status = read_state(run);
    if (status == QP_OK && frames)
        status = outcome_frame(options, &run->x, steps / options->each);
    return status;
}

static enum qp_status take_steps(struct run *run)
{
    enum qp_status status = show(run);
    while (status == QP_OK && run->program.steps < run->program.all) {
        status = advance(run);
        if (status == QP_OK)
            status = judge(run);
        if (status == QP_OK)
            status = show(run);
    }
    return status;
}

/* ---- From the file to the outcome ---- */

static enum qp_status prepare(struct run *run, struct qp_context *context)
{
    const struct options *options = run->options;
    enum qp_status status = cmd_kernel_file(options, options->words[0], &run->file);
    if (status == QP_OK)
        status = outcome_check(options, &run->file->head);
    if (status == QP_OK)
        status = run_inputs_make(run->file, &run->inputs);
    if (status == QP_OK)
        status = outcome_check_channels(options, &run->inputs.at[0]);
    if (status == QP_OK)
        status = run_program_make(context, run->file, &run->inputs, &run->program);
    if (status == QP_OK)
        status =
            run_reduction_make(context, options->reduction, run->program.array[0], &run->reduction);
    if (status == QP_OK && options->judged)
        status = run_reference_make(run->file, &run->inputs, NULL, &run->reference);
    if (status != QP_OK)
        return status;
    run->x = run->inputs.at[0];
    return run_input_alloc(&run->x, run->inputs.states);
}

static void print_verdict(const struct run *run, enum qp_verdict verdict)
{
    FILE *table = run->options->table;
    sentence_put_name(table, run->file->path);
    fprintf(table, " %s %d step%s", terminal_verdict(table, verdict, 5), run->judged,
            run->judged > 1 ? "s" : "");
    if (isfinite(run->worst.error))
        fprintf(table, "  error %.1e, allowed %.1e", run->worst.error, run->allowed);
    fprintf(table, ", at %dx%d", run->x.width, run->x.height);
    if (run->reason[0] != '\0')
        fprintf(table, "  %s", run->reason);
    fputc('\n', table);
}

static void print_line(const struct run *run)
{
    const struct run_input *x = &run->x;
    const struct run_range range = outcome_range(x);
    sentence_put_name(run->options->table, run->file->path);
    fprintf(run->options->table, ": %d step%s of %d x %d cells in %.3g s; ", run->program.all,
            run->program.all > 1 ? "s" : "", x->width, x->height, run->seconds);
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

static cJSON *make_record(const struct run *run, enum qp_verdict verdict)
{
    cJSON *row = cJSON_CreateObject();
    const bool judged = verdict != QP_SKIP;
    const char *name = judged ? qp_verdict_name(verdict) : NULL;
    const bool good =
        records_add(row, "shader", records_string(run->file->path)) &&
        records_add(row, "width", records_number(run->x.width)) &&
        records_add(row, "height", records_number(run->x.height)) &&
        records_add(row, "channels", records_number(run->x.channels)) &&
        records_add(row, "iterations", records_number(run->program.all)) &&
        records_add(row, "seconds", records_number(run->seconds)) && add_values(row, run) &&
        records_add(row, "error", records_number(judged ? run->worst.error : (double)NAN)) &&
        records_add(row, "tolerance", records_number(judged ? run->allowed : (double)NAN)) &&
        records_add(row, "verdict", records_string(name)) &&
        records_add(row, "reason", records_string(run->reason));
    return records_keep(good, row);
}

/* Writes --json and --csv if they are asked for: one record. */
static enum qp_status write_record(const struct run *run, struct qp_context *context,
                                   enum qp_verdict verdict)
{
    if (run->options->json == NULL && run->options->csv == NULL)
        return QP_OK;
    cJSON *rows = cJSON_CreateArray();
    const bool good = records_append(rows, make_record(run, verdict));
    return cmd_write_rows(run->options, context, records_keep(good, rows));
}

static enum qp_status finish(struct run *run, struct qp_context *context, enum qp_verdict *verdict)
{
    enum qp_status status = read_state(run);
    progress_end();
    if (status == QP_OK)
        status = outcome_write(run->options, &run->x);
    if (status != QP_OK)
        return status;
    if (run->options->judged)
        *verdict = run->reason[0] == '\0' ? QP_PASS : QP_FAIL;
    status = write_record(run, context, *verdict);
    if (status == QP_OK && run->options->reduction == REDUCE_NOTHING)
        print_line(run);
    if (status == QP_OK && run->options->judged)
        print_verdict(run, *verdict);
    else if (status == QP_OK)
        run_tell_blow_up(&run->program, &run->inputs, &run->x);
    return status;
}

static void destroy(struct run *run)
{
    free(run->x.values);
    run_reference_destroy(&run->reference);
    run_reduction_destroy(&run->reduction);
    run_program_destroy(&run->program);
    run_inputs_destroy(&run->inputs);
    qp_kernel_file_destroy(&run->file);
}

enum qp_status run_once(const struct options *options, struct qp_context *context,
                        enum qp_verdict *verdict)
{
    struct run run = {.options = options, .read = -1, .reduced = NAN};
    *verdict = QP_SKIP;
    progress_say("run of %s", options->words[0]);
    enum qp_status status = prepare(&run, context);
    if (status == QP_OK)
        status = take_steps(&run);
    if (status == QP_OK)
        status = finish(&run, context, verdict);
    progress_end();
    destroy(&run);
    return status;
}
