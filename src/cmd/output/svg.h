/* SPDX-License-Identifier: MIT */
/* Drawings as SVG. Shapes gather in memory; svg_end writes the file, whole or not at all. Lengths
 * are pixels, x to the right and y downwards, on a white page of SVG_WIDTH, which a narrow phone
 * shows as it is: so no letter is smaller there than here. Numbers have at most two decimals and a
 * point in all locales, and the same drawing has the same bytes on all machines. */
#ifndef QP_CMD_OUTPUT_SVG_H
#define QP_CMD_OUTPUT_SVG_H

#include <stdio.h>

#include <quadpass/status.h>

enum {
    SVG_WIDTH = 360,
    SVG_TEXT = 12,    /* height of a letter; */
    SVG_SMALL = 11,   /* the least that is allowed, */
    SVG_ADVANCE = 6,  /* its width, about, */
    SVG_LINE = 16,    /* and from one line of text to the next */
    SVG_MARGIN = 8,   /* around everything */
    SVG_HEADING = 30, /* top of what is below the heading */
};

struct svg {
    double height; /* of the page: set it before svg_end */
    char title[160];
    char description[2000]; /* what is seen, with numbers, for those who do not see it */
    FILE *body;             /* the shapes so far: svg.c's own */
    char *text;
    size_t length;
};

/* Colours such as "#335c81" or "none"; NULL: none. */
struct svg_paint {
    const char *fill, *stroke;
    double width;     /* of the stroke; 0: 1 */
    const char *dash; /* such as "4 3"; NULL: a whole line */
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Begins a drawing. QP_NO_MEMORY; end it in any case. */
enum qp_status svg_begin(struct svg *svg);

void svg_rectangle(struct svg *svg, double x, double y, double width, double height,
                   struct svg_paint paint);
void svg_line(struct svg *svg, double x0, double y0, double x1, double y1, struct svg_paint paint);
void svg_dot(struct svg *svg, double x, double y, double radius, struct svg_paint paint);

/* A curve through `count` points: x and y in turn. */
void svg_curve(struct svg *svg, const double *points, int count, struct svg_paint paint);

/* Rectangles of one colour, many in few bytes: begin, each, end. */
void svg_cells_begin(struct svg *svg, const char *fill);
void svg_cell(struct svg *svg, double x, double y, double width, double height);
void svg_cells_end(struct svg *svg);

/* A line of text, of letters `size` high, whose foot is at y. Markup in it is escaped. */
__attribute__((format(printf, 6, 7))) void svg_text(struct svg *svg, double x, double y, int size,
                                                    enum svg_anchor anchor, const char *format,
                                                    ...);

/* The heading of the page; and an entry of a legend, a square of the paint and a text to its right,
 * in a line whose foot is at y. */
__attribute__((format(printf, 2, 3))) void svg_heading(struct svg *svg, const char *format, ...);
__attribute__((format(printf, 5, 6))) void
svg_legend(struct svg *svg, double x, double y, struct svg_paint paint, const char *format, ...);

/* An arrow from one point to the other, its head at the latter. */
void svg_arrow(struct svg *svg, double x0, double y0, double x1, double y1, const char *colour);

/* A bar of the colour scale of pictures (picture.h) from `low` to `high`, with both numbers. */
void svg_scale(struct svg *svg, double x, double y, double width, double low, double high);

/* "#rrggbb" of a value on the colour scale of pictures; valid until the eighth call from here. */
const char *svg_colour(double value, double low, double high);

/* Adds a sentence to the description; what has no room is left out. */
__attribute__((format(printf, 2, 3))) void svg_describe(struct svg *svg, const char *format, ...);

/* Writes the file ("-" for standard output) unless `status` is an error, frees the drawing and
 * returns that error or its own, after which there is no file: QP_BAD_INPUT with the system's
 * reason, QP_NO_MEMORY. */
enum qp_status svg_end(struct svg *svg, enum qp_status status, const char *path);

#endif
