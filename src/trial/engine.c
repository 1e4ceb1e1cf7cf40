/* SPDX-License-Identifier: MIT */
/* Rooms 3 to 7 of a trial's kernels: by the toolkit's arrays, kernels and recorded lists. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "base/whole.h"
#include "engines/common.h"
#include "gl/context.h"
#include "plan/problem.h"
#include "toolkit/kernel.h"
#include "trial/trial.h"

/* Texels around the cells. Around what is read they hold what must not be read, NaN where there is one; around outputs that
 * are never read a number, in place of which NaN would be seen too. */
enum { GUARD = 3, GUARD_OF_OUTPUTS = 1234 };

/* An array of a plan. */
struct plan_array {
    struct qp_array *whole, *cells; /* the second is a view of the first, or the same */
    enum qp_array_type type;
    double guard;
};

struct plan_kernels {
    struct plan_array input[QP_KERNEL_INPUTS]; /* of those that are no states */
    struct plan_array state[2][QP_KERNEL_OUTPUTS];
    struct qp_kernel *kernel[QP_TRIAL_KERNELS];
    struct qp_list *list[2], *both; /* a step from either state; from the first one and back */
    int source;
    bool guarded;
};

static struct plan_kernels *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

static const struct qp_trial_row *row_of(const struct qp_plan *plan)
{
    return qp_trial_row_of(plan->variant);
}

/* ---- Room 2 ---- */

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    if (plan->target != QP_RECTANGLE)
        return qp_fail(QP_UNSUPPORTED, "arrays of the toolkit are rectangles; leave the target");
    plan->own = qp_alloc_zero(1, sizeof(struct plan_kernels), "the kernels of a trial");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    own_of(plan)->guarded = row_of(plan)->guarded && !desc->timed;
    plan->pingpong = QP_TWO_FBOS;
    plan->measures_change = false; /* the host does, of any two states */
    plan->most_steps = 1 << 10;
    if (qp_context_device(plan->context)->software) /* an interrupt is looked for between calls */
        plan->most_steps =
            qp_clamp(0x1p22 / (double)qp_problem_answers(plan->problem), 1, plan->most_steps);
    return QP_OK;
}

/* ---- Room 3 ---- */

/* Values of all cells; NULL: what was there before anybody has written. */
static enum qp_status put(const struct plan_array *array, const double *values)
{
    const struct qp_array_desc desc = qp_array_describe(array->cells);
    const size_t count = (size_t)desc.width * (size_t)desc.height * (size_t)desc.channels;
    void *memory = qp_alloc(count, qp_typed_bytes(desc.type), "the values of an array");
    if (memory == NULL)
        return QP_NO_MEMORY;
    qp_typed_put(desc.type, values, count, memory);
    const enum qp_status status = qp_array_write(array->cells, NULL, memory, 0);
    free(memory);
    return status;
}

/* Arrays above the limit of a texture have no guards. */
static enum qp_status make_array(const struct qp_plan *plan, const struct qp_array_desc *desc,
                                 double guard, const double *values, struct plan_array *out)
{
    const int limit = qp_context_device(plan->context)->rectangle_limit - 2 * GUARD;
    const struct qp_rect cells = {GUARD, GUARD, desc->width, desc->height};
    const bool guarded = own_of(plan)->guarded && desc->width <= limit && desc->height <= limit;
    struct qp_array_desc whole = *desc;
    out->guard = guard;
    if (guarded) {
        whole.width += 2 * GUARD;
        whole.height += 2 * GUARD;
    }
    enum qp_status status = qp_array_create(plan->context, &whole, NULL, &out->whole);
    if (status == QP_OK && guarded)
        status = qp_array_fill(out->whole, NULL, guard);
    if (status == QP_OK && guarded)
        status = qp_array_view(out->whole, &cells, &out->cells);
    if (status == QP_OK && !guarded)
        out->cells = out->whole;
    return status == QP_OK ? put(out, values) : status;
}

static double guard_of(enum qp_array_type type)
{
    return qp_array_is_whole(type) ? qp_typed_unwritten(type) : (double)NAN;
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
    return qp_trial_field(plan->problem, 0) +
           (size_t)k * qp_trial_values(row_of(plan)->trial, plan->problem);
}

