/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA where there is no NVRTC: kernels for a few ranges of their number of
 * unknowns (registers.cuh). */
#include "lab/ops/gauss_jordan_batch/kernels.h"
#include "lab/ops/gauss_jordan_batch/registers.cuh"

#include "lab/engines/launch.cuh"

namespace
{

template <int N, int T>
__global__ void __launch_bounds__(THREADS, N <= 24 ? MANY : FEW)
    built(const float *systems, float *answers, int n, int count)
{
    solve<N, T>(systems, answers, n, count);
}

template <int N, int T> void start(const struct qp_launch *l, int n, int count)
{
    const struct qp_batch_grid grid = qp_batch_grid(n, T, count);
    built<N, T>
        <<<grid.blocks, grid.threads, grid.shared, stream_of(l)>>>(l->input[0], l->out, n, count);
}

enum qp_status launch(struct qp_launch *l)
{
    const int n = l->answer_width - 1, count = l->answer_height;
    void (*const run)(const struct qp_launch *l, int n, int count) = n <= 4    ? start<4, 1>
                                                                     : n <= 8  ? start<8, 1>
                                                                     : n <= 12 ? start<12, 2>
                                                                     : n <= 16 ? start<16, 8>
                                                                     : n <= 24 ? start<24, 8>
                                                                     : n <= 32 ? start<32, 8>
                                                                     : n <= 48 ? start<48, 16>
                                                                               : start<64, 32>;
    run(l, n, count);
    return qp_cuda_check_launch("registers");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_gauss_jordan_batch_built = {.launch = launch};
