/* SPDX-License-Identifier: MIT */
/* Which method solves a system, and what becomes of it if the first one does not. */
#include <quadpass/method.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/status.h"
#include "ops/preference.h"
#include "walk/dense.h"
#include "walk/forecast.h"
#include "walk/solving.h"

/* A round of refinement eliminates again; most solves are content with so many. */
enum { ELIMINATIONS_REFINED = 3 };

struct method {
    struct qp_context *context;
    const struct qp_market *matrix;
    const double *b, *start;
    const struct qp_solve_desc *desc;
    struct qp_answer *out;
    size_t n;
    int at;              /* the side under way */
    bool may_eliminate;  /* nothing speaks against it so far, */
    char objection[400]; /* or this does */
    char reason[320];    /* what was taken for the side under way, and why */
    struct qp_forecast forecast;
    bool leaves; /* the iteration was left for elimination */
};

static struct qp_side *side_at(const struct method *m)
{
    return &m->out->side[m->at];
}

static const double *columns(const struct method *m, const double *values)
{
    return values != NULL ? values + (size_t)m->at * m->n : NULL;
}

/* ---- Reasons ---- */

__attribute__((format(printf, 2, 3))) static void give_reason(struct method *m, const char *format,
                                                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->reason, sizeof m->reason, format, arguments);
    va_end(arguments);
}

static void forbid_elimination(struct method *m, const char *why)
{
    m->may_eliminate = false;
    snprintf(m->objection, sizeof m->objection, "%s: %s", why, qp_error());
}

static void keep_reason(const struct method *m, struct qp_side *side)
{
    snprintf(side->reason, sizeof side->reason, "%s", m->reason);
}

/* Steps, one at least, to two digits, for nobody knows them better. */
static double roughly(double steps)
{
    const double some = fmax(steps, 1.0), unit = pow(10.0, fmax(0.0, floor(log10(some)) - 1.0));
    return unit * round(some / unit);
}

/* Why the iteration was not left. */
static void give_reason_to_iterate(struct method *m)
{
    const struct qp_forecast *f = &m->forecast;
    if (!m->may_eliminate)
        give_reason(m, "iteration was taken, for elimination %.280s", m->objection);
    else if (f->since == 0)
        give_reason(m, "iteration was taken, for it ended before its rate could be measured");
    else
        give_reason(
            m,
            "iteration was taken, for after %d steps it was to need about %.0f more, %.2g s, "
            "and elimination would take about %.2g s",
            f->step, roughly(f->to_come), fmax(f->to_come, 0.0) * f->pace,
            f->elimination * f->pace);
}

/* Why it was. */
static void give_reason_to_leave(struct method *m, int most_steps)
{
    const struct qp_forecast *f = &m->forecast;
    if (isinf(f->to_come))
        give_reason(m,
                    "elimination was taken, for iteration came no nearer from step %d to step %d",
                    f->since, f->step);
    else if (f->to_come > f->elimination)
        give_reason(m,
                    "elimination was taken, for after %d steps iteration was to need about %.0f "
                    "more, %.2g s, and elimination would take about %.2g s",
                    f->step, roughly(f->to_come), f->to_come * f->pace, f->elimination * f->pace);
    else
        give_reason(m,
                    "elimination was taken, for after %d steps iteration was to need about %.0f "
                    "more, and only %d are allowed",
                    f->step, roughly(f->to_come), most_steps - f->step);
}

static void give_reason_to_go_on(struct method *m, const struct qp_solution *ended)
{
    static const char *const what[] = {[QP_DIVERGING] = "diverged",
                                       [QP_OUT_OF_STEPS] = "ran out of steps",
                                       [QP_STAGNATED] = "stagnated"};
    give_reason(m, "elimination was taken, for iteration %s: residual %.3g after %d steps",
                what[ended->ending], ended->residual, ended->steps);
}

/* ---- Iteration, side by side ---- */

static bool look(void *user, const struct qp_progress *now)
{
    struct method *m = user;
    qp_forecast_look(&m->forecast, now);
    m->leaves = m->may_eliminate && m->forecast.leaves;
    if (m->leaves)
        give_reason_to_leave(m, now->most_steps);
    return !m->leaves;
}

static void begin_forecast(struct method *m)
{
    const double unknowns = (double)m->n, left = m->out->sides - m->at;
    m->forecast =
        (struct qp_forecast){.elimination = (m->desc->refine ? ELIMINATIONS_REFINED : 1) *
                                            qp_pace_elimination(m->context, unknowns, left) /
                                            qp_pace_step(m->context, unknowns) / left};
    m->leaves = false;
}

