/* SPDX-License-Identifier: MIT */
/* A thread a row, a warp a row, and a thread a row of slices: where a thread's entries begin, and
 * how far apart they are. */
#include "lab/engines/launch.cuh"
#include "lab/ops/spmv/kernels.h"

namespace
{

constexpr int THREADS = 256, WARP = 32;

/* Input arrays in the order of cuda.c; entries are counted by int, as lab/engines/check.c sees
 * to. */
struct matrix {
    const float *x;
    const int *first, *column; /* arrays of rows, or of slices */
    const float *value;
    float *out;
    int rows;
};

/* Sum of every step-th entry from `begin` to `end`. */
__device__ float add(const matrix &a, int begin, int end, int step)
{
    float sum = 0.0f;
    for (int k = begin; k < end; k += step)
        sum += a.value[k] * __ldg(a.x + a.column[k]);
    return sum;
}

__global__ void scalar(matrix a)
{
    const int row = blockIdx.x * THREADS + threadIdx.x;
    if (row < a.rows)
        a.out[row] = add(a, a.first[row], a.first[row + 1], 1);
}

__global__ void vector(matrix a)
{
    const int row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= a.rows)
        return;
    float sum = add(a, a.first[row] + lane, a.first[row + 1], WARP);
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        a.out[row] = sum;
}

__global__ void sliced(matrix a)
{
    const int row = blockIdx.x * THREADS + threadIdx.x, slice = row / WARP;
    if (row < a.rows)
        a.out[row] = add(a, a.first[slice] + row % WARP, a.first[slice + 1], WARP);
}

template <void (*kernel)(matrix), int ROWS> enum qp_status launch(struct qp_launch *l)
{
    kernel<<<blocks_in(cells_of(l), ROWS), THREADS, 0, stream_of(l)>>>(
        {l->input[0], (const int *)l->input[1], (const int *)l->input[2], l->input[3], l->out,
         (int)cells_of(l)});
    return qp_cuda_check_launch("a sparse product");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_spmv_scalar = {.launch = launch<scalar, THREADS>};
const struct qp_cuda_kernel qp_kernel_spmv_vector = {.launch = launch<vector, THREADS / WARP>};
const struct qp_cuda_kernel qp_kernel_spmv_sliced = {.launch = launch<sliced, THREADS>};
