/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan as paper 2 has it: for every column a launch over the whole matrix, from one array
 * to another, since threads cannot know when others have read. N launches move 8 N^2 (N + m)
 * bytes. */
#include "lab/ops/gauss_jordan/kernels.h"
#include "lab/ops/gauss_jordan/memory.cuh"

namespace
{

using namespace gauss_jordan;

constexpr int ACROSS = 32, UP = 8;   /* threads of a block, a warp along a row */
constexpr int SEARCHERS = 1024;      /* threads of the one block that searches a column */
constexpr unsigned ALL = 0xffffffff; /* all lanes of a warp */

struct memory {
    begin b;
    float *spare; /* the other array of the ping-pong */
};

memory cut(const struct qp_launch *l, cutter &c)
{
    memory m;
    m.b = cut_begin(l, c);
    m.spare = c.take<float>(cells_of(l));
    return m;
}

double scratch(const struct qp_launch *l)
{
    cutter c(nullptr);
    cut(l, c);
    return c.bytes();
}

/* ---- A column ---- */

/* Row of the array that holds row i after the exchange: rows are exchanged as they are fetched, as
 * in gauss_jordan/pivoted. */
__device__ int stands_in(int i, int k, int pivot)
{
    return i == k ? pivot : i == pivot ? k : i;
}

/* Eliminates one column. A search has logged the pivot; without a search it is row k's own, and is
 * logged here. */
template <bool PIVOTS>
__global__ void eliminate(const float *old, float *out, int width, int height, int k, float4 *log)
{
    const int j = blockIdx.x * ACROSS + threadIdx.x, i = blockIdx.y * UP + threadIdx.y;
    if (j >= width || i >= height)
        return;
    const int pivot = PIVOTS ? k + (int)log[k].z : k;
    const float *row = old + (size_t)pivot * width;
    const float *other = old + (size_t)stands_in(i, k, pivot) * width;
    const float divided = row[j] / row[k];
    out[(size_t)i * width + j] = i == k ? divided : other[j] - other[k] * divided;
    if (!PIVOTS && i == k && j == k)
        log[k] = make_float4(row[k], 0, 0, 0);
}

/* Pivot search, the first of the largest at or below row k: every thread looks at some rows,
 * threads of a warp shuffle, and the first warp compares the warps' results. */
struct found {
    float size;
    int row;
};

__device__ found better(found a, found b)
{
    return b.size > a.size || (b.size == a.size && b.row < a.row) ? b : a;
}

__device__ found best_of_warp(found f)
{
    for (int distance = 16; distance > 0; distance /= 2)
        f = better(f,
                   {__shfl_xor_sync(ALL, f.size, distance), __shfl_xor_sync(ALL, f.row, distance)});
    return f;
}

__global__ void search(const float *a, int width, int height, int k, float4 *log)
{
    __shared__ found warps[SEARCHERS / 32];
    found f = {-1, height};
    for (int i = k + (int)threadIdx.x; i < height; i += SEARCHERS)
        f = better(f, {fabsf(a[(size_t)i * width + k]), i});
    f = best_of_warp(f);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = f;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    f = best_of_warp(warps[threadIdx.x]);
    const int row = f.row < height ? f.row : k; /* nothing but NaN */
    if (threadIdx.x == 0)
        log[k] = make_float4(a[(size_t)row * width + k], 0, (float)(row - k), 0);
}

/* ---- All columns ---- */

template <bool PIVOTS> enum qp_status launch(struct qp_launch *l)
{
    cutter c(l->scratch);
    const memory m = cut(l, c);
    const dim3 threads(ACROSS, UP);
    const dim3 blocks(blocks_in(l->width, ACROSS), blocks_in(l->height, UP));
    const float *from = m.b.start;
    for (int k = 0; k < unknowns(l); k++) {
        float *to = (unknowns(l) - k) % 2 != 0 ? l->out : m.spare; /* the last one is out */
        if (PIVOTS)
            search<<<1, SEARCHERS, 0, stream_of(l)>>>(from, l->width, l->height, k, m.b.log);
        eliminate<PIVOTS>
            <<<blocks, threads, 0, stream_of(l)>>>(from, to, l->width, l->height, k, m.b.log);
        from = to;
    }
    return qp_cuda_check_launch("a column's elimination");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_gauss_jordan_column = {
    .launch = launch<false>, .scratch = scratch, .start = keep_start, .log_bytes = log_bytes};

const struct qp_cuda_kernel qp_kernel_gauss_jordan_column_pivoted = {
    .launch = launch<true>, .scratch = scratch, .start = keep_start, .log_bytes = log_bytes};
