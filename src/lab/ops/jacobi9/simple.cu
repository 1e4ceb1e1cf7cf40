/* SPDX-License-Identifier: MIT */
/* The kernels of paper 3 that read x from global memory or through the texture cache: a thread a
 * cell, each band a vector of its own, for no cache was there to share a line in. */
#include "lab/engines/linear_texture.cuh"
#include "lab/ops/jacobi9/kernels.cuh"

namespace
{

using namespace jacobi9;

/* ---- Sections 6.1 and 6.2: the CPU's code and data ----
 *
 * nx + 1 ghost cells shift x away from the 64-byte segments that half a warp of 2008 could read at
 * once. One of nine reads, that of x[i - nx - 1], is coalesced, for it begins where the ghost cells
 * do (the paper counts none), and the write is not. Widths add to that: where nx + 1 is a multiple
 * of 16, the write and the reads of x[i] and x[i + nx + 1]; where nx itself is a multiple, the
 * reads of x[i - 1] and x[i + nx - 1], which is why the older cards of table 1 have 512 between 511
 * and 513. (In the variants above multiples of 8 are enough; and x[i + 1] is coalesced where nx + 2
 * is one of 16.) Where the first cell begins a segment (the variant cuda_aligned), the write and
 * the read of x[i] are coalesced at any width, and a read below and one above where nx is a
 * multiple of 16 or one off it. Today a warp reads whatever sectors of 32 bytes it touches, five in
 * place of four where it is shifted, and finds them in the first-level cache the next time. */
__global__ void flat(arrays<float> in, const float *x, float *out, float weight, int nx, int cells)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < cells)
        out[i] = update(
            in, [x](int j) { return x[j]; }, weight, i, nx);
}

enum qp_status launch_flat(struct qp_launch *l)
{
    const int cells = l->width * l->height;
    flat<<<blocks_in(cells, THREADS), THREADS, 0, stream_of(l)>>>(
        inputs_of<float>(l), l->x, l->out, (float)l->weight, l->width, cells);
    return qp_cuda_check_launch("flat");
}

/* ---- Section 6.3: rows that begin on a segment, whatever the width ----
 *
 * A grid of two dimensions finds them; blocks stay rows of cells. Three of nine reads are
 * coalesced then, those straight below, here and above; those to the left and right never are. In
 * double each read is twice as long: the paper's closing remark. */
template <typename T>
__global__ void pitched(arrays<T> in, const T *x, T *out, T weight, int nx, int pitch)
{
    const int column = blockIdx.x * THREADS + threadIdx.x;
    const int i = blockIdx.y * pitch + column;
    if (column < nx)
        out[i] = update(
            in, [x](int j) { return x[j]; }, weight, i, pitch);
}

template <typename T> enum qp_status launch_pitched(struct qp_launch *l)
{
    const dim3 grid(blocks_in(l->width, THREADS), l->height);
    pitched<T><<<grid, THREADS, 0, stream_of(l)>>>(inputs_of<T>(l), (const T *)l->x, (T *)l->out,
                                                   (T)l->weight, l->width, l->pitch);
    return qp_cuda_check_launch("pitched");
}

enum qp_status prepare_pitched(struct qp_launch *l)
{
    return check_height(l, 1);
}

/* ---- Section 6.5: x through the texture cache, from linear memory ----
 *
 * No read needs to be coalesced: the texture cache is in between, while loads had no cache in 2008.
 * Today they go through the same first-level cache as textures. Off both ends a fetch gives 0, so
 * the ghost cells are not read. Texture references are gone; an object for each of the two vectors
 * takes their place. */
__global__ void textured(arrays<float> in, cudaTextureObject_t x, float *out, float weight, int nx,
                         int cells)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < cells)
        out[i] = update(
            in, [x](int j) { return tex1Dfetch<float>(x, j); }, weight, i, nx);
}

enum qp_status prepare_textures(struct qp_launch *l)
{
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture1DLinearWidth, l->cuda->ordinal);
    if (most / l->width < l->height)
        return qp_fail(QP_UNSUPPORTED, "a texture of linear memory holds %d cells, not %d x %d",
                       most, l->width, l->height);
    return make_linear_textures(l, 0, cells_of(l));
}

enum qp_status launch_textured(struct qp_launch *l)
{
    const struct linear_textures *own = (const struct linear_textures *)l->own;
    const int cells = l->width * l->height;
    textured<<<blocks_in(cells, THREADS), THREADS, 0, stream_of(l)>>>(
        inputs_of<float>(l), own->object[l->x == own->of[1]], l->out, (float)l->weight, l->width,
        cells);
    return qp_cuda_check_launch("textured");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_jacobi9_flat = {.launch = launch_flat};
const struct qp_cuda_kernel qp_kernel_jacobi9_pitched = {.launch = launch_pitched<float>,
                                                         .prepare = prepare_pitched};
const struct qp_cuda_kernel qp_kernel_jacobi9_double = {.launch = launch_pitched<double>,
                                                        .prepare = prepare_pitched};
const struct qp_cuda_kernel qp_kernel_jacobi9_texture = {
    .launch = launch_textured, .prepare = prepare_textures, .release = release_linear_textures};
