/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/machine.h"

#include <signal.h>
#include <string.h>

#include "../templates/sizes.h"
#include "lab/engines/common.h"
#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"

/* ---- Sizes of a check ---- */

void run_machine_list_sizes(struct run_machine *machine)
{
    struct qp_size *end = machine->sizes + SIZE_OF_REACH;
    int(*tiles)[2] = machine->process.sizes;
    for (int k = 0; k < QP_MACHINE_SIZES && tiles[k][0] > 0; k++)
        *end++ = (struct qp_size){tiles[k][0], tiles[k][1]};
    memcpy(end, machine->fresh, sizeof machine->fresh);
}

/* ---- Its process ---- */

/* A program at a limit is the kernel's fault. It is not tried again in each case. */
static enum qp_status settle(struct run_machine *machine, enum qp_status status)
{
    const bool late = status == QP_DEVICE;
    if (!late && (status != QP_BAD_INPUT || strstr(qp_error(), " GiB of data ") == NULL))
        return status;
    status = qp_fail(QP_BAD_INPUT, "%s; %s changes that", qp_error(),
                     late ? "--time-limit SECONDS, of a step," : "--memory-limit GIB");
    if (late)
        snprintf(machine->late, sizeof machine->late, "%s", qp_error());
    return status;
}

enum qp_status run_machine_open(struct run_machine *machine, int width, int height, int ordinal)
{
    struct qp_machine *process = &machine->process;
    const struct qp_allowance limits = {
        machine->limits.seconds, machine->backend == BACKEND_CPU ? machine->limits.gib : 0.0};
    enum qp_status status = QP_OK;
    if (machine->missing[0] != '\0')
        return qp_fail(QP_UNSUPPORTED, "%s", machine->missing);
    if (machine->late[0] != '\0')
        return qp_fail(QP_BAD_INPUT, "%s", machine->late);
    if (process->process == 0 || process->width != width || process->height != height) {
        qp_machine_close(process);
        status = qp_machine_open(&machine->build, machine->kernel, width, height, ordinal, &limits,
                                 process);
        process->is_fast = machine->is_fast;
        run_machine_list_sizes(machine);
    }
    return settle(machine, status);
}

enum qp_status run_machine_load(struct run_machine *machine, int steps)
{
    return settle(machine, qp_machine_load(&machine->process, steps));
}

/* Each of the steps may take as long as all limits say. */
enum qp_status run_machine_take(struct run_machine *machine, int steps)
{
    machine->process.limits.seconds = machine->limits.seconds * steps;
    return settle(machine, qp_machine_take(&machine->process, steps));
}

enum qp_status run_machine_finish(struct run_machine *machine)
{
    const enum qp_status status = qp_machine_finish(&machine->process);
    machine->process.limits.seconds = machine->limits.seconds;
    return settle(machine, status);
}

enum qp_status run_machine_put(struct run_machine *machine, int array, enum qp_precision precision,
                               const void *values)
{
    struct qp_machine *process = &machine->process;
    const size_t count = (size_t)process->width * (size_t)process->height;
    qp_typed_put(machine->kernel->desc.input[array].type, precision, values, count, process->cells);
    return settle(machine, qp_machine_put(process, array));
}

enum qp_status run_machine_get(struct run_machine *machine, int state, enum qp_precision precision,
                               void *values)
{
    struct qp_machine *process = &machine->process;
    const size_t count = (size_t)process->width * (size_t)process->height;
    const enum qp_status status = settle(machine, qp_machine_get(process, state));
    if (status == QP_OK)
        qp_typed_take(machine->kernel->desc.output_type, process->cells, count, precision, values);
    return status;
}

/* ---- Stages 3 to 7 ---- */

enum { ASTRAY = 12 /* an even number above ten, for kernels that are right ten times */ };

static enum qp_kernel_language language_of(const struct run_machine *machine)
{
    return qp_kernel_file_function(machine->kernel)->language;
}

static struct run_machine *machine_of(const struct qp_plan *plan)
{
    return qp_trial_recipe_of(plan->variant)->user;
}

