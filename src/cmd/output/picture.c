/* SPDX-License-Identifier: MIT */
/* libpng fails by longjmp, so all that it may leave half-done is held in one struct outside the
 * function that called setjmp. */
#include "cmd/output/picture.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "base/status.h"
#include "io/output.h"

enum { LEAST_PIXELS = 256, MOST_PIXELS = 4096 }; /* of the longer side */

/* Ends of the colour scale, and the mapping of cells to pixels. */
struct view {
    int width, height; /* of the grid */
    const double *values;
    double low, high;  /* NaN if no value is finite */
    int stride;        /* every so many cells one is shown, */
    int magnification; /* as a square of so many pixels */
    int columns, rows; /* pixels */
};

struct writer {
    FILE *file;
    png_structp png;
    png_infop info;
    png_color *line;
    char reason[128]; /* why it failed */
};

/* ---- Colours ---- */

/* Every 17th of the 256 colours of viridis, by Stefan van der Walt, Nathaniel Smith and Eric Firing
 * (matplotlib, CC0): its lightness rises evenly, for the colour-blind and on grey paper too. */
static const uint32_t viridis[] = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                   0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                   0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
enum { LAST = sizeof viridis / sizeof viridis[0] - 1 }; /* a colour's place is from 0 to this */

/* One byte of the two colours on either side of `place`, in proportion. */
static png_byte mix(double place, int shift)
{
    int below = place < LAST ? (int)place : LAST - 1;
    double from = viridis[below] >> shift & 0xff, to = viridis[below + 1] >> shift & 0xff;
    return (png_byte)(from + (to - from) * (place - below) + 0.5);
}

/* Colour of a value: the middle one if the scale has no length, magenta for NaN and infinity. Halves,
 * because the whole difference of two doubles may overflow. */
static png_color colour_of(double value, double low, double high)
{
    double span = 0.5 * high - 0.5 * low;
    if (!isfinite(value))
        return (png_color){255, 0, 255};
    double place = span > 0.0 ? LAST * ((0.5 * value - 0.5 * low) / span) : 0.5 * LAST;
    return (png_color){mix(place, 16), mix(place, 8), mix(place, 0)};
}

/* ---- From cells to pixels ---- */

static int divide_up(int a, int b)
{
    return a / b + (a % b != 0);
}

static struct view view_grid(int width, int height, const double *values)
{
    struct view view = {
        .width = width, .height = height, .values = values, .low = NAN, .high = NAN};
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        if (isfinite(values[i])) {
            view.low = fmin(view.low, values[i]); /* of a number and NaN, the number */
            view.high = fmax(view.high, values[i]);
        }
    }
    int longer = width > height ? width : height;
    view.stride = divide_up(longer, MOST_PIXELS);
    view.magnification = divide_up(LEAST_PIXELS, divide_up(longer, view.stride));
    view.columns = divide_up(width, view.stride) * view.magnification;
    view.rows = divide_up(height, view.stride) * view.magnification;
    return view;
}

/* Lines of pixels count from the top, rows of the grid from the bottom. */
static void colour_line(const struct view *view, int line, png_color *pixels)
{
    size_t row = (size_t)((view->rows - 1 - line) / view->magnification * view->stride);
    const double *cells = view->values + row * (size_t)view->width;
    for (int i = 0; i < view->columns; i++)
        pixels[i] = colour_of(cells[i / view->magnification * view->stride], view->low, view->high);
}

/* ---- The file ---- */

/* The system's reason where there is one: libpng's "Write Error" says less. Always false. */
static bool keep_reason(struct writer *writer, const char *words)
{
    snprintf(writer->reason, sizeof writer->reason, "%s", errno != 0 ? strerror(errno) : words);
    return false;
}

static void leave(png_structp png, png_const_charp words)
{
    keep_reason(png_get_error_ptr(png), words);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp words)
{
    (void)png, (void)words;
}

static void describe_scale(struct writer *writer, const struct view *view)
{
    char key[] = "Scale", text[96];
    snprintf(text, sizeof text, "%.9g violet to %.9g yellow, not finite magenta", view->low,
             view->high);
    png_text chunk = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text};
    png_set_text(writer->png, writer->info, &chunk, 1);
}

/* libpng comes back to this function's setjmp from wherever it failed. */
static bool write_image(struct writer *writer, const struct view *view)
{
    errno = 0;
    if (setjmp(png_jmpbuf(writer->png)) != 0)
        return false;
    png_init_io(writer->png, writer->file);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)view->columns, (png_uint_32)view->rows, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    describe_scale(writer, view);
    png_write_info(writer->png, writer->info);
    for (int line = 0; line < view->rows; line++) {
        colour_line(view, line, writer->line);
        png_write_row(writer->png, (png_const_bytep)writer->line);
    }
    png_write_end(writer->png, writer->info);
    return true;
}

static bool start_writer(struct writer *writer, int columns)
{
    *writer = (struct writer){0};
    writer->line = qp_alloc((size_t)columns, sizeof *writer->line, "a line of pixels");
    if (writer->line == NULL)
        return false;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, leave, ignore_warning);
    writer->info = writer->png != NULL ? png_create_info_struct(writer->png) : NULL;
    if (writer->info == NULL)
        qp_fail(QP_NO_MEMORY, "libpng has no memory for a picture");
    return writer->info != NULL;
}

static void end_writer(struct writer *writer)
{
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->line);
}

static enum qp_status save_image(struct writer *writer, const struct view *view, const char *path)
{
    struct qp_output output;
    errno = 0;
    bool good = qp_output_open(&output, path);
    writer->file = output.file;
    good = good ? write_image(writer, view) : keep_reason(writer, "");
    return qp_output_close(&output, good ? NULL : writer->reason);
}

enum qp_status picture_check_name(const char *path)
{
    static const char *const others[] = {".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp",
                                         ".svg", ".pdf",  ".eps", ".ps",  ".ppm", ".pgm",  ".pnm"};
    const char *end = path != NULL ? strrchr(path, '.') : NULL;
    for (size_t i = 0; end != NULL && i < sizeof others / sizeof others[0]; i++) {
        if (strcasecmp(end, others[i]) == 0)
            return qp_fail(QP_BAD_USE, "%s: pictures are written as PNG; name it %.*s.png", path,
                           (int)(end - path), path);
    }
    return QP_OK;
}

void picture_tell_scale(FILE *out, const char *path, double low, double high)
{
    if (isnan(low))
        fprintf(out, "%s: all magenta, for no value is finite\n", path);
    else
        fprintf(out, "%s: from %.6g, violet, by green to %.6g, yellow\n", path, low, high);
}

enum qp_status picture_write(const char *path, int width, int height, const double *values,
                             double *low, double *high)
{
    struct view view = view_grid(width, height, values);
    struct writer writer;
    if (low != NULL)
        *low = view.low;
    if (high != NULL)
        *high = view.high;
    enum qp_status status =
        start_writer(&writer, view.columns) ? save_image(&writer, &view, path) : QP_NO_MEMORY;
    end_writer(&writer);
    return status;
}
