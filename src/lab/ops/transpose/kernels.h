/* SPDX-License-Identifier: MIT */
/* Kernels of transposition (paper 4). All read one input; `block` is the rows of threads in a
 * block, whose width each knows. */
#ifndef QP_OPS_TRANSPOSE_KERNELS_H
#define QP_OPS_TRANSPOSE_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_copy;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_copy_memcpy;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_copy_simple;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_copy_shared;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_copy_interleaved;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_naive;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_tiled_16;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_tiled_32;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_tiled_48;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_padded;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_registers;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transpose_vectors;

#endif
