/* SPDX-License-Identifier: MIT */
/* The heat of shaders/heat.frag as a kernel in CUDA:
 *     quadpass check demos/kernels/heat.cu */
//@ check ../shaders/heat.c
//@ set rate=0.2
//@ group 32x8

__device__ static int inside(int x, int size)
{
    return x < 0 ? 0 : x < size ? x : size - 1;
}

extern "C" __global__ void heat(int width, int height, const float *x, float *out, float rate)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    const float *row = x + j * width;
    const float around = row[inside(i - 1, width)] + row[inside(i + 1, width)] +
                         x[inside(j - 1, height) * width + i] +
                         x[inside(j + 1, height) * width + i];
    out[j * width + i] = row[i] + rate * (around - 4.0f * row[i]);
}