/* Arrays are numbered as the trial's inputs. Targets are the program's own affair. */
static enum qp_status put(const struct qp_plan *plan, int i)
{
    const struct qp_trial *trial = qp_trial_recipe_of(plan->variant)->trial;
    const struct qp_trial_array *input = &trial->input[i];
    const double *values = input->state >= 0
                               ? plan->problem->field[0].doubles +
                                     (size_t)input->state * qp_trial_values(trial, plan->problem)
                               : plan->problem->field[input->field].doubles;
    return run_machine_put(machine_of(plan), i, QP_DOUBLES, values);
}

static enum qp_status get(const struct qp_plan *plan, const struct qp_plan_array *state, int output,
                          enum qp_precision precision, void *values)
{
    (void)state;
    return run_machine_get(machine_of(plan), output, precision, values);
}

static const struct qp_trial_ways ways = {NULL, NULL, get};

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    machine_of(plan)->steps = qp_most(desc->iterations, 1); /* a step is for the warm-up */
    plan->most_steps = 1 << (qp_kernel_file_is_function(machine_of(plan)->kernel) ? 6 : 10);
    return qp_trial_arrange(plan, sizeof(struct qp_plan_arrays), &ways);
}

/* Reads the text of a walk's variant: the file's, or a mutant's. */
static enum qp_status read_text(const struct run_machine *machine, const struct qp_variant *variant,
                                struct qp_kernel_file **out)
{
    const char *changed = variant->recipe->draw[0].fragment_text;
    return qp_kernel_file_make(machine->kernel->path,
                               changed != NULL ? changed : machine->kernel->text, out);
}

/* Gives the text to a compute shader's process. */
static enum qp_status take_text(struct run_machine *machine, const struct qp_variant *variant)
{
    struct qp_kernel_file *file = NULL;
    bool other = false;
    enum qp_status status = read_text(machine, variant, &file);
    if (status == QP_OK)
        status = qp_build_take_shader(file, &machine->build, &other);
    if (other) {
        qp_machine_close(&machine->process);
        machine->late[0] = '\0';
    }
    qp_kernel_file_destroy(&file);
    return status;
}

enum qp_status run_machine_refuses(const struct run_machine *machine, struct qp_context *context,
                                   const struct qp_variant *variant, bool *refused)
{
    struct qp_kernel_file *file = NULL;
    *refused = false;
    if (language_of(machine) != QP_IN_COMPUTE)
        return QP_OK;
    enum qp_status status = read_text(machine, variant, &file);
    if (status == QP_OK)
        status = qp_build_try_shader(context, file);
    qp_kernel_file_destroy(&file);
    *refused = status == QP_BAD_INPUT;
    return *refused ? QP_OK : status;
}

/* A kernel in C gets a process of its own for each walk, where it remembers nothing. */
static enum qp_status upload(struct qp_plan *plan)
{
    struct run_machine *machine = machine_of(plan);
    if (language_of(machine) == QP_IN_COMPUTE && take_text(machine, plan->variant) != QP_OK)
        return QP_BAD_INPUT;
    if (language_of(machine) == QP_IN_C)
        qp_machine_close(&machine->process);
    enum qp_status status =
        run_machine_open(machine, plan->problem->width, plan->problem->height, plan->ordinal);
    for (int i = 0; i < qp_trial_recipe_of(plan->variant)->trial->inputs && status == QP_OK; i++)
        status = put(plan, i);
    return status;
}

/* A kernel in another language may have other numbers in each step. */
static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct run_machine *machine = machine_of(plan);
    const struct qp_trial *trial = qp_trial_recipe_of(plan->variant)->trial;
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1];
    enum qp_status status = QP_OK;
    if (trial->desc.set_step == NULL)
        return run_machine_take(machine, count);
    for (int i = 0; i < count && status == QP_OK; i++) {
        qp_trial_set_step(trial, machine->step++ % machine->steps, machine->steps, number);
        for (int k = 0; k < trial->numbers; k++)
            machine->process.numbers[k] = number[k].value[0];
        status = run_machine_take(machine, 1);
    }
    return status;
}

static enum qp_status finish(struct qp_plan *plan)
{
    return run_machine_finish(machine_of(plan));
}

