/* SPDX-License-Identifier: MIT */
/* Ours: the fastest single step over a grid that no cache holds, for which memory's rate is the
 * bound: a value read and a value written an update. A thread has 16 bytes of each of a few rows,
 * and loads all of them and the two beside before it computes, so that enough bytes are under way;
 * neighbours across come by shuffles, at the ends of a warp by a load. Against the ladder of paper
 * 5, 3.2, this removes shared memory, its barriers, and fringes but for two rows a thread, of which
 * the warps of a block above each other find most in the first-level cache. Every other step goes
 * through the grid backwards, and finds what the step before it wrote last in the second-level
 * cache. */
#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5/cuda/kernels.h"
#include "lab/ops/poisson5/cuda/pieces.cuh"
#include "lab/ops/poisson5/cuda/rounded.cuh"
#include "lab/ops/poisson5/spike.h"

namespace
{

using namespace poisson5;

constexpr int LANES = 32, ACROSS = 4, UP = 4; /* warps of a block */

template <typename T> struct task {
    const T *x, *rhs; /* rhs: h^2 f, or NULL where it is 1 at the spike and else 0 */
    T *out;
    int width, height, pitch, rhs_pitch;
    int across; /* blocks across */
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

/* Place of a thread. */
template <typename T> struct place {
    int column;
    bool there;   /* its cells, or the rim after the last one */
    bool fringed; /* at an end of its warp, whose neighbour beside is loaded */
    int beside;   /* the neighbour, from this column */
};

/* A row's update from the rows around it, and the cell beside the warp. */
template <typename T, bool ARRAY, bool WEIGHTED>
__device__ __forceinline__ line<T> update(const task<T> &t, const place<T> &p, int y,
                                          const line<T> &below, const line<T> &here,
                                          const line<T> &above, T beside, const line<T> &side)
{
    constexpr int cells = line<T>::cells;
    const int lane = threadIdx.x;
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

template <typename T, bool CAREFUL>
__device__ __forceinline__ void store(const task<T> &t, const place<T> &p, int y, const line<T> &l)
{
    typedef typename piece_of<T>::type piece;
    T *to = t.out + y * (long)t.pitch + p.column;
    if (!CAREFUL || p.column + line<T>::cells <= t.width) {
        *(piece *)to = *(const piece *)l.x;
    } else {
#pragma unroll
        for (int k = 0; k < line<T>::cells - 1; k++)
            if (p.column + k < t.width)
                to[k] = l.x[k];
    }
}

/* A thread's rows, from `first` on. CAREFUL ones may end outside the grid; others load without
 * conditions, which the compiler does not move in front of each other in double. */
template <typename T, bool ARRAY, bool WEIGHTED, int ROWS, bool CAREFUL>
__device__ __forceinline__ void sweep_rows(const task<T> &t, const place<T> &p, int first)
{
    const T *from = t.x + first * (long)t.pitch + p.column;
    line<T> row[ROWS + 2], side[ROWS]; /* row[0] is the one below the first */
    T beside[ROWS];
#pragma unroll
    for (int k = 0; k < ROWS + 2; k++)
        row[k] = load(from + (k - 1) * (long)t.pitch,
                      !CAREFUL || (p.there && first + k - 1 <= t.height));
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const bool is_row = !CAREFUL || first + k < t.height;
        beside[k] = p.fringed && is_row ? from[k * (long)t.pitch + p.beside] : T(0);
        if (ARRAY)
            side[k] = load(t.rhs + (first + k) * (long)t.rhs_pitch + p.column,
                           !CAREFUL || (p.there && is_row));
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const line<T> result = update<T, ARRAY, WEIGHTED>(t, p, first + k, row[k], row[k + 1],
                                                          row[k + 2], beside[k], side[k]);
        if (!CAREFUL || first + k < t.height)
            store<T, CAREFUL>(t, p, first + k, result);
    }
}

template <typename T, bool ARRAY, bool WEIGHTED, int ROWS>
__global__ void __launch_bounds__(LANES *ACROSS *UP) sweep(const task<T> t)
{
    constexpr int cells = line<T>::cells, width = ACROSS * LANES * cells, height = UP * ROWS;
    const int block = t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const int left = block % t.across * width, lowest = block / t.across * height;
    const int lane = threadIdx.x, first = lowest + threadIdx.z * ROWS;
    place<T> p;
    p.column = left + (threadIdx.y * LANES + lane) * cells;
    p.there = p.column <= t.width;
    p.beside = lane == 0 ? -1 : cells;
    p.fringed = p.there && (lane == 0 || (lane == LANES - 1 && p.column + cells <= t.width));
    if (left + width <= t.width && lowest + height <= t.height)
        sweep_rows<T, ARRAY, WEIGHTED, ROWS, false>(t, p, first);
    else
        sweep_rows<T, ARRAY, WEIGHTED, ROWS, true>(t, p, first);
}

/* ---- Launching ---- */

template <typename T, int ROWS> enum qp_status take(struct qp_launch *l)
{
    task<T> t = {.x = (const T *)l->x,
                 .rhs = (const T *)l->input[0],
                 .out = (T *)l->out,
                 .width = l->width,
                 .height = l->height,
                 .pitch = l->pitch,
                 .rhs_pitch = l->input_pitch[0],
                 .across = blocks_in(l->width, ACROSS * LANES * line<T>::cells),
                 .backwards = l->x > l->out,
                 .weight = (T)l->weight};
    qp_poisson5_spike(l->problem, &t.spike_x, &t.spike_y);
    const bool array = t.rhs != NULL, weighted = l->weight != 1.0;
    auto kernel = array      ? weighted ? sweep<T, true, true, ROWS> : sweep<T, true, false, ROWS>
                       : weighted ? sweep<T, false, true, ROWS>
                             : sweep<T, false, false, ROWS>;
    const int blocks = t.across * blocks_in(l->height, UP * ROWS);
    kernel<<<blocks, dim3(LANES, ACROSS, UP), 0, stream_of(l)>>>(t);
    return qp_cuda_check_launch("sweep");
}

/* --block is the rows of a thread. */
template <typename T> enum qp_status launch(struct qp_launch *l)
{
    switch (l->block) {
    case 2:
        return take<T, 2>(l);
    case 8:
        return take<T, 8>(l);
    default:
        return take<T, 4>(l);
    }
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_sweep = {.launch = launch<float>, .by_rows = true};
const struct qp_cuda_kernel qp_kernel_poisson5_sweep_double = {.launch = launch<double>,
                                                               .by_rows = true};
