/* SPDX-License-Identifier: MIT */
/* Sparse products on CUDA. Arrays begin at a multiple of 256 bytes; those of integers are floats by
 * name only (spmv.h). */
#include "lab/ops/spmv/kernels.h"
#include "lab/ops/spmv/spmv.h"

#define ALIGNED QP_FLAT_FROM(64)
#define X       QP_ARRAY("x", QP_SPMV_X, ALIGNED)
#define BY_ROWS                                                                             \
    QP_ARRAY("first", QP_SPMV_FIRST, ALIGNED), QP_ARRAY("column", QP_SPMV_COLUMN, ALIGNED), \
        QP_ARRAY("value", QP_SPMV_VALUE, ALIGNED)
#define IN_SLICES                                                \
    QP_ARRAY("slice", QP_SPMV_SLICE_FIRST, ALIGNED),             \
        QP_ARRAY("slice_column", QP_SPMV_SLICE_COLUMN, ALIGNED), \
        QP_ARRAY("slice_value", QP_SPMV_SLICE_VALUE, ALIGNED)

struct qp_lent qp_lent_spmv_cusparse = {.library = "cuSPARSE"};

const struct qp_recipe qp_spmv_cuda[] = {
    {.name = "spmv/cuda_scalar",
     .backend = QP_CUDA,
     .layout = "by rows (CSR)",
     .place = "ours: the obvious kernel",
     .sentence = "a thread a row: neighbours read entries a row apart, and a warp waits for its "
                 "longest row",
     .state = ALIGNED,
     .kernel = &qp_kernel_spmv_scalar,
     .input = {X, BY_ROWS}},

    /* + lanes side by side in a row: removes reads a row apart. */
    {.name = "spmv/cuda_vector",
     .after = "spmv/cuda_scalar",
     .backend = QP_CUDA,
     .layout = "by rows (CSR)",
     .place = "ours: after the scalar variant",
     .sentence = "a warp a row: reads are coalesced, and lanes without an entry wait; shuffles add "
                 "the lanes' sums",
     .state = ALIGNED,
     .kernel = &qp_kernel_spmv_vector,
     .input = {X, BY_ROWS}},

    /* cuda_scalar - reads a row apart, + slots without an entry. */
    {.name = "spmv/cuda_sliced",
     .after = "spmv/cuda_scalar",
     .backend = QP_CUDA,
     .layout = "slices of 32 rows (sliced ELL)",
     .place = "ours: after the scalar variant",
     .sentence = "a thread a row once more, entries of 32 rows side by side: coalesced, at the "
                 "price of slots that pad short rows",
     .state = ALIGNED,
     .kernel = &qp_kernel_spmv_sliced,
     .input = {X, IN_SLICES}},

    /* sliced - most of the slots without an entry, - columns that a rule gives, - waiting for a
     * long row. Its arrays are made when it is prepared (shares.h). */
    {.name = "spmv/cuda_adaptive",
     .after = "spmv/cuda_sliced",
     .backend = QP_CUDA,
     .layout = "shares of a warp",
     .place = "ours: after the sliced variant",
     .sentence =
         "slices of rows that are sorted by length where that saves slots; no columns where a rule "
         "gives them; long rows in pieces, which the last to end adds in their order",
     .state = ALIGNED,
     .kernel = &qp_kernel_spmv_adaptive,
     .input = {X}},

    {.name = "spmv/cuda_cusparse",
     .backend = QP_CUDA,
     .layout = "by rows or in slices, whichever is faster",
     .place = "ours: the opponent",
     .sentence = "cuSPARSE: all its algorithms for CSR and sliced ELL are prepared and tried "
                 "before the run, and the fastest one runs",
     .state = ALIGNED,
     .lent = &qp_lent_spmv_cusparse,
     .input = {X, BY_ROWS, IN_SLICES}},

    {0},
};
