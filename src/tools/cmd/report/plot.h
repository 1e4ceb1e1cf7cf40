/* SPDX-License-Identifier: MIT */
/* Plots of the report, drawn by svg.h's shapes below what a drawing has: what one tells by colour,
 * it tells by shape and dash as well. */
#ifndef QP_CMD_REPORT_PLOT_H
#define QP_CMD_REPORT_PLOT_H

#include "tools/cmd/output/svg.h"

enum { PLOT_POINTS = 48, PLOT_CURVES = 8, PLOT_DEVICES = 4 };

struct plot_curve {
    char name[64];
    int count;
    double x[PLOT_POINTS], y[PLOT_POINTS];
};

struct plot {
    char title[160], x_name[64], y_name[64];
    bool log_x, log_y;
    struct plot_curve curve[PLOT_CURVES];
    int curves;
};

/* Curves over x between axes with round numbers, powers of 2 where each x of a logarithmic axis is
 * one, and a legend below. An axis upwards that is not logarithmic has 0. Points that are no
 * numbers, beyond 1e100, or below 1e-100 by logarithm, are left out, and curves without a point. */
void plot_curves(struct svg *svg, const struct plot *plot);

/* A claim: the paper's ratio and the ratio on each device with its interval; NaN: none. */
struct plot_claim {
    char name[96];
    double then;
    struct {
        double value, low, high;
    } now[PLOT_DEVICES];
};

/* Claims as rows on one logarithmic axis of ratios, with a line at 1 and a band around it that is
 * even: the paper's is a hollow square, each device's a mark with a whisker, and a line leads from
 * then to now. Ratios beyond 1/1000 and 1000 are arrows at the ends. */
void plot_claims(struct svg *svg, const char *title, const struct plot_claim *claims, int count,
                 const char *const devices[], int device_count);

#endif
