/* SPDX-License-Identifier: MIT */
/* Ours: the grid stays on the chip for many steps. It is cut into tiles, one for each
 * multiprocessor at most; a launch is cooperative, for all tiles must be there at once.
 *
 * A tile is 128 columns by 16 ROWS rows, HALO of them at each end the neighbours' own. A warp has
 * ROWS rows of it, a lane four cells of each, in registers. After a step cells at the tile's rim
 * are wrong, for want of neighbours, and after HALO steps the halo is; then tiles exchange: each
 * writes what its neighbours need into an array in device memory, which the second-level cache
 * holds, raises its flag, and reads its halo once their flags are up. There are two such arrays,
 * for odd and even exchanges: a tile writes into one again only when it has seen the flags of the
 * exchange after, which its neighbours raised when they had read.
 *
 * In red-black order a step is half of one: red cells, then black ones. */
#ifndef QP_OPS_POISSON5_RESIDENT_CUH
#define QP_OPS_POISSON5_RESIDENT_CUH

#include "lab/ops/poisson5/cuda/flags.cuh"
#include "lab/ops/poisson5/cuda/pieces.cuh"
#include "lab/ops/poisson5/cuda/rounded.cuh"

namespace poisson5
{

constexpr int TILE_LANES = 32, CELLS = 4, TILE_ACROSS = TILE_LANES * CELLS, WARPS = 16;
constexpr int TILE_THREADS = TILE_LANES * WARPS, HALO = 8;
constexpr int TILE_USEFUL = TILE_ACROSS - 2 * HALO; /* columns */
constexpr int LINES =
    2 * WARPS + 2; /* rows in shared memory: every warp's lowest and highest, and one at each end */

template <typename T> struct residence {
    const T *x, *rhs;      /* rhs: h^2 f, or NULL where it is 1 at the spike and else 0 */
    T *out, *shared;       /* shared: two grids of the tiles' exchanges */
    unsigned *flags;       /* exchanges that each tile has written, in all launches */
    const double *weights; /* a weight for each step; NULL: `weight` for all */
    double weight;
    int width, height, pitch, rhs_pitch, shared_pitch;
    int steps; /* half steps in red-black order */
    int spike_x, spike_y;
};

template <typename T, int ROWS, bool ARRAY> constexpr int residence_bytes()
{
    return (2 * LINES * TILE_ACROSS + (ARRAY ? ROWS * CELLS * TILE_THREADS : 0)) * (int)sizeof(T);
}

template <typename T, int ROWS, bool ARRAY, bool RED_BLACK> struct tile {
    static constexpr int height = WARPS * ROWS, useful = height - 2 * HALO;
    static constexpr int each = PIECE / (int)sizeof(T); /* values of a piece */
    using piece = typename piece_of<T>::type;
    const residence<T> &t;
    /* Shared memory: rows of the tile, this lane's cells; h^2 f of this thread. */
    T *lines, *sides;
    int column, row;     /* this thread's first cell in the grid */
    int place, line;     /* first cell in the tile */
    int spike;           /* number of the spike among this thread's cells, else negative */
    bool spiked, rimmed; /* the tile has the spike, or rows outside the grid */
    unsigned before;     /* exchanges of earlier launches, as many for all tiles */
    T quarter[CELLS];    /* 1/4; 0 for columns outside, which so stay 0 */
    alignas(PIECE) T x[ROWS][CELLS];

    __device__ __forceinline__ bool has_row(int r) const
    {
        return row + r >= 0 && row + r < t.height;
    }

    /* Four cells; those after the last column are 0. */
    __device__ __forceinline__ void read(const T *from, int r, T *cells) const
    {
#pragma unroll
        for (int v = 0; v < CELLS; v++)
            cells[v] = has_row(r) && column + v >= 0 && column + v < t.width ? from[v] : T(0);
    }

    __device__ __forceinline__ void begin()
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            T side[CELLS];
            read(t.x + (row + r) * (long)t.pitch + column, r, x[r]);
            if (ARRAY) {
                read(t.rhs + (row + r) * (long)t.rhs_pitch + column, r, side);
#pragma unroll
                for (int v = 0; v < CELLS; v++)
                    sides[(r * CELLS + v) * TILE_THREADS] = side[v];
            }
        }
    }

    __device__ __forceinline__ void end() const
    {
        if (place < HALO || place >= TILE_ACROSS - HALO)
            return;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (line + r < HALO || line + r >= height - HALO || !has_row(r))
                continue;
            T *to = t.out + (row + r) * (long)t.pitch + column;
#pragma unroll
            for (int v = 0; v < CELLS; v++)
                if (column + v < t.width)
                    to[v] = x[r][v];
        }
    }

    /* ---- Exchange ---- */

    __device__ __forceinline__ T *place_in(int exchange, int r) const
    {
        return t.shared + (exchange % 2 * (long)t.height + row + r) * t.shared_pitch + column;
    }

    /* Writes the useful cells within HALO of the tile's own rim. */
    __device__ __forceinline__ void write_rim(int exchange) const
    {
        const bool own = place >= HALO && place < TILE_ACROSS - HALO && column < t.width;
        const bool beside = place < 2 * HALO || place >= TILE_ACROSS - 2 * HALO;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int y = line + r;
            const bool needed = beside || y < 2 * HALO || y >= height - 2 * HALO;
            if (own && needed && y >= HALO && y < height - HALO && has_row(r))
#pragma unroll
                for (int q = 0; q < CELLS; q += each)
                    __stcg((piece *)(place_in(exchange, r) + q), *(const piece *)(x[r] + q));
        }
    }

    __device__ __forceinline__ void read_halo(int exchange)
    {
        const bool there = column >= 0 && column < t.width;
        const bool beside = place < HALO || place >= TILE_ACROSS - HALO;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int y = line + r;
            if (there && (beside || y < HALO || y >= height - HALO) && has_row(r))
#pragma unroll
                for (int q = 0; q < CELLS; q += each)
                    *(piece *)(x[r] + q) = __ldcg((const piece *)(place_in(exchange, r) + q));
        }
    }

    /* Up to eight threads wait for a neighbour each. */
    __device__ __forceinline__ void wait_for_neighbours(unsigned exchange) const
    {
        const int k = threadIdx.x;
        const int x = (int)blockIdx.x + k % 3 - 1, y = (int)blockIdx.y + k / 3 - 1;
        if (k < 9 && x >= 0 && x < (int)gridDim.x && y >= 0 && y < (int)gridDim.y)
            wait_for_flag(t.flags + y * gridDim.x + x, exchange);
    }

    __device__ __forceinline__ unsigned *own_flag() const
    {
        return t.flags + blockIdx.y * gridDim.x + blockIdx.x;
    }

    __device__ __forceinline__ void exchange(int number)
    {
        write_rim(number);
        __syncthreads();
        if (threadIdx.x == 0)
            raise_flag(own_flag(), before + number);
        wait_for_neighbours(before + number);
        __syncthreads();
        read_halo(number);
    }

    /* ---- A step ---- */

    __device__ __forceinline__ T *line_of(int odd, int k) const
    {
        return lines + (odd * LINES + k) * TILE_ACROSS;
    }

    static __device__ __forceinline__ void copy(T *to, const T *from)
    {
#pragma unroll
        for (int q = 0; q < CELLS; q += each)
            *(piece *)(to + q) = *(const piece *)(from + q);
    }

    /* Updates all cells, or those of a colour: red ones with an even step. A tile's rows and
     * columns begin even. */
    template <bool SPIKE, int COLOUR>
    __device__ __forceinline__ void update(const T *low, const T *high, T weight)
    {
        T below[CELLS], old[CELLS];
#pragma unroll
        for (int v = 0; v < CELLS; v++)
            below[v] = low[v];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const T left = __shfl_up_sync(~0u, x[r][CELLS - 1], 1);
            const T right = __shfl_down_sync(~0u, x[r][0], 1);
#pragma unroll
            for (int v = 0; v < CELLS; v++)
                old[v] = x[r][v];
#pragma unroll
            for (int v = 0; v < CELLS; v++) {
                if (RED_BLACK && (v + r + COLOUR) % 2 != 0)
                    continue;
                const T above = r < ROWS - 1 ? x[r < ROWS - 1 ? r + 1 : r][v] : high[v];
                T sum = add(add(v > 0 ? old[v > 0 ? v - 1 : 0] : left,
                                v < CELLS - 1 ? old[v < CELLS - 1 ? v + 1 : 0] : right),
                            add(below[v], above));
                if (ARRAY)
                    sum = add(sum, sides[(r * CELLS + v) * TILE_THREADS]);
                else if (SPIKE && spike == r * CELLS + v)
                    sum = add(sum, T(1));
                x[r][v] = relax(old[v], times(sum, quarter[v]), weight);
            }
#pragma unroll
            for (int v = 0; v < CELLS; v++)
                below[v] = RED_BLACK ? x[r][v] : old[v];
        }
    }

    template <bool SPIKE>
    __device__ __forceinline__ void update(int step, const T *low, const T *high, T weight)
    {
        if (RED_BLACK && step % 2 != 0)
            update<SPIKE, 1>(low, high, weight);
        else
            update<SPIKE, 0>(low, high, weight);
    }

    __device__ __forceinline__ void take(int step, T weight)
    {
        const int odd = step % 2, warp = threadIdx.x / TILE_LANES;
        alignas(PIECE) T low[CELLS], high[CELLS];
        copy(line_of(odd, 2 * warp + 1), x[0]);
        copy(line_of(odd, 2 * warp + 2), x[ROWS - 1]);
        __syncthreads();
        copy(low, line_of(odd, 2 * warp));
        copy(high, line_of(odd, 2 * warp + 3));
        if (!ARRAY && spiked)
            update<true>(step, low, high, weight);
        else
            update<false>(step, low, high, weight);
        if (rimmed)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < CELLS; v++)
                    x[r][v] = has_row(r) ? x[r][v] : T(0);
    }
};

