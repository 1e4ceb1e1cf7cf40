/* SPDX-License-Identifier: MIT */
/* The first rung of paper 5, section 3.2: a thread an unknown, two grids in global memory. Where its rows begin
 * at a multiple of 256 bytes it is the second one, `padded`. */
#include "ops/poisson5/poisson.cuh"

namespace
{

using namespace poisson5;

constexpr int ACROSS = 32, UP = 8; /* threads of a block: a warp a row */

template <typename T> __global__ void naive(step<T> s)
{
    const int i = blockIdx.x * ACROSS + threadIdx.x;
    for (int j = blockIdx.y * UP + threadIdx.y; i < s.width && j < s.height; j += gridDim.y * UP) {
        const long at = (long)j * s.pitch + i;
        s.out[at] = update(s.x[at - 1], s.x[at + 1], s.x[at - s.pitch], s.x[at + s.pitch], s.x[at],
                           rhs_at(s, i, j), s.weight);
    }
}

template <typename T> enum qp_status launch(struct qp_launch *l)
{
    const int most = 65535, rows = blocks_in(l->height, UP);
    const dim3 grid(blocks_in(l->width, ACROSS), rows < most ? rows : most);
    naive<T><<<grid, dim3(ACROSS, UP), 0, stream_of(l)>>>(step_of<T>(l));
    return qp_cuda_check_launch("naive");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_naive = {.launch = launch<float>, .by_rows = true};
const struct qp_cuda_kernel qp_kernel_poisson5_naive_double = {.launch = launch<double>,
                                                               .by_rows = true};
