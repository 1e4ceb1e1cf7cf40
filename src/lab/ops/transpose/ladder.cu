/* SPDX-License-Identifier: MIT */
/* The ladder of paper 4's slides. Matrices are stored without gaps. Two things are ours: bounds,
 * for the slides take multiples of a tile; and grids of one dimension, so that no matrix is too
 * high for one, which costs a block a division. Blocks come in the slides' order, row by row of
 * x. */
#include "lab/ops/transpose/index.h"
#include "lab/ops/transpose/kernels.cuh"

namespace
{

constexpr int WARP = 32;

struct matrix {
    const float *x;
    float *out;
    int width, height; /* size of x */
};

struct place {
    int x, y;
};

/* Place of this thread block, where `across` blocks are beside each other. */
__device__ place block_place(int across)
{
    return {(int)blockIdx.x % across, (int)blockIdx.x / across};
}

matrix matrix_of(const struct qp_launch *l)
{
    return {l->input[0], l->out, l->width, l->height};
}

/* ---- The roof: a copy ----
 * Two times sixteen bytes a thread, and no loop: blocks that end soon are started in the order of
 * memory, which no loop over a resident grid keeps as well. With one load a thread an H200 copies
 * 4 to 5 % slower. */
constexpr int COPY_THREADS = 1024, COPY_FOURS = 2;

__global__ void copy(const float *x, float *out, size_t count)
{
    const size_t first = (size_t)blockIdx.x * COPY_THREADS * COPY_FOURS + threadIdx.x;
    float4 v[COPY_FOURS];
#pragma unroll
    for (int k = 0; k < COPY_FOURS; k++) {
        const size_t i = first + (size_t)k * COPY_THREADS;
        if (i < count / 4)
            v[k] = load_four(x + 4 * i);
    }
#pragma unroll
    for (int k = 0; k < COPY_FOURS; k++) {
        const size_t i = first + (size_t)k * COPY_THREADS;
        if (i < count / 4)
            ((float4 *)out)[i] = v[k];
        else if (i == count / 4) {
            for (size_t j = 4 * i; j < count; j++)
                out[j] = x[j];
        }
    }
}

enum qp_status launch_copy(struct qp_launch *l)
{
    const size_t count = cells_of(l);
    copy<<<(unsigned)(count / 4 / (COPY_THREADS * COPY_FOURS) + 1), COPY_THREADS, 0,
           stream_of(l)>>>(l->input[0], l->out, count);
    return qp_cuda_check_launch("copy");
}

/* The driver's copy, cudaMemcpy. */
enum qp_status launch_memcpy(struct qp_launch *l)
{
    return qp_cuda_check(cudaMemcpyAsync(l->out, l->input[0], cells_of(l) * sizeof *l->out,
                                         cudaMemcpyDeviceToDevice, stream_of(l)),
                         "copy on the device");
}

/* ---- Copies and turns without shared memory ----
 * A warp is 32 neighbours of a row of x, or, interleaved, of a column. */

typedef enum qp_transpose_direction order;
constexpr order TURN = QP_TRANSPOSE_TURN, INTERLEAVED = QP_TRANSPOSE_INTERLEAVED;

/* Orders of a warp's accesses:
 *
 *     COPY          it reads one line of 128 bytes and writes one: coalesced on both sides.
 *     TURN          it reads one line and writes into 32: in 2008 each of them was a transaction of
 *                   its own, of 32 bytes for 4. A cache between puts lines together if what is left
 *                   of them comes soon.
 *     INTERLEAVED   the same on both sides, which a copy can do too. */
template <order ORDER> __global__ void plain(matrix m, int across)
{
    const place block = block_place(across);
    const int near = block.x * WARP + threadIdx.x, far = block.y * blockDim.y + threadIdx.y;
    const int column = ORDER == INTERLEAVED ? far : near, row = ORDER == INTERLEAVED ? near : far;
    if (column >= m.width || row >= m.height)
        return;
    m.out[qp_transpose_to(ORDER, column, row, m.width, m.height)] =
        m.x[qp_transpose_at(column, row, m.width)];
}

template <order ORDER> enum qp_status launch_plain(struct qp_launch *l)
{
    const int near = ORDER == INTERLEAVED ? l->height : l->width;
    const int far = ORDER == INTERLEAVED ? l->width : l->height;
    const int across = blocks_in(near, WARP);
    plain<ORDER><<<across * blocks_in(far, l->block), dim3(WARP, l->block), 0, stream_of(l)>>>(
        matrix_of(l), across);
    return qp_cuda_check_launch("plain");
}

/* ---- Through shared memory ---- Both sides of device memory are read and written along rows; a
 * tile is turned, in a memory that has no lines. But it has 32 banks (16 in 2008): a column of a
 * tile whose rows are a multiple of them is in one bank, and a warp that reads it waits for 32
 * turns. One value of padding a row (PAD = 1) puts it into 32 banks. ROWS of threads, a constant as
 * in the slides, go down the tile. */
template <int TILE, int PAD, order ORDER, int ROWS> __global__ void tiled(matrix m, int across)
{
    constexpr int PITCH = TILE + PAD;
    __shared__ float tile[TILE * PITCH];
    const place block = block_place(across);
    int column = block.x * TILE + threadIdx.x, row = block.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (column < m.width && row + i < m.height)
            tile[qp_transpose_at(threadIdx.x, threadIdx.y + i, PITCH)] =
                m.x[qp_transpose_at(column, row + i, m.width)];
    }
    __syncthreads();
    if (ORDER == TURN) {
        column = block.y * TILE + threadIdx.x;
        row = block.x * TILE + threadIdx.y;
    }
    const int width = ORDER == TURN ? m.height : m.width;
    const int height = ORDER == TURN ? m.width : m.height;
    for (int i = 0; i < TILE; i += ROWS) {
        if (column < width && row + i < height)
            m.out[qp_transpose_at(column, row + i, width)] =
                tile[qp_transpose_to(ORDER, threadIdx.x, threadIdx.y + i, PITCH, PITCH)];
    }
}

