/* SPDX-License-Identifier: MIT */
/* The first rung of paper 5, section 3.2: a thread an unknown, two grids in global memory. */
#include "engines/launch.cuh"
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/spike.h"

namespace
{

constexpr int ACROSS = 32, UP = 8; /* threads of a block: a warp a row */

/* As poisson5.c says, in its order of sums. Without an array of h^2 f it is 1 at the spike and else 0. */
template <typename T>
__global__ void naive(const T *x, T *out, const T *rhs, int width, int height, int pitch,
                      int rhs_pitch, T weight, int spike_x, int spike_y)
{
    const int i = blockIdx.x * ACROSS + threadIdx.x;
    for (int j = blockIdx.y * UP + threadIdx.y; i < width && j < height; j += gridDim.y * UP) {
        const long at = (long)j * pitch + i;
        const T side =
            rhs != nullptr ? rhs[(long)j * rhs_pitch + i] : T(i == spike_x && j == spike_y);
        const T t = ((x[at - 1] + x[at + 1]) + (x[at - pitch] + x[at + pitch]) + side) * T(0.25);
        out[at] = weight == T(1) ? t : x[at] + weight * (t - x[at]);
    }
}

template <typename T> enum qp_status launch(struct qp_launch *l)
{
    const int most = 65535, rows = blocks_in(l->height, UP);
    const dim3 grid(blocks_in(l->width, ACROSS), rows < most ? rows : most);
    int spike_x, spike_y;
    qp_poisson5_spike(l->problem, &spike_x, &spike_y);
    naive<T><<<grid, dim3(ACROSS, UP), 0, stream_of(l)>>>(
        (const T *)l->x, (T *)l->out, (const T *)l->input[0], l->width, l->height, l->pitch,
        l->input_pitch[0], (T)l->weight, spike_x, spike_y);
    return qp_cuda_check_launch("naive");
}

} // namespace

const struct qp_kernel qp_kernel_poisson5_naive = {.launch = launch<float>, .by_rows = true};
const struct qp_kernel qp_kernel_poisson5_naive_double = {.launch = launch<double>,
                                                          .by_rows = true};
