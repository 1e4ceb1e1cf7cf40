/* SPDX-License-Identifier: MIT */
/* The ten stages in one order. Nothing else runs a variant. */
#include <quadpass/walk.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/choose.h"
#include "lab/plan/problem.h"
#include "lab/walk/description.h"
#include "lab/walk/walker.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/call.h"

/* Puts the stage's name in front of a failure's sentence. */
static enum qp_status name_stage(const struct qp_walker *walker, enum qp_status status)
{
    if (status == QP_OK || strncmp(qp_error(), "stage ", 6) == 0)
        return status;
    return qp_fail_within(status, "stage %d, %s", (int)walker->stage, qp_stage_name(walker->stage));
}

/* A callback is due after this step; and one that looks at the step's change. */
static bool is_due(const struct qp_walk_desc *desc, int step)
{
    return desc->every > 0 && step % desc->every == 0;
}

static bool looks(const struct qp_walk_desc *desc, int step)
{
    return desc->on_residual != NULL && is_due(desc, step);
}

/* An answer that all processes give alike which compute this run. */
static bool agreed(const struct qp_walker *walker, bool answer)
{
    const struct qp_engine *engine = walker->plan->engine;
    return engine->agreed != NULL ? engine->agreed(walker->plan, answer) : answer;
}

/* Number of steps from this one on that may be taken before a callback is due. */
static int steps_at_once(const struct qp_walker *walker, int step)
{
    const struct qp_walk_desc *desc = walker->desc;
    const int left = qp_least(walker->plan->most_steps, desc->iterations - step + 1);
    if (walker->plan->engine->passes == NULL || (step == desc->first + 1 && desc->on_stage != NULL))
        return 1;
    return desc->every > 0 ? qp_least(left, desc->every - (step - 1) % desc->every) : left;
}

/* Residual = change x problem's weight / step's weight, where steps have weights of their own. */
static double change_factor(const struct qp_walker *walker, int step)
{
    const struct qp_problem *problem = walker->plan->problem;
    return problem->weights != NULL && problem->order == 0
               ? problem->weight / qp_problem_step_weight(problem, step - walker->desc->first - 1)
               : 1.0;
}

/* Reads the source, after a swap, into a matrix that the caller destroys, by way of texels of its
 * own, for a plan's may be the state itself. */
static enum qp_status read_state(struct qp_walker *walker, struct qp_matrix *x)
{
    struct qp_plan *plan = walker->plan;
    *x = (struct qp_matrix){0};
    qp_enter(walker, QP_STAGE_READBACK);
    void *texels = qp_alloc_line(qp_layout_values(&plan->layout),
                                 qp_value_bytes(plan->layout.precision), "an iterate's texels");
    enum qp_status status = texels != NULL ? plan->engine->finish(plan) : QP_NO_MEMORY;
    if (status == QP_OK) { /* padding and guards, which not every engine writes */
        memcpy(texels, plan->texels, qp_layout_bytes(&plan->layout));
        status = plan->engine->read(plan, false, texels);
    }
    if (status == QP_OK)
        status = qp_plan_unpack(plan, texels, x);
    free(texels);
    return status;
}

static enum qp_status hand_out(struct qp_walker *walker, int step, bool *stop)
{
    struct qp_matrix x;
    const enum qp_status status = read_state(walker, &x);
    if (status == QP_OK)
        *stop = agreed(walker, walker->desc->on_state != NULL &&
                                   !walker->desc->on_state(walker->desc->user, step, &x));
    qp_matrix_destroy(&x);
    return status;
}

/* Distance of the iterate from the wanted one, computed on the host, for engines without one of
 * their own. */
static enum qp_status compute_distance(struct qp_walker *walker, double *largest, double *squares)
{
    struct qp_matrix x;
    const double *wanted = walker->desc->wanted;
    const enum qp_status status = read_state(walker, &x);
    *largest = *squares = 0.0;
    for (size_t i = 0; status == QP_OK && i < (size_t)x.width * (size_t)x.height; i++) {
        const double off = fabs(qp_matrix_value(&x, i) - wanted[i]);
        *largest = off <= *largest ? *largest : off; /* NaN stays */
        *squares += off * off;
    }
    qp_matrix_destroy(&x);
    return status;
}

