/* SPDX-License-Identifier: MIT */
/* The ten rooms in one order. Nothing else runs a variant. */
#include <quadpass/walk.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compare.h"
#include "base/interrupt.h"
#include "base/values.h"
#include "base/watch.h"
#include "engines/choose.h"
#include "gl/call.h"
#include "plan/half.h"
#include "plan/problem.h"
#include "walk/description.h"

/* A walk under way. */
struct walker {
    const struct qp_walk_desc *desc;
    struct qp_plan *plan;
    struct qp_result *result;
    enum qp_room room;
    double entered;
};

static void enter(struct walker *walker, enum qp_room room)
{
    walker->room = room;
    walker->entered = qp_clock();
}

/* Calls on_room; returns the seconds spent in the room. */
static double leave(struct walker *walker)
{
    double seconds = qp_clock() - walker->entered;
    if (walker->desc->on_room != NULL)
        walker->desc->on_room(walker->desc->user, walker->room, walker->plan, seconds);
    return seconds;
}

/* Puts the room's name in front of a failure's sentence. */
static enum qp_status name_room(const struct walker *walker, enum qp_status status)
{
    if (status == QP_OK || strncmp(qp_error(), "room", 4) == 0)
        return status;
    return qp_fail_within(status, "room %d, %s", (int)walker->room, qp_room_name(walker->room));
}

static bool is_due(const struct qp_walk_desc *desc, int step)
{
    return desc->every > 0 && desc->on_residual != NULL && step % desc->every == 0;
}

/* Number of steps from this one on that may be taken before a callback is due. */
static int steps_at_once(const struct walker *walker, int step)
{
    const struct qp_walk_desc *desc = walker->desc;
    int most = walker->plan->most_steps, left = desc->iterations - step + 1;
    if (walker->plan->engine->passes == NULL || (step == 1 && desc->on_room != NULL))
        return 1;
    if (desc->every > 0 && left > desc->every - (step - 1) % desc->every)
        left = desc->every - (step - 1) % desc->every;
    return left < most ? left : most;
}

/* Factor from a step's change to a residual where steps have weights of their own: the scale is for the problem's.
 * Rows in other orders measure by a step of that weight. */
static double change_factor(const struct qp_plan *plan, int step)
{
    const struct qp_problem *problem = plan->problem;
    return problem->weights != NULL && problem->order == 0
               ? problem->weight / qp_problem_step_weight(problem, step - 1)
               : 1.0;
}

/* Rooms 5 and 6 for `count` steps up to `step`; *stop once the caller has seen enough. */
static enum qp_status take_step(struct walker *walker, int count, int step, bool *stop)
{
    const struct qp_walk_desc *desc = walker->desc;
    struct qp_plan *plan = walker->plan;
    bool watched = step == 1 && desc->on_room != NULL;
    enter(walker, QP_ROOM_PASS);
    enum qp_status status =
        count > 1 ? plan->engine->passes(plan, count) : plan->engine->pass(plan);
    if (watched && status == QP_OK) {
        status = plan->engine->finish(plan);
        leave(walker);
    }
    if (status == QP_OK && is_due(desc, step)) {
        double residual = NAN;
        status = plan->engine->change(plan, &residual);
        residual *= change_factor(plan, step);
        *stop = status != QP_OK || !desc->on_residual(desc->user, step, residual);
    }
    if (status != QP_OK)
        return status;
    enter(walker, QP_ROOM_SWAP);
    plan->engine->swap(plan);
    if (watched)
        leave(walker);
    return QP_OK;
}

static size_t count_vertices(const struct walker *walker)
{
    const struct qp_context *context = walker->plan->context;
    return context != NULL ? qp_context_counters(context).vertices : 0;
}

