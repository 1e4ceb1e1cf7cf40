/* SPDX-License-Identifier: MIT */
/* Sparse products on CUDA. Arrays begin at a multiple of 256 bytes; those of integers are floats by
 * name only (spmv.h). */
#include "ops/spmv/kernels.h"
#include "ops/spmv/spmv.h"

#define ALIGNED QP_FLAT_FROM(64)
#define X       QP_ARRAY("x", QP_SPMV_X, ALIGNED)
#define BY_ROWS                                                                             \
    QP_ARRAY("first", QP_SPMV_FIRST, ALIGNED), QP_ARRAY("column", QP_SPMV_COLUMN, ALIGNED), \
        QP_ARRAY("value", QP_SPMV_VALUE, ALIGNED)
#define IN_SLICES                                                \
    QP_ARRAY("slice", QP_SPMV_SLICE_FIRST, ALIGNED),             \
        QP_ARRAY("slice_column", QP_SPMV_SLICE_COLUMN, ALIGNED), \
        QP_ARRAY("slice_value", QP_SPMV_SLICE_VALUE, ALIGNED)

#define ROW(name, ...) const struct qp_recipe qp_spmv_cuda_##name = {.state = ALIGNED, __VA_ARGS__}

ROW(scalar, .kernel = &qp_kernel_spmv_scalar, .input = {X, BY_ROWS});

/* + lanes side by side in a row: removes reads a row apart. */
ROW(vector, .kernel = &qp_kernel_spmv_vector, .input = {X, BY_ROWS});

/* cuda_scalar - reads a row apart, + slots without an entry. */
ROW(sliced, .kernel = &qp_kernel_spmv_sliced, .input = {X, IN_SLICES});

/* sliced - most of the slots without an entry, - columns that a rule gives, - waiting for a long
 * row. Its arrays are made when it is prepared (shares.h). */
ROW(adaptive, .kernel = &qp_kernel_spmv_adaptive, .input = {X});

struct qp_lent qp_lent_spmv_cusparse = {.library = "cuSPARSE"};

ROW(cusparse, .lent = &qp_lent_spmv_cusparse, .input = {X, BY_ROWS, IN_SLICES});
