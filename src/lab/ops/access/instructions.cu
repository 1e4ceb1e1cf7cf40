/* SPDX-License-Identifier: MIT */
/* Speed of instructions: a cell goes through a chain of 64 steps of integer arithmetic, which end
 * in the same bits however they are written. */
#include "lab/ops/access/access.cuh"

namespace
{

struct operand {
    unsigned parameter;
    int shift; /* log2 of the parameter, where it is a power of two */
    struct qp_divider divider;
};

/* u becomes factor u + added, in 31 bits. */
__device__ unsigned mix(unsigned u, unsigned factor, unsigned added)
{
    return (factor * u + added) & QP_ACCESS_BITS_31;
}

/* ---- Division, remainder, product ---- */

/* Plain C operators. A division by a number that the compiler does not know is a sequence of
 * instructions; the part that finds the reciprocal can be computed before the loop, since all steps
 * have the same divisor. */
struct operators {
    static __device__ unsigned quotient(unsigned u, const operand &by)
    {
        return u / by.parameter;
    }
    static __device__ unsigned remainder(unsigned u, const operand &by)
    {
        return u % by.parameter;
    }
    static __device__ unsigned product(unsigned u, const operand &by)
    {
        return (u & QP_ACCESS_BITS_24) * by.parameter;
    }
};

/* Shifts and masks, for powers of two. */
struct shifts {
    static __device__ unsigned quotient(unsigned u, const operand &by)
    {
        return u >> by.shift;
    }
    static __device__ unsigned remainder(unsigned u, const operand &by)
    {
        return u & (by.parameter - 1);
    }
    static __device__ unsigned product(unsigned u, const operand &by)
    {
        return (u & QP_ACCESS_BITS_24) << by.shift;
    }
};

/* A product with a number found once on the host, as compilers do for divisors that they know. */
struct reciprocals : operators {
    static __device__ unsigned quotient(unsigned u, const operand &by)
    {
        return (unsigned)((unsigned long long)u * by.divider.magic >> by.divider.shift);
    }
    static __device__ unsigned remainder(unsigned u, const operand &by)
    {
        return u - quotient(u, by) * by.parameter;
    }
};

/* 24-bit products: Tesla multiplied 24 bits four times as fast as 32. Later GPUs multiply 32 bits,
 * and take more than one instruction for 24. */
struct bits_24 : operators {
    static __device__ unsigned product(unsigned u, const operand &by)
    {
        return __umul24(u, by.parameter);
    }
};

template <int Kind, class Way>
__global__ void chain(const float *x, float *out, unsigned cells, operand by)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    unsigned u = (unsigned)x[i];
#pragma unroll 8
    for (int k = 0; k < QP_ACCESS_CHAIN_STEPS; k++)
        u = Kind == QP_ACCESS_DIVISION ? mix(u, QP_ACCESS_CHAIN_FACTOR, Way::quotient(u, by))
            : Kind == QP_ACCESS_MODULO
                ? mix(u, QP_ACCESS_CHAIN_FACTOR, Way::remainder(u, by))
                : Way::product(u, by) + QP_ACCESS_CHAIN_TERM & QP_ACCESS_BITS_31;
    out[i] = (float)(u >> 7);
}

/* ---- Branches ---- */

/* Number of a cell's branch, of `ways`: neighbours in a warp take different ones, or each warp
 * one. */
template <int Kind> __device__ unsigned way_of(unsigned i, unsigned ways)
{
    return (Kind == QP_ACCESS_DIVERGENT ? i : i / QP_ACCESS_WARP) % ways;
}

__device__ unsigned take_way(unsigned u, unsigned way)
{
#pragma unroll 8
    for (int k = 0; k < QP_ACCESS_CHAIN_STEPS; k++)
        u = mix(u, QP_ACCESS_CHAIN_FACTOR + 2 * way, u >> 7);
    return u;
}

/* A branch for each way: a warp goes through all that its threads take, one after the other. */
template <int Kind> __global__ void branch(const float *x, float *out, unsigned cells, operand by)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    unsigned u = (unsigned)x[i], own = way_of<Kind>(i, by.parameter);
#pragma unroll 1
    for (unsigned way = 0; way < by.parameter; way++) {
        if (way == own)
            u = take_way(u, way);
    }
    out[i] = (float)(u >> 7);
}

/* Branchless form: the branches differ in one number, which is computed. */
template <int Kind> __global__ void look_up(const float *x, float *out, unsigned cells, operand by)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells)
        out[i] = (float)(take_way((unsigned)x[i], way_of<Kind>(i, by.parameter)) >> 7);
}

/* ---- Loops ---- */

/* A loop of p steps; each iteration costs a count, a comparison and a jump. */
template <int Unroll> __global__ void loop(const float *x, float *out, unsigned cells, operand by)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    unsigned u = (unsigned)x[i];
#pragma unroll Unroll
    for (unsigned k = 0; k < by.parameter; k++)
        u = mix(u, QP_ACCESS_CHAIN_FACTOR, u >> 7);
    out[i] = (float)(u >> 7);
}

/* ---- Launching ---- */

typedef void instructions(const float *, float *, unsigned, operand);

enum qp_status start(struct qp_launch *l, instructions *kernel)
{
    unsigned cells = (unsigned)cells_of(l);
    operand by = {(unsigned)l->parameter, 0, qp_divider_make((unsigned)l->parameter)};
    while (by.parameter >> by.shift > 1)
        by.shift++;
    kernel<<<blocks_in(cells, BLOCK), BLOCK, 0, stream_of(l)>>>(l->x, l->out, cells, by);
    return qp_cuda_check_launch("instructions");
}

template <class Way> enum qp_status run_chain(struct qp_launch *l)
{
    return start(l, l->kind == QP_ACCESS_DIVISION ? chain<QP_ACCESS_DIVISION, Way>
                    : l->kind == QP_ACCESS_MODULO ? chain<QP_ACCESS_MODULO, Way>
                                                  : chain<QP_ACCESS_MULTIPLY, Way>);
}

enum qp_status run_branch(struct qp_launch *l)
{
    return start(l, l->kind == QP_ACCESS_DIVERGENT ? branch<QP_ACCESS_DIVERGENT>
                                                   : branch<QP_ACCESS_CONVERGENT>);
}

enum qp_status run_look_up(struct qp_launch *l)
{
    return start(l, l->kind == QP_ACCESS_DIVERGENT ? look_up<QP_ACCESS_DIVERGENT>
                                                   : look_up<QP_ACCESS_CONVERGENT>);
}

template <int Unroll> enum qp_status run_loop(struct qp_launch *l)
{
    return start(l, loop<Unroll>);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_operators = {.launch = run_chain<operators>};
const struct qp_cuda_kernel qp_kernel_access_shifts = {.launch = run_chain<shifts>};
const struct qp_cuda_kernel qp_kernel_access_reciprocals = {.launch = run_chain<reciprocals>};
const struct qp_cuda_kernel qp_kernel_access_umul24 = {.launch = run_chain<bits_24>};
const struct qp_cuda_kernel qp_kernel_access_branches = {.launch = run_branch};
const struct qp_cuda_kernel qp_kernel_access_branchless = {.launch = run_look_up};
const struct qp_cuda_kernel qp_kernel_access_rolled = {.launch = run_loop<1>};
const struct qp_cuda_kernel qp_kernel_access_unrolled = {.launch = run_loop<16>};
