/* SPDX-License-Identifier: MIT */
/* Driver of an iteration, of a matrix or of Poisson's equation: rounds, each of them a walk of
 * steps on the device and a correction on the host. */
#include <quadpass/method.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/plan.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/preference.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

/* Growth of the residual that counts as divergence at once. */
static const double hopeless_growth = 1e6;
/* Growth above the least residual that counts as slow divergence after a thousand steps of Jacobi
 * with a matrix: residuals of Krylov methods rise and fall. */
static const double slow_growth = 2.0;

enum qp_status qp_iteration_allocate(struct qp_iteration *s, int more)
{
    const size_t n = s->n = qp_problem_cells(&s->problem);
    s->b = qp_alloc(n, (size_t)(4 + more) * sizeof *s->b, "the vectors of an iteration");
    s->out->x = qp_alloc_zero(n, sizeof *s->out->x, "the solution");
    if (s->b == NULL || s->out->x == NULL)
        return QP_NO_MEMORY;
    s->residual = s->b + n;
    s->bound = s->residual + n;
    s->kept = s->bound + n;
    s->scratch = s->kept + n;
    s->out->width = s->problem.width;
    s->out->height = s->problem.height;
    return QP_OK;
}

/* ---- A walk ---- */

static bool end(struct qp_iteration *s, enum qp_ending ending)
{
    s->ending = ending;
    s->has_ended = true;
    return false;
}

/* Watches the residual, which within a cycle of weights says nothing but whether it is a number:
 * then the last one is reported. */
bool qp_iteration_watch(void *user, int step, double residual)
{
    struct qp_iteration *s = user;
    const bool in_cycle = s->method != NULL && s->method->fill != NULL;
    const struct qp_progress progress = {.step = s->steps_before + step,
                                         .most_steps = s->most_steps,
                                         .round = s->refines ? s->round : 0,
                                         .residual =
                                             in_cycle ? s->out->residual : residual * s->unit,
                                         .tolerance = s->aim,
                                         .first_residual = s->first_residual,
                                         .seconds = qp_clock() - s->begin,
                                         .forecast = s->forecast};
    if (s->desc->on_progress != NULL)
        s->desc->on_progress(s->desc->user, &progress);
    if (step >= 2 * s->mark.step) {
        s->mark_before = s->mark;
        s->mark = progress;
    }
    s->last = progress;
    if (!isfinite(residual) || progress.residual > hopeless_growth * s->first_residual)
        return end(s, QP_DIVERGING);
    if (in_cycle)
        return true;
    if (residual <= s->target)
        return end(s, QP_CONVERGED);
    if (residual < s->least) {
        s->least = residual;
        s->least_step = step;
    } else if (step - s->least_step >= s->patience) {
        s->idle = true;
        const bool grows = s->matrix != NULL && s->system == NULL;
        return end(s, grows && residual > slow_growth * s->least ? QP_DIVERGING : QP_STAGNATED);
    }
    if (s->continues != NULL && !s->continues(s->user, &progress))
        return end(s, QP_INTERRUPTED);
    return true;
}

static bool wants_state(void *user, int step)
{
    const struct qp_iteration *s = user;
    (void)step;
    return qp_checkpoint_is_due(s->checkpoint);
}

bool qp_iteration_keep_state(void *user, int step, const struct qp_matrix *x)
{
    struct qp_iteration *s = user;
    const struct qp_walked before = s->walked;
    s->walked = (struct qp_walked){step, *x};
    s->written = qp_checkpoint_write(s->checkpoint);
    s->has_written = true;
    s->walked = before;
    return s->written == QP_OK;
}

static enum qp_status look_at(struct qp_iteration *s, const struct qp_result *result)
{
    const bool none = result->solution.width == 0;
    if (s->written != QP_OK)
        return s->written; /* with its sentence */
    if (none && qp_watch_is_sentence(result->reason)) {
        s->ending = QP_INTERRUPTED; /* before its first step, or in the middle of one */
        return s->has_written ? QP_OK : qp_checkpoint_write(s->checkpoint);
    }
    if (none) /* an infinite answer is one too */
        return qp_fail(result->verdict == QP_SKIP ? QP_UNSUPPORTED : result->cause, "%s: %s",
                       s->out->variant->name, result->reason);
    s->steps_before += result->iterations;
    if (qp_is_interrupted(s->desc->interrupt) && !s->has_ended)
        s->ending = QP_INTERRUPTED;
    return QP_OK;
}

/* Walks this many steps to s->target. *result: its answer, none (and then no error) if it was
 * interrupted before the first step. */
