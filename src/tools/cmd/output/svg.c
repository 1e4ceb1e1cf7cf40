/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/svg.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "toolkit/base/whole.h"
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

void svg_put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const int more = qp_text_character((const unsigned char *)text) - 1;
        if (strchr("&<>\"", *text) != NULL)
            fprintf(out, "&#%d;", *text);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : more < 0 ? '?' : *text, out);
        if (more > 0)
            text += fwrite(text + 1, 1, (size_t)more, out);
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
    svg_put_text(svg->body, text);
    fputs("</text>\n", svg->body);
}

/* Letters of ASCII as wide as DejaVu Sans has them; each byte of others as much as a usual one. */
double svg_text_width(const char *text, int size)
{
    static const char wide[] =
        "cefmiolbddfmcdcciiiiiiiiiiccmmmgpjjjlihllbbjhnkliljiikjpjijdcdmffiig"
        "iidiibbhbpiiiiegdihmhhgicim"; /* 'f': 10 20ths of its height */
    int width = 0;
    for (; *text != '\0'; text++)
        width += *text >= ' ' && *text <= '~' ? wide[*text - ' '] - 'f' + 10 : 12;
    return width * size / 20.0;
}

/* Lines end at blanks where they can, and else between characters. */
void svg_words(struct svg *svg, double x, double width, enum svg_anchor anchor, int size,
               const char *text)
{
    enum { APART = 3 };
    while (*text != '\0') {
        const double all = svg_text_width(text, size);
        int end = 0, next = 0, blank = 0;
        do {
            end = next;
            if ((text[end] == ' ' || text[end] == '\0') && end > 0 && text[end - 1] != ' ')
                blank = end;
            next += qp_most(1, qp_text_character((const unsigned char *)text + end));
        } while (text[end] != '\0' &&
                 (end == 0 || all - svg_text_width(text + next, size) <= width));
        end = blank > 0 ? blank : end;
        svg->height += size + APART;
        if (anchor != SVG_NOWHERE)
            svg_text(svg, x, svg->height - APART, size, anchor, "%.*s", end, text);
        text += end + strspn(text + end, " ");
    }
}

