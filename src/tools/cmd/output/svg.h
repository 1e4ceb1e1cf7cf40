/* SPDX-License-Identifier: MIT */
/* Drawings as SVG. Shapes gather in memory; svg_end writes the file, whole or not at all. Lengths
 * are pixels, x to the right and y downwards, on a white page as wide as a narrow phone, where
 * letters are no smaller than here. */
#ifndef QP_CMD_OUTPUT_SVG_H
#define QP_CMD_OUTPUT_SVG_H

#include <stdbool.h>
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
    int across;    /* pixels that the page is shown in from left to right; 0: SVG_WIDTH */
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
    int count;        /* number of paints */
    int every[2];     /* columns and lines between thin ones; 0: none */
    const char *grid; /* the colour of those; NULL: white */
    int (*paint_at)(const void *user, int column, int line); /* its number; below 0: nothing */
    const void *user;
};

/* A panel of squares, `side` each way, with no place yet. */
struct svg_raster svg_squares(int columns, int lines, double side, const char *const *paints,
                              int count, int (*paint_at)(const void *, int, int), const void *user);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END, SVG_NOWHERE /* svg_words measures */ };

/* QP_BAD_USE unless the name is "-" or ends with .svg. NULL is no drawing. */
enum qp_status svg_check_name(const char *path);

/* Begins a drawing. QP_NO_MEMORY; end it in any case. */
enum qp_status svg_begin(struct svg *svg);

/* The title, also as the page's heading; and a sentence more of the description. */
__attribute__((format(printf, 2, 3))) void svg_title(struct svg *svg, const char *format, ...);
__attribute__((format(printf, 2, 3))) void svg_describe(struct svg *svg, const char *format, ...);

/* Text with its markup escaped; a control character, which XML forbids, becomes a blank. */
void svg_put_text(FILE *out, const char *text);

/* Text of letters `size` high, whose foot is at y; markup in it is escaped. */
__attribute__((format(printf, 6, 7))) void svg_text(struct svg *svg, double x, double y, int size,
                                                    enum svg_anchor anchor, const char *format,
                                                    ...);

/* Width that letters `size` high need at the most, in the widest of common fonts. And a text below
 * what is there, on as many lines of this width as it takes; x is where its anchor is. */
double svg_text_width(const char *text, int size);
void svg_words(struct svg *svg, double x, double width, enum svg_anchor anchor, int size,
               const char *text);

/* A line of small letters at the margin, below what is there. */
__attribute__((format(printf, 2, 3))) void svg_note(struct svg *svg, const char *format, ...);

/* Shapes: a curve goes through `count` points, x and y in turn. */
void svg_rectangle(struct svg *svg, double x, double y, double width, double height,
                   struct svg_paint paint);
void svg_curve(struct svg *svg, const double *points, int count, struct svg_paint paint);
void svg_line(struct svg *svg, double x0, double y0, double x1, double y1, struct svg_paint paint);
void svg_arrow(struct svg *svg, double x0, double y0, double x1, double y1, const char *colour);
void svg_draw_raster(struct svg *svg, const struct svg_raster *raster);

/* Raster `number` of many, `in_line` of them beside each other, below a caption; returns it with
 * the corner that was found. And the side of square cells that let as many columns fit there,
 * `widest` at most. */
enum { SVG_GAP = 8 };
double svg_side(int columns, int in_line, double widest);
__attribute__((format(printf, 5, 6))) struct svg_raster svg_panel(struct svg *svg,
                                                                  struct svg_raster raster,
                                                                  int number, int in_line,
                                                                  const char *format, ...);

/* Slanted stripes, a sign beside a colour: on a rectangle, and on all of a raster in this paint. */
void svg_stripes(struct svg *svg, double x, double y, double width, double height);
void svg_stripe_paint(struct svg *svg, const struct svg_raster *raster, int paint);

/* A tick or a cross, 16 pixels high, its corner here. */
void svg_mark(struct svg *svg, double x, double y, bool good);

/* A number around this place, with as many decimals as it needs and `width` has room for. */
void svg_number(struct svg *svg, double x, double y, double width, double value);

/* An entry of a legend: a square of this colour and a text to its right, whose foot is at y. */
__attribute__((format(printf, 5, 6))) void svg_legend(struct svg *svg, double x, double y,
                                                      const char *fill, const char *format, ...);

/* A ruler from one margin to near the other, or between the places `from` and `to`, upwards where
 * `to` is less; and the place of a value. */
struct svg_ruler {
    double low, high; /* above 0 if it is logarithmic */
    bool logarithmic;
    double from, to; /* equal: the margins */
    double step;     /* from number to number, or the factor; 1: 1, 2, 5, 10; 0: few or 10 */
    int size;        /* height of its letters; 0: SVG_SMALL */
};
double svg_along(const struct svg_ruler *ruler, double value);

/* Widens a ruler, whose letters have a height, to round numbers with room between them, and sets
 * its step; by logarithm a step of 2 asks for powers of 2. Ends are 0, or from 1e-100 to 1e100, or
 * their negatives. Then the width of its numbers, and its lines, from one place across it to
 * another, with numbers below their ends or left of them. */
void svg_round_ruler(struct svg_ruler *ruler);
double svg_ruler_width(const struct svg_ruler *ruler);
void svg_draw_ruler(struct svg *svg, const struct svg_ruler *ruler, double from, double to,
                    bool named);

/* Axes below what is there: shares of a whole from left to right, and the ruler that is returned,
 * of 0 to `most` or a little more, upwards. `names` says below them what they are. And the place of
 * a share. */
enum { SVG_LEFT = 40 /* where the share is 0 */ };
struct svg_ruler svg_draw_axes(struct svg *svg, double most, const char *names);
double svg_across(double share);

/* The colour scale of pictures (picture.h) in SVG_COLOURS steps, as a raster's paints, and grey
 * after them for what is no number. */
enum { SVG_COLOURS = 32 };
const char *const *svg_colours(void);

/* Colours of values of both signs, and the step of a value: orange below 0, white at 0, blue above,
 * all of them light enough for black letters. */
enum { SVG_SIGNS = 33 };
const char *const *svg_signs(void);
int svg_sign(double value, double most);

/* Cells in these colours with their numbers, where there is room; those that hold no number are
 * grey and striped. */
struct svg_cells {
    const double *value; /* line after line from the top */
    int columns, lines;
    int apart;         /* values from one line to the next */
    double most, unit; /* end of the colours' scale; of the numbers, 0: 1 */
};
void svg_draw_cells(struct svg *svg, const struct svg_cells *cells, double x, double y,
                    double width, double height);

/* A bar of these colours from one margin to the other, below what is there, with both ends. */
void svg_scale(struct svg *svg, const char *const *colours, int count, double low, double high);

/* Writes the file ("-" for standard output) unless `status` is an error, frees the drawing and
 * returns that error or its own, after which there is no file: QP_BAD_INPUT with the system's
 * reason, QP_NO_MEMORY. */
enum qp_status svg_end(struct svg *svg, enum qp_status status, const char *path);

/* The same into a page of HTML that is open; `id`, unique there, begins the ids of the drawing's
 * own elements. Errors of writing are the page's to find. */
enum qp_status svg_put(struct svg *svg, enum qp_status status, FILE *out, const char *id);

#endif
