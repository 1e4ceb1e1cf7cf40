/* SPDX-License-Identifier: MIT */
/* Paper 4's ladder: a launch leaves one value a block (or, at its foot, a thread), and launches
 * follow each other until one value is left. Each kernel is one of the slides' changes away from
 * the one before, but that 5 has two forms and 6 goes on from its first. A change may take back
 * part of another: 5 keeps a thread's sum in a register, 6 reads it from shared memory again.
 *
 * Differences from the slides, in all of them:
 *   - a launch writes to an array of its own. The slides write v[block] over v, which a block that
 *     starts late has still to read.
 *   - what lies after the n-th value counts as 0 and is not read, so n may be any number.
 *   - floats in place of the first slides' int. */
#include "lab/engines/launch.cuh"
#include "lab/ops/reduce/kernels.h"
#include "lab/ops/reduce/pairs.h"

namespace
{

constexpr unsigned BLOCK = QP_REDUCE_BLOCK;

typedef void rung_kernel(const float *v, size_t n, float *out);

__device__ float at(const float *v, size_t i, size_t n)
{
    return i < n ? v[i] : 0.0f;
}

/* A round of a block's addition in shared memory. */
template <qp_rung_pairs PAIRS> __device__ void add_pair(float *sv, unsigned s)
{
    unsigned index;
    if (qp_rung_pair(PAIRS, threadIdx.x, s, blockDim.x, &index))
        sv[index] += sv[index + s];
    __syncthreads();
}

/* Slide 38: a pair a thread. Shows the cost of exchanging sums through device memory, when a launch
 * has ended: log2 n launches, 2 n values read and n written. */
__global__ void naive(const float *v, size_t n, float *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i < n)
        out[i] = v[2 * i] + at(v, 2 * i + 1, n);
}

/* Implementation 1, slide 40: a block adds in shared memory, so n / 256 values are written and
 * there are log256 n launches. Shows divergence: working threads are 2 s apart, so that no warp may
 * sit out the first five of eight rounds, though ever fewer of its threads work; and every thread
 * computes a remainder. */
__global__ void interleaved(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    sv[threadIdx.x] = at(v, (size_t)blockIdx.x * blockDim.x + threadIdx.x, n);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2)
        add_pair<QP_PAIRS_INTERLEAVED>(sv, s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sv[0];
}

/* Implementation 2, slide 42: the first threads work, so whole warps do or do not: no divergence
 * before the last warp, no remainder. Shows bank conflicts: neighbours are 2 s words apart, so
 * that of a warp's threads 2 meet in a bank at first, 8 at s = 4, and from s = 16 on all that
 * still work. */
__global__ void strided(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    sv[threadIdx.x] = at(v, (size_t)blockIdx.x * blockDim.x + threadIdx.x, n);
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2)
        add_pair<QP_PAIRS_STRIDED>(sv, s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sv[0];
}

/* The upper half of a block's sums is added to the lower half until one is left: two reads of
 * shared memory and a write a step. */
__device__ void add_halves(float *sv, float *out)
{
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1)
        add_pair<QP_PAIRS_SEQUENTIAL>(sv, s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sv[0];
}

/* Implementation 3, slide 43: halves are added to halves, so threads at work are side by side:
 * neither divergence nor conflicts. Shows idle threads: half of them only load. */
__global__ void sequential(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    sv[threadIdx.x] = at(v, (size_t)blockIdx.x * blockDim.x + threadIdx.x, n);
    add_halves(sv, out);
}

/* Loads two values a thread and adds them. */
__device__ float load_two(const float *v, size_t n)
{
    size_t i = (size_t)blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    return at(v, i, n) + at(v, i + blockDim.x, n);
}

/* Implementation 4, slide 44: the first addition needs no partner, so half as many threads do the
 * same work. Removes the idle half; shows the price of instructions: loop, condition, barrier. */
__global__ void first_add(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    sv[threadIdx.x] = load_two(v, n);
    add_halves(sv, out);
}

/* Halves are added to halves down to 64 sums. A thread's own sum stays in a register (slide 46's
 * mySum), so that a step reads shared memory once. */
__device__ float halve(float *sv, float sum)
{
    sv[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (threadIdx.x < s)
            sv[threadIdx.x] = sum = sum + sv[threadIdx.x + s];
        __syncthreads();
    }
    return sum;
}

/* The last 64 sums, by one warp. The slides have no barrier here, only `volatile`: the threads of a
 * warp went in step until compute capability 7.0. Since then each goes its own way and a thread
 * could write what its neighbour has still to read, hence a barrier of the warp after the reads and
 * one after the writes. */
