/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 of a trial's kernels: by the toolkit's arrays, kernels and recorded lists. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/engines/common.h"
#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/kernel/kernel.h"

/* Texels around the cells. Around what is read they hold what must not be read, NaN where there is
 * one; around outputs that are never read a number, in place of which NaN would be seen too. */
enum { GUARD = 3, GUARD_OF_OUTPUTS = 1234 };

/* Passes of a step at most: programs, and copies of states before them. */
enum { ALL_PASSES = QP_TRIAL_KERNELS * (1 + QP_KERNEL_OUTPUTS) };

struct plan_kernels {
    struct qp_plan_arrays arrays;
    struct qp_kernel *kernel[QP_TRIAL_KERNELS];
    struct qp_kernel *copies;        /* a state, for what is blended with it; NULL: nothing is */
    struct qp_list *list[2], *both;  /* a step from either state; from the first one and back */
    int program[ALL_PASSES], passes; /* programs of a list's passes; -1: a copy */
    int first, step, steps; /* taken before the walk and now, and all; of trials that count them */
    bool guarded;
};

static struct plan_kernels *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

/* ---- Stages 3 and 7 ---- */

static enum qp_status put(const struct qp_plan *plan, const struct qp_plan_array *array,
                          const double *values)
{
    (void)plan;
    return qp_typed_write(array->cells, QP_DOUBLES, values);
}

/* Arrays above the limit of a texture have no guards. */
static enum qp_status make(struct qp_plan *plan, const char *name, const struct qp_array_desc *desc,
                           bool is_read, struct qp_plan_array *out)
{
    const int limit = qp_context_device(plan->context)->rectangle_limit - 2 * GUARD;
    const struct qp_rect cells = {GUARD, GUARD, desc->width, desc->height};
    const bool guarded = own_of(plan)->guarded && desc->width <= limit && desc->height <= limit;
    struct qp_array_desc whole = *desc;
    (void)name;
    out->guard = !is_read                        ? GUARD_OF_OUTPUTS
                 : qp_array_is_whole(desc->type) ? qp_typed_unwritten(desc->type)
                                                 : (double)NAN;
    if (guarded) {
        whole.width += 2 * GUARD;
        whole.height += 2 * GUARD;
    }
    enum qp_status status = qp_array_create(plan->context, &whole, NULL, &out->whole);
    if (status == QP_OK && guarded)
        status = qp_array_fill(out->whole, NULL, out->guard);
    if (status == QP_OK && guarded)
        status = qp_array_view(out->whole, &cells, &out->cells);
    if (!guarded)
        out->cells = out->whole;
    return status;
}

/* Looks for a texel beside the cells that is not what it was. */
static enum qp_status check_guards(const struct qp_plan *plan, int k,
                                   const struct qp_plan_array *array)
{
    if (array->cells == array->whole)
        return QP_OK;
    const struct qp_array_desc whole = qp_array_describe(array->whole),
                               cells = qp_array_describe(array->cells);
    const int across = whole.width * whole.channels, all = across * whole.height;
    void *memory = qp_alloc((size_t)all, qp_typed_bytes(whole.type), "the guards of an array");
    enum qp_status status =
        memory != NULL ? qp_array_read(array->whole, NULL, memory, 0) : QP_NO_MEMORY;
    for (int i = 0; i < all && status == QP_OK; i++) {
        const int x = i % across / whole.channels - GUARD, y = i / across - GUARD;
        const bool beside = x < 0 || y < 0 || x >= cells.width || y >= cells.height;
        const double value = qp_typed_get(whole.type, memory, (size_t)i), guard = array->guard;
        if (beside && !(value == guard || (isnan(value) && isnan(guard))))
            status =
                qp_fail(QP_BAD_INPUT,
                        "stage 7, readback: %s wrote outside: %.9g to texel (%d, %d) beside the "
                        "%d x %d cells of output %d",
                        plan->variant->name, isnan(value) ? (double)NAN : value, x, y, cells.width,
                        cells.height, k);
    }
    free(memory);
    return status;
}

static enum qp_status get(const struct qp_plan *plan, const struct qp_plan_array *state, int output,
                          enum qp_precision precision, void *values)
{
    enum qp_status status = QP_OK;
    for (int s = 0; s < 3 && status == QP_OK; s++)
        status = check_guards(plan, output, &qp_plan_arrays_of(plan)->state[s][output]);
    return status == QP_OK ? qp_typed_read(state->cells, precision, values) : status;
}

static const struct qp_trial_ways ways = {make, put, get};

/* ---- Stage 2 ---- */

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    if (plan->target != QP_RECTANGLE)
        return qp_fail(QP_UNSUPPORTED, "arrays of the toolkit are rectangles; leave the target");
    if (qp_trial_arrange(plan, sizeof(struct plan_kernels), &ways) != QP_OK)
        return QP_NO_MEMORY;
    own_of(plan)->first = desc->first;
    own_of(plan)->steps = qp_most(desc->iterations, 1);
    own_of(plan)->guarded = qp_trial_recipe_of(plan->variant)->guarded && !desc->timed;
    plan->pingpong = QP_TWO_FBOS;
    plan->most_steps = 1 << 10;
    if (qp_context_device(plan->context)->software) /* an interrupt is looked for between calls */
        plan->most_steps =
            qp_clamp(0x1p22 / (double)qp_problem_answers(plan->problem), 1, plan->most_steps);
    return QP_OK;
}

