/* SPDX-License-Identifier: MIT */
/* Kernels of Poisson's equation (paper 5, section 3.2). The input is h^2 f, where the kind has an
 * array of it. */
#ifndef QP_OPS_POISSON5_KERNELS_H
#define QP_OPS_POISSON5_KERNELS_H

#include "lab/plan/kernel.h"

/* `block` of the naive ones: threads, 100 across + up. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_naive;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_naive_double;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_texture; /* wants rows at 512 bytes */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_shared;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_shared_fringe_threads;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_shared_one_grid;
QP_ENTRY const struct qp_cuda_kernel
    qp_kernel_poisson5_unrolled; /* `block`: the depth, 1, 2, 4 or 8 */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_tuned_sync; /* `block`: 100 across + up */
QP_ENTRY const struct qp_cuda_kernel
    qp_kernel_poisson5_tuned_sync_waits; /* the same; waits for the device */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_prefetch;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_double_plain;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_double_hilo;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_async0;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_async1;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_async2;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_async3;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_async_tiles;

/* Ours (cuda_fast.c). */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_sweep;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_sweep_double;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_temporal;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_temporal_double;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_red_black;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_red_black_double;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_resident;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_resident_double;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_red_black_resident;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_red_black_resident_double;

#endif
