/* SPDX-License-Identifier: MIT */
/* Kernels of transposition (paper 4). All read one input; `block` is the rows of threads in a block,
 * whose width each knows. */
#ifndef QP_OPS_TRANSPOSE_KERNELS_H
#define QP_OPS_TRANSPOSE_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct qp_cuda_kernel qp_kernel_transpose_copy;
extern const struct qp_cuda_kernel qp_kernel_transpose_copy_memcpy;
extern const struct qp_cuda_kernel qp_kernel_transpose_copy_simple;
extern const struct qp_cuda_kernel qp_kernel_transpose_copy_shared;
extern const struct qp_cuda_kernel qp_kernel_transpose_copy_interleaved;
extern const struct qp_cuda_kernel qp_kernel_transpose_naive;
extern const struct qp_cuda_kernel qp_kernel_transpose_tiled_16;
extern const struct qp_cuda_kernel qp_kernel_transpose_tiled_32;
extern const struct qp_cuda_kernel qp_kernel_transpose_tiled_48;
extern const struct qp_cuda_kernel qp_kernel_transpose_padded;
extern const struct qp_cuda_kernel qp_kernel_transpose_registers;
extern const struct qp_cuda_kernel qp_kernel_transpose_vectors;

#ifdef __cplusplus
}
#endif
#endif
