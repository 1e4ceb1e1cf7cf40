/* SPDX-License-Identifier: MIT */
/* Grey pictures as grids of values from 0, black, to 1, white. */
#ifndef QP_CMD_OUTPUT_GREY_H
#define QP_CMD_OUTPUT_GREY_H

#include <quadpass/matrix.h>

/* Reads a PNG as a matrix of floats, a pixel a cell, row 0 at the bottom. The value is the sample
 * divided by the greatest one (255, or 65535 of 16 bits); for a colour it is 0.2126 R + 0.7152 G +
 * 0.0722 B, the luminance of ITU-R BT.709, of the samples as they are in the file, without any
 * gamma. Transparency is not looked at. Errors, after which *out is all zero: QP_BAD_INPUT with the
 * file, the byte and the reason, among them more pixels than a file of its size can hold, before
 * anything large is allocated, and pipes, whose size is unknown; QP_NO_MEMORY. Owner: the caller,
 * by qp_matrix_destroy. */
enum qp_status grey_read(const char *path, struct qp_matrix *out);

/* Writes a matrix as a grey PNG of 16 bits, a cell a pixel, the first of several values in a cell,
 * row 0 at the bottom, "-" for standard output. Values from 0 to 1 are read back within 2^-17;
 * where a finite one lies outside, the scale goes from the least to the greatest instead. Values
 * that are not finite are black. The text chunk "Scale" and, if not NULL, `*low` and `*high` are
 * both ends. Errors, after which there is no file: QP_BAD_INPUT with the system's reason,
 * QP_NO_MEMORY. */
enum qp_status grey_write(const char *path, const struct qp_matrix *matrix, int channels,
                          double *low, double *high);

#endif
