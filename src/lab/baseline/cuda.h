/* SPDX-License-Identifier: MIT */
/* Kernels of CUDA's own libraries, in builds with CUDA. */
#ifndef QP_BASELINE_CUDA_H
#define QP_BASELINE_CUDA_H

#include "lab/plan/kernel.h"

/* CUB's sum of input[0]'s values. */
QP_ENTRY const struct qp_cuda_kernel baseline_kernel_cub;

/* Its version, as CUB numbers it: 100000 a major one, 100 a minor one. */
QP_ENTRY const int baseline_cub_number;

/* cuSOLVER's LU with partial pivoting and substitution. The library is loaded when the kernel is
 * prepared, for it is large and often not there: QP_UNSUPPORTED then. */
QP_ENTRY const struct qp_cuda_kernel baseline_kernel_cusolver;

/* cuSPARSE's product with the matrix of spmv's problem, likewise; tries its algorithms when it is
 * prepared. */
QP_ENTRY const struct qp_cuda_kernel baseline_kernel_cusparse;

#endif
