/* SPDX-License-Identifier: MIT */
/* Arrays of a trial's plans, in both engines: their uses, and the states in them. */
#include <math.h>
#include <stdlib.h>

#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/base/values.h"

enum qp_array_type qp_trial_input_type(const struct qp_trial_recipe *recipe, int input)
{
    const struct qp_trial_array *array = &recipe->trial->input[input];
    if (array->state >= 0)
        return recipe->kernel[0].output_type;
    for (int k = 0; k < recipe->kernels; k++) {
        for (int i = 0; recipe->kernel[k].input[i].name != NULL; i++) {
            if (recipe->kernel[k].input[i].name == array->desc.name)
                return recipe->kernel[k].input[i].type;
        }
    }
    return array->type;
}

static struct qp_array_desc desc_of(const struct qp_kernel_array *array, enum qp_array_type type)
{
    return (struct qp_array_desc){.width = array->width,
                                  .height = array->height,
                                  .channels = array->channels,
                                  .type = type,
                                  .outside = array->outside,
                                  .value = array->value};
}

static const double *start_of(const struct qp_plan *plan, int k)
{
    const struct qp_trial *trial = qp_trial_recipe_of(plan->variant)->trial;
    return plan->problem->field[0].doubles + (size_t)k * qp_trial_values(trial, plan->problem);
}

static enum qp_status upload(struct qp_plan *plan, const char *name,
                             const struct qp_array_desc *desc, bool is_read, const double *values,
                             struct qp_plan_array *out)
{
    out->type = desc->type;
    out->count = (size_t)desc->width * (size_t)desc->height * (size_t)desc->channels;
    const struct qp_trial_ways *ways = qp_plan_arrays_of(plan)->ways;
    const enum qp_status status = ways->make(plan, name, desc, is_read, out);
    return status == QP_OK ? ways->put(plan, out, values) : status;
}

enum qp_status qp_trial_arrange(struct qp_plan *plan, size_t bytes,
                                const struct qp_trial_ways *ways)
{
    plan->measures_change = false; /* the host does, of any two states */
    plan->own = qp_alloc_zero(1, bytes, "a trial's plan");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    qp_plan_arrays_of(plan)->ways = ways;
    return QP_OK;
}

enum qp_status qp_trial_upload(struct qp_plan *plan)
{
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    const struct qp_trial *trial = recipe->trial;
    const struct qp_kernel_grid grid = qp_trial_grid(trial, plan->problem);
    const struct qp_kernel_array plain = {
        .width = grid.width, .height = grid.height, .channels = grid.channels};
    struct qp_plan_arrays *own = plan->own;
    enum qp_status status = QP_OK;
    for (int i = 0; i < trial->inputs && status == QP_OK; i++) {
        const struct qp_trial_array *input = &trial->input[i];
        const struct qp_array_desc desc = desc_of(&grid.input[i], qp_trial_input_type(recipe, i));
        if (input->state < 0)
            status = upload(plan, input->desc.name, &desc, true,
                            plan->problem->field[input->field].doubles, &own->input[i]);
    }
    for (int k = 0; k < trial->outputs && status == QP_OK; k++) {
        const int input = trial->state[k];
        const struct qp_array_desc desc =
            desc_of(input >= 0 ? &grid.input[input] : &plain, recipe->kernel[0].output_type);
        status = upload(plan, "a state", &desc, input >= 0, start_of(plan, k), &own->state[0][k]);
        if (trial->keeps_outputs)
            own->state[1][k] = own->state[0][k];
        else if (status == QP_OK)
            status = upload(plan, "the target", &desc, input >= 0, NULL, &own->state[1][k]);
        if (status == QP_OK && recipe->in_turn)
            status = upload(plan, "a state", &desc, input >= 0, NULL, &own->state[2][k]);
    }
    return status;
}

enum qp_status qp_trial_begin(struct qp_plan *plan)
{
    const struct qp_trial *trial = qp_trial_recipe_of(plan->variant)->trial;
    struct qp_plan_arrays *own = plan->own;
    enum qp_status status = QP_OK;
    own->source = 0;
    for (int k = 0; k < trial->outputs && status == QP_OK; k++)
        status = own->ways->put(plan, &own->state[1][k],
                                trial->keeps_outputs ? start_of(plan, k) : NULL);
    return status;
}

void qp_trial_swap(struct qp_plan *plan)
{
    qp_plan_arrays_of(plan)->source ^= 1;
}

enum qp_status qp_trial_read(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_plan_arrays *own = plan->own;
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    const enum qp_precision precision = plan->layout.precision;
    const size_t count = qp_trial_values(recipe->trial, plan->problem),
                 first = (size_t)plan->layout.origin_y * (size_t)plan->layout.storage_x +
                         (size_t)plan->layout.origin_x;
    enum qp_status status = QP_OK;
    for (int k = 0; k < recipe->trial->outputs && status == QP_OK; k++)
        status = own->ways->get(plan, &own->state[own->source ^ (int)target][k], k, precision,
                                qp_value_at(texels, precision, first + (size_t)k * count));
    return status;
}

enum qp_status qp_trial_change(struct qp_plan *plan, double *norm)
{
    const size_t first = (size_t)plan->layout.origin_y * (size_t)plan->layout.storage_x +
                         (size_t)plan->layout.origin_x,
                 count = qp_problem_answers(plan->problem), bytes = qp_layout_bytes(&plan->layout);
    char *texels = qp_alloc(bytes, 2, "two states");
    enum qp_status status = texels != NULL ? QP_OK : QP_NO_MEMORY;
    double squares = 0.0;
    for (int k = 0; k < 2 && status == QP_OK; k++)
        status = plan->engine->read(plan, k == 1, texels + (size_t)k * bytes);
    for (size_t i = first; i < first + count && status == QP_OK; i++) {
        const double step = qp_value(texels + bytes, plan->layout.precision, i) -
                            qp_value(texels, plan->layout.precision, i);
        squares += step * step;
    }
    free(texels);
    *norm = sqrt(squares);
    return status;
}
