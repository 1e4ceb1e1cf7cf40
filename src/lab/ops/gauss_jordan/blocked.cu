/* SPDX-License-Identifier: MIT */
/* Blocked elimination: LU factors with partial pivoting, COLUMNS columns at a time,
 *
 *     panel      factors L and U of these columns, and where rows go (panel.cu)
 *     exchange   the same rows of all columns to the right, and there U := L^-1 A in the panel's
 *                rows
 *     product    A := A - L U below them
 *
 * (LAPACK's getf2, laswp and trsm, gemm: a right-looking LU) and then back substitution for all
 * right-hand sides, in one launch. The product is the bulk of the arithmetic and reads and
 * writes each element once for COLUMNS columns; the panels are the bulk of the time, for nothing
 * in them can be done at the same time but one column's update. */
#include <cuda_pipeline.h>

#include "lab/ops/gauss_jordan/blocked.cuh"
#include "lab/ops/gauss_jordan/kernels.h"

namespace
{

using namespace gauss_jordan;

struct memory {
    begin b;
    matrix m;
    exchanges *moved;
    board *told;
    int *tickets;
};

int round_up(int count, int to)
{
    return (count + to - 1) / to * to;
}

memory cut(const struct qp_launch *l, cutter &c)
{
    memory all = {};
    matrix &m = all.m;
    m.n = unknowns(l);
    m.rows = round_up(m.n, COLUMNS);
    m.width = m.rows + round_up(sides(l), COLUMNS);
    m.pitch = m.width + TILE - COLUMNS;
    m.lower_pitch = m.rows + TILE - COLUMNS;
    all.b = cut_begin(l, c);
    m.a = c.take<float>((size_t)m.lower_pitch * m.pitch);
    m.lower = c.take<float>((size_t)COLUMNS * m.lower_pitch);
    all.moved = c.take<exchanges>(1);
    all.told = (board *)c.take<char>(board_bytes());
    all.tickets = c.take<int>(back_tickets(m));
    return all;
}

double scratch(const struct qp_launch *l)
{
    cutter c(nullptr);
    cut(l, c);
    return c.bytes();
}

/* ---- Beginning ---- */

/* Fills the matrix from the start, and the answer's columns of A with the identity that elimination
 * leaves. */
__global__ void fill(matrix m, const float *start, int sides, float *out)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    const int width = m.n + sides, side = j - m.rows;
    if (j >= m.pitch || i >= m.lower_pitch)
        return;
    float value = i == j && i >= m.n && i < m.rows ? 1.0f : 0.0f;
    if (i < m.n && j < m.n) {
        value = start[(size_t)i * width + j];
        out[(size_t)i * width + j] = i == j ? 1.0f : 0.0f;
    } else if (i < m.n && side >= 0 && side < sides) {
        value = start[(size_t)i * width + m.n + side];
    }
    m.a[(size_t)i * m.pitch + j] = value;
}

/* ---- Exchange ---- */

/* v := L^-1 v, l[j][i] = L_ij, with ones on the diagonal. As soon as v_j is known all others are
 * updated, so the chain of dependent updates is only COLUMNS long. */
__device__ void substitute(float (&v)[COLUMNS], const float (*l)[COLUMNS])
{
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
#pragma unroll
        for (int i = (j + 1) / 4 * 4; i < COLUMNS; i += 4) {
            const float4 f = *(const float4 *)&l[j][i];
            v[i] -= i > j ? f.x * v[j] : 0;
            v[i + 1] -= i + 1 > j ? f.y * v[j] : 0;
            v[i + 2] -= i + 2 > j ? f.z * v[j] : 0;
            v[i + 3] -= i + 3 > j ? f.w * v[j] : 0;
        }
    }
}

/* Exchanges rows of one column a thread. All reads come before all writes: no value is overwritten
 * before it is read, and no load waits for the one before it. */
__global__ void __launch_bounds__(COLUMNS) exchange(matrix m, int k, const exchanges *moved)
{
    __shared__ alignas(16) float lower[COLUMNS][COLUMNS];
    __shared__ exchanges rows;
    const int t = threadIdx.x;
    rows.from[t] = moved->from[t];
    rows.to[t] = moved->to[t];
    __syncthreads();
    float *column = m.a + k + COLUMNS + blockIdx.x * COLUMNS + t, v[COLUMNS], old[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        v[i] = column[(size_t)rows.from[i] * m.pitch];
        old[i] = column[(size_t)(k + i) * m.pitch];
    }
#pragma unroll 16
    for (int j = 0; j < COLUMNS; j++)
        lower[j][t] = m.lower[(size_t)j * m.lower_pitch + t];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        if (rows.to[i] >= 0)
            column[(size_t)rows.to[i] * m.pitch] = old[i];
    }
    substitute(v, lower);
#pragma unroll
    for (int i = 0; i < COLUMNS; i++)
        column[(size_t)(k + i) * m.pitch] = v[i];
}

/* ---- Product ---- */

/* Both factors of a tile in shared memory: they fit as a whole, so all asynchronous copies start at
 * once, in PIECES groups, and the first is multiplied while others are on their way. */
struct factors {
    float l[COLUMNS][TILE], u[COLUMNS][TILE];
};

constexpr int MULTIPLIERS = 256; /* threads; each has 8 x 8 elements of a tile in registers */
constexpr int PIECES = 4, PIECE = COLUMNS / PIECES;

__device__ void copy_factors(const matrix &m, int k, int row, int column, factors &f)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *l = m.lower + (size_t)warp * m.lower_pitch + row - k + 4 * lane;
    const float *u = m.a + (size_t)(k + warp) * m.pitch + column + 4 * lane;
