/* SPDX-License-Identifier: MIT */
/* Product of blocked elimination on tensor cores, A := A - L U. They multiply numbers of 11 bits
 * (TF32) and add in float. A float has 24 bits, so each is split into two such numbers, x = high +
 * low, and three products are added,
 *
 *     l u = low(l) high(u) + high(l) low(u) + high(l) high(u),
 *
 * where low(l) low(u), less than 2^-22 of the product, is left out. */
#include <cuda_pipeline.h>

#include "lab/ops/gauss_jordan/blocked.cuh"

namespace gauss_jordan
{

namespace
{

constexpr int THREADS = 256;    /* each warp has 32 x 64 elements of a tile */
constexpr int PITCH = TILE + 8; /* so that the reads of a warp are from 32 banks */

struct factors {
    float l[COLUMNS][PITCH], u[COLUMNS][PITCH];
};

/* A float as high + low, both of 11 bits. */
struct parts {
    unsigned high, low;
};

__device__ unsigned round_to_tf32(float x)
{
    unsigned rounded = 0;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
#endif
    return rounded;
}

__device__ parts split(float x)
{
    const unsigned high = round_to_tf32(x);
    return {high, round_to_tf32(x - __uint_as_float(high))};
}

/* sum += l u, of 16 x 8 and 8 x 8 values dealt out to a warp's lanes as the instruction has it. */
__device__ void multiply(float (&sum)[4], const unsigned (&l)[4], const unsigned (&u)[2])
{
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(l[0]), "r"(l[1]), "r"(l[2]), "r"(l[3]), "r"(u[0]), "r"(u[1]));
#endif
}

__device__ void copy_factors(const matrix &m, int k, int row, int column, factors &f)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (int q = 0; q < COLUMNS; q += THREADS / 32) {
        __pipeline_memcpy_async(&f.l[q + warp][4 * lane],
                                m.lower + (size_t)(q + warp) * m.lower_pitch + row - k + 4 * lane,
                                16);
        __pipeline_memcpy_async(&f.u[q + warp][4 * lane],
                                m.a + (size_t)(k + q + warp) * m.pitch + column + 4 * lane, 16);
        if (q == COLUMNS / 2 - THREADS / 32)
            __pipeline_commit();
    }
    __pipeline_commit();
}

__global__ void __launch_bounds__(THREADS, 2) product(matrix m, int k, int first)
{
    extern __shared__ float4 on_chip[];
    factors &f = *(factors *)on_chip;
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, of_group = threadIdx.x % 4;
    const int tile_row = k + COLUMNS + blockIdx.y * TILE, row = warp / 2 * 32 + group;
    const int tile_column = first + blockIdx.x * TILE, column = warp % 2 * 64;
    copy_factors(m, k, tile_row, tile_column, f);
    float sum[2][8][4] = {};
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
        if (half == 0)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll 1
        for (int q = half * COLUMNS / 2; q < (half + 1) * COLUMNS / 2; q += 8) {
            unsigned high[2][4], low[2][4];
#pragma unroll
            for (int v = 0; v < 8; v++) {
                const parts p =
                    split(f.l[q + of_group + v / 2 % 2 * 4][row + v / 4 * 16 + v % 2 * 8]);
                high[v / 4][v % 4] = p.high;
                low[v / 4][v % 4] = p.low;
            }
#pragma unroll
            for (int n = 0; n < 8; n++) {
                const parts p[2] = {split(f.u[q + of_group][column + 8 * n + group]),
                                    split(f.u[q + of_group + 4][column + 8 * n + group])};
                const unsigned u_high[2] = {p[0].high, p[1].high}, u_low[2] = {p[0].low, p[1].low};
#pragma unroll
                for (int r = 0; r < 2; r++) {
                    multiply(sum[r][n], low[r], u_high);
                    multiply(sum[r][n], high[r], u_low);
                    multiply(sum[r][n], high[r], u_high);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        float *c =
            m.a + (size_t)(tile_row + row + 8 * r) * m.pitch + tile_column + column + 2 * of_group;
        float2 old[8];
#pragma unroll
        for (int n = 0; n < 8; n++)
            old[n] = *(const float2 *)(c + 8 * n);
#pragma unroll
        for (int n = 0; n < 8; n++)
            *(float2 *)(c + 8 * n) = make_float2(old[n].x - sum[r / 2][n][r % 2 * 2],
                                                 old[n].y - sum[r / 2][n][r % 2 * 2 + 1]);
    }
}

} // namespace

cudaError_t prepare_tensor()
{
    return cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                sizeof(factors));
}

void launch_tensor(const struct qp_launch *l, const matrix &m, int k, int first, dim3 tiles)
{
    product<<<tiles, THREADS, sizeof(factors), stream_of(l)>>>(m, k, first);
}

} // namespace gauss_jordan
