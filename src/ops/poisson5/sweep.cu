/* SPDX-License-Identifier: MIT */
/* Ours: the fastest single step over a grid that no cache holds, for which memory's rate is the bound: a value read and a
 * value written an update. A thread has 16 bytes of a row, goes up some rows and keeps three of them in registers;
 * neighbours across come by shuffles, at the ends of a warp by a load. Against the ladder of paper 5, 3.2, this removes
 * shared memory, its barriers, and fringes but for two rows a chunk, which the second-level cache has. BATCH rows are
 * loaded at once, so that enough bytes are under way; every other step goes through the grid backwards, and finds what
 * the step before it wrote last in the second-level cache. */
#include "engines/launch.cuh"
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/pieces.cuh"
#include "ops/poisson5/rounded.cuh"
#include "ops/poisson5/spike.h"

namespace
{

using namespace poisson5;

constexpr int LANES = 32, THREADS = 128; /* of a block, along a row */

template <typename T> struct task {
    const T *x, *rhs; /* rhs: h^2 f, or NULL where it is 1 at the spike and else 0 */
    T *out;
    int width, height, pitch, rhs_pitch;
    int across, rows; /* blocks across, and rows of each */
    bool backwards;
    T weight;
    int spike_x, spike_y;
};

template <typename T> struct line {
    static constexpr int cells = PIECE / (int)sizeof(T);
    alignas(PIECE) T x[cells];
};

template <typename T> __device__ __forceinline__ line<T> load(const T *from, bool there)
{
    line<T> l = {};
    if (there)
        *(typename piece_of<T>::type *)l.x = *(const typename piece_of<T>::type *)from;
    return l;
}

/* Where a thread is. */
template <typename T> struct place {
    int column;
    bool there;   /* its cells, or the rim behind the last one */
    bool fringed; /* at an end of its warp, whose neighbour beside is loaded */
    int beside;   /* that neighbour, from this column */
};

/* A row's update from the rows around it, and the cell beside the warp. */
template <typename T, bool ARRAY, bool WEIGHTED>
__device__ __forceinline__ line<T> update(const task<T> &t, const place<T> &p, int y,
                                          const line<T> &below, const line<T> &here,
                                          const line<T> &above, T beside, const line<T> &side)
{
    constexpr int cells = line<T>::cells;
    const int lane = threadIdx.x % LANES;
    T left = __shfl_up_sync(~0u, here.x[cells - 1], 1), right = __shfl_down_sync(~0u, here.x[0], 1);
    left = lane == 0 ? beside : left;
    right = lane == LANES - 1 ? beside : right;
    line<T> result;
#pragma unroll
    for (int k = 0; k < cells; k++) {
        T sum = add(add(k > 0 ? here.x[k > 0 ? k - 1 : 0] : left,
                        k < cells - 1 ? here.x[k < cells - 1 ? k + 1 : 0] : right),
                    add(below.x[k], above.x[k]));
        sum = add(sum, ARRAY ? side.x[k] : T(y == t.spike_y && p.column + k == t.spike_x));
        const T value = times(sum, T(0.25));
        result.x[k] = WEIGHTED ? relax(here.x[k], value, t.weight) : value;
    }
    return result;
}

template <typename T, bool STREAMS>
__device__ __forceinline__ void store(const task<T> &t, const place<T> &p, int y, const line<T> &l)
{
    typedef typename piece_of<T>::type piece;
    T *to = t.out + y * (long)t.pitch + p.column;
    if (p.column + line<T>::cells <= t.width) {
        if (STREAMS)
            __stcs((piece *)to, *(const piece *)l.x);
        else
            *(piece *)to = *(const piece *)l.x;
    } else {
#pragma unroll
        for (int k = 0; k < line<T>::cells - 1; k++)
            if (p.column + k < t.width)
                to[k] = l.x[k];
    }
}

template <typename T, bool ARRAY, bool WEIGHTED, int BATCH, bool STREAMS>
__global__ void __launch_bounds__(THREADS) sweep(const task<T> t)
{
    constexpr int cells = line<T>::cells;
    const int block = t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const int lane = threadIdx.x % LANES, first = block / t.across * t.rows;
    const int end = min(t.height, first + t.rows);
    place<T> p;
    p.column = (block % t.across * THREADS + threadIdx.x) * cells;
    p.there = p.column <= t.width;
    p.beside = lane == 0 ? -1 : cells;
    p.fringed = p.there && (lane == 0 || (lane == LANES - 1 && p.column + cells <= t.width));
    const T *from = t.x + first * (long)t.pitch + p.column;
    line<T> below = load(from - t.pitch, p.there), here = load(from, p.there);
    for (int y = first; y < end; y += BATCH) {
        line<T> above[BATCH], side[BATCH];
        T beside[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const bool row = y + k < end;
            above[k] = load(from + (k + 1) * (long)t.pitch, p.there && row);
            beside[k] = p.fringed && row ? from[k * (long)t.pitch + p.beside] : T(0);
            if (ARRAY)
                side[k] = load(t.rhs + (y + k) * (long)t.rhs_pitch + p.column, p.there && row);
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const line<T> result =
                update<T, ARRAY, WEIGHTED>(t, p, y + k, below, here, above[k], beside[k], side[k]);
            if (y + k < end)
                store<T, STREAMS>(t, p, y + k, result);
            below = here;
            here = above[k];
        }
        from += BATCH * (long)t.pitch;
    }
}

/* ---- Launching ---- */

template <typename T, int BATCH, bool STREAMS> enum qp_status take(struct qp_launch *l, int rows)
{
    task<T> t = {.x = (const T *)l->x,
                 .rhs = (const T *)l->input[0],
                 .out = (T *)l->out,
                 .width = l->width,
                 .height = l->height,
                 .pitch = l->pitch,
                 .rhs_pitch = l->input_pitch[0],
                 .across = blocks_in(l->width, THREADS * line<T>::cells),
                 .rows = rows,
                 .backwards = l->x > l->out,
                 .weight = (T)l->weight};
    qp_poisson5_spike(l->problem, &t.spike_x, &t.spike_y);
    const bool array = t.rhs != NULL, weighted = l->weight != 1.0;
    auto kernel = array      ? weighted ? sweep<T, true, true, BATCH, STREAMS>
                                        : sweep<T, true, false, BATCH, STREAMS>
                       : weighted ? sweep<T, false, true, BATCH, STREAMS>
                             : sweep<T, false, false, BATCH, STREAMS>;
    const int blocks = t.across * blocks_in(l->height, rows);
    kernel<<<blocks, THREADS, 0, stream_of(l)>>>(t);
    return qp_cuda_check_launch("sweep");
}

/* --block is the rows of a block; thousands choose the form. */
template <typename T> enum qp_status launch(struct qp_launch *l)
{
    const int block = l->block > 0 ? l->block : 16, rows = block % 1000;
    switch (block / 1000) {
    case 1:
        return take<T, 4, true>(l, rows);
    case 2:
        return take<T, 8, false>(l, rows);
    case 3:
        return take<T, 8, true>(l, rows);
    case 4:
        return take<T, 2, false>(l, rows);
    default:
        return take<T, 4, false>(l, rows);
    }
}

} // namespace

const struct qp_kernel qp_kernel_poisson5_sweep = {.launch = launch<float>, .by_rows = true};
const struct qp_kernel qp_kernel_poisson5_sweep_double = {.launch = launch<double>,
                                                          .by_rows = true};
