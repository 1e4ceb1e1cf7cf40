/* SPDX-License-Identifier: MIT */
/* Kernels of nine-band Jacobi (paper 3, sections 6 and 8, and ours). Inputs come in the order of
 * kernels.cuh or as the kernel says. */
#ifndef QP_OPS_JACOBI9_KERNELS_H
#define QP_OPS_JACOBI9_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct qp_cuda_kernel qp_kernel_jacobi9_flat;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_pitched;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_double;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_texture;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_shared;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_shared_diagonal;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_symmetric;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_streaming;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_streaming_divided;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_resident;

#ifdef __cplusplus
}
#endif
#endif
