/* SPDX-License-Identifier: MIT */
/* A thread a row, a warp a row, and a thread a row of slices. */
#include "engines/launch.cuh"
#include "ops/spmv/kernels.h"

namespace
{

constexpr int THREADS = 256, WARP = 32;

/* Input arrays in the order of cuda.c. Rows are counted by int, as are entries: arrays of more are
 * refused (engines/check.c). */
struct matrix {
    const float *x;
    const int *first, *column; /* of rows, or of slices */
    const float *value;
    float *out;
    int rows;
};

matrix matrix_of(const struct qp_launch *l)
{
    return {l->input[0], (const int *)l->input[1], (const int *)l->input[2], l->input[3],
            l->out,      (int)cells_of(l)};
}

/* ---- A thread a row ---- */

__global__ void scalar(matrix a)
{
    const int row = blockIdx.x * THREADS + threadIdx.x;
    if (row >= a.rows)
        return;
    float sum = 0.0f;
    for (int k = a.first[row]; k < a.first[row + 1]; k++)
        sum += a.value[k] * __ldg(a.x + a.column[k]);
    a.out[row] = sum;
}

/* ---- A warp a row ---- */

__global__ void vector(matrix a)
{
    const int row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= a.rows)
        return;
    const int end = a.first[row + 1];
    float sum = 0.0f;
    for (int k = a.first[row] + lane; k < end; k += WARP)
        sum += a.value[k] * __ldg(a.x + a.column[k]);
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        a.out[row] = sum;
}

/* ---- A thread a row of slices: slot k of a row is 32 slots after slot k - 1 ---- */

__global__ void sliced(matrix a)
{
    const int row = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    if (row >= a.rows)
        return;
    const int end = a.first[row / WARP + 1];
    float sum = 0.0f;
    for (int k = a.first[row / WARP] + lane; k < end; k += WARP)
        sum += a.value[k] * __ldg(a.x + a.column[k]);
    a.out[row] = sum;
}

template <void (*kernel)(matrix), int EACH> enum qp_status launch(struct qp_launch *l)
{
    kernel<<<blocks_in(cells_of(l), THREADS / EACH), THREADS, 0, stream_of(l)>>>(matrix_of(l));
    return qp_cuda_check_launch("a sparse product");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_spmv_scalar = {.launch = launch<scalar, 1>};
const struct qp_cuda_kernel qp_kernel_spmv_vector = {.launch = launch<vector, WARP>};
const struct qp_cuda_kernel qp_kernel_spmv_sliced = {.launch = launch<sliced, 1>};
