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

/* Its version, as CUB numbers it: 100000 a major one, 100 a minor one. */
extern const int baseline_cub_number;

#ifdef __cplusplus
}
#endif
#endif
