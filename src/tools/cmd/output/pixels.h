/* SPDX-License-Identifier: MIT */
/* Pictures as grids of values from 0, black, to 1, white, or of four such values: red, green, blue
 * and alpha. */
#ifndef QP_CMD_OUTPUT_PIXELS_H
#define QP_CMD_OUTPUT_PIXELS_H

#include <quadpass/matrix.h>

/* Reads a PNG as a matrix of floats, a pixel a cell, row 0 at the bottom. A value is the sample
 * divided by the greatest one (255, or 65535 of 16 bits), as it is in the file, without any gamma.
 * Of four channels a cell has red, green, blue and alpha side by side, alike of a grey picture, and
 * alpha is 1 in a file without it. Of one it has 0.2126 R + 0.7152 G + 0.0722 B, the luminance of
 * ITU-R BT.709, and alpha is not looked at. Errors, after which *out is all zero: QP_BAD_INPUT with
 * the file, the byte and the reason, among them more pixels than a file of its size can hold,
 * before anything large is allocated, and pipes, whose size is unknown; QP_NO_MEMORY. Owner: the
 * caller, by qp_matrix_destroy. */
enum qp_status pixels_read(const char *path, int channels, struct qp_matrix *out);

/* Writes a matrix as a PNG of 16 bits, a cell a pixel, row 0 at the bottom, "-" for standard
 * output. Four values of a cell are red, green, blue and alpha; values outside of 0 to 1 become the
 * nearer one, those that are not finite 0. Of one or two values of a cell the first is grey. Values
 * from 0 to 1 are read back within 2^-17; where a finite grey one lies outside, the scale goes from
 * the least to the greatest instead. Grey values that are not finite are black. The text chunk
 * "Scale" and, if not NULL, `*low` and `*high` are both ends. Several frames, one above the other
 * in the matrix, have one scale and become an animation (APNG) that shows each for a tenth of a
 * second, over and over. Errors, after which there is no file: QP_BAD_INPUT with the system's
 * reason, QP_NO_MEMORY. */
enum qp_status pixels_write(const char *path, const struct qp_matrix *matrix, int channels,
                            int frames, double *low, double *high);

/* Appends one frame as a PAM picture of 16 bits, the same samples without alpha, of the tuple type
 * RGB or GRAYSCALE, to standard output, "-". Errors: QP_BAD_INPUT with the system's reason,
 * QP_NO_MEMORY. */
enum qp_status pixels_stream(const char *path, const struct qp_matrix *matrix, int channels);

#endif
