/* SPDX-License-Identifier: MIT */
/* Multigrid as rounds of corrections, each of a few cycles from 0 in float: so many that rounding
 * leaves a gain to each of them. The host measures the residual after a round, which gives the
 * factor of a cycle and the number of those to come. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/numbers.h"
#include "lab/solve/preference.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/whole.h"

/* Factor of a cycle that nothing is known of, and one above which cycles gain too little. */
static const double usual_rate = 0.1, stalled_rate = 0.7;
/* Part of the tolerance that the last round aims for. */
static const double aimed = 0.9;

/* ---- Rounds ---- */

void qp_cycles_steer(struct qp_iteration *s)
{
    s->cycles = s->refines = true;
    s->margin = aimed;
    s->nearest = s->gain = 0.0;
    s->out->method = "multigrid";
}

/* Cycles of a round at most: float leaves some 6e-10 N of a residual on N nodes, and double as much
 * as the rounding of the right-hand side to float. */
static int most_of_round(const struct qp_iteration *s)
{
    enum { LEAST = 2, MOST = 5, IN_DOUBLE = 7 };
    const bool is_double = qp_format_precision(s->out->variant->recipe->state.format) == QP_DOUBLES;
    return is_double ? IN_DOUBLE : qp_clamp(-log10(6e-10 * (double)s->n), LEAST, MOST);
}

struct qp_poisson5_course qp_cycles_plan(const struct qp_iteration *s, double factor)
{
    const double rate = fmin(s->rate > 0.0 ? s->rate : usual_rate, stalled_rate);
    const int wanted =
                  qp_least(qp_clamp(ceil(log(factor) / log(rate)), 1, INT16_MAX), most_of_round(s)),
              left = s->most_steps - s->steps_before;
    return (struct qp_poisson5_course){
        .weight = 1.0, .walk = qp_least(wanted, left), .is_cut = wanted > left};
}

/* Writes the state between two rounds. */
static void keep_state(struct qp_iteration *s)
{
    s->round++; /* the round to come */
    s->written = qp_checkpoint_write(s->checkpoint);
    s->round--;
}

/* Cycles to the tolerance at the present rate, those so far included. */
static int forecast(const struct qp_iteration *s, double residual)
{
    const double to_come =
        residual > s->aim ? log(s->aim / residual) / log(fmin(s->rate, 0.99)) : 0.0;
    return s->steps_before + qp_clamp(ceil(to_come), 0, INT16_MAX);
}

bool qp_cycles_accept(struct qp_iteration *s, double before)
{
    const double residual = s->out->residual, ratio = residual / before;
    const int cycles = s->steps_before - s->steps_begun;
    const bool whole = s->ending != QP_INTERRUPTED;
    s->is_back = !(residual < before);
    if (whole)
        s->rate = pow(ratio, 1.0 / cycles);
    s->last = (struct qp_progress){.step = s->steps_before,
                                   .most_steps = s->most_steps,
                                   .round = s->round,
                                   .residual = s->is_back ? before : residual,
                                   .tolerance = s->aim,
                                   .first_residual = s->first_residual,
                                   .seconds = qp_clock() - s->begin,
                                   .forecast = forecast(s, s->is_back ? before : residual)};
    if (s->desc->on_progress != NULL)
        s->desc->on_progress(s->desc->user, &s->last);
    if (whole && !(ratio <= 2.0))
        s->ending = QP_DIVERGING;
    s->gain = pow(stalled_rate, cycles);
    if (whole && !s->is_back && residual > s->aim && qp_checkpoint_is_due(s->checkpoint))
        keep_state(s);
    return !s->is_back;
}

void qp_cycles_tell(const struct qp_iteration *s, char *text, size_t size)
{
    const int cycles = s->out->steps;
    char rounds[32] = "";
    if (s->round > 1)
        snprintf(rounds, sizeof rounds, " in %d rounds", s->round);
    snprintf(text, size, "%d cycle%s of multigrid%s, factor %.2g each", cycles,
             cycles == 1 ? "" : "s", rounds,
             cycles > 0 ? pow(s->out->residual / s->first_residual, 1.0 / cycles) : 1.0);
}

/* ---- A matrix of nine bands ---- */

