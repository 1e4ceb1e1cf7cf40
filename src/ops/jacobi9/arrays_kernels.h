/* SPDX-License-Identifier: MIT */
/* Kernels on textures shared with fragment shaders (engines/shared.h). */
#ifndef QP_OPS_JACOBI9_ARRAYS_KERNELS_H
#define QP_OPS_JACOBI9_ARRAYS_KERNELS_H

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arithmetic of shaders/jacobi9/luminance.frag with its inputs in that order, fetched as the
 * shader does, or read from surfaces. */
extern const struct qp_cuda_kernel qp_kernel_jacobi9_array_textures;
extern const struct qp_cuda_kernel qp_kernel_jacobi9_array_surfaces;

#ifdef __cplusplus
}
#endif
#endif
