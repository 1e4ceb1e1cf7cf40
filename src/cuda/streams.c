/* SPDX-License-Identifier: MIT */
#include "cuda/streams.h"

#include <stdatomic.h>

#include <cuda_runtime_api.h>

static atomic_size_t live;

static enum qp_status count(enum qp_status status)
{
    if (status == QP_OK)
        atomic_fetch_add(&live, 1);
    return status;
}

size_t qp_cuda_live_streams(void)
{
    return atomic_load(&live);
}

enum qp_status qp_cuda_lock(struct qp_cuda *cuda, void *memory, size_t bytes)
{
    cudaError_t error = cudaSetDevice(cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaHostRegister(memory, bytes, cudaHostRegisterMapped);
    return count(qp_cuda_check(error, "lock the host's memory"));
}

void qp_cuda_unlock(struct qp_cuda *cuda, void *memory)
{
    cudaSetDevice(cuda->ordinal);
    cudaHostUnregister(memory);
    atomic_fetch_sub(&live, 1);
}

enum qp_status qp_cuda_see(struct qp_cuda *cuda, void *memory, void **out)
{
    cudaError_t error = cudaSetDevice(cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaHostGetDevicePointer(out, memory, 0);
    return qp_cuda_check(error, "show the host's memory to the device");
}

enum qp_status qp_cuda_fork(const struct qp_cuda *cuda, struct qp_cuda *out)
{
    cudaStream_t stream = NULL;
    cudaError_t error = cudaSetDevice(cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    *out = *cuda;
    out->stream = stream;
    return count(qp_cuda_check(error, "make a stream"));
}

void qp_cuda_join(struct qp_cuda *fork)
{
    if (fork->stream == NULL)
        return;
    cudaSetDevice(fork->ordinal);
    cudaStreamSynchronize(fork->stream);
    cudaStreamDestroy(fork->stream);
    fork->stream = NULL;
    atomic_fetch_sub(&live, 1);
}

enum qp_status qp_cuda_send(struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
{
    return qp_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, cuda->stream),
                         "begin a copy to the device");
}

enum qp_status qp_cuda_fetch(struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
{
    return qp_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, cuda->stream),
                         "begin a copy from the device");
}
