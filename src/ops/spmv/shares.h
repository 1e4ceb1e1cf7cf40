/* SPDX-License-Identifier: MIT */
/* A sparse matrix in shares, each for a warp: slots of 32 values, one a lane.
 *
 * A share is a slice of 32 rows of up to 32 entries, a lane a row, or up to 512 entries of a longer
 * row. Rows of a slice follow each other, or are of about one length: then rows were sorted, within
 * windows of 1024, and the slice lists them. Where a rule gives the columns of each slot, they are
 * not stored: in a band matrix column - row is the same for all rows. */
#ifndef QP_OPS_SPMV_SHARES_H
#define QP_OPS_SPMV_SHARES_H

#include <stddef.h>

#include "base/both.h"
#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct qp_sparse; /* base/sparse.h */

enum {
    QP_SHARE_WARP = 32,
    QP_SHARE_WINDOW = 1024, /* rows that are sorted together */
    QP_SHARE_LONGEST = 32,  /* entries of a row in a slice */
    QP_SHARE_PIECE = 16     /* slots of a piece of a longer row */
};

enum qp_share_form { QP_SHARE_RANGE, QP_SHARE_LIST, QP_SHARE_OF_ROW };

/* All numbers below count from 0; values, columns and rows come in groups of 32. */
struct qp_share {
    unsigned values;   /* group of its first slot's values */
    int columns;       /* group of its first slot's columns; or ~number of its first slot's rule */
    int rows;          /* first row; group of the list; number of the piece */
    short width, form; /* slots; enum qp_share_form */
};

/* Columns of a slot: base + step * lane. */
struct qp_share_rule {
    int base, step;
};

/* A piece of a row, by number; the row's pieces follow each other. */
struct qp_share_piece {
    int row, first, pieces; /* row; number of its first piece; how many it has */
};

/* The lane's column, in the matrix even where the lane's value is a padding 0. */
QP_BOTH int qp_share_column(struct qp_share_rule rule, int lane, int rows)
{
    const int column = rule.base + rule.step * lane;
    return column < 0 ? 0 : column < rows ? column : rows - 1;
}

/* Arrays, in the order of enum qp_share_array; bytes are what they hold, room what they have. */
enum qp_share_array {
    QP_SHARES,
    QP_SHARE_VALUES,
    QP_SHARE_COLUMNS,
    QP_SHARE_RULES,
    QP_SHARE_ROWS, /* lists; -1 after a list's last row */
    QP_SHARE_PIECES,
    QP_SHARE_ARRAYS
};

struct qp_shares {
    struct {
        void *data;
        size_t bytes, room;
    } array[QP_SHARE_ARRAYS];
};

/* Pieces of long rows come first. Errors: QP_NO_MEMORY. Owner: the caller, by
 * qp_shares_destroy. */
enum qp_status qp_shares_make(const struct qp_sparse *matrix, struct qp_shares *out);

/* Frees the arrays and leaves zeros. */
void qp_shares_destroy(struct qp_shares *shares);

#ifdef __cplusplus
}
#endif
#endif
