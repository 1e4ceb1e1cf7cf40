/* SPDX-License-Identifier: MIT */
#include "tools/cmd/report/plot.h"

#include <math.h>
#include <string.h>

enum { TALL = 200, SAMPLE = 44, TEXT_AT = SVG_MARGIN + SAMPLE + 6, NEXT = 14, END = 16 };
#define MOST 1e100
#define INK  "#343a40"

/* Looks of the paper, and of curves or devices: the corners of a mark lie on one circle and another
 * in turn, the first at an angle in parts of a turn. */
static const struct look {
    const char *colour, *dash;
    int corners;
    double angle, radius, other;
} looks[1 + PLOT_CURVES] = {
    {INK, NULL, 4, 0.125, 6.0, 6.0},           {"#1d6fa5", NULL, 16, 0.0, 4.5, 4.5},
    {"#c2410c", "8 3", 3, -0.25, 6.5, 6.5},    {"#2b7a3d", "2 3", 4, 0.0, 5.5, 5.5},
    {"#7b2d8b", "8 3 2 3", 3, 0.25, 6.5, 6.5}, {"#a16207", "5 5", 4, 0.125, 5.5, 5.5},
    {"#c92a2a", "12 4", 8, 0.0, 6.5, 2.5},     {"#0b7285", "8 3 2 3 2 3", 8, 0.125, 6.5, 2.5},
    {"#495057", "1 4", 10, -0.25, 6.5, 3.0}};

static const struct svg_paint band = {.fill = "#dee2e6"};

static struct svg_paint line_of(const struct look *look, double width)
{
    return (struct svg_paint){NULL, look->colour, width, look->dash};
}

static void put_mark(struct svg *svg, double x, double y, const struct look *look)
{
    const struct svg_paint full = {look->colour, "#fff", 1.0, NULL},
                           hollow = {"#fff", INK, 2.0, NULL};
    double points[2 * 17];
    for (int i = 0; i <= look->corners; i++) {
        const double angle = 2.0 * M_PI * (look->angle + (double)i / look->corners);
        points[2 * i] = x + (i % 2 == 1 ? look->other : look->radius) * cos(angle);
        points[2 * i + 1] = y + (i % 2 == 1 ? look->other : look->radius) * sin(angle);
    }
    svg_curve(svg, points, look->corners + 1, look == looks ? hollow : full);
}

/* The title on as many lines as it takes; and, where there is nothing else, a sentence. */
static void put_title(struct svg *svg, const char *title, bool empty)
{
    const char *words = empty ? "There is no figure to draw yet." : "";
    snprintf(svg->title, sizeof svg->title, "%s", title);
    svg->height = SVG_MARGIN;
    svg_words(svg, SVG_MARGIN, SVG_INSIDE, SVG_START, SVG_TEXT + 2, title);
    svg_words(svg, SVG_MARGIN, SVG_INSIDE, SVG_START, SVG_TEXT, words);
    svg_describe(svg, "%s", words);
    svg->height += SVG_MARGIN;
}

static void put_entry(struct svg *svg, const struct look *look, const char *name)
{
    const double y = svg->height + SVG_LINE / 2.0;
    if (look != looks)
        svg_line(svg, SVG_MARGIN, y, SVG_MARGIN + SAMPLE, y, line_of(look, 2.0));
    put_mark(svg, SVG_MARGIN + SAMPLE / 2.0, y, look);
    svg_words(svg, TEXT_AT, SVG_WIDTH - SVG_MARGIN - TEXT_AT, SVG_START, SVG_TEXT, name);
    svg->height += 2;
}

/* ---- Curves ---- */

/* Leaves out what cannot be drawn; returns how many points can, and widens the rulers to them. */
static int sift(struct plot *plot, struct svg_ruler *x, struct svg_ruler *y)
{
    int points = 0, exponent;
    for (struct plot_curve *c = plot->curve; c < plot->curve + plot->curves; points += c++->count) {
        const int given = c->count;
        c->count = 0;
        for (int i = 0; i < given; i++) {
            const double at = fabs(c->x[i]) < 1.0 / MOST ? 0.0 : c->x[i];
            const double value = fabs(c->y[i]) < 1.0 / MOST ? 0.0 : c->y[i];
            if (!(fabs(at) <= MOST && fabs(value) <= MOST) || (plot->log_x && at <= 0.0) ||
                (plot->log_y && value <= 0.0))
                continue;
            c->x[c->count] = at;
            c->y[c->count++] = value;
            x->low = fmin(x->low, at), x->high = fmax(x->high, at);
            y->low = fmin(y->low, value), y->high = fmax(y->high, value);
            x->step = frexp(at, &exponent) == 0.5 ? x->step : 0.0;
        }
    }
    return points;
}

