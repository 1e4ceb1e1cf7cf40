/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan on CUDA: [A | b] is stored row by row without gaps. Two rows keep to the algorithm
 * of paper 2, whose passes over a texture are launches here; one is blocked for the hardware. */
#include "ops/gauss_jordan/gauss_jordan.h"
#include "ops/gauss_jordan/kernels.h"

#define ROW(name, ...) \
    const struct qp_recipe qp_gauss_jordan_cuda_##name = {.state = QP_FLAT, __VA_ARGS__}

/* A single launch in place of the three draws of gauss_jordan/basic: every thread divides the
 * element of row k that it reads anyway. Shows that a step moves the whole matrix and computes
 * little with it. */
ROW(column, .kernel = &qp_kernel_gauss_jordan_column, .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
    .bytes = 8.0 /* all columns, read and written in every step */);

/* + a launch for every column that searches its pivot. Where OpenGL needs a pyramid of passes, one
 * thread block uses shared memory and barriers. */
ROW(column_pivoted, .kernel = &qp_kernel_gauss_jordan_column_pivoted, .bytes = 8.0);

/* 64 columns at a time: the rest of the matrix is read and written once for them, not 64 times, and
 * multiplied in shared memory. Removes memory traffic; the latency of 64 searches a panel is
 * left. */
ROW(blocked, .kernel = &qp_kernel_gauss_jordan_blocked, .tolerance = qp_gauss_jordan_tolerance_lu);

/* A kernel that src/baseline lends: cuSOLVER, which is looked for when the row runs. */
struct qp_lent qp_lent_gauss_jordan_cusolver = {.library = "cuSOLVER"};

ROW(cusolver, .lent = &qp_lent_gauss_jordan_cusolver, .tolerance = qp_gauss_jordan_tolerance_lu);
