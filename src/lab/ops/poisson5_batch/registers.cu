/* SPDX-License-Identifier: MIT */
/* Small grids in registers: a warp, which is a thread block by itself, has one grid for all steps
 * of a launch.
 *
 * Its lanes are 8 across and 4 up. Each has TX x TY cells of the grid in its registers; so a grid
 * of 64 x 64 cells is 8 x 16 cells a lane. Registers have no addresses, and to move a cell costs as
 * much as to add to it: so a step upwards writes each new row where the old row below it was, which
 * nobody needs any more, and the next step goes downwards and writes each where the old row above
 * it was:
 *
 *     slot    0        1 .. TY    TY + 1      before a step upwards
 *             below    rows       above
 *     slot    0 .. TY - 1    TY     TY + 1    before a step downwards
 *             rows           above  below
 *
 * `below` and `above` are rows of other lanes, got by shuffles before the step; cells of the lanes
 * to the left and right are got row by row. The lanes of a warp go in step, so there is no barrier.
 * Beyond the rim a lane gets zeros. A fourth of h^2 f waits in shared memory, where each lane reads
 * its own alone; a fourth of the sum is then added by one fused multiply-add, whose bits are those
 * of (sum + h^2 f) / 4, since fourths are exact. */
#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5_batch/kernels.h"