static enum qp_status walk(struct qp_iteration *s, int steps, const struct qp_weights *weights,
                           struct qp_result *result)
{
    const struct qp_walk_desc desc = {.iterations = steps,
                                      .pingpong = s->desc->pingpong,
                                      .target = s->desc->target,
                                      .parts = s->desc->parts,
                                      .unchecked = true,
                                      .keep_solution = true,
                                      .on_residual = s->cycles ? NULL : qp_iteration_watch,
                                      .every = s->cycles ? 0 : QP_LOOK_EVERY,
                                      .interrupt = s->desc->interrupt,
                                      .wants_state = wants_state,
                                      .on_state = qp_iteration_keep_state,
                                      .user = s,
                                      .weights = weights};
    if (s->walked.step == 0) {
        s->least = INFINITY;
        s->least_step = 0;
    }
    s->mark = s->mark_before = (struct qp_progress){0};
    s->idle = s->has_ended = s->has_written = false;
    enum qp_status status = s->equation->walk != NULL
                                ? s->equation->walk(s, steps, result)
                                : qp_walk_copies(s->context, s->out->variant, &s->problem, &desc,
                                                 &s->walked, s->cycles ? &s->plan : NULL, result);
    s->out->part[QP_COMPILING] += result->program_seconds;
    s->out->part[QP_SETTING_UP] += result->pack_seconds + result->upload_seconds;
    s->has_ended |= (s->matrix == NULL || s->cycles) && result->iterations == steps;
    if (status == QP_OK)
        status = look_at(s, result);
    if (status != QP_OK)
        qp_matrix_destroy(&result->solution);
    qp_matrix_destroy(&s->walked.x);
    s->walked.step = 0;
    return status;
}

/* ---- Corrections ---- */

/* Fills in the residual as the right-hand side of a correction from 0. */
static void fill(struct qp_iteration *s)
{
    const double *residual = s->units != NULL ? s->scratch : s->residual;
    for (size_t i = 0; i < s->n && s->units != NULL; i++)
        s->scratch[i] = s->units[i] * s->residual[i];
    frexp(qp_largest(residual, s->n), &s->exponent);
    double power[2];
    qp_set_power(-s->exponent, power);
#pragma omp parallel for schedule(static) if (s->n > QP_MANY)
    for (size_t i = 0; i < s->n; i++)
        s->rhs->values[i] = (float)(qp_times_power(residual[i], power) / s->scale);
    if (s->equation->walk == NULL)
        memset(s->problem.field[s->problem.op->state].values, 0, s->n * sizeof *s->rhs->values);
}

/* Walks from 0 towards `factor`, as near to it as one walk can get. */
static enum qp_status walk_to(struct qp_iteration *s, double factor, struct qp_result *result)
{
    const struct qp_poisson5_course course = s->equation->plan(s, factor);
    const bool has_list = course.cycle > 0;
    double *values =
        has_list ? qp_alloc((size_t)course.cycle, sizeof *values, "the steps' weights") : NULL;
    const struct qp_weights weights = {.value = values, .count = course.cycle};
    if (has_list && values == NULL)
        return QP_NO_MEMORY;
    if (has_list)
        s->method->fill(&s->problem, course.cycle, values);
    s->ending = (has_list || s->cycles) && !course.is_cut ? QP_CONVERGED : QP_OUT_OF_STEPS;
    s->problem.weight = s->out->weight = course.weight;
    s->target = fmax(s->nearest, factor);
    s->unit = s->out->residual;
    const enum qp_status status = walk(s, course.walk, has_list ? &weights : NULL, result);
    free(values);
    return status;
}

/* Walks a correction towards `factor` and adds it to x in double, or takes it back. */
static enum qp_status correct(struct qp_iteration *s, double factor)
{
    const double before = s->out->residual;
    double *x = s->out->x;
    struct qp_result result;
    s->steps_begun = s->steps_before;
    fill(s);
    const enum qp_status status = walk_to(s, factor, &result);
    if (status != QP_OK || result.solution.width == 0)
        return status;
    double power[2];
    qp_set_power(s->exponent, power);
#pragma omp parallel for schedule(static) if (s->n > QP_MANY)
    for (size_t i = 0; i < s->n; i++) {
        s->kept[i] = x[i];
        x[i] += qp_times_power(qp_matrix_value(&result.solution, i), power) *
                (s->units != NULL ? s->units[i] : 1.0);
    }
    qp_matrix_destroy(&result.solution);
    s->equation->measure(s);
    if (!s->equation->accepts(s, before)) {
        memcpy(x, s->kept, s->n * sizeof *x);
        s->equation->measure(s);
    }
    return s->written;
}

/* Takes rounds as long as each gains enough, to the last digit of double; a single one where
 * nothing is refined. A list of weights that was cut short to the steps left says nothing about
 * gains. */
static enum qp_status take_rounds(struct qp_iteration *s)
{
    bool continues = s->out->residual > s->aim;
    while (continues) {
        const double before = s->out->residual;
        s->round++;
        const enum qp_status status = correct(s, s->margin * s->aim / before);
        if (status != QP_OK || !s->refines)
            return status;
        const bool left = s->steps_before < s->most_steps;
        const bool cut = s->ending == QP_OUT_OF_STEPS && left;
        const bool gains = s->out->residual <= s->gain * before;
        const bool may = s->ending == QP_CONVERGED || s->ending == QP_STAGNATED || cut;
        if (left && s->equation->corrects != NULL && s->equation->corrects(s, gains) &&
            s->out->residual > s->aim)
            continue;
        if (may && !gains && !cut)
            s->ending = QP_STAGNATED;
        if (may && gains && !left)
            s->ending = QP_OUT_OF_STEPS;
        continues = may && (gains || cut) && left && s->out->residual > s->aim;
    }
    return QP_OK;
}

