/* SPDX-License-Identifier: MIT */
/* Blocked elimination: LU factors with partial pivoting, COLUMNS columns at a time,
 *
 *     panel      factors L and U of these columns, and where rows go (panel.cu)
 *     next       rows exchanged, U := L^-1 A and A := A - L U in the next panel's columns
 *     exchange   the same rows of the columns to the right of it, and there U := L^-1 A in the
 *                panel's rows
 *     product    A := A - L U below them
 *
 * (LAPACK's getf2, laswp and trsm, gemm: a right-looking LU) and then back substitution for all
 * right-hand sides, in one launch. The product is the bulk of the arithmetic and reads and
 * writes each element once for COLUMNS columns; the panels are the bulk of the time, for nothing
 * in them can be done at the same time but one column's update. So panels look ahead: the next one
 * is updated first, and factored on a stream of its own while the rest is updated. */
#include <cuda_pipeline.h>
#include <stdlib.h>

#include "lab/ops/gauss_jordan/blocked.cuh"
#include "lab/ops/gauss_jordan/kernels.h"

namespace
{

using namespace gauss_jordan;

/* Lower and moved are of even and of odd panels: one panel is factored while the product still
 * reads the last one's. */
struct memory {
    begin b;
    matrix m;
    float *lower[2];
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
    all.lower[0] = c.take<float>((size_t)COLUMNS * m.lower_pitch);
    all.lower[1] = c.take<float>((size_t)COLUMNS * m.lower_pitch);
    m.upper = c.take<float>((size_t)COLUMNS * m.rows);
    m.lower = all.lower[0];
    all.moved = c.take<exchanges>(2);
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
    if (j < COLUMNS)
        m.lower[(size_t)j * m.lower_pitch + i] = value;
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
__global__ void __launch_bounds__(COLUMNS)
    exchange(matrix m, int k, int first, const exchanges *moved)
{
    __shared__ alignas(16) float lower[COLUMNS][COLUMNS];
    __shared__ exchanges rows;
    const int t = threadIdx.x;
    rows.from[t] = moved->from[t];
    rows.to[t] = moved->to[t];
    __syncthreads();
    float *column = m.a + first + blockIdx.x * COLUMNS + t, v[COLUMNS], old[COLUMNS];
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

/* ---- The next panel ---- */

constexpr int NEXT_ROWS = 32;     /* rows of a thread block, one a lane */
constexpr int NEXT_THREADS = 256; /* a warp has NEXT_OWN columns */
constexpr int NEXT_OWN = COLUMNS / (NEXT_THREADS / 32);

struct next_shared {
    alignas(16) float lower[COLUMNS][COLUMNS], u[COLUMNS][COLUMNS];
    float l[COLUMNS][NEXT_ROWS];
    int from[COLUMNS], source[NEXT_ROWS]; /* sources of the panel's rows, and this block's */
};

__device__ void multiply_next(const next_shared &s, int warp, int lane, float (&sum)[NEXT_OWN])
{
#pragma unroll 8
    for (int q = 0; q < COLUMNS; q++) {
        const float l = s.l[q][lane];
#pragma unroll
        for (int c = 0; c < NEXT_OWN; c += 4) {
            const float4 u = four(&s.u[q][warp * NEXT_OWN + c]);
            sum[c] -= l * u.x;
            sum[c + 1] -= l * u.y;
            sum[c + 2] -= l * u.z;
            sum[c + 3] -= l * u.w;
        }
    }
}

/* Exchange and product for the next panel's columns alone, from a to `next`, so that it can be
 * factored while the rest is updated. Each thread block needs all of this panel's rows of U, and
 * computes them itself; the first one writes them to upper. */
__global__ void __launch_bounds__(NEXT_THREADS)
    update_next(matrix m, int k, const exchanges *moved, float *next)
{
    extern __shared__ float4 on_chip[];
    next_shared &s = *(next_shared *)on_chip;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    const int row = COLUMNS + blockIdx.x * NEXT_ROWS + lane;
    const float *a = m.a + k + COLUMNS;
    if (t < NEXT_ROWS)
        s.source[t] = k + row;
    __syncthreads();
    if (t < COLUMNS) {
        const int place = moved->to[t] - k - row + lane;
        s.from[t] = moved->from[t];
        if (place >= 0 && place < NEXT_ROWS)
            s.source[place] = k + t;
    }
#pragma unroll
    for (int q = 0; q < COLUMNS; q += NEXT_THREADS / COLUMNS)
        s.lower[q + t / COLUMNS][t % COLUMNS] =
            m.lower[(size_t)(q + t / COLUMNS) * m.lower_pitch + t % COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; q += NEXT_THREADS / 32)
        s.l[q + warp][lane] = m.lower[(size_t)(q + warp) * m.lower_pitch + row];
    __syncthreads();
    float sum[NEXT_OWN];
#pragma unroll
    for (int c = 0; c < NEXT_OWN; c += 4)
        *(float4 *)(sum + c) = four(a + (size_t)s.source[lane] * m.pitch + warp * NEXT_OWN + c);
    if (t < COLUMNS) {
        float v[COLUMNS];
#pragma unroll
        for (int i = 0; i < COLUMNS; i++)
            v[i] = a[(size_t)s.from[i] * m.pitch + t];
        substitute(v, s.lower);
#pragma unroll
        for (int i = 0; i < COLUMNS; i++)
            s.u[i][t] = v[i];
        if (blockIdx.x == 0) {
#pragma unroll
            for (int i = 0; i < COLUMNS; i++)
                m.upper[(size_t)(k + i) * COLUMNS + t] = v[i];
        }
    }
    __syncthreads();
    multiply_next(s, warp, lane, sum);
#pragma unroll
    for (int c = 0; c < NEXT_OWN; c++)
        next[(size_t)(warp * NEXT_OWN + c) * m.lower_pitch + row - COLUMNS] = sum[c];
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

__global__ void __launch_bounds__(MULTIPLIERS, 2) product(matrix m, int k, int first)
{
    extern __shared__ float4 on_chip[];
    factors &f = *(factors *)on_chip;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int tile_row = k + COLUMNS + blockIdx.y * TILE, row = warp / 2 * 32 + lane / 8 * 4;
    const int tile_column = first + blockIdx.x * TILE, column = warp % 2 * 64 + lane % 8 * 4;
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

/* Panels look ahead on `panels`, a stream of high priority; the plan's stream updates the rest. */
struct ahead {
    int ranks; /* blocks of a cluster, at most */
    cudaStream_t panels;
    cudaEvent_t factored, ready, updated; /* a panel; the next one's columns; the rest */
};

/* Clears `lower`: tiles that hang over the edge read parts of it that no panel writes. */
enum qp_status clear_lower(const struct qp_launch *l)
{
    cutter c(l->scratch);
    const memory all = cut(l, c);
    const size_t bytes = sizeof(float) * COLUMNS * all.m.lower_pitch;
    cudaError_t error = cudaMemsetAsync(all.lower[0], 0, bytes, stream_of(l));
    if (error == cudaSuccess)
        error = cudaMemsetAsync(all.lower[1], 0, bytes, stream_of(l));
    return qp_cuda_check(error, "clear a panel");
}

cudaError_t open_ahead(struct ahead *ahead)
{
    int least = 0, most = 0;
    cudaEvent_t *const events[] = {&ahead->factored, &ahead->ready, &ahead->updated};
    cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &most);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithPriority(&ahead->panels, cudaStreamNonBlocking, most);
    for (cudaEvent_t *event : events) {
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    }
    return error;
}

void release(struct qp_launch *l)
{
    struct ahead *ahead = (struct ahead *)l->own;
    if (ahead == nullptr)
        return;
    const cudaEvent_t events[] = {ahead->factored, ahead->ready, ahead->updated};
    for (cudaEvent_t event : events) {
        if (event != nullptr)
            cudaEventDestroy(event);
    }
    if (ahead->panels != nullptr)
        cudaStreamDestroy(ahead->panels);
    free(ahead);
    l->own = nullptr;
}

template <product_form PRODUCT> enum qp_status prepare(struct qp_launch *l)
{
    enum qp_status status = check_panel(l, round_up(unknowns(l), COLUMNS));
    if (PRODUCT == TENSOR && l->cuda->major < 8)
        status = qp_fail(QP_UNSUPPORTED,
                         "multiplies in TF32, as devices do from compute capability 8.0 on; this "
                         "one has %d.%d",
                         l->cuda->major, l->cuda->minor);
    if (status != QP_OK)
        return status;
    struct ahead *ahead = (struct ahead *)calloc(1, sizeof *ahead);
    l->own = ahead;
    if (ahead == nullptr)
        return qp_fail(QP_NO_MEMORY, "streams of a blocked elimination: out of memory");
    cudaError_t error = open_ahead(ahead);
    if (error == cudaSuccess)
        error = prepare_panel(l, &ahead->ranks);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(update_next, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     sizeof(next_shared));
    if (error == cudaSuccess)
        error = PRODUCT == TENSOR
                    ? prepare_tensor()
                    : cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           sizeof(factors));
    return qp_cuda_check(error, "give a blocked elimination streams and shared memory");
}

enum qp_status start(struct qp_launch *l)
{
    enum qp_status status = clear_lower(l);
    return status == QP_OK ? keep_start(l) : status;
}

/* Exchange and product for the columns from `first` on, which are to the right of the next panel,
 * on the plan's stream. The product waits for the next panel's columns: so that panel's blocks,
 * which wait for no others, are there first. */
template <product_form PRODUCT>
void update_rest(const struct qp_launch *l, const matrix &m, int k, int first,
                 const exchanges *moved)
{
    const struct ahead *ahead = (const struct ahead *)l->own;
    const int columns = m.width - first, rows = m.rows - k - COLUMNS;
    const dim3 tiles(blocks_in(columns, TILE), blocks_in(rows, TILE));
    cudaStreamWaitEvent(stream_of(l), ahead->factored, 0);
    exchange<<<columns / COLUMNS, COLUMNS, 0, stream_of(l)>>>(m, k, first, moved);
    if (rows > 0) {
        cudaStreamWaitEvent(stream_of(l), ahead->ready, 0);
        if (PRODUCT == TENSOR)
            launch_tensor(l, m, k, first, tiles);
        else
            product<<<tiles, MULTIPLIERS, sizeof(factors), stream_of(l)>>>(m, k, first);
    }
    cudaEventRecord(ahead->updated, stream_of(l));
}

/* Eliminates columns k to k + COLUMNS - 1. */
template <product_form PRODUCT>
cudaError_t eliminate(const struct qp_launch *l, const memory &all, int k)
{
    const struct ahead *ahead = (const struct ahead *)l->own;
    const int odd = k / COLUMNS % 2, rows = all.m.rows - k - COLUMNS;
    exchanges *moved = all.moved + odd;
    matrix m = all.m;
    m.lower = all.lower[odd];
    cudaError_t error = launch_panel(ahead->panels, m, k, ahead->ranks, moved, all.b.log, all.told);
    if (error != cudaSuccess)
        return error;
    cudaEventRecord(ahead->factored, ahead->panels);
    if (rows > 0) {
        cudaStreamWaitEvent(ahead->panels, ahead->updated, 0); /* by the panel before */
        update_next<<<rows / NEXT_ROWS, NEXT_THREADS, sizeof(next_shared), ahead->panels>>>(
            m, k, moved, all.lower[1 - odd]);
        cudaEventRecord(ahead->ready, ahead->panels);
    }
    update_rest<PRODUCT>(l, m, k, k + (rows > 0 ? 2 : 1) * COLUMNS, moved);
    return cudaGetLastError();
}

template <product_form PRODUCT> enum qp_status launch(struct qp_launch *l)
{
    const struct ahead *ahead = (const struct ahead *)l->own;
    cutter c(l->scratch);
    const memory all = cut(l, c);
    const matrix &m = all.m;
    const dim3 threads(32, 8);
    const dim3 blocks(blocks_in(m.pitch, threads.x), blocks_in(m.lower_pitch, threads.y));
    fill<<<blocks, threads, 0, stream_of(l)>>>(m, all.b.start, sides(l), l->out);
    cudaError_t error = cudaGetLastError();
    cudaEventRecord(ahead->updated, stream_of(l));
    cudaStreamWaitEvent(ahead->panels, ahead->updated, 0);
    for (int k = 0; k < m.rows && error == cudaSuccess; k += COLUMNS)
        error = eliminate<PRODUCT>(l, all, k);
    if (error == cudaSuccess)
        error = launch_back(l, m, all.tickets);
    return qp_cuda_check(error, "launch a blocked elimination");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_gauss_jordan_blocked = {.launch = launch<FLOATS>,
                                                              .scratch = scratch,
                                                              .prepare = prepare<FLOATS>,
                                                              .start = start,
                                                              .release = release,
                                                              .log_bytes = log_bytes};

const struct qp_cuda_kernel qp_kernel_gauss_jordan_tf32 = {.launch = launch<TENSOR>,
                                                           .scratch = scratch,
                                                           .prepare = prepare<TENSOR>,
                                                           .start = start,
                                                           .release = release,
                                                           .log_bytes = log_bytes};
