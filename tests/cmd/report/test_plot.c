/* SPDX-License-Identifier: MIT */
/* Plots of the report: marks, dashes and numbers are right, texts neither touch nor leave the page,
 * and no values bring a fault. No device is asked. */
#include "support/drawings.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/report/plot.h"

static const char *const colours[] = {"#1d6fa5", "#c2410c", "#2b7a3d", "#7b2d8b",
                                      "#a16207", "#c92a2a", "#0b7285", "#495057"};
static const char *const devices[] = {"llvmpipe (LLVM 15.0.6, 256 bits)",
                                      "<script>alert(1)</script>", "NVIDIA H100",
                                      "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"};
static char *page;

static int count_of(const char *format, const char *text)
{
    char words[128];
    snprintf(words, sizeof words, format, text);
    return drawing_count(page, words);
}

/* Ends a drawing, whose text is `page` from then on, and checks it. */
static void check(struct svg *svg)
{
    size_t length;
    free(page);
    page = NULL;
    assert_true(strlen(svg->description) < sizeof svg->description - 1);
    FILE *out = open_memstream(&page, &length);
    assert_ok(svg_put(svg, QP_OK, out, "p"));
    fclose(out);
    if (drawing_fault(page) != NULL)
        fail_msg("a fault at %.60s", drawing_fault(page));
    if (drawing_pale(page) != NULL)
        fail_msg("pale: %.90s", drawing_pale(page));
    if (drawing_crowded(page) != NULL)
        fail_msg("no place for %.90s", drawing_crowded(page));
    assert_int_equal(count_of("%s", "\"nan") + count_of("%s", "\"-nan") + count_of("%s", "inf\""),
                     0);
    assert_int_equal(count_of("%s", "font-size=\"11\""), 0);
}

/* Marks in a colour, the legend's among them. */
static int marks(const char *colour)
{
    return count_of(" fill=\"%s\" stroke=\"#fff\"", colour);
}

/* ---- Curves ---- */

static struct plot plot;

/* A plot of so many curves of so many points; y is a curve's number, from 1, times x. */
static void fill(int curves, int points, bool log_x, bool log_y)
{
    plot = (struct plot){"A title", "cells", "ms a step", log_x, log_y, .curves = curves};
    for (int k = 0; k < curves; k++) {
        snprintf(plot.curve[k].name, sizeof plot.curve[k].name, "curve %d", k);
        plot.curve[k].count = points;
        for (int i = 0; i < points; i++) {
            plot.curve[k].x[i] = i + 1;
            plot.curve[k].y[i] = (k + 1.0) * (i + 1);
        }
    }
}

static void draw(void)
{
    struct svg svg;
    assert_ok(svg_begin(&svg));
    plot_curves(&svg, &plot);
    check(&svg);
}

/* A curve has a colour, a dash and a shape that no other has. */
TEST(curves)
{
    char dash[PLOT_CURVES][32] = {""};
    fill(PLOT_CURVES, 3, false, false);
    draw();
    for (int k = 0; k < PLOT_CURVES; k++) {
        char words[64];
        assert_int_equal(marks(colours[k]), 3 + 1);
        snprintf(words, sizeof words, " fill=\"none\" stroke=\"%s\" stroke-width=\"2\"",
                 colours[k]);
        assert_int_equal(drawing_count(page, words), 2); /* the curve, and the legend's line */
        sscanf(strstr(page, words) + strlen(words), " stroke-dasharray=\"%31[^\"]", dash[k]);
        for (int i = 0; i < k; i++)
            assert_string_not_equal(dash[i], dash[k]);
        snprintf(words, sizeof words, ">curve %d<", k);
        assert_int_equal(drawing_count(page, words), 1);
    }
    assert_non_null(strstr(page, "ms a step over cells. curve 0: 1 at 1, 2 at 2, 3 at 3; least 1, "
                                 "most 3. curve 1: 2 at 1,"));
    assert_int_equal(count_of(">%s<", "A title"), 2);
    assert_int_equal(count_of(">%s<", "ms a step"), 1);
    assert_int_equal(count_of(">%s<", "cells"), 1);
}

