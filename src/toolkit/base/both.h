/* SPDX-License-Identifier: MIT */
/* Functions that CUDA kernels and the host's code share. */
#ifndef QP_BASE_BOTH_H
#define QP_BASE_BOTH_H

#ifdef __CUDACC__
#define QP_BOTH static __host__ __device__ inline
#else
#define QP_BOTH static inline
#endif

#endif