typedef void tiled_kernel(matrix, int);

/* The kernel with `rows` rows of threads, of those that the recipe lists and that divide a tile; 32
 * would be more threads than a block of tiles of 48 may have, and more rows than one of 16 has. */
template <int TILE, int PAD, order ORDER> tiled_kernel *tiled_of(int rows)
{
    constexpr int MOST = TILE == WARP ? 32 : 16;
    return rows == 2    ? tiled<TILE, PAD, ORDER, 2>
           : rows == 4  ? tiled<TILE, PAD, ORDER, 4>
           : rows == 8  ? tiled<TILE, PAD, ORDER, 8>
           : rows == 16 ? tiled<TILE, PAD, ORDER, 16>
                        : tiled<TILE, PAD, ORDER, MOST>;
}

template <int TILE, int PAD, order ORDER> enum qp_status launch_tiled(struct qp_launch *l)
{
    const int across = blocks_in(l->width, TILE);
    tiled_of<TILE, PAD, ORDER>(
        l->block)<<<across * blocks_in(l->height, TILE), dim3(TILE, l->block), 0, stream_of(l)>>>(
        matrix_of(l), across);
    return qp_cuda_check_launch("tiled");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_transpose_copy = {.launch = launch_copy};
const struct qp_cuda_kernel qp_kernel_transpose_copy_memcpy = {.launch = launch_memcpy};

#define PLAIN(name, order) \
    const struct qp_cuda_kernel qp_kernel_transpose_##name = {.launch = launch_plain<order>};
QP_TRANSPOSE_PLAIN(PLAIN)

#define TILES(name, tile, pad, order)                                   \
    const struct qp_cuda_kernel qp_kernel_transpose_##name = {.launch = \
                                                                  launch_tiled<tile, pad, order>};
QP_TRANSPOSE_TILES(TILES)