static enum qp_status tell_distance(struct qp_walker *walker, int step, bool *stop)
{
    struct qp_plan *plan = walker->plan;
    const struct qp_walk_desc *desc = walker->desc;
    double largest, squares;
    const enum qp_status status =
        plan->engine->distance != NULL
            ? plan->engine->distance(plan, desc->wanted, &largest, &squares)
            : compute_distance(walker, &largest, &squares);
    if (status == QP_OK)
        *stop = agreed(walker, !desc->on_distance(desc->user, step, largest, sqrt(squares)));
    return status;
}

static bool wants_state(const struct qp_walk_desc *desc, int step)
{
    return desc->on_state != NULL && desc->wants_state != NULL &&
           desc->wants_state(desc->user, step);
}

/* Stages 5 and 6 for `count` steps up to `step`; *stop once the caller has seen enough. */
static enum qp_status take_step(struct qp_walker *walker, int count, int step, bool *stop)
{
    const struct qp_walk_desc *desc = walker->desc;
    struct qp_plan *plan = walker->plan;
    bool watched = step == desc->first + 1 && desc->on_stage != NULL;
    const bool due = looks(desc, step);
    qp_enter(walker, QP_STAGE_PASS);
    enum qp_status status =
        count > 1 ? plan->engine->passes(plan, count) : plan->engine->pass(plan);
    if (watched && status == QP_OK) {
        status = plan->engine->finish(plan);
        qp_leave(walker);
    }
    if (status == QP_OK && due) {
        double residual = NAN;
        status = plan->engine->change(plan, &residual);
        residual *= change_factor(walker, step);
        *stop = status != QP_OK || agreed(walker, !desc->on_residual(desc->user, step, residual));
    }
    if (status != QP_OK)
        return status;
    qp_enter(walker, QP_STAGE_SWAP);
    plan->engine->swap(plan);
    if (watched)
        qp_leave(walker);
    if (due && !*stop && agreed(walker, wants_state(desc, step)))
        status = hand_out(walker, step, stop);
    if (status == QP_OK && desc->on_distance != NULL && is_due(desc, step) && !*stop)
        status = tell_distance(walker, step, stop);
    return status;
}

static size_t count_vertices(const struct qp_walker *walker)
{
    const struct qp_context *context = walker->plan->context;
    return context != NULL ? qp_context_counters(context).vertices : 0;
}

static enum qp_status take_steps(struct qp_walker *walker)
{
    const struct qp_walk_desc *desc = walker->desc;
    const size_t before = count_vertices(walker);
    bool stop = false, left = false;
    int step = desc->first;
    enum qp_status status = QP_OK;
    double begin = qp_clock();
    while (step < desc->iterations && !stop && status == QP_OK) {
        left = agreed(walker, qp_is_interrupted(desc->interrupt));
        if (left)
            break;
        int count = steps_at_once(walker, step + 1);
        step += count;
        status = take_step(walker, count, step, &stop);
    }
    walker->result->iterations = step;
    if (left && agreed(walker, wants_state(desc, step)))
        status = hand_out(walker, step, &stop);
    if (status == QP_OK)
        status = walker->plan->engine->finish(walker->plan);
    walker->result->run_seconds = qp_clock() - begin;
    if (walker->plan->engine->threads != NULL)
        walker->result->threads = walker->plan->engine->threads(walker->plan);
    if (desc->on_end != NULL)
        desc->on_end(desc->user);
    if (step > desc->first)
        walker->result->vertices = (double)(count_vertices(walker) - before) / (step - desc->first);
    return status;
}

/* Looks for an interrupt between stages, before the steps: nothing is lost yet, and a stage may
 * take long. */
static enum qp_status go_on(void)
{
    return qp_watch_wants_end() ? qp_watch_fail() : QP_OK;
}

/* Nobody wants the answer of an interrupted walk that would be judged. */
static bool is_in_vain(const struct qp_walk_desc *desc)
{
    return qp_is_interrupted(desc->interrupt) && !desc->unchecked && !desc->keep_solution;
}

