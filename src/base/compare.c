/* SPDX-License-Identifier: MIT */
#include "base/compare.h"

#include <math.h>
#include <stddef.h>

struct qp_comparison qp_compare(const struct qp_matrix *got, const double *wanted, double scale)
{
    struct qp_comparison worst = {.error = -1.0, .finite = true};
    size_t cells = (size_t)got->width * (size_t)got->height;
    double squares = 0.0;
    for (size_t i = 0; i < cells; i++) {
        double value = got->values[i];
        bool finite = isfinite(value) && isfinite(wanted[i]);
        double error = finite ? fabs(value - wanted[i]) / scale : INFINITY;
        squares += error * error;
        if (error <= worst.error)
            continue;
        worst = (struct qp_comparison){.error = error,
                                       .x = (int)(i % (size_t)got->width),
                                       .y = (int)(i / (size_t)got->width),
                                       .got = value,
                                       .wanted = wanted[i],
                                       .finite = finite};
        if (!finite)
            break;
    }
    worst.rms = sqrt(squares / (double)cells);
    return worst;
}