/* ---- Stage 4 ---- */

/* The text is the recipe's. Mutants look a cell further than the kernel. */
static enum qp_status make_kernel(struct qp_plan *plan, int i)
{
    struct qp_kernel_desc desc = qp_trial_recipe_of(plan->variant)->kernel[i];
    const struct qp_draw *draw = &plan->variant->recipe->draw[i];
    const char **text = qp_kernel_text(&desc);
    for (int k = 0; *text != draw->fragment_text && desc.input[k].name != NULL; k++)
        desc.input[k].reach += desc.input[k].reach > 0;
    *text = draw->fragment_text;
    desc.fast = draw->free || (desc.fast && !draw->precise);
    return qp_kernel_create(plan->context, &desc, &own_of(plan)->kernel[i]);
}

/* True for a program that is blended with a copy of the state that it reads. */
static bool needs_copy(const struct qp_trial_recipe *recipe, int i)
{
    return recipe->blend[i] != QP_BLEND_REPLACE && !recipe->trial->keeps_outputs &&
           (i == 0 || recipe->in_turn);
}

/* Makes the kernel that copies a state. */
static enum qp_status make_copies(struct qp_plan *plan)
{
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    const enum qp_array_type type = recipe->kernel[0].output_type;
    const int channels = recipe->trial->channels;
    char body[96];
    snprintf(body, sizeof body, "%s kernel(vec2 here) { return x_at(0.0, 0.0); }",
             qp_kernel_type(type, channels));
    const struct qp_kernel_desc desc = {.name = "a copy of the state",
                                        .body = body,
                                        .input = {{"x", type, channels, 0}},
                                        .output_type = type,
                                        .output_channels = channels};
    return qp_kernel_create(plan->context, &desc, &own_of(plan)->copies);
}

/* The cells of a cover; false: there are none. */
static bool cover(const struct qp_problem *problem, enum qp_cover which, struct qp_pass *pass)
{
    const int width = problem->width, height = problem->height;
    if (which == QP_COVER_INTERIOR)
        pass->region = (struct qp_rect){1, 0, width - 2, height};
    else if (which == QP_COVER_LEFT || which == QP_COVER_RIGHT)
        pass->region = (struct qp_rect){which == QP_COVER_LEFT ? 0 : width - 1, 0, 1, height};
    else if (which == QP_COVER_POINTS && pass->points == 0)
        pass->points = width * height;
    return which != QP_COVER_INTERIOR || width > 2;
}

/* The set of states that program i reads; one after the last, the set that the last one writes. */
static int states_of(const struct qp_trial_recipe *recipe, int i, int source)
{
    if (i == 0 || (!recipe->in_turn && i < recipe->kernels))
        return source;
    return !recipe->in_turn || (recipe->kernels - i) % 2 == 0 ? 1 - source : 2;
}

static int written_by(const struct qp_trial_recipe *recipe, int i, int source)
{
    return states_of(recipe, recipe->in_turn ? i + 1 : recipe->kernels, source);
}

static struct qp_pass pass_of(const struct qp_plan *plan, int i, int source)
{
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    const struct qp_trial *trial = recipe->trial;
    struct plan_kernels *own = plan->own;
    struct qp_pass pass = {.kernel = own->kernel[i],
                           .blend = recipe->blend[i],
                           .points = recipe->points[i],
                           .in_place = trial->in_place};
    const struct qp_kernel_desc *desc = &recipe->kernel[i];
    const int from = states_of(recipe, i, source), to = written_by(recipe, i, source);
    for (int k = 0; desc->input[k].name != NULL; k++) {
        const int input = qp_trial_input_of(trial, desc->input[k].name);
        const int state = trial->input[input].state;
        pass.input[k] = (struct qp_pass_input){
            desc->input[k].name,
            (state >= 0 ? own->arrays.state[from][state] : own->arrays.input[input]).cells};
    }
    for (int k = 0; desc->number[k].name != NULL; k++)
        pass.number[k] = trial->value[qp_trial_number_of(trial, desc->number[k].name)];
    for (int k = 0; k < trial->outputs; k++)
        pass.output[k] = own->arrays.state[to][k].cells;
    return pass;
}

/* The copy of state k that program i is blended with. */
static struct qp_pass copy_of(const struct qp_plan *plan, int i, int source, int k)
{
    const struct plan_kernels *own = plan->own;
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    return (struct qp_pass){
        .kernel = own->copies,
        .input = {{"x", own->arrays.state[states_of(recipe, i, source)][k].cells}},
        .output = {own->arrays.state[written_by(recipe, i, source)][k].cells}};
}