__device__ float last_warp(float *sv, float sum)
{
    for (unsigned s = 32; s > 0; s >>= 1) {
        sum += sv[threadIdx.x + s];
        __syncwarp();
        sv[threadIdx.x] = sum;
        __syncwarp();
    }
    return sum;
}

/* Implementation 5, slide 46: when one warp is left, the block's barriers and conditions go, and
 * the other warps end early; and sums are in registers. (mySum starts at 0 on the slide, which
 * would lose the thread's own sum.) */
__global__ void unrolled_warp(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    float sum = halve(sv, load_two(v, n));
    if (threadIdx.x < 32)
        sum = last_warp(sv, sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* Slide 47: 5 with its last warp exchanging registers, without shared memory and its barriers. (The
 * slide leaves out the mask of threads that take part.) */
__global__ void shuffle(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    float sum = halve(sv, load_two(v, n));
    if (threadIdx.x < 32) {
        sum += sv[threadIdx.x + 32];
        for (int offset = warpSize / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* Halves added to halves and `last_warp`, for a block whose size the compiler knows. */
template <unsigned block> __device__ void add_block(float *sv, float *out)
{
    unsigned tid = threadIdx.x;
    if (block >= 512) {
        if (tid < 256)
            sv[tid] += sv[tid + 256];
        __syncthreads();
    }
    if (block >= 256) {
        if (tid < 128)
            sv[tid] += sv[tid + 128];
        __syncthreads();
    }
    if (block >= 128) {
        if (tid < 64)
            sv[tid] += sv[tid + 64];
        __syncthreads();
    }
    float sum = tid < 32 ? last_warp(sv, sv[tid]) : 0.0f;
    if (tid == 0)
        out[blockIdx.x] = sum;
}

/* Implementation 6, slide 49: 5 with its last warp in shared memory, + the block's size is a
 * constant, so no loop is left: no jumps, no counter. */
template <unsigned block> __global__ void unrolled(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    sv[threadIdx.x] = load_two(v, n);
    __syncthreads();
    add_block<block>(sv, out);
}

/* Implementation 7, slide 52: + about log2 n values a thread before its block adds, so all that is
 * paid once a thread or a block is paid for log2 n values: n / log2 n threads cost O(n) where n
 * threads cost O(n log n). (The slide reads v[i + block] without asking whether it is there.) */
template <unsigned block> __global__ void cascaded(const float *v, size_t n, float *out)
{
    extern __shared__ float sv[];
    unsigned tid = threadIdx.x;
    const size_t grid = (size_t)block * 2 * gridDim.x;
    sv[tid] = 0.0f;
    for (size_t i = (size_t)blockIdx.x * (block * 2) + tid; i < n; i += grid)
        sv[tid] += v[i] + at(v, i + block, n);
    __syncthreads();
    add_block<block>(sv, out);
}

/* ---- Launches ---- */

/* Bytes for the values that the first launch leaves, and the second; later ones take turns. */
double scratch(const struct qp_launch *l)
{
    const struct qp_rung *rung = (const struct qp_rung *)l->user;
    size_t first = qp_rung_left(rung, cells_of(l));
    return (double)(first + qp_rung_left(rung, first)) * sizeof(float);
}

enum qp_status climb(const struct qp_launch *l, rung_kernel *kernel, const char *name)
{
    const struct qp_rung *rung = (const struct qp_rung *)l->user;
    const float *from = l->input[0];
    size_t n = cells_of(l);
    float *even = (float *)l->scratch, *odd = even + qp_rung_left(rung, n), *to;
    enum qp_status status;
    do {
        size_t left = qp_rung_left(rung, n);
        size_t blocks = rung->alone ? blocks_in(left, BLOCK) : left;
        to = left == 1 ? l->out : from == even ? odd : even;
        kernel<<<(unsigned)blocks, BLOCK, BLOCK * sizeof(float), stream_of(l)>>>(from, n, to);
        status = qp_cuda_check_launch(name);
        from = to;
        n = left;
    } while (status == QP_OK && to != l->out);
    return status;
}

} // namespace

#define RUNG(name, kernel)                                                          \
    static enum qp_status launch_##name(struct qp_launch *l)                        \
    {                                                                               \
        return climb(l, kernel, "reduce/cuda_" #name);                              \
    }                                                                               \
    const struct qp_cuda_kernel qp_kernel_reduce_##name = {.launch = launch_##name, \
                                                           .scratch = scratch};

RUNG(naive, naive)
RUNG(interleaved, interleaved)
RUNG(strided, strided)
RUNG(sequential, sequential)
RUNG(first_add, first_add)
RUNG(unrolled_warp, unrolled_warp)
RUNG(shuffle, shuffle)
RUNG(unrolled, unrolled<BLOCK>)
RUNG(cascaded, cascaded<BLOCK>)