static void keep_iterate(struct method *m, const struct qp_solution *got)
{
    struct qp_side *side = side_at(m);
    memcpy(m->out->x + (size_t)m->at * m->n, got->x, m->n * sizeof *got->x);
    m->out->width = got->width;
    m->out->height = got->height;
    m->out->weight = got->weight;
    side->method = QP_ITERATION;
    side->variant = got->variant;
    side->ending = got->ending;
    side->steps += got->steps;
    side->residual = got->residual;
    side->seconds += got->seconds;
    side->condition = NAN;
    side->digits = -1;
    snprintf(side->sentence, sizeof side->sentence, "%s", got->sentence);
}

/* The side under way, from its start or from where it was left. *fails if elimination is to take over. */
static enum qp_status iterate(struct method *m, bool *fails)
{
    struct qp_solution got;
    const bool again = side_at(m)->variant != NULL;
    begin_forecast(m);
    enum qp_status status = qp_iterate(m->context, m->matrix, columns(m, m->b),
                                       again ? columns(m, m->out->x) : columns(m, m->start),
                                       m->desc, m->desc->variant == NULL ? look : NULL, m, &got);
    if (status != QP_OK)
        return status;
    keep_iterate(m, &got);
    const bool ended = got.ending != QP_CONVERGED && got.ending != QP_INTERRUPTED;
    *fails = m->may_eliminate && (m->leaves || ended);
    if (*fails && !m->leaves)
        give_reason_to_go_on(m, &got);
    else if (!*fails && m->desc->variant == NULL)
        give_reason_to_iterate(m);
    qp_solution_destroy(&got);
    return QP_OK;
}

/* ---- Elimination of the side under way and all later ones ---- */

static struct qp_dense_desc describe_elimination(const struct method *m)
{
    return (struct qp_dense_desc){.variant = m->desc->variant,
                                  .tolerance = m->desc->tolerance,
                                  .refine = m->desc->refine,
                                  .pingpong = m->desc->pingpong,
                                  .target = m->desc->target,
                                  .interrupt = m->desc->interrupt};
}

static void look_whether_elimination_fits(struct method *m)
{
    const struct qp_dense_desc desc = describe_elimination(m);
    struct qp_dense_solution none = {.sides = m->out->sides};
    struct qp_dense asked = {.context = m->context,
                             .matrix = m->matrix,
                             .desc = &desc,
                             .out = &none,
                             .sides = (size_t)m->out->sides + QP_ALL_PROBES};
    enum qp_status status = qp_dense_choose_variant(&asked);
    const int limit = m->context != NULL ? qp_context_device(m->context)->rectangle_limit : INT_MAX;
    if (status == QP_OK && (double)asked.sides + m->matrix->rows > limit)
        status =
            qp_fail(QP_UNSUPPORTED, "%d unknowns and %zu right-hand sides are beyond %d texels",
                    m->matrix->rows, asked.sides, limit);
    m->may_eliminate = true;
    if (status != QP_OK)
        forbid_elimination(m, "does not fit");
}

/* An iteration that was left for an elimination which did no better. */
static void tell_left(struct qp_side *side, bool interrupted)
{
    side->ending = interrupted ? QP_INTERRUPTED : QP_STAGNATED;
    snprintf(side->sentence, sizeof side->sentence, "%s: residual %.3g after %d step%s; %s",
             qp_ending_name(side->ending), side->residual, side->steps, side->steps == 1 ? "" : "s",
             interrupted ? "this is the iterate so far" : "elimination comes no nearer");
}

/* What iteration left may be nearer, if the elimination did not end well. */
static void keep_solution(struct method *m, const struct qp_dense_solution *got, int k)
{
    struct qp_side *side = &m->out->side[m->at + k];
    const struct qp_side before = *side, new = qp_dense_side(got, k);
    if (before.variant == NULL || new.residual < before.residual) {
        *side = new;
        side->steps = before.steps;
        memcpy(m->out->x + (size_t)(m->at + k) * m->n, got->x + (size_t)k * m->n,
               m->n * sizeof *got->x);
        keep_reason(m, side);
    } else {
        snprintf(side->reason, sizeof side->reason,
                 "iteration was taken, for elimination behind it came no nearer: residual %.3g",
                 new.residual);
    }
    if (side->method == QP_ITERATION && side->ending == QP_INTERRUPTED)
        tell_left(side, got->ending == QP_INTERRUPTED);
    side->eliminations = got->eliminations;
    side->seconds = before.seconds + got->seconds;
}

static enum qp_status eliminate(struct method *m)
{
    const struct qp_dense_desc desc = describe_elimination(m);
    const int left = m->out->sides - m->at;
    struct qp_dense_solution got;
    enum qp_status status =
        qp_solve_dense(m->context, m->matrix, columns(m, m->b), left, &desc, &got);
    if (status != QP_OK)
        return status;
    for (int k = 0; k < left; k++)
        keep_solution(m, &got, k);
    m->out->begun = m->out->sides;
    qp_dense_solution_destroy(&got);
    return QP_OK;
}

