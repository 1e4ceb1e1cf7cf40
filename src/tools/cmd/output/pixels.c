/* SPDX-License-Identifier: MIT */
/* libpng fails by longjmp, so all that it may leave half-done is held in one struct outside the
 * function that called setjmp. */
#include "tools/cmd/output/pixels.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/input.h"
#include "tools/cmd/output/raster.h"

enum { SIGNATURE = 8, WHITE = 65535 };

/* ---- Reading ---- */

struct reader {
    struct qp_input_file input;
    size_t taken; /* bytes of the file */
    png_structp png;
    png_infop info;
    int width, height, channels;
    size_t line_bytes; /* a line of pixels, each 1, 3 or 4 samples of 8 or 16 bits */
    png_byte *pixels;
    struct qp_matrix matrix;
    enum qp_status status; /* why a function answered false */
};

/* Stores "file: byte N: reason" and answers false. */
static bool refuse(struct reader *in, const char *reason)
{
    in->status = qp_fail(QP_BAD_INPUT, "%s: byte %zu: %s", in->input.name, in->taken, reason);
    return false;
}

static void leave(png_structp png, png_const_charp words)
{
    char reason[256];
    struct reader *in = png_get_error_ptr(png);
    snprintf(reason, sizeof reason, "%s (save the picture anew, as PNG)", words);
    if (in->status == QP_OK)
        refuse(in, reason);
    png_longjmp(png, 1);
}

static void take_bytes(png_structp png, png_bytep to, size_t count)
{
    struct reader *in = png_get_io_ptr(png);
    const size_t got = fread(to, 1, count, in->input.file);
    in->taken += got;
    if (got < count) {
        refuse(in, ferror(in->input.file) ? "cannot be read (give a file)"
                                          : "truncated: the file ends here (fetch it anew)");
        png_error(png, "");
    }
}

/* No byte of a deflated stream expands to more than 1032, its longest match in two codes of one bit
 * each. */
static bool weigh(struct reader *in)
{
    enum { MOST_INFLATED = 1032 };
    char reason[160];
    const double packed = (double)png_get_rowbytes(in->png, in->info) * in->height;
    const double cells = (double)in->width * in->height;
    const double need = cells * (in->channels == 1 ? 6 + sizeof(float) : 8 + 4 * sizeof(float));
    if (packed > MOST_INFLATED * (double)in->input.bytes) {
        snprintf(reason, sizeof reason,
                 "truncated: %d x %d pixels do not fit into %zu bytes (fetch it anew)", in->width,
                 in->height, in->input.bytes);
        return refuse(in, reason);
    }
    in->status = qp_input_check_memory(&in->input, need);
    return in->status == QP_OK;
}

/* Makes every kind of PNG one of 1 or 3 samples, or for colour of 4, of 8 or 16 bits: palettes are
 * looked up, fewer bits are stretched, alpha is 1 where the file has none. */
static bool read_size(struct reader *in)
{
    png_read_info(in->png, in->info);
    in->width = (int)png_get_image_width(in->png, in->info);
    in->height = (int)png_get_image_height(in->png, in->info);
    if (!weigh(in))
        return false;
    png_set_expand(in->png);
    if (in->channels == 1) {
        png_set_strip_alpha(in->png);
    } else {
        png_set_gray_to_rgb(in->png);
        png_set_add_alpha(in->png, WHITE, PNG_FILLER_AFTER);
    }
    return true;
}

/* Lines of an interlaced picture come in seven passes. */
static bool read_lines(struct reader *in)
{
    const int passes = png_set_interlace_handling(in->png);
    png_read_update_info(in->png, in->info);
    in->line_bytes = png_get_rowbytes(in->png, in->info);
    in->pixels = qp_alloc((size_t)in->height, in->line_bytes, "the pixels of a picture");
    in->status = in->pixels != NULL ? QP_OK : qp_fail_within(QP_NO_MEMORY, "%s", in->input.name);
    for (int k = 0; k < passes * in->height && in->status == QP_OK; k++) {
        if (qp_watch_leaves((double)k / (passes * (double)in->height)))
            in->status = qp_watch_fail();
        else
            png_read_row(in->png, in->pixels + (size_t)(k % in->height) * in->line_bytes, NULL);
    }
    if (in->status == QP_OK)
        png_read_end(in->png, NULL);
    return in->status == QP_OK;
}

/* libpng comes back to this function's setjmp from wherever it failed. */
static bool read_image(struct reader *in)
{
    in->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, in, leave, raster_ignore);
    in->info = in->png != NULL ? png_create_info_struct(in->png) : NULL;
    if (in->info == NULL) {
        in->status =
            qp_fail(QP_NO_MEMORY, "%s: libpng has no memory for a picture", in->input.name);
        return false;
    }
    if (setjmp(png_jmpbuf(in->png)) != 0)
        return false;
    png_set_read_fn(in->png, in, take_bytes);
    /* No chunks but IHDR, PLTE, tRNS, IDAT and IEND, or libpng takes the memory that a text's
     * length promises. */
    png_set_keep_unknown_chunks(in->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_sig_bytes(in->png, SIGNATURE);
    return read_size(in) && read_lines(in);
}

static bool open_picture(struct reader *in, const char *path)
{
    png_byte head[SIGNATURE];
    in->status = qp_input_open(path, &in->input);
    if (in->status != QP_OK)
        return false;
    if (in->input.bytes == SIZE_MAX)
        return refuse(in, "empty, or no file, and a picture is read from one (give a PNG file)");
    if (fread(head, 1, SIGNATURE, in->input.file) < SIGNATURE ||
        png_sig_cmp(head, 0, SIGNATURE) != 0)
        return refuse(in, "this is no PNG (save the picture as one)");
    in->taken = SIGNATURE;
    return true;
}

