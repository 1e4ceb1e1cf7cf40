/* SPDX-License-Identifier: MIT */
/* A block of unknowns with its fringes in shared memory (paper 5, 3.2 and 5.2): phase A copies it
 * there, phases B and C compute and write. A block has as many threads as unknowns across, or a
 * multiple of them, which take as many rows at once. */
#ifndef QP_OPS_POISSON5_TILE_CUH
#define QP_OPS_POISSON5_TILE_CUH

#include "lab/ops/poisson5/cuda/poisson.cuh"

namespace poisson5
{

/* Unknown (c, r) of a block is at column c + 1 of row r + 1; the fringes' corners are never
 * read. */
template <typename T, int COLUMNS, int ROWS, int ALL_THREADS = COLUMNS> struct tile {
    using value = T;
    static constexpr int ACROSS = COLUMNS, UP = ROWS, THREADS = ALL_THREADS;
    T cell[UP + 2][ACROSS + 2];

    __device__ void put(int r, int c, T v)
    {
        cell[r][c] = v;
    }
    __device__ T get(int r, int c) const
    {
        return cell[r][c];
    }
};

/* The block's first unknown; blocks are numbered row by row, `across` of them beside each other. */
struct corner {
    int i, j;
};

template <typename TILE> __device__ corner corner_of(int across)
{
    return {(int)blockIdx.x % across * TILE::ACROSS, (int)blockIdx.x / across * TILE::UP};
}

template <typename TILE> int blocks_across(const struct qp_launch *l)
{
    return blocks_in(l->width, TILE::ACROSS);
}

template <typename TILE> int blocks_of(const struct qp_launch *l)
{
    return blocks_across<TILE>(l) * blocks_in(l->height, TILE::UP);
}

/* Rows that a block's threads take at once, and of these a thread's own, and its column. */
template <typename TILE> constexpr int AT_ONCE = TILE::THREADS / TILE::ACROSS;

template <typename TILE> struct place {
    int r = AT_ONCE<TILE> > 1 ? threadIdx.x / TILE::ACROSS : 0;
    int c = AT_ONCE<TILE> > 1 ? threadIdx.x % TILE::ACROSS : threadIdx.x;
};

/* Phase A, as figure 6 deals words to threads: a row of the block at a time, from the fringe below
 * to that above, a thread a column; then the left fringe by the first threads and the right one by
 * the next. In these a warp reads as many lines as there are rows. READS rows are under way at
 * once. */
template <typename TILE, int READS, typename T>
__device__ void read_tile(TILE &tile, const step<T> &s, corner c)
{
    constexpr int ACROSS = TILE::ACROSS, UP = TILE::UP;
    const place<TILE> own;
    const int i = c.i + own.c;
#pragma unroll READS
    for (int first = 0; first < UP + 2; first += AT_ONCE<TILE>) {
        const int r = first + own.r, j = c.j + r - 1;
        if (r < UP + 2 && i <= s.width && j <= s.height)
            tile.put(r, own.c + 1, s.x[(long)j * s.pitch + i]);
    }
    for (int k = threadIdx.x; k < 2 * UP; k += TILE::THREADS) {
        const int column = k < UP ? -1 : ACROSS, r = k % UP;
        if (c.i + column <= s.width && c.j + r < s.height)
            tile.put(r + 1, column + 1, s.x[(long)(c.j + r) * s.pitch + c.i + column]);
    }
}

/* Phases B and C: a thread a column, DEPTH rows of it unrolled. */
template <typename TILE, int DEPTH, typename T>
__device__ void relax_tile(const TILE &tile, const step<T> &s, corner c)
{
    static_assert(TILE::UP % AT_ONCE<TILE> == 0, "all threads have as many rows");
    const place<TILE> own;
    const int t = own.c, i = c.i + t;
    if (threadIdx.x >= TILE::THREADS || i >= s.width)
        return;
#pragma unroll DEPTH
    for (int first = 1; first <= TILE::UP; first += AT_ONCE<TILE>) {
        const int r = first + own.r, j = c.j + r - 1;
        if (j < s.height)
            s.out[(long)j * s.pitch + i] =
                update(tile.get(r, t), tile.get(r, t + 2), tile.get(r - 1, t + 1),
                       tile.get(r + 1, t + 1), tile.get(r, t + 1), rhs_at(s, i, j), s.weight);
    }
}

template <typename TILE, int READS, int DEPTH, typename T = typename TILE::value>
__global__ void __launch_bounds__(TILE::THREADS) relax_tiles(step<T> s, int across)
{
    __shared__ TILE tile;
    const corner c = corner_of<TILE>(across);
    read_tile<TILE, READS>(tile, s, c);
    __syncthreads();
    relax_tile<TILE, DEPTH>(tile, s, c);
}

template <typename TILE, int READS, int DEPTH> enum qp_status launch_tiles(struct qp_launch *l)
{
    relax_tiles<TILE, READS, DEPTH><<<blocks_of<TILE>(l), TILE::THREADS, 0, stream_of(l)>>>(
        step_of<typename TILE::value>(l), blocks_across<TILE>(l));
    return qp_cuda_check_launch("relax_tiles");
}

template <typename TILE, int READS, int DEPTH>
enum qp_status tell_tiles(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return tell_components(l, (const void *)relax_tiles<TILE, READS, DEPTH>, blocks_of<TILE>(l),
                           TILE::THREADS, out);
}

/* Entry of a kernel that takes no --block. */
template <typename TILE, int READS, int DEPTH>
constexpr struct qp_cuda_kernel tiles_kernel = {.launch = launch_tiles<TILE, READS, DEPTH>,
                                                .by_rows = true,
                                                .components = tell_tiles<TILE, READS, DEPTH>};

} // namespace poisson5

#endif
