/* SPDX-License-Identifier: MIT */
/* `quadpass walk FILE.frag`: the contents of each stage for a kernel of the user's. Nothing judges
 * it. */
#include <stdlib.h>

#include "lab/plan/plan.h"
#include "toolkit/base/whole.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/output/trace.h"
#include "tools/cmd/run/trial.h"

/* Prints values of one array of a matrix that has several, one above the other. */
static void print(const struct trace *trace, const char *what, enum qp_array_type type,
                  const struct qp_matrix *all, int first, int height)
{
    enum { MOST = 16 /* values of a row, and rows */ };
    fprintf(trace->out, "    %s, row 0 at the bottom%s:\n", what,
            all->width > MOST || height > MOST ? ", a part of it" : "");
    trace_print(trace,
                &(struct trace_numbers){.values = qp_value_at(qp_matrix_values(all), all->precision,
                                                              (size_t)first * (size_t)all->width),
                                        .precision = all->precision,
                                        .width = all->width,
                                        .height = height,
                                        .apart = all->width,
                                        .columns = MOST,
                                        .lines = MOST,
                                        .decimals = qp_array_is_whole(type) ? 0 : 3});
}

/* All states of the source, or of the target, as the host reads them. */
static void print_states(const struct trace *trace)
{
    const struct run_trial *trial = trace->user;
    const int height = trace->plan->problem->height;
    struct qp_matrix x;
    const enum qp_status status = trace_matrix(trace->plan, trace->stage == QP_STAGE_PASS, &x);
    for (int k = 0; k < trial->file->states && status == QP_OK; k++)
        print(trace, trial->file->desc.input[k].name, trial->file->desc.output_type, &x, k * height,
              height);
    qp_matrix_destroy(&x);
}

/* The text that is drawn, in the short form after the toolkit's declarations. */
static void print_text(FILE *out, const struct qp_kernel_file *file,
                       const struct qp_kernel *compiled)
{
    unsigned outsides = 0;
    char *head = NULL, sent[QP_KERNEL_SENT];
    for (int k = 0; k < file->inputs; k++)
        outsides |= (unsigned)(file->array[k].outside | QP_KERNEL_PART) << 3 * k;
    if (file->is_short && (head = qp_kernel_head(compiled, outsides, NULL)) != NULL)
        sentence_put_lines(out, head, 0);
    sentence_put_lines(out, file->is_short ? compiled->drawn : file->text, 1);
    if (file->places) {
        qp_kernel_write_sent(compiled, sent);
        sentence_put_lines(out, sent, 1);
    }
    free(head);
}

static void print_inputs(const struct trace *trace)
{
    const struct run_inputs *inputs = &((const struct run_trial *)trace->user)->inputs;
    for (int k = 0; k < inputs->count; k++) {
        const struct qp_matrix all = run_input_matrix(&inputs->at[k], 1);
        print(trace, inputs->at[k].name, inputs->at[k].type, &all, 0, all.height);
    }
}

static void print_upload(const struct trace *trace)
{
    const struct run_trial *trial = trace->user;
    fprintf(trace->out, "    arrays = textures%s\n",
            trial->file->is_short ? ", with NaN around the cells" : "");
}

static void print_kernels(const struct trace *trace)
{
    const struct run_trial *trial = trace->user;
    const struct qp_kernel_file *file = trial->file;
    for (int k = 0; k < trial->turns; k++) {
        fprintf(trace->out, "    kernel = shader: %s\n", file->path);
        if (trace->with_texts)
            print_text(trace->out, file, trial->compiled[k]);
        file = file->next;
    }
}

static void print_unpacking(const struct trace *trace)
{
    if (((const struct run_trial *)trace->user)->file->is_short)
        fputs("    nothing was written beside the cells\n", trace->out);
}

static const struct trace_stage stages[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {NULL, print_inputs},
    [QP_STAGE_UPLOAD] = {NULL, print_upload},
    [QP_STAGE_PROGRAM] = {NULL, print_kernels},
    [QP_STAGE_PASS] = {"    computing = drawing; the target after the first step:\n", print_states},
    [QP_STAGE_READBACK] = {"    the source after the last step:\n", print_states},
    [QP_STAGE_UNPACK] = {NULL, print_unpacking},
};

enum qp_status cmd_walk_file(struct options *options, struct command *command)
{
    struct run_trial trial;
    struct qp_problem problem = {0};
    struct qp_result result = {.verdict = QP_NO_VERDICT};
    struct trace trace = {.stages = stages,
                          .user = &trial,
                          .out = options->table,
                          .plain = true,
                          .with_texts = options->text};
    enum qp_status status = run_trial_open(options, false, false, &trial);
    if (status != QP_OK)
        return status;
    const struct qp_size usual = {8, 8}, *size = trial.size->width > 0 ? trial.size : &usual;
    status = command_open_for(command, NULL);
    if (status == QP_OK)
        status = run_trial_compile(&trial, command->context);
    if (status == QP_OK)
        status = run_trial_make(&trial, 0, size->width, size->height, 1, &problem);
    const struct qp_walk_desc desc = {
        .iterations = options->iterations > 0 ? options->iterations
                      : trial.file->head.steps > 0
                          ? trial.file->head.steps
                          : qp_least(2, qp_kernel_file_shortest(trial.file)->values),
        .unchecked = true};
    if (status == QP_OK)
        status = trace_walk(&trace, command->context, trial.variant, &problem, &desc, &result);
    if (status == QP_OK && result.verdict == QP_PASS)
        fprintf(options->table,
                "\n%s: %d step%s, all values are numbers; nothing judged them, for stages 9 and 10 "
                "are left to 'quadpass check', and 2 and 6 have nothing to show\n",
                trial.variant->name, result.iterations, result.iterations > 1 ? "s" : "");
    else if (status == QP_OK)
        fprintf(options->table, "\n%s: %s: %s\n", trial.variant->name,
                qp_verdict_name(result.verdict), result.reason);
    qp_problem_destroy(&problem);
    run_trial_close(&trial);
    command->code = result.verdict == QP_FAIL ? EXIT_FAILED : EXIT_GOOD;
    return status;
}