/* Stages 1 to 4. */
static enum qp_status make_ready(struct qp_walker *walker)
{
    struct qp_plan *plan = walker->plan;
    struct qp_result *result = walker->result;
    enum qp_status status;

    qp_enter(walker, QP_STAGE_PROBLEM);
    qp_leave(walker); /* the visitor is already here */

    qp_enter(walker, QP_STAGE_PACK);
    if ((status = qp_plan_pack(plan)) != QP_OK || (status = go_on()) != QP_OK)
        return status;
    result->pack_seconds = qp_leave(walker);

    qp_enter(walker, QP_STAGE_UPLOAD);
    if ((status = plan->engine->upload(plan)) != QP_OK || (status = go_on()) != QP_OK)
        return status;
    result->upload_seconds = qp_leave(walker);

    qp_enter(walker, QP_STAGE_PROGRAM);
    if ((status = plan->engine->program(plan)) != QP_OK)
        return status;
    result->program_seconds = qp_leave(walker);
    return go_on();
}

/* The stages, in order; `renews` a plan that was made for an earlier walk. */
static enum qp_status visit(struct qp_walker *walker, struct qp_problem *problem, bool renews)
{
    struct qp_plan *plan = walker->plan;
    struct qp_result *result = walker->result;
    enum qp_status status = renews ? plan->engine->renew(plan) : make_ready(walker);
    if (status != QP_OK)
        return status;
    result->pingpong = plan->pingpong;
    result->group_x = plan->group_x;
    result->group_y = plan->group_y;
    result->block = plan->block;
    result->occupancy = qp_plan_blocks(plan).occupancy;
    if (plan->engine->parts != NULL)
        result->parts = plan->engine->parts(plan);
    result->parts.alpha = problem->alpha;

    if ((status = take_steps(walker)) != QP_OK) /* stages 5 and 6, again and again */
        return status;
    if (is_in_vain(walker->desc))
        return qp_watch_fail();

    qp_enter(walker, QP_STAGE_READBACK);
    if ((status = plan->engine->read(plan, false, plan->texels)) != QP_OK)
        return status;
    result->readback_seconds = qp_leave(walker);

    qp_enter(walker, QP_STAGE_UNPACK);
    if ((status = qp_plan_unpack(plan, plan->texels, &result->solution)) != QP_OK)
        return status;
    result->unpack_seconds = qp_leave(walker);

    if (plan->variant->recipe->bound)
        return qp_judge_bound(walker, problem);
    return walker->desc->unchecked ? qp_look(problem, QP_PASS, result)
                                   : qp_judge_answer(walker, problem);
}

/* Turns a status into a verdict: a problem that the variant cannot take is a skip, an error of its
 * own a fail; only the rest, and the loss of the context, stops the caller. */
static enum qp_status settle(const struct qp_context *context, enum qp_status status,
                             struct qp_result *result)
{
    if (status == QP_OK || qp_context_is_lost(context))
        return status;
    if (status != QP_UNSUPPORTED && status != QP_DEVICE && status != QP_BAD_INPUT)
        return status;
    result->verdict = status == QP_UNSUPPORTED ? QP_SKIP : QP_FAIL;
    result->cause = status;
    snprintf(result->reason, sizeof result->reason, "%s", qp_error());
    return QP_OK;
}

/* Sets in the problem how the walk updates it: its order, async factor and weights. */
static enum qp_status set_course(const struct qp_variant *variant, const struct qp_walk_desc *desc,
                                 struct qp_problem *problem)
{
    const struct qp_judge *judge = problem->op != NULL ? problem->op->judge : NULL;
    const bool ordered = judge != NULL && judge->order != NULL;
    problem->order = ordered ? judge->order(variant->recipe) : 0;
    problem->alpha = qp_recipe_alpha(variant->recipe, desc->parts.alpha);
    problem->block = qp_recipe_alpha_rule(variant->recipe) == NULL ? 0
                     : desc->block > 0                             ? desc->block
                                       : qp_recipe_block(variant->recipe, problem->height);
    problem->weights = desc->weights;
    problem->first = desc->first;
    if (desc->weights == NULL || (ordered && desc->weights->count > 0))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s takes one weight for all steps, and no list of them",
                   variant->name);
}

