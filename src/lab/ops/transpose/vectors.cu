/* SPDX-License-Identifier: MIT */
/* Transposition beyond paper 4's slides: sixteen bytes a thread on both sides of device memory.
 * Rows begin at multiples of 256 bytes, so that any matrix can be read and written so. */
#include "lab/ops/transpose/kernels.cuh"

namespace
{

constexpr int THREADS = 256, WARP = 32;

struct matrix {
    const float *x;
    float *out;
    int width, height;   /* size of x */
    int pitch, to_pitch; /* values from row to row */
};

matrix matrix_of(const struct qp_launch *l)
{
    return {l->input[0], l->out, l->width, l->height, l->input_pitch[0], l->pitch};
}

/* Reads 4 x 4 values, which begin at this column and row of x. Values after its last column are
 * read and not written on; there is no row after the last. In a WHOLE tile no bounds are checked,
 * so that loads follow each other. */
template <bool WHOLE> __device__ void read(const matrix &m, int column, int row, float4 v[4])
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = float4{};
        if (WHOLE || (column < m.width && row + i < m.height))
            v[i] = load_four(m.x + (size_t)(row + i) * m.pitch + column);
    }
}

__device__ void turn(float4 v[4])
{
    const float4 a = v[0], b = v[1], c = v[2], d = v[3];
    v[0] = {a.x, b.x, c.x, d.x};
    v[1] = {a.y, b.y, c.y, d.y};
    v[2] = {a.z, b.z, c.z, d.z};
    v[3] = {a.w, b.w, c.w, d.w};
}

/* Four values of a column of x from this row on; at the end those that there are. */
__device__ void write(const matrix &m, int column, int row, float4 v)
{
    if (column >= m.width || row >= m.height)
        return;
    float *to = m.out + (size_t)column * m.to_pitch + row;
    if (row + 4 <= m.height) {
        store_four(to, v);
        return;
    }
    to[0] = v.x;
    if (row + 1 < m.height)
        to[1] = v.y;
    if (row + 2 < m.height)
        to[2] = v.z;
}

/* ---- In registers ----
 * A thread turns 4 x 4 values; a warp is four such squares wide and eight high. It reads pieces of
 * 64 bytes and writes pieces of 128: memory is moved in sectors of 32, so none is moved in vain,
 * though two warps share each line of 128 bytes that is read. There is no shared memory and no
 * barrier. */
constexpr int WIDE = 4, HIGH = 8, ACROSS = 4; /* warps of a block beside each other; two above */

__global__ void __launch_bounds__(THREADS) registers(matrix m, int across)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int block_x = blockIdx.x % across * ACROSS + warp % ACROSS;
    const int block_y = blockIdx.x / across * 2 + warp / ACROSS;
    const int column = 4 * (block_x * WIDE + lane / HIGH), row = 4 * (block_y * HIGH + lane % HIGH);
    float4 v[4];
    read<false>(m, column, row, v);
    turn(v);
#pragma unroll
    for (int i = 0; i < 4; i++)
        write(m, column + i, row, v[i]);
}

enum qp_status launch_registers(struct qp_launch *l)
{
    const int across = blocks_in(l->width, 4 * WIDE * ACROSS);
    registers<<<across * blocks_in(l->height, 4 * HIGH * 2), THREADS, 0, stream_of(l)>>>(
        matrix_of(l), across);
    return qp_cuda_check_launch("registers");
}

/* ---- In registers, then through shared memory ---- A tile is 64 x 64, so that pieces of 256 bytes
 * are read and written. Values are turned in registers, 4 x 4 a thread, and shared memory exchanges
 * fours of values between threads. Eight threads move at a time there, 16 bytes each. Those that
 * write are in rows 4 apart, those that read side by side: four r of row c is at r ^ (c / 4 % 8),
 * which puts either eight into different banks, without padding.
 *
 * Tiles are taken column by column of x, so that the answer is written row after row: row by row
 * of x an H200 is 3 % slower. Blocks end after one tile, as in the copy. Four on a multiprocessor
 * keep enough under way: with three it is 3 % slower, with two 14. So each asks for a quarter of
 * the shared memory. */
constexpr int SIDE = 64, FOURS = SIDE / 4, RESIDENT = 4;

__device__ int slot(int row, int four)
{
    return row * FOURS + (four ^ row / 4 % 8);
}

__global__ void __launch_bounds__(THREADS) vectors(matrix m, int up)
{
    extern __shared__ float4 tile[]; /* SIDE x FOURS; the rest is unused */
    const int left = blockIdx.x / up * SIDE, bottom = blockIdx.x % up * SIDE;
    const int c = threadIdx.x % FOURS, r = threadIdx.x / FOURS;
    float4 v[4];
    if (left + SIDE <= m.width && bottom + SIDE <= m.height)
        read<true>(m, left + 4 * c, bottom + 4 * r, v);
    else
        read<false>(m, left + 4 * c, bottom + 4 * r, v);
    turn(v);
#pragma unroll
    for (int i = 0; i < 4; i++)
        tile[slot(4 * c + i, r)] = v[i];
    __syncthreads();
#pragma unroll
    for (int row = r; row < SIDE; row += THREADS / FOURS)
        write(m, left + row, bottom + 4 * c, tile[slot(row, c)]);
}

enum qp_status prepare_vectors(struct qp_launch *l)
{
    return allow_shared_bytes((const void *)vectors, shared_bytes_of(l, RESIDENT),
                              cudaSharedmemCarveoutMaxShared);
}

enum qp_status launch_vectors(struct qp_launch *l)
{
    const int up = blocks_in(l->height, SIDE);
    vectors<<<blocks_in(l->width, SIDE) * up, THREADS, shared_bytes_of(l, RESIDENT),
              stream_of(l)>>>(matrix_of(l), up);
    return qp_cuda_check_launch("vectors");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_transpose_registers = {.launch = launch_registers};
const struct qp_cuda_kernel qp_kernel_transpose_vectors = {.launch = launch_vectors,
                                                           .prepare = prepare_vectors};
