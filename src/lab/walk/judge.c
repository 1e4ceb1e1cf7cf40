/* SPDX-License-Identifier: MIT */
/* Stages 9 and 10: the answer beside the reference, or judged by itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/engines.h"
#include "lab/plan/half.h"
#include "lab/plan/problem.h"
#include "lab/walk/walker.h"
#include "toolkit/base/bands.h"
#include "toolkit/base/compare.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"

/* Names a cell of an answer, in which systems are stored one above the other. */
static void name_cell(const struct qp_problem *problem, int x, int y, struct qp_result *result,
                      char *place, size_t size)
{
    result->worst_system = y / problem->answer_height;
    result->worst_x = x;
    result->worst_y = y % problem->answer_height;
    qp_problem_name(problem, &result->worst_x, &result->worst_y, place, size);
    const size_t end = strlen(place);
    if (problem->systems > 1)
        snprintf(place + end, size - end, " of system %d", result->worst_system);
}

/* Stage 10 by comparison. The reference's own variant is judged by the witness, since nothing
 * is compared with itself. */
static enum qp_status compare(struct qp_walker *walker, const struct qp_problem *problem,
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

/* An early iterate bounds the late ones of variants that race. */
static int steps_of_reference(const struct qp_walker *walker, const struct qp_problem *problem)
{
    const struct qp_variant *variant = walker->plan->variant;
    const int steps = walker->result->iterations;
    return qp_races(variant, problem)
               ? qp_checked_steps(variant, problem, steps, walker->desc->parts.depth)
               : steps;
}

/* Stage 9. */
static enum qp_status refer(struct qp_walker *walker, struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    enum qp_status status = QP_OK;
    qp_enter(walker, QP_STAGE_REFERENCE);
    if (qp_is_interrupted(walker->desc->interrupt))
        return qp_watch_fail();
    if (op->judge == NULL || op->judge->wants_reference == NULL ||
        op->judge->wants_reference(problem))
        status = qp_problem_reference(problem, steps_of_reference(walker, problem),
                                      walker->desc->interrupt);
    if (status == QP_OK && qp_recipe_is_half(walker->plan->variant->recipe))
        status = qp_half_resolves(problem);
    if (status == QP_OK)
        qp_leave(walker);
    return status;
}

/* The verdict of stage 10, and its reasons; `measured` names an error that the operation judged by
 * itself. */
static enum qp_status settle_verdict(const struct qp_walker *walker,
                                     const struct qp_problem *problem,
                                     const struct qp_comparison *worst, const char *measured)
{
    struct qp_result *result = walker->result;
    char place[96];
    result->error = worst->error;
    result->error_rms = worst->rms;
    result->tolerance =
        qp_recipe_tolerance(walker->plan->variant->recipe, problem, result->iterations);
    result->verdict = worst->error <= result->tolerance ? QP_PASS : QP_FAIL;
    name_cell(problem, worst->x, worst->y, result, place, sizeof place);
    if (problem->op->judge != NULL && problem->op->judge->note != NULL)
        problem->op->judge->note(problem, worst, result);
    if (result->verdict == QP_FAIL)
        qp_comparison_tell(worst, measured, place, result->tolerance, result->reason,
                           sizeof result->reason);
    else
        look_for_gaps(problem, result);
    return isnan(result->tolerance) ? QP_NO_MEMORY : QP_OK;
}

enum qp_status qp_judge_answer(struct qp_walker *walker, struct qp_problem *problem)
{
    struct qp_comparison worst = {0};
    enum qp_status status = refer(walker, problem);
    if (status != QP_OK)
        return status;
    qp_enter(walker, QP_STAGE_COMPARE);
    const struct qp_judge *own = problem->op->judge;
    const bool measured = own != NULL && own->measure != NULL &&
                          own->measure(problem, &walker->result->solution, &worst);
    if (!measured)
        status = compare(walker, problem, &worst);
    if (status == QP_OK && qp_watch_left())
        status = qp_watch_fail();
    if (status == QP_OK)
        status = settle_verdict(walker, problem, &worst, measured ? own->measured : NULL);
    if (status == QP_OK)
        qp_leave(walker);
    return status;
}

/* Minus the first value that is no number. */
static double look_at_rows(void *user, size_t first, size_t end)
{
    const struct qp_matrix *x = user;
    const size_t width = (size_t)x->width;
    size_t i = first * width;
    while (i < end * width && isfinite(qp_matrix_value(x, i)))
        i++;
    return i < end * width ? -(double)i : -INFINITY;
}

enum qp_status qp_look(const struct qp_problem *problem, enum qp_verdict good,
                       struct qp_result *result)
{
    struct qp_matrix *x = &result->solution;
    const double found = qp_bands((size_t)x->height, (size_t)x->width, look_at_rows, x);
    if (isinf(found)) {
        result->verdict = good;
        look_for_gaps(problem, result);
        return QP_OK;
    }
    const size_t i = (size_t)-found;
    char place[96];
    result->verdict = QP_FAIL;
    name_cell(problem, (int)(i % (size_t)x->width), (int)(i / (size_t)x->width), result, place,
              sizeof place);
    snprintf(result->reason, sizeof result->reason, "%s %s", place,
             qp_no_number(qp_matrix_value(x, i), qp_is_unwritten(qp_matrix_value(x, i))));
    return QP_OK;
}

enum qp_status qp_judge_bound(struct qp_walker *walker, const struct qp_problem *problem)
{
    qp_enter(walker, QP_STAGE_COMPARE);
    walker->result->verdict = QP_BOUND;
    enum qp_status status =
        walker->result->iterations > 0 ? qp_look(problem, QP_BOUND, walker->result) : QP_OK;
    qp_leave(walker);
    return status;
}
