/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/svg.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/io/output.h"
#include "tools/cmd/output/picture.h"

/* ---- Texts ---- */

/* Prints the arguments after `format` into an array. */
#define PRINT(text, format)                          \
    do {                                             \
        va_list list;                                \
        va_start(list, format);                      \
        vsnprintf(text, sizeof(text), format, list); \
        va_end(list);                                \
    } while (0)

/* Markup is escaped; a control character, which XML forbids, becomes a blank. */
static void put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("&<>\"", *text) != NULL)
            fprintf(out, "&#%d;", *text);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

void svg_text(struct svg *svg, double x, double y, int size, enum svg_anchor anchor,
              const char *format, ...)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    char text[256];
    PRINT(text, format);
    fprintf(svg->body, "<text x=\"%.5g\" y=\"%.5g\" font-size=\"%d\" text-anchor=\"%s\">", x, y,
            size, anchors[anchor]);
    put_text(svg->body, text);
    fputs("</text>\n", svg->body);
}

/* A title that may be wider than the page is squeezed. */
void svg_title(struct svg *svg, const char *format, ...)
{
    enum { BOLD = 8, FOOT = 18 };
    PRINT(svg->title, format);
    fprintf(svg->body, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\"", SVG_MARGIN, FOOT);
    if (BOLD * strlen(svg->title) > SVG_INSIDE)
        fprintf(svg->body, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", SVG_INSIDE);
    fputc('>', svg->body);
    put_text(svg->body, svg->title);
    fputs("</text>\n", svg->body);
    svg->height = FOOT + SVG_MARGIN;
}

void svg_describe(struct svg *svg, const char *format, ...)
{
    const size_t used = strlen(svg->description);
    va_list list;
    va_start(list, format);
    vsnprintf(svg->description + used, sizeof svg->description - used, format, list);
    va_end(list);
}

/* ---- Shapes ---- */

enum qp_status svg_begin(struct svg *svg)
{
    *svg = (struct svg){0};
    svg->body = open_memstream(&svg->text, &svg->length);
    return svg->body != NULL ? QP_OK : qp_fail(QP_NO_MEMORY, "no memory for a drawing");
}

static void put_paint(FILE *out, struct svg_paint paint)
{
    fprintf(out, " fill=\"%s\" stroke=\"%s\" stroke-width=\"%.5g\" stroke-dasharray=\"%s\"/>\n",
            paint.fill != NULL ? paint.fill : "none", paint.stroke != NULL ? paint.stroke : "none",
            paint.width > 0.0 ? paint.width : 1.0, paint.dash != NULL ? paint.dash : "none");
}

void svg_rectangle(struct svg *svg, double x, double y, double width, double height,
                   struct svg_paint paint)
{
    fprintf(svg->body, "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"", x, y, width,
            height);
    put_paint(svg->body, paint);
}

void svg_curve(struct svg *svg, const double *points, int count, struct svg_paint paint)
{
    fputs("<polyline points=\"", svg->body);
    for (int i = 0; i < count; i++)
        fprintf(svg->body, " %.5g,%.5g", points[2 * i], points[2 * i + 1]);
    fputc('"', svg->body);
    put_paint(svg->body, paint);
}

void svg_line(struct svg *svg, double x0, double y0, double x1, double y1, struct svg_paint paint)
{
    svg_curve(svg, (const double[]){x0, y0, x1, y1}, 2, paint);
}

void svg_arrow(struct svg *svg, double x0, double y0, double x1, double y1, const char *colour)
{
    const double part = 5.0 / fmax(hypot(x1 - x0, y1 - y0), 1e-9); /* length of the head */
    const double x = part * (x1 - x0), y = part * (y1 - y0);
    svg_curve(svg,
              (const double[]){x0, y0, x1, y1, x1 - x + y / 2, y1 - y - x / 2, x1 - x - y / 2,
                               y1 - y + x / 2, x1, y1},
              5, (struct svg_paint){.fill = colour, .stroke = colour, .width = 1.5});
}

/* A path for each colour, in cells: neighbours of a line are one rectangle. */
static void put_paint_of(FILE *out, const struct svg_raster *r, int paint)
{
    bool begun = false;
    for (int line = 0; line < r->lines; line++) {
        for (int first = 0, end; first < r->columns; first = end + 1) {
            for (end = first; end < r->columns && r->paint_at(r->user, end, line) == paint; end++)
                continue;
            if (end == first)
                continue;
            if (!begun)
                fprintf(out, "<path fill=\"%s\" d=\"", r->paints[paint]);
            begun = true;
            fprintf(out, "M%d %dh%dv1h%dz", first, line, end - first, first - end);
        }
    }
    if (begun)
        fputs("\"/>\n", out);
}

static void put_grid(FILE *out, const struct svg_raster *r)
{
    fputs("<path stroke=\"#fff\" d=\"", out);
    for (int i = 0; r->every[0] > 0 && i <= r->columns; i += r->every[0])
        fprintf(out, "M%.5g %.5gv%.5g", r->x + i * r->width, r->y, r->lines * r->height);
    for (int i = 0; r->every[1] > 0 && i <= r->lines; i += r->every[1])
        fprintf(out, "M%.5g %.5gh%.5g", r->x, r->y + i * r->height, r->columns * r->width);
    fputs("\"/>\n", out);
}

void svg_draw_raster(struct svg *svg, const struct svg_raster *r)
{
    fprintf(svg->body,
            "<svg x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" viewBox=\"0 0 %d %d\" "
            "preserveAspectRatio=\"none\" shape-rendering=\"crispEdges\">\n",
            r->x, r->y, r->columns * r->width, r->lines * r->height, r->columns, r->lines);
    for (int paint = 0; paint < r->count; paint++)
        put_paint_of(svg->body, r, paint);
    fputs("</svg>\n", svg->body);
    if (r->every[0] > 0 || r->every[1] > 0)
        put_grid(svg->body, r);
}

struct svg_raster svg_squares(int columns, int lines, double side, const char *const *paints,
                              int count, int (*paint_at)(const void *, int, int), const void *user)
{
    return (struct svg_raster){0,      0,     side, side,     columns, lines,
                               paints, count, {0},  paint_at, user};
}

double svg_side(int columns, int in_line, double widest)
{
    return fmin(widest, ((double)(SVG_INSIDE + SVG_GAP) / in_line - SVG_GAP) / columns);
}

void svg_panel(struct svg *svg, struct svg_raster raster, int number, int in_line,
               const char *format, ...)
{
    char text[256];
    PRINT(text, format);
    if (number % in_line == 0)
        svg->top = svg->height;
    raster.x = SVG_MARGIN + number % in_line * (double)(SVG_INSIDE + SVG_GAP) / in_line;
    raster.y = svg->top + SVG_LINE;
    svg_text(svg, raster.x, svg->top + SVG_TEXT, SVG_SMALL, SVG_START, "%s", text);
    svg_draw_raster(svg, &raster);
    svg->height = fmax(svg->height, raster.y + raster.lines * raster.height + SVG_GAP);
}

void svg_legend(struct svg *svg, double x, double y, const char *fill, const char *format, ...)
{
    enum { SIDE = 10, NEXT = 15 };
    char text[256];
    PRINT(text, format);
    svg_rectangle(svg, x, y - SIDE + 1, SIDE, SIDE, (struct svg_paint){.fill = fill});
    svg_text(svg, x + NEXT, y, SVG_TEXT, SVG_START, "%s", text);
}

/* ---- Axes ---- */

enum { RIGHT = SVG_WIDTH - 24, TALL = 220, LABEL = 20 };

double svg_across(double share)
{
    return SVG_LEFT + (RIGHT - SVG_LEFT) * share;
}

double svg_up(const struct svg_axes *axes, double value)
{
    return axes->foot - TALL * fmin(value / axes->most, 1.0);
}

/* The least of 1, 2 and 5 times a power of ten of which the most has six at the most. */
static double tick_of(double most)
{
    double tick = pow(10.0, floor(log10(most / 6.0)));
    for (int i = 0; most / tick > 6.0; i++)
        tick *= i % 3 == 1 ? 2.5 : 2.0;
    return tick;
}

struct svg_axes svg_draw_axes(struct svg *svg, double most, const char *names)
{
    const struct svg_paint line = {.stroke = "#ced4da"};
    const double tick = tick_of(most);
    const struct svg_axes axes = {svg->height + SVG_MARGIN + TALL, tick * ceil(most / tick)};
    for (double at = 0.0; at < axes.most + tick / 2; at += tick) {
        svg_line(svg, SVG_LEFT, svg_up(&axes, at), RIGHT, svg_up(&axes, at), line);
        svg_text(svg, SVG_LEFT - 4, svg_up(&axes, at) + 4, SVG_SMALL, SVG_END, "%g", at);
    }
    for (int share = 0; share <= 4; share++)
        svg_text(svg, svg_across(share / 4.0), axes.foot + LABEL - 4, SVG_SMALL, SVG_MIDDLE,
                 "%d %%", 25 * share);
    svg_text(svg, svg_across(0.5), axes.foot + 2 * LABEL - 4, SVG_TEXT, SVG_MIDDLE, "%s", names);
    svg->height = axes.foot + 2 * LABEL + SVG_MARGIN;
    return axes;
}

/* ---- Colours ---- */

const char *const *svg_colours(void)
{
    static char texts[SVG_COLOURS][8];
    static const char *colours[SVG_COLOURS + 1];
    for (int i = 0; i < SVG_COLOURS; i++) {
        snprintf(texts[i], sizeof texts[i], "#%06x",
                 picture_colour(i, 0, SVG_COLOURS - 1) & 0xffffff);
        colours[i] = texts[i];
    }
    colours[SVG_COLOURS] = "#ced4da";
    return colours;
}

int svg_step(double value, double low, double high)
{
    const double place = high > low ? (value - low) / (high - low) : 0.5;
    if (!isfinite(value))
        return SVG_COLOURS;
    return place >= 1.0 ? SVG_COLOURS - 1 : place > 0.0 ? (int)(SVG_COLOURS * place) : 0;
}

static int step_of_column(const void *user, int column, int line)
{
    (void)user, (void)line;
    return column;
}

void svg_scale(struct svg *svg, double low, double high)
{
    enum { HEIGHT = 10 };
    struct svg_raster bar = svg_squares(SVG_COLOURS, 1, (double)SVG_INSIDE / SVG_COLOURS,
                                        svg_colours(), SVG_COLOURS, step_of_column, NULL);
    bar.x = SVG_MARGIN, bar.y = svg->height, bar.height = HEIGHT;
    svg_draw_raster(svg, &bar);
    svg->height += HEIGHT + SVG_TEXT;
    svg_text(svg, SVG_MARGIN, svg->height, SVG_TEXT, SVG_START, "%.3g", low);
    svg_text(svg, SVG_MARGIN + SVG_INSIDE, svg->height, SVG_TEXT, SVG_END, "%.3g", high);
    svg->height += SVG_MARGIN;
}

/* ---- The file ---- */

enum qp_status svg_check_name(const char *path)
{
    const char *end = path != NULL ? strrchr(path, '.') : NULL;
    if (path == NULL || strcmp(path, "-") == 0 || (end != NULL && strcmp(end, ".svg") == 0))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s: drawings are SVG; name it so that it ends with .svg", path);
}

static void put_file(const struct svg *svg, FILE *out)
{
    const int height = (int)ceil(svg->height);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t d\"\n"
            "  font-family=\"sans-serif\" font-size=\"%d\">\n<title id=\"t\">",
            SVG_WIDTH, height, SVG_WIDTH, height, SVG_TEXT);
    put_text(out, svg->title);
    fputs("</title>\n<desc id=\"d\">", out);
    put_text(out, svg->description);
    fprintf(out, "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n%s</svg>\n", SVG_WIDTH,
            height, svg->text);
}

enum qp_status svg_end(struct svg *svg, enum qp_status status, const char *path)
{
    struct qp_output output;
    const bool gathered = svg->body == NULL || fclose(svg->body) == 0;
    if (status == QP_OK && !gathered)
        status = qp_fail(QP_NO_MEMORY, "no memory for a drawing");
    if (status == QP_OK) {
        const bool opened = qp_output_open(&output, path);
        if (opened)
            put_file(svg, output.file);
        status = qp_output_close(&output, opened ? NULL : strerror(errno));
    }
    free(svg->text);
    *svg = (struct svg){0};
    return status;
}
