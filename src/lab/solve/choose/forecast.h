/* SPDX-License-Identifier: MIT */
/* Forecasts: what methods are expected to take, and of an iteration's length, to compare with
 * elimination. Time is counted in steps of the iteration, so the choice does not depend on a clock;
 * only its sentence names seconds. */
#ifndef QP_SOLVE_CHOOSE_FORECAST_H
#define QP_SOLVE_CHOOSE_FORECAST_H

#include <quadpass/solve.h>

/* Expected seconds of each method before any step was made; INFINITY: it cannot take the matrix. */
struct qp_prospects {
    double jacobi, krylov, elimination, direct, multigrid;
    double steps, cycles; /* the Krylov method's, and multigrid's */
};

struct qp_forecast {
    double elimination; /* duration of one, in steps of this iteration for each remaining side */
    /* state of the iteration at the last look: */
    int step;
    double residual, seconds;
    /* the forecast of that look: */
    int since;      /* step from which the rate was measured; 0: no forecast yet */
    double to_come; /* steps, INFINITY if the residual does not fall */
    double pace;    /* seconds a step */
    bool leaves;    /* elimination is quicker, or the remaining steps are not enough */
};

/* Takes in progress: reads it at 100 steps, then whenever their number has doubled, and forecasts
 * from 200 on. */
void qp_forecast_look(struct qp_forecast *forecast, const struct qp_progress *now);

#endif
