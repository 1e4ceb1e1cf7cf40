/* SPDX-License-Identifier: MIT */
/* A sparse matrix in shares, each for a warp: slots of 32 values, one a lane.
 *
 * A share is a slice of 32 rows, a lane a row, or a piece of one row that is longer than 32
 * entries. Rows of a slice follow each other, or are of about one length: then rows were sorted,
 * within windows of 1024, and the slice lists them. Columns are not stored where a rule gives those
 * of each slot: in a band matrix column - row is the same for all rows. */
#ifndef QP_OPS_SPMV_SHARES_H
#define QP_OPS_SPMV_SHARES_H

#include <stddef.h>

#include "toolkit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct qp_sparse; /* toolkit/base/sparse.h */

enum {
    QP_SHARE_LANES = 32,
    QP_SHARE_WINDOW = 1024, /* rows that are sorted together */
    QP_SHARE_LONGEST = 32,  /* entries of a row in a slice */
    QP_SHARE_PIECE = 512    /* entries of a piece of a longer row */
};

/* Numbers count from 0; a group is 32 values, columns or rows. */
struct qp_share {
    int values;        /* group of its first slot's values */
    int columns;       /* group of its first slot's columns; or ~number of its first slot's rule */
    int rows;          /* its first row; or ~group of its list, which -1 ends */
    int width;         /* slots */
    int first, pieces; /* a piece's: the row's first share, and how many it has; 0: a slice */
    int unused[2];
};

/* Columns of a slot: base + step * lane, in the matrix for all lanes. */
struct qp_share_rule {
    int base, step;
};

enum qp_share_array {
    QP_SHARES, /* pieces first */
    QP_SHARE_VALUES,
    QP_SHARE_COLUMNS,
    QP_SHARE_RULES,
    QP_SHARE_ROWS,    /* lists */
    QP_SHARE_TICKETS, /* zeros: an integer for each piece */
    QP_SHARE_ARRAYS
};

struct qp_shares {
    struct {
        void *data;
        size_t bytes, room; /* in use, and there */
    } array[QP_SHARE_ARRAYS];
};

/* Errors: QP_NO_MEMORY. Owner: the caller, by qp_shares_destroy, which leaves zeros. */
enum qp_status qp_shares_make(const struct qp_sparse *matrix, struct qp_shares *out);
void qp_shares_destroy(struct qp_shares *shares);

#ifdef __cplusplus
}
#endif
#endif
