/* SPDX-License-Identifier: MIT */
/* cuSOLVER's kernel, in builds with CUDA. */
#ifndef QP_BASELINE_CUSOLVER_H
#define QP_BASELINE_CUSOLVER_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* LU with partial pivoting and substitution. The library is loaded when the kernel is prepared, for
 * it is large and often not there: QP_UNSUPPORTED then. */
extern const struct qp_cuda_kernel baseline_kernel_cusolver;

#ifdef __cplusplus
}
#endif
#endif
