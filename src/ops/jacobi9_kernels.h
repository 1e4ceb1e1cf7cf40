/* SPDX-License-Identifier: MIT */
/* Kernels of nine-band Jacobi (paper 3, section 6). Inputs come in the order of enum input. */
#ifndef QP_OPS_JACOBI9_KERNELS_H
#define QP_OPS_JACOBI9_KERNELS_H

#include "ops/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct qp_kernel qp_kernel_jacobi9_simple;

#ifdef __cplusplus
}
#endif
#endif
