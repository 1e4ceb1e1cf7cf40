/* SPDX-License-Identifier: MIT */
#include "solve/choose/forecast.h"

#include <math.h>

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
