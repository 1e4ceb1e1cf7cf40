/* SPDX-License-Identifier: MIT */
/* False-colour pictures of a solution on its grid. */
#ifndef QP_CMD_OUTPUT_PICTURE_H
#define QP_CMD_OUTPUT_PICTURE_H

#include <stdio.h>

#include <quadpass/status.h>

/* QP_BAD_USE for a name that ends as pictures of another kind do: what is written is PNG. NULL is
 * none. */
enum qp_status picture_check_name(const char *path);

/* Colour 0xRRGGBB of a value on the scale from `low`, violet, to `high`, yellow: the middle one if
 * the scale has no length, magenta for NaN and infinity. */
unsigned picture_colour(double value, double low, double high);

/* Says on `out` which values the colours mean: the ends of the scale as picture_write gave them. */
void picture_tell_scale(FILE *out, const char *path, double low, double high);

/* Warns on standard error of a picture whose colours are spread over differences below 1e-4 of the
 * largest value: they may be rounding. picture_write does so itself. */
void picture_doubt(const char *path, double low, double high);

/* Writes width x height values, row-major with row 0 at the bottom, as an 8-bit RGB PNG to a file,
 * "-" for standard output. A perceptually ordered colour scale goes from the least to the greatest
 * finite value, and a text chunk "Scale" names both; NaN and infinity are magenta. Small grids are
 * magnified by a whole factor until the longer side has at least 256 pixels; in large ones every
 * k-th cell is shown, so that it has at most 4096. Below it is a bar of the scale, at whose ends
 * both values are written, at least 256 pixels long. `*low` and `*high`, if not NULL, receive the
 * ends of the scale, NaN if no value is finite. Errors, after which there is no file: QP_BAD_INPUT
 * with the system's reason, QP_NO_MEMORY. */
enum qp_status picture_write(const char *path, int width, int height, const double *values,
                             double *low, double *high);

#endif