/* Records the steps. On small grids no program may have a cell. */
static enum qp_status record(struct qp_plan *plan)
{
    struct plan_kernels *own = plan->own;
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    struct qp_pass passes[2 * ALL_PASSES];
    int count = 0, half = 0;
    for (int source = 0; source < 2; source++) {
        half = count;
        for (int i = 0; i < recipe->kernels; i++) {
            for (int k = 0; needs_copy(recipe, i) && k < recipe->trial->outputs; k++) {
                own->program[count - half] = -1;
                passes[count++] = copy_of(plan, i, source, k);
            }
            passes[count] = pass_of(plan, i, source);
            own->program[count - half] = i;
            count += cover(plan->problem, plan->variant->recipe->draw[i].cover, &passes[count]);
        }
    }
    own->passes = half;
    if (count == 0)
        return QP_OK;
    enum qp_status status = qp_list_create(passes, half, &own->list[0]);
    if (status == QP_OK)
        status = qp_list_create(passes + half, half, &own->list[1]);
    return status == QP_OK ? qp_list_create(passes, count, &own->both) : status;
}

static enum qp_status run(struct qp_list *list, int times)
{
    return list != NULL && times > 0 ? qp_list_run(list, times) : QP_OK;
}

/* The next step, with numbers of its own. Steps of the warm-up are those of the walk again and
 * again. */
static enum qp_status take_counted(struct qp_plan *plan)
{
    struct plan_kernels *own = plan->own;
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    struct qp_list *list = own->list[own->arrays.source];
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1];
    enum qp_status status = QP_OK;
    qp_trial_set_step(recipe->trial, own->step++ % own->steps, own->steps, number);
    for (int i = 0; i < own->passes; i++) {
        const int program = own->program[i];
        const struct qp_kernel_number *of = program >= 0 ? recipe->kernel[program].number : NULL;
        for (; of != NULL && of->name != NULL && status == QP_OK; of++)
            status = qp_list_set(list, i, &number[qp_trial_number_of(recipe->trial, of->name)]);
    }
    return status == QP_OK ? run(list, 1) : status;
}

/* Steps with swaps between them, after which the last one's result is the target. */
static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct plan_kernels *own = plan->own;
    const int back = own->arrays.source,
              left = count - back; /* the other list begins at the first state */
    enum qp_status status = QP_OK;
    if (qp_trial_recipe_of(plan->variant)->trial->desc.set_step != NULL) {
        for (int k = 0; k < count && status == QP_OK; k++) {
            own->arrays.source ^= k > 0;
            status = take_counted(plan);
        }
        return status;
    }
    status = run(own->list[1], back);
    if (status == QP_OK)
        status = run(own->both, left / 2);
    if (status == QP_OK)
        status = run(own->list[0], left % 2);
    own->arrays.source = (back + count + 1) % 2;
    return status;
}

/* A refusal of the toolkit's here is a fault of the kernel's, which the verdict names. */
static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_trial_recipe *recipe = qp_trial_recipe_of(plan->variant);
    enum qp_status status = QP_OK;
    for (int i = 0; i < recipe->kernels && status == QP_OK; i++) {
        status = make_kernel(plan, i);
        if (status == QP_OK && needs_copy(recipe, i) && own_of(plan)->copies == NULL)
            status = make_copies(plan);
    }
    if (status == QP_OK)
        status = record(plan);
    if (status == QP_OK)
        status = qp_warm_up(plan, qp_pass_once, qp_finish_gl);
    if (status == QP_OK)
        status = qp_trial_begin(plan);
    own_of(plan)->step = own_of(plan)->first;
    return status == QP_BAD_USE ? qp_fail_within(QP_BAD_INPUT, "stage 4, program") : status;
}

static void destroy_array(struct qp_plan_array *array)
{
    if (array->cells != array->whole)
        qp_array_destroy(&array->cells);
    qp_array_destroy(&array->whole);
}

static void destroy(struct qp_plan *plan)
{
    struct plan_kernels *own = plan->own;
    if (own == NULL)
        return;
    qp_list_destroy(&own->both);
    for (int s = 0; s < 2; s++)
        qp_list_destroy(&own->list[s]);
    for (int i = 0; i < QP_TRIAL_KERNELS; i++)
        qp_kernel_destroy(&own->kernel[i]);
    qp_kernel_destroy(&own->copies);
    for (int i = 0; i < QP_KERNEL_INPUTS; i++)
        destroy_array(&own->arrays.input[i]);
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++) {
        if (!qp_trial_recipe_of(plan->variant)->trial->keeps_outputs)
            destroy_array(&own->arrays.state[1][k]);
        destroy_array(&own->arrays.state[2][k]);
        destroy_array(&own->arrays.state[0][k]);
    }
}

const struct qp_engine qp_engine_kernels = {.arrange = arrange,
                                            .upload = qp_trial_upload,
                                            .program = program,
                                            .pass = qp_pass_once,
                                            .passes = passes,
                                            .swap = qp_trial_swap,
                                            .finish = qp_finish_gl,
                                            .change = qp_trial_change,
                                            .read = qp_trial_read,
                                            .destroy = destroy,
                                            .limits = QP_LIMITS_OF_CUTS};
