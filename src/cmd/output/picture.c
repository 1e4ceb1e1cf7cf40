/* SPDX-License-Identifier: MIT */
#include "cmd/output/picture.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cmd/output/raster.h"
#include "cmd/output/sentence.h"

enum { LEAST_PIXELS = 256, MOST_PIXELS = 4096 }; /* of the longer side */

/* Ends of the colour scale, and the mapping of cells to pixels. */
struct view {
    int width, height; /* of the grid */
    const double *values;
    double low, high;  /* NaN if no value is finite */
    int stride;        /* cells from one that is shown to the next, */
    int magnification; /* pixels of a cell's square, each way */
    int columns, rows; /* pixels */
};

/* ---- Colours ---- */

/* Every 17th of the 256 colours of viridis, by Stefan van der Walt, Nathaniel Smith and Eric Firing
 * (matplotlib, CC0): its lightness rises evenly, for the colour-blind and on grey paper too. */
static const uint32_t viridis[] = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                   0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                   0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
enum { LAST = sizeof viridis / sizeof viridis[0] - 1 }; /* a colour's place is from 0 to this */

/* One byte, in its place, of the two colours on either side of `place`, in proportion. */
static unsigned mix(double place, int shift)
{
    int below = place < LAST ? (int)place : LAST - 1;
    double from = viridis[below] >> shift & 0xff, to = viridis[below + 1] >> shift & 0xff;
    return (unsigned)(from + (to - from) * (place - below) + 0.5) << shift;
}

/* Halves, because the whole difference of two doubles may overflow. */
unsigned picture_colour(double value, double low, double high)
{
    double span = 0.5 * high - 0.5 * low;
    if (!isfinite(value))
        return 0xff00ff;
    double place = span > 0.0 ? LAST * ((0.5 * value - 0.5 * low) / span) : 0.5 * LAST;
    return mix(place, 16) | mix(place, 8) | mix(place, 0);
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
static void colour_line(const void *user, int line, png_byte *pixels)
{
    const struct view *view = user;
    size_t row = (size_t)((view->rows - 1 - line) / view->magnification * view->stride);
    const double *cells = view->values + row * (size_t)view->width;
    for (int i = 0; i < view->columns; i++, pixels += 3) {
        const unsigned colour =
            picture_colour(cells[i / view->magnification * view->stride], view->low, view->high);
        for (int k = 0; k < 3; k++)
            pixels[k] = (png_byte)(colour >> (16 - 8 * k) & 0xff);
    }
}

/* ---- The file ---- */

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
    sentence_put_name(out, path);
    if (isnan(low))
        fputs(": all magenta, for no value is finite\n", out);
    else
        fprintf(out, ": from %.6g, violet, by green to %.6g, yellow\n", low, high);
}

enum qp_status picture_write(const char *path, int width, int height, const double *values,
                             double *low, double *high)
{
    struct view view = view_grid(width, height, values);
    char scale[96];
    if (low != NULL)
        *low = view.low;
    if (high != NULL)
        *high = view.high;
    snprintf(scale, sizeof scale, "%.9g violet to %.9g yellow, not finite magenta", view.low,
             view.high);
    return raster_write(path, &(struct raster){.columns = view.columns,
                                               .rows = view.rows,
                                               .depth = 8,
                                               .colour = PNG_COLOR_TYPE_RGB,
                                               .scale = scale,
                                               .line = colour_line,
                                               .user = &view});
}