namespace
{

constexpr int ACROSS = 8, UP = 4, LANES = ACROSS * UP; /* lanes of a warp */
constexpr unsigned ALL = 0xffffffff;                   /* all lanes of a warp */

/* Neighbouring cells of a row, as many as a lane has, up to what one access takes. */
template <int COUNT> struct alignas(COUNT * sizeof(float)) cells {
    float value[COUNT];
};

/* A lane's part of a grid of n x n cells; WHOLE: n = ACROSS TX = UP TY, so that every lane's cells
 * exist. Cells beyond the grid are zeros, and stay so. */
template <int TX, int TY, bool WHOLE> struct part {
    static constexpr int COUNT = TX < 4 ? TX : 4;
    using group = cells<COUNT>;

    float u[TY + 2][TX];
    float quarter[TX]; /* 0 in columns beyond the grid */
    const int lane = threadIdx.x, x = lane % ACROSS * TX, y = lane / ACROSS * TY, n;

    __device__ explicit part(int n) : n(n)
    {
#pragma unroll
        for (int i = 0; i < TX; i++)
            quarter[i] = WHOLE || x + i < n ? 0.25f : 0.0f;
    }

    __device__ bool exists(int i, int j) const
    {
        return WHOLE || (x + i < n && y + j < n);
    }

    /* Cells i to i + COUNT - 1 of row j, from or to a grid in memory; FIRST is row 0's slot. */
    __device__ group read(const float *grid, int i, int j) const
    {
        const float *from = grid + (y + j) * n + x + i;
        group out;
        if constexpr (WHOLE)
            out = *(const group *)from;
#pragma unroll
        for (int k = 0; k < COUNT && !WHOLE; k++)
            out.value[k] = exists(i + k, j) ? from[k] : 0.0f;
        return out;
    }

    template <int FIRST> __device__ void write(float *grid, int i, int j) const
    {
        float *to = grid + (y + j) * n + x + i;
        group out;
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            out.value[k] = u[FIRST + j][i + k];
        if constexpr (WHOLE)
            *(group *)to = out;
#pragma unroll
        for (int k = 0; k < COUNT && !WHOLE; k++) {
            if (exists(i + k, j))
                to[k] = out.value[k];
        }
    }

    __device__ void load(const float *grid)
    {
#pragma unroll
        for (int j = 0; j < TY; j++) {
#pragma unroll
            for (int i = 0; i < TX; i += COUNT) {
                const group start = read(grid, i, j);
#pragma unroll
                for (int k = 0; k < COUNT; k++)
                    u[1 + j][i + k] = start.value[k];
            }
        }
    }

    template <int FIRST> __device__ void store(float *grid) const
    {
#pragma unroll
        for (int j = 0; j < TY; j++) {
#pragma unroll
            for (int i = 0; i < TX; i += COUNT)
                write<FIRST>(grid, i, j);
        }
    }

    /* A fourth of the lane's h^2 f into its places. */
    __device__ void hold(const float *rhs, group (&side)[TY][TX / COUNT][LANES]) const
    {
#pragma unroll 2
        for (int j = 0; j < TY; j++) {
            for (int i = 0; i < TX; i += COUNT) {
                group fourth = read(rhs, i, j);
#pragma unroll
                for (int k = 0; k < COUNT; k++)
                    fourth.value[k] *= 0.25f;
                side[j][i / COUNT][lane] = fourth;
            }
        }
    }

    /* Value of a neighbouring lane; 0 beyond the rim. */
    __device__ float from_left(float value) const
    {
        const float got = __shfl_up_sync(ALL, value, 1);
        return lane % ACROSS > 0 ? got : 0.0f;
    }

    __device__ float from_right(float value) const
    {
        const float got = __shfl_down_sync(ALL, value, 1);
        return lane % ACROSS < ACROSS - 1 ? got : 0.0f;
    }

    __device__ float from_below(float value) const
    {
        const float got = __shfl_up_sync(ALL, value, ACROSS);
        return lane / ACROSS > 0 ? got : 0.0f;
    }

    __device__ float from_above(float value) const
    {
        const float got = __shfl_down_sync(ALL, value, ACROSS);
        return lane / ACROSS < UP - 1 ? got : 0.0f;
    }

    /* Row j, written over the row below or above, of which only the cell in the same column is
     * needed. */
    __device__ void relax_row(int j, const float here[TX], const float below[TX],
                              const float above[TX], float out[TX],
                              const group (&side)[TX / COUNT][LANES]) const
    {
        const float left = from_left(here[TX - 1]), right = from_right(here[0]);
#pragma unroll
        for (int i = 0; i < TX; i++) {
            const float sides = (i > 0 ? here[i - 1] : left) + (i + 1 < TX ? here[i + 1] : right);
            const float fresh = __fmaf_rn(sides + (below[i] + above[i]), quarter[i],
                                          side[i / COUNT][lane].value[i % COUNT]);
            out[i] = WHOLE || y + j < n ? fresh : 0.0f;
        }
    }

    template <bool UPWARDS> __device__ void relax(const group (&side)[TY][TX / COUNT][LANES])
    {
        constexpr int FIRST = UPWARDS ? 1 : 0, BELOW = UPWARDS ? 0 : TY + 1;
#pragma unroll
        for (int i = 0; i < TX; i++) {
            u[BELOW][i] = from_below(u[FIRST + TY - 1][i]);
            u[FIRST + TY][i] = from_above(u[FIRST][i]);
        }
#pragma unroll
        for (int k = 0; k < TY; k++) {
            const int j = UPWARDS ? k : TY - 1 - k, here = FIRST + j;
            relax_row(j, u[here], u[j > 0 ? here - 1 : BELOW], u[here + 1],
                      u[UPWARDS ? here - 1 : here + 1], side[j]);
        }
    }
};

/* Resident grids of a multiprocessor: with 8, two for each of its schedulers, a lane of 8 x 16
 * cells has 255 registers; with more it would not have enough. */
template <int TX, int TY, bool WHOLE>
__global__ void __launch_bounds__(LANES, TX *TY > 32 ? 8 : 16)
    relax_grids(const float *x, float *out, const float *rhs, int n, int steps)
{
    using lanes_part = part<TX, TY, WHOLE>;
    constexpr int COUNT = lanes_part::COUNT;
    __shared__ typename lanes_part::group side[TY][TX / COUNT][LANES];
    const size_t first = (size_t)blockIdx.x * n * n;
    lanes_part own(n);
    own.hold(rhs + first, side);
    own.load(x + first);
    for (int pair = 0; pair < steps / 2; pair++) {
        own.template relax<true>(side);
        own.template relax<false>(side);
    }
    if (steps % 2 == 0) {
        own.template store<1>(out + first);
        return;
    }
    own.template relax<true>(side);
    own.template store<0>(out + first);
}

/* ---- Launches ---- */

/* A kernel that takes grids of up to UP TY cells a side. */
using kernel = void(const float *x, float *out, const float *rhs, int n, int steps);

template <int TX, int TY> kernel *for_size(int n)
{
    static_assert(ACROSS * TX == UP * TY);
    return n == UP * TY ? (kernel *)relax_grids<TX, TY, true>
                        : (kernel *)relax_grids<TX, TY, false>;
}

kernel *kernel_for(int n)
{
    return n <= 8    ? for_size<1, 2>(n)
           : n <= 16 ? for_size<2, 4>(n)
           : n <= 32 ? for_size<4, 8>(n)
                     : for_size<8, 16>(n);
}

enum qp_status take_steps(struct qp_launch *l, int count)
{
    const int n = l->width;
    kernel *const run = kernel_for(n);
    run<<<l->height / n, LANES, 0, stream_of(l)>>>(l->x, l->out, l->input[0], n, count);
    return qp_cuda_check_launch("relax_grids");
}

enum qp_status launch(struct qp_launch *l)
{
    return take_steps(l, 1);
}

/* Most of a multiprocessor's memory for h^2 f, not for its cache. */
enum qp_status prepare(struct qp_launch *l)
{
    return qp_cuda_check(cudaFuncSetAttribute((const void *)kernel_for(l->width),
                                              cudaFuncAttributePreferredSharedMemoryCarveout,
                                              cudaSharedmemCarveoutMaxShared),
                         "give blocks so much shared memory");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_batch_registers = {
    .launch = launch, .prepare = prepare, .steps = take_steps};
