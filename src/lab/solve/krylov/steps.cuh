/* SPDX-License-Identifier: MIT */
/* Kernels of Krylov methods, with the formulas of shaders/krylov. */
#ifndef QP_SOLVE_KRYLOV_STEPS_CUH
#define QP_SOLVE_KRYLOV_STEPS_CUH

#include "lab/engines/launch.cuh"
#include "lab/solve/krylov/kernels.h"

namespace
{

constexpr int THREADS = 256, WARP = 32;
constexpr float PRODUCT_ROUNDING = 0x1p-46f, COLUMN_ROUNDING = 0x1p-21f;

#if CUDART_VERSION >= 12040
typedef cudaGraphConditionalHandle handle;
#else
typedef unsigned long long handle;
#endif

typedef struct qp_krylov_arrays arrays;

/* ---- Cells ---- */

/* Scalars f and state g of a cell: the square of the residual, the code, steps, and the square to
 * stop at. */
struct cell {
    float4 f, g;
};

__device__ cell load(const arrays &a, int k)
{
    return {*(const float4 *)a.cells->scalars[k], *(const float4 *)a.cells->state[k]};
}

__device__ void store(const arrays &a, int k, const cell &c)
{
    *(float4 *)a.cells->scalars[k] = c.f;
    *(float4 *)a.cells->state[k] = c.g;
}

/* True before the end of the run and of the launch. */
__device__ bool goes_on(const arrays &a, const float4 &g)
{
    return g.y == GOES_ON && g.z < a.cells->until;
}

__device__ bool is_finite(float x)
{
    return fabsf(x) < 1e37f;
}

/* ---- Fours ---- */

__device__ float4 &at(const arrays &a, int vector, int i)
{
    return ((float4 *)a.vector[vector])[i];
}

__device__ float4 operator+(float4 a, float4 b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

__device__ float4 operator-(float4 a, float4 b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}

__device__ float4 operator*(float s, float4 a)
{
    return {s * a.x, s * a.y, s * a.z, s * a.w};
}

__device__ float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* ---- Updates ---- */

/* A step of CG, from scalars of cell 0. */
struct cg_step {
    static __device__ bool acts(const arrays &a, const cell &c)
    {
        return goes_on(a, c.g);
    }
    static constexpr int FROM = 0;
    static __device__ void update(const arrays &a, const cell &c, int i)
    {
        const float4 p = at(a, P, i), r = at(a, R, i) - c.f.x * at(a, Q, i);
        at(a, X, i) = at(a, X, i) + c.f.x * p;
        at(a, R, i) = r;
        at(a, P, i) = r + c.f.y * p;
    }
};

/* The same with z = M r and v = M q. */
struct preconditioned_cg_step : cg_step {
    static __device__ void update(const arrays &a, const cell &c, int i)
    {
        const float4 p = at(a, P, i), z = at(a, Z, i) - c.f.x * at(a, V, i);
        at(a, X, i) = at(a, X, i) + c.f.x * p;
        at(a, R, i) = at(a, R, i) - c.f.x * at(a, Q, i);
        at(a, Z, i) = z;
        at(a, P, i) = z + c.f.y * p;
    }
};

/* The first half of a step of BiCGSTAB: s = r - alpha v. */
struct half_step : cg_step {
    static __device__ void update(const arrays &a, const cell &c, int i)
    {
        at(a, S, i) = at(a, R, i) - c.f.x * at(a, V, i);
    }
};

/* The second half, whose scalars are in cell 1; alpha is 0 after the end. */
struct bicgstab_step {
    static constexpr int FROM = 1;
    static __device__ bool acts(const arrays &a, const cell &c)
    {
        return c.f.x != 0.0f && c.g.z < a.cells->until;
    }
    static __device__ void update(const arrays &a, const cell &c, int i)
    {
        const float4 p = at(a, P, i), s = at(a, S, i), r = s - c.f.z * at(a, T, i);
        at(a, X, i) = at(a, X, i) + (c.f.x * p + c.f.z * s);
        at(a, R, i) = r;
        at(a, P, i) = r + c.f.y * (p - c.f.z * at(a, V, i));
    }
};

/* A step of MINRES, whose scalars and state are those before the rotation, of which cell 0 has the
 * new one. Vectors keep their names: P and V of Lanczos, Z and SHADOW the last two directions. */
struct minres_step {
    static constexpr int FROM = 1;
    static __device__ bool acts(const arrays &a, const cell &c)
    {
        const float *rotation = a.cells->scalars[0];
        return goes_on(a, c.g) && (rotation[0] != 0.0f || rotation[1] != 0.0f);
    }
    static __device__ void update(const arrays &a, const cell &c, int i)
    {
        const float4 rotation = load(a, 0).f, p = at(a, P, i), z = at(a, Z, i), v = at(a, V, i);
        const float beta = hypotf(rotation.z, rotation.w), gamma = hypotf(c.f.z, beta);
        const float4 next = (1.0f / gamma) * (p - c.f.w * at(a, SHADOW, i) - c.f.y * z);
        at(a, SHADOW, i) = z;
        at(a, Z, i) = next;
        at(a, X, i) = at(a, X, i) + (rotation.x * sqrtf(c.g.x)) * next;
        at(a, P, i) = beta > 0.0f ? (1.0f / beta) * v : float4{0.0f, 0.0f, 0.0f, 0.0f};
        at(a, V, i) = beta * p;
    }
};

template <class STEP> __global__ void __launch_bounds__(THREADS) step(arrays a)
{
    const cell c = load(a, STEP::FROM);
    if (!STEP::acts(a, c))
        return;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < a.fours; i += gridDim.x * THREADS)
        STEP::update(a, c, i);
}

/* A term of Chebyshev's iteration, with q = A p; `first`: x, the residual r and the direction p
 * begin from q. */
struct iteration {
    float4 *x, *r, *p, *q;
};

__global__ void __launch_bounds__(THREADS)
    chebyshev(iteration v, int fours, float c1, float c2, bool first)
{
    const float4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < fours; i += gridDim.x * THREADS) {
        const float4 r = first ? v.q[i] : v.r[i] - v.q[i];
        v.x[i] = first ? zero : v.x[i] + v.p[i];
        v.r[i] = r;
        v.p[i] = first ? c2 * r : c1 * v.p[i] + c2 * r;
    }
}