/* Draws and describes a curve: by all points, or by its ends. */
static void put_curve(struct svg *svg, const struct plot_curve *curve, const struct look *look,
                      const struct svg_ruler *x, const struct svg_ruler *y, bool all)
{
    double points[2 * PLOT_POINTS], least = INFINITY, most = -INFINITY;
    svg_describe(svg, " %s:", curve->name);
    for (int i = 0; i < curve->count; i++) {
        points[2 * i] = svg_along(x, curve->x[i]);
        points[2 * i + 1] = svg_along(y, curve->y[i]);
        least = fmin(least, curve->y[i]);
        most = fmax(most, curve->y[i]);
        if (all || i == 0 || i == curve->count - 1)
            svg_describe(svg, "%s %.4g at %.7g", i == 0 ? "" : ",", curve->y[i], curve->x[i]);
    }
    svg_describe(svg, "; least %.4g, most %.4g.", least, most);
    if (curve->count > 1)
        svg_curve(svg, points, curve->count, line_of(look, 2.0));
    for (int i = 0; i < curve->count; i++)
        put_mark(svg, points[2 * i], points[2 * i + 1], look);
    put_entry(svg, look, curve->name);
}

void plot_curves(struct svg *svg, const struct plot *given)
{
    enum { FEW = 32 }; /* points, so that all fit the description */
    struct plot plot = *given;
    const double start = plot.log_y ? INFINITY : 0.0;
    struct svg_ruler x = {INFINITY, -INFINITY, plot.log_x, .step = 2.0, .size = SVG_TEXT};
    struct svg_ruler y = {start, -start, plot.log_y, .size = SVG_TEXT};
    const int points = sift(&plot, &x, &y);
    put_title(svg, plot.title, points == 0);
    if (points == 0)
        return;
    svg_words(svg, SVG_MARGIN, SVG_INSIDE, SVG_START, SVG_TEXT, plot.y_name);
    y.to = svg->height + SVG_MARGIN;
    y.from = y.to + TALL;
    svg_round_ruler(&y);
    x.from = SVG_MARGIN + svg_ruler_width(&y) + SVG_MARGIN;
    x.to = svg_across(1.0);
    svg_round_ruler(&x);
    svg_draw_ruler(svg, &y, x.from - 4, x.to, true);
    svg_draw_ruler(svg, &x, y.to, y.from + SVG_MARGIN, true);
    svg->height = y.from + SVG_MARGIN + SVG_LINE;
    svg_words(svg, (x.from + x.to) / 2, SVG_INSIDE, SVG_MIDDLE, SVG_TEXT, plot.x_name);
    svg->height += SVG_MARGIN;
    svg_describe(svg, "%s%s over %s%s.", plot.y_name, plot.log_y ? ", by logarithm," : "",
                 plot.x_name, plot.log_x ? ", by logarithm" : "");
    for (int i = 0; i < plot.curves; i++) {
        if (plot.curve[i].count > 0)
            put_curve(svg, &plot.curve[i], &looks[1 + i], &x, &y, points <= FEW);
    }
    svg->height += SVG_MARGIN;
}

/* ---- Claims ---- */

/* The paper's ratio and the devices', in this order. */
static void take(const struct plot_claim *claim, struct plot_ratio ratio[1 + PLOT_DEVICES])
{
    ratio[0] = (struct plot_ratio){claim->then, NAN, NAN};
    memcpy(ratio + 1, claim->now, sizeof claim->now);
}

/* Ruler of all ratios, as long to the left of 1 as to the right. */
static struct svg_ruler measure(const struct plot_claim *claims, int count, int devices)
{
    struct plot_ratio ratio[1 + PLOT_DEVICES];
    double most = 5.0;
    for (int i = 0; i < count; i++) {
        take(&claims[i], ratio);
        for (int k = 0; k <= devices; k++)
            most = ratio[k].value > 0.0 ? fmax(most, exp(fabs(log(ratio[k].value)))) : most;
    }
    most = fmin(most, 1e3);
    struct svg_ruler ruler = {
        1.0 / most, most, true, SVG_MARGIN + END, SVG_WIDTH - SVG_MARGIN - END, 0.0, SVG_TEXT};
    svg_round_ruler(&ruler);
    return ruler;
}

static double across(const struct svg_ruler *ruler, double ratio)
{
    return svg_along(ruler, fmin(fmax(ratio, ruler->low), ruler->high));
}

