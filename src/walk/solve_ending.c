/* SPDX-License-Identifier: MIT */
/* How an iteration ended, in one sentence that is true of this run. */
#include "walk/solve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "io/market.h"
#include "ops/half.h"
#include "walk/residual.h"

/* The residual that roundings by `unit` in every step can leave: an update of x sums up to ten terms,
 * and r is D / w times the update that no longer shows. */
static double floor_of(struct qp_iteration *s, double unit, double weight)
{
    double *sum = s->scratch;
    memset(sum, 0, qp_iteration_rows(s) * sizeof *sum);
    for (size_t k = 0; k < s->matrix->count; k++) {
        int row, column;
        qp_market_place(s->matrix, k, &row, &column);
        const double x = s->out->x[column] - (s->desc->refine ? 0.0 : s->kept[column]);
        sum[row] += fabs(s->matrix->value[k] * x);
    }
    return 32.0 * unit / weight * qp_residual_norm(sum, s->b, NULL, qp_iteration_rows(s));
}

/* What may help, as far as this run can tell. */
static void advise_divergence(struct qp_iteration *s, char *text, size_t size)
{
    const double rule = qp_problem_weight(&s->problem);
    const double least = 1e-6; /* with less of a step than that x hardly moves */
    if (rule >= least && s->problem.weight > 1.001 * rule)
        snprintf(text, size, "try a smaller weight than %.4g, such as %.4g", s->problem.weight,
                 rule);
    else
        snprintf(text, size,
                 "not every matrix lets Jacobi converge, and elimination does not iterate");
}

/* Roundings may keep the residual where it is, or the matrix. */
static void tell_stagnation(struct qp_iteration *s, const char *where)
{
    struct qp_solution *out = s->out;
    const bool half = qp_recipe_is_half(out->variant->recipe), refine = s->desc->refine;
    const double unit = refine ? DBL_EPSILON / 2.0 : half ? 0x1p-11 : 0x1p-24;
    const char *floor = refine ? "double" : half ? "16 bits" : "float";
    const char *more = refine ? "; refinement gains nothing more" : "";
    if (out->residual <= floor_of(s, unit, refine ? 1.0 : s->problem.weight))
        snprintf(out->sentence, sizeof out->sentence, "stagnated at the floor of %s: %s; %s", floor,
                 where, refine ? more + 2 : "refinement goes below it");
    else if (s->idle)
        snprintf(
            out->sentence, sizeof out->sentence,
            "stagnated: %s, of which the last %d gained nothing; try another weight than %.4g, "
            "or elimination%s",
            where, QP_STAGNATION_STEPS, out->weight, more);
    else
        snprintf(out->sentence, sizeof out->sentence, "stagnated: %s%s", where,
                 refine ? more : "; float sees a smaller one, refinement works in double");
}

static void tell(struct qp_iteration *s)
{
    struct qp_solution *out = s->out;
    char where[128], advice[128];
    snprintf(where, sizeof where, "residual %.3g after %d step%s in %.3g s", out->residual,
             out->steps, out->steps == 1 ? "" : "s", out->seconds);
    advise_divergence(s, advice, sizeof advice);
    switch (out->ending) {
    case QP_CONVERGED:
        snprintf(out->sentence, sizeof out->sentence, "converged: %s", where);
        return;
    case QP_DIVERGING:
        snprintf(out->sentence, sizeof out->sentence, "diverging: %s%s; %s", where,
                 s->is_back ? ", taken back to the last iterate that holds numbers" : "", advice);
        return;
    case QP_OUT_OF_STEPS:
        snprintf(out->sentence, sizeof out->sentence,
                 "out of steps: %s; allow more of them, or a larger tolerance", where);
        return;
    case QP_STAGNATED:
        tell_stagnation(s, where);
        return;
    case QP_INTERRUPTED:
        snprintf(out->sentence, sizeof out->sentence, "interrupted: %s; this is the iterate so far",
                 where);
    }
}

void qp_iteration_finish(struct qp_iteration *s)
{
    struct qp_solution *out = s->out;
    out->steps = s->steps_before;
    out->seconds = qp_clock() - s->begin;
    if (out->residual <= s->tolerance)
        out->ending = QP_CONVERGED;
    else if (s->is_back)
        out->ending = QP_DIVERGING;
    else /* the device saw the tolerance met and double does not: float can do no more */
        out->ending = s->ending == QP_CONVERGED ? QP_STAGNATED : s->ending;
    tell(s);
}
