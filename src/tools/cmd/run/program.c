/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/program.h"

#include <math.h>
#include <string.h>

#include "lab/trial/trial.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "toolkit/kernel/kernel.h"
#include "tools/cmd/run/trial.h"

/* ---- The kernel and its pass ---- */

/* Checks the device: without textures of floats none is usable. */
static enum qp_status check_device(const struct run_input *input, unsigned abilities)
{
    static const unsigned needs[] = {0, QP_CAN_R32F, QP_CAN_RG32F, 0, QP_CAN_RGBA32F};
    return (abilities & needs[input->channels]) != 0
               ? QP_OK
               : qp_fail(QP_NO_DEVICE,
                         "'%s' needs textures of %d x 32 bits a texel, which this device cannot "
                         "draw into; take another --device",
                         input->name, input->channels);
}

/* Compiles the kernels; if a name is missing, the sentence says which option gives it. */
static enum qp_status compile(struct run_trial *trial, struct qp_context *context)
{
    char sentence[1536];
    qp_watch_library = "the shader's compiler";
    const enum qp_status status = run_trial_compile(trial, context);
    qp_watch_library = NULL;
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    if (status == QP_OK ||
        (strstr(sentence, "nothing sets") == NULL && strstr(sentence, "undeclared") == NULL &&
         strstr(sentence, "undefined") == NULL))
        return status;
    return qp_fail(status,
                   "%s (numbers are given by --set NAME=VALUE, arrays by --input NAME=FILE)",
                   sentence);
}

/* Adds a file in turn. */
static enum qp_status add_turn(const struct qp_kernel_file *file, const struct run_inputs *inputs,
                               struct run_program *program)
{
    const unsigned abilities = qp_context_device(program->context)->abilities;
    struct run_turn *turn = &program->turn[program->turns++];
    enum qp_status status = QP_OK;
    turn->file = file;
    memcpy(turn->pass.number, file->number, sizeof file->number);
    turn->pass.points = run_inputs_points(file, inputs, true);
    turn->pass.blend = file->head.blend;
    for (int k = 0; k < file->inputs && status == QP_OK; k++) {
        turn->at[k] = run_inputs_find(inputs, file->array[k].name);
        turn->pass.input[k].name = file->array[k].name;
        if (inputs->at[turn->at[k]].type == QP_ARRAY_FLOAT)
            status = check_device(&inputs->at[turn->at[k]], abilities);
    }
    return status;
}

/* Gives a turn its kernel. Grids that need several textures are copied as far as a kernel looks,
 * which its text must say. */
static enum qp_status set_kernel(struct run_turn *turn, struct qp_kernel *kernel,
                                 const struct run_inputs *inputs)
{
    const int limit = qp_context_device(kernel->context)->rectangle_limit;
    enum qp_status status = QP_OK;
    turn->pass.kernel = kernel;
    for (int k = 0; k < turn->file->inputs && status == QP_OK; k++) {
        const struct run_input *input = &inputs->at[turn->at[k]];
        if (qp_most(input->width, input->height) > limit)
            status = qp_reach_check(kernel, k,
                                    "in grids above this device's limit of textures take numbers, "
                                    "or counters of loops between numbers");
    }
    return status;
}

/* ---- Arrays ---- */

enum qp_status run_program_write(struct run_program *program, int k, const struct run_input *input,
                                 const void *values)
{
    return program->machine != NULL ? run_machine_put(program->machine, k, input->precision, values)
                                    : qp_typed_write(program->array[k], input->precision, values);
}

enum qp_status run_program_read(struct run_program *program, const struct run_input *x)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < program->states && status == QP_OK; k++) {
        void *values = qp_value_at(x->values, x->precision, (size_t)k * run_input_count(x));
        status = program->machine != NULL
                     ? run_machine_get(program->machine, k, x->precision, values)
                     : qp_typed_read(program->array[k], x->precision, values);
    }
    return status;
}

static enum qp_status create_arrays(const struct run_inputs *inputs, struct run_program *program)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < inputs->count && status == QP_OK; k++) {
        const struct run_input *input = &inputs->at[k];
        const struct qp_array_desc desc = {.width = input->width,
                                           .height = input->height,
                                           .channels = input->channels,
                                           .type = input->type,
                                           .outside = input->array->outside,
                                           .value = input->array->outside_value};
        status = qp_array_create(program->context, &desc, NULL, &program->array[k]);
        if (status == QP_OK && input->is_state)
            status = qp_array_create(program->context, &desc, NULL, &program->next[k]);
    }
    return status;
}

/* ---- Programs ---- */

static enum qp_status make_kernels(struct run_trial *trial, struct run_program *program)
{
    enum qp_status status = QP_OK;
    for (const struct qp_kernel_file *file = trial->file; file != NULL && status == QP_OK;
         file = file->next)
        status = add_turn(file, &trial->inputs, program);
    if (status == QP_OK)
        status = compile(trial, program->context);
    for (int k = 0; k < program->turns && status == QP_OK; k++)
        status = set_kernel(&program->turn[k], trial->compiled[k], &trial->inputs);
    return status == QP_OK ? create_arrays(&trial->inputs, program) : status;
}

/* A machine that cannot run here is a device that is missing. */
static enum qp_status open_machine(struct run_machine *machine, const struct run_input *x)
{
    const enum qp_status status = run_machine_open(machine, x->width, x->height, -1);
    return status == QP_UNSUPPORTED && !cmd_interrupted ? qp_fail(QP_NO_DEVICE, "%s", qp_error())
                                                        : status;
}

