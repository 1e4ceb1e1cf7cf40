/* SPDX-License-Identifier: MIT */
/* Change of a step, on CUDA: sum of s^2 (out - x)^2, s = input[0], all three arrays in one layout.
 * scratch takes QP_CHANGE_BLOCKS partial sums in double; kind 1: the arrays are doubles. */
#ifndef QP_ENGINES_CHANGE_KERNELS_H
#define QP_ENGINES_CHANGE_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QP_CHANGE_BLOCKS = 256 };

extern const struct qp_kernel qp_kernel_change;

#ifdef __cplusplus
}
#endif
#endif
