/* SPDX-License-Identifier: MIT */
/* How long an iteration will take, against elimination. Time is counted in steps, for these are what the
 * iteration itself counts: so the choice does not hang on a clock, and only its sentence tells seconds. */
#ifndef QP_SOLVE_FORECAST_H
#define QP_SOLVE_FORECAST_H

#include <quadpass/solve.h>

struct qp_forecast {
    double elimination; /* what one takes, in steps of this iteration for each side that is left */
    /* where it stood when it was last looked at: */
    int step;
    double residual, seconds;
    /* what it said then: */
    int since;      /* from that step on the rate was measured; 0: nothing was said yet */
    double to_come; /* steps, INFINITY if it gets no nearer */
    double pace;    /* seconds a step */
    bool leaves;    /* elimination is quicker, or the steps that are left are not enough */
};

/* Looks on at 100 steps, then whenever their number has doubled, and says something from 200 on. */
void qp_forecast_look(struct qp_forecast *forecast, const struct qp_progress *now);

#endif
