/* SPDX-License-Identifier: MIT */
/* Sentences of a solve: why a method was taken, and the outcome where both were. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lab/solve/choose/choice.h"
#include "lab/solve/eliminate/elimination.h"

void qp_method_give_reason(struct qp_choice *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->reason, sizeof m->reason, format, arguments);
    va_end(arguments);
}

void qp_method_keep_reason(const struct qp_choice *m, struct qp_side *side)
{
    snprintf(side->reason, sizeof side->reason, "%s", m->reason);
}

const char *qp_method_eliminator(const struct qp_choice *m, char name[QP_ELIMINATOR])
{
    if (m->direct)
        snprintf(name, QP_ELIMINATOR, "the host's %.40s", m->desc->direct->name);
    else
        snprintf(name, QP_ELIMINATOR, "elimination");
    return name;
}

/* Rounds a forecast of steps, one at least, to two digits. */
static double roughly(double steps)
{
    const double some = fmax(steps, 1.0), unit = pow(10.0, fmax(0.0, floor(log10(some)) - 1.0));
    return unit * round(some / unit);
}

void qp_method_reason_of_prospects(struct qp_choice *m)
{
    const struct qp_prospects *p = &m->prospects;
    const struct qp_traits *t = &m->system.traits;
    const char *name = qp_krylov_name(m->system.choice.method);
    const char *kind = !t->symmetric ? "not symmetric" : t->definite ? "symmetric" : "indefinite";
    const char *weight = t->dominance < 1.0    ? " and strictly dominant"
                         : t->dominance == 1.0 ? " and weakly dominant"
                         : t->balanced <= 1.0  ? " and dominant in other units"
                                               : "";
    const bool by_polynomial = m->system.choice.precondition == QP_KRYLOV_POLYNOMIAL;
    char jacobi[48] = "", elimination[64], host[QP_ELIMINATOR];
    if (isfinite(p->jacobi))
        snprintf(jacobi, sizeof jacobi, "jacobi would take about %.2g s, and ", p->jacobi);
    qp_method_eliminator(m, host);
    if (isfinite(p->elimination))
        snprintf(elimination, sizeof elimination, "elimination would take about %.2g s",
                 p->elimination);
    else
        snprintf(elimination, sizeof elimination, "elimination %s", m->obstacle);
    const bool zero = m->at_once && t->zero >= 0;
    if (m->at_once && !zero)
        qp_method_give_reason(
            m, "%s was taken, for it is expected to take about %.2g s; %s would need %.2g s%s; %s",
            host, p->direct, m->krylov ? name : "jacobi", m->krylov ? p->krylov : p->jacobi,
            t->balanced > 1.0 ? " if rows were weakly dominant, and they are not" : "",
            elimination);
    else if (m->krylov && !zero && isfinite(p->krylov) && t->balanced > 1.0)
        qp_method_give_reason(m,
                              "%s was taken, for the matrix is %s, and nobody knows its steps, for "
                              "rows are not dominant: a mesh would need about %.0f, %.2g s; %s%s",
                              name, kind, roughly(p->steps), p->krylov, jacobi, elimination);
    else if (m->krylov && !zero && isfinite(p->krylov))
        qp_method_give_reason(m,
                              "%s was taken%s, for the matrix is %s%s, and it is expected to need "
                              "about %.0f steps, %.2g s; %s%s",
                              name, by_polynomial ? " with the preconditioner chebyshev" : "", kind,
                              weight, roughly(p->steps), p->krylov, jacobi, elimination);
    else if (m->krylov && !zero)
        qp_method_give_reason(m, "%s was taken, for %s", name,
                              m->may_eliminate ? "an iteration was asked for" : elimination);
    else if (isfinite(p->krylov) && !zero)
        qp_method_give_reason(m,
                              "%s was taken, for it would take about %.2g s, and %s would take "
                              "about %.0f steps, %.2g s",
                              host, fmin(p->elimination, p->direct), name, roughly(p->steps),
                              p->krylov);
    else
        qp_method_give_reason(m, "%s was taken, for the diagonal is zero in row %d%s%s", host,
                              t->zero + 1, m->direct ? ", and " : "", m->direct ? elimination : "");
}

void qp_method_reason_to_look(struct qp_choice *m, bool doubtful)
{
    char name[QP_ELIMINATOR];
    qp_method_eliminator(m, name);
    if (doubtful)
        qp_method_give_reason(m,
                              "%s was taken, for it shows whether the matrix is singular, and its "
                              "rows do not",
                              name);
    else
        qp_method_give_reason(m, "%s was taken: %s", name, qp_error());
}

