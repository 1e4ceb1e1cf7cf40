/* SPDX-License-Identifier: MIT */
/* Kernels of Gauss-Jordan on CUDA. All of them keep a copy of x as it is at first, for a step is a
 * whole elimination from the start again, and log their pivots (kernel.h). */
#ifndef QP_OPS_GAUSS_JORDAN_KERNELS_H
#define QP_OPS_GAUSS_JORDAN_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct qp_cuda_kernel qp_kernel_gauss_jordan_column;
extern const struct qp_cuda_kernel qp_kernel_gauss_jordan_column_pivoted;
extern const struct qp_cuda_kernel qp_kernel_gauss_jordan_blocked;

#ifdef __cplusplus
}
#endif
#endif
