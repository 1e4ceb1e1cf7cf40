/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/trial.h"

#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/output/sentence.h"

bool run_trial_is_asked(const struct options *options)
{
    bool asked = options->word_count > 0;
    for (int k = 0; k < options->word_count; k++)
        asked = asked && options_is_kernel_file(options->words[k]);
    return asked;
}

/* ---- The reference ---- */

/* Leaves outputs as they are where the reference's process has ended, or anything else was wrong
 * with it. */
static void judge_again(const struct qp_kernel_grid *grid, int try, double *const output[])
{
    struct run_trial *trial = grid->user;
    struct run_reference *reference = &trial->reference;
    const size_t one = (size_t)grid->width * (size_t)grid->height * (size_t)grid->channels;
    if (trial->ended != QP_OK || reference->process == 0)
        return;
    for (int k = 0; k < trial->file->states; k++)
        memcpy(reference->before + (size_t)k * one, grid->input[k].values, one * sizeof(double));
    const enum qp_status status = run_reference_step(reference, grid->number, try);
    for (int k = 0; k < trial->file->states && status == QP_OK; k++)
        memcpy(output[k], reference->after + (size_t)k * one, one * sizeof(double));
    if (try < 0 || reference->process == 0)
        trial->ended = status;
    snprintf(trial->sentence, sizeof trial->sentence, "%s", qp_error());
}

static double judge(const struct qp_kernel_grid *grid, double *const output[])
{
    judge_again(grid, -1, output);
    return 0.0;
}

/* The reference says what an interrupt ended, for commands say no more than that there was one. */
static enum qp_status fail_ended(const struct run_trial *trial)
{
    if (cmd_interrupted)
        sentence_say("%s", trial->sentence);
    return qp_fail(trial->ended, "%s", trial->sentence);
}

static void close_problem(struct run_trial *trial)
{
    run_reference_destroy(&trial->reference);
    run_inputs_destroy(&trial->inputs);
}

/* Another problem, with a reference of its own, for a while. */
static enum qp_status judge_other_seed(void *user, const struct qp_problem *problem, double *answer)
{
    struct run_trial *trial = user;
    const struct run_trial now = *trial;
    struct qp_problem other = {.op = NULL};
    bool is_random = false;
    for (int k = 0; k < now.inputs.count; k++)
        is_random |=
            now.inputs.at[k].array->made == QP_MADE_RANDOM || now.inputs.at[k].array->from == NULL;
    if (!is_random)
        return QP_UNSUPPORTED;
    trial->inputs = (struct run_inputs){0};
    trial->reference = (struct run_reference){0};
    enum qp_status status =
        run_trial_make(trial, QP_TRIAL_OTHER_SEED, problem->width, problem->height, 1, &other);
    if (status == QP_OK)
        status = qp_problem_reference(&other, problem->reference_iterations, &cmd_interrupted);
    if (status == QP_OK)
        status = trial->ended;
    if (status == QP_OK)
        memcpy(answer, other.reference, qp_problem_answers(&other) * sizeof *answer);
    qp_problem_destroy(&other);
    close_problem(trial);
    *trial = now;
    return status;
}

/* ---- Problems ---- */

/* An array's values in place of what the trial has made. */
static enum qp_status put(const struct run_input *input, struct qp_problem *problem, double *state)
{
    struct qp_matrix *field = qp_problem_field(problem, input->name);
    enum qp_status status = QP_OK;
    if (state == NULL) {
        qp_matrix_destroy(field);
        status = qp_matrix_make(input->width * input->channels, input->height, QP_DOUBLES, field);
        state = field->doubles;
    }
    for (size_t i = 0; i < run_input_count(input) && status == QP_OK; i++)
        state[i] = qp_value(input->values, input->precision, i);
    return status;
}

enum qp_status run_trial_make(void *user, int number, int width, int height, int systems,
                              struct qp_problem *out)
{
    struct run_trial *trial = user;
    struct qp_kernel_file_head *head = &trial->file->head;
    const unsigned long long seed = head->seed;
    const bool has_seed = head->has_seed;
    (void)systems;
    close_problem(trial);
    head->width = width;
    head->height = height;
    head->seed = (has_seed ? seed : 1) + (unsigned long long)number;
    head->has_seed = true;
    *out = (struct qp_problem){0};
    enum qp_status status = run_inputs_make(trial->file, &trial->inputs);
    head->seed = seed;
    head->has_seed = has_seed;
    for (int k = 0; k < trial->machines.count && status == QP_OK; k++)
        status =
            trial->machines.at[k].backend != BACKEND_GL ? run_machines_take(&trial->inputs) : QP_OK;
    if (status == QP_OK)
        status = qp_trial_problem(trial->trial, width, height, 1, out);
    for (int k = 0; k < trial->inputs.count && status == QP_OK; k++) {
        const struct run_input *input = &trial->inputs.at[k];
        double *states = out->field[0].doubles + (size_t)k * run_input_count(input);
        status = put(input, out, k < trial->inputs.states ? states : NULL);
    }
    if (status == QP_OK && trial->object.file[0] != '\0')
        status = run_reference_make(trial->file, &trial->inputs, &trial->object,
                                    &trial->machines.at[0].limits, &trial->reference);
    if (status != QP_OK)
        qp_problem_destroy(out);
    return status;
}

