/* SPDX-License-Identifier: MIT */
/* Bars of a sheet: label, value, and perhaps note and group. The axis is logarithmic where values
 * are further apart than a factor. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/draw/draw.h"

enum { GROUPS = 4, FACTOR = 50, BAR = 14, NEXT = 38 };
#define LEAST 1e-30 /* values: axes end at powers of ten, which are to be numbers */
#define MOST  1e30

struct bars {
    struct draw_sheet sheet;
    double value[DRAW_LINES];
    const char *group[GROUPS];
    int groups, group_of[DRAW_LINES];
    struct svg_ruler ruler;
};

static const char *cell(const struct bars *bars, int line, const char *head)
{
    const char *text = draw_sheet_cell(&bars->sheet, line, head);
    return text != NULL ? text : "";
}

static enum qp_status read_values(struct bars *bars)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < bars->sheet.lines; i++) {
        char *end;
        const char *text = cell(bars, i, "value"), *group = cell(bars, i, "group");
        const double value = bars->value[i] = strtod(text, &end);
        int k = 0;
        while (k < bars->groups && strcmp(bars->group[k], group) != 0)
            k++;
        const bool drawn = value == 0.0 || (value >= LEAST && value <= MOST);
        if (end == text || *end != '\0' || !drawn || k == GROUPS)
            return qp_fail(QP_BAD_INPUT,
                           "%s:%d: a value is 0 or a number from %g to %g, not '%s', in one of %d "
                           "groups",
                           bars->sheet.name, draw_sheet_line(&bars->sheet, i), LEAST, MOST, text,
                           GROUPS);
        bars->group[k] = group;
        bars->groups += k == bars->groups;
        bars->group_of[i] = k;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (least > 0.0 && most > FACTOR * least)
        bars->ruler = (struct svg_ruler){.low = pow(10.0, floor(log10(least) - 0.1)),
                                         .high = pow(10.0, ceil(log10(most))),
                                         .logarithmic = true};
    else
        bars->ruler.high = most;
    return QP_OK;
}

static void paint_bar(struct svg *svg, int group, double x, double y, double width)
{
    static const char *const paints[GROUPS] = {"#1d6fa5", "#f2a65a", "#ced4da", "#84c5a9"};
    svg_rectangle(svg, x, y, width, BAR, (struct svg_paint){paints[group], "#495057", 1, NULL});
    if (group % 2 == 1)
        svg_stripes(svg, x, y, width, BAR);
}

static void draw_bar(struct svg *svg, const struct bars *bars, int line)
{
    enum { NUMBER = 56 };
    const double y = svg->height, end = svg_along(&bars->ruler, bars->value[line]);
    const bool inside = end > SVG_WIDTH - NUMBER;
    svg_text(svg, SVG_MARGIN, y + 12, SVG_TEXT, SVG_START, "%s", cell(bars, line, "label"));
    svg_text(svg, SVG_WIDTH - SVG_MARGIN, y + 12, SVG_SMALL, SVG_END, "%s",
             cell(bars, line, "note"));
    paint_bar(svg, bars->group_of[line], SVG_MARGIN, y + 17, end - SVG_MARGIN);
    if (inside)
        svg_rectangle(svg, end - NUMBER, y + 18, NUMBER - 2, BAR - 2,
                      (struct svg_paint){.fill = "#fff"});
    svg_text(svg, inside ? end - 5 : end + 4, y + 28, SVG_TEXT, inside ? SVG_END : SVG_START,
             "%.3g", bars->value[line]);
    svg_describe(svg, "%s %s %.3g", line > 0 ? ";" : "", cell(bars, line, "label"),
                 bars->value[line]);
    svg->height += NEXT;
}

enum qp_status draw_bars(struct drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    struct bars bars = {.groups = 0};
    enum qp_status status = draw_sheet_read(drawing, "label", "value", &bars.sheet);
    if (status == QP_OK)
        status = read_values(&bars);
    if (status == QP_OK) {
        svg_title(svg, "%s", bars.sheet.title);
        for (int k = 0; k < bars.groups && bars.groups > 1; k++) {
            paint_bar(svg, k, SVG_MARGIN, svg->height, 24);
            svg_text(svg, SVG_MARGIN + 30, svg->height + 11, SVG_TEXT, SVG_START, "%s",
                     bars.group[k]);
            svg->height += BAR + 4;
        }
        svg_draw_ruler(svg, &bars.ruler, svg->height, svg->height + (double)NEXT * bars.sheet.lines,
                       true);
        svg_describe(svg, "Bars on a %s axis:", bars.ruler.logarithmic ? "logarithmic" : "linear");
        for (int i = 0; i < bars.sheet.lines; i++)
            draw_bar(svg, &bars, i);
        svg->height += SVG_LINE;
        svg_note(svg, bars.ruler.logarithmic ? "logarithmic: each line is ten times the one before"
                                             : "linear, from 0");
    }
    free(bars.sheet.text);
    return status;
}