static enum qp_status take_steps(struct walker *walker)
{
    const struct qp_walk_desc *desc = walker->desc;
    const size_t before = count_vertices(walker);
    bool stop = false;
    enum qp_status status = QP_OK;
    double begin = qp_clock();
    for (int step = 0; step < desc->iterations && !stop && status == QP_OK;) {
        if (qp_is_interrupted(desc->interrupt))
            break;
        int count = steps_at_once(walker, step + 1);
        step += count;
        status = take_step(walker, count, step, &stop);
        walker->result->iterations = step;
    }
    if (status == QP_OK)
        status = walker->plan->engine->finish(walker->plan);
    walker->result->run_seconds = qp_clock() - begin;
    if (walker->result->iterations > 0)
        walker->result->vertices =
            (double)(count_vertices(walker) - before) / walker->result->iterations;
    return status;
}

/* Systems stand one above the other in an answer. */
static void name_cell(const struct qp_problem *problem, int x, int y, struct qp_result *result,
                      char *place, size_t size)
{
    result->worst_x = x;
    result->worst_y = y % problem->answer_height;
    result->worst_system = y / problem->answer_height;
    int end = snprintf(place, size, "cell (%d, %d)", x, result->worst_y);
    if (problem->systems > 1)
        snprintf(place + end, size - (size_t)end, " of system %d", result->worst_system);
}

/* Room 10 by comparison. The reference's own row is judged by the witness, since nothing
 * is compared with itself. */
static enum qp_status compare(struct walker *walker, const struct qp_problem *problem,
                              struct qp_comparison *worst)
{
    struct qp_result *result = walker->result;
    double *witnessed = NULL;
    if (walker->plan->engine == &qp_engine_reference) {
        enum qp_status status =
            qp_problem_witness(problem, result->iterations, walker->desc->interrupt, &witnessed);
        if (status != QP_OK)
            return status;
    }
    *worst = qp_compare(&result->solution, witnessed != NULL ? witnessed : problem->reference,
                        problem->reference_scale);
    free(witnessed);
    worst->unwritten &= result->iterations == 1; /* later steps may have copied that NaN */
    return QP_OK;
}

/* Looks for parts that the answer leaves out, though it is right as far as it goes. */
static void look_for_gaps(const struct qp_problem *problem, struct qp_result *result)
{
    const struct qp_op *op = problem->op;
    if (op->judge != NULL && op->judge->leaves_out != NULL &&
        op->judge->leaves_out(problem, &result->solution, result->reason, sizeof result->reason))
        result->verdict = QP_FAIL;
}

/* Room 9. */
static enum qp_status refer(struct walker *walker, struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    enum qp_status status = QP_OK;
    enter(walker, QP_ROOM_REFERENCE);
    if (qp_is_interrupted(walker->desc->interrupt))
        return qp_watch_fail();
    if (op->judge == NULL || op->judge->wants_reference == NULL ||
        op->judge->wants_reference(problem))
        status = qp_problem_reference(problem, walker->result->iterations, walker->desc->interrupt);
    if (status == QP_OK && qp_recipe_is_half(walker->plan->variant->recipe))
        status = qp_half_resolves(problem);
    if (status == QP_OK)
        leave(walker);
    return status;
}

/* The verdict of room 10, and its reasons. */
static enum qp_status settle_verdict(const struct walker *walker, const struct qp_problem *problem,
                                     const struct qp_comparison *worst)
{
    const struct qp_judge *own = problem->op->judge;
    struct qp_result *result = walker->result;
    char place[64];
    result->error = worst->error;
    result->error_rms = worst->rms;
    result->tolerance =
        qp_recipe_tolerance(walker->plan->variant->recipe, problem, result->iterations);
    result->verdict = worst->error <= result->tolerance ? QP_PASS : QP_FAIL;
    name_cell(problem, worst->x, worst->y, result, place, sizeof place);
    if (result->verdict == QP_FAIL)
        qp_comparison_tell(worst, own != NULL ? own->measured : NULL, place, result->tolerance,
                           result->reason, sizeof result->reason);
    else
        look_for_gaps(problem, result);
    return isnan(result->tolerance) ? QP_NO_MEMORY : QP_OK;
}