/* ---- Both ---- */

/* Singular, too large, beyond memory: none of that speaks against going on with the iteration. */
static bool is_objection(const struct method *m, enum qp_status status)
{
    return status != QP_DEVICE && !qp_context_is_lost(m->context);
}

/* In place of an iteration that was left, or has failed. Where elimination refuses what an iteration was
 * left with, that goes on; a singular matrix is bad input only if it does not converge either. */
static enum qp_status take_over(struct method *m)
{
    bool fails;
    enum qp_status status = eliminate(m), refusal = status;
    if (status == QP_OK || !is_objection(m, status))
        return status;
    forbid_elimination(m, "refused");
    status = m->leaves ? iterate(m, &fails) : QP_OK;
    if (status != QP_OK || side_at(m)->ending == QP_CONVERGED ||
        side_at(m)->ending == QP_INTERRUPTED || refusal != QP_BAD_INPUT) {
        give_reason_to_iterate(m);
        keep_reason(m, side_at(m));
        return status;
    }
    return qp_fail(refusal, "%s", strstr(m->objection, ": ") + 2);
}

/* Elimination from the first side on, since iteration cannot take the problem at all; or the
 * refusal, where a grid or iteration's own row was asked for. */
static enum qp_status take_other(struct method *m, enum qp_status refusal)
{
    const bool cannot = refusal == QP_BAD_INPUT || refusal == QP_UNSUPPORTED;
    if (m->at > 0)
        return qp_fail_within(refusal, "column %d", m->at + 1);
    if (m->desc->variant != NULL || m->desc->width > 0 || !cannot || qp_context_is_lost(m->context))
        return refusal;
    give_reason(m, "elimination was taken: %s", qp_error());
    return eliminate(m);
}

static enum qp_status run(struct method *m)
{
    struct qp_answer *out = m->out;
    enum qp_status status = QP_OK;
    while (status == QP_OK && out->begun < out->sides &&
           (out->begun == 0 || !qp_is_interrupted(m->desc->interrupt))) {
        bool fails = false;
        m->at = out->begun;
        status = iterate(m, &fails);
        if (status != QP_OK)
            return take_other(m, status);
        out->begun++;
        if (fails)
            status = take_over(m);
        else
            keep_reason(m, side_at(m));
    }
    return status;
}

static void settle(struct qp_answer *out)
{
    for (int k = 0; k < out->begun; k++) {
        const struct qp_side *side = &out->side[k], *worst = &out->side[out->worst];
        const bool good = side->ending == QP_CONVERGED, best = worst->ending == QP_CONVERGED;
        out->converged += good;
        if (good != best ? best : side->residual > worst->residual)
            out->worst = k;
    }
}

static enum qp_status prepare(struct method *m)
{
    struct qp_answer *out = m->out;
    const size_t count = m->n * (size_t)out->sides;
    out->side = qp_alloc_zero((size_t)out->sides, sizeof *out->side, "what became of each side");
    out->x = qp_alloc_zero(count, sizeof *out->x, "the solutions");
    if (out->side == NULL || out->x == NULL)
        return QP_NO_MEMORY;
    if (m->start != NULL)
        memcpy(out->x, m->start, count * sizeof *out->x);
    if (m->desc->variant != NULL)
        give_reason(m, "%s was asked for", m->desc->variant->name);
    return QP_OK;
}

enum qp_status qp_solve_system(struct qp_context *context, const struct qp_market *matrix,
                               const double *b, int sides, const double *start,
                               const struct qp_solve_desc *desc, struct qp_answer *out)
{
    *out = (struct qp_answer){.rows = matrix->rows, .sides = sides};
    if (sides < 1 || (b == NULL && sides > 1))
        return qp_fail(QP_BAD_USE, "%d right-hand sides%s; without b there is one", sides,
                       b == NULL ? " and no b" : "");
    struct method m = {.context = context,
                       .matrix = matrix,
                       .b = b,
                       .start = start,
                       .desc = desc,
                       .out = out,
                       .n = (size_t)matrix->rows};
    enum qp_status status = prepare(&m);
    const bool by_name = desc->variant != NULL;
    if (status == QP_OK && !by_name)
        look_whether_elimination_fits(&m);
    if (status == QP_OK)
        status =
            by_name && strcmp(desc->variant->op, "gauss_jordan") == 0 ? eliminate(&m) : run(&m);
    if (status == QP_OK)
        settle(out);
    else
        qp_answer_destroy(out);
    return status;
}