/* A row: the claim, and below it each ratio that there is, with lines from then to now. */
static void put_claim(struct svg *svg, const struct svg_ruler *ruler,
                      const struct plot_claim *claim, int devices)
{
    struct plot_ratio ratio[1 + PLOT_DEVICES];
    double x[1 + PLOT_DEVICES], y[1 + PLOT_DEVICES];
    take(claim, ratio);
    svg_words(svg, SVG_MARGIN, SVG_INSIDE, SVG_START, SVG_TEXT, claim->name);
    svg->height += 2;
    const double top = svg->height, one = across(ruler, 1.0), even = across(ruler, 0.97);
    for (int k = 0; k <= devices; k++) {
        x[k] = across(ruler, ratio[k].value);
        y[k] = svg->height + NEXT / 2.0;
        svg->height += isnan(ratio[k].value) ? 0 : NEXT;
    }
    const double foot = svg->height;
    if (foot == top)
        svg_words(svg, SVG_MARGIN + END, SVG_INSIDE, SVG_START, SVG_TEXT, "no figure yet");
    svg_rectangle(svg, even, top, 2 * (one - even), foot - top, band);
    svg_draw_ruler(svg, ruler, top, foot, false);
    svg_line(svg, one, top, one, foot, (struct svg_paint){NULL, INK, 1.5, NULL});
    for (int k = 1; k <= devices; k++) {
        const double low = across(ruler, ratio[k].low), high = across(ruler, ratio[k].high);
        const double whisker[] = {low,  y[k] - 3, low,  y[k] + 3, low,  y[k],
                                  high, y[k],     high, y[k] - 3, high, y[k] + 3};
        if (!isnan(ratio[0].value + ratio[k].value))
            svg_line(svg, x[0], y[0], x[k], y[k], line_of(&looks[k], 1.0));
        if (!isnan(ratio[k].value) && ratio[k].low <= ratio[k].high)
            svg_curve(svg, whisker, 6, (struct svg_paint){NULL, looks[k].colour, 2, NULL});
    }
    for (int k = 0; k <= devices; k++) {
        if (ratio[k].value < ruler->low || ratio[k].value > ruler->high)
            svg_arrow(svg, x[k], y[k], x[k] + (x[k] < one ? -END : END), y[k], looks[k].colour);
        if (!isnan(ratio[k].value))
            put_mark(svg, x[k], y[k], &looks[k]);
    }
    svg->height += SVG_MARGIN;
}

/* Names all ratios that there are, if there is room for them; true if so. */
static bool describe(struct svg *svg, const struct plot_claim *claim, const char *const devices[],
                     int device_count)
{
    enum { ROOM = 120 + 80 * (1 + PLOT_DEVICES) };
    struct plot_ratio ratio[1 + PLOT_DEVICES];
    const char *lead = ":";
    take(claim, ratio);
    if (strlen(svg->description) + ROOM > sizeof svg->description)
        return false;
    svg_describe(svg, " %s", claim->name);
    for (int k = 0; k <= device_count; k++) {
        if (isnan(ratio[k].value))
            continue;
        svg_describe(svg, "%s %.40s %.3g", lead, k == 0 ? "paper" : devices[k - 1], ratio[k].value);
        if (ratio[k].low <= ratio[k].high)
            svg_describe(svg, " (%.3g to %.3g)", ratio[k].low, ratio[k].high);
        lead = ",";
    }
    svg_describe(svg, *lead == ':' ? ": no figure yet." : ".");
    return true;
}

static void put_ruler(struct svg *svg, const struct svg_ruler *ruler)
{
    svg_draw_ruler(svg, ruler, svg->height, svg->height + 4, true);
    svg->height += 4 + SVG_LINE + SVG_MARGIN;
}

void plot_claims(struct svg *svg, const char *title, const struct plot_claim *claims, int count,
                 const char *const devices[], int device_count)
{
    const struct svg_ruler ruler = measure(claims, count, device_count);
    put_title(svg, title, count == 0);
    if (count == 0)
        return;
    put_entry(svg, looks, "ratio in the paper");
    for (int k = 0; k < device_count; k++)
        put_entry(svg, &looks[1 + k], devices[k]);
    svg_rectangle(svg, SVG_MARGIN, svg->height + 3, SAMPLE, 10, band);
    svg_words(svg, TEXT_AT, SVG_INSIDE, SVG_START, SVG_TEXT, "even: from 0.97 to 1.03");
    svg->height += SVG_MARGIN;
    put_ruler(svg, &ruler);
    svg_describe(svg, "Ratios, and in brackets their intervals.");
    int told = 0;
    for (int i = 0; i < count; i++) {
        put_claim(svg, &ruler, &claims[i], device_count);
        told += describe(svg, &claims[i], devices, device_count);
    }
    if (told < count)
        svg_describe(svg, " And %d more.", count - told);
    put_ruler(svg, &ruler);
}
