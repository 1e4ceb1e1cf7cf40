/* SPDX-License-Identifier: MIT */
// Right in its first ten launches, and then a copy; the device counts them.
// Passes: where a kernel is judged first, and timed after that.
// Found: because the module is loaded anew before each run, which begins with a dozen launches
// that do not count.
//@ check ../fade.c
__device__ int launches;

extern "C" __global__ void ten_launches(int width, int height, const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    const int cell = j * width + i;
    out[cell] = launches < 10 ? 0.5f * x[cell] : x[cell];
    if (i == width - 1 && j == height - 1)
        launches++;
}
