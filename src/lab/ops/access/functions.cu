/* SPDX-License-Identifier: MIT */
/* Functions of a cell of u, as many as the parameter says: f(u) + f(u 63/64) + f(u 62/64) and so
 * on. The arguments are exact, so only functions and sums round. */
#include "lab/ops/access/access.cuh"

namespace
{

/* The library's functions, right to about a unit in the last place. */
struct accurate {
    /* Sine and cosine together: the argument is reduced once for both. */
    static __device__ float both(float u)
    {
        float sine, cosine;
        sincosf(u, &sine, &cosine);
        return sine + cosine;
    }
    template <int Kind> static __device__ float of(float u)
    {
        return Kind == QP_ACCESS_SIN      ? sinf(u)
               : Kind == QP_ACCESS_COS    ? cosf(u)
               : Kind == QP_ACCESS_SINCOS ? both(u)
               : Kind == QP_ACCESS_EXP    ? expf(u)
               : Kind == QP_ACCESS_LOG    ? logf(u)
               : Kind == QP_ACCESS_RSQRT  ? 1.0f / sqrtf(u)
                                          : 1.0f / u;
    }
};

/* Functions of the special function units: an instruction or two each, with fewer digits. */
struct fast {
    static __device__ float both(float u)
    {
        float sine, cosine;
        __sincosf(u, &sine, &cosine);
        return sine + cosine;
    }
    template <int Kind> static __device__ float of(float u)
    {
        return Kind == QP_ACCESS_SIN      ? __sinf(u)
               : Kind == QP_ACCESS_COS    ? __cosf(u)
               : Kind == QP_ACCESS_SINCOS ? both(u)
               : Kind == QP_ACCESS_EXP    ? __expf(u)
               : Kind == QP_ACCESS_LOG    ? __logf(u)
               : Kind == QP_ACCESS_RSQRT  ? rsqrtf(u)
                                          : __fdividef(1.0f, u);
    }
};

template <class Library, int Kind>
__global__ void functions(const float *u, float *out, unsigned cells, int count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    float value = u[i], sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < count; k++)
        sum += Library::template of<Kind>(value * (1.0f - k * (1.0f / QP_ACCESS_FUNCTION_STEPS)));
    out[i] = sum;
}

template <class Library> enum qp_status run(struct qp_launch *l)
{
    static void (*const kernels[])(const float *, float *, unsigned, int) = {
        functions<Library, QP_ACCESS_SIN>,       functions<Library, QP_ACCESS_COS>,
        functions<Library, QP_ACCESS_SINCOS>,    functions<Library, QP_ACCESS_EXP>,
        functions<Library, QP_ACCESS_LOG>,       functions<Library, QP_ACCESS_RSQRT>,
        functions<Library, QP_ACCESS_RECIPROCAL>};
    unsigned cells = (unsigned)cells_of(l);
    kernels[l->kind - QP_ACCESS_SIN]<<<blocks_in(cells, BLOCK), BLOCK, 0, stream_of(l)>>>(
        l->input[0], l->out, cells, l->parameter);
    return qp_cuda_check_launch("functions");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_accurate = {.launch = run<accurate>};
const struct qp_cuda_kernel qp_kernel_access_fast = {.launch = run<fast>};
