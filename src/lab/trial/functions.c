/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 of a trial's functions: sweeps over the host's memory, and launches over a CUDA
 * device's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/base/values.h"
#include "toolkit/cuda/device.h"

enum {
    GUARD = 256 /* bytes around an array, all 0xff: NaN; the first cell is at a multiple of it */
};

struct plan_functions {
    struct qp_plan_arrays arrays;
    struct qp_cuda *cuda; /* NULL: the host's memory */
};

static struct plan_functions *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

/* ---- Stages 2, 3 and 7 ---- */

static size_t bytes_of(const struct qp_plan_array *array)
{
    return array->count * qp_typed_bytes(array->type);
}

static enum qp_status put(const struct qp_plan *plan, const struct qp_plan_array *array,
                          const double *values)
{
    const size_t all = bytes_of(array) + 2 * GUARD;
    char *memory = own_of(plan)->cuda != NULL ? qp_alloc(all, 1, "an array") : array->block;
    if (memory == NULL)
        return QP_NO_MEMORY;
    memset(memory, 0xff, all);
    qp_typed_put(array->type, QP_DOUBLES, values, array->count, memory + GUARD);
    if (own_of(plan)->cuda == NULL)
        return QP_OK;
    const enum qp_status status = qp_cuda_upload(own_of(plan)->cuda, array->block, memory, all);
    free(memory);
    return status;
}

static enum qp_status make(struct qp_plan *plan, const char *name, const struct qp_array_desc *desc,
                           bool is_read, struct qp_plan_array *out)
{
    const size_t all = bytes_of(out) + 2 * GUARD;
    void *block = NULL;
    enum qp_status status = QP_OK;
    (void)desc, (void)is_read;
    if (own_of(plan)->cuda != NULL)
        status = qp_cuda_allocate(own_of(plan)->cuda, all, name, &block);
    else if ((block = qp_alloc_line(all, 1, name)) == NULL)
        status = QP_NO_MEMORY;
    out->block = block;
    return status;
}

/* Values, after a look at the guards. */
static enum qp_status get(const struct qp_plan *plan, const struct qp_plan_array *state, int output,
                          enum qp_precision precision, void *values)
{
    const struct plan_functions *own = plan->own;
    const size_t bytes = bytes_of(state), all = bytes + 2 * GUARD;
    char *copy = own->cuda != NULL ? qp_alloc(all, 1, "the values of an array") : state->block;
    enum qp_status status = copy != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && own->cuda != NULL)
        status = qp_cuda_download(own->cuda, copy, state->block, all);
    for (size_t i = 0; i < all && status == QP_OK; i += i == GUARD - 1 ? bytes + 1 : 1) {
        if ((unsigned char)copy[i] != 0xff)
            status = qp_fail(QP_BAD_INPUT, "stage 7, readback: %s wrote outside, %s output %d",
                             plan->variant->name, i < GUARD ? "before" : "after", output);
    }
    if (status == QP_OK)
        qp_typed_take(state->type, copy + GUARD, state->count, precision, values);
    if (own->cuda != NULL)
        free(copy);
    return status;
}

static const struct qp_trial_ways ways = {make, put, get};

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    (void)desc;
    return qp_trial_arrange(plan, sizeof(struct plan_functions), &ways);
}

static enum qp_status upload(struct qp_plan *plan)
{
    const enum qp_status status = plan->variant->backend == QP_CUDA
                                      ? qp_cuda_open(plan->ordinal, &own_of(plan)->cuda)
                                      : QP_OK;
    return status == QP_OK ? qp_trial_upload(plan) : status;
}

/* ---- Stages 4 to 6 ---- */

static enum qp_status pass(struct qp_plan *plan)
{
    const struct plan_functions *own = plan->own;
    const struct qp_plan_arrays *arrays = plan->own;
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    const struct qp_trial *trial = recipe->trial;
    struct qp_kernel_grid grid = qp_trial_grid(trial, plan->problem);
    void *output[QP_KERNEL_OUTPUTS] = {NULL};
    char doing[160];
    for (int i = 0; i < trial->inputs; i++) {
        const int state = trial->input[i].state;
        grid.input[i].values =
            (state >= 0 ? arrays->state[arrays->source][state] : arrays->input[i]).block + GUARD;
    }
    for (int k = 0; k < trial->outputs; k++)
        output[k] = arrays->state[1 - arrays->source][k].block + GUARD;
    if (own->cuda == NULL) {
        recipe->kernel[0].sweep(&grid, output);
        return QP_OK;
    }
    qp_cuda_select(own->cuda);
    snprintf(doing, sizeof doing, "launch %s", plan->variant->name);
    return qp_cuda_check(recipe->kernel[0].launch(&grid, output, own->cuda->stream), doing);
}

static enum qp_status finish(struct qp_plan *plan)
{
    return own_of(plan)->cuda != NULL ? qp_cuda_wait(own_of(plan)->cuda) : QP_OK;
}

/* A GPU's first launch is slow, and a core leaves its idle clock. */
static enum qp_status program(struct qp_plan *plan)
{
    if (own_of(plan)->cuda == NULL && !(plan->warm_seconds > 0.0))
        return QP_OK;
    const enum qp_status status = qp_warm_up(plan, pass, finish);
    return status == QP_OK ? qp_trial_begin(plan) : status;
}

static void destroy(struct qp_plan *plan)
{
    struct plan_functions *own = plan->own;
    if (own == NULL)
        return;
    for (int i = 0; i < QP_KERNEL_INPUTS + 2 * QP_KERNEL_OUTPUTS; i++) {
        const int k = i - QP_KERNEL_INPUTS;
        void *block = (k < 0 ? own->arrays.input[i] : own->arrays.state[k % 2][k / 2]).block;
        if (own->cuda != NULL)
            qp_cuda_free(own->cuda, block);
        else
            free(block);
    }
    qp_cuda_close(&own->cuda);
}

const struct qp_engine qp_engine_functions = {.arrange = arrange,
                                              .upload = upload,
                                              .program = program,
                                              .pass = pass,
                                              .swap = qp_trial_swap,
                                              .finish = finish,
                                              .change = qp_trial_change,
                                              .read = qp_trial_read,
                                              .destroy = destroy};
