/* SPDX-License-Identifier: MIT */
/* Kernels of many small Poisson grids: input[0] holds h^2 f. Grids are stored without gaps, cells
 * row by row. */
#ifndef QP_OPS_POISSON5_BATCH_KERNELS_H
#define QP_OPS_POISSON5_BATCH_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_batch_naive;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_batch_graphs;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_poisson5_batch_registers;

#endif