/* Four samples are a cell's values, others its luminance. Weights in ten-thousandths, so that a
 * grey colour is that grey to the last bit. */
static void take_pixel(const png_byte *pixel, int samples, int depth, float *cell)
{
    double value[4] = {0};
    for (int i = 0; i < samples; i++)
        value[i] = depth == 16 ? pixel[2 * i] << 8 | pixel[2 * i + 1] : pixel[i];
    if (samples == 3)
        value[0] = (2126 * value[0] + 7152 * value[1] + 722 * value[2]) / 10000;
    for (int i = 0; i < (samples == 4 ? 4 : 1); i++)
        cell[i] = (float)(value[i] / (depth == 16 ? WHITE : 255));
}

/* Lines of pixels count from the top, rows of the grid from the bottom. */
static bool fill(struct reader *in)
{
    const int samples = png_get_channels(in->png, in->info);
    const int depth = png_get_bit_depth(in->png, in->info);
    const size_t pixel_bytes = (size_t)(samples * depth / 8), channels = (size_t)in->channels;
    in->status = qp_matrix_create(in->width * in->channels, in->height, &in->matrix);
    if (in->status != QP_OK)
        qp_fail_within(in->status, "%s", in->input.name);
    for (int y = 0; in->status == QP_OK && y < in->height; y++) {
        const png_byte *line = in->pixels + (size_t)(in->height - 1 - y) * in->line_bytes;
        float *row = in->matrix.values + (size_t)y * (size_t)in->width * channels;
        for (size_t x = 0; x < (size_t)in->width; x++)
            take_pixel(line + x * pixel_bytes, samples, depth, row + x * channels);
    }
    return in->status == QP_OK;
}

enum qp_status pixels_read(const char *path, int channels, struct qp_matrix *out)
{
    struct reader in = {.channels = channels, .status = QP_OK};
    const bool good = open_picture(&in, path) && read_image(&in) && fill(&in);
    png_destroy_read_struct(&in.png, &in.info, NULL);
    qp_input_close(&in.input);
    free(in.pixels);
    if (!good)
        qp_matrix_destroy(&in.matrix);
    *out = in.matrix;
    return in.status;
}

/* ---- Writing ---- */

/* Frames that lie one above the other in a matrix. Of colours all four values of a cell are
 * written, or three, of others the first. */
struct view {
    const struct qp_matrix *matrix;
    int rows;                 /* rows of a frame */
    size_t channels, samples; /* values of a cell, and how many of them are written */
    double low, high;
};

/* 0 and 1, or for grey the least and the greatest finite value where one lies outside. */
static struct view view_matrix(const struct qp_matrix *matrix, int channels, int frames)
{
    const size_t count = (size_t)matrix->width * (size_t)matrix->height;
    double low = NAN, high = NAN;
    for (size_t i = 0; i < count && channels != 4; i += (size_t)channels) {
        const double value = qp_matrix_value(matrix, i);
        if (isfinite(value)) {
            low = fmin(low, value); /* fmin of a number and NaN is the number */
            high = fmax(high, value);
        }
    }
    const bool outside = low < 0.0 || high > 1.0;
    return (struct view){.matrix = matrix,
                         .rows = matrix->height / frames,
                         .channels = (size_t)channels,
                         .samples = channels == 4 ? 4 : 1,
                         .low = outside ? low : 0.0,
                         .high = outside ? high : 1.0};
}

/* Halves, because the whole difference of two doubles may overflow. */
static unsigned sample_of(const struct view *view, double value)
{
    const double span = 0.5 * view->high - 0.5 * view->low;
    if (!isfinite(value) || span <= 0.0)
        return 0;
    return (unsigned)lrint(WHITE * fmax(0.0, fmin((0.5 * value - 0.5 * view->low) / span, 1.0)));
}

static void take_line(const void *user, int line, png_byte *pixels)
{
    const struct view *view = user;
    const size_t width = (size_t)view->matrix->width;
    const int below = line / view->rows * view->rows; /* rows of earlier frames */
    const size_t first = (size_t)(2 * below + view->rows - 1 - line) * width;
    for (size_t x = 0; x < width; x += view->channels) {
        for (size_t k = 0; k < view->samples; k++) {
            const unsigned sample = sample_of(view, qp_matrix_value(view->matrix, first + x + k));
            *pixels++ = (png_byte)(sample >> 8);
            *pixels++ = (png_byte)sample;
        }
    }
}

static struct raster raster_of(const struct view *view)
{
    static const int colours[] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGB_ALPHA};
    return (struct raster){.columns = view->matrix->width / (int)view->channels,
                           .rows = view->rows,
                           .frames = view->matrix->height / view->rows,
                           .depth = 16,
                           .colour = colours[view->samples],
                           .line = take_line,
                           .user = view};
}

enum qp_status pixels_write(const char *path, const struct qp_matrix *matrix, int channels,
                            int frames, double *low, double *high)
{
    const struct view view = view_matrix(matrix, channels, frames);
    struct raster raster = raster_of(&view);
    char scale[96];
    if (channels == 4)
        snprintf(scale, sizeof scale, "red, green, blue and alpha from 0 to 1, not finite 0");
    else
        snprintf(scale, sizeof scale, "%.9g black to %.9g white, not finite black", view.low,
                 view.high);
    raster.scale = scale;
    if (low != NULL)
        *low = view.low;
    if (high != NULL)
        *high = view.high;
    return raster_write(path, &raster);
}

enum qp_status pixels_stream(const char *path, const struct qp_matrix *matrix, int channels)
{
    struct view view = view_matrix(matrix, channels, 1);
    view.samples = channels == 4 ? 3 : 1;
    const struct raster raster = raster_of(&view);
    return raster_stream(path, &raster);
}
