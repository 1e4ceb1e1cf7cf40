/* SPDX-License-Identifier: MIT */
/* A fragment shader as a CUDA kernel: gl_FragColor becomes a store to a surface, and a fetch stays
 * a fetch through the same texture units, or becomes a read of a surface, past them. Surfaces count
 * columns in bytes. */
#include "lab/engines/launch.cuh"
#include "lab/engines/shared.h"
#include "lab/ops/jacobi9/kernels.h"

/* Reads through a texture object, at the centre of texel (x, y), where nearest sampling returns it
 * unchanged. */
struct from_texture {
    static __device__ float read(const struct qp_shared_view &array, int x, int y)
    {
        return tex2D<float>(array.texture, (float)x + 0.5f, (float)y + 0.5f);
    }
};

struct from_surface {
    static __device__ float read(const struct qp_shared_view &array, int x, int y)
    {
        return surf2Dread<float>(array.surface, x * (int)sizeof(float), y);
    }
};

template <typename from>
static __global__ void jacobi9(const __grid_constant__ struct qp_shared_arrays arrays, int width,
                               int height, float weight)
{
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = (int)(blockIdx.y * blockDim.y + threadIdx.y) + arrays.first_row;
    if (column >= width || row >= height)
        return;
    const int x = arrays.origin_x + column, y = arrays.origin_y + row;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; k++) { /* the neighbours in the bands' order, without the middle one */
        const int place = k < 4 ? k : k + 1;
        sum += from::read(arrays.input[k], x, y) *
               from::read(arrays.x, x + place % 3 - 1, y + place / 3 - 1);
    }
    const float old = from::read(arrays.x, x, y), rest = from::read(arrays.input[8], x, y) - sum;
    surf2Dwrite((1.0f - weight) * old + weight * rest / from::read(arrays.input[9], x, y),
                arrays.out.surface, x * (int)sizeof(float), y);
}

template <typename from> static enum qp_status launch(struct qp_launch *launch)
{
    const struct qp_shared_arrays *arrays = (const struct qp_shared_arrays *)launch->own;
    const int rows = launch->height - arrays->first_row;
    const dim3 block(32, 8);
    if (rows <= 0)
        return QP_OK;
    const dim3 grid(blocks_in(launch->width, block.x), blocks_in(rows, block.y));
    jacobi9<from><<<grid, block, 0, stream_of(launch)>>>(*arrays, launch->width, launch->height,
                                                         (float)launch->weight);
    return qp_cuda_check_launch("jacobi9");
}

extern "C" const struct qp_cuda_kernel qp_kernel_jacobi9_array_textures = {
    .launch = launch<from_texture>};
extern "C" const struct qp_cuda_kernel qp_kernel_jacobi9_array_surfaces = {
    .launch = launch<from_surface>};
