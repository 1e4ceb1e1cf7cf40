/* SPDX-License-Identifier: MIT */
#include "toolkit/cuda/device.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

static atomic_size_t live_blocks;

/* CUDA's own words for an error, which are short. */
static enum qp_status fail_with(enum qp_status status, cudaError_t error, const char *doing)
{
    return qp_fail(status, "CUDA could not %s: %s (%s)", doing, cudaGetErrorString(error),
                   cudaGetErrorName(error));
}

enum qp_status qp_cuda_check(int error, const char *doing)
{
    if (error == cudaSuccess)
        return QP_OK;
    cudaGetLastError(); /* clears the error, if it is one that CUDA can clear */
    if (error == cudaErrorMemoryAllocation)
        return qp_fail(QP_NO_MEMORY,
                       "CUDA could not %s: out of memory; take a smaller problem, or end other "
                       "programs that use the device",
                       doing);
    return fail_with(QP_DEVICE, (cudaError_t)error, doing);
}

enum qp_status qp_cuda_check_launch(const char *kernel)
{
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return QP_OK;
    return qp_fail(QP_DEVICE, "CUDA could not launch %s: %s (%s)", kernel,
                   cudaGetErrorString(error), cudaGetErrorName(error));
}

/* ---- Which devices there are ---- */

static enum qp_status explain(cudaError_t error)
{
    int driver = 0, runtime = 0;
    cudaGetLastError();
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (error == cudaErrorInsufficientDriver && driver == 0)
        return qp_fail(QP_UNSUPPORTED, "no NVIDIA driver here (libcuda.so.1 is missing)");
    if (error == cudaErrorInsufficientDriver)
        return qp_fail(QP_UNSUPPORTED,
                       "the NVIDIA driver knows CUDA %d.%d and this library was built with %d.%d; "
                       "install a newer driver",
                       driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    if (error == cudaErrorNoDevice)
        return qp_fail(QP_UNSUPPORTED, "no CUDA device here");
    return fail_with(QP_UNSUPPORTED, error, "list its devices");
}

/* Kernels exist for one architecture and, compiled when they are loaded (PTX), for newer ones. */
static enum qp_status look_at_architecture(int ordinal)
{
    int major = 0, minor = 0;
    cudaError_t error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal);
    if (error != cudaSuccess)
        return qp_cuda_check(error, "ask for the device's compute capability");
    if (10 * major + minor >= QP_CUDA_ARCH)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "this GPU is of compute capability %d.%d and the kernels were built for %d.%d; "
                   "build with CUDA_ARCH=%d%d",
                   major, minor, QP_CUDA_ARCH / 10, QP_CUDA_ARCH % 10, major, minor);
}

enum qp_status qp_cuda_look(int ordinal)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess)
        return explain(error);
    if (count == 0)
        return explain(cudaErrorNoDevice);
    if (ordinal >= count)
        return qp_fail(QP_UNSUPPORTED,
                       "CUDA has no device %d: it lists %d, counted from 0; look at "
                       "CUDA_VISIBLE_DEVICES",
                       ordinal, count);
    return look_at_architecture(ordinal >= 0 ? ordinal : 0);
}

int qp_cuda_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess)
        return count;
    cudaGetLastError();
    return 0;
}

bool qp_cuda_bus(int ordinal, char *text, int size)
{
    if (cudaDeviceGetPCIBusId(text, size, ordinal) == cudaSuccess)
        return true;
    cudaGetLastError();
    return false;
}

static enum qp_status read_attributes(struct qp_cuda *cuda)
{
    const struct {
        enum cudaDeviceAttr attribute;
        int *to;
    } all[] = {
        {cudaDevAttrComputeCapabilityMajor, &cuda->major},
        {cudaDevAttrComputeCapabilityMinor, &cuda->minor},
        {cudaDevAttrMultiProcessorCount, &cuda->multiprocessors},
        {cudaDevAttrMaxThreadsPerMultiProcessor, &cuda->threads},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, &cuda->shared_bytes},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, &cuda->double_ratio},
        {cudaDevAttrClockRate, &cuda->clock_khz},
        {cudaDevAttrMemoryClockRate, &cuda->memory_clock_khz},
        {cudaDevAttrGlobalMemoryBusWidth, &cuda->memory_bus_bits},
        {cudaDevAttrL2CacheSize, &cuda->l2_bytes},
    };
    size_t unused;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && error == cudaSuccess; i++)
        error = cudaDeviceGetAttribute(all[i].to, all[i].attribute, cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaDriverGetVersion(&cuda->driver);
    if (error == cudaSuccess)
        error = cudaRuntimeGetVersion(&cuda->runtime);
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&unused, &cuda->memory_bytes);
    return qp_cuda_check(error, "ask for the device's attributes");
}