/* Rooms 9 and 10, the longest at times. A walk that is cut short in them is neither right nor wrong. */
static enum qp_status judge(struct walker *walker, struct qp_problem *problem)
{
    struct qp_comparison worst = {0};
    enum qp_status status = refer(walker, problem);
    if (status != QP_OK)
        return status;
    enter(walker, QP_ROOM_COMPARE);
    const struct qp_judge *own = problem->op->judge;
    if (own == NULL || own->measure == NULL ||
        !own->measure(problem, &walker->result->solution, &worst))
        status = compare(walker, problem, &worst);
    if (status == QP_OK && qp_watch_left())
        status = qp_watch_fail();
    if (status == QP_OK)
        status = settle_verdict(walker, problem, &worst);
    if (status == QP_OK)
        leave(walker);
    return status;
}

/* Checks that the answer is finite, in place of rooms 9 and 10. */
static enum qp_status look(const struct qp_problem *problem, enum qp_verdict good,
                           struct qp_result *result)
{
    const struct qp_matrix *x = &result->solution;
    size_t cells = (size_t)x->width * (size_t)x->height, i = 0;
    while (i < cells && isfinite(qp_matrix_value(x, i)))
        i++;
    if (i == cells) {
        result->verdict = good;
        look_for_gaps(problem, result);
        return QP_OK;
    }
    char place[64];
    result->verdict = QP_FAIL;
    name_cell(problem, (int)(i % (size_t)x->width), (int)(i / (size_t)x->width), result, place,
              sizeof place);
    snprintf(result->reason, sizeof result->reason, "%s %s", place,
             qp_no_number(qp_matrix_value(x, i), qp_is_unwritten(qp_matrix_value(x, i))));
    return QP_OK;
}

/* Room 10 for a bound, which has no right answer: checks only that every cell was written. */
static enum qp_status judge_bound(struct walker *walker, const struct qp_problem *problem)
{
    enter(walker, QP_ROOM_COMPARE);
    walker->result->verdict = QP_BOUND;
    enum qp_status status =
        walker->result->iterations > 0 ? look(problem, QP_BOUND, walker->result) : QP_OK;
    leave(walker);
    return status;
}

/* The rooms, in order. */
static enum qp_status visit(struct walker *walker, struct qp_problem *problem)
{
    struct qp_plan *plan = walker->plan;
    struct qp_result *result = walker->result;
    enum qp_status status;

    enter(walker, QP_ROOM_PROBLEM);
    leave(walker); /* the visitor is already here */

    enter(walker, QP_ROOM_PACK);
    if ((status = qp_plan_pack(plan)) != QP_OK)
        return status;
    result->pack_seconds = leave(walker);

    enter(walker, QP_ROOM_UPLOAD);
    if ((status = plan->engine->upload(plan)) != QP_OK)
        return status;
    result->upload_seconds = leave(walker);

    enter(walker, QP_ROOM_PROGRAM);
    if ((status = plan->engine->program(plan)) != QP_OK)
        return status;
    result->program_seconds = leave(walker);
    if (qp_watch_wants_end()) /* nothing is lost yet, and later rooms may take long */
        return qp_watch_fail();
    result->pingpong = plan->pingpong;
    result->group_x = plan->group_x;
    result->group_y = plan->group_y;
    result->block = plan->block;

    if ((status = take_steps(walker)) != QP_OK) /* rooms 5 and 6, again and again */
        return status;

    enter(walker, QP_ROOM_READBACK);
    if ((status = plan->engine->read(plan, false, plan->texels)) != QP_OK)
        return status;
    result->readback_seconds = leave(walker);

    enter(walker, QP_ROOM_UNPACK);
    if ((status = qp_plan_unpack(plan, &result->solution)) != QP_OK)
        return status;
    result->unpack_seconds = leave(walker);

    if (plan->variant->recipe->bound)
        return judge_bound(walker, problem);
    return walker->desc->unchecked ? look(problem, QP_PASS, result) : judge(walker, problem);
}

/* Turns a status into a verdict: a problem that the variant cannot take is a skip, an error of its own a fail;
 * only the rest, and the loss of the context, stops the caller. */
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

