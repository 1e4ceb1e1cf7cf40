/* SPDX-License-Identifier: MIT */
/* Sparse products: the operation's fields and kinds, and what its rows share. */
#ifndef QP_OPS_SPMV_SPMV_H
#define QP_OPS_SPMV_SPMV_H

#include "base/sparse.h"
#include "plan/op.h"

/* Stored fields have a cell for each row of the matrix: row i is cell (i % width, i / width). The
 * others are derived, and have sizes of their own (arrays.c). Integers are stored by their bits
 * where a float would be, for CUDA alone. */
enum qp_spmv_field {
    QP_SPMV_X,
    QP_SPMV_ANSWER,
    QP_SPMV_STORED,
    /* one after the other in memory */
    QP_SPMV_FIRST = QP_SPMV_STORED, /* rows + 1 integers: entries before each row */
    QP_SPMV_COLUMN,                 /* of each entry, an integer */
    QP_SPMV_VALUE,                  /* of each entry */
    QP_SPMV_SLICE_FIRST,            /* slices + 1 integers: slots before each slice of 32 rows */
    QP_SPMV_SLICE_COLUMN,           /* of each slot, an integer */
    QP_SPMV_SLICE_VALUE,            /* of each slot */
    QP_SPMV_TEXTURES                /* from here on: arrays in textures (gl_arrays.c) */
};

/* Kinds in the order of the table. */
enum qp_spmv_kind {
    QP_SPMV_NINE,
    QP_SPMV_SEVEN,
    QP_SPMV_RANDOM,
    QP_SPMV_POWER_LAW,
    QP_SPMV_EMPTY_ROWS,
    QP_SPMV_FULL_ROW,
    QP_SPMV_ARROW,
    QP_SPMV_IDENTITY,
    QP_SPMV_KINDS
};

/* Data of a row that the operation reads: recipe->own. */
struct qp_spmv_row {
    bool twofold; /* sums are pairs of floats, rounded once at the end */
};

/* Fills in the matrix of a kind. Errors: QP_NO_MEMORY. */
enum qp_status qp_spmv_make_kind(const struct qp_problem *problem, unsigned long long seed,
                                 struct qp_sparse *out);

/* A problem of the kind "file" with this matrix, whose rows are cells of a grid about as wide as
 * high or, where both are positive, of width x height = rows cells; x is random. Errors: those of
 * qp_problem_allocate. Owner: the caller, by qp_problem_destroy; takes the matrix over, in any
 * case. */
enum qp_status qp_spmv_problem(struct qp_sparse *matrix, int width, int height,
                               struct qp_problem *out);

/* Sizes and values of arrays in memory (arrays.c). */
struct qp_size qp_spmv_field_size(const struct qp_problem *problem, int field);
void qp_spmv_derive(const struct qp_problem *problem, int field, enum qp_precision precision,
                    void *values);

extern const struct qp_op qp_op_spmv;

#endif
