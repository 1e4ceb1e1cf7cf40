/* SPDX-License-Identifier: MIT */
/* `quadpass bench FILE.frag`: a kernel file of the user's, by one machine or several. */
#include <limits.h>
#include <math.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/output/figures.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/run/trial.h"
#include "tools/cmd/sweep.h"

/* Judges a variant's first step, after which nothing has died away, and keeps why it is wrong. */
static enum qp_status judge_first(struct qp_context *context, struct run_trial *own,
                                  struct qp_size size, struct run_judgement first[BACKENDS])
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < own->machines.count && status == QP_OK; k++) {
        const struct run_machine *machine = &own->machines.at[k];
        first[k] = (struct run_judgement){.verdict = QP_PASS};
        if (own->object.file[0] != '\0' && machine->missing[0] == '\0')
            status = run_trial_judge(own, context, machine->variant, size, 1, &first[k]);
    }
    return status;
}

/* Speeds beside that of the first machine. */
static void print_ratios(FILE *table, const struct qp_record *records, int count)
{
    const struct qp_record *first = NULL;
    char ratio[FIGURE_SIZE];
    for (int k = 0; k < count; k++) {
        if (isnan(records[k].seconds))
            continue;
        if (first != NULL) {
            figure_print_ratio(ratio, 2, &records[k], first, records[k].glups / first->glups);
            fprintf(table, "  %s / %s, speeds: %s\n", records[k].variant->name,
                    first->variant->name, ratio);
        }
        first = first != NULL ? first : &records[k];
    }
}

/* Says what a judged file's head decides of its own judging. */
static void print_by_head(FILE *table, const struct records_cases *cases)
{
    const char *before = "  judged by its head: ";
    if (cases->tolerance > 0.0)
        fprintf(table, "%stolerance %g", before, cases->tolerance);
    before = cases->tolerance > 0.0 ? ", " : before;
    if (cases->own.width > 0)
        fprintf(table, "%ssize %dx%d", before, cases->own.width, cases->own.height);
    before = cases->own.width > 0 ? ", " : before;
    if (cases->steps > 0)
        fprintf(table, "%ssteps %d", before, cases->steps);
    if (before[0] == ',' || cases->steps > 0)
        fputc('\n', table);
}

/* A kernel file at one size, by all its machines. */
static enum qp_status bench_at(struct command *command, struct run_trial *own,
                               const struct bench_variants *variants, struct qp_size size)
{
    const struct options *options = command->options;
    const int scheduled = qp_kernel_file_shortest(own->file)->values, steps = own->file->head.steps;
    const struct qp_bench_desc desc = {.iterations = options->iterations > 0 ? options->iterations
                                                     : steps == 0 && scheduled < INT_MAX ? scheduled
                                                                                         : steps,
                                       .repeats = options->repeats};
    struct qp_problem problem, *problems[BACKENDS];
    struct run_judgement first[BACKENDS];
    const int before = command->count;
    for (int k = 0; k < variants->count; k++)
        problems[k] = &problem;
    progress_say("bench of %s, %d x %d", own->variant->name, size.width, size.height);
    enum qp_status status = judge_first(command->context, own, size, first);
    if (status == QP_OK)
        status = run_trial_make(own, 0, size.width, size.height, 1, &problem);
    if (status != QP_OK)
        return command_unless_interrupted(status);
    status = command_bench(command, variants->variant, problems, variants->count, &desc);
    struct qp_record *records = command->records + before;
    const int count = command->count - before;
    for (int k = 0; k < variants->count; k++) {
        struct qp_record *record = &records[k];
        if (k < count && first[k].verdict == QP_FAIL && record->verdict == QP_PASS)
            cmd_fail(record, first[k].reason);
        if (k < count && status == QP_OK)
            status = qp_trivials_add(&first[k].trivials, &problem, record->iterations,
                                     record->tolerance);
        if (k < count)
            qp_trivials_doubt(&first[k].trivials, record);
        status = run_trial_end(own, status, record);
    }
    progress_end();
    qp_problem_destroy(&problem);
    if (status != QP_OK)
        return status;
    if (count > 0)
        bench_print_table(options->table, records, variants);
    print_ratios(options->table, records, count);
    if (options->cases != NULL && count > 0)
        print_by_head(options->table, options->cases);
    for (int k = 0; k < count; k++)
        bench_print_tuned(options->table, &records[k], own->machines.at[k].build.tuned);
    return QP_OK;
}

/* A kernel file, at the usual sizes or its own. */
enum qp_status cmd_bench_file(struct command *command)
{
    struct options *options = command->options;
    struct run_trial own;
    int sizes = 0;
    cmd_catch_interrupt();
    enum qp_status status = run_trial_open(options, !options->no_reference, false, &own);
    if (status != QP_OK)
        return status;
    run_trial_note_head(&own, options);
    options->cases = own.object.file[0] != '\0' ? &own.cases : NULL;
    const struct qp_variant *variant[BACKENDS];
    struct qp_style style[BACKENDS];
    const struct bench_variants variants = {variant, style, own.machines.count, false, 0.0};
    for (int k = 0; k < variants.count; k++) {
        variant[k] = own.machines.at[k].variant;
        style[k] = (struct qp_style){.pingpong = options->pingpong};
    }
    status = own.machines.at[0].backend == BACKEND_GL
                 ? command_open_for(command, NULL)
                 : command_open(command, variant, variants.count);
    if (status == QP_OK)
        status = run_trial_compile(&own, command->context);
    const struct qp_size *size = own.size->width > 0 ? own.size : qp_usual_runs.bench_sizes;
    for (; size[sizes].width > 0; sizes++) {
        if (status == QP_OK && !cmd_interrupted)
            status = bench_at(command, &own, &variants, size[sizes]);
    }
    if (status == QP_OK) {
        command_count(command, command->records, command->count / variants.count, variants.count);
        status = command_write(command);
    }
    run_trial_close(&own);
    return command_finish(command, status, command->count, sizes * variants.count, "lines");
}
