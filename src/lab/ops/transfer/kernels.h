/* SPDX-License-Identifier: MIT */
/* The kernel between two transfers, which also is one where the device reads the host's memory. */
#ifndef QP_OPS_TRANSFER_KERNELS_H
#define QP_OPS_TRANSFER_KERNELS_H

#include "lab/plan/kernel.h"

/* out = x + 1 + ... + 1, `kind` times, of `width` x `height` values in a row; out may be x. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_transfer_move;

#endif