/* Takes its mean from x where that is free. */
static void measure(struct qp_iteration *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n && s->centred; i++)
        sum += s->out->x[i];
    for (size_t i = 0; i < s->n && s->centred; i++)
        s->out->x[i] -= sum / (double)s->n;
    qp_iteration_measure(s);
}

/* Refuses a right-hand side whose constant part, which A x never has, is more than rounding or than
 * the tolerance allows. */
static enum qp_status check_sum(const struct qp_iteration *s)
{
    double sum = 0.0, size = 0.0, square = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        sum += s->b[i];
        size += fabs(s->b[i]);
        square += s->b[i] * s->b[i];
    }
    if (fabs(sum) <= QP_MULTIGRID_ROUNDING * size &&
        fabs(sum) <= s->tolerance * sqrt((double)s->n * square))
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "all rows of the matrix add up to 0 within the rounding of float, so that x is "
                   "known but for a constant, if the right-hand side adds up to 0; its sum is %g, "
                   "so multigrid finds no answer; take its mean %g off each value",
                   ldexp(sum, -s->shift), ldexp(sum, -s->shift) / (double)s->n);
}

static enum qp_status prepare(struct qp_iteration *s)
{
    const struct qp_solver *solver = qp_solvers;
    while (solver->op != &qp_op_multigrid)
        solver++;
    qp_cycles_steer(s);
    enum qp_status status = qp_iteration_read_desc(s);
    if (status == QP_OK)
        status = qp_nine_bands_make(s, solver);
    if (status == QP_OK)
        status = qp_iteration_set_vectors(s);
    if (status != QP_OK)
        return status;
    s->centred = qp_multigrid_is_singular(&s->problem);
    if (s->centred && (status = check_sum(s)) != QP_OK)
        return status;
    qp_iteration_start(s);
    return qp_nine_bands_choose(s, qp_multigrid_preference(s->context));
}

/* Digits by the rate of the last round, whose correction was x - kept: what is left of the error is
 * q / (1 - q) times that, q its factor; -1 where the rate does not say. */
static int digits_by_rate(const struct qp_iteration *s)
{
    const double q = pow(s->rate, s->steps_before - s->steps_begun);
    double change = 0.0;
    for (size_t i = 0; i < s->n && s->steps_before > 0; i++)
        change = fmax(change, fabs(s->out->x[i] - s->kept[i]));
    return change > 0.0 && q < 0.5
               ? qp_certain_digits(q / (1.0 - q) * change / qp_largest(s->out->x, s->n))
               : -1;
}

static const char *advise(const struct qp_iteration *s)
{
    switch (s->out->ending) {
    case QP_DIVERGING:
        return "the matrix is not positive definite, or nothing that grids can coarsen; leave "
               "--method out, and another one may take over";
    case QP_STAGNATED:
        return s->rate > stalled_rate && s->desc->refine == false
                   ? "--method cg --precondition multigrid takes cycles further"
                   : "--refine gains nothing more";
    default:
        return qp_iteration_advise(s);
    }
}

static int report(struct qp_iteration *s, struct qp_outcome *o)
{
    struct qp_solution *out = s->out;
    const double work = 4e5; /* nodes times steps of a proof: some milliseconds */
    const int steps = qp_clamp(work / (double)s->n, 0, 200);
    char cycles[96];
    int digits = -1;
    o->advice = advise(s);
    if (out->ending == QP_CONVERGED && !s->centred)
        digits = qp_iteration_certify(s, steps, digits_by_rate(s), o);
    out->rounds = s->round;
    out->weight = 0.0; /* steps have none */
    out->seconds = qp_clock() - s->begin;
    qp_cycles_tell(s, cycles, sizeof cycles);
    snprintf(o->where, sizeof o->where, "residual %.3g after %s, %.3g s%s%s", out->residual, cycles,
             out->seconds, s->centred ? "; x has the mean 0" : "",
             out->ending == QP_DIVERGING ? ", taken back to the iterate before" : "");
    if (out->ending == QP_CONVERGED && s->centred)
        o->advice = NULL;
    return digits;
}

const struct qp_equation qp_cycles_equation = {.part = "iteration",
                                               .usual_steps = 1000,
                                               .prepare = prepare,
                                               .measure = measure,
                                               .plan = qp_cycles_plan,
                                               .accepts = qp_cycles_accept,
                                               .report = report};
