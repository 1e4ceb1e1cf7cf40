/* SPDX-License-Identifier: MIT */
/* Kernels of Poisson's equation (paper 5, section 3.2). The input is h^2 f, where the kind has an array of it. */
#ifndef QP_OPS_POISSON5_KERNELS_H
#define QP_OPS_POISSON5_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct qp_kernel qp_kernel_poisson5_naive;
extern const struct qp_kernel qp_kernel_poisson5_naive_double;
extern const struct qp_kernel qp_kernel_poisson5_async0;
extern const struct qp_kernel qp_kernel_poisson5_async1;
extern const struct qp_kernel qp_kernel_poisson5_async2;
extern const struct qp_kernel qp_kernel_poisson5_async3;
extern const struct qp_kernel qp_kernel_poisson5_async_tiles;

#ifdef __cplusplus
}
#endif
#endif
