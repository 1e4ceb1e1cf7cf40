/* SPDX-License-Identifier: MIT */
/* Outcome of an iteration with a matrix: advice that is true of this run, and certain digits. */
#include "lab/solve/iterate/iteration.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/plan/half.h"
#include "lab/solve/certain.h"
#include "lab/solve/numbers.h"
#include "lab/solve/residual.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/clock.h"
#include "toolkit/io/market.h"

/* Floor of the residual, by roundings of `unit` in every step: an update of x sums up to ten terms,
 * and r is D / w times the update that is lost in rounding. */
static double floor_of(struct qp_iteration *s, double unit, double weight)
{
    double *sum = s->scratch;
    memset(sum, 0, s->n * sizeof *sum);
    for (size_t k = 0; k < s->matrix->count; k++) {
        int row, column;
        qp_market_place(s->matrix, k, &row, &column);
        const double x = s->out->x[column] - (s->desc->refine ? 0.0 : s->kept[column]);
        sum[row] += fabs(s->matrix->value[k] * x);
    }
    return 32.0 * unit / weight * qp_residual_norm(sum, s->b, NULL, s->n);
}

/* Makes r the residual after an exact step of this weight, r - w A D^-1 r; s->bound is scratch. */
static void step_residual(struct qp_iteration *s, double weight, double *r)
{
    const float *diagonal = qp_problem_field(&s->problem, "DD")->values;
    for (size_t i = 0; i < s->n; i++)
        s->bound[i] = r[i] / diagonal[i];
    qp_market_add_product(s->matrix, -weight, s->bound, r);
}

enum { ADVISING_STEPS = 40 };

/* Factor of convergence by power iteration: steps turn a residual to the eigenvector with the
 * largest |1 - w l|, l an eigenvalue of A D^-1, and multiply it by that factor. */
static double find_factor(struct qp_iteration *s, double *r)
{
    double *before = s->scratch, factor = 0.0;
    for (int k = 0; k < ADVISING_STEPS; k++) {
        const double length = qp_norm(r, 0, s->n);
        factor = 0.0;
        for (size_t i = 0; i < s->n; i++)
            before[i] = r[i] = r[i] / length;
        step_residual(s, s->problem.weight, r);
        for (size_t i = 0; i < s->n; i++)
            factor += r[i] * before[i];
    }
    return factor;
}

/* True if steps of this weight make r small, or still smaller when the quick parts have
 * vanished. */
static bool does_fall(struct qp_iteration *s, double weight, double *r)
{
    const double all = qp_norm(r, 0, s->n);
    double half = 0.0;
    for (int k = 0; k < ADVISING_STEPS; k++) {
        if (k == ADVISING_STEPS / 2)
            half = qp_norm(r, 0, s->n);
        step_residual(s, weight, r);
    }
    return qp_norm(r, 0, s->n) < fmax(0.999 * half, s->tolerance * all);
}

/* Weight with which the iteration converges, tried on the host; 0 if none does. A negative factor
 * means that w is too large, and the weight 1 / l makes it 0. */
static double find_weight(struct qp_iteration *s)
{
    double *r = s->residual, *first = s->kept;
    memcpy(first, r, s->n * sizeof *r);
    const double factor = find_factor(s, r), weight = s->problem.weight / (1.0 - factor);
    memcpy(r, first, s->n * sizeof *r);
    return factor < -0.5 && does_fall(s, weight, r) ? weight : 0.0;
}

#define MORE "allow more of them (--max-iterations) or a larger --tolerance"

const char *qp_iteration_advise(const struct qp_iteration *s)
{
    switch (s->out->ending) {
    case QP_OUT_OF_STEPS:
        return s->system == NULL && s->desc->variant != NULL ? MORE
                   ", or leave --variant out, for elimination may be quicker"
                                                             : MORE;
    case QP_INTERRUPTED:
        return "this is the iterate so far";
    default:
        return s->out->ending == QP_STAGNATED ? "--refine gains nothing more" : NULL;
    }
}