template <typename T, int ROWS, bool ARRAY, bool RED_BLACK>
__global__ void __launch_bounds__(TILE_THREADS, 1) reside(const residence<T> t)
{
    using tile = poisson5::tile<T, ROWS, ARRAY, RED_BLACK>;
    extern __shared__ float4 memory[];
    const int lane = threadIdx.x % TILE_LANES, warp = threadIdx.x / TILE_LANES;
    const int left = blockIdx.x * TILE_USEFUL - HALO, bottom = blockIdx.y * tile::useful - HALO;
    tile own = {t};
    own.place = lane * CELLS;
    own.line = warp * ROWS;
    own.column = left + own.place;
    own.row = bottom + own.line;
    own.lines = (T *)memory + own.place;
    own.sides = (T *)memory + 2 * LINES * TILE_ACROSS + threadIdx.x;
    own.rimmed = bottom < 0 || bottom + tile::height > t.height;
    own.spiked = t.spike_x >= left && t.spike_x < left + TILE_ACROSS && t.spike_y >= bottom &&
                 t.spike_y < bottom + tile::height;
    const int across = t.spike_x - own.column, up = t.spike_y - own.row;
    own.spike = across >= 0 && across < CELLS && up >= 0 && up < ROWS ? up * CELLS + across : -1;
#pragma unroll
    for (int v = 0; v < CELLS; v++)
        own.quarter[v] = own.column + v >= 0 && own.column + v < t.width ? T(0.25) : T(0);
    alignas(PIECE) const T none[CELLS] = {};
    for (int odd = 0; odd < 2 && (warp == 0 || warp == WARPS - 1); odd++)
        tile::copy(own.line_of(odd, warp == 0 ? 0 : LINES - 1), none);
    own.before = *own.own_flag();
    own.begin();
    for (int step = 0; step < t.steps; step++) {
        const T weight = (T)(t.weights != NULL ? t.weights[RED_BLACK ? step / 2 : step] : t.weight);
        if (step > 0 && step % HALO == 0)
            own.exchange(step / HALO);
        own.take(step, weight);
    }
    own.end();
}

} // namespace poisson5

#endif
