/* SPDX-License-Identifier: MIT */
#include "lab/ops/poisson5/accuracy.h"

#include <math.h>

double qp_poisson5_distance(const double *u, const double *wanted, size_t count)
{
    double difference = 0.0, largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double off = fabs(u[i] - wanted[i]);
        difference = off <= difference || isnan(difference) ? difference : off;
        largest = fmax(largest, fabs(wanted[i]));
    }
    return largest > 0.0 ? difference / largest : difference;
}