/* ---- Checkpoints ---- */

/* Stores x and the walk of the present correction, which is computed anew from x. */
static void store(struct qp_archive *archive, void *owner)
{
    struct qp_iteration *s = owner;
    double seconds = qp_clock() - s->begin;
    s->variant = s->out->variant;
    if (s->matrix != NULL)
        qp_archive_variant(archive, &s->variant);
    if (s->equation->walk != NULL) {
        qp_archive_int(archive, &s->by);
        qp_archive_int(archive, &s->broken_after);
        qp_archive_int(archive, &s->state);
    }
    qp_archive_double(archive, &seconds);
    qp_archive_int(archive, &s->round);
    qp_archive_int(archive, &s->steps_before);
    qp_archive_int(archive, &s->least_step);
    qp_archive_double(archive, &s->least);
    if (s->cycles)
        qp_archive_double(archive, &s->rate);
    qp_archive_doubles(archive, s->out->x, s->n);
    qp_archive_walked(archive, &s->walked, s->state > 0 ? s->state : s->problem.width,
                      s->state > 0 ? 1 : s->problem.height);
    s->begin = qp_clock() - seconds;
}

/* Reads the state from the file to go on from, in the middle of a round. */
static enum qp_status begin(struct qp_iteration *s)
{
    bool resumed;
    const enum qp_status status =
        qp_checkpoint_enter(s->checkpoint, s->equation->part, store, s, &resumed);
    if (status != QP_OK || !resumed)
        return status;
    s->round--; /* which is counted when it begins */
    s->equation->measure(s);
    return qp_checkpoint_check_variant(s->checkpoint, s->variant, s->out->variant);
}

/* ---- Beginning and end ---- */

enum qp_status qp_iteration_read_desc(struct qp_iteration *s)
{
    const struct qp_solve_desc *desc = s->desc;
    s->most_steps = desc->most_steps > 0 ? desc->most_steps : s->equation->usual_steps;
    const enum qp_status status = qp_find_tolerance(desc->tolerance, &s->tolerance);
    s->aim = desc->refine ? fmin(s->tolerance, DBL_EPSILON) : s->tolerance;
    return status;
}

void qp_iteration_start(struct qp_iteration *s)
{
    s->out->weight = s->problem.weight;
    s->equation->measure(s);
    s->first_residual = s->out->residual;
    fill(s);
}

const char *qp_ending_name(enum qp_ending ending)
{
    static const char *const names[] = {"none",      "converged",   "diverging", "out of steps",
                                        "stagnated", "interrupted", "breakdown"};
    return QP_NAME(names, ending);
}

/* Settles the ending and its sentence; returns certain digits. */
static int finish(struct qp_iteration *s)
{
    struct qp_solution *out = s->out;
    out->steps = s->steps_before;
    if (out->residual <= s->tolerance)
        out->ending = QP_CONVERGED;
    else /* the device saw the target met, double does not: the variant's precision ends here */
        out->ending = s->ending == QP_CONVERGED ? QP_STAGNATED : s->ending;
    struct qp_outcome outcome = {.how = qp_ending_name(out->ending)};
    const double begin = qp_clock();
    const int digits = s->equation->report(s, &outcome);
    out->part[QP_JUDGING] = qp_clock() - begin;
    out->seconds = qp_clock() - s->begin;
    const bool advises = outcome.advice != NULL;
    snprintf(out->sentence, sizeof out->sentence, "%s: %s%s%s", outcome.how, outcome.where,
             advises ? "; " : "", advises ? outcome.advice : "");
    return digits;
}

enum qp_status qp_iteration_solve(struct qp_iteration *s, int *digits)
{
    s->begin = qp_clock();
    s->ending = QP_CONVERGED; /* where the start is good enough */
    *s->out = (struct qp_solution){0};
    enum qp_status status = s->equation->prepare(s);
    s->out->part[QP_SETTING_UP] += qp_clock() - s->begin - s->out->part[QP_COMPILING];
    if (status == QP_OK)
        status = begin(s);
    if (status == QP_OK)
        status = take_rounds(s);
    qp_checkpoint_leave(s->checkpoint, s->equation->part);
    *digits = status == QP_OK ? finish(s) : -1;
    if (status != QP_OK)
        qp_solution_destroy(s->out);
    free(s->b);
    qp_plan_destroy(&s->plan);
    qp_sparse_destroy(&s->own_rows);
    qp_matrix_destroy(&s->walked.x);
    qp_problem_destroy(&s->problem);
    return status;
}

void qp_solution_destroy(struct qp_solution *solution)
{
    if (solution == NULL)
        return;
    free(solution->x);
    *solution = (struct qp_solution){0};
}