/* ---- Sums, and the scalars made of them ---- */

/* Each has the terms of four unknowns, and what one thread does with the sums: it takes cell FROM,
 * and leaves the next one. */
struct cg_sums {
    static __device__ float4 terms(const arrays &a, const cell &, int i)
    {
        const float4 p = at(a, P, i), q = at(a, Q, i), r = at(a, R, i);
        const float4 v = a.vector[V] != nullptr ? at(a, V, i) : q;
        return {dot(p, q), dot(q, v), dot(r, p), dot(r, r)};
    }
    static __device__ bool decide(const arrays &a, cell c, const float4 &sum)
    {
        if (goes_on(a, c.g)) {
            c.g = {sum.w, GOES_ON, c.g.z + 1.0f, c.g.w};
            c.f.x = sum.z / sum.x;
            c.f.y = fmaxf(c.f.x * (sum.y / sum.x) - 1.0f, 0.0f);
            if (sum.w <= c.g.w)
                c.g.y = AT_TARGET;
            else if (!is_finite(sum.w))
                c.g.y = NOT_FINITE;
            else if (!(sum.x > 0.0f && is_finite(c.f.x * (c.f.x * sum.y))))
                c.g.y = NO_CURVATURE;
        }
        store(a, 0, c);
        return goes_on(a, c.g);
    }
};

/* Sums of Chebyshev's look, which the host reads. */
struct look : cg_sums {
    static __device__ bool decide(const arrays &, const cell &, const float4 &)
    {
        return false;
    }
};

struct alpha {
    static __device__ float4 terms(const arrays &a, const cell &, int i)
    {
        const float4 o = at(a, SHADOW, i), v = at(a, V, i), r = at(a, R, i);
        return {dot(o, v), dot(o, r), dot(r, r), dot(v, v)};
    }
    static __device__ bool decide(const arrays &a, cell c, const float4 &sum)
    {
        if (!(c.g.z < a.cells->until))
            return false;
        c.f.x = 0.0f;
        if (c.g.y == GOES_ON || c.g.y == NO_OMEGA) {
            c.g.x = sum.z;
            if (sum.z <= c.g.w) {
                c.g.y = AT_TARGET;
                c.g.z += 1.0f;
            }
        }
        if (c.g.y == GOES_ON) {
            c.g.z += 1.0f;
            c.f = {sum.y / sum.x, 0.0f, 0.0f, sum.y};
            if (!is_finite(sum.z))
                c.g.y = NOT_FINITE;
            else if (!(sum.y * (sum.y / sum.z) > PRODUCT_ROUNDING &&
                       sum.x * (sum.x / sum.w) > PRODUCT_ROUNDING &&
                       is_finite(c.f.x * (c.f.x * sum.w))))
                c.g.y = NO_RHO;
            c.f.x = c.g.y == GOES_ON ? c.f.x : 0.0f;
        }
        store(a, 0, c);
        return goes_on(a, c.g);
    }
};

struct omega {
    static __device__ float4 terms(const arrays &a, const cell &, int i)
    {
        const float4 o = at(a, SHADOW, i), s = at(a, S, i), t = at(a, T, i);
        return {dot(t, s), dot(t, t), dot(s, s), dot(o, t)};
    }
    static __device__ bool decide(const arrays &a, cell c, const float4 &sum)
    {
        if (goes_on(a, c.g)) {
            c.f.y = -sum.w * c.f.x / c.f.w;
            c.f.z = sum.x / sum.y;
            if (!(c.f.z * (sum.x / sum.z) > PRODUCT_ROUNDING))
                c.f.z = 0.7f * sqrtf(sum.z / sum.y);
            if (!(c.f.z > 0.0f || c.f.z < 0.0f) ||
                !(is_finite(c.f.z * (c.f.z * sum.y)) && is_finite(c.f.y))) {
                c.f.y = c.f.z = 0.0f;
                c.g.y = NO_OMEGA;
            }
        }
        store(a, 1, c);
        return false;
    }
};

