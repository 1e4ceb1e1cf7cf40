/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA: the matrices [A | b] are stored without gaps, and so do answers, as
 * on the CPU. */
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/ops/gauss_jordan_batch/kernels.h"

/* Copies of 16 bytes take four values. */
#define FOURS QP_FLAT_FROM(4)

/* Kernels that src/lab/baseline lends: cuBLAS, and cuSOLVER. */
struct qp_lent qp_lent_gauss_jordan_batch_cublas = {.library = "cuBLAS"};
struct qp_lent qp_lent_gauss_jordan_batch_cusolver = {.library = "cuSOLVER"};

const struct qp_recipe qp_gauss_jordan_batch_cuda[] = {
    /* A system in the registers of a few threads, of a single one up to 8 unknowns. Removes the
     * memory from elimination: each number is read once, rows stay where they are, and threads
     * exchange votes by shuffles and a pivot's row by shared memory. */
    {.name = "gauss_jordan_batch/cuda_registers",
     .backend = QP_CUDA,
     .layout = "one system after the other",
     .place = "ours: a system in a few threads' registers",
     .sentence = "implicit pivoting: rows are never exchanged, but marked with the column whose "
                 "pivot they were",
     .state = FOURS,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, FOURS)},
     .kernel = &qp_batch_exact},

    {.name = "gauss_jordan_batch/cuda_cublas",
     .backend = QP_CUDA,
     .layout = "one system after the other",
     .place = "ours: the opponent",
     .sentence = "cuBLAS's batched LU with partial pivoting and substitution, and the copies it "
                 "needs of A, b and x",
     .state = FOURS,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, FOURS)},
     .lent = &qp_lent_gauss_jordan_batch_cublas},

    {.name = "gauss_jordan_batch/cuda_cusolver",
     .backend = QP_CUDA,
     .layout = "one system after the other",
     .place = "ours: the opponent",
     .sentence =
         "cuSOLVER's LU with partial pivoting and substitution, called for one system after "
         "the other on four streams",
     .state = FOURS,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, FOURS)},
     .lent = &qp_lent_gauss_jordan_batch_cusolver},

    {0},
};
