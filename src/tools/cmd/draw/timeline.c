/* SPDX-License-Identifier: MIT */
/* Time line of a sheet, drawn to scale from the top: year, which is 2004, 2004.9 or a span
 * 2006-2010, and what. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/draw/draw.h"

enum { AXIS = 40, LANES = 4, LANE = 7, LINE = 14, APART = 5, LETTERS = 46, LEAST_YEAR = 14 };

struct event {
    double from, to; /* years; equal: a moment */
    char what[256];  /* with its years */
    int lane;        /* number of a span's bar */
    double height;   /* height of its text */
};

struct line {
    struct svg *svg;
    struct event event[DRAW_LINES];
    int events, lanes;
    double first, last;       /* whole years */
    double top, pixels, text; /* top of the axis, height of a year, and where texts begin */
};

/* Draws the words in lines, or with NULL only counts; returns their height. */
static double put_words(struct svg *svg, double x, double y, const char *words)
{
    double height = 0.0;
    while (*words != '\0') {
        const int all = (int)strlen(words);
        int length = qp_least(all, LETTERS);
        while (length < all && length > LETTERS / 2 && words[length] != ' ')
            length--;
        height += LINE;
        if (svg != NULL)
            svg_text(svg, x, y + height - 3, SVG_SMALL, SVG_START, "%.*s", length, words);
        words += length;
        words += strspn(words, " ");
    }
    return height;
}

static double height_at(const struct line *line, double year)
{
    return line->top + (year - line->first) * line->pixels;
}

static enum qp_status read_event(struct line *line, const struct draw_sheet *sheet, int number)
{
    const char *year = draw_sheet_cell(sheet, number, "year");
    struct event *event = &line->event[number];
    char *end;
    *event = (struct event){.from = strtod(year, &end)};
    event->to = *end == '-' ? strtod(end + 1, &end) : event->from;
    if (*end != '\0' || !(event->from > 1900.0) || event->to < event->from || event->to > 2100.0)
        return qp_fail(QP_BAD_INPUT,
                       "%s:%d: a year is one such as 2004, 2004.9 or 2006-2010, not "
                       "'%s'",
                       sheet->name, draw_sheet_line(sheet, number), year);
    if (event->to > event->from)
        snprintf(event->what, sizeof event->what, "%d to %d: ", (int)event->from, (int)event->to);
    else
        snprintf(event->what, sizeof event->what, "%d: ", (int)event->from);
    const size_t length = strlen(event->what);
    snprintf(event->what + length, sizeof event->what - length, "%s",
             draw_sheet_cell(sheet, number, "what"));
    event->height = put_words(NULL, 0.0, 0.0, event->what) + APART;
    line->first = fmin(line->first, floor(event->from));
    line->last = fmax(line->last, floor(event->to) + 1.0);
    return QP_OK;
}

static int compare(const void *a, const void *b)
{
    const struct event *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

/* Gives spans that overlap bars of their own, and years so much room that all texts have some. */
static void arrange(struct line *line)
{
    double end[LANES] = {0}, texts = 0.0;
    qsort(line->event, (size_t)line->events, sizeof line->event[0], compare);
    for (int i = 0; i < line->events; i++) {
        struct event *event = &line->event[i];
        texts += event->height;
        while (event->to > event->from && event->lane < LANES - 1 && end[event->lane] > event->from)
            event->lane++;
        end[event->lane] = fmax(end[event->lane], event->to > event->from ? event->to : 0.0);
        line->lanes = event->to > event->from ? qp_most(line->lanes, event->lane + 1) : line->lanes;
    }
    line->pixels = fmax(LEAST_YEAR, 1.05 * texts / (line->last - line->first));
    line->text = AXIS + 22 + LANE * line->lanes;
}

/* Draws an event whose text begins at this height. */
static void draw_event(const struct line *line, const struct event *event, double at)
{
    const struct svg_paint span = {event->lane % 2 == 0 ? "#1d6fa5" : "#f2a65a", "#495057", 1,
                                   NULL};
    const bool spans = event->to > event->from;
    const double y = height_at(line, event->from), lane = AXIS + 6 + LANE * event->lane;
    const double from = spans ? lane + LANE - 2 : AXIS + 3;
    if (spans)
        svg_rectangle(line->svg, lane, y, LANE - 2, height_at(line, event->to) - y, span);
    else
        svg_rectangle(line->svg, AXIS - 3, y - 3, 6, 6, (struct svg_paint){.fill = "#c92a2a"});
    svg_curve(line->svg,
              (const double[]){from, y, line->text - 10, y, line->text - 4, at + LINE / 2.0}, 3,
              (struct svg_paint){.stroke = "#868e96"});
    put_words(line->svg, line->text, at, event->what);
}

/* Texts begin at their year, or below the text before, unless those below need the room. */
static void draw_line(struct line *line)
{
    struct svg *svg = line->svg;
    double at[DRAW_LINES], room = height_at(line, line->last);
    svg_line(svg, AXIS, line->top, AXIS, room, (struct svg_paint){.stroke = "#212529", .width = 2});
    for (double year = line->first; year <= line->last; year++) {
        const double y = height_at(line, year);
        svg_line(svg, AXIS - 4, y, AXIS, y, (struct svg_paint){.stroke = "#212529"});
        svg_text(svg, AXIS - 6, y + 4, SVG_SMALL, SVG_END, "%.0f", year);
    }
    for (int i = 0; i < line->events; i++) {
        at[i] = height_at(line, line->event[i].from) - LINE / 2.0;
        if (i > 0)
            at[i] = fmax(at[i], at[i - 1] + line->event[i - 1].height);
    }
    for (int i = line->events - 1; i >= 0; i--) {
        at[i] = room = fmin(at[i], room - line->event[i].height);
        draw_event(line, &line->event[i], at[i]);
    }
    svg->height = height_at(line, line->last) + SVG_LINE;
}

enum qp_status draw_timeline(struct drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    struct draw_sheet sheet;
    struct line line = {.svg = svg, .first = INFINITY};
    enum qp_status status = draw_sheet_read(drawing, "year", "what", &sheet);
    for (; status == QP_OK && line.events < sheet.lines; line.events++)
        status = read_event(&line, &sheet, line.events);
    if (status == QP_OK) {
        svg_title(svg, "%s", sheet.title);
        line.top = svg->height + SVG_LINE;
        arrange(&line);
        draw_line(&line);
        svg_describe(svg, "%d entries to scale; first: %.80s; last: %.80s.%s", line.events,
                     line.event[0].what, line.event[line.events - 1].what,
                     line.lanes > 0 ? " Spans are bars beside the axis." : "");
    }
    free(sheet.text);
    return status;
}
