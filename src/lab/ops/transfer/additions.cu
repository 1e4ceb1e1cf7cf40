/* SPDX-License-Identifier: MIT */
#include "lab/engines/launch.cuh"
#include "lab/ops/transfer/kernels.h"

namespace
{

constexpr int THREADS = 256, BLOCKS_EACH = 8; /* blocks of a multiprocessor: all that it holds */

/* Each addition needs the one before, so nothing but their number takes time. */
__global__ void move(const float *x, float *out, size_t count, int additions)
{
    const size_t all = (size_t)gridDim.x * THREADS;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += all) {
        float sum = x[i];
        for (int k = 0; k < additions; k++)
            sum += 1.0f;
        out[i] = sum;
    }
}

enum qp_status launch_move(struct qp_launch *l)
{
    const size_t count = cells_of(l), blocks = (count + THREADS - 1) / THREADS;
    const size_t most = (size_t)l->cuda->multiprocessors * BLOCKS_EACH;
    move<<<(unsigned)(blocks < most ? blocks : most), THREADS, 0, stream_of(l)>>>(l->x, l->out,
                                                                                  count, l->kind);
    return qp_cuda_check_launch("move");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_transfer_move = {.launch = launch_move};
