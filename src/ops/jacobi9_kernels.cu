/* SPDX-License-Identifier: MIT */
#include "ops/jacobi9_kernels.h"

namespace
{

constexpr int THREADS = 64; /* of a block, as in paper 3, section 7 */

enum input { DD, LL, LD, LU, DL, DU, UL, UD, UU, B, INPUTS };

struct arrays {
    const float *a[INPUTS];
};

arrays inputs_of(const struct qp_launch *l)
{
    arrays all;
    for (int i = 0; i < INPUTS; i++)
        all.a[i] = l->input[i];
    return all;
}

cudaStream_t stream_of(const struct qp_launch *l)
{
    return (cudaStream_t)l->cuda->stream;
}

/* ---- Section 6.1: the CPU's code and data, a thread a cell ----
 *
 * nx + 1 ghost cells shift x away from the 64-byte segments that half a warp of 2008 could read at
 * once, so none of its nine reads and not even the write is coalesced, unless nx + 1 is a multiple
 * of 16. Each band is a vector of its own, for there was no cache to share a line in. */
__global__ void simple(arrays in, const float *x, float *out, float weight, int nx, int cells)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= cells)
        return;
    const float *const *a = in.a;
    float sum = a[LL][i] * x[i - nx - 1] + a[LD][i] * x[i - nx] + a[LU][i] * x[i - nx + 1] +
                a[DL][i] * x[i - 1] + a[DU][i] * x[i + 1] + a[UL][i] * x[i + nx - 1] +
                a[UD][i] * x[i + nx] + a[UU][i] * x[i + nx + 1];
    out[i] = x[i] * (1.0f - weight) + weight * (a[B][i] - sum) / a[DD][i];
}

enum qp_status launch_simple(struct qp_launch *l)
{
    const int cells = l->width * l->height;
    simple<<<(cells + THREADS - 1) / THREADS, THREADS, 0, stream_of(l)>>>(
        inputs_of(l), l->x, l->out, l->weight, l->width, cells);
    return qp_cuda_check_launch("simple");
}

} // namespace

const struct qp_kernel qp_kernel_jacobi9_simple = {.launch = launch_simple};
