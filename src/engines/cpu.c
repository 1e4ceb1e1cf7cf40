/* SPDX-License-Identifier: MIT */
/* Rooms 3 to 7 on the CPU: arrays are the packed texels themselves, a kernel is a function, a pass
 * is a call, feedback is two pointers that change roles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/watch.h"
#include "engines/engines.h"
#include "plan/plan.h"
#include "plan/problem.h"

/* ---- Variants ---- */

struct qp_plan_cpu {
    void *state[2]; /* source first: the plan's arrays */
};

static struct qp_plan_cpu *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

static void *first_cell(const struct qp_layout *layout, const void *texels)
{
    const size_t first = (size_t)layout->origin_y * (size_t)layout->storage_x;
    return qp_value_at(texels, layout->precision, first + (size_t)layout->origin_x);
}

/* Resets the target to its state when a run begins: unwritten, or for rows in place the start. */
static void empty_target(struct qp_plan *plan)
{
    const struct qp_op *op = plan->problem->op;
    own_of(plan)->state[0] = plan->texels;
    own_of(plan)->state[1] = plan->empty;
    if (plan->variant->recipe->in_place) {
        memcpy(plan->empty, plan->texels, qp_layout_bytes(&plan->layout));
        return;
    }
    for (int slot = 0; slot < plan->layout.slots; slot++)
        qp_layout_pack(&plan->layout, slot, NULL, op->field[op->state].padding, plan->empty);
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_lent *lent = plan->variant->recipe->lent;
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_cpu), "a plan's CPU side");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    empty_target(plan);
    return lent != NULL && lent->open != NULL ? lent->open() : QP_OK;
}

static enum qp_status nothing(struct qp_plan *plan)
{
    (void)plan;
    return QP_OK;
}

/* One step. In place, every step after the first needs the start once more, and pays for the copy, as
 * rows of other engines do. */
static enum qp_status pass(struct qp_plan *plan)
{
    enum qp_status status = QP_OK;
    if (plan->variant->recipe->in_place && own_of(plan)->state[0] != plan->texels)
        empty_target(plan);
    struct qp_sweep sweep = {.width = plan->problem->width,
                             .height = plan->problem->height,
                             .kind = qp_problem_kind(plan->problem),
                             .parameter = plan->problem->parameter,
                             .weight = plan->problem->weight,
                             .user = plan->variant->recipe->own,
                             .status = &status,
                             .x = first_cell(&plan->layout, own_of(plan)->state[0]),
                             .out = first_cell(&plan->layout, own_of(plan)->state[1])};
    for (int i = 0; i < plan->inputs; i++)
        sweep.input[i] = first_cell(&plan->input_layout[i], plan->input_texels[i]);
    qp_recipe_sweep(plan->variant->recipe)(&sweep);
    return qp_watch_left() ? qp_watch_fail() : status;
}

static void swap(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    void *source = own->state[0];
    own->state[0] = own->state[1];
    own->state[1] = source;
}

/* Warm-up steps: fresh memory is mapped, libraries start their threads, and a core leaves its idle
 * clock. Errors are ignored here, since the run finds them again. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    const double begin = qp_clock();
    enum qp_status status = QP_OK;
    while (status == QP_OK && qp_clock() - begin < plan->warm_seconds) {
        status = pass(plan);
        empty_target(plan);
    }
    return QP_OK;
}

static enum qp_status change(struct qp_plan *plan, double *norm)
{
    const enum qp_precision precision = plan->layout.precision;
    const void *old = first_cell(&plan->layout, own_of(plan)->state[0]);
    const void *new = first_cell(&plan->layout, own_of(plan)->state[1]);
    const void *scale = first_cell(&plan->layout, plan->scale_texels);
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)plan->layout.domain_x; i++) {
        double residual = qp_value(scale, precision, i) *
                          (qp_value(new, precision, i) - qp_value(old, precision, i));
        sum += residual * residual;
    }
    *norm = sqrt(sum);
    return QP_OK;
}

static enum qp_status read_state(struct qp_plan *plan, bool target, void *texels)
{
    const void *state = own_of(plan)->state[target ? 1 : 0];
    if (texels != state)
        memcpy(texels, state, qp_layout_bytes(&plan->layout));
    return QP_OK;
}

static void destroy(struct qp_plan *plan)
{
    free(plan->own);
}

const struct qp_engine qp_engine_cpu = {.upload = upload,
                                        .program = warm_up,
                                        .pass = pass,
                                        .swap = swap,
                                        .finish = nothing,
                                        .change = change,
                                        .read = read_state,
                                        .destroy = destroy};

/* ---- The reference as a row of its own: doubles between the steps ---- */

struct qp_plan_reference {
    double *state[2]; /* source first */
};

static struct qp_plan_reference *double_of(const struct qp_plan *plan)
{
    return plan->own;
}

static size_t cells_of(const struct qp_plan *plan)
{
    return qp_problem_answers(plan->problem);
}

static enum qp_status upload_double(struct qp_plan *plan)
{
    const float *start = plan->problem->field[plan->problem->op->state].values;
    struct qp_plan_reference *own = qp_alloc_zero(1, sizeof *own, "a plan's reference");
    plan->own = own;
    for (int i = 0; i < 2; i++) {
        if (own != NULL)
            own->state[i] = qp_alloc(cells_of(plan), sizeof(double), "the reference's state");
        if (own == NULL || own->state[i] == NULL)
            return QP_NO_MEMORY;
    }
    for (size_t i = 0; i < cells_of(plan); i++) {
        own->state[0][i] = start[i];
        own->state[1][i] = NAN;
    }
    return QP_OK;
}

static enum qp_status pass_double(struct qp_plan *plan)
{
    double scale = 0.0;
    double *const *state = double_of(plan)->state;
    plan->problem->op->step(plan->problem, state[0], state[1], &scale);
    return qp_watch_left() ? qp_watch_fail() : QP_OK;
}

static void swap_double(struct qp_plan *plan)
{
    struct qp_plan_reference *own = plan->own;
    double *source = own->state[0];
    own->state[0] = own->state[1];
    own->state[1] = source;
}

static enum qp_status change_double(struct qp_plan *plan, double *norm)
{
    const void *scale = first_cell(&plan->layout, plan->scale_texels);
    const struct qp_plan_reference *own = plan->own;
    double sum = 0.0;
    for (size_t i = 0; i < cells_of(plan); i++) {
        double residual =
            qp_value(scale, plan->layout.precision, i) * (own->state[1][i] - own->state[0][i]);
        sum += residual * residual;
    }
    *norm = sqrt(sum);
    return QP_OK;
}

static enum qp_status read_double(struct qp_plan *plan, bool target, void *texels)
{
    void *x = first_cell(&plan->layout, texels);
    const double *state = double_of(plan)->state[target ? 1 : 0];
    if (texels != plan->texels)
        memcpy(texels, plan->texels, qp_layout_bytes(&plan->layout));
    for (size_t i = 0; i < cells_of(plan); i++)
        qp_set_value(x, plan->layout.precision, i, state[i]);
    return QP_OK;
}

static void destroy_double(struct qp_plan *plan)
{
    struct qp_plan_reference *own = plan->own;
    for (int i = 0; own != NULL && i < 2; i++)
        free(own->state[i]);
    free(own);
}

const struct qp_engine qp_engine_reference = {.upload = upload_double,
                                              .program = nothing,
                                              .pass = pass_double,
                                              .swap = swap_double,
                                              .finish = nothing,
                                              .change = change_double,
                                              .read = read_double,
                                              .destroy = destroy_double};
