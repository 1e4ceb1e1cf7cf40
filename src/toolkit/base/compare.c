/* SPDX-License-Identifier: MIT */
#include "toolkit/base/compare.h"

#include <math.h>
#include <stdio.h>

#include "toolkit/base/bands.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/values.h"

enum { SHARES = 256 /* shares of the rows, at most */ };

/* A comparison under way: each band of shares has its own, so that sums have the same order on any
 * number of threads. */
struct comparing {
    const struct qp_matrix *got;
    qp_judge_cell *judge;
    const void *user;
    size_t shares, across;             /* cells in a share, about */
    struct qp_comparison band[SHARES]; /* rms: the sum of squares */
};

static double compare_shares(void *user, size_t first, size_t end)
{
    struct comparing *c = user;
    const size_t width = (size_t)c->got->width, height = (size_t)c->got->height;
    struct qp_comparison worst = {.error = -1.0};
    double squares = 0.0;
    for (size_t i = first * height / c->shares * width; i < end * height / c->shares * width; i++) {
        struct qp_comparison cell = {.got = qp_matrix_value(c->got, i), .wanted = NAN};
        cell.error = c->judge(c->user, i, cell.got, &cell.wanted);
        squares += cell.error * cell.error;
        if (cell.error <= worst.error)
            continue;
        cell.x = (int)(i % width);
        cell.y = (int)(i / width);
        worst = cell;
    }
    worst.rms = squares;
    c->band[first / qp_band_rows(c->across)] = worst;
    return 0.0;
}

struct qp_comparison qp_compare_by(const struct qp_matrix *got, qp_judge_cell *judge,
                                   const void *user)
{
    const size_t width = (size_t)got->width, height = (size_t)got->height;
    const size_t shares = height < SHARES ? height + (height == 0) : SHARES;
    struct comparing c = {.got = got,
                          .judge = judge,
                          .user = user,
                          .shares = shares,
                          .across = width * height / shares};
    struct qp_comparison worst = {.error = -1.0};
    const size_t bands = (shares - 1) / qp_band_rows(c.across) + 1;
    double squares = 0.0;
    qp_bands(shares, c.across, compare_shares, &c);
    for (size_t k = 0; k < bands; k++) {
        squares += c.band[k].rms;
        worst = c.band[k].error > worst.error ? c.band[k] : worst;
    }
    worst.rms = sqrt(squares / (double)(width * height));
    worst.unwritten = qp_is_unwritten(worst.got);
    worst.precision = got->precision;
    return worst;
}

/* Reference values of qp_compare. */
struct wanted {
    const double *value;
    double scale;
};

static double compare_cell(const void *user, size_t i, double got, double *wanted)
{
    const struct wanted *all = user;
    *wanted = all->value[i];
    return isfinite(got) && isfinite(*wanted) ? fabs(got - *wanted) / all->scale : INFINITY;
}

struct qp_comparison qp_compare(const struct qp_matrix *got, const double *wanted, double scale)
{
    const struct wanted all = {wanted, scale};
    return qp_compare_by(got, compare_cell, &all);
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
    /* Enough to distinguish any two values. */
    const int digits = worst->precision == QP_DOUBLES ? 17 : 9;
    if (isfinite(worst->got))
        snprintf(text, size,
                 "%s%s%s is %.*g and should be %.*g: off by %.2g where %.2g is rounding", what, at,
                 place, digits, worst->got, digits, worst->wanted, worst->error, tolerance);
    else
        snprintf(text, size, "%s%s%s %s; it should be %.9g", what, at, place,
                 qp_no_number(worst->got, worst->unwritten), worst->wanted);
}
