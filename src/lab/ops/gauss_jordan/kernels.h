/* SPDX-License-Identifier: MIT */
/* Kernels of Gauss-Jordan on CUDA. All of them keep a copy of x as it is at first, for a step is a
 * whole elimination from the start again, and log their pivots (kernel.h). */
#ifndef QP_OPS_GAUSS_JORDAN_KERNELS_H
#define QP_OPS_GAUSS_JORDAN_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_gauss_jordan_column;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_gauss_jordan_column_pivoted;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_gauss_jordan_blocked;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_gauss_jordan_tf32;

#endif
