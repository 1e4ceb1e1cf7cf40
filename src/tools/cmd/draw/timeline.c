/* SPDX-License-Identifier: MIT */
/* Time line of a sheet, drawn to scale from left to right, a line for each entry: year, which is
 * 2004, 2004.9 or a span 2006-2010, and what. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/draw/draw.h"

enum {
    LEFT = 12,
    RIGHT = SVG_WIDTH - 14,
    LINE = 14,
    NEXT = 2,
    APART = 6,
    BAR = 9,
    MARK = 4,
    SHORT = 10 /* years, of which each has a number; of more every fifth */
};

struct event {
    double from, to; /* years; equal: a moment */
    char what[256];  /* with its years */
};

struct line {
    struct svg *svg;
    struct event event[DRAW_LINES];
    int events, spans;
    double first, last; /* years; whole ones around all entries */
};

/* Height of words in lines of this width. */
static double height_of(struct svg *svg, double width, const char *words)
{
    const double top = svg->height;
    svg_words(svg, 0.0, width, SVG_NOWHERE, SVG_SMALL, words);
    const double height = svg->height - top;
    svg->height = top;
    return height;
}

static double place_of(const struct line *line, double year)
{
    return LEFT + (RIGHT - LEFT) * (year - line->first) / (line->last - line->first);
}

static enum qp_status read_event(struct line *line, const struct draw_sheet *sheet, int number)
{
    const char *year = draw_sheet_cell(sheet, number, "year");
    struct event *event = &line->event[number];
    char *end;
    *event = (struct event){.from = strtod(year, &end)};
    event->to = *end == '-' ? strtod(end + 1, &end) : event->from;
    if (*end != '\0' || !(event->from > 1900.0) || !(event->to >= event->from) ||
        !(event->to <= 2100.0))
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
    line->spans += event->to > event->from;
    line->first = fmin(line->first, floor(event->from));
    line->last = fmax(line->last, fmax(ceil(event->to), line->first + 1.0));
    return QP_OK;
}

/* Lines of years behind what is drawn next, so high; or, with 0, their numbers. */
static void draw_years(const struct line *line, double height)
{
    for (double year = line->first; year <= line->last; year++) {
        const double x = place_of(line, year), y = line->svg->height;
        if (line->last - line->first > SHORT && fmod(year, 5.0) != 0.0)
            continue;
        if (height > 0.0)
            svg_line(line->svg, x, y, x, y + height, (struct svg_paint){.stroke = "#ced4da"});
        else
            svg_text(line->svg, x, y + LINE - 2, SVG_SMALL, SVG_MIDDLE, "%.0f", year);
    }
    line->svg->height += height > 0.0 ? 0.0 : LINE + 2;
}

/* A span's words are above its bar, which has an arrow where it goes on to the end of all. */
static void draw_span(const struct line *line, const struct event *event)
{
    enum { HEAD = 6, WIDE = RIGHT - LEFT };
    struct svg *svg = line->svg;
    const double from = place_of(line, event->from), to = place_of(line, event->to);
    const double wide = fmin(WIDE, svg_text_width(event->what, SVG_SMALL));
    const double y = svg->height + height_of(svg, WIDE, event->what);
    const bool goes_on = event->to >= line->last;
    const struct svg_paint paint = {goes_on ? "#f2a65a" : "#1d6fa5", "#212529", 1, NULL};
    draw_years(line, y - svg->height + BAR + APART);
    svg_words(svg, fmax(LEFT, fmin(from, RIGHT - wide)), WIDE, SVG_START, SVG_SMALL, event->what);
    svg_rectangle(svg, from, y, to - from, BAR, paint);
    if (goes_on)
        svg_curve(svg,
                  (const double[]){to, y - 3, to + HEAD, y + BAR / 2.0, to, y + BAR + 3, to, y - 3},
                  4, paint);
    svg->height = y + BAR + APART;
}

/* A moment's words are beside its mark, where there is more room. */
static void draw_moment(const struct line *line, const struct event *event)
{
    struct svg *svg = line->svg;
    const double x = place_of(line, event->from), y = svg->height + LINE / 2.0;
    const bool right = RIGHT - x >= x - LEFT;
    const double wide = (right ? RIGHT - x : x - LEFT) - 2 * MARK;
    draw_years(line, height_of(svg, wide, event->what) + NEXT);
    svg_curve(svg,
              (const double[]){x - MARK, y, x, y - MARK, x + MARK, y, x, y + MARK, x - MARK, y}, 5,
              (struct svg_paint){.fill = "#c92a2a"});
    svg_words(svg, right ? x + 2 * MARK : x - 2 * MARK, wide, right ? SVG_START : SVG_END,
              SVG_SMALL, event->what);
    svg->height += NEXT;
}

static int compare(const void *a, const void *b)
{
    const struct event *one = a, *other = b;
    return one->from != other->from ? (one->from > other->from) - (one->from < other->from)
                                    : (one->to > other->to) - (one->to < other->to);
}

static void draw_line(struct line *line)
{
    qsort(line->event, (size_t)line->events, sizeof line->event[0], compare);
    draw_years(line, 0.0);
    for (const struct event *e = line->event; e < line->event + line->events; e++)
        (e->to > e->from ? draw_span : draw_moment)(line, e);
    draw_years(line, 0.0);
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
        draw_line(&line);
        svg_describe(svg, "%d entries to scale; first: %.80s; last: %.80s.%s", line.events,
                     line.event[0].what, line.event[line.events - 1].what,
                     line.spans > 0 ? " Spans are bars; those with an arrow go on." : "");
    }
    free(sheet.text);
    return status;
}
