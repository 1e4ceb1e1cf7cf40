/* SPDX-License-Identifier: MIT */
/* Kernels of a stranger, against the public headers alone. */
#include <quadpass/cuda.h>
#include <quadpass/kernel.h>

#include <cuda_runtime.h>

template <typename T> static __device__ T bumped(T value);
template <> __device__ float bumped(float value)
{
    return value + 1.0f;
}
template <> __device__ float4 bumped(float4 v)
{
    return make_float4(v.x + 1.0f, v.y + 2.0f, v.z + 3.0f, v.w + 4.0f);
}

template <typename T> static __global__ void bump_texels(struct qp_shared_view view)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y;
    if (x < view.width)
        surf2Dwrite(bumped(tex2D<T>(view.texture, (float)x + 0.5f, (float)y + 0.5f)), view.surface,
                    x * (int)sizeof(T), y);
}

static __global__ void bump_values(float *value, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        value[i] += 1.0f;
}

/* Adds 1 to each value, and 2, 3, 4 to the further channels of a texel. */
extern "C" int interop_bump(const struct qp_shared_view *view, void *stream)
{
    const cudaStream_t on = (cudaStream_t)stream;
    const dim3 grid((unsigned)(view->width + 63) / 64, (unsigned)view->height);
    const size_t count = view->bytes / sizeof(float);
    if (view->channels == 4)
        bump_texels<float4><<<grid, 64, 0, on>>>(*view);
    else if (view->channels == 1)
        bump_texels<float><<<grid, 64, 0, on>>>(*view);
    else
        bump_values<<<(unsigned)(count / 64 + 1), 64, 0, on>>>((float *)view->pointer, count);
    return cudaGetLastError();
}

/* x' = a (left + right + below + above) + f, but for the last `forgotten` cells. */
static __global__ void relax_cells(const float *x, float *next, const float *f, float a, int width,
                                   int cells, int all)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= cells)
        return;
    const float left = i % width > 0 ? x[i - 1] : 0.0f;
    const float right = i % width < width - 1 ? x[i + 1] : 0.0f;
    const float below = i >= width ? x[i - width] : 0.0f;
    const float above = i < all - width ? x[i + width] : 0.0f;
    next[i] = a * (left + right + below + above) + f[i];
}

static int relax(const struct qp_kernel_grid *g, void *const output[], int forgotten, void *stream)
{
    const int all = g->width * g->height, cells = all - forgotten;
    relax_cells<<<(unsigned)cells / 128 + 1, 128, 0, (cudaStream_t)stream>>>(
        (const float *)g->input[0].values, (float *)output[0], (const float *)g->input[1].values,
        (float)g->number[0].value[0], g->width, cells, all);
    return cudaGetLastError();
}

extern "C" int interop_relax(const struct qp_kernel_grid *g, void *const output[], void *stream)
{
    return relax(g, output, 0, stream);
}

extern "C" int interop_relax_less(const struct qp_kernel_grid *g, void *const output[],
                                  void *stream)
{
    return relax(g, output, 1, stream);
}

/* More threads than any block takes. */
extern "C" int interop_no_launch(const struct qp_kernel_grid *g, void *const output[], void *stream)
{
    const float *x = (const float *)g->input[0].values;
    relax_cells<<<1, 4096, 0, (cudaStream_t)stream>>>(x, (float *)output[0], x, 1.0f, g->width, 1,
                                                      1);
    return cudaGetLastError();
}