enum qp_status run_program_make(struct qp_context *context, struct run_trial *trial,
                                struct run_program *out)
{
    struct run_machine *machine = &trial->machines.at[0];
    const int steps = trial->file->head.steps;
    *out = (struct run_program){.context = context,
                                .machine = machine->backend != BACKEND_GL ? machine : NULL,
                                .states = trial->inputs.states,
                                .all = steps > 0 ? steps : 1};
    const enum qp_status status = out->machine != NULL ? open_machine(machine, &trial->inputs.at[0])
                                                       : make_kernels(trial, out);
    if (status != QP_OK)
        run_program_destroy(out);
    return status;
}

enum qp_status run_program_start(struct run_program *program, const struct run_inputs *inputs)
{
    struct run_machine *machine = program->machine;
    enum qp_status status = machine != NULL ? open_machine(machine, &inputs->at[0]) : QP_OK;
    for (int k = 0; k < inputs->count && status == QP_OK; k++)
        status = run_program_write(program, k, &inputs->at[k], inputs->at[k].values);
    return status == QP_OK && machine != NULL ? run_machine_load(machine, program->all) : status;
}

void run_program_destroy(struct run_program *program)
{
    for (int k = 0; k < RUN_ARRAYS; k++) {
        qp_array_destroy(&program->array[k]);
        qp_array_destroy(&program->next[k]);
    }
    *program = (struct run_program){0};
}

/* ---- Steps ---- */

static int even(double number)
{
    return 2 * (int)(fmin(number, 1 << 24) / 2.0);
}

/* Draws the next part of the step under way, about `*cells` cells, and subtracts them: whole rows,
 * or some cells of the rows of a band. No pass reads what it writes, and corners are even, so that
 * derivatives, of two by two fragments, are those of one piece. Points are drawn all at once, onto
 * a copy of the state. */
static enum qp_status draw_part(struct run_program *program, double *cells)
{
    struct run_turn *turn = &program->turn[program->now];
    const struct qp_array_desc x = qp_array_describe(program->array[turn->at[0]]);
    const int points = turn->pass.points;
    struct qp_rect part = points > 0 ? (struct qp_rect){0, 0, x.width, x.height} : program->part;
    enum qp_status status = QP_OK;
    if (part.x == 0 && points == 0)
        part.height = qp_least(qp_most(2, even(*cells / x.width)), x.height - part.y);
    if (points == 0)
        part.width = qp_least(qp_most(2, even(*cells / part.height)), x.width - part.x);
    else
        qp_watch_library = "the device";
    for (int k = 0; k < turn->file->inputs; k++)
        turn->pass.input[k].array = program->array[turn->at[k]];
    for (int k = 0; k < turn->file->states; k++)
        turn->pass.output[k] = program->next[turn->at[k]];
    qp_kernel_file_step(turn->file, program->steps, program->all, turn->pass.number);
    turn->pass.region = part;
    if (points > 0)
        status = qp_array_copy(turn->pass.input[0].array, NULL, turn->pass.output[0], 0, 0);
    if (status == QP_OK)
        status = qp_pass_run(&turn->pass);
    *cells -= points > 0 ? points : (double)part.width * part.height;
    part.x = (part.x + part.width) % x.width;
    part.y = (part.y + (part.x == 0 ? part.height : 0)) % x.height;
    program->part = part;
    if (part.x == 0 && part.y == 0) {
        for (int k = 0; k < turn->file->states; k++)
            qp_array_swap(&program->array[turn->at[k]], &program->next[turn->at[k]]);
        program->now = (program->now + 1) % program->turns;
        program->steps += program->now == 0;
    }
    program->drawn = (program->now + (double)part.y / x.height) / program->turns;
    return status;
}

/* Takes as many steps as take a moment: an interrupt is looked for between them. */
static enum qp_status take(struct run_program *program, int steps)
{
    static const double moment = 0.1; /* seconds */
    struct run_machine *machine = program->machine;
    enum qp_status status = QP_OK;
    for (int left = steps, some = machine->process.at_once; left > 0 && status == QP_OK;) {
        const double start = qp_clock();
        const int count = qp_least(some, left);
        if (qp_watch_leaves((double)program->steps / program->all))
            return qp_watch_fail();
        status = run_machine_take(machine, count);
        if (status == QP_OK)
            status = run_machine_finish(machine);
        program->steps += count;
        left -= count;
        some *= qp_clock() - start < moment && some < 1 << 20 ? 2 : 1;
    }
    return status;
}

/* Passes do not wait, so as many cells are asked for at a time as take a moment: an interrupt is
 * looked for between them. Few cells may take long at first, when their cost is not known, and
 * later when they are costly. */
enum qp_status run_program_step(struct run_program *program, int steps)
{
    static const double moment = 0.05, long_moment = 0.2, few = 64.0; /* seconds, cells */
    const int end = program->steps + steps;
    if (program->machine != NULL)
        return take(program, steps);
    enum qp_status status = QP_OK;
    while (program->steps < end && status == QP_OK) {
        if (qp_watch_leaves((program->steps + program->drawn) / program->all))
            return qp_watch_fail();
        const double start = qp_clock(), slice = program->slice > 0.0 ? program->slice : few;
        double left = slice;
        qp_watch_library = slice > few ? NULL : "the device";
        while (left > 0.0 && program->steps < end && status == QP_OK)
            status = draw_part(program, &left);
        if (status == QP_OK)
            status = qp_context_finish(program->context);
        qp_watch_library = NULL;
        const double took = qp_clock() - start;
        if (took > long_moment)
            program->slice = (slice - left) * moment / took;
        else if (took < moment && left <= 0.0)
            program->slice = slice * (took < 0.25 * moment ? 16.0 : 2.0);
    }
    return status;
}
