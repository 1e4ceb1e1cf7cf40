/* SPDX-License-Identifier: MIT */
/* Change of a step, on CUDA: sums of s^2 (out - x)^2 along each row, s = input[0], all three arrays
 * in one layout. scratch takes a sum in double for each row; kind 1: the arrays are doubles. */
#ifndef QP_ENGINES_CHANGE_KERNELS_H
#define QP_ENGINES_CHANGE_KERNELS_H

#include "lab/plan/kernel.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_change;

/* Distances of x from doubles row after row without gaps, input[0]: for each row the largest |x -
 * wanted| into scratch, and after all of them for each row the sum of squares. kind 1: x is in
 * doubles. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_distance;

#endif
