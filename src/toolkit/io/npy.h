/* SPDX-License-Identifier: MIT */
/* NumPy's .npy files, formats 1.0 to 3.0 (NEP 1, and numpy.lib.format): one array after a header
 * of text. */
#ifndef QP_IO_NPY_H
#define QP_IO_NPY_H

#include <quadpass/matrix.h>

#include <stdbool.h>

/* Reads an array of floats of 2, 4 or 8 bytes, of integers of 1 to 8, signed or not, or of bools,
 * of either byte order, in C's order or Fortran's; "-" is standard input. Element [y, x] is cell
 * (x, y); an array of one axis is one row. A last axis of 2 or 4 after two others is the channels
 * of a cell, one after the other: then `*channels` is that number, and the matrix as many times
 * wider than the grid; else it is 1. A bool other than 0 is 1. Floats of 8 bytes and integers of 4
 * and 8 come as doubles and all others as floats, so that nothing is rounded; an integer beyond
 * 2^53 is refused. NaN and infinity are values like others. Errors, after which *out is all zero:
 * QP_BAD_INPUT with the file, the byte and the reason, among them more than this machine's memory,
 * before anything large is allocated; QP_NO_MEMORY. Owner: the caller, by qp_matrix_destroy. */
enum qp_status qp_npy_read(const char *path, struct qp_matrix *out, int *channels);

enum { QP_NPY_VECTOR = 0 };

static inline bool qp_npy_is_channels(int channels)
{
    return channels == 1 || channels == 2 || channels == 4;
}

/* Writes a matrix as the array that is read back as it, <f4 or <f8 in C's order, with a last axis
 * where `channels` is 2 or 4; with QP_NPY_VECTOR in place of channels a column becomes an array of
 * one axis. "-" is standard output. Errors: QP_BAD_USE for channels that are none of these or do
 * not fill the rows; QP_BAD_INPUT with the system's reason; then a file that was there is as it
 * was, and none that was not is. */
enum qp_status qp_npy_write(const char *path, const struct qp_matrix *matrix, int channels);

#endif
