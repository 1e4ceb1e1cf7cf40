/* SPDX-License-Identifier: MIT */
/* Ours: the fastest step over a grid that no cache holds. A band's value is read once and never
 * again before the next step, so the memory's rate is the bound, and a kernel reaches it by having
 * enough bytes under way:
 *
 * - a thread takes four cells of a row, 16 bytes of each band at once: more than 200 bytes, of ten
 *   arrays and three rows of x, are under way for it before its first addition;
 * - bands are read past the caches (__ldcs), which leaves them to x: two of its three rows were
 *   read by the blocks before;
 * - every other step goes through the grid backwards, and finds what the step before it read and
 *   wrote last in the second-level cache. */
#include "lab/ops/jacobi9/kernels.cuh"

namespace
{

using namespace jacobi9;

constexpr int CELLS = 4;           /* cells of a thread, side by side */
constexpr int ACROSS = 32, UP = 8; /* threads of a block */

/* The recipe's inputs: pre-divided by the diagonal, or as they are with its inverse. */
enum { S_LL, S_LD, S_LU, S_DL, S_DU, S_UL, S_UD, S_UU, S_B, S_INVERSE, S_INPUTS };

/* Four cells of a row of x and their neighbours at both ends. */
struct row {
    float x[CELLS + 2];
};

__device__ row read_row(const float *x)
{
    const float4 four = *(const float4 *)x;
    return {x[-1], four.x, four.y, four.z, four.w, x[CELLS]};
}

__device__ void read_band(const float *band, float *four)
{
    *(float4 *)four = __ldcs((const float4 *)band);
}

/* A step. Rows begin on a line of 128 bytes, so that four cells always can be read at once; values
 * after the last cell of a row are read along, and not written. */
template <bool DIVIDED>
__global__ void stream(arrays<float> in, const float *__restrict__ x, float *__restrict__ out,
                       float weight, int nx, int ny, int pitch, bool backwards)
{
    constexpr int BANDS = DIVIDED ? S_INVERSE : S_INPUTS;
    const int blocks = gridDim.y;
    const int up = backwards ? blocks - 1 - blockIdx.y : blockIdx.y;
    const int column = (blockIdx.x * ACROSS + threadIdx.x) * CELLS, line = up * UP + threadIdx.y;
    if (column >= nx || line >= ny)
        return;
    const int i = line * pitch + column;
    __align__(16) float a[S_INPUTS][CELLS], result[CELLS];
    for (int band = 0; band < BANDS; band++)
        read_band(in.a[band] + i, a[band]);
    const row below = read_row(x + i - pitch), here = read_row(x + i),
              above = read_row(x + i + pitch);
    for (int k = 0; k < CELLS; k++) {
        float sum = a[S_LL][k] * below.x[k] + a[S_LD][k] * below.x[k + 1] +
                    a[S_LU][k] * below.x[k + 2] + a[S_DL][k] * here.x[k] +
                    a[S_DU][k] * here.x[k + 2] + a[S_UL][k] * above.x[k] +
                    a[S_UD][k] * above.x[k + 1] + a[S_UU][k] * above.x[k + 2];
        float change = DIVIDED ? a[S_B][k] - sum : (a[S_B][k] - sum) * a[S_INVERSE][k];
        result[k] = (1.0f - weight) * here.x[k + 1] + weight * change;
    }
    if (column + CELLS <= nx)
        *(float4 *)(out + i) = *(float4 *)result;
    else
        for (int k = 0; column + k < nx; k++)
            out[i + k] = result[k];
}

/* Launches a step; odd ones, recognised by which of the two arrays has the higher address, go
 * backwards. */
template <bool DIVIDED> enum qp_status launch_stream(struct qp_launch *l)
{
    const dim3 grid(blocks_in(l->width, ACROSS * CELLS), blocks_in(l->height, UP));
    stream<DIVIDED><<<grid, dim3(ACROSS, UP), 0, stream_of(l)>>>(
        inputs_of<float>(l), l->x, l->out, (float)l->weight, l->width, l->height, l->pitch,
        l->x > l->out);
    return qp_cuda_check_launch("stream");
}

enum qp_status prepare_stream(struct qp_launch *l)
{
    return check_height(l, UP);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_jacobi9_streaming = {.launch = launch_stream<false>,
                                                           .prepare = prepare_stream};
const struct qp_cuda_kernel qp_kernel_jacobi9_streaming_divided = {.launch = launch_stream<true>,
                                                                   .prepare = prepare_stream};
