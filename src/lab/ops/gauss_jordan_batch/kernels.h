/* SPDX-License-Identifier: MIT */
/* Kernels of many small systems: input[0] holds the systems, out the answers
 * (gauss_jordan_batch.h), one after the other. x and its layout do not matter. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_KERNELS_H
#define QP_OPS_GAUSS_JORDAN_BATCH_KERNELS_H

#include "lab/plan/kernel.h"

/* Kernels of nvcc's for machines without NVRTC, each for all numbers of unknowns up to its own. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_gauss_jordan_batch_built;

/* A launch of the template (registers.cuh). */
struct qp_batch_grid {
    int blocks;
    int systems, threads; /* a block's */
    int shared;           /* bytes of its shared memory */
};

/* The launch for `count` systems of n unknowns, `team` threads each; at least two are a block's, so
 * that its first one begins at 16 bytes. */
static inline struct qp_batch_grid qp_batch_grid(int n, int team, int count)
{
    const int systems = 64 / team, bytes = n * (n + 1) * 4;
    const struct qp_batch_grid grid = {.blocks = (count + systems - 1) / systems,
                                       .systems = systems,
                                       .threads = 64,
                                       .shared = systems * bytes};
    return grid;
}

#endif