void svg_note(struct svg *svg, const char *format, ...)
{
    char text[256];
    PRINT(text, format);
    svg_text(svg, SVG_MARGIN, svg->height + SVG_SMALL, SVG_SMALL, SVG_START, "%s", text);
    svg->height += SVG_LINE + 2;
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
    svg_put_text(svg->body, svg->title);
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
    fprintf(out, " fill=\"%s\"", paint.fill != NULL ? paint.fill : "none");
    if (paint.stroke != NULL)
        fprintf(out, " stroke=\"%s\" stroke-width=\"%.5g\"", paint.stroke,
                paint.width > 0.0 ? paint.width : 1.0);
    if (paint.dash != NULL)
        fprintf(out, " stroke-dasharray=\"%s\"", paint.dash);
    fputs("/>\n", out);
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

void svg_mark(struct svg *svg, double x, double y, bool good)
{
    const struct svg_paint green = {NULL, "#2b7a3d", 4, NULL}, red = {NULL, "#c92a2a", 4, NULL};
    if (good)
        svg_curve(svg, (const double[]){x, y + 8, x + 6, y + 16, x + 18, y}, 3, green);
    else
        svg_curve(svg,
                  (const double[]){x, y, x + 8, y + 8, x, y + 16, x + 16, y, x + 8, y + 8, x + 16,
                                   y + 16},
                  6, red);
}

/* Lines of 45 degrees, cut at the rectangle's sides. */
void svg_stripes(struct svg *svg, double x, double y, double width, double height)
{
    const double apart = fmin(5.0, (width + height) / 2);
    fputs("<path stroke=\"#868e96\" d=\"", svg->body);
    for (double at = apart; at < width + height; at += apart) {
        const double left = fmax(at - height, 0.0), right = fmin(at, width);
        fprintf(svg->body, "M%.5g %.5gL%.5g %.5g", x + left, y + at - left, x + right,
                y + at - right);
    }
    fputs("\"/>\n", svg->body);
}

void svg_stripe_paint(struct svg *svg, const struct svg_raster *r, int paint)
{
    for (int line = 0; line < r->lines; line++) {
        for (int first = 0, end; first < r->columns; first = end + 1) {
            for (end = first; end < r->columns && r->paint_at(r->user, end, line) == paint; end++)
                continue;
            if (end > first)
                svg_stripes(svg, r->x + first * r->width, r->y + line * r->height,
                            (end - first) * r->width, r->height);
        }
    }
}

void svg_number(struct svg *svg, double x, double y, double width, double value)
{
    enum { LETTER = 6, MOST_DECIMALS = 4 };
    char text[64];
    int decimals = fabs(value) < 1e9 ? MOST_DECIMALS : -1;
    snprintf(text, sizeof text, "%.3g", value);
    while (decimals >= 0) {
        size_t length = (size_t)snprintf(text, sizeof text, "%.*f", decimals, value);
        while (decimals > 0 && text[length - 1] == '0')
            text[--length] = '\0';
        if (text[length - 1] == '.')
            text[length - 1] = '\0';
        decimals = LETTER * strlen(text) > width ? decimals - 1 : -1;
    }
    svg_text(svg, x, y + 4, SVG_SMALL, SVG_MIDDLE, "%s", strcmp(text, "-0") == 0 ? "0" : text);
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
    fprintf(out, "<path stroke=\"%s\" d=\"", r->grid != NULL ? r->grid : "#fff");
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
    return (struct svg_raster){0,      0,     side, side, columns,  lines,
                               paints, count, {0},  NULL, paint_at, user};
}

double svg_side(int columns, int in_line, double widest)
{
    return fmin(widest, ((double)(SVG_INSIDE + SVG_GAP) / in_line - SVG_GAP) / columns);
}

struct svg_raster svg_panel(struct svg *svg, struct svg_raster raster, int number, int in_line,
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
    return raster;
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

enum { RIGHT = SVG_WIDTH - 24, TALL = 220, LABEL = 20, FEW = 6 };

double svg_across(double share)
{
    return SVG_LEFT + (RIGHT - SVG_LEFT) * share;
}

/* The least of 1, 2 and 5 times a power of ten of which `most` has so many at the most. */
static double tick_of(double most, double many)
{
    double tick = pow(10.0, floor(log10(most / many)));
    for (int i = 0; most / tick > many; i++)
        tick *= i % 3 == 1 ? 2.5 : 2.0;
    return tick;
}

double svg_along(const struct svg_ruler *ruler, double value)
{
    const double low = ruler->logarithmic ? log10(ruler->low) : ruler->low;
    const double high = ruler->logarithmic ? log10(ruler->high) : ruler->high;
    const bool margins = ruler->from == ruler->to;
    const double from = margins ? SVG_MARGIN : ruler->from, to = margins ? RIGHT : ruler->to;
    return from + (to - from) * ((ruler->logarithmic ? log10(value) : value) - low) /
                      fmax(high - low, DBL_MIN);
}

/* Number k of all that a ruler's step makes. */
static double number_at(const struct svg_ruler *ruler, int k)
{
    static const double parts[] = {1.0, 2.0, 5.0};
    const int decade = (int)floor(k / 3.0);
    if (!ruler->logarithmic)
        return k * (ruler->step > 0.0 ? ruler->step : tick_of(fmax(ruler->high, 1e-30), FEW));
    return ruler->step == 1.0 ? pow(10.0, decade) * parts[k - 3 * decade]
                              : pow(ruler->step > 0.0 ? ruler->step : 10.0, k);
}

/* The first of them that is not below a value. */
static int number_from(const struct svg_ruler *ruler, double value)
{
    const double one = number_at(ruler, 1), part = ruler->step == 1.0 ? 1.0 / 3.0 : log10(one);
    int k = (int)floor(ruler->logarithmic ? log10(value) / part : value / one) - 2;
    while (number_at(ruler, k) < value - 1e-9 * fabs(value))
        k++;
    return k;
}

/* A ruler's number k and its text, with exponents as short as can be; false beyond its end. */
static bool name_number(const struct svg_ruler *ruler, int k, double *number, char text[32])
{
    *number = number_at(ruler, k);
    const bool round = fabs(*number) >= 1e6 && fmod(*number, 1e4) == 0.0;
    snprintf(text, 32, "%.*g", round ? 6 : 8, *number);
    char *e = strchr(text, 'e');
    if (e != NULL)
        snprintf(e, 8, "e%d", atoi(e + 1));
    return *number <= ruler->high + 1e-9 * fabs(ruler->high);
}

/* True if numbers do not touch, beside each other or one above the other. */
static bool has_room(const struct svg_ruler *ruler)
{
    char text[32];
    double end = -INFINITY, number;
    for (int k = number_from(ruler, ruler->low); name_number(ruler, k, &number, text); k++) {
        const double place = fabs(svg_along(ruler, number) - ruler->from);
        const double half = ruler->to < ruler->from ? 8.0 : svg_text_width(text, ruler->size) / 2;
        if (place - half < end)
            return false;
        end = place + half + SVG_MARGIN;
    }
    return true;
}

/* Tries steps, finest first. The ends of few decades are 1, 2 or 5, whatever is named. */
void svg_round_ruler(struct svg_ruler *ruler)
{
    enum { MOST_LEVELS = 400 }; /* powers, for 200 decades */
    const double most = fmax(fabs(ruler->low), fabs(ruler->high)), half = most > 0 ? most / 2 : 0.5;
    const double base = ruler->step == 2.0 ? 2.0 : 10.0;
    const bool powers = ruler->logarithmic, level = ruler->high - ruler->low <= 1e-3 * most;
    const double low = powers ? ruler->low / (1.0 + level) : ruler->low - level * half;
    const double high = powers ? ruler->high * (1.0 + level) : ruler->high + level * half;
    const bool fine = powers && base == 10.0 && high < 1e3 * low;
    for (int i = 0; i == 0 || (i < (powers ? MOST_LEVELS : FEW - 1) && !has_room(ruler)); i++) {
        struct svg_ruler ends = *ruler;
        ruler->step = !powers ? tick_of(high - low, FEW - i) : pow(base, i + !fine);
        ends.step = fine ? 1.0 : ruler->step;
        const int first = number_from(&ends, low);
        ruler->low = number_at(&ends, first - (number_at(&ends, first) > low + 1e-9 * fabs(low)));
        ruler->high = number_at(&ends, number_from(&ends, high));
    }
}

double svg_ruler_width(const struct svg_ruler *ruler)
{
    char text[32];
    double number, width = 0.0;
    for (int k = number_from(ruler, ruler->low); name_number(ruler, k, &number, text); k++)
        width = fmax(width, svg_text_width(text, ruler->size));
    return width;
}

void svg_draw_ruler(struct svg *svg, const struct svg_ruler *ruler, double from, double to,
                    bool named)
{
    const struct svg_paint line = {.stroke = "#ced4da"};
    const int size = ruler->size > 0 ? ruler->size : SVG_SMALL;
    char text[32];
    double number;
    for (int k = number_from(ruler, ruler->low); name_number(ruler, k, &number, text); k++) {
        const double at = svg_along(ruler, number), half = svg_text_width(text, size) / 2;
        const bool up = ruler->to < ruler->from;
        svg_line(svg, up ? from : at, up ? at : from, up ? to : at, up ? at : to, line);
        if (named && up)
            svg_text(svg, from - 4, at + 4, size, SVG_END, "%s", text);
        else if (named)
            svg_text(svg, at > SVG_MARGIN ? fmin(fmax(at, half + 1), SVG_WIDTH - 1 - half) : at,
                     to + 12, size, at > SVG_MARGIN ? SVG_MIDDLE : SVG_START, "%s", text);
    }
}

struct svg_ruler svg_draw_axes(struct svg *svg, double most, const char *names)
{
    const double tick = tick_of(most, FEW), foot = svg->height + SVG_MARGIN + TALL;
    const struct svg_ruler up = {
        .high = tick * ceil(most / tick), .from = foot, .to = foot - TALL, .step = tick};
    svg_draw_ruler(svg, &up, SVG_LEFT, RIGHT, true);
    for (int share = 0; share <= 4; share++)
        svg_text(svg, svg_across(share / 4.0), foot + LABEL - 4, SVG_SMALL, SVG_MIDDLE, "%d %%",
                 25 * share);
    svg_text(svg, svg_across(0.5), foot + 2 * LABEL - 4, SVG_TEXT, SVG_MIDDLE, "%s", names);
    svg->height = foot + 2 * LABEL + SVG_MARGIN;
    return up;
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

const char *const *svg_signs(void)
{
    static const int below[] = {0xe8, 0x76, 0x2c}, above[] = {0x3b, 0x86, 0xc8};
    static char texts[SVG_SIGNS][8];
    static const char *colours[SVG_SIGNS + 1];
    for (int i = 0; i < SVG_SIGNS; i++) {
        const int *end = 2 * i < SVG_SIGNS ? below : above;
        const double part = fabs(2.0 * i / (SVG_SIGNS - 1) - 1.0);
        snprintf(texts[i], sizeof texts[i], "#%02x%02x%02x", 255 - (int)(part * (255 - end[0])),
                 255 - (int)(part * (255 - end[1])), 255 - (int)(part * (255 - end[2])));
        colours[i] = texts[i];
    }
    colours[SVG_SIGNS] = "#ced4da";
    return colours;
}

int svg_sign(double value, double most)
{
    const double part = most > 0.0 ? fmax(-1.0, fmin(value / most, 1.0)) : 0.0;
    return isfinite(value) ? (int)lround((SVG_SIGNS - 1) / 2 * (1.0 + part)) : SVG_SIGNS;
}

static int sign_at(const void *user, int column, int line)
{
    const struct svg_cells *cells = user;
    return svg_sign(cells->value[line * cells->apart + column], cells->most);
}

void svg_draw_cells(struct svg *svg, const struct svg_cells *cells, double x, double y,
                    double width, double height)
{
    enum { LEAST_WIDTH = 12, LEAST_HEIGHT = 14 };
    const bool written = width >= LEAST_WIDTH && height >= LEAST_HEIGHT;
    struct svg_raster r = svg_squares(cells->columns, cells->lines, width, svg_signs(),
                                      SVG_SIGNS + 1, sign_at, cells);
    r.x = x, r.y = y, r.height = height, r.grid = "#adb5bd";
    r.every[0] = r.every[1] = written ? 1 : 0;
    svg_draw_raster(svg, &r);
    svg_stripe_paint(svg, &r, SVG_SIGNS);
    for (int i = 0; written && i < r.columns * r.lines; i++) {
        const int column = i % r.columns, line = i / r.columns;
        const double value = cells->value[line * cells->apart + column];
        if (isfinite(value))
            svg_number(svg, x + (column + 0.5) * width, y + (line + 0.5) * height, width,
                       value / (cells->unit > 0.0 ? cells->unit : 1.0));
    }
}

static int step_of_column(const void *user, int column, int line)
{
    (void)user, (void)line;
    return column;
}

void svg_scale(struct svg *svg, const char *const *colours, int count, double low, double high)
{
    enum { HEIGHT = 10 };
    struct svg_raster bar =
        svg_squares(count, 1, (double)SVG_INSIDE / count, colours, count, step_of_column, NULL);
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

/* Ids of its elements begin with `id`, if that is not empty. */
static void put_file(const struct svg *svg, FILE *out, const char *id)
{
    const int height = (int)ceil(svg->height), across = svg->across > 0 ? svg->across : SVG_WIDTH;
    const char *dash = id[0] != '\0' ? "-" : "";
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s%st %s%sd\"\n"
            "  font-family=\"sans-serif\" font-size=\"%d\">\n<title id=\"%s%st\">",
            across, (height * across + SVG_WIDTH - 1) / SVG_WIDTH, SVG_WIDTH, height, id, dash, id,
            dash, SVG_TEXT, id, dash);
    svg_put_text(out, svg->title);
    fprintf(out, "</title>\n<desc id=\"%s%sd\">", id, dash);
    svg_put_text(out, svg->description);
    fprintf(out, "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n%s</svg>\n", SVG_WIDTH,
            height, svg->text);
}

/* Writes to a file, or to a page that is open. */
static enum qp_status end(struct svg *svg, enum qp_status status, const char *path, FILE *page,
                          const char *id)
{
    struct qp_output output = {.file = page};
    const bool gathered = svg->body == NULL || fclose(svg->body) == 0;
    if (status == QP_OK && !gathered)
        status = qp_fail(QP_NO_MEMORY, "no memory for a drawing");
    if (status == QP_OK) {
        const bool opened = page != NULL || qp_output_open(&output, path);
        if (opened)
            put_file(svg, output.file, id);
        if (page == NULL)
            status = qp_output_close(&output, opened ? NULL : strerror(errno));
    }
    free(svg->text);
    *svg = (struct svg){0};
    return status;
}

enum qp_status svg_end(struct svg *svg, enum qp_status status, const char *path)
{
    return end(svg, status, path, NULL, "");
}

enum qp_status svg_put(struct svg *svg, enum qp_status status, FILE *out, const char *id)
{
    return end(svg, status, NULL, out, id);
}
