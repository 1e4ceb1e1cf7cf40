/* SPDX-License-Identifier: MIT */
/* Helpers of the functions that launch kernels: sizes of grids and of shared memory. */
#ifndef QP_ENGINES_LAUNCH_CUH
#define QP_ENGINES_LAUNCH_CUH

#include <cuda_runtime.h>

#include "lab/plan/kernel.h"
#include "toolkit/cuda/device.h"

static inline cudaStream_t stream_of(const struct qp_launch *l)
{
    return (cudaStream_t)l->cuda->stream;
}

/* Cells of the problem's grid. */
static inline size_t cells_of(const struct qp_launch *l)
{
    return (size_t)l->width * (size_t)l->height;
}

/* Number of thread blocks that cover `cells` cells, rows or columns, `block` each; CUDA's grid
 * takes 2^31 - 1 across and 65535 up. */
static inline int blocks_in(size_t cells, size_t block)
{
    return (int)((cells + block - 1) / block);
}

static inline int attribute_of(const struct qp_launch *l, cudaDeviceAttr which)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, which, l->cuda->ordinal);
    return value;
}

/* Bytes of shared memory that a thread block must ask for, needed or not, so that at most `blocks`
 * of them are resident on a multiprocessor. */
static inline int shared_bytes_of(const struct qp_launch *l, int blocks)
{
    const int all = attribute_of(l, cudaDevAttrMaxSharedMemoryPerMultiprocessor) / blocks -
                    attribute_of(l, cudaDevAttrReservedSharedMemoryPerBlock);
    const int most = attribute_of(l, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    return (all < most ? all : most) / 256 * 256;
}

/* Raises the kernel's limit of dynamic shared memory; `percent` of what a multiprocessor has become
 * shared memory rather than cache, cudaSharedmemCarveoutDefault: as much as the driver thinks
 * best. */
static inline enum qp_status allow_shared_bytes(const void *kernel, int bytes, int percent)
{
    int error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error == cudaSuccess)
        error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
    return qp_cuda_check(error, "give a block so much shared memory");
}

#endif
