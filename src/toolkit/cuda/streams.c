/* SPDX-License-Identifier: MIT */
#include "toolkit/cuda/streams.h"

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

enum qp_status qp_cuda_fork_first(const struct qp_cuda *cuda, struct qp_cuda *out)
{
    cudaStream_t stream = NULL;
    int last, first = 0;
    cudaError_t error = cudaSetDevice(cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaDeviceGetStreamPriorityRange(&last, &first);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first);
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

enum qp_status qp_cuda_pin(size_t bytes, void **out)
{
    *out = NULL;
    return count(
        qp_cuda_check(cudaHostAlloc(out, bytes, cudaHostAllocPortable), "lock memory of the host"));
}

void qp_cuda_unpin(void *memory)
{
    if (memory == NULL)
        return;
    cudaFreeHost(memory);
    atomic_fetch_sub(&live, 1);
}

enum qp_status qp_cuda_move_rows(const struct qp_cuda *cuda, const struct qp_cuda_rows *rows)
{
    return qp_cuda_check(cudaMemcpy2DAsync(rows->to, rows->to_pitch, rows->from, rows->from_pitch,
                                           rows->bytes, (size_t)rows->count, cudaMemcpyDefault,
                                           cuda->stream),
                         "begin a copy of rows");
}

enum qp_status qp_cuda_reach(int ordinal, int other, bool *reaches)
{
    int can = ordinal == other;
    cudaError_t error = cudaSuccess;
    if (!can)
        error = cudaDeviceCanAccessPeer(&can, ordinal, other);
    if (error == cudaSuccess && can && ordinal != other) {
        error = cudaSetDevice(ordinal);
        if (error == cudaSuccess)
            error = cudaDeviceEnablePeerAccess(other, 0);
        if (error == cudaErrorPeerAccessAlreadyEnabled) {
            cudaGetLastError();
            error = cudaSuccess;
        }
    }
    *reaches = can != 0;
    return qp_cuda_check(error, "let a device reach another one's memory");
}

/* ---- Events ---- */

enum qp_status qp_cuda_event_make(int ordinal, void **event)
{
    cudaEvent_t made = NULL;
    cudaError_t error = cudaSetDevice(ordinal);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    *event = made;
    return count(qp_cuda_check(error, "make an event"));
}

void qp_cuda_event_free(void **event)
{
    if (*event == NULL)
        return;
    cudaEventDestroy(*event);
    *event = NULL;
    atomic_fetch_sub(&live, 1);
}

enum qp_status qp_cuda_record(const struct qp_cuda *cuda, void *event)
{
    return qp_cuda_check(cudaEventRecord(event, cuda->stream), "record an event");
}

enum qp_status qp_cuda_follow(const struct qp_cuda *cuda, void *event)
{
    return qp_cuda_check(cudaStreamWaitEvent(cuda->stream, event, 0), "wait for an event");
}

enum qp_status qp_cuda_await(void *event)
{
    return qp_cuda_check(cudaEventSynchronize(event), "finish the work before an event");
}
