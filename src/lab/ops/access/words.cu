/* SPDX-License-Identifier: MIT */
/* Two remedies in global memory: larger words for copies, and staging in shared memory, where
 * strides cost nothing. */
#include "lab/ops/access/access.cuh"

namespace
{

/* ---- Words of 8 and 16 bytes ---- */

/* Copies by words: thread k copies cells n k to n k + n - 1 at once, where both places are whole
 * words; with an offset that is no multiple of n, and at the wrap from the last cell to the first,
 * it reads cell by cell. */
template <class Word, unsigned N>
__global__ void copy_words(const float *x, float *out, unsigned cells, unsigned offset)
{
    unsigned to = (blockIdx.x * blockDim.x + threadIdx.x) * N, from = to + offset;
    if (to + N <= cells && from + N <= cells && from % N == 0) {
        *(Word *)(out + to) = *(const Word *)(x + from);
        return;
    }
    for (unsigned i = to; i < to + N && i < cells; i++)
        out[i] = x[(i + offset) % cells];
}

template <class Word, unsigned N> enum qp_status run_words(struct qp_launch *l)
{
    unsigned cells = (unsigned)cells_of(l);
    copy_words<Word, N><<<blocks_in(cells, BLOCK * N), BLOCK, 0, stream_of(l)>>>(
        l->x, l->out, cells, (unsigned)l->parameter % cells);
    return qp_cuda_check_launch("copy_words");
}

/* ---- A stride in shared memory ---- */

constexpr unsigned MOST_COLUMNS = 32;

/* Index with one value of padding after every 32, without which a stride of 32 would stay in one
 * bank. */
__device__ unsigned padded(unsigned i)
{
    return i + i / QP_ACCESS_WARP;
}

/* A thread block reads 256 rows of the matrix, which lie in one piece, and writes their columns,
 * each of 256 cells in one piece. */
__global__ void copy_staged(const float *x, float *out, unsigned cells, unsigned columns)
{
    __shared__ float tile[BLOCK * MOST_COLUMNS + BLOCK * MOST_COLUMNS / QP_ACCESS_WARP];
    unsigned rows = cells / columns, first = blockIdx.x * BLOCK, row = first + threadIdx.x;
    unsigned height = rows - first < BLOCK ? rows - first : BLOCK;
    for (unsigned k = threadIdx.x; k < height * columns; k += BLOCK)
        tile[padded(k)] = x[first * columns + k];
    __syncthreads();
    for (unsigned column = 0; column < columns && row < rows; column++)
        out[column * rows + row] = tile[padded(threadIdx.x * columns + column)];
    unsigned rest = rows * columns + threadIdx.x; /* fewer than 32 cells that fill no row */
    if (blockIdx.x == 0 && rest < cells)
        out[rest] = x[rest];
}

enum qp_status run_staged(struct qp_launch *l)
{
    unsigned cells = (unsigned)cells_of(l);
    unsigned columns = (unsigned)l->parameter < cells ? (unsigned)l->parameter : cells;
    copy_staged<<<blocks_in(cells / columns, BLOCK), BLOCK, 0, stream_of(l)>>>(l->x, l->out, cells,
                                                                               columns);
    return qp_cuda_check_launch("copy_staged");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_8_bytes = {.launch = run_words<float2, 2>};
const struct qp_cuda_kernel qp_kernel_access_16_bytes = {.launch = run_words<float4, 4>};
const struct qp_cuda_kernel qp_kernel_access_staged = {.launch = run_staged};
