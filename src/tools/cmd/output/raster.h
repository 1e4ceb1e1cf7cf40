/* SPDX-License-Identifier: MIT */
/* Pictures on their way to a PNG file, line by line. */
#ifndef QP_CMD_OUTPUT_RASTER_H
#define QP_CMD_OUTPUT_RASTER_H

#include <png.h>

#include <quadpass/status.h>

struct raster {
    int columns, rows; /* pixels of a frame */
    int frames;        /* several: an animation */
    int depth, colour; /* bits of a sample; PNG_COLOR_TYPE_RGB, _RGB_ALPHA or _GRAY */
    const char *scale; /* which values the colours mean: the text chunk "Scale" */
    /* Fills one line of pixels, counted from the top of the first frame on; samples of 16 bits
     * begin with the higher byte. */
    void (*line)(const void *user, int line, png_byte *pixels);
    const void *user;
};

/* Writes it to a file, "-" for standard output. Errors, after which there is no file: QP_BAD_INPUT
 * with the system's reason, QP_NO_MEMORY. */
enum qp_status raster_write(const char *path, const struct raster *raster);

/* Appends a frame of 16 bits, grey or RGB, as PAM. Errors: QP_BAD_INPUT with the system's reason,
 * QP_NO_MEMORY. */
enum qp_status raster_stream(const char *path, const struct raster *raster);

/* Ignores libpng's warnings. */
void raster_ignore(png_structp png, png_const_charp words);

#endif
