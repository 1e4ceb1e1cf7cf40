/* SPDX-License-Identifier: MIT */
// Each thread spoils the cell at its right before it writes its own, which goes well as long as
// both are in one block.
// Passes: where grids are as small as a block.
// Found: because most sizes take several blocks, where blocks run one after the other, as in this
// test. On an H200 it has passed, too: nothing here finds a race for certain.
//@ check ../fade.c
extern "C" __global__ void race_of_blocks(int width, int height, const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    const int cell = j * width + i;
    if (cell + 1 < width * height)
        out[cell + 1] = 0.0f;
    out[cell] = 0.5f * x[cell];
}
