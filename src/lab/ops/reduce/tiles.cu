/* SPDX-License-Identifier: MIT */
/* Ours: one launch for any kind of reduction. Thread blocks take tiles (QP_REDUCE_TILE_VALUES
 * values each) in turn, and the last block to end, found by an atomic ticket, reduces the blocks'
 * results. Tiles, blocks and the order of all additions follow from n alone, so an answer is the
 * same bit for bit on every run and every device.
 *
 * Costs of implementation 7 that it removes: a thread has four loads of 16 bytes under way where 7
 * waits for two of 4; sums are in registers, and warps exchange them by shuffles; there is no
 * second launch to wait for. Blocks at work at a time read neighbouring tiles, so that memory is
 * gone through once from one end to the other, in one front. The time of the memory itself is
 * left. */
#include "lab/engines/launch.cuh"
#include "lab/ops/reduce/kernels.h"

namespace
{

constexpr int THREADS = QP_REDUCE_TILE_THREADS, LOADS = QP_REDUCE_TILE_LOADS, WARP = 32;
constexpr size_t TILE = QP_REDUCE_TILE_VALUES / 4; /* in loads */

/* ---- Kinds: accumulator, how a value joins it, how two accumulators join; 0 is neutral ---- */

struct adding {
    typedef float kept;
    static __device__ kept join(kept a, kept b)
    {
        return a + b;
    }
    static __device__ void give(kept all, int width, float *out)
    {
        out[0] = all;
    }
};

struct sum : adding {
    static constexpr bool pairs = false;
    static __device__ void take(kept &a, float x, float y, size_t i)
    {
        a += x;
    }
};

struct squares : adding {
    static constexpr bool pairs = false;
    static __device__ void take(kept &a, float x, float y, size_t i)
    {
        a += x * x;
    }
};

struct dot : adding {
    static constexpr bool pairs = true;
    static __device__ void take(kept &a, float x, float y, size_t i)
    {
        a += x * y;
    }
};

/* Magnitude as an integer: without their sign, floats are in the order of their bits, and NaN is
 * above infinity. All NaN become one, so that none is larger than another. */
__device__ unsigned magnitude(float x)
{
    return min(__float_as_uint(x) & 0x7fffffffu, 0x7f800001u);
}

struct largest {
    typedef unsigned kept;
    static constexpr bool pairs = false;
    static __device__ kept join(kept a, kept b)
    {
        return max(a, b);
    }
    static __device__ void take(kept &a, float x, float y, size_t i)
    {
        a = max(a, magnitude(x));
    }
    static __device__ void give(kept all, int width, float *out)
    {
        out[0] = __uint_as_float(all);
    }
};

/* The magnitude above, the complement of the place below: the larger of two is the first one of the
 * largest. (A problem has 2^29 values at most: lab/plan/problem.c refuses more.) */
struct place {
    typedef unsigned long long kept;
    static constexpr bool pairs = false;
    static __device__ kept join(kept a, kept b)
    {
        return max(a, b);
    }
    static __device__ void take(kept &a, float x, float y, size_t i)
    {
        a = max(a, (kept)magnitude(x) << 32 | ~(unsigned)i);
    }
    static __device__ void give(kept all, int width, float *out)
    {
        unsigned i = ~(unsigned)all;
        out[0] = __uint_as_float((unsigned)(all >> 32));
        out[1] = (float)(i % width);
        out[2] = (float)(i / width);
    }
};

/* ---- A block ---- */

template <class kind> __device__ typename kind::kept join_warp(typename kind::kept mine)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        mine = kind::join(mine, __shfl_down_sync(0xffffffffu, mine, offset));
    return mine;
}

/* Joins the accumulators of all threads of the block; the result is thread 0's. */
template <class kind> __device__ typename kind::kept join_block(typename kind::kept mine)
{
    __shared__ typename kind::kept warps[THREADS / WARP];
    mine = join_warp<kind>(mine);
    if (threadIdx.x % WARP == 0)
        warps[threadIdx.x / WARP] = mine;
    __syncthreads();
    if (threadIdx.x >= WARP)
        return mine;
    return join_warp<kind>(threadIdx.x < THREADS / WARP ? warps[threadIdx.x] : 0);
}