/* The n-th mark of a colour: its middle, and where its corners lie around that. */
static int mark_of(const char *colour, int n, double middle[2], double corner[40])
{
    char words[64];
    int count = 0, length;
    const char *at = page, *end;
    snprintf(words, sizeof words, " fill=\"%s\" stroke=\"#fff\"", colour);
    for (end = strstr(page, words); n > 0; n--)
        end = strstr(end + 1, words);
    for (at = end; strncmp(at, "points=", 7) != 0;)
        at--;
    middle[0] = middle[1] = 0.0;
    for (at += 8;
         sscanf(at, " %lf,%lf%n", &corner[2 * count], &corner[2 * count + 1], &length) == 2;
         at += length)
        count++;
    for (int i = 0; i < 2 * (count - 1); i++)
        middle[i % 2] += corner[i] / (count - 1);
    for (int i = 0; i < 2 * count; i++)
        corner[i] -= middle[i % 2];
    return count;
}

TEST(shapes_differ)
{
    double middle[2], corner[PLOT_CURVES][40];
    int corners[PLOT_CURVES];
    fill(PLOT_CURVES, 1, false, false);
    draw();
    for (int k = 0; k < PLOT_CURVES; k++) {
        corners[k] = mark_of(colours[k], 0, middle, corner[k]);
        for (int i = 0; i < k; i++) {
            double apart = corners[i] != corners[k] ? 9.0 : 0.0;
            for (int c = 0; c < 2 * corners[k] && corners[i] == corners[k]; c++)
                apart = fmax(apart, fabs(corner[i][c] - corner[k][c]));
            assert_true(apart > 2.0);
        }
    }
}

/* Points are to scale, by difference and by logarithm. */
TEST(scales)
{
    double at[3][2], corner[40];
    for (int by_log = 0; by_log < 2; by_log++) {
        fill(1, 3, by_log, by_log);
        for (int i = 0; i < 3; i++)
            plot.curve[0].x[i] = plot.curve[0].y[i] = by_log ? pow(10.0, i) : 10.0 * i;
        draw();
        for (int i = 0; i < 3; i++)
            mark_of(colours[0], i, at[i], corner);
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(at[2][k] - 2 * at[1][k] + at[0][k]) < 0.1);
            assert_true(fabs(at[2][k] - at[0][k]) > 150);
        }
        assert_true(at[2][0] > at[0][0] && at[2][1] < at[0][1]);
        assert_int_equal(count_of(">%s<", by_log ? "100" : "20"), 2);
    }
}

/* Axes by logarithm have powers of two where each x is one, and else powers of ten. */
TEST(powers)
{
    fill(1, 3, true, false);
    for (int i = 0; i < 3; i++)
        plot.curve[0].x[i] = 64 << i;
    draw();
    assert_int_equal(count_of(">%s<", "64") + count_of(">%s<", "128") + count_of(">%s<", "256"), 3);
    plot.curve[0].x[1] = 100;
    draw();
    assert_int_equal(count_of(">%s<", "50") + count_of(">%s<", "500"), 2);
    assert_int_equal(count_of(">%s<", "64"), 0);
}

/* Points that cannot be drawn are left out, and curves without one. */
TEST(nothing_to_draw)
{
    fill(3, 4, true, true);
    plot.curve[0].y[1] = NAN;
    plot.curve[0].y[2] = -1.0;
    plot.curve[0].x[3] = 0.0;
    plot.curve[1].count = 0;
    for (int i = 0; i < 4; i++)
        plot.curve[2].y[i] = INFINITY;
    draw();
    assert_int_equal(marks(colours[0]), 1 + 1);
    assert_int_equal(marks(colours[1]) + marks(colours[2]), 0);
    assert_int_equal(count_of("%s", "curve 1") + count_of("%s", "curve 2"), 0);
    plot.curve[0].count = 0;
    draw();
    assert_int_equal(count_of("%s", "There is no figure to draw yet."), 2);
    plot.curves = 0;
    draw();
    assert_int_equal(count_of("%s", "There is no figure to draw yet."), 2);
    assert_int_equal(count_of("%s", "<polyline"), 0);
}