/* ---- The trial ---- */

/* Refuses more steps than a schedule has values. */
static enum qp_status check_schedules(const struct qp_kernel_file *file, int steps)
{
    const struct qp_kernel_file_schedule *shortest = qp_kernel_file_shortest(file);
    return shortest->values >= steps
               ? QP_OK
               : qp_fail(QP_BAD_USE,
                         "%s: schedule %s has %d value%s, and %d steps are asked for; each step "
                         "needs one",
                         file->path, shortest->name, shortest->values,
                         shortest->values > 1 ? "s" : "", steps);
}

/* Numbers of a step of the trial's, or of the run that it is a part of. */
static void set_step(void *user, int step, int steps, struct qp_pass_number *number)
{
    const struct run_trial *trial = user;
    qp_kernel_file_step(trial->file, step, trial->all > 0 ? trial->all : steps, number);
}

/* A fresh number of steps in place of the second usual one, where another one comes after it. */
static void choose_steps(const struct options *options, struct run_trial *trial)
{
    enum { LAST_USUAL = 7 };
    qp_trial_choose_steps(trial->file, trial->steps);
    if (trial->steps[2] >= LAST_USUAL)
        trial->fresh_steps = run_trial_draw_steps(options, trial->file);
    if (trial->fresh_steps > 0)
        trial->steps[1] = trial->fresh_steps;
}

/* Variants of all machines: "kernel" for OpenGL alone, for several each machine's name. */
static enum qp_status add_rows(const struct options *options, struct run_trial *out)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < out->machines.count && status == QP_OK; k++) {
        struct run_machine *machine = &out->machines.at[k];
        const char *name = options->backends != 0 ? options_backend(machine->backend) : "kernel";
        status = run_machine_add(machine, out->trial, out->kernel, out->turns, &out->inputs, name);
    }
    out->variant = out->machines.at[0].variant;
    return status;
}

/* Describes each file's kernel; QP_BAD_USE for files whose states are not the same, or that have
 * more arrays together than a kernel. */
static enum qp_status describe_turns(struct run_trial *out)
{
    const struct qp_kernel_file *first = out->file;
    for (const struct qp_kernel_file *file = first; file != NULL; file = file->next)
        out->kernel[out->turns++] = run_inputs_describe(&out->inputs, file);
    for (const struct qp_kernel_file *file = first; file != NULL; file = file->next) {
        bool same = file->states == first->states && out->inputs.count <= QP_KERNEL_INPUTS;
        for (int k = 0; k < file->states; k++)
            same = same && strcmp(file->array[k].name, first->array[k].name) == 0;
        if (!same)
            return qp_fail(QP_BAD_USE,
                           "%s and %s have other states or more than %d arrays together, so "
                           "nothing judges them in turn; check each file by itself",
                           first->path, (file != first ? file : first->next)->path,
                           QP_KERNEL_INPUTS);
    }
    return QP_OK;
}

/* The trial's kernel has the arrays of all files; the first file has all numbers. */
static enum qp_status make_trial(const struct options *options, struct run_trial *out)
{
    const struct qp_kernel_file *file = out->file;
    const bool changes = file->number[file->head.numbers].name != NULL;
    char name[64];
    enum qp_status status = describe_turns(out);
    if (status != QP_OK) /* a run alone needs no trial */
        return strcmp(options->command->name, "run") == 0 && !options->judged ? QP_OK : status;
    struct qp_kernel_desc kernel = out->kernel[0];
    qp_trial_name_file(file->path, name);
    choose_steps(options, out);
    struct qp_trial_desc desc = {.name = name,
                                 .reference = out->object.file[0] != '\0' ? judge : NULL,
                                 .user = out,
                                 .tolerance = file->head.tolerance,
                                 .set_step = changes ? set_step : NULL,
                                 .steps = out->steps};
    for (int k = 0; k < out->inputs.count; k++) {
        const struct run_input *input = &out->inputs.at[k];
        kernel.input[k] = (struct qp_kernel_input){input->name, input->type, input->channels, 0};
        desc.input[k] = (struct qp_trial_input){.name = input->name,
                                                .outside = input->array->outside,
                                                .value = input->array->outside_value};
        if (k < file->states)
            desc.state[k] = input->name;
    }
    memcpy(desc.number, file->number, sizeof file->number);
    status = qp_trial_create(&desc, &kernel, &out->trial);
    if (status != QP_OK)
        return status;
    out->trial->again = judge_again;
    out->trial->other_seed = judge_other_seed;
    return add_rows(options, out);
}

