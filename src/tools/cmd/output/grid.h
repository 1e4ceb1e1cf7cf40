/* SPDX-License-Identifier: MIT */
/* Grids of values in files, of the format that the name's end says: Matrix Market (.mtx), NumPy
 * (.npy), PNG (.png). */
#ifndef QP_CMD_OUTPUT_GRID_H
#define QP_CMD_OUTPUT_GRID_H

#include <quadpass/market.h>
#include <quadpass/matrix.h>

/* QP_BAD_USE for a name without one of these ends, of which .png is for pictures, before anything
 * runs. NULL is welcome, and so are "-", pipes and devices, which are Matrix Market. */
enum qp_status grid_check_name(const char *path, bool pictures);

/* True for an .npy file. */
bool grid_is_array(const char *path);

/* True for a .png file. */
bool grid_is_picture(const char *path);

/* Reads a grid: row i of a Matrix Market file, sparse or not, and of an array is row i from the
 * bottom; the lowest line of pixels is row 0. `*channels` is the number of values of a cell, 1 or,
 * of some .npy, 2 or 4; the matrix is as many times wider. Matrix Market comes as doubles, PNG as
 * floats, the luminance of each pixel, .npy as the array says. Every other name is Matrix Market,
 * and "-" standard input. Errors, after which *out is all zero: QP_BAD_INPUT with the place and the
 * reason; QP_NO_MEMORY. Owner: the caller, by qp_matrix_destroy. */
enum qp_status grid_read(const char *path, struct qp_matrix *out, int *channels);

/* Writes what grid_read reads back: .mtx and .npy to the bit, .png to 16 bits of grey, the first of
 * two values in a cell, or of colour where there are four. `*low` and `*high`, if not NULL, receive
 * the values that are black and white in a picture, else 0 and 1. "-" is Matrix Market on standard
 * output. Errors, after which there is no new file: QP_BAD_USE for the name, and for several
 * channels in Matrix Market; QP_BAD_INPUT with the system's reason, and for NaN and infinity in
 * Matrix Market; QP_NO_MEMORY. */
enum qp_status grid_write(const char *path, const struct qp_matrix *matrix, int channels,
                          double *low, double *high);

/* Reads a matrix, or columns such as right-hand sides: an .npy array as a dense one, element [y, x]
 * in row y, one of one axis as a row; every other name as Matrix Market. Errors, after which *out
 * is all zero: those of qp_market_read, also for values of an array that are not finite as floats.
 * Owner: the caller, by qp_market_destroy. */
enum qp_status grid_read_columns(const char *path, struct qp_market *out);

/* Writes a dense matrix, column by column as in `value`: to an .npy file as <f8, of one axis if it
 * is one column; to every other as Matrix Market. Errors: those of qp_market_write. */
enum qp_status grid_write_columns(const char *path, int rows, int columns, const double *value);

#endif
