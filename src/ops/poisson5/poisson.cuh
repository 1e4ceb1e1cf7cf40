/* SPDX-License-Identifier: MIT */
/* A step of Poisson's equation as CUDA kernels take it: its arrays, its right-hand side, and the update of one
 * unknown. Sums and products are rounded one by one, never contracted, so that all rows agree bit for bit with
 * `sequential` where no number is subnormal. */
#ifndef QP_OPS_POISSON5_POISSON_CUH
#define QP_OPS_POISSON5_POISSON_CUH

#include "engines/launch.cuh"
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/spike.h"

namespace poisson5
{

/* Pointers stand at the first unknown; around them lies a rim of zeros, one cell wide. */
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

__device__ inline float add(float a, float b)
{
    return __fadd_rn(a, b);
}

__device__ inline double add(double a, double b)
{
    return __dadd_rn(a, b);
}

__device__ inline float multiply(float a, float b)
{
    return __fmul_rn(a, b);
}

__device__ inline double multiply(double a, double b)
{
    return __dmul_rn(a, b);
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
    const T t = multiply(sum, T(0.25));
    return weight == T(1) ? t : add(here, multiply(weight, add(t, -here)));
}

} // namespace poisson5

#endif
