/* SPDX-License-Identifier: MIT */
/* CUB's kernels, in builds with CUDA. */
#ifndef QP_BASELINE_CUB_H
#define QP_BASELINE_CUB_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sum of input[0]'s values. */
extern const struct qp_cuda_kernel baseline_kernel_cub;

#ifdef __cplusplus
}
#endif
#endif
