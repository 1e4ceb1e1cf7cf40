/* SPDX-License-Identifier: MIT */
/* Outcome of a row that solves, by any method. */
#include <math.h>
#include <stdio.h>

#include "cmd/solve/solved.h"

double solved_distance(const double *x, const double *y, int count)
{
    double difference = 0.0, all = 0.0;
    for (int i = 0; i < count; i++) {
        difference += fabs(x[i] - y[i]);
        all += fabs(y[i]);
    }
    return difference / all;
}

void solved_fail(struct solved *row, const char *name, const char *why)
{
    row->failed = true;
    snprintf(row->reason, sizeof row->reason, "solving %s: %.480s", name, why);
}
