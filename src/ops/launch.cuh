/* SPDX-License-Identifier: MIT */
/* What launchers ask of a launch. */
#ifndef QP_OPS_LAUNCH_CUH
#define QP_OPS_LAUNCH_CUH

#include <cuda_runtime.h>

#include "ops/kernel.h"

static inline cudaStream_t stream_of(const struct qp_launch *l)
{
    return (cudaStream_t)l->cuda->stream;
}

/* Of the problem's grid. */
static inline size_t cells_of(const struct qp_launch *l)
{
    return (size_t)l->width * (size_t)l->height;
}

/* Blocks of `block` each that cover so many cells, rows or columns; a grid takes 2^31 - 1. */
static inline int blocks_in(size_t cells, size_t block)
{
    return (int)((cells + block - 1) / block);
}

#endif
