/* SPDX-License-Identifier: MIT */
#include "engines/change_kernels.h"
#include "engines/launch.cuh"

namespace
{

constexpr int THREADS = 256;

/* Sums of squares, a thread block a row: each thread adds its share of the row's cells, in double; then halves of the
 * block are added to halves. So a row's sum has the same bits whatever rows there are beside it. */
template <typename T>
__global__ void change(const T *before, const T *after, const T *scale, int width, int height,
                       int pitch, double *sums)
{
    __shared__ double part[THREADS];
    for (int y = blockIdx.x; y < height; y += gridDim.x) {
        double sum = 0.0;
        for (int x = threadIdx.x; x < width; x += THREADS) {
            const size_t at = (size_t)y * pitch + x;
            const double residual = (double)scale[at] * ((double)after[at] - (double)before[at]);
            sum += residual * residual;
        }
        part[threadIdx.x] = sum;
        for (int half = THREADS / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half)
                part[threadIdx.x] += part[threadIdx.x + half];
        }
        if (threadIdx.x == 0)
            sums[y] = part[0];
        __syncthreads(); /* before the next row's sums */
    }
}

template <typename T> void run(const struct qp_launch *l)
{
    const int most = 1 << 20, blocks = l->answer_height < most ? l->answer_height : most;
    change<T><<<blocks, THREADS, 0, stream_of(l)>>>(
        (const T *)l->x, (const T *)l->out, (const T *)l->input[0], l->answer_width,
        l->answer_height, l->pitch, (double *)l->scratch);
}

enum qp_status launch(struct qp_launch *l)
{
    (l->kind == 1 ? run<double> : run<float>)(l);
    return qp_cuda_check_launch("change");
}

} // namespace

const struct qp_kernel qp_kernel_change = {.launch = launch};
