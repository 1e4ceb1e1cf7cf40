/* SPDX-License-Identifier: MIT */
/* The first rung of paper 5, section 3.2: a thread an unknown, two grids in global memory, and a
 * block of threads whose size "is a tuning parameter". Where its rows begin at a multiple of 256
 * bytes it is the second one, `padded`. */
#include "lab/ops/poisson5/cuda/poisson.cuh"

namespace
{

using namespace poisson5;

constexpr int USUAL =
    3208; /* threads of a block, 100 times those across and those up: a warp a row */

template <typename T> __global__ void naive(step<T> s)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, rows = gridDim.y * blockDim.y;
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; i < s.width && j < s.height; j += rows) {
        const long at = (long)j * s.pitch + i;
        s.out[at] = update(s.x[at - 1], s.x[at + 1], s.x[at - s.pitch], s.x[at + s.pitch], s.x[at],
                           rhs_at(s, i, j), s.weight);
    }
}

template <typename T> enum qp_status launch(struct qp_launch *l)
{
    const int most = 65535, block = l->block > 0 ? l->block : USUAL;
    const int across = block / 100, up = block % 100, rows = blocks_in(l->height, up);
    const dim3 grid(blocks_in(l->width, across), rows < most ? rows : most);
    naive<T><<<grid, dim3(across, up), 0, stream_of(l)>>>(step_of<T>(l));
    return qp_cuda_check_launch("naive");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_naive = {.launch = launch<float>, .by_rows = true};
const struct qp_cuda_kernel qp_kernel_poisson5_naive_double = {.launch = launch<double>,
                                                               .by_rows = true};