/* Steps from another state come first where a kernel may remember what it did (templates/file), and
 * those of the warm-up: the state is the start again afterwards. */
static enum qp_status program(struct qp_plan *plan)
{
    struct run_machine *machine = machine_of(plan);
    const struct qp_trial *trial = qp_trial_recipe_of(plan->variant)->trial;
    enum qp_status status = QP_OK;
    const int loads = qp_kernel_file_is_function(machine->kernel) ? ASTRAY : 1;
    for (int i = 0; i < loads && status == QP_OK; i++) {
        machine->process.steps = loads > 1; /* it calls a kernel of the user's */
        status = run_machine_load(machine, loads > 1 ? i : machine->steps);
    }
    if (status != QP_OK && loads > 1)
        return qp_fail_within(status, "stage 5, pass");
    if (status == QP_OK && plan->warm_seconds > 0.0)
        status = qp_warm_up(plan, qp_pass_once, finish);
    machine->step = 0;
    for (int k = 0; k < trial->outputs && status == QP_OK; k++)
        status = put(plan, trial->state[k]);
    return status;
}

static const struct qp_engine engine = {.arrange = arrange,
                                        .upload = upload,
                                        .program = program,
                                        .pass = qp_pass_once,
                                        .passes = passes,
                                        .swap = qp_trial_swap,
                                        .finish = finish,
                                        .change = qp_trial_change,
                                        .read = qp_trial_read,
                                        .limits = QP_LIMITS_APART};

/* ---- Programs ---- */

/* Notes what this computer has not, after a program was compiled or not. */
static enum qp_status note(enum qp_status status, struct run_machine *out)
{
    progress_end();
    if (out->build.note[0] != '\0')
        sentence_say("%s", out->build.note);
    if (status != QP_UNSUPPORTED || cmd_interrupted)
        return status;
    snprintf(out->missing, sizeof out->missing, "%s", qp_error());
    return QP_OK;
}

static enum qp_status compile(const struct options *options, const struct qp_kernel_file *file,
                              struct run_machine *out)
{
    static const char *const targets[BACKENDS] = {NULL, "c", "compute", "cuda"};
    const enum qp_kernel_language language = qp_kernel_file_function(file)->language;
    struct qp_stencil stencil;
    progress_say("compiling %s for '%s'", file->path, options_backend(out->backend));
    if (language != QP_IN_FRAGMENTS)
        return note(qp_build_file(file, &out->build), out);
    enum qp_status status = qp_stencil_read(file, &stencil);
    stencil.is_untuned = options->untuned || strcmp(options->command->name, "check") == 0;
    if (status == QP_OK)
        status = qp_build_make(&stencil, targets[out->backend], &out->build);
    return note(status, out);
}

enum qp_status run_machines_make(const struct options *options, const struct qp_kernel_file *file,
                                 struct run_machines *out)
{
    static const enum backend own[] = {[QP_IN_FRAGMENTS] = BACKEND_GL,
                                       [QP_IN_COMPUTE] = BACKEND_COMPUTE,
                                       [QP_IN_CUDA] = BACKEND_CUDA,
                                       [QP_IN_C] = BACKEND_CPU};
    const unsigned asked = options->backends != 0
                               ? options->backends
                               : 1u << own[qp_kernel_file_function(file)->language];
    const struct qp_allowance limits = {options->time_limit > 0.0 ? options->time_limit : 60.0,
                                        options->memory_limit > 0.0 ? options->memory_limit : 4.0};
    enum qp_status status = QP_OK;
    *out = (struct run_machines){.count = 0};
    signal(SIGCHLD, SIG_DFL); /* where that is ignored, nobody learns how a process ended */
    for (int k = 0; k < BACKENDS && status == QP_OK; k++) {
        if ((asked >> k & 1) == 0)
            continue;
        struct run_machine *machine = &out->at[out->count++];
        *machine = (struct run_machine){.backend = (enum backend)k,
                                        .kernel = file,
                                        .limits = limits,
                                        .sizes = {USUAL_SIZES},
                                        .is_fast = strcmp(options->command->name, "bench") == 0 &&
                                                   qp_kernel_file_function(file)->language !=
                                                       QP_IN_FRAGMENTS};
        if (k != BACKEND_GL)
            status = compile(options, file, machine);
    }
    return status;
}

