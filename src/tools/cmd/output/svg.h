/* SPDX-License-Identifier: MIT */
/* Drawings as SVG. Shapes gather in memory; svg_end writes the file, whole or not at all. Lengths
 * are pixels, x to the right and y downwards, on a white page as wide as a narrow phone, where
 * letters are no smaller than here. */
#ifndef QP_CMD_OUTPUT_SVG_H
#define QP_CMD_OUTPUT_SVG_H

#include <stdio.h>

#include <quadpass/status.h>

enum {
    SVG_WIDTH = 360,
    SVG_TEXT = 12,  /* height of a letter */
    SVG_SMALL = 11, /* least height of a letter */
    SVG_LINE = 16,  /* distance of lines */
    SVG_MARGIN = 8, /* around everything */
    SVG_INSIDE = SVG_WIDTH - 2 * SVG_MARGIN
};

struct svg {
    double height; /* height of the page so far, where the next thing goes */
    char title[160];
    char description[2000]; /* the drawing in words and numbers, for those who do not see it */
    FILE *body;             /* the shapes so far: svg.c's own */
    char *text;
    size_t length;
    double top; /* top of a line of panels */
};

/* Colours such as "#335c81"; NULL: none. */
struct svg_paint {
    const char *fill, *stroke;
    double width;     /* width of the stroke; 0: 1 */
    const char *dash; /* such as "4 3"; NULL: a whole line */
};

/* Equal rectangles in columns and lines, each in one of several colours. */
struct svg_raster {
    double x, y, width, height; /* its corner; and a rectangle's sides */
    int columns, lines;
    const char *const *paints;
    int count;    /* number of paints */
    int every[2]; /* columns and lines between white ones; 0: none */
    int (*paint_at)(const void *user, int column, int line); /* its number; below 0: nothing */
    const void *user;
};

/* A panel of squares, `side` each way, with no place yet. */
struct svg_raster svg_squares(int columns, int lines, double side, const char *const *paints,
                              int count, int (*paint_at)(const void *, int, int), const void *user);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* QP_BAD_USE unless the name is "-" or ends with .svg. NULL is no drawing. */
enum qp_status svg_check_name(const char *path);

/* Begins a drawing. QP_NO_MEMORY; end it in any case. */
enum qp_status svg_begin(struct svg *svg);

/* The title, also as the page's heading; and a sentence more of the description. */
__attribute__((format(printf, 2, 3))) void svg_title(struct svg *svg, const char *format, ...);
__attribute__((format(printf, 2, 3))) void svg_describe(struct svg *svg, const char *format, ...);

/* Text of letters `size` high, whose foot is at y; markup in it is escaped. */
__attribute__((format(printf, 6, 7))) void svg_text(struct svg *svg, double x, double y, int size,
                                                    enum svg_anchor anchor, const char *format,
                                                    ...);

/* Shapes: a curve goes through `count` points, x and y in turn. */
void svg_rectangle(struct svg *svg, double x, double y, double width, double height,
                   struct svg_paint paint);
void svg_curve(struct svg *svg, const double *points, int count, struct svg_paint paint);
void svg_line(struct svg *svg, double x0, double y0, double x1, double y1, struct svg_paint paint);
void svg_arrow(struct svg *svg, double x0, double y0, double x1, double y1, const char *colour);
void svg_draw_raster(struct svg *svg, const struct svg_raster *raster);

/* Raster `number` of many, `in_line` of them beside each other, whose corner is found: below a
 * caption. And the side of square cells that let as many columns fit there, `widest` at most. */
enum { SVG_GAP = 8 };
double svg_side(int columns, int in_line, double widest);
__attribute__((format(printf, 5, 6))) void svg_panel(struct svg *svg, struct svg_raster raster,
                                                     int number, int in_line, const char *format,
                                                     ...);

/* An entry of a legend: a square of this colour and a text to its right, whose foot is at y. */
__attribute__((format(printf, 5, 6))) void svg_legend(struct svg *svg, double x, double y,
                                                      const char *fill, const char *format, ...);

/* Axes below what is there: shares of a whole from left to right, 0 to `most` or a little more from
 * `foot` upwards. `names` says below them what they are. Places of a share and of a value. */
enum { SVG_LEFT = 40 /* where the share is 0 */ };
struct svg_axes {
    double foot, most;
};
struct svg_axes svg_draw_axes(struct svg *svg, double most, const char *names);
double svg_across(double share);
double svg_up(const struct svg_axes *axes, double value);

/* The colour scale of pictures (picture.h) in SVG_COLOURS steps, as a raster's paints, and grey
 * after them for what is no number; the step of a value; and a bar of them from one margin to the
 * other, below what is there, with both ends. */
enum { SVG_COLOURS = 32 };
const char *const *svg_colours(void);
int svg_step(double value, double low, double high);
void svg_scale(struct svg *svg, double low, double high);

/* Writes the file ("-" for standard output) unless `status` is an error, frees the drawing and
 * returns that error or its own, after which there is no file: QP_BAD_INPUT with the system's
 * reason, QP_NO_MEMORY. */
enum qp_status svg_end(struct svg *svg, enum qp_status status, const char *path);

#endif