/* Values of all sizes in all pairs, on each kind of axis. */
TEST(extremes)
{
    static const double values[] = {0.0,   1.0,     -1.0,    1e-30,    1e30, -1e30,
                                    1e-99, DBL_MAX, DBL_MIN, -DBL_MAX, NAN,  INFINITY};
    for (int i = 0; i < COUNT(values) * COUNT(values) * 4; i++) {
        const double a = values[i / 4 % COUNT(values)], b = values[i / 4 / COUNT(values)];
        fill(2, 2, i % 2 == 1, i / 2 % 2 == 1);
        plot.curve[0].x[0] = plot.curve[0].y[0] = plot.curve[1].y[1] = a;
        plot.curve[0].x[1] = plot.curve[0].y[1] = plot.curve[1].x[0] = b;
        draw();
    }
}

/* Texts as long as they may be, of wide letters or without a blank, and markup. */
TEST(long_texts)
{
    fill(PLOT_CURVES, PLOT_POINTS, false, true);
    memset(plot.title, 'W', sizeof plot.title - 1);
    memset(plot.x_name, 'm', sizeof plot.x_name - 1);
    memset(plot.y_name, '&', sizeof plot.y_name - 1);
    for (int k = 0; k < PLOT_CURVES; k++)
        for (int i = 0; i < (int)sizeof plot.curve[k].name - 1; i++)
            plot.curve[k].name[i] = k % 2 == 1 ? "wide "[i % 5] : "\xc3\xa9"[i % 2];
    draw();
    assert_int_equal(count_of("%s", "<desc id=\"p-d\">&#38;&#38;"), 1);
    assert_int_equal(count_of("%s", "?"), 4 * 2); /* half a letter, at the array's end */
    assert_non_null(strstr(page, ": 8 at 1, 384 at 48; least 8, most 384.</desc>"));
}

/* ---- Claims ---- */

enum { CLAIMS = 40 };
static struct plot_claim claims[CLAIMS];

static void fill_claims(int count, double then, double now)
{
    for (int i = 0; i < count; i++) {
        claims[i] = (struct plot_claim){.then = then};
        snprintf(claims[i].name, sizeof claims[i].name, "claim %d of all", i);
        for (int k = 0; k < PLOT_DEVICES; k++) {
            claims[i].now[k].value = now * (k + 1);
            claims[i].now[k].low = 0.9 * now * (k + 1);
            claims[i].now[k].high = 1.1 * now * (k + 1);
        }
    }
}

static void draw_claims(int count, int device_count)
{
    struct svg svg;
    assert_ok(svg_begin(&svg));
    plot_claims(&svg, "Then and now", claims, count, devices, device_count);
    check(&svg);
}

static int hollow_squares(void)
{
    return count_of("%s", " fill=\"#fff\" stroke=\"#343a40\"");
}

/* Thin lines of a colour: slopes; lines of two pixels: the legend's, and whiskers. */
static int lines(const char *colour, int width)
{
    char words[64];
    snprintf(words, sizeof words, " fill=\"none\" stroke=\"%s\" stroke-width=\"%d\"", colour,
             width);
    return drawing_count(page, words);
}

