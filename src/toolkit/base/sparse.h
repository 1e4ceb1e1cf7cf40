/* SPDX-License-Identifier: MIT */
/* Sparse matrices in the host's memory, row by row, and the layouts that they are computed in.
 * Places are counted in 64 bits: a matrix may have more entries than a float or an int counts. */
#ifndef QP_BASE_SPARSE_H
#define QP_BASE_SPARSE_H

#include <stddef.h>

#include <quadpass/market.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A square matrix by rows (CSR): row i has entries first[i] to first[i + 1] - 1, in columns that
 * ascend. */
struct qp_sparse {
    int rows;
    size_t count;  /* number of entries */
    size_t *first; /* rows + 1 */
    int *column;
    float *value;
    double *given; /* the same as a file has them; NULL: none */
};

/* Copies a square matrix whose places were checked (toolkit/io/market.h), dense ones without their
 * zeros. Its values are given in double alone, those in float are 0. Errors: QP_NO_MEMORY. Owner:
 * the caller, by qp_sparse_destroy. */
enum qp_status qp_sparse_read(const struct qp_market *matrix, struct qp_sparse *out);

/* Row and column of entry k, counted from 0, of a dense or a sparse matrix. */
void qp_market_place(const struct qp_market *matrix, size_t k, int *row, int *column);

/* Sets values: those that are given, row i times scale[i] and column j times scale[j] in double,
 * rounded once. */
void qp_sparse_scale(struct qp_sparse *matrix, const double *scale);

/* Allocates room for `count` entries, all arrays zero. Errors: QP_NO_MEMORY. Owner: the caller, by
 * qp_sparse_destroy. */
enum qp_status qp_sparse_allocate(int rows, size_t count, struct qp_sparse *out);

/* Frees the arrays and leaves an all-zero matrix; takes all-zero ones. */
void qp_sparse_destroy(struct qp_sparse *matrix);

/* Entries of row i, and of the longest of `rows` rows from one on; the matrix may end before. */
static inline size_t qp_sparse_length(const struct qp_sparse *matrix, int i)
{
    return matrix->first[i + 1] - matrix->first[i];
}
size_t qp_sparse_longest(const struct qp_sparse *matrix, int row, int rows);

/* ---- Diagonals (DIA) ---- */

/* Lists the offsets j - i of entries in ascending order, up to `most` of them; returns how many
 * there are, or most + 1 if there are more. */
int qp_sparse_offsets(const struct qp_sparse *matrix, int most, int *offset);

/* Puts entries into texels of four rows, and of all `count` diagonals side by side. Row i is cell
 * (i % width, i / width) of a grid, whose rows begin with a texel each. Other values are left. */
void qp_sparse_put_by_diagonals(const struct qp_sparse *matrix, int width, const int *offset,
                                int count, float *values);

/* ---- Slices (ELL and sliced ELL) ---- */

/* A slice of `height` rows, as wide as the longest of them: a slot is a value of each, side by
 * side. ELL has all slices as wide as the longest row of all. */
struct qp_slice {
    int height;
    size_t at, wide; /* its first slot, and its slots */
};

/* Goes on to the next slice; with a `line` above 0 none is in two lines of so many slots. */
static inline void qp_slice_next(struct qp_slice *slice, size_t wide, size_t line)
{
    slice->at += slice->wide;
    slice->wide = wide;
    if (line > 0 && slice->at % line + wide > line)
        slice->at += line - slice->at % line;
}

/* Place of entry k of the slice's row r. */
static inline size_t qp_slice_place(const struct qp_slice *slice, int r, size_t k)
{
    return (slice->at + k) * (size_t)slice->height + (size_t)r;
}

/* Values in all slices of that height. */
size_t qp_sparse_slots(const struct qp_sparse *matrix, int height);

/* ---- Rows sorted by length (Bolz, Farmer, Grinspun, Schroeder 2003) ---- */

/* Rows of one length, side by side in that order. */
struct qp_length_class {
    size_t length;   /* entries of each row */
    int begin, rows; /* place of its first row in the order */
};

/* Order of all rows by length, the longest first, equal ones as they were; and its classes. */
struct qp_by_length {
    int *row; /* row[p]: the row at place p */
    int classes;
    struct qp_length_class *group;
};

/* Errors: QP_NO_MEMORY. Owner: the caller, by qp_by_length_destroy. */
enum qp_status qp_by_length_make(const struct qp_sparse *matrix, struct qp_by_length *out);
void qp_by_length_destroy(struct qp_by_length *order);

#ifdef __cplusplus
}
#endif
#endif
