/* SPDX-License-Identifier: MIT */
/* Kernels of access, by theme. x is flat; gather's u and v, or the functions' u, are inputs. */
#ifndef QP_OPS_ACCESS_KERNELS_H
#define QP_OPS_ACCESS_KERNELS_H

#include "ops/access/pattern.h"
#include "plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Global memory (global.cu): all kinds that copy. */
extern const struct qp_cuda_kernel qp_kernel_access_simple;
extern const struct qp_cuda_kernel qp_kernel_access_no_l1;
extern const struct qp_cuda_kernel qp_kernel_access_ldg;
extern const struct qp_cuda_kernel qp_kernel_access_four;

/* Pointer chase: each load waits for the one before (chase.cu). */
extern const struct qp_cuda_kernel qp_kernel_access_chase;
extern const struct qp_cuda_kernel qp_kernel_access_chase_no_l1;

/* Remedies for offset and for stride (words.cu). x stands at multiples of 16 bytes. */
extern const struct qp_cuda_kernel qp_kernel_access_8_bytes;
extern const struct qp_cuda_kernel qp_kernel_access_16_bytes;
extern const struct qp_cuda_kernel qp_kernel_access_staged;

/* Shared memory (shared.cu). */
extern const struct qp_cuda_kernel qp_kernel_access_shared;
extern const struct qp_cuda_kernel qp_kernel_access_padded;
extern const struct qp_cuda_kernel qp_kernel_access_pairs;

/* Instructions (instructions.cu): division, modulo, multiply; */
extern const struct qp_cuda_kernel qp_kernel_access_operators;
extern const struct qp_cuda_kernel qp_kernel_access_shifts;
extern const struct qp_cuda_kernel qp_kernel_access_reciprocals;
extern const struct qp_cuda_kernel qp_kernel_access_umul24;

/* divergent and convergent; unrolling. */
extern const struct qp_cuda_kernel qp_kernel_access_branches;
extern const struct qp_cuda_kernel qp_kernel_access_branchless;
extern const struct qp_cuda_kernel qp_kernel_access_rolled;
extern const struct qp_cuda_kernel qp_kernel_access_unrolled;

/* An array of each thread's own (local.cu). */
extern const struct qp_cuda_kernel qp_kernel_access_local;
extern const struct qp_cuda_kernel qp_kernel_access_registers;

/* Functions (functions.cu). */
extern const struct qp_cuda_kernel qp_kernel_access_accurate;
extern const struct qp_cuda_kernel qp_kernel_access_fast;

#ifdef __cplusplus
}
#endif
#endif
