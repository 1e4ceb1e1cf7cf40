/* SPDX-License-Identifier: MIT */
/* Outcome of a solve of Poisson's equation. */
#include <math.h>
#include <stdio.h>

#include "lab/solve/poisson/poisson.h"
#include "toolkit/base/clock.h"

/* Says which iterate an interrupt has left. */
static const char *tell_interrupted(const struct qp_iteration *s, struct qp_outcome *o)
{
    if (s->is_back)
        return "this is the iterate before the last correction, which was not done";
    if (s->part == 1.0)
        return "this is the iterate so far";
    snprintf(o->text, sizeof o->text,
             "this is the iterate so far, with %.3g of its last correction, which leaves least",
             s->part);
    return o->text;
}

/* Bound of x's error, in parts of its largest element. A^-1 has no negative element, and so with A
 * w >= 1 the error is |A^-1 (b - A x)| <= w max |b - A x|. A parabola across the shorter side, of n
 * cells, is such a w: k (n + 1 - k) / 2 in its k-th line, whose second difference is -1. */
static double error_of(const struct qp_iteration *s)
{
    const double across = fmin(s->out->width, s->out->height) + 1.0;
    const double most = qp_largest(s->bound, s->n) * across * across / 8.0;
    return most > 0.0 ? most * (1.0 + 0x1p-40) / qp_largest(s->out->x, s->n) : 0.0;
}

int qp_poisson_report(struct qp_iteration *s, struct qp_outcome *o)
{
    struct qp_solution *out = s->out;
    char rounds[32] = "", steps[96];
    out->rounds = s->round;
    out->seconds = qp_clock() - s->begin;
    if (s->round > 1)
        snprintf(rounds, sizeof rounds, " in %d rounds", s->round);
    if (s->cycles)
        qp_cycles_tell(s, steps, sizeof steps);
    else
        snprintf(steps, sizeof steps, "%d step%s of %s%s", out->steps, out->steps == 1 ? "" : "s",
                 out->method, rounds);
    snprintf(o->where, sizeof o->where, "residual %.3g after %s, %.3g s%s", out->residual, steps,
             out->seconds,
             out->ending == QP_DIVERGING && s->is_back ? ", taken back to the iterate before" : "");
    if (out->ending == QP_DIVERGING) {
        o->advice = "take another method or variant";
    } else if (out->ending == QP_OUT_OF_STEPS && s->cycles) {
        o->advice = "allow more (--max-iterations) or a larger --tolerance";
    } else if (out->ending == QP_OUT_OF_STEPS) {
        snprintf(o->text, sizeof o->text,
                 "%s is known to need about %d, allow more (--max-iterations) or a larger "
                 "--tolerance",
                 s->method->name, s->forecast);
        o->advice = o->text;
    } else if (out->ending == QP_STAGNATED) {
        o->advice = s->poisson->refine ? "--refine gains nothing more"
                    : s->refines       ? "allow a larger --tolerance"
                                       : "--refine goes below it";
    } else if (out->ending == QP_INTERRUPTED) {
        o->advice = tell_interrupted(s, o);
    } else {
        return qp_iteration_tell_digits(error_of(s), 0, o);
    }
    return -1;
}
