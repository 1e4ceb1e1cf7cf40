/* SPDX-License-Identifier: MIT */
/* A step of Poisson's equation as CUDA kernels take it: its arrays, its right-hand side, and the
 * update of one unknown, bit for bit that of `sequential` where no number is subnormal; and what a
 * launch is made of. */
#ifndef QP_OPS_POISSON5_POISSON_CUH
#define QP_OPS_POISSON5_POISSON_CUH

#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5/cuda/kernels.h"
#include "lab/ops/poisson5/cuda/rounded.cuh"
#include "lab/ops/poisson5/spike.h"

namespace poisson5
{

/* Pointers point to the first unknown; around them lies a rim of zeros, one cell wide. */
template <typename T> struct step {
    const T *x;
    T *out;
    const T *rhs; /* h^2 f; NULL: 1 at the spike and else 0 */
    int width, height, pitch, rhs_pitch;
    T weight;
    int spike_x, spike_y;
};

template <typename T> step<T> step_of(const struct qp_launch *l)
{
    step<T> s = {(const T *)l->x, (T *)l->out, (const T *)l->input[0], l->width,
                 l->height,       l->pitch,    l->input_pitch[0],      (T)l->weight};
    qp_poisson5_spike(l->problem, &s.spike_x, &s.spike_y);
    return s;
}

/* h^2 f of unknown (i, j). */
template <typename T> __device__ T rhs_at(const step<T> &s, int i, int j)
{
    return s.rhs != nullptr ? s.rhs[(long)j * s.rhs_pitch + i]
                            : T(i == s.spike_x && j == s.spike_y);
}

/* The unknown's new value, as poisson5.c says, in its order of sums. */
template <typename T>
__device__ T update(T left, T right, T below, T above, T here, T side, T weight)
{
    const T sum = add(add(add(left, right), add(below, above)), side);
    const T t = times(sum, T(0.25));
    return weight == T(1) ? t : relax(here, t, weight);
}

/* Describes a launch of `blocks` blocks of `threads` threads, without dynamic shared memory. */
inline enum qp_status tell_components(const struct qp_launch *l, const void *kernel, int blocks,
                                      int threads, struct qp_launch_blocks *out)
{
    *out = {.m = blocks, .p = l->cuda->multiprocessors, .d = 0, .threads = threads};
    return qp_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out->d, kernel, threads, 0),
                         "tell how many blocks a multiprocessor holds");
}

} // namespace poisson5

#endif
