/* SPDX-License-Identifier: MIT */
/* Kernels on textures shared with fragment shaders (engines/shared.c). */
#ifndef QP_OPS_JACOBI9_ARRAYS_KERNELS_H
#define QP_OPS_JACOBI9_ARRAYS_KERNELS_H

#include <quadpass/cuda.h>

#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays of such a launch, in launch->own, in place of pointers. */
struct qp_shared_arrays {
    struct qp_shared_view x, out, input[QP_LAUNCH_INPUTS];
    int origin_x, origin_y; /* texel of the domain's first cell, in all of them */
    int first_row;          /* first row of the domain that the kernel computes */
};

/* The arithmetic of shaders/jacobi9/luminance.frag with its inputs in that order, fetched as the
 * shader does, or read from surfaces. */
extern const struct qp_kernel qp_kernel_jacobi9_array_textures;
extern const struct qp_kernel qp_kernel_jacobi9_array_surfaces;

#ifdef __cplusplus
}
#endif
#endif
