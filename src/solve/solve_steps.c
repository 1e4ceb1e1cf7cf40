/* SPDX-License-Identifier: MIT */
/* Walks of an iteration, of a matrix or of Poisson's equation: each computes a correction from 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/watch.h"
#include "ops/poisson5/methods.h"
#include "solve/solve.h"

/* Growth of the residual that counts as divergence at once. */
static const double hopeless_growth = 1e6;
/* Growth above the least residual that counts as slow divergence after a thousand steps with a matrix. */
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
    return QP_OK;
}

void qp_iteration_destroy(struct qp_iteration *s)
{
    free(s->b);
    qp_matrix_destroy(&s->walked.x);
    qp_problem_destroy(&s->problem);
}

/* ---- One walk ---- */

static bool end(struct qp_iteration *s, enum qp_ending ending)
{
    s->ending = ending;
    s->has_ended = true;
    return false;
}

/* Within a cycle of weights the residual says nothing but whether it is a number; what was known before it is shown. */
static bool watch(void *user, int step, double residual)
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
        return end(s, s->matrix != NULL && residual > slow_growth * s->least ? QP_DIVERGING
                                                                             : QP_STAGNATED);
    }
    if (s->goes_on != NULL && !s->goes_on(s->user, &progress))
        return end(s, QP_INTERRUPTED);
    return true;
}

static bool wants_state(void *user, int step)
{
    const struct qp_iteration *s = user;
    (void)step;
    return qp_checkpoint_is_due(s->checkpoint);
}

static bool keep_state(void *user, int step, const struct qp_matrix *x)
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

enum qp_status qp_iteration_walk(struct qp_iteration *s, int steps,
                                 const struct qp_weights *weights, struct qp_result *result)
{
    enum {
        CHECK_EVERY = 25
    }; /* steps; a fixed number, so that two runs are the same bit for bit */
    const struct qp_walk_desc walk = {.iterations = steps,
                                      .pingpong = s->desc->pingpong,
                                      .target = s->desc->target,
                                      .parts = s->desc->parts,
                                      .unchecked = true,
                                      .keep_solution = true,
                                      .on_residual = watch,
                                      .every = CHECK_EVERY,
                                      .interrupt = s->desc->interrupt,
                                      .wants_state = wants_state,
                                      .on_state = keep_state,
                                      .user = s,
                                      .weights = weights};
    if (s->walked.step == 0) {
        s->least = INFINITY;
        s->least_step = 0;
    }
    s->mark = s->mark_before = (struct qp_progress){0};
    s->idle = s->has_ended = s->has_written = false;
    enum qp_status status =
        qp_walk_copies(s->context, s->out->variant, &s->problem, &walk, &s->walked, result);
    s->has_ended |= s->matrix == NULL && result->iterations == steps;
    if (status == QP_OK)
        status = look_at(s, result);
    if (status != QP_OK)
        qp_matrix_destroy(&result->solution);
    qp_matrix_destroy(&s->walked.x);
    s->walked.step = 0;
    return status;
}

/* ---- Corrections ---- */

int qp_iteration_fill(struct qp_iteration *s, struct qp_matrix *b, double scale)
{
    int exponent;
    frexp(qp_largest(s->residual, s->n), &exponent);
    for (size_t i = 0; i < s->n; i++)
        b->values[i] = (float)(ldexp(s->residual[i], -exponent) / scale);
    memset(s->problem.field[s->problem.op->state].values, 0, s->n * sizeof *b->values);
    return exponent;
}

void qp_iteration_add(struct qp_iteration *s, struct qp_matrix *correction, int exponent)
{
    memcpy(s->kept, s->out->x, s->n * sizeof *s->kept);
    for (size_t i = 0; i < s->n; i++)
        s->out->x[i] += ldexp(qp_matrix_value(correction, i), exponent);
    qp_matrix_destroy(correction);
}

/* ---- Checkpoints ---- */

void qp_iteration_store(struct qp_archive *archive, void *owner)
{
    struct qp_iteration *s = owner;
    double seconds = qp_clock() - s->begin;
    s->row = s->out->variant;
    if (s->matrix != NULL)
        qp_archive_row(archive, &s->row);
    qp_archive_double(archive, &seconds);
    qp_archive_int(archive, &s->round);
    qp_archive_int(archive, &s->steps_before);
    qp_archive_int(archive, &s->least_step);
    qp_archive_double(archive, &s->least);
    qp_archive_doubles(archive, s->out->x, s->n);
    qp_archive_walked(archive, &s->walked, s->problem.width, s->problem.height);
    s->begin = qp_clock() - seconds;
}