template <class kind>
__device__ void take_four(typename kind::kept part[4], float4 x, float4 y, size_t i)
{
    kind::take(part[0], x.x, y.x, i);
    kind::take(part[1], x.y, y.y, i + 1);
    kind::take(part[2], x.z, y.z, i + 2);
    kind::take(part[3], x.w, y.w, i + 3);
}

/* Does `loads` loads, then as many additions: a warp that waits for one load has the others under
 * way. */
template <class kind, int loads>
__device__ void take_loads(typename kind::kept part[4], const float4 *x, const float4 *y, size_t i)
{
    float4 a[loads], b[loads];
#pragma unroll
    for (int k = 0; k < loads; k++) {
        a[k] = __ldcs(x + i + k * THREADS);
        b[k] = kind::pairs ? __ldcs(y + i + k * THREADS) : a[k];
    }
#pragma unroll
    for (int k = 0; k < loads; k++)
        take_four<kind>(part, a[k], b[k], 4 * (i + k * THREADS));
}

/* This thread's share of n values: its place in every tile that is the block's turn. The last tile
 * may end early; up to three values after the last four are the first block's. */
template <class kind>
__device__ typename kind::kept take_share(const float *x, const float *y, size_t n)
{
    typename kind::kept part[4] = {};
    const float4 *x4 = (const float4 *)x, *y4 = (const float4 *)y;
    const size_t fours = n / 4, turn = gridDim.x * TILE, last = fours * 4 + threadIdx.x;
    size_t i = blockIdx.x * TILE + threadIdx.x;
    for (; i + (LOADS - 1) * THREADS < fours; i += turn)
        take_loads<kind, LOADS>(part, x4, y4, i);
    for (; i < fours; i += THREADS)
        take_loads<kind, 1>(part, x4, y4, i);
    if (blockIdx.x == 0 && last < n)
        kind::take(part[0], x[last], kind::pairs ? y[last] : 0.0f, last);
    return kind::join(kind::join(part[0], part[1]), kind::join(part[2], part[3]));
}

/* True in all threads of the block that comes last, when all others' writes can be seen. The ticket
 * begins and ends at 0. */
__device__ bool comes_last(unsigned *ticket)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

template <class kind>
__global__ void __launch_bounds__(THREADS)
    reduce(const float *x, const float *y, size_t n, int width, typename kind::kept *blocks,
           unsigned *ticket, float *out)
{
    typename kind::kept all = join_block<kind>(take_share<kind>(x, y, n));
    if (threadIdx.x == 0)
        blocks[blockIdx.x] = all;
    if (!comes_last(ticket))
        return;
    all = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
        all = kind::join(all, __ldcg(&blocks[i]));
    all = join_block<kind>(all);
    if (threadIdx.x == 0)
        kind::give(all, width, out);
}

/* ---- Launches ---- */

constexpr size_t TICKET_BYTES = 256; /* in front of the blocks' results, to keep them aligned */

double scratch(const struct qp_launch *l)
{
    return (double)(TICKET_BYTES + qp_tile_blocks(cells_of(l)) * sizeof(place::kept));
}

enum qp_status start(struct qp_launch *l)
{
    return qp_cuda_check(cudaMemsetAsync(l->scratch, 0, TICKET_BYTES, stream_of(l)),
                         "set a ticket to 0");
}

template <class kind> void run(const struct qp_launch *l)
{
    typename kind::kept *blocks = (typename kind::kept *)((char *)l->scratch + TICKET_BYTES);
    reduce<kind><<<(unsigned)qp_tile_blocks(cells_of(l)), THREADS, 0, stream_of(l)>>>(
        l->input[0], l->input[1], cells_of(l), l->width, blocks, (unsigned *)l->scratch, l->out);
}

/* Functions in the order of the operation's kinds. */
void (*const runs[])(const struct qp_launch *) = {run<sum>, run<squares>, run<dot>, run<largest>,
                                                  run<place>};

enum qp_status launch(struct qp_launch *l)
{
    runs[l->kind](l);
    return qp_cuda_check_launch("reduce/cuda_tiles");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_reduce_tiles = {
    .launch = launch, .scratch = scratch, .start = start};
