/* SPDX-License-Identifier: MIT */
#include "lab/engines/change_kernels.h"
#include "lab/engines/launch.cuh"

namespace
{

constexpr int THREADS = 256;

/* Sums of squares, a thread block a row: each thread adds its share of the row's cells, in double;
 * then halves of the block are added to halves. So a row's sum has the same bits whatever rows
 * there are beside it. */
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

/* NaN is larger than all numbers. */
__device__ double larger(double a, double b)
{
    return a >= b || a != a ? a : b;
}

/* A thread block a row, as above. */
template <typename T>
__global__ void distance(const T *x, const double *wanted, int width, int height, int pitch,
                         double *rows)
{
    __shared__ double largest[THREADS], squares[THREADS];
    for (int y = blockIdx.x; y < height; y += gridDim.x) {
        double most = 0.0, sum = 0.0;
        for (int i = threadIdx.x; i < width; i += THREADS) {
            const double off =
                fabs((double)x[(size_t)y * pitch + i] - wanted[(size_t)y * width + i]);
            most = larger(off, most);
            sum += off * off;
        }
        largest[threadIdx.x] = most;
        squares[threadIdx.x] = sum;
        for (int half = THREADS / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half) {
                largest[threadIdx.x] = larger(largest[threadIdx.x + half], largest[threadIdx.x]);
                squares[threadIdx.x] += squares[threadIdx.x + half];
            }
        }
        if (threadIdx.x == 0) {
            rows[y] = largest[0];
            rows[height + y] = squares[0];
        }
        __syncthreads(); /* before the next row's */
    }
}

template <typename T> void run_distance(const struct qp_launch *l)
{
    const int most = 1 << 20, blocks = l->answer_height < most ? l->answer_height : most;
    distance<T><<<blocks, THREADS, 0, stream_of(l)>>>((const T *)l->x, (const double *)l->input[0],
                                                      l->answer_width, l->answer_height, l->pitch,
                                                      (double *)l->scratch);
}

enum qp_status launch_distance(struct qp_launch *l)
{
    (l->kind == 1 ? run_distance<double> : run_distance<float>)(l);
    return qp_cuda_check_launch("distance");
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

const struct qp_cuda_kernel qp_kernel_change = {.launch = launch};
const struct qp_cuda_kernel qp_kernel_distance = {.launch = launch_distance};
