/* SPDX-License-Identifier: MIT */
/* Kernels of nine-band Jacobi (paper 3, sections 6 and 8, and ours). Inputs come in the order of
 * kernels.cuh or as the kernel says. */
#ifndef QP_OPS_JACOBI9_KERNELS_H
#define QP_OPS_JACOBI9_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_flat;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_pitched;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_double;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_texture;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_shared;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_shared_diagonal;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_symmetric;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_streaming;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_streaming_divided;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_resident;

/* The arithmetic of shaders/jacobi9/luminance.frag with its inputs in that order, on textures
 * shared with fragment shaders (lab/engines/shared.h): fetched as the shader does, or read from
 * surfaces. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_array_textures;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_jacobi9_array_surfaces;

#endif