/* Only the properties hold the name. */
static enum qp_status read_name(struct qp_cuda *cuda)
{
    struct cudaDeviceProp properties;
    const enum qp_status status = qp_cuda_check(cudaGetDeviceProperties(&properties, cuda->ordinal),
                                                "ask for the device's name");
    if (status == QP_OK)
        memcpy(cuda->name, properties.name, sizeof cuda->name);
    return status;
}

/* Facts do not change. Asking for the name, or for the clocks, takes longer than the rest of
 * opening a device, so they are asked for once. */
static enum qp_status read_facts(struct qp_cuda *cuda)
{
    static _Thread_local struct qp_cuda known = {.ordinal = -1};
    void *const stream = cuda->stream;
    enum qp_status status = QP_OK;
    if (known.ordinal != cuda->ordinal) {
        status = read_attributes(cuda);
        if (status == QP_OK)
            status = read_name(cuda);
        if (status != QP_OK)
            return status;
        known = *cuda;
    }
    *cuda = known;
    cuda->stream = stream;
    return QP_OK;
}

/* Creating a context is put off by CUDA until it is needed: cudaFree(0) needs it. */
static enum qp_status start(struct qp_cuda *cuda)
{
    cudaStream_t stream = NULL;
    cudaError_t error = cudaSetDevice(cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaFree(0);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cuda->stream = stream;
    return qp_cuda_check(error, "open the device");
}

enum qp_status qp_cuda_open(int ordinal, struct qp_cuda **out)
{
    *out = NULL;
    enum qp_status status = qp_cuda_look(ordinal);
    if (status != QP_OK)
        return status;
    struct qp_cuda *cuda = qp_alloc_zero(1, sizeof *cuda, "a CUDA device");
    if (cuda == NULL)
        return QP_NO_MEMORY;
    cuda->ordinal = ordinal >= 0 ? ordinal : 0;
    status = start(cuda);
    if (status == QP_OK)
        status = read_facts(cuda);
    if (status != QP_OK) {
        qp_cuda_close(&cuda);
        return status;
    }
    *out = cuda;
    return QP_OK;
}

void qp_cuda_close(struct qp_cuda **cuda)
{
    if (cuda == NULL || *cuda == NULL)
        return;
    struct qp_cuda *old = *cuda;
    cudaSetDevice(old->ordinal);
    if (old->stream != NULL)
        cudaStreamDestroy(old->stream);
    cudaGetLastError();
    free(old);
    *cuda = NULL;
}

/* cudaGetDevice is cheaper than cudaSetDevice, which is seldom needed. */
void qp_cuda_select(const struct qp_cuda *cuda)
{
    int current = -1;
    cudaGetDevice(&current);
    if (current != cuda->ordinal)
        cudaSetDevice(cuda->ordinal);
}

/* ---- Memory ---- */

enum qp_status qp_cuda_allocate(struct qp_cuda *cuda, size_t bytes, const char *what, void **out)
{
    *out = NULL;
    cudaError_t error = cudaSetDevice(cuda->ordinal);
    if (error == cudaSuccess)
        error = cudaMalloc(out, bytes);
    if (error == cudaSuccess) {
        atomic_fetch_add(&live_blocks, 1);
        return QP_OK;
    }
    *out = NULL;
    cudaGetLastError();
    if (error != cudaErrorMemoryAllocation)
        return fail_with(QP_DEVICE, error, "allocate memory");
    size_t there = 0, all;
    cudaMemGetInfo(&there, &all);
    return qp_fail(QP_NO_MEMORY,
                   "%s: %.3g GB are needed and the device has %.3g left; take a smaller problem",
                   what, 1e-9 * (double)bytes, 1e-9 * (double)there);
}

void qp_cuda_free(struct qp_cuda *cuda, void *memory)
{
    if (memory == NULL)
        return;
    cudaSetDevice(cuda->ordinal);
    cudaFree(memory);
    atomic_fetch_sub(&live_blocks, 1);
}

static enum qp_status copy(struct qp_cuda *cuda, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind, const char *doing)
{
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, cuda->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(cuda->stream);
    return qp_cuda_check(error, doing);
}

enum qp_status qp_cuda_upload(struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
{
    return copy(cuda, to, from, bytes, cudaMemcpyHostToDevice, "copy to the device");
}

enum qp_status qp_cuda_download(struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
{
    return copy(cuda, to, from, bytes, cudaMemcpyDeviceToHost, "copy from the device");
}

enum qp_status qp_cuda_poison(struct qp_cuda *cuda, void *memory, size_t bytes)
{
    qp_cuda_select(cuda);
    return qp_cuda_check(cudaMemsetAsync(memory, 0xff, bytes, cuda->stream), "fill memory");
}

enum qp_status qp_cuda_wait(struct qp_cuda *cuda)
{
    return qp_cuda_check(cudaStreamSynchronize(cuda->stream), "finish a kernel");
}

size_t qp_cuda_live_blocks(void)
{
    return atomic_load(&live_blocks);
}