static bool is_sized(const struct qp_kernel_file *file)
{
    bool sized = file->head.width > 0;
    for (int k = 0; k < file->states; k++)
        sized = sized || (file->array[k].from != NULL && file->array[k].made == QP_MADE_NOT);
    return sized;
}

/* Without a compiler there is no kernel in C either. */
static enum qp_status compile_reference(const struct options *options, const char *path,
                                        struct run_trial *out)
{
    sentence_say("compiling %s%s%s%s", path, options->judged ? "" : ", which ",
                 options->judged ? "" : options->words[0], options->judged ? "" : " names");
    const enum qp_status status = run_reference_compile(
        path, out->file->inputs > out->file->states || out->file->next != NULL, &out->object);
    return status == QP_BAD_USE && qp_kernel_file_is_function(out->file)
               ? qp_fail(QP_NO_DEVICE, "%s", qp_error())
               : status;
}

/* QP_BAD_USE for options that kernels in other languages than fragment shaders' do not have. */
static enum qp_status check_language(const struct options *options,
                                     const struct qp_kernel_file *file)
{
    if (!qp_kernel_file_is_function(file) ||
        (options->backends == 0 && !options->fast && !options->disguise))
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "%s is in %s, which says where it runs: leave --backend, --fast and --disguise "
                   "out",
                   file->path, qp_kernel_file_called(qp_kernel_file_function(file)->language));
}

enum qp_status run_trial_open(const struct options *options, bool refers, bool needed,
                              struct run_trial *out)
{
    const bool of_rows =
        options->variant != NULL || options->problem != NULL || options->parameter >= 0 ||
        options->weight > 0.0 || options->condition > 0.0 || options->block > 0 ||
        options->group_x > 0 || options->target != QP_RECTANGLE ||
        options->pingpong != QP_TWO_ATTACHMENTS || options->parts.count > 0 ||
        options->parts.depth > 0 || options->parts.split != 0 || options->parts.alpha != 0 ||
        options_compare(options) || options->all_problems || options->all_parameters;
    *out = (struct run_trial){.file = NULL};
    if (of_rows)
        return qp_fail(QP_BAD_USE,
                       "%s: a kernel file has no variants, kinds of problems, parameters, weights, "
                       "blocks, parts and styles; leave them out",
                       options->words[0]);
    enum qp_status status = cmd_kernel_file(options, options->words[0], &out->file);
    if (status == QP_OK && qp_kernel_file_sync(out->file)->number != QP_SYNC_JACOBI)
        sentence_say("%s:%d: sync is for generated programs; here all cells are computed together",
                     options->words[0], qp_kernel_file_sync(out->file)->line);
    if (status == QP_OK)
        status = check_schedules(out->file, options->iterations > 0 ? options->iterations
                                                                    : out->file->head.steps);
    if (status == QP_OK)
        status = check_language(options, out->file);
    const char *reference = status == QP_OK && refers ? out->file->head.check : NULL;
    if (status == QP_OK && needed && reference == NULL)
        status =
            qp_fail(QP_BAD_USE,
                    "%s names no reference, so nothing judges it; add a line '//@ check REF.c' "
                    "to its head",
                    options->words[0]);
    if (status == QP_OK && reference != NULL)
        status = compile_reference(options, reference, out);
    if (status == QP_OK) /* at any size, for what files say of channels */
        status = run_inputs_make(out->file, &out->inputs);
    if (status == QP_OK &&
        ((options->backends & ~(1u << BACKEND_GL)) != 0 || qp_kernel_file_is_function(out->file)))
        status = run_machines_take(&out->inputs);
    if (status == QP_OK)
        status = run_machines_make(options, out->file, &out->machines);
    if (status == QP_OK && qp_kernel_file_is_function(out->file) &&
        out->machines.at[0].missing[0] != '\0')
        status = qp_fail(QP_NO_DEVICE, "%s", out->machines.at[0].missing);
    if (status == QP_OK)
        status = make_trial(options, out);
    if (status == QP_OK && is_sized(out->file))
        out->size[0] = (struct qp_size){out->inputs.at[0].width, out->inputs.at[0].height};
    if (status != QP_OK)
        run_trial_close(out);
    return status;
}