/* Both arrays of an output, which are one where a step goes on in it. */
static enum qp_status make_state(struct qp_plan *plan, const struct qp_kernel_grid *grid, int k)
{
    const struct qp_trial_row *row = row_of(plan);
    const int input = row->trial->state[k];
    const enum qp_array_type type = row->kernel[0].output_type;
    const struct qp_kernel_array plain = {grid->width,     grid->height, grid->channels,
                                          QP_OUTSIDE_ZERO, 0.0,          NULL};
    const struct qp_array_desc desc = desc_of(input >= 0 ? &grid->input[input] : &plain, type);
    const double guard = input >= 0 ? guard_of(type) : GUARD_OF_OUTPUTS;
    struct plan_array(*state)[QP_KERNEL_OUTPUTS] = own_of(plan)->state;
    enum qp_status status = make_array(plan, &desc, guard, start_of(plan, k), &state[0][k]);
    if (status != QP_OK || row->trial->keeps) {
        state[1][k] = state[0][k];
        return status;
    }
    return make_array(plan, &desc, guard, NULL, &state[1][k]);
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_trial_row *row = row_of(plan);
    const struct qp_trial *trial = row->trial;
    const struct qp_kernel_grid grid = qp_trial_grid(trial, plan->problem);
    enum qp_status status = QP_OK;
    for (int i = 0; i < trial->inputs && status == QP_OK; i++) {
        const enum qp_array_type type = qp_trial_input_type(row, i);
        const struct qp_array_desc desc = desc_of(&grid.input[i], type);
        if (trial->input[i].state < 0)
            status = make_array(plan, &desc, guard_of(type),
                                qp_trial_field(plan->problem, trial->input[i].field),
                                &own_of(plan)->input[i]);
    }
    for (int k = 0; k < trial->outputs && status == QP_OK; k++)
        status = make_state(plan, &grid, k);
    return status;
}

/* ---- Room 4 ---- */

/* The text is the recipe's. Mutants look a cell further than the kernel. */
static enum qp_status make_kernel(struct qp_plan *plan, int i)
{
    struct qp_kernel_desc desc = row_of(plan)->kernel[i];
    const struct qp_draw *draw = &plan->variant->recipe->draw[i];
    const char **text = desc.body != NULL           ? &desc.body
                        : desc.compute.text != NULL ? &desc.compute.text
                                                    : &desc.fragment.text;
    for (int k = 0; *text != draw->fragment_text && desc.input[k].name != NULL; k++)
        desc.input[k].reach += desc.input[k].reach > 0;
    *text = draw->fragment_text;
    desc.fast = draw->free || (desc.fast && !draw->precise);
    return qp_kernel_create(plan->context, &desc, &own_of(plan)->kernel[i]);
}

/* The cells of a cover; false: there are none. */
static bool cover(const struct qp_problem *problem, enum qp_cover which, struct qp_pass *pass)
{
    const int width = problem->width, height = problem->height;
    if (which == QP_COVER_INTERIOR)
        pass->region = (struct qp_rect){1, 0, width - 2, height};
    else if (which == QP_COVER_LEFT || which == QP_COVER_RIGHT)
        pass->region = (struct qp_rect){which == QP_COVER_LEFT ? 0 : width - 1, 0, 1, height};
    else if (which == QP_COVER_POINTS)
        pass->points = width * height;
    return which != QP_COVER_INTERIOR || width > 2;
}

static struct qp_pass pass_of(const struct qp_plan *plan, int i, int source)
{
    const struct qp_trial_row *row = row_of(plan);
    const struct qp_trial *trial = row->trial;
    struct plan_kernels *own = plan->own;
    struct qp_pass pass = {.kernel = own->kernel[i],
                           .blend = row->blend,
                           .points = row->points,
                           .in_place = trial->in_place};
    const struct qp_kernel_desc *desc = &row->kernel[i];
    for (int k = 0; desc->input[k].name != NULL; k++) {
        const int input = qp_trial_input_of(trial, desc->input[k].name);
        const int state = trial->input[input].state;
        pass.input[k] = (struct qp_pass_input){
            desc->input[k].name,
            (state >= 0 ? own->state[source][state] : own->input[input]).cells};
    }
    for (int k = 0; desc->number[k].name != NULL; k++)
        pass.number[k] = trial->value[qp_trial_number_of(trial, desc->number[k].name)];
    for (int k = 0; k < trial->outputs; k++)
        pass.output[k] = own->state[1 - source][k].cells;
    return pass;
}