enum qp_status run_machine_change(struct run_machine *machine, struct qp_kernel_file *file,
                                  const char *text)
{
    const char *own = file->text;
    struct qp_build build = machine->own;
    enum qp_status status = QP_OK;
    qp_machine_close(&machine->process);
    machine->late[0] = '\0';
    if (text != own) {
        file->text = text;
        status = qp_build_file(file, &build);
        file->text = own;
    }
    if (build.file <= 0 || status != QP_OK)
        return status;
    if (machine->own.file <= 0)
        machine->own = machine->build;
    else
        qp_build_forget(&machine->build);
    machine->build = build;
    if (text == own)
        machine->own = (struct qp_build){.file = 0};
    return status;
}

enum qp_status run_machines_take(const struct run_inputs *inputs)
{
    const struct run_input *x = &inputs->at[0];
    const bool other = qp_kernel_file_is_function(x->file);
    for (int k = 0; k < inputs->count; k++) {
        const struct run_input *input = &inputs->at[k];
        if (input->channels > 1)
            return qp_fail(QP_BAD_USE,
                           "'%s' has %d values a cell, and programs that are generated take one; "
                           "take --backend gl",
                           input->name, input->channels);
        if (input->width != x->width || input->height != x->height)
            return qp_fail(QP_BAD_USE,
                           "'%s' has %d x %d cells and '%s' %d x %d, and %s take arrays of one "
                           "size; take --size %dx%d%s",
                           input->name, input->width, input->height, x->name, x->width, x->height,
                           other ? "such kernels" : "programs that are generated", input->width,
                           input->height, other ? "" : ", or --backend gl");
    }
    return QP_OK;
}

const struct qp_size *run_machines_sizes(const struct run_machines *machines,
                                         const struct qp_variant *variant)
{
    const struct run_machine *machine = machines->at;
    while (machine->variant != variant)
        machine++;
    return machine->sizes;
}

void run_machines_destroy(struct run_machines *machines)
{
    for (int k = 0; k < machines->count; k++) {
        qp_machine_close(&machines->at[k].process);
        qp_build_forget(&machines->at[k].build);
        qp_build_forget(&machines->at[k].own);
    }
    machines->count = 0;
}

enum qp_status run_machine_add(struct run_machine *machine, struct qp_trial *trial,
                               const struct qp_kernel_desc *kernels, int count,
                               const struct run_inputs *inputs, const char *name)
{
    struct qp_trial_variant variant = {
        .name = name, .sentence = machine->kernel->path, .in_turn = true};
    static const enum qp_backend backends[BACKENDS] = {QP_GL, QP_CPU, QP_GL, QP_CUDA};
    int k = 0;
    memcpy(variant.kernel, kernels, (size_t)count * sizeof *kernels);
    for (const struct qp_kernel_file *file = machine->kernel; file != NULL;
         file = file->next, k++) {
        variant.cover[k] = file->places ? QP_COVER_POINTS : QP_COVER_ALL;
        variant.points[k] = run_inputs_points(file, inputs, false);
        variant.blend[k] = file->head.blend;
    }
    const enum qp_status status = qp_trial_add(trial, &variant, &machine->variant);
    if (status == QP_OK && machine->backend != BACKEND_GL)
        qp_trial_set_engine(machine->variant, &engine, backends[machine->backend], machine);
    return status;
}

void run_machine_tell(const struct run_machine *machine, char text[256])
{
    static const char *const by[BACKENDS] = {"", "C on ", "compute shaders on ", "CUDA on "};
    const char *tuned = machine->build.tuned;
    const int used =
        snprintf(text, 256, "%s%s, %s%s%s", by[machine->backend], machine->process.name,
                 tuned[0] != '\0' ? "tuned " : "", tuned, tuned[0] != '\0' ? ", " : "");
    if (machine->build.seconds > 0.0)
        snprintf(text + used, 256 - (size_t)used, "compiled in %.2g s", machine->build.seconds);
    else
        snprintf(text + used, 256 - (size_t)used, "from the cache");
}