/* A compute shader runs in a process, on the context's device. */
static enum qp_status compile_shader(const struct qp_kernel_file *file, struct qp_context *context)
{
    if (context == NULL)
        return qp_fail_within(QP_NO_DEVICE, "%s", file->path);
    return setenv("QUADPASS_RENDERER", qp_context_device(context)->renderer, 1) == 0
               ? qp_build_try_shader(context, file)
               : qp_fail(QP_NO_MEMORY, "%s: no memory for its device's name", file->path);
}

enum qp_status run_trial_compile(struct run_trial *trial, struct qp_context *context)
{
    if (qp_kernel_file_function(trial->file)->language == QP_IN_COMPUTE)
        return compile_shader(trial->file, context);
    const bool draws = trial->machines.at[0].backend == BACKEND_GL;
    enum qp_status status = QP_OK;
    for (int k = 0; k < trial->turns && context != NULL && draws && status == QP_OK; k++)
        status = qp_kernel_create(context, &trial->kernel[k], &trial->compiled[k]);
    return status;
}

void run_trial_close(struct run_trial *trial)
{
    for (int k = 0; k < trial->turns; k++)
        qp_kernel_destroy(&trial->compiled[k]);
    close_problem(trial);
    records_forget(&trial->mutants);
    run_reference_forget(&trial->object);
    qp_trial_destroy(&trial->trial);
    run_machines_destroy(&trial->machines);
    qp_kernel_file_destroy(&trial->file);
}

void run_trial_note_loops(const struct run_trial *trial, char *reason, size_t size)
{
    for (int k = 0; k < trial->turns; k++) {
        if (trial->compiled[k] != NULL)
            qp_kernel_note_loops(trial->compiled[k], reason, size);
    }
}

enum qp_status run_trial_end(const struct run_trial *trial, enum qp_status status,
                             struct qp_record *record)
{
    if (status == QP_OK && record->verdict == QP_FAIL)
        run_trial_note_loops(trial, record->reason, sizeof record->reason);
    return trial->ended != QP_OK ? fail_ended(trial) : status;
}

/* ---- Runs ---- */

/* Walks once, and keeps the walk where it is the first, failed, or came nearer to what is allowed
 * than the one that is kept. */
static enum qp_status judge_steps(struct run_trial *trial, struct qp_context *context,
                                  const struct qp_variant *variant, struct qp_problem *problem,
                                  int steps, struct run_judgement *out, bool *wrong)
{
    const struct qp_walk_desc desc = {.iterations = steps, .interrupt = &cmd_interrupted};
    struct qp_result result;
    snprintf(trial->trial->where, sizeof trial->trial->where, " after step %d", steps);
    const enum qp_status status = qp_walk(context, variant, problem, &desc, &result);
    if (trial->ended != QP_OK)
        return fail_ended(trial);
    if (status != QP_OK)
        return status;
    if (result.verdict == QP_SKIP || result.cause == QP_DEVICE || cmd_interrupted)
        return cmd_interrupted ? qp_watch_fail() : qp_fail(result.cause, "%s", result.reason);
    *wrong = result.verdict == QP_FAIL;
    if (!*wrong && qp_trivials_add(&out->trivials, problem, steps, result.tolerance) != QP_OK)
        return QP_NO_MEMORY;
    if (*wrong || steps == 1 || result.error * out->allowed >= out->error * result.tolerance) {
        *out = (struct run_judgement){result.verdict,   steps, steps,        result.error,
                                      result.tolerance, "",    out->trivials};
        memcpy(out->reason, result.reason, sizeof out->reason);
    }
    return QP_OK;
}

enum qp_status run_trial_judge(struct run_trial *trial, struct qp_context *context,
                               const struct qp_variant *variant, struct qp_size size, int steps,
                               struct run_judgement *out)
{
    struct qp_problem problem;
    int right = 0, step = 1;
    trial->all = steps;
    bool wrong = false;
    enum qp_status status = run_trial_make(trial, 0, size.width, size.height, 1, &problem);
    for (; status == QP_OK && !wrong && right < steps; step = qp_least(4 * step, steps)) {
        status = judge_steps(trial, context, variant, &problem, step, out, &wrong);
        right = wrong ? right : step;
    }
    while (status == QP_OK && out->verdict == QP_FAIL && out->steps - right > 1) {
        step = right + (out->steps - right) / 2;
        status = judge_steps(trial, context, variant, &problem, step, out, &wrong);
        right = wrong ? right : step;
    }
    if (out->verdict == QP_PASS)
        out->steps = steps;
    trial->all = 0;
    qp_problem_destroy(&problem);
    return status;
}
