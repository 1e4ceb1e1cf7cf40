/* SPDX-License-Identifier: MIT */
/* Kernels of sparse products on CUDA. All read x first, then the arrays that cuda.c lists. */
#ifndef QP_OPS_SPMV_KERNELS_H
#define QP_OPS_SPMV_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_spmv_scalar;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_spmv_vector;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_spmv_sliced;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_spmv_adaptive;

#endif
