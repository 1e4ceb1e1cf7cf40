/* SPDX-License-Identifier: MIT */
/* Kernels of access, by theme. x is flat; gather's u and v, or the functions' u, are inputs. */
#ifndef QP_OPS_ACCESS_KERNELS_H
#define QP_OPS_ACCESS_KERNELS_H

#include "lab/ops/access/pattern.h"
#include "lab/plan/kernel.h"

/* Global memory (global.cu): all kinds that copy. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_simple;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_no_l1;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_ldg;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_four;

/* Pointer chase: each load waits for the one before (chase.cu). */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_chase;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_chase_no_l1;

/* Remedies for offset and for stride (words.cu). x begins at a multiple of 16 bytes. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_8_bytes;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_16_bytes;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_staged;

/* Shared memory (shared.cu). */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_shared;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_padded;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_pairs;

/* Instructions (instructions.cu): division, modulo, multiply; */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_operators;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_shifts;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_reciprocals;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_umul24;

/* divergent and convergent; unrolling. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_branches;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_branchless;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_rolled;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_unrolled;

/* An array of each thread's own (local.cu). */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_local;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_registers;

/* Functions (functions.cu). */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_accurate;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_access_fast;

#endif
