/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan on CUDA: [A | b] is stored row by row without gaps. Two variants keep to the
 * algorithm of paper 2, whose passes over a texture are launches here; one is blocked for the
 * hardware. */
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan/kernels.h"

/* A kernel that src/lab/baseline lends: cuSOLVER, which is looked for when the variant runs. */
struct qp_lent qp_lent_gauss_jordan_cusolver = {.library = "cuSOLVER"};

const struct qp_recipe qp_gauss_jordan_cuda[] = {
    /* A single launch in place of the three draws of gauss_jordan/basic: every thread divides the
     * element of row k that it reads anyway. Shows that a step moves the whole matrix and computes
     * little with it. */
    {.name = "gauss_jordan/cuda_column",
     .backend = QP_CUDA,
     .layout = "one value after the other",
     .place = "ours: the report's algorithm in CUDA",
     .sentence =
         "a launch for every column, from one array to the other: the report's pass without OpenGL",
     .state = QP_FLAT,
     .kernel = &qp_kernel_gauss_jordan_column,
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 8.0 /* all columns, read and written in every step */},

    /* + a launch for every column that searches its pivot. Where OpenGL needs a pyramid of passes,
     * one thread block uses shared memory and barriers. */
    {.name = "gauss_jordan/cuda_column_pivoted",
     .after = "gauss_jordan/cuda_column",
     .backend = QP_CUDA,
     .layout = "one value after the other",
     .place = "ours: partial pivoting",
     .sentence = "before each launch another searches the column with one thread block; rows are "
                 "exchanged as they are fetched",
     .state = QP_FLAT,
     .kernel = &qp_kernel_gauss_jordan_column_pivoted,
     .bytes = 8.0},

    /* 64 columns at a time: the rest of the matrix is read and written once for them, not 64 times,
     * and multiplied in shared memory. Removes memory traffic; the latency of 64 searches a panel
     * is left. */
    {.name = "gauss_jordan/cuda_blocked",
     .backend = QP_CUDA,
     .layout = "one value after the other",
     .place = "ours: LU by blocks in CUDA",
     .sentence = "LU by blocks of 64 columns with partial pivoting: panels in the registers of a "
                 "cluster, then one product",
     .state = QP_FLAT,
     .kernel = &qp_kernel_gauss_jordan_blocked,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    /* The product by tensor cores, whose factors have 11 bits: each float becomes two such numbers.
     * Shows what is left of the time when products cost next to nothing. */
    {.name = "gauss_jordan/cuda_tf32",
     .after = "gauss_jordan/cuda_blocked",
     .backend = QP_CUDA,
     .layout = "one value after the other",
     .place = "ours: LU by blocks in CUDA",
     .sentence =
         "its product by tensor cores in TF32: each float split into two numbers of 11 bits, "
         "22 of its 24 bits remain",
     .state = QP_FLAT,
     .kernel = &qp_kernel_gauss_jordan_tf32,
     .tolerance = qp_gauss_jordan_tolerance_split},

    {.name = "gauss_jordan/cuda_cusolver",
     .backend = QP_CUDA,
     .layout = "cuSOLVER's columns",
     .place = "ours: the opponent in CUDA",
     .sentence = "cuSOLVER's LU with partial pivoting: the honest opponent",
     .state = QP_FLAT,
     .lent = &qp_lent_gauss_jordan_cusolver,
     .tolerance = qp_gauss_jordan_tolerance_lu},

    {0},
};
