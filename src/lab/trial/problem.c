/* SPDX-License-Identifier: MIT */
/* Problems of trials, their reference, their cost and their tolerance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"
#include "toolkit/kernel_file/kernel_file.h"

static const struct qp_trial *trial_of(const struct qp_problem *problem)
{
    return (const struct qp_trial *)(const void *)problem->op;
}

/* ---- Stage 1 ---- */

enum { MOST_VALUES = 1 << 29 /* so that indices fit an int */ };

static struct qp_extent extent(const struct qp_problem *problem)
{
    const struct qp_trial *trial = trial_of(problem);
    return (struct qp_extent){
        .answer = {problem->width * trial->channels, problem->height * trial->outputs}};
}

/* Cells along an axis of an input: as many as the outputs have, a multiple or a part of them, as in
 * their own sizes. */
static int follow(int own, int outputs, int size)
{
    if (own >= outputs)
        return own % outputs == 0 ? own / outputs * size : own;
    return outputs % own == 0 && own > 1 ? qp_groups_in(size, outputs / own) : own;
}

static enum qp_status fill_cells(const struct qp_trial *trial, const struct qp_trial_array *array,
                                 struct qp_size size, uint64_t *state, double *values)
{
    const struct qp_trial_input *desc = &array->desc;
    const bool usual = desc->low == 0.0 && desc->high == 0.0,
               whole = qp_array_is_whole(array->type);
    const double low = !usual ? desc->low : whole ? 0.0 : -1.0;
    const double high = !usual ? desc->high : whole ? 10.0 : 1.0;
    const int count = size.width * array->channels;
    for (int y = 0; y < size.height; y++) {
        for (int i = 0; i < count; i++) {
            const int x = i / array->channels;
            double value = desc->fill != NULL ? desc->fill(trial->desc.user, x, y, size.width,
                                                           size.height, i % array->channels)
                                              : qp_random(state, low, high);
            value = qp_typed_round(array->type, value);
            values[(size_t)y * (size_t)count + (size_t)i] = value;
            if (!isfinite(value))
                return qp_fail(QP_BAD_INPUT,
                               "stage 1, problem: %s fills cell (%d, %d) of %s with %g",
                               trial->desc.name, x, y, desc->name, value);
        }
    }
    return QP_OK;
}

/* Values of input i as a kernel file makes them, each array by a seed of its own. */
static enum qp_status fill_made(const struct qp_trial *trial, int i, struct qp_size size,
                                uint64_t seed, double *values)
{
    const struct qp_trial_array *array = &trial->input[i];
    const struct qp_filled filled = {.type = array->type,
                                     .is_state = array->state >= 0,
                                     .width = size.width,
                                     .height = size.height,
                                     .channels = array->channels,
                                     .precision = QP_DOUBLES,
                                     .values = values};
    const size_t count = (size_t)size.width * (size_t)size.height * (size_t)array->channels;
    const enum qp_status status =
        qp_kernel_file_values(&trial->file->array[i], seed + (uint64_t)i, &filled);
    for (size_t k = 0; k < count && status == QP_OK; k++)
        values[k] = qp_typed_round(array->type, values[k]);
    return status;
}

static enum qp_status fill_input(const struct qp_trial *trial, int i, uint64_t *state,
                                 struct qp_problem *problem)
{
    const struct qp_trial_array *array = &trial->input[i];
    const struct qp_size grid = {problem->width, problem->height};
    struct qp_matrix *field = &problem->field[array->field];
    struct qp_size size = {array->table.width / array->channels, array->table.height};
    double *at = problem->field[0].doubles +
                 (size_t)qp_most(array->state, 0) * qp_trial_values(trial, problem);
    if (array->state >= 0)
        return trial->file != NULL ? fill_made(trial, i, grid, *state, at)
                                   : fill_cells(trial, array, grid, state, at);
    if (size.width == 0) {
        size.width = follow(array->own.width, trial->size.width, grid.width);
        size.height = follow(array->own.height, trial->size.height, grid.height);
    }
    qp_matrix_destroy(field); /* which the plan's rule made in the size of the outputs */
    const enum qp_status status =
        qp_matrix_make(size.width * array->channels, size.height, QP_DOUBLES, field);
    if (status == QP_OK && trial->file != NULL)
        return fill_made(trial, i, size, *state, field->doubles);
    if (status == QP_OK && array->table.width == 0)
        return fill_cells(trial, array, size, state, field->doubles);
    if (status == QP_OK)
        memcpy(field->doubles, array->table.doubles,
               (size_t)field->width * (size_t)field->height * sizeof(double));
    return status;
}