/* Gives advice for an iteration that does not converge, as far as this run shows. */
static void advise(struct qp_iteration *s, struct qp_outcome *o)
{
    const double least = 1e-6; /* with less of a step than that x hardly moves */
    const double rule = qp_problem_weight(&s->problem), better = find_weight(s);
    o->advice = o->text;
    if (s->problem.weight < 1e-3 * rule)
        snprintf(o->text, sizeof o->text, "a larger --weight moves x, such as %.4g", rule);
    else if (better >= least)
        snprintf(o->text, sizeof o->text,
                 "the steps are too long; take a smaller --weight, such as %.2g", better);
    else
        snprintf(o->text, sizeof o->text,
                 "no --weight is known to help; elimination does not iterate (--variant %s)",
                 qp_solver_for(QP_ANY_MATRIX)->advised);
}

/* Tells rounding from the matrix as the cause of stagnation. */
static void tell_stagnation(struct qp_iteration *s, struct qp_outcome *o)
{
    const bool half = qp_recipe_is_half(s->out->variant->recipe), refine = s->desc->refine;
    const double unit = refine ? DBL_EPSILON / 2.0 : half ? 0x1p-11 : 0x1p-24;
    if (s->out->residual <= floor_of(s, unit, refine ? 1.0 : s->problem.weight)) {
        o->how = refine ? "stagnated at the floor of double"
                 : half ? "stagnated at the floor of 16 bits"
                        : "stagnated at the floor of float";
        o->advice = refine ? qp_iteration_advise(s) : "--refine goes below it";
    } else if (s->idle) {
        const size_t used = strlen(o->where);
        snprintf(o->where + used, sizeof o->where - used, ", of which the last %d gained nothing",
                 QP_STAGNATION_STEPS);
        advise(s, o);
    } else {
        o->advice =
            refine ? qp_iteration_advise(s) : "float sees a smaller one, --refine works in double";
    }
}

/* Digits by the rate at which the residual fell: a step changes x by w r / a_ii, and all steps to
 * come by 1 / (1 - rate) times that. -1 where the rate does not say. */
static int digits_by_rate(struct qp_iteration *s)
{
    const float *diagonal = qp_problem_field(&s->problem, "DD")->values;
    const struct qp_progress *from = &s->mark_before;
    const double rate =
        from->step > 0 ? pow(s->last.residual / from->residual, 1.0 / (s->last.step - from->step))
                       : 1.0;
    const double largest = qp_largest(s->out->x, s->n);
    double change = 0.0;
    for (size_t i = 0; i < s->n; i++)
        change = fmax(change, fabs(s->problem.weight * s->residual[i] / (double)diagonal[i]));
    return change < largest * (1.0 - rate) ? qp_certain_digits(change / (1.0 - rate) / largest)
                                           : -1;
}

int qp_iteration_tell_digits(double error, int by_rate, struct qp_outcome *o)
{
    const int digits = qp_certain_digits(error);
    o->advice = o->text;
    if (digits > 0)
        snprintf(o->text, sizeof o->text, "x has %d certain digit%s, of its largest element",
                 digits, digits > 1 ? "s" : "");
    else if (by_rate > 0)
        snprintf(o->text, sizeof o->text, "digits: not proven (about %d by its rate)", by_rate);
    else
        o->advice = "digits: not proven";
    return digits > 0 ? digits : -1;
}

int qp_iteration_certify(struct qp_iteration *s, int steps, int by_rate, struct qp_outcome *o)
{
    const size_t products = (size_t)INT_MAX / s->matrix->count + 16;
    const double error = qp_certain_error(s->matrix, s->rows, s->out->x, s->residual, s->bound,
                                          (size_t)steps < products ? steps : (int)products,
                                          s->desc->interrupt, s->proof);
    return qp_iteration_tell_digits(error, by_rate, o);
}

int qp_nine_bands_report(struct qp_iteration *s, struct qp_outcome *o)
{
    struct qp_solution *out = s->out;
    const int certain =
        out->ending == QP_CONVERGED
            ? qp_iteration_certify(s, 200 + s->steps_before / 2, digits_by_rate(s), o)
            : -1;
    const char *back = s->is_back ? ", taken back to the last iterate that holds numbers" : "";
    out->seconds = qp_clock() - s->begin;
    snprintf(o->where, sizeof o->where, "residual %.3g after %d step%s in %.3g s%s", out->residual,
             out->steps, out->steps == 1 ? "" : "s", out->seconds,
             out->ending == QP_DIVERGING ? back : "");
    if (out->ending == QP_DIVERGING)
        advise(s, o);
    else if (out->ending == QP_STAGNATED)
        tell_stagnation(s, o);
    else if (out->ending != QP_CONVERGED)
        o->advice = qp_iteration_advise(s);
    return certain;
}
