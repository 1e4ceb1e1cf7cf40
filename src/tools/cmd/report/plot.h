/* SPDX-License-Identifier: MIT */
/* Plots of the report: drawings that say by shape and dash what they say by colour. */
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

/* Curves over x, with a legend below. Axes have round numbers, or powers of 2 where each x of a
 * logarithmic one is such; a linear one upwards has 0. Points that are no numbers, are beyond 1e100
 * or have no logarithm are left out, and curves without a point. */
void plot_curves(struct svg *svg, const struct plot *plot);

/* A claim: the paper's ratio, and the ratio on each device with its interval; NaN: none. */
struct plot_ratio {
    double value, low, high;
};
struct plot_claim {
    char name[96];
    double then;
    struct plot_ratio now[PLOT_DEVICES];
};

/* Claims as rows on one logarithmic axis of ratios, with a line at 1 and a band around it, which is
 * even: a hollow square for the paper, and a mark with a whisker for each device, with a line from
 * then to now. Ratios beyond 1/1000 and 1000 are arrows at the ends. */
void plot_claims(struct svg *svg, const char *title, const struct plot_claim *claims, int count,
                 const char *const devices[], int device_count);

#endif
