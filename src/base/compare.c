/* SPDX-License-Identifier: MIT */
#include "base/compare.h"

#include <math.h>
#include <stdio.h>

#include "base/layout.h"
#include "base/values.h"

struct qp_comparison qp_compare(const struct qp_matrix *got, const double *wanted, double scale)
{
    struct qp_comparison worst = {.error = -1.0, .finite = true};
    size_t cells = (size_t)got->width * (size_t)got->height;
    double squares = 0.0;
    for (size_t i = 0; i < cells; i++) {
        double value = qp_matrix_value(got, i);
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
                                       .finite = finite,
                                       .unwritten = qp_is_unwritten(value),
                                       .precision = got->precision};
        if (!finite)
            break;
    }
    worst.rms = sqrt(squares / (double)cells);
    return worst;
}

/* printf would write the sign of a NaN, which means nothing. */
const char *qp_no_number(double value, bool unwritten)
{
    if (unwritten)
        return "was never written";
    if (isnan(value))
        return "is nan, which is no number";
    return value > 0.0 ? "is infinite" : "is minus infinite";
}

void qp_comparison_tell(const struct qp_comparison *worst, const char *judged, const char *place,
                        double tolerance, char *text, size_t size)
{
    const char *what = judged != NULL ? judged : "", *at = judged != NULL ? " at " : "";
    const int digits = worst->precision == QP_DOUBLES ? 17 : 9; /* that tell any two values apart */
    if (isfinite(worst->got))
        snprintf(text, size,
                 "%s%s%s is %.*g and should be %.*g: off by %.2g where %.2g is rounding", what, at,
                 place, digits, worst->got, digits, worst->wanted, worst->error, tolerance);
    else
        snprintf(text, size, "%s%s%s %s; it should be %.9g", what, at, place,
                 qp_no_number(worst->got, worst->unwritten), worst->wanted);
}