TEST(claims_with_all)
{
    fill_claims(3, 3.25, 0.54);
    draw_claims(3, PLOT_DEVICES);
    assert_int_equal(hollow_squares(), 3 + 1);
    for (int k = 0; k < PLOT_DEVICES; k++) {
        assert_int_equal(marks(colours[k]), 3 + 1);
        assert_int_equal(lines(colours[k], 1), 3);
        assert_int_equal(lines(colours[k], 2), 3 + 1);
    }
    assert_int_equal(count_of("%s", "fill=\"#dee2e6\""), 3 + 1);
    assert_int_equal(count_of("%s", "stroke-width=\"1.5\""), 3);
    assert_int_equal(count_of(">%s<", "1"), 2);
    assert_int_equal(count_of(">%s<", "5"), 2);
    assert_int_equal(count_of("%s", "<script"), 0);
    assert_int_equal(count_of(">%s<", "&#60;script&#62;alert(1)&#60;/script&#62;"), 1);
    assert_non_null(strstr(page, " claim 2 of all: paper 3.25, llvmpipe (LLVM 15.0.6, 256 bits) "
                                 "0.54 (0.486 to 0.594), &#60;script&#62;"));
}

/* A square at 4 and a mark at 1/4 are as far from the line at 1, to the right and to the left. */
TEST(claims_to_scale)
{
    double now[2], corner[40], one, square, other;
    fill_claims(1, 4.0, 0.25);
    draw_claims(1, 1);
    mark_of(colours[0], 1, now, corner);
    const char *at = strstr(page, "stroke-width=\"1.5\"");
    while (strncmp(at, "<polyline", 9) != 0)
        at--;
    assert_int_equal(sscanf(at, "<polyline points=\" %lf", &one), 1);
    at = strstr(page, " fill=\"none\" stroke=\"#1d6fa5\" stroke-width=\"1\"");
    while (strncmp(at, "<polyline", 9) != 0)
        at--;
    assert_int_equal(sscanf(at, "<polyline points=\" %lf,%lf %lf", &square, &other, &other), 3);
    assert_true(fabs(square + other - 2 * one) < 0.1 && square - one > 100);
    assert_true(fabs(other - now[0]) < 0.1);
}

TEST(claims_without_figures)
{
    fill_claims(4, NAN, 2.0);
    claims[1].then = 2.0;
    claims[1].now[0].value = claims[2].now[0].value = NAN;
    claims[3].now[0].low = NAN;
    draw_claims(4, 1);
    assert_int_equal(hollow_squares(), 1 + 1);
    assert_int_equal(marks(colours[0]), 2 + 1);
    assert_int_equal(lines(colours[0], 1), 0);
    assert_int_equal(lines(colours[0], 2), 1 + 1);
    assert_int_equal(count_of("%s", ">no figure yet<"), 1);
    assert_int_equal(count_of("%s", " claim 2 of all: no figure yet."), 1);
    draw_claims(2, 0);
    draw_claims(0, PLOT_DEVICES);
    assert_int_equal(count_of("%s", "There is no figure to draw yet."), 2);
}

/* Ratios that are far from 1 widen the ruler, or are arrows at its ends. */
TEST(claims_far_away)
{
    static const double values[] = {0.0, -1.0, 1e-30, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e30, INFINITY};
    for (int i = 0; i < COUNT(values) * COUNT(values); i++) {
        const double a = values[i % COUNT(values)], b = values[i / COUNT(values)];
        fill_claims(1, a, b);
        draw_claims(1, 2);
        assert_int_equal(count_of("%s", " fill=\"#1d6fa5\" stroke=\"#1d6fa5\""),
                         b < 1e-3 || b > 1e3);
    }
}

/* Names as long as they may be are above their rows, and the description ends with a sentence. */
TEST(claims_with_long_names)
{
    fill_claims(CLAIMS, 1.5, 1.0);
    for (int i = 0; i < CLAIMS; i++)
        for (int k = 0; k < (int)sizeof claims[i].name - 1; k++)
            claims[i].name[k] = i % 2 == 1 ? 'W' : "some words "[k % 11];
    draw_claims(CLAIMS, PLOT_DEVICES);
    assert_int_equal(hollow_squares(), CLAIMS + 1);
    const char *end = strstr(page, "</desc>");
    assert_true(strncmp(end - 6, " more.", 6) == 0);
}
