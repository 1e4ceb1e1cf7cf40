/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA: the matrices [A | b] are stored without gaps, and so do answers, as
 * on the CPU. */
#include "ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "ops/gauss_jordan_batch/kernels.h"

/* Copies of 16 bytes take four values. */
#define FOURS QP_FLAT_FROM(4)
#define ROW(name, ...)                                           \
    const struct qp_recipe qp_gauss_jordan_batch_cuda_##name = { \
        .state = FOURS, .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, FOURS)}, __VA_ARGS__}

/* A system in the registers of a few threads, of a single one up to 8 unknowns. Removes the memory
 * from elimination: each number is read once, rows stay where they are, and threads exchange values
 * by shuffles. */
ROW(registers, .kernel = &qp_kernel_gauss_jordan_batch_registers);

/* A kernel that src/baseline lends: cuBLAS. */
struct qp_lent qp_lent_gauss_jordan_batch_cublas = {.library = "cuBLAS"};

ROW(cublas, .lent = &qp_lent_gauss_jordan_batch_cublas);
