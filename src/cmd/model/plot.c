/* SPDX-License-Identifier: MIT */
#include "cmd/model/plot.h"

#include <math.h>

#include "cmd/output/svg.h"

enum { POINTS = 65, LEFT = 40, RIGHT = SVG_WIDTH - 24, TALL = 220, LABEL = 20 };

/* The axes: shares of the rows from LEFT to RIGHT, and milliseconds from `foot` up to `top`. */
struct axes {
    struct svg *svg;
    const struct qp_tuned *tuning;
    double foot, most; /* most: at `foot - TALL` */
};

static double across(double share)
{
    return LEFT + (RIGHT - LEFT) * share;
}

static double up(const struct axes *axes, double milliseconds)
{
    return axes->foot - TALL * fmin(milliseconds / axes->most, 1.0);
}

/* Milliseconds of a part, 0 the lower and 1 the upper, or of both, where the lower has this share
 * of the rows. */
static double predicted(const struct qp_model *model, int part, double share)
{
    const double rows = model->height * share;
    return 1e3 * (part == 0   ? qp_curve_seconds(&model->part[0], rows)
                  : part == 1 ? qp_curve_seconds(&model->part[1], model->height - rows)
                              : qp_model_seconds(model, rows));
}

/* The least of 1, 2 and 5 times a power of ten of which the most has six at the most. */
static double tick_of(double most)
{
    double tick = pow(10.0, floor(log10(most / 6.0)));
    for (int i = 0; most / tick > 6.0; i++)
        tick *= i % 3 == 1 ? 2.5 : 2.0;
    return tick;
}

static void draw_axes(struct axes *axes)
{
    const struct svg_paint line = {.stroke = "#ced4da"};
    const struct qp_model *model = &axes->tuning->model;
    struct svg *svg = axes->svg;
    for (int k = 0; k < axes->tuning->count; k++)
        axes->most = fmax(axes->most, 1e3 * axes->tuning->run[k].measured);
    for (int i = 0; i < 3 * POINTS; i++)
        axes->most = fmax(axes->most, predicted(model, i / POINTS, i % POINTS / (POINTS - 1.0)));
    const double tick = tick_of(axes->most);
    axes->most = tick * ceil(axes->most / tick);
    axes->foot = svg->height + SVG_MARGIN + TALL;
    for (double at = 0.0; at < axes->most + tick / 2; at += tick) {
        svg_line(svg, LEFT, up(axes, at), RIGHT, up(axes, at), line);
        svg_text(svg, LEFT - 4, up(axes, at) + 4, SVG_SMALL, SVG_END, "%g", at);
    }
    for (int share = 0; share <= 4; share++)
        svg_text(svg, across(share / 4.0), axes->foot + LABEL - 4, SVG_SMALL, SVG_MIDDLE, "%d %%",
                 25 * share);
    svg_text(svg, across(0.5), axes->foot + 2 * LABEL - 4, SVG_TEXT, SVG_MIDDLE,
             "rows of the lower part; up: ms a step");
    svg->height = axes->foot + 2 * LABEL + SVG_MARGIN;
}

/* A part's curve and its samples, which lie where the other part would have the rest; with its line
 * of the legend. */
static void draw_curve(const struct axes *axes, int part, struct svg_paint paint, const char *name)
{
    static const enum qp_tuned_form forms[] = {QP_TUNE_LOWER, QP_TUNE_UPPER, QP_TUNE_SWEEP};
    enum { DOT = 5 };
    const struct qp_tuned *tuning = axes->tuning;
    struct svg *svg = axes->svg;
    double points[2 * POINTS];
    for (int k = 0; k < POINTS; k++) {
        points[2 * k] = across(k / (POINTS - 1.0));
        points[2 * k + 1] = up(axes, predicted(&tuning->model, part, k / (POINTS - 1.0)));
    }
    svg_curve(svg, points, POINTS, paint);
    for (int k = 0; k < tuning->count; k++) {
        const struct qp_tuned_split *run = &tuning->run[k];
        const double share = (double)run->rows / tuning->model.height;
        if (run->what == forms[part])
            svg_rectangle(svg, across(part == 1 ? 1.0 - share : share) - DOT / 2.0,
                          up(axes, 1e3 * run->measured) - DOT / 2.0, DOT, DOT,
                          (struct svg_paint){.fill = part == 2 ? paint.stroke : "#fff",
                                             .stroke = paint.stroke});
    }
    svg_line(svg, LEFT, svg->height, LEFT + 30, svg->height, paint);
    svg_text(svg, LEFT + 36, svg->height + 4, SVG_TEXT, SVG_START, "%s", name);
    svg->height += SVG_LINE;
}

enum qp_status plot_write(const char *path, const struct qp_tuned *tuning, const char *title,
                          const char *lower, const char *upper)
{
    struct svg svg;
    struct axes axes = {.svg = &svg, .tuning = tuning};
    const struct qp_tuned_split *best = &tuning->run[tuning->optimum];
    const enum qp_status status = svg_begin(&svg);
    if (status == QP_OK) {
        svg_title(&svg, "%s", title);
        svg_describe(&svg,
                     "Milliseconds of a step against the rows of the lower part, %d in all: of %s "
                     "alone, of %s alone, and of both. The fastest that was measured has %d rows "
                     "in the lower part and takes %.3g ms.",
                     tuning->model.height, lower, upper, best->rows, 1e3 * best->measured);
        draw_axes(&axes);
        draw_curve(&axes, 0, (struct svg_paint){.stroke = "#1d6fa5", .dash = "6 3"}, lower);
        draw_curve(&axes, 1, (struct svg_paint){.stroke = "#b5560b", .dash = "2 3"}, upper);
        draw_curve(&axes, 2, (struct svg_paint){.stroke = "#212529", .width = 2},
                   "both: the model, and dots as measured");
    }
    return svg_end(&svg, status, path);
}
