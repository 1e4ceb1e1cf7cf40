/* SPDX-License-Identifier: MIT */
/* Kernels of Poisson's equation (paper 5, section 3.2). The input is h^2 f, where the kind has an array of it. */
#ifndef QP_OPS_POISSON5_KERNELS_H
#define QP_OPS_POISSON5_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `block` of the naive ones: threads, 100 across + up. */
extern const struct qp_cuda_kernel qp_kernel_poisson5_naive;
extern const struct qp_cuda_kernel qp_kernel_poisson5_naive_double;
extern const struct qp_cuda_kernel qp_kernel_poisson5_texture; /* wants rows at 512 bytes */
extern const struct qp_cuda_kernel qp_kernel_poisson5_shared;
extern const struct qp_cuda_kernel qp_kernel_poisson5_shared_fringe_threads;
extern const struct qp_cuda_kernel qp_kernel_poisson5_shared_one_grid;
extern const struct qp_cuda_kernel
    qp_kernel_poisson5_unrolled; /* `block`: the depth, 1, 2, 4 or 8 */
extern const struct qp_cuda_kernel qp_kernel_poisson5_tuned_sync; /* `block`: 100 across + up */
extern const struct qp_cuda_kernel
    qp_kernel_poisson5_tuned_sync_waits; /* the same; waits for the device */
extern const struct qp_cuda_kernel qp_kernel_poisson5_prefetch;
extern const struct qp_cuda_kernel qp_kernel_poisson5_double_plain;
extern const struct qp_cuda_kernel qp_kernel_poisson5_double_hilo;
extern const struct qp_cuda_kernel qp_kernel_poisson5_async0;
extern const struct qp_cuda_kernel qp_kernel_poisson5_async1;
extern const struct qp_cuda_kernel qp_kernel_poisson5_async2;
extern const struct qp_cuda_kernel qp_kernel_poisson5_async3;
extern const struct qp_cuda_kernel qp_kernel_poisson5_async_tiles;

/* Ours (cuda_fast.c). */
extern const struct qp_cuda_kernel qp_kernel_poisson5_sweep;
extern const struct qp_cuda_kernel qp_kernel_poisson5_sweep_double;
extern const struct qp_cuda_kernel qp_kernel_poisson5_temporal;
extern const struct qp_cuda_kernel qp_kernel_poisson5_temporal_double;
extern const struct qp_cuda_kernel qp_kernel_poisson5_red_black;
extern const struct qp_cuda_kernel qp_kernel_poisson5_red_black_double;
extern const struct qp_cuda_kernel qp_kernel_poisson5_resident;
extern const struct qp_cuda_kernel qp_kernel_poisson5_resident_double;
extern const struct qp_cuda_kernel qp_kernel_poisson5_red_black_resident;
extern const struct qp_cuda_kernel qp_kernel_poisson5_red_black_resident_double;

#ifdef __cplusplus
}
#endif
#endif
