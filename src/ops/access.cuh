/* SPDX-License-Identifier: MIT */
/* What the launchers of access share. */
#ifndef QP_OPS_ACCESS_CUH
#define QP_OPS_ACCESS_CUH

#include "ops/access_kernels.h"

constexpr unsigned BLOCK = 256; /* threads */

static inline cudaStream_t stream_of(const struct qp_launch *l)
{
    return (cudaStream_t)l->cuda->stream;
}

static inline unsigned cells_of(const struct qp_launch *l)
{
    return (unsigned)l->width * (unsigned)l->height;
}

/* Blocks of so many threads. */
static inline unsigned blocks_for(unsigned threads, unsigned block = BLOCK)
{
    return (threads + block - 1) / block;
}

#endif
