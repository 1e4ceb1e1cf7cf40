/* SPDX-License-Identifier: MIT */
/* How a solve of Poisson's equation ended, in one sentence that is true of this run. */
#include <stdio.h>

#include "base/clock.h"
#include "solve/poisson/poisson.h"

/* Advice for a solve that gains no more. */
static const char *advise(const struct qp_iteration *s)
{
    if (s->poisson->refine)
        return "--refine gains nothing more";
    return s->refines ? "allow a larger --tolerance" : "--refine goes below it";
}

/* `where`: residual, steps and time. */
static void tell_interrupted(struct qp_iteration *s, const char *where)
{
    char which[96] = "so far";
    if (s->is_back)
        snprintf(which, sizeof which, "before the last correction, which was not done");
    else if (s->part != 1.0)
        snprintf(which, sizeof which,
                 "so far, with %.3g of its last correction, which leaves least", s->part);
    snprintf(s->out->sentence, sizeof s->out->sentence, "interrupted: %s; this is the iterate %s",
             where, which);
}

int qp_poisson_tell(struct qp_iteration *s)
{
    struct qp_solution *out = s->out;
    char where[192];
    out->rounds = s->round;
    out->seconds = qp_clock() - s->begin;
    int used = snprintf(where, sizeof where, "residual %.3g after %d step%s of %s", out->residual,
                        out->steps, out->steps == 1 ? "" : "s", s->method->name);
    if (s->round > 1)
        used += snprintf(where + used, sizeof where - (size_t)used, " in %d rounds", s->round);
    snprintf(where + used, sizeof where - (size_t)used, ", %.3g s", out->seconds);
    switch (out->ending) {
    case QP_NO_ENDING:
        break;
    case QP_CONVERGED:
        snprintf(out->sentence, sizeof out->sentence, "converged: %s", where);
        break;
    case QP_DIVERGING:
        snprintf(out->sentence, sizeof out->sentence, "diverging: %s%s; take another method or row",
                 where, s->is_back ? ", taken back to the iterate before" : "");
        break;
    case QP_OUT_OF_STEPS:
        snprintf(out->sentence, sizeof out->sentence,
                 "out of steps: %s; %s is known to need about %d, allow more (--max-iterations) "
                 "or a larger --tolerance",
                 where, s->method->name, s->forecast);
        break;
    case QP_STAGNATED:
        snprintf(out->sentence, sizeof out->sentence, "stagnated: %s; %s", where, advise(s));
        break;
    case QP_INTERRUPTED:
        tell_interrupted(s, where);
    }
    return -1;
}
