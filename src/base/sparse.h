/* SPDX-License-Identifier: MIT */
/* Sparse matrices in the host's memory, row by row, and the layouts that they are computed in.
 * Places are counted in 64 bits: a matrix may have more entries than a float or an int counts. */
#ifndef QP_BASE_SPARSE_H
#define QP_BASE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/market.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A square matrix by rows (CSR): row i has entries first[i] to first[i + 1] - 1, in columns that
 * ascend. */
struct qp_sparse {
    int rows;
    size_t count;  /* of entries */
    size_t *first; /* rows + 1 */
    int *column;
    float *value;
};

/* The same in double, as the matrix was given. */
struct qp_csr {
    int rows;
    size_t count;
    size_t *first;
    int *column;
    double *value;
};

/* Copies a square matrix whose places were checked (io/market.h), dense ones without their zeros.
 * Errors: QP_NO_MEMORY. Owner: the caller, by qp_csr_destroy. */
enum qp_status qp_csr_make(const struct qp_market *matrix, struct qp_csr *out);

/* Frees the arrays and leaves an all-zero matrix; takes all-zero ones. */
void qp_csr_destroy(struct qp_csr *matrix);

/* Allocates room for `count` entries, all arrays zero. Errors: QP_NO_MEMORY. Owner: the caller, by
 * qp_sparse_destroy. */
enum qp_status qp_sparse_allocate(int rows, size_t count, struct qp_sparse *out);

/* Copies a matrix, as qp_csr_make does or from one that it made. Row i is multiplied by scale[i]
 * and column j by scale[j] in double, then rounded once; `scale` NULL: 1. Errors: QP_NO_MEMORY.
 * Owner: the caller, by qp_sparse_destroy. */
enum qp_status qp_sparse_from_csr(const struct qp_csr *matrix, const double *scale,
                                  struct qp_sparse *out);
enum qp_status qp_sparse_from_market(const struct qp_market *matrix, const double *scale,
                                     struct qp_sparse *out);

/* Frees the arrays and leaves an all-zero matrix; takes all-zero ones. */
void qp_sparse_destroy(struct qp_sparse *matrix);

/* Entries of row i, and of the longest row. */
static inline size_t qp_sparse_length(const struct qp_sparse *matrix, int i)
{
    return matrix->first[i + 1] - matrix->first[i];
}
size_t qp_sparse_longest(const struct qp_sparse *matrix);

/* ---- Diagonals (DIA) ---- */

/* Lists the offsets j - i of entries in ascending order, up to `most` of them; returns how many
 * there are, or most + 1 if there are more. */
int qp_sparse_offsets(const struct qp_sparse *matrix, int most, int *offset);

/* Fills in a diagonal: value[i] = a[i, i + offset], 0 where there is no entry. */
void qp_sparse_diagonal(const struct qp_sparse *matrix, int offset, float *value);

/* ---- Slices (ELL and sliced ELL) ---- */

/* Rows in slices of `height`, each as wide as its longest row; one slice of all rows is ELL. Slot k
 * of row i is at first[i / height] + k * height + i % height. Slots after a row's last entry, and
 * those of rows after the last, hold 0 in column 0. */
struct qp_slices {
    int height, count; /* rows of a slice; slices */
    size_t *first;     /* count + 1 */
    int *column;       /* first[count] slots */
    float *value;
};

/* Errors: QP_NO_MEMORY. Owner: the caller, by qp_slices_destroy. */
enum qp_status qp_slices_make(const struct qp_sparse *matrix, int height, struct qp_slices *out);

/* Slots of all slices of that height, without making them. */
size_t qp_slices_slots(const struct qp_sparse *matrix, int height);
void qp_slices_destroy(struct qp_slices *slices);

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