/* An output that is no input begins unwritten, or, where what was there counts, with random
 * values. */
static enum qp_status fill_output(const struct qp_trial *trial, int k, uint64_t *state,
                                  struct qp_problem *problem)
{
    const struct qp_trial_array output = {
        .desc = {.name = "an output"}, .type = trial->type, .channels = trial->channels};
    const size_t count = qp_trial_values(trial, problem);
    double *values = problem->field[0].doubles + (size_t)k * count;
    if (trial->keeps_outputs)
        return fill_cells(trial, &output, (struct qp_size){problem->width, problem->height}, state,
                          values);
    for (size_t i = 0; i < count; i++)
        values[i] = qp_typed_unwritten(trial->type);
    return QP_OK;
}

enum qp_status qp_trial_problem(const struct qp_trial *trial, int width, int height,
                                unsigned long long seed, struct qp_problem *out)
{
    uint64_t state = seed;
    if (QP_NEED_OUT(out, (struct qp_problem){0}) || QP_NEED(trial))
        return QP_BAD_USE;
    if ((double)width * height * trial->channels * trial->outputs > MOST_VALUES)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %d x %d cells of %s are above the limit",
                       width, height, trial->desc.name);
    enum qp_status status = qp_problem_allocate(&trial->op, "trial", width, height, 1, out);
    if (status != QP_OK)
        return status;
    qp_matrix_destroy(&out->field[0]);
    status = qp_matrix_make(out->answer_width, out->answer_height, QP_DOUBLES, &out->field[0]);
    for (int i = 0; i < trial->inputs && status == QP_OK; i++)
        status = fill_input(trial, i, &state, out);
    for (int k = 0; k < trial->outputs && status == QP_OK; k++) {
        if (trial->state[k] < 0)
            status = fill_output(trial, k, &state, out);
    }
    if (status == QP_OK)
        return QP_OK;
    qp_problem_destroy(out);
    return qp_fail_within(status, "stage 1, problem");
}

enum qp_status qp_trial_make(void *trial, int number, int width, int height, int systems,
                             struct qp_problem *out)
{
    (void)systems;
    return qp_trial_problem(trial, width, height, (unsigned long long)number, out);
}

/* ---- Stage 9 ---- */

struct qp_kernel_grid qp_trial_grid(const struct qp_trial *trial, const struct qp_problem *problem)
{
    struct qp_kernel_grid grid = {.width = problem->width,
                                  .height = problem->height,
                                  .channels = trial->channels,
                                  .number = trial->value,
                                  .user = trial->desc.user};
    for (int i = 0; i < trial->inputs; i++) {
        const struct qp_trial_array *array = &trial->input[i];
        const struct qp_matrix *field = &problem->field[array->field];
        const bool state = array->state >= 0;
        grid.input[i] =
            (struct qp_kernel_array){.width = state ? grid.width : field->width / array->channels,
                                     .height = state ? grid.height : field->height,
                                     .channels = array->channels,
                                     .outside = array->desc.outside,
                                     .value = array->desc.value};
    }
    return grid;
}

static double largest(const double *values, size_t count)
{
    double magnitude = 0.0;
    for (size_t i = 0; i < count; i++)
        magnitude = fmax(magnitude, fabs(values[i])); /* NaN does not count */
    return magnitude;
}

/* A step by the caller's reference. A cell that it does not write stays NaN. A scale that is no
 * number, which would hide every error, is replaced by the outputs, and in the first step of a
 * course by what cells add up: no more than the largest magnitude of all. */
