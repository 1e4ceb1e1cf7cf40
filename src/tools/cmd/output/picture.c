/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/output/raster.h"
#include "tools/cmd/output/sentence.h"

enum { LEAST_PIXELS = 256, MOST_PIXELS = 4096 }; /* the longer side's */
enum { WHITE = 0xffffff };

/* Lines of the bar below the grid, in units: space, colours, space, digits, space. */
enum { BAR = 2, BAR_END = 8, DIGITS = 10, DIGITS_END = 15, BAR_UNITS = 17, LETTER_UNITS = 4 };

/* Ends of the colour scale, and the mapping of cells to pixels. */
struct view {
    int width, height; /* the grid's */
    const double *values;
    double low, high;  /* NaN if no value is finite */
    int stride;        /* cells from one that is shown to the next */
    int magnification; /* pixels of a cell's square, each way */
    int columns, rows; /* pixels of the grid */
    int across, unit;  /* pixels of the whole picture, and of the bar's unit */
    char ends[2][16];  /* numbers at the ends of the bar */
};

/* ---- Colours ---- */

/* Every 17th of the 256 colours of viridis, by Stefan van der Walt, Nathaniel Smith and Eric Firing
 * (matplotlib, CC0): its lightness rises evenly, for the colour-blind and on grey paper too. */
static const uint32_t viridis[] = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                   0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                   0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
enum { LAST = sizeof viridis / sizeof viridis[0] - 1 }; /* a colour's place is from 0 to this */

/* Returns a byte, in its place, of the two colours on either side of `place`, in proportion. */
static unsigned mix(double place, int shift)
{
    int below = place < LAST ? (int)place : LAST - 1;
    double from = viridis[below] >> shift & 0xff, to = viridis[below + 1] >> shift & 0xff;
    return (unsigned)(from + (to - from) * (place - below) + 0.5) << shift;
}

/* Halves, because the whole difference of two doubles may overflow. */
unsigned picture_colour(double value, double low, double high)
{
    const double span = 0.5 * high - 0.5 * low;
    if (!isfinite(value))
        return 0xff00ff;
    const double place = span > 0.0 ? LAST * ((0.5 * value - 0.5 * low) / span) : 0.5 * LAST;
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
            view.low = fmin(view.low, values[i]); /* fmin of a number and NaN is the number */
            view.high = fmax(view.high, values[i]);
        }
    }
    int longer = width > height ? width : height;
    view.stride = divide_up(longer, MOST_PIXELS);
    view.magnification = divide_up(LEAST_PIXELS, divide_up(longer, view.stride));
    view.columns = divide_up(width, view.stride) * view.magnification;
    view.rows = divide_up(height, view.stride) * view.magnification;
    view.across = qp_most(view.columns, LEAST_PIXELS);
    view.unit = qp_most(2, view.across / LEAST_PIXELS);
    for (int k = 0; k < 2 && !isnan(view.low); k++)
        snprintf(view.ends[k], sizeof view.ends[k], "%.6g", k == 0 ? view.low : view.high);
    return view;
}

/* ---- The bar ---- */

/* True where letters of three by five units and a space between them have ink. */
static bool has_ink(const char *text, int x, int y)
{
    static const char letters[] = "0123456789-+.e";
    static const uint16_t lines[] = {/* five of three bits, an octal digit each */
                                     075557, 026227, 071747, 071717, 055711, 074717, 074757,
                                     071222, 075757, 075717, 000700, 002720, 000002, 075747};
    const int at = x / LETTER_UNITS, column = x % LETTER_UNITS;
    if (x < 0 || at >= (int)strlen(text) || column == LETTER_UNITS - 1)
        return false;
    const char *letter = strchr(letters, text[at]);
    return letter != NULL && (lines[letter - letters] >> (14 - 3 * y - column) & 1) != 0;
}

/* Magenta where no value is finite, for the low end is NaN then. */
static unsigned bar_colour(const struct view *view, int x, int line)
{
    const int y = line / view->unit;
    const int letters = (int)strlen(view->ends[1]),
              right = view->across - (letters * LETTER_UNITS - 1) * view->unit;
    if (y >= BAR && y < BAR_END)
        return picture_colour(0.0 * view->low + x, 0.0,
                              view->low < view->high ? view->across - 1 : 0.0);
    if (y < DIGITS || y >= DIGITS_END)
        return WHITE;
    return has_ink(view->ends[0], x / view->unit, y - DIGITS) ||
                   (x >= right && has_ink(view->ends[1], (x - right) / view->unit, y - DIGITS))
               ? 0
               : WHITE;
}

/* Lines of pixels count from the top, rows of the grid from the bottom. */
static unsigned cell_colour(const struct view *view, int x, int line)
{
    const size_t row = (size_t)((view->rows - 1 - line) / view->magnification * view->stride);
    const double *cells = view->values + row * (size_t)view->width;
    if (x >= view->columns)
        return WHITE;
    return picture_colour(cells[x / view->magnification * view->stride], view->low, view->high);
}

static void colour_line(const void *user, int line, png_byte *pixels)
{
    const struct view *view = user;
    for (int x = 0; x < view->across; x++, pixels += 3) {
        const unsigned colour =
            line < view->rows ? cell_colour(view, x, line) : bar_colour(view, x, line - view->rows);
        for (int k = 0; k < 3; k++)
            pixels[k] = (png_byte)(colour >> (16 - 8 * k) & 0xff);
    }
}

/* ---- The file ---- */

enum qp_status picture_check_name(const char *path)
{
    static const char *const others[] = {".jpg",  ".jpeg", ".gif", ".bmp", ".tif", ".tiff",
                                         ".webp", ".svg",  ".pdf", ".eps", ".ps",  ".ppm",
                                         ".pgm",  ".pnm",  ".npy", ".mtx", ".csv", ".txt"};
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

void picture_doubt(const char *path, double low, double high)
{
    const double most = fmax(fabs(low), fabs(high)), range = high - low;
    if (range > 0.0 && range < 1e-4 * most) /* false of NaN */
        sentence_say("%s: the picture shows differences of %.2g in values of %.6g: they may be "
                     "rounding",
                     path, range, most);
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
    picture_doubt(path, view.low, view.high);
    snprintf(scale, sizeof scale, "%.9g violet to %.9g yellow, not finite magenta", view.low,
             view.high);
    return raster_write(path, &(struct raster){.columns = view.across,
                                               .rows = view.rows + BAR_UNITS * view.unit,
                                               .depth = 8,
                                               .colour = PNG_COLOR_TYPE_RGB,
                                               .scale = scale,
                                               .line = colour_line,
                                               .user = &view});
}