/* Tells the problem what the walk does to it: the order of updates, and the steps' weights. Another order has
 * another reference. */
static enum qp_status set_course(const struct qp_variant *variant, const struct qp_walk_desc *desc,
                                 struct qp_problem *problem)
{
    const struct qp_judge *judge = problem->op != NULL ? problem->op->judge : NULL;
    const bool ordered = judge != NULL && judge->order != NULL;
    const int order = ordered ? judge->order(variant->recipe) : 0;
    if (order != problem->order)
        problem->reference_iterations = -1;
    problem->order = order;
    problem->weights = desc->weights;
    if (desc->weights == NULL || (ordered && desc->weights->count > 0))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s takes one weight for all steps, and no list of them",
                   variant->name);
}

static enum qp_status walk_once(struct qp_context *context, const struct qp_variant *variant,
                                struct qp_problem *problem, const struct qp_walk_desc *desc,
                                struct qp_result *result)
{
    *result = (struct qp_result){.error = NAN, .error_rms = NAN, .tolerance = NAN};
    struct walker walker = {.desc = desc, .result = result};
    const struct qp_watch before = qp_watch_interrupt(desc->interrupt);
    qp_watch_left(); /* clears the mark of work left before this walk */
    enum qp_status status = set_course(variant, desc, problem);
    if (status == QP_OK)
        status = qp_plan_create(context, variant, problem, desc, &walker.plan);
    if (status == QP_OK)
        status = name_room(&walker, visit(&walker, problem));
    qp_plan_destroy(&walker.plan);
    qp_watch_set(before);
    if (desc->weights != NULL)
        problem->reference_iterations = -1;
    problem->weights = NULL;
    status = settle(context, status, result);
    bool has_answer = result->verdict != QP_SKIP || qp_is_interrupted(desc->interrupt);
    if (status != QP_OK || !has_answer || !desc->keep_solution)
        qp_matrix_destroy(&result->solution);
    return status;
}

/* Walks a failed elimination once more, with the log of pivots, which may name a column without a pivot; else the
 * first walk's verdict stands. Eliminations in fragment shaders log no pivots unless asked. */
static enum qp_status name_pivot(struct qp_context *context, const struct qp_variant *variant,
                                 struct qp_problem *problem, const struct qp_walk_desc *desc,
                                 struct qp_result *result)
{
    struct qp_walk_desc again = *desc;
    struct qp_result logged;
    again.iterations = 1;
    again.on_room = NULL;
    again.keep_solution = false;
    again.unchecked = again.log_pivots = true;
    enum qp_status status = walk_once(context, variant, problem, &again, &logged);
    if (status == QP_OK && logged.cause == QP_BAD_INPUT) {
        result->cause = logged.cause;
        memcpy(result->reason, logged.reason, sizeof logged.reason);
    }
    return qp_context_is_lost(context) ? status : QP_OK;
}

enum qp_status qp_walk(struct qp_context *context, const struct qp_variant *variant,
                       struct qp_problem *problem, const struct qp_walk_desc *desc,
                       struct qp_result *result)
{
    static const struct qp_walk_desc defaults = {0};
    struct qp_call call;
    if (QP_NEED(result))
        return QP_BAD_USE;
    *result = (struct qp_result){.error = NAN, .error_rms = NAN, .tolerance = NAN};
    desc = desc != NULL ? desc : &defaults;
    enum qp_status status = qp_check_walk(variant, problem, desc);
    if (status != QP_OK)
        return status;
    status = qp_call_begin(&call);
    if (status == QP_OK)
        status = walk_once(context, variant, problem, desc, result);
    if (status == QP_OK && result->verdict == QP_FAIL && result->iterations > 0 &&
        variant->recipe->engine != NULL && variant->recipe->engine->asked_to_log &&
        !desc->log_pivots)
        status = name_pivot(context, variant, problem, desc, result);
    if (status != QP_OK)
        result->verdict = QP_NO_VERDICT;
    qp_call_end(&call);
    return status;
}
