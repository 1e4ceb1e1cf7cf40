/* SPDX-License-Identifier: MIT */
/* Sums and products that are rounded one by one, as on the CPU: the compiler joins none of them
 * into a fused multiply-add, so that variants agree bit for bit with weights too. */
#ifndef QP_OPS_POISSON5_ROUNDED_CUH
#define QP_OPS_POISSON5_ROUNDED_CUH

namespace poisson5
{

__device__ __forceinline__ float add(float a, float b)
{
    return __fadd_rn(a, b);
}

__device__ __forceinline__ double add(double a, double b)
{
    return __dadd_rn(a, b);
}

__device__ __forceinline__ float times(float a, float b)
{
    return __fmul_rn(a, b);
}

__device__ __forceinline__ double times(double a, double b)
{
    return __dmul_rn(a, b);
}

/* a b + c, rounded as a sum alone: a b must be exact, as with a power of two. */
__device__ __forceinline__ float add_times(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

__device__ __forceinline__ double add_times(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

/* A step of weight w from u, where t is Jacobi's value. With a weight of 1 it is that one, which
 * the sum is not. */
template <typename T> __device__ __forceinline__ T relax(T u, T t, T w)
{
    return w == T(1) ? t : add(u, times(w, add(t, -u)));
}

/* The same times 4, from u and 4 t. `four` is 4, and 0 with a weight of 1, so that nothing is
 * chosen for each value. */
template <typename T> __device__ __forceinline__ T relax_of_four(T u, T t, T w, T four)
{
    return add_times(u, four, times(w, add_times(u, -four, t)));
}

} // namespace poisson5

#endif
