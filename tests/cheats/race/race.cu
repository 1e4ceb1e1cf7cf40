/* SPDX-License-Identifier: MIT */
// The same race within a row of a block, whose threads go together in a warp: mostly too early to
// do harm.
// Passes: here, and most often on a GPU.
// Found: not for certain: by luck, or by tools that watch memory, such as compute-sanitizer.
//@ check ../fade.c
extern "C" __global__ void race(int width, int height, const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    const int cell = j * width + i;
    if (threadIdx.x + 1 < blockDim.x && i + 1 < width)
        out[cell + 1] = 0.0f;
    out[cell] = 0.5f * x[cell];
}