static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    const struct qp_trial *trial = trial_of(problem);
    const size_t count = qp_trial_values(trial, problem), all = qp_problem_answers(problem);
    struct qp_kernel_grid grid = qp_trial_grid(trial, problem);
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1];
    double *output[QP_KERNEL_OUTPUTS] = {NULL};
    double most = 0.0;
    qp_trial_set_step(trial, problem->first, problem->reference_iterations, number);
    grid.number = number;
    for (int i = 0; i < trial->inputs; i++) {
        const struct qp_trial_array *array = &trial->input[i];
        struct qp_kernel_array *input = &grid.input[i];
        input->values = array->state >= 0 ? old + (size_t)array->state * count
                                          : problem->field[array->field].doubles;
        most = fmax(most, largest(input->values, (size_t)input->width * (size_t)input->height *
                                                     (size_t)input->channels));
    }
    for (int k = 0; k < trial->outputs; k++)
        output[k] = new + (size_t)k *count;
    for (size_t i = 0; i < all; i++)
        new[i] = trial->keeps_outputs ? old[i] : (double)NAN;
    double magnitude = trial->desc.reference(&grid, output);
    if (!(magnitude > 0.0 && isfinite(magnitude))) {
        magnitude = *scale == 0.0 ? fmin(most, qp_trial_response(trial, &grid, old, new)) : 0.0;
        if (magnitude < 0.0) {
            *scale = magnitude;
            return;
        }
        magnitude = fmax(magnitude, largest(new, all));
    }
    *scale = fmax(*scale, magnitude);
}

/* A variant may be in double where the trial is in floats. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    const struct qp_trial *trial = trial_of(problem);
    if (precision == QP_DOUBLES && trial->type <= QP_ARRAY_HALF)
        return iterations * qp_array_tolerance(QP_ARRAY_DOUBLE);
    return iterations *
           (trial->desc.tolerance > 0.0 ? trial->desc.tolerance : qp_array_tolerance(trial->type));
}

/* Names a cell, and which of its values: they are side by side, and outputs one above the other. */
static void name(const struct qp_problem *problem, int *x, int *y, char *place, size_t size)
{
    const struct qp_trial *trial = trial_of(problem);
    const int output = *y / problem->height, channel = *x % trial->channels;
    *x /= trial->channels;
    *y %= problem->height;
    char of[80] = "", one[16] = "";
    if (trial->channels > 1)
        snprintf(one, sizeof one, " channel %c", "rgba"[channel]);
    if (trial->outputs > 1 && trial->state[output] >= 0)
        snprintf(of, sizeof of, " of %s", trial->input[trial->state[output]].desc.name);
    else if (trial->outputs > 1)
        snprintf(of, sizeof of, " of output %d", output);
    snprintf(place, size, "cell (%d, %d)%s%s%s", *x, *y, one, of, trial->where);
}

/* ---- The operation ---- */

/* Trials may share names, though none has that of one of the library's operations. */
static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_trial_recipe *own = recipe->own;
    if (&own->trial->op == problem->op)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED, "is a variant of %s, and the problem is one of %s",
                   own->variant.op, problem->op->name);
}

void qp_trial_fill_op(struct qp_trial *trial)
{
    int fields = 1;
    trial->field[0].name = "";
    for (int k = trial->outputs - 1; k >= 0; k--) {
        if (trial->state[k] >= 0)
            trial->field[0].name = trial->input[trial->state[k]].desc.name;
    }
    for (int i = 0; i < trial->inputs; i++) {
        if (trial->input[i].state >= 0)
            continue;
        trial->field[fields].name = trial->input[i].desc.name;
        trial->input[i].field = fields++;
    }
    trial->runs = qp_usual_runs;
    if (trial->desc.steps != NULL)
        trial->runs.steps = trial->desc.steps;
    trial->judge = (struct qp_judge){.counts = trial->desc.set_step != NULL, .name = name};
    trial->op =
        (struct qp_op){.name = trial->desc.name,
                       .equation = "",
                       .fields = fields,
                       .change_scale = fields,
                       .cell_bytes = 8.0 * (2 * fields + 6) * trial->outputs * trial->channels,
                       .field = trial->field,
                       .runs = &trial->runs,
                       .judge = &trial->judge,
                       .extent = extent,
                       .takes = takes,
                       .step = trial->desc.reference != NULL ? step : NULL,
                       .cost = qp_cost_of_arrays,
                       .tolerance = tolerance};
    trial->field[fields].name = "1";
}