static enum qp_status walk_once(struct qp_context *context, const struct qp_variant *variant,
                                struct qp_problem *problem, const struct qp_walk_desc *desc,
                                struct qp_plan **kept, struct qp_result *result)
{
    *result = (struct qp_result){.error = NAN, .error_rms = NAN, .tolerance = NAN};
    struct qp_walker walker = {.plan = kept != NULL ? *kept : NULL, .desc = desc, .result = result};
    const bool renews = walker.plan != NULL;
    const struct qp_watch before = qp_watch_interrupt(desc->interrupt);
    qp_watch_left(); /* clears the mark of work left before this walk */
    enum qp_status status = set_course(variant, desc, problem);
    if (status == QP_OK && !renews)
        status = qp_plan_create(context, variant, problem, desc, &walker.plan);
    if (status == QP_OK)
        status = name_stage(&walker, visit(&walker, problem, renews));
    const bool keeps = status == QP_OK && kept != NULL && walker.plan->engine->renew != NULL;
    if (!keeps)
        qp_plan_destroy(&walker.plan);
    if (kept != NULL)
        *kept = walker.plan;
    qp_watch_set(before);
    if (desc->weights != NULL)
        problem->reference_iterations = -1;
    problem->weights = NULL;
    problem->first = 0;
    status = settle(context, status, result);
    result->failed = result->cause != QP_OK ? walker.stage : 0;
    if (status != QP_OK || !desc->keep_solution ||
        (result->verdict == QP_SKIP && !qp_is_interrupted(desc->interrupt)))
        qp_matrix_destroy(&result->solution);
    return status;
}

/* Walks a failed elimination once more, with the log of pivots, which may name a column without a
 * pivot; else the first walk's verdict holds. Eliminations in fragment shaders log no pivots unless
 * asked. */
static enum qp_status name_pivot(struct qp_context *context, const struct qp_variant *variant,
                                 struct qp_problem *problem, const struct qp_walk_desc *desc,
                                 struct qp_result *result)
{
    struct qp_walk_desc again = *desc;
    struct qp_result logged;
    again.iterations = 1;
    again.on_stage = NULL;
    again.keep_solution = false;
    again.unchecked = again.log_pivots = true;
    enum qp_status status = walk_once(context, variant, problem, &again, NULL, &logged);
    if (status == QP_OK && logged.cause == QP_BAD_INPUT) {
        result->cause = logged.cause;
        result->failed = logged.failed;
        memcpy(result->reason, logged.reason, sizeof logged.reason);
    }
    return qp_context_is_lost(context) ? status : QP_OK;
}

enum qp_status qp_walk(struct qp_context *context, const struct qp_variant *variant,
                       struct qp_problem *problem, const struct qp_walk_desc *desc,
                       struct qp_result *result)
{
    return qp_walk_keeping(context, variant, problem, desc, NULL, result);
}

enum qp_status qp_walk_keeping(struct qp_context *context, const struct qp_variant *variant,
                               struct qp_problem *problem, const struct qp_walk_desc *desc,
                               struct qp_plan **kept, struct qp_result *result)
{
    struct qp_call call;
    if (QP_NEED(result))
        return QP_BAD_USE;
    *result = (struct qp_result){.error = NAN, .error_rms = NAN, .tolerance = NAN};
    desc = desc != NULL ? desc : &(const struct qp_walk_desc){0};
    enum qp_status status = qp_check_walk(variant, problem, desc);
    if (status != QP_OK)
        return status;
    status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = walk_once(context, variant, problem, desc, kept, result);
    if (status == QP_OK && result->verdict == QP_FAIL && result->iterations > 0 &&
        variant->recipe->engine != NULL && variant->recipe->engine->asked_to_log &&
        !desc->log_pivots)
        status = name_pivot(context, variant, problem, desc, result);
    if (status != QP_OK)
        result->verdict = QP_NO_VERDICT;
    return qp_call_end(&call, status);
}
