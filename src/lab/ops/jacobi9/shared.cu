/* SPDX-License-Identifier: MIT */
/* Kernels of paper 3 that stage cells in shared memory: neighbours are read once from global
 * memory, coalesced, and then from shared memory. */
#include "lab/ops/jacobi9/kernels.cuh"

namespace
{

using namespace jacobi9;

/* ---- Section 6.4, figures 15 and 16 ----
 *
 * A block's 64 cells with a neighbour at both ends, from three rows: three reads of global memory
 * in place of nine, and all of them coalesced but those of the first and the last thread, which
 * read the ends alone. A first-level cache does the same today, without being asked. With DIAGONAL
 * the matrix is symmetric and the diagonal next to the main one is staged too, so that its lower
 * twin is never read: DL[i] = DU[i - 1] (section 8, 7 % faster). */
template <bool DIAGONAL>
__global__ void shared(arrays<float> in, const float *x, float *out, float weight, int nx,
                       int pitch)
{
    __shared__ float below[THREADS + 2], here[THREADS + 2], above[THREADS + 2], du[THREADS + 1];
    const float *const *a = in.a;
    const int column = blockIdx.x * THREADS + threadIdx.x, at = threadIdx.x + 1;
    const int i = blockIdx.y * pitch + column;
    if (column <= nx) { /* nx too: the padding after the last cell is its neighbour */
        below[at] = x[i - pitch];
        here[at] = x[i];
        above[at] = x[i + pitch];
        if (DIAGONAL)
            du[at] = a[DU][i];
    }
    if (threadIdx.x == 0) {
        below[0] = x[i - pitch - 1];
        here[0] = x[i - 1];
        above[0] = x[i + pitch - 1];
        if (DIAGONAL)
            du[0] = a[DU][i - 1];
    }
    if (threadIdx.x == THREADS - 1 && column < nx) {
        below[at + 1] = x[i - pitch + 1];
        here[at + 1] = x[i + 1];
        above[at + 1] = x[i + pitch + 1];
    }
    __syncthreads();
    if (column >= nx)
        return;
    float sum = a[LL][i] * below[at - 1] + a[LD][i] * below[at] + a[LU][i] * below[at + 1] +
                (DIAGONAL ? du[at - 1] : a[DL][i]) * here[at - 1] +
                (DIAGONAL ? du[at] : a[DU][i]) * here[at + 1] + a[UL][i] * above[at - 1] +
                a[UD][i] * above[at] + a[UU][i] * above[at + 1];
    out[i] = here[at] * (1.0f - weight) + weight * (a[B][i] - sum) / a[DD][i];
}

template <bool DIAGONAL> enum qp_status launch_shared(struct qp_launch *l)
{
    const dim3 grid(blocks_in(l->width, THREADS), l->height);
    shared<DIAGONAL><<<grid, THREADS, 0, stream_of(l)>>>(inputs_of<float>(l), l->x, l->out,
                                                         (float)l->weight, l->width, l->pitch);
    return qp_cuda_check_launch("shared");
}

enum qp_status prepare_shared(struct qp_launch *l)
{
    return check_height(l, 1);
}

/* ---- Section 8: half of a symmetric matrix, staged in blocks of two dimensions ----
 *
 * Five bands are stored, and each of the lower four is an upper one of a cell below or to the
 * left, so blocks need two dimensions, and a rim (halo) of bands like that of x; the conditions
 * where it is loaded are those the paper expects. Five bands are read instead of nine, which is
 * less traffic, for more instructions. */
constexpr int ACROSS = 32, UP = 8, RIM_ACROSS = ACROSS + 2, RIM_UP = UP + 2;

enum { S_DD, S_DU, S_UL, S_UD, S_UU, S_B }; /* the recipe's inputs */
enum { X = S_B, STAGED };                   /* the last of the tiles is x */

__global__ void symmetric(arrays<float> in, const float *x, float *out, float weight, int nx,
                          int ny, int pitch)
{
    __shared__ float tile[STAGED][RIM_UP][RIM_ACROSS];
    const int left = blockIdx.x * ACROSS - 1, bottom = blockIdx.y * UP - 1;
    for (int k = threadIdx.y * ACROSS + threadIdx.x; k < RIM_UP * RIM_ACROSS; k += ACROSS * UP) {
        const int u = k % RIM_ACROSS, v = k / RIM_ACROSS, i = (bottom + v) * pitch + left + u;
        if (left + u > nx || bottom + v > ny)
            continue;
        for (int band = S_DD; band <= S_UU; band++)
            tile[band][v][u] = in.a[band][i];
        tile[X][v][u] = x[i];
    }
    __syncthreads();
    const int u = threadIdx.x + 1, v = threadIdx.y + 1;
    const int column = left + u, row = bottom + v, i = row * pitch + column;
    if (column >= nx || row >= ny)
        return;
    float sum = tile[S_UU][v - 1][u - 1] * tile[X][v - 1][u - 1] +
                tile[S_UD][v - 1][u] * tile[X][v - 1][u] +
                tile[S_UL][v - 1][u + 1] * tile[X][v - 1][u + 1] +
                tile[S_DU][v][u - 1] * tile[X][v][u - 1] + tile[S_DU][v][u] * tile[X][v][u + 1] +
                tile[S_UL][v][u] * tile[X][v + 1][u - 1] + tile[S_UD][v][u] * tile[X][v + 1][u] +
                tile[S_UU][v][u] * tile[X][v + 1][u + 1];
    out[i] = tile[X][v][u] * (1.0f - weight) + weight * (in.a[S_B][i] - sum) / tile[S_DD][v][u];
}

enum qp_status launch_symmetric(struct qp_launch *l)
{
    const dim3 grid(blocks_in(l->width, ACROSS), blocks_in(l->height, UP));
    symmetric<<<grid, dim3(ACROSS, UP), 0, stream_of(l)>>>(
        inputs_of<float>(l), l->x, l->out, (float)l->weight, l->width, l->height, l->pitch);
    return qp_cuda_check_launch("symmetric");
}

enum qp_status prepare_symmetric(struct qp_launch *l)
{
    return check_height(l, UP);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_jacobi9_shared = {
    .launch = launch_shared<false>, .prepare = prepare_shared, .by_rows = true};
const struct qp_cuda_kernel qp_kernel_jacobi9_shared_diagonal = {.launch = launch_shared<true>,
                                                                 .prepare = prepare_shared};
const struct qp_cuda_kernel qp_kernel_jacobi9_symmetric = {.launch = launch_symmetric,
                                                           .prepare = prepare_symmetric};