/* Records the steps. On small grids no program may have a cell. */
static enum qp_status record(struct qp_plan *plan)
{
    struct plan_kernels *own = plan->own;
    const struct qp_trial_row *row = row_of(plan);
    struct qp_pass passes[2 * QP_TRIAL_KERNELS];
    int count = 0, half = 0;
    for (int source = 0; source < 2; source++) {
        half = count;
        for (int i = 0; i < row->kernels; i++) {
            passes[count] = pass_of(plan, i, source);
            count += cover(plan->problem, plan->variant->recipe->draw[i].cover, &passes[count]);
        }
    }
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

/* Steps with swaps between them, after which the last one's result is the target. */
static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct plan_kernels *own = plan->own;
    const int back = own->source,
              left = count - back; /* the other list begins at the first state */
    enum qp_status status = run(own->list[1], back);
    if (status == QP_OK)
        status = run(own->both, left / 2);
    if (status == QP_OK)
        status = run(own->list[0], left % 2);
    own->source = (own->source + count + 1) % 2;
    return status;
}

/* After the warm-up. */
static enum qp_status begin_again(struct qp_plan *plan)
{
    const struct qp_trial *trial = row_of(plan)->trial;
    struct plan_kernels *own = plan->own;
    enum qp_status status = QP_OK;
    own->source = 0;
    for (int k = 0; k < trial->outputs && status == QP_OK; k++)
        status = put(&own->state[1][k], trial->keeps ? start_of(plan, k) : NULL);
    return status;
}

/* A refusal of the toolkit's here is a fault of the kernel's, which the verdict names. */
static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_trial_row *row = row_of(plan);
    enum qp_status status = QP_OK;
    for (int i = 0; i < row->kernels && status == QP_OK; i++)
        status = make_kernel(plan, i);
    if (status == QP_OK)
        status = record(plan);
    if (status == QP_OK)
        status = qp_warm_up(plan, qp_pass_once, qp_finish_gl);
    if (status == QP_OK)
        status = begin_again(plan);
    return status == QP_BAD_USE ? qp_fail_within(QP_BAD_INPUT, "room 4, program") : status;
}

/* ---- Rooms 5 and 6 ---- */

static void swap(struct qp_plan *plan)
{
    own_of(plan)->source = 1 - own_of(plan)->source;
}

/* ---- Room 7 ---- */

static enum qp_status get(struct qp_plan *plan, bool target, int output, void *memory)
{
    const struct plan_kernels *own = plan->own;
    return qp_array_read(own->state[own->source ^ (int)target][output].cells, NULL, memory, 0);
}

/* Looks for a texel beside the cells that is not what it was. */
static enum qp_status check_guards(const struct qp_plan *plan, int k,
                                   const struct plan_array *array)
{
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
                        "room 7, readback: %s wrote outside: %.9g to texel (%d, %d) beside the "
                        "%d x %d cells of output %d",
                        plan->variant->name, isnan(value) ? (double)NAN : value, x, y, cells.width,
                        cells.height, k);
    }
    free(memory);
    return status;
}

static enum qp_status read_state(struct qp_plan *plan, bool target, void *texels)
{
    const struct plan_kernels *own = plan->own;
    enum qp_status status = QP_OK;
    for (int k = 0; k < row_of(plan)->trial->outputs && status == QP_OK; k++) {
        for (int s = 0; s < 2 && status == QP_OK; s++) {
            if (own->state[s][k].cells != own->state[s][k].whole)
                status = check_guards(plan, k, &own->state[s][k]);
        }
    }
    return status == QP_OK ? qp_trial_read(plan, target, texels, get) : status;
}

static void destroy_array(struct plan_array *array)
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
    for (int i = 0; i < QP_KERNEL_INPUTS; i++)
        destroy_array(&own->input[i]);
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++) {
        if (own->state[1][k].whole != own->state[0][k].whole)
            destroy_array(&own->state[1][k]);
        destroy_array(&own->state[0][k]);
    }
    free(own);
}

const struct qp_engine qp_engine_kernels = {.arrange = arrange,
                                            .upload = upload,
                                            .program = program,
                                            .pass = qp_pass_once,
                                            .passes = passes,
                                            .swap = swap,
                                            .finish = qp_finish_gl,
                                            .change = qp_trial_change,
                                            .read = read_state,
                                            .destroy = destroy,
                                            .cuts = true};
