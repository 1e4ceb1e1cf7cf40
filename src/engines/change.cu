/* SPDX-License-Identifier: MIT */
#include "engines/change_kernels.h"
#include "engines/launch.cuh"

namespace
{

constexpr int THREADS = 256;

/* Sums of squares: each thread adds its share of the cells, in double; then halves of the block are added to
 * halves, so that the same arrays give the same bits. */
template <typename T>
__global__ void change(const T *before, const T *after, const T *scale, int width, size_t cells,
                       int pitch, double *partial)
{
    __shared__ double sums[THREADS];
    double sum = 0.0;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < cells;
         i += (size_t)gridDim.x * THREADS) {
        size_t at = i / width * pitch + i % width;
        double residual = (double)scale[at] * ((double)after[at] - (double)before[at]);
        sum += residual * residual;
    }
    sums[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

template <typename T> void run(const struct qp_launch *l)
{
    change<T><<<QP_CHANGE_BLOCKS, THREADS, 0, stream_of(l)>>>(
        (const T *)l->x, (const T *)l->out, (const T *)l->input[0], l->answer_width,
        (size_t)l->answer_width * l->answer_height, l->pitch, (double *)l->scratch);
}

enum qp_status launch(struct qp_launch *l)
{
    (l->kind == 1 ? run<double> : run<float>)(l);
    return qp_cuda_check_launch("change");
}

} // namespace

const struct qp_kernel qp_kernel_change = {.launch = launch};