struct minres_alpha {
    static __device__ float4 terms(const arrays &a, const cell &, int i)
    {
        const float4 p = at(a, P, i);
        return {dot(p, at(a, Q, i)), 0.0f, dot(p, p), 0.0f};
    }
    static __device__ bool decide(const arrays &a, cell c, const float4 &sum)
    {
        const float next = sum.x / sum.z;
        const float4 f = c.f;
        if (c.g.y == GOES_ON && !is_finite(next))
            c.g.y = NOT_FINITE;
        c.f = {next, f.x * f.z + f.y * next, f.y * f.z - f.x * next, f.w};
        store(a, 1, c);
        return false;
    }
};

/* The next vector of Lanczos, and its length. */
struct minres_rotate {
    static __device__ float4 terms(const arrays &a, const cell &c, int i)
    {
        float4 v = at(a, V, i);
        if (goes_on(a, c.g))
            at(a, V, i) = v = at(a, Q, i) - c.f.x * at(a, P, i) - v;
        return {dot(v, v), 0.0f, 0.0f, 0.0f};
    }
    static __device__ bool decide(const arrays &a, cell c, const float4 &sum)
    {
        const float beta = sqrtf(sum.x), gamma = sqrtf(c.f.z * c.f.z + sum.x), sine = beta / gamma;
        const float largest = sqrtf(c.f.y * c.f.y + c.f.z * c.f.z + c.f.w * c.f.w + sum.x);
        const cell before = load(a, 0);
        cell next = {before.f, c.g};
        if (!goes_on(a, c.g)) {
            next.g.y = c.g.y;
        } else if (gamma > COLUMN_ROUNDING * largest && is_finite(gamma)) {
            next.f = {c.f.z / gamma, sine, -before.f.x * beta, before.f.y * beta};
            next.g.x = c.g.x * sine * sine;
            next.g.z = c.g.z + 1.0f;
            next.g.y = next.g.x <= c.g.w ? AT_TARGET : GOES_ON;
        } else {
            next.f = {0.0f, 0.0f, 0.0f, 0.0f}; /* no rotation */
            next.g.y = is_finite(gamma) ? NO_OMEGA : NOT_FINITE;
        }
        store(a, 0, next);
        return goes_on(a, next.g);
    }
};

/* Sum of all threads of a block, in thread 0. */
template <class T> __device__ void add_block(T (&sum)[4])
{
    __shared__ T shared[THREADS / WARP][4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        for (int apart = WARP / 2; apart > 0; apart /= 2)
            sum[k] += __shfl_down_sync(0xffffffffu, sum[k], apart);
        if (threadIdx.x % WARP == 0)
            shared[threadIdx.x / WARP][k] = sum[k];
    }
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < THREADS / WARP; w++) {
        for (int k = 0; k < 4; k++)
            sum[k] += shared[w][k];
    }
}

/* Leaves the block's sums. True in all threads of the last block to do so. */
__device__ bool ends_last(const arrays &a, const float (&sum)[4])
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        ((float4 *)a.partial)[blockIdx.x] = {sum[0], sum[1], sum[2], sum[3]};
        __threadfence();
        last = atomicInc(&a.cells->ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

template <class SUMS, int FROM, bool LOOKS>
__global__ void __launch_bounds__(THREADS) sums(arrays a, handle loop)
{
    const cell c = load(a, FROM);
    float sum[4] = {};
    double all[4] = {};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < a.fours; i += gridDim.x * THREADS) {
        const float4 terms = SUMS::terms(a, c, i);
        sum[0] += terms.x;
        sum[1] += terms.y;
        sum[2] += terms.z;
        sum[3] += terms.w;
    }
    add_block(sum);
    if (!ends_last(a, sum))
        return;
    for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
        const float4 part = __ldcg((const float4 *)a.partial + b);
        all[0] += (double)part.x;
        all[1] += (double)part.y;
        all[2] += (double)part.z;
        all[3] += (double)part.w;
    }
    add_block(all);
    if (threadIdx.x != 0)
        return;
    for (int k = 0; k < 4 && LOOKS; k++)
        a.cells->total[k] = all[k];
    const bool more =
        SUMS::decide(a, c, {(float)all[0], (float)all[1], (float)all[2], (float)all[3]});
#if CUDART_VERSION >= 12040
    if (loop != 0)
        cudaGraphSetConditional(loop, more);
#else
    (void)more;
#endif
}

} // namespace

#endif
