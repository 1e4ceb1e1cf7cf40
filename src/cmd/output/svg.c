/* SPDX-License-Identifier: MIT */
#include "cmd/output/svg.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/output/picture.h"
#include "io/output.h"

/* ---- Numbers and texts ---- */

static void put_number(FILE *out, double value)
{
    const long long hundredths = llround(100.0 * value), size = llabs(hundredths);
    const int part = (int)(size % 100);
    fprintf(out, "%s%lld", hundredths < 0 ? "-" : "", size / 100);
    if (part > 0)
        fprintf(out, part % 10 > 0 ? ".%02d" : ".%d", part % 10 > 0 ? part : part / 10);
}

/* ` NAME="VALUE"`. */
static void put_length(FILE *out, const char *name, double value)
{
    fprintf(out, " %s=\"", name);
    put_number(out, value);
    fputc('"', out);
}

/* Markup is escaped; a control character, which XML forbids, becomes a blank. */
static void put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *escaped = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (escaped != NULL)
            fputs(escaped, out);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

static void put_paint(FILE *out, struct svg_paint paint)
{
    fprintf(out, " fill=\"%s\"", paint.fill != NULL ? paint.fill : "none");
    if (paint.stroke != NULL)
        fprintf(out, " stroke=\"%s\"", paint.stroke);
    if (paint.stroke != NULL && paint.width > 0.0)
        put_length(out, "stroke-width", paint.width);
    if (paint.dash != NULL)
        fprintf(out, " stroke-dasharray=\"%s\"", paint.dash);
    fputs("/>\n", out);
}

/* ---- Shapes ---- */

enum qp_status svg_begin(struct svg *svg)
{
    *svg = (struct svg){0};
    svg->body = open_memstream(&svg->text, &svg->length);
    return svg->body != NULL ? QP_OK : qp_fail(QP_NO_MEMORY, "no memory for a drawing");
}

void svg_rectangle(struct svg *svg, double x, double y, double width, double height,
                   struct svg_paint paint)
{
    fputs("<rect", svg->body);
    put_length(svg->body, "x", x);
    put_length(svg->body, "y", y);
    put_length(svg->body, "width", width);
    put_length(svg->body, "height", height);
    put_paint(svg->body, paint);
}

void svg_dot(struct svg *svg, double x, double y, double radius, struct svg_paint paint)
{
    fputs("<circle", svg->body);
    put_length(svg->body, "cx", x);
    put_length(svg->body, "cy", y);
    put_length(svg->body, "r", radius);
    put_paint(svg->body, paint);
}

void svg_curve(struct svg *svg, const double *points, int count, struct svg_paint paint)
{
    fputs("<polyline points=\"", svg->body);
    for (int i = 0; i < 2 * count; i++) {
        if (i > 0)
            fputc(i % 2 == 1 ? ',' : ' ', svg->body);
        put_number(svg->body, points[i]);
    }
    fputc('"', svg->body);
    put_paint(svg->body, paint);
}

void svg_line(struct svg *svg, double x0, double y0, double x1, double y1, struct svg_paint paint)
{
    svg_curve(svg, (const double[]){x0, y0, x1, y1}, 2, paint);
}

void svg_arrow(struct svg *svg, double x0, double y0, double x1, double y1, const char *colour)
{
    enum { HEAD = 5 };
    const double length = fmax(hypot(x1 - x0, y1 - y0), 1e-9);
    const double x = HEAD * (x1 - x0) / length, y = HEAD * (y1 - y0) / length;
    svg_line(svg, x0, y0, x1, y1, (struct svg_paint){.stroke = colour, .width = 1.5});
    svg_curve(
        svg,
        (const double[]){x1 - x - y / 2, y1 - y + x / 2, x1, y1, x1 - x + y / 2, y1 - y - x / 2}, 3,
        (struct svg_paint){.fill = colour, .stroke = colour});
}

void svg_cells_begin(struct svg *svg, const char *fill)
{
    fprintf(svg->body, "<path fill=\"%s\" shape-rendering=\"crispEdges\" d=\"", fill);
}

void svg_cell(struct svg *svg, double x, double y, double width, double height)
{
    const double step[] = {x, y, width, height, -width};
    for (int i = 0; i < 5; i++) {
        fputc("M hvh"[i], svg -> body);
        put_number(svg->body, step[i]);
    }
    fputc('z', svg->body);
}

void svg_cells_end(struct svg *svg)
{
    fputs("\"/>\n", svg->body);
}

/* ---- Text ---- */

static void put_line(struct svg *svg, double x, double y, int size, enum svg_anchor anchor,
                     const char *more, const char *format, va_list list)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    char text[256];
    vsnprintf(text, sizeof text, format, list);
    fputs("<text", svg->body);
    put_length(svg->body, "x", x);
    put_length(svg->body, "y", y);
    if (size != SVG_TEXT)
        put_length(svg->body, "font-size", size);
    fprintf(svg->body, "%s%s>", anchors[anchor], more);
    put_text(svg->body, text);
    fputs("</text>\n", svg->body);
}

void svg_text(struct svg *svg, double x, double y, int size, enum svg_anchor anchor,
              const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_line(svg, x, y, size, anchor, "", format, list);
    va_end(list);
}

void svg_heading(struct svg *svg, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_line(svg, SVG_MARGIN, 18, SVG_TEXT, SVG_START, " font-weight=\"bold\"", format, list);
    va_end(list);
}

void svg_legend(struct svg *svg, double x, double y, struct svg_paint paint, const char *format,
                ...)
{
    va_list list;
    va_start(list, format);
    svg_rectangle(svg, x, y - 9, 10, 10, paint);
    put_line(svg, x + 15, y, SVG_TEXT, SVG_START, "", format, list);
    va_end(list);
}

void svg_describe(struct svg *svg, const char *format, ...)
{
    const size_t used = strlen(svg->description);
    va_list list;
    va_start(list, format);
    vsnprintf(svg->description + used, sizeof svg->description - used, format, list);
    va_end(list);
}

/* ---- Colours ---- */

const char *svg_colour(double value, double low, double high)
{
    static char texts[8][16];
    static int next;
    char *text = texts[next++ % 8];
    snprintf(text, sizeof texts[0], "#%06x", picture_colour(value, low, high));
    return text;
}

void svg_scale(struct svg *svg, double x, double y, double width, double low, double high)
{
    enum { STEPS = 64, HEIGHT = 10 };
    for (int i = 0; i < STEPS; i++) {
        svg_cells_begin(svg, svg_colour(i, 0, STEPS - 1));
        svg_cell(svg, x + width * i / STEPS, y, width / STEPS, HEIGHT);
        svg_cells_end(svg);
    }
    svg_text(svg, x, y + HEIGHT + SVG_TEXT, SVG_TEXT, SVG_START, "%.3g", low);
    svg_text(svg, x + width, y + HEIGHT + SVG_TEXT, SVG_TEXT, SVG_END, "%.3g", high);
}

/* ---- The file ---- */

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
    fprintf(out, "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", SVG_WIDTH, height);
    fwrite(svg->text, 1, svg->length, out);
    fputs("</svg>\n", out);
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