void qp_method_reason_of_cycles(struct qp_choice *m)
{
    const struct qp_prospects *p = &m->prospects;
    const double jacobi = fmin(p->jacobi, p->krylov), other = fmin(p->elimination, p->direct);
    char name[QP_ELIMINATOR];
    qp_method_eliminator(m, name);
    qp_method_give_reason(m,
                          "multigrid was taken, for the matrix is symmetric with a positive "
                          "diagonal, on a grid of %d x %d, and it is expected to need about %.0f "
                          "cycles, %.2g s; %s would take about %.2g s",
                          m->out->width, m->out->height, p->cycles, p->multigrid,
                          other < jacobi          ? name
                          : p->krylov < p->jacobi ? qp_krylov_name(m->system.choice.method)
                                                  : "jacobi",
                          fmin(jacobi, other));
}

void qp_method_reason_to_precondition(struct qp_choice *m, const struct qp_solution *stalled)
{
    qp_method_give_reason(
        m,
        "cg with cycles of multigrid as its preconditioner was taken, for "
        "multigrid alone came too slowly: residual %.3g after %d cycles, the last "
        "of which left more than 0.7 of it each",
        stalled->residual, stalled->steps);
}

/* Reason why the iteration was not left. */
void qp_method_reason_to_iterate(struct qp_choice *m)
{
    const struct qp_forecast *f = &m->forecast;
    char name[QP_ELIMINATOR];
    qp_method_eliminator(m, name);
    const bool told = strstr(m->objection, "for elimination") != NULL; /* with advice after it */
    if (!m->may_eliminate)
        qp_method_give_reason(m, "iteration was taken, for %s%s%s%.*s", told ? "" : "elimination ",
                              told ? "" : m->obstacle, told ? "" : ": ",
                              told ? (int)strcspn(m->objection, ";") : 260, m->objection);
    else if (f->since == 0)
        qp_method_give_reason(
            m, "iteration was taken, for it ended before its rate could be measured");
    else
        qp_method_give_reason(
            m,
            "iteration was taken, for after %d steps it was to need about %.0f more, %.2g s, "
            "and %s would take about %.2g s",
            f->step, roughly(f->to_come), fmax(f->to_come, 0.0) * f->pace, name,
            f->elimination * f->pace);
}

/* Reason why the iteration was left. */
void qp_method_reason_to_leave(struct qp_choice *m, int most_steps)
{
    const struct qp_forecast *f = &m->forecast;
    char name[QP_ELIMINATOR];
    qp_method_eliminator(m, name);
    if (isinf(f->to_come))
        qp_method_give_reason(m,
                              "%s was taken, for iteration came no nearer from step %d to step %d",
                              name, f->since, f->step);
    else if (m->krylov)
        qp_method_give_reason(m,
                              "%s was taken, for after %d steps %s was to need about %.0f more, "
                              "%.2g s",
                              name, f->step, qp_krylov_name(m->system.choice.method),
                              roughly(f->to_come), f->to_come * f->pace);
    else if (f->to_come > f->elimination)
        qp_method_give_reason(
            m,
            "%s was taken, for after %d steps iteration was to need about %.0f more, %.2g s, and "
            "%s would take about %.2g s",
            name, f->step, roughly(f->to_come), f->to_come * f->pace,
            m->direct ? "that" : "elimination", f->elimination * f->pace);
    else
        qp_method_give_reason(
            m,
            "%s was taken, for after %d steps iteration was to need about %.0f more, and only %d "
            "are allowed",
            name, f->step, roughly(f->to_come), most_steps - f->step);
}

void qp_method_reason_to_go_on(struct qp_choice *m, const struct qp_solution *ended,
                               const char *next)
{
    static const char *const what[] = {[QP_DIVERGING] = "diverged",
                                       [QP_OUT_OF_STEPS] = "ran out of steps",
                                       [QP_STAGNATED] = "stagnated",
                                       [QP_BREAKDOWN] = "broke down"};
    qp_method_give_reason(m, "%s was taken, for %s %s: residual %.3g after %d steps", next,
                          m->krylov || m->multigrid ? ended->method : "iteration",
                          what[ended->ending], ended->residual, ended->steps);
}

/* ---- Sentences ---- */

/* Sentence of an iteration that was left for an elimination which did no better. */
void qp_method_tell_left(struct qp_side *side, bool interrupted)
{
    side->ending = interrupted ? QP_INTERRUPTED : QP_STAGNATED;
    snprintf(side->sentence, sizeof side->sentence, "%s: residual %.3g after %d step%s; %s",
             qp_ending_name(side->ending), side->residual, side->steps, side->steps == 1 ? "" : "s",
             interrupted ? "this is the iterate so far" : "elimination comes no nearer");
}

/* Sentence of a converged solve whose matrix was not shown to be regular. */
void qp_method_tell_doubt(const struct qp_choice *m)
{
    for (int k = 0; k < m->out->begun; k++) {
        struct qp_side *side = &m->out->side[k];
        const size_t length = strlen(side->sentence);
        if (side->method == QP_ITERATION && side->ending == QP_CONVERGED)
            snprintf(side->sentence + length, sizeof side->sentence - length,
                     "; iteration cannot tell whether the matrix is singular, and nobody looked%s",
                     m->n > QP_DENSE_MOST_ON_HOST ? ", for it is too large" : "");
    }
}
