/* SPDX-License-Identifier: MIT */
#include "solve/choose/forecast.h"

#include <float.h>
#include <math.h>

#include "solve/choose/choice.h"
#include "solve/preference.h"

struct qp_prospects qp_prospects_of(const struct qp_choice *m)
{
    const struct qp_krylov_system *system = &m->system;
    const struct qp_traits *traits = &system->traits;
    const double n = (double)m->n, entries = (double)system->rows.count,
                 sides = (double)m->out->sides,
                 tolerance = m->desc->tolerance > 0.0 ? m->desc->tolerance : 1e-5,
                 factor = m->desc->refine ? DBL_EPSILON : fmin(tolerance, 0.5);
    struct qp_prospects p = {INFINITY, INFINITY, INFINITY, qp_traits_krylov_steps(traits, factor)};
    const double products = (system->way.method == QP_KRYLOV_BICGSTAB ? 2.0 : 1.0) * p.steps;
    if (traits->zero < 0)
        p.krylov = qp_pace_krylov(m->context, entries, sides * products);
    if (traits->zero < 0 && m->out->width > 0)
        p.jacobi = sides * qp_traits_jacobi_steps(traits, factor) * qp_pace_step(m->context, n);
    if (m->may_eliminate)
        p.elimination = (m->desc->refine ? QP_ELIMINATIONS_REFINED : 1) *
                        qp_pace_elimination(m->context, m->elimination, n, sides);
    return p;
}

/* Forecast from the rate of convergence. Jacobi's residual falls by a factor a step that only grows
 * towards that of the slowest part of the error, since the quick parts vanish first. So the rate of
 * the latter half of the steps is the best to come, and a forecast is renewed as steps double. */
void qp_forecast_look(struct qp_forecast *forecast, const struct qp_progress *now)
{
    enum { FIRST = 100 };
    if (now->step < FIRST || now->step < 2 * forecast->step)
        return;
    if (forecast->step > 0) {
        const int steps = now->step - forecast->step;
        const double rate = log(forecast->residual / now->residual) / steps;
        const double wanted = log(now->residual / now->tolerance);
        forecast->since = forecast->step;
        forecast->to_come = rate > 0.0 ? wanted / rate : INFINITY;
        forecast->pace = (now->seconds - forecast->seconds) / steps;
        forecast->leaves = forecast->to_come > forecast->elimination ||
                           forecast->to_come > now->most_steps - now->step;
    }
    forecast->step = now->step;
    forecast->residual = now->residual;
    forecast->seconds = now->seconds;
}
