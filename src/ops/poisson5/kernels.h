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

/* Ours (cuda_fast.c). */
extern const struct qp_kernel qp_kernel_poisson5_sweep;
extern const struct qp_kernel qp_kernel_poisson5_sweep_double;
extern const struct qp_kernel qp_kernel_poisson5_temporal;
extern const struct qp_kernel qp_kernel_poisson5_temporal_double;
extern const struct qp_kernel qp_kernel_poisson5_red_black;
extern const struct qp_kernel qp_kernel_poisson5_red_black_double;
extern const struct qp_kernel qp_kernel_poisson5_resident;
extern const struct qp_kernel qp_kernel_poisson5_resident_double;
extern const struct qp_kernel qp_kernel_poisson5_red_black_resident;
extern const struct qp_kernel qp_kernel_poisson5_red_black_resident_double;

#ifdef __cplusplus
}
#endif
#endif