#pragma unroll
    for (int q = 0; q < COLUMNS; q += MULTIPLIERS / 32) {
        __pipeline_memcpy_async(&f.l[q + warp][4 * lane], l + (size_t)q * m.lower_pitch, 16);
        __pipeline_memcpy_async(&f.u[q + warp][4 * lane], u + (size_t)q * m.pitch, 16);
        if ((q + MULTIPLIERS / 32) % PIECE == 0)
            __pipeline_commit();
    }
}

/* Element of a thread's part of a tile: rows 0 to 3 and 16 to 19, columns 0 to 3 and 32 to 35 from
 * c on, so that a warp's reads of a factor stand side by side. */
__device__ float *element(float *c, int pitch, int i, int half)
{
    return c + (size_t)(i / 4 * 16 + i % 4) * pitch + half * 32;
}

/* Waits until at most LEFT groups of copies are on their way. */
template <int LEFT>
__device__ void multiply(const factors &f, int row, int column, float (&sum)[8][8])
{
    constexpr int first = (PIECES - 1 - LEFT) * PIECE;
    __pipeline_wait_prior(LEFT);
    __syncthreads();
#pragma unroll 2
    for (int q = first; q < first + PIECE; q++) {
        float l[8], u[8];
        *(float4 *)l = four(&f.l[q][row]);
        *(float4 *)(l + 4) = four(&f.l[q][row + 16]);
        *(float4 *)u = four(&f.u[q][column]);
        *(float4 *)(u + 4) = four(&f.u[q][column + 32]);
#pragma unroll
        for (int i = 0; i < 8; i++) {
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum[i][j] -= l[i] * u[j];
        }
    }
}

__global__ void __launch_bounds__(MULTIPLIERS, 2) product(matrix m, int k)
{
    extern __shared__ float4 on_chip[];
    factors &f = *(factors *)on_chip;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int tile_row = k + COLUMNS + blockIdx.y * TILE, row = warp / 2 * 32 + lane / 8 * 4;
    const int tile_column = k + COLUMNS + blockIdx.x * TILE, column = warp % 2 * 64 + lane % 8 * 4;
    copy_factors(m, k, tile_row, tile_column, f);
    float *c = m.a + (size_t)(tile_row + row) * m.pitch + tile_column + column, sum[8][8];
#pragma unroll
    for (int i = 0; i < 16; i++)
        *(float4 *)&sum[i / 2][i % 2 * 4] = four(element(c, m.pitch, i / 2, i % 2));
    multiply<3>(f, row, column, sum);
    multiply<2>(f, row, column, sum);
    multiply<1>(f, row, column, sum);
    multiply<0>(f, row, column, sum);
#pragma unroll
    for (int i = 0; i < 16; i++)
        *(float4 *)element(c, m.pitch, i / 2, i % 2) = *(float4 *)&sum[i / 2][i % 2 * 4];
}

/* ---- All of it ---- */

/* Clears `lower`: tiles that hang over the edge read parts of it that no panel writes. */
enum qp_status clear_lower(const struct qp_launch *l)
{
    cutter c(l->scratch);
    const matrix m = cut(l, c).m;
    const size_t bytes = sizeof(float) * COLUMNS * m.lower_pitch;
    return qp_cuda_check(cudaMemsetAsync(m.lower, 0, bytes, stream_of(l)), "clear a panel");
}

enum qp_status prepare(struct qp_launch *l)
{
    enum qp_status status = check_panel(l, round_up(unknowns(l), COLUMNS));
    if (status == QP_OK)
        status =
            qp_cuda_check(cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               sizeof(factors)),
                          "give a block 64 KiB of shared memory");
    return status;
}

enum qp_status start(struct qp_launch *l)
{
    enum qp_status status = clear_lower(l);
    return status == QP_OK ? keep_start(l) : status;
}

/* Eliminates columns k to k + COLUMNS - 1. */
cudaError_t eliminate(const struct qp_launch *l, const memory &all, int ranks, int k)
{
    const matrix &m = all.m;
    const int columns = m.width - k - COLUMNS, rows = m.rows - k - COLUMNS;
    cudaError_t error = launch_panel(l, m, k, ranks, all.moved, all.b.log, all.told);
    if (error != cudaSuccess)
        return error;
    exchange<<<columns / COLUMNS, COLUMNS, 0, stream_of(l)>>>(m, k, all.moved);
    if (rows > 0) {
        const dim3 tiles(blocks_in(columns, TILE), blocks_in(rows, TILE));
        product<<<tiles, MULTIPLIERS, sizeof(factors), stream_of(l)>>>(m, k);
    }
    return cudaGetLastError();
}

enum qp_status launch(struct qp_launch *l)
{
    cutter c(l->scratch);
    const memory all = cut(l, c);
    const matrix &m = all.m;
    const int ranks = most_ranks(l);
    const dim3 threads(32, 8);
    const dim3 blocks(blocks_in(m.pitch, threads.x), blocks_in(m.lower_pitch, threads.y));
    fill<<<blocks, threads, 0, stream_of(l)>>>(m, all.b.start, sides(l), l->out);
    cudaError_t error = cudaGetLastError();
    for (int k = 0; k < m.rows && error == cudaSuccess; k += COLUMNS)
        error = eliminate(l, all, ranks, k);
    if (error == cudaSuccess)
        error = launch_back(l, m, all.tickets);
    return qp_cuda_check(error, "launch a blocked elimination");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_gauss_jordan_blocked = {.launch = launch,
                                                              .scratch = scratch,
                                                              .prepare = prepare,
                                                              .start = start,
                                                              .log_bytes = log_bytes};
