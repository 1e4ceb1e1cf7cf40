/* SPDX-License-Identifier: MIT */
/* Kernels of many small systems: input[0] holds the systems, out the answers
 * (gauss_jordan_batch.h), one after the other. x and its layout do not matter. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_KERNELS_H
#define QP_OPS_GAUSS_JORDAN_BATCH_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_gauss_jordan_batch_registers;

#endif
