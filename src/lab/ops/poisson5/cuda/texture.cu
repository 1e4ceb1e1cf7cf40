/* SPDX-License-Identifier: MIT */
/* x through the texture cache, from linear memory (paper 5, 3.2): `padded` with fetches in place of
 * loads, which had no cache in 2009. Today both go through the same first-level cache. */
#include "lab/engines/linear_texture.cuh"
#include "lab/ops/poisson5/cuda/poisson.cuh"

namespace
{

using namespace poisson5;

constexpr int ACROSS = 32, UP = 8; /* as naive.cu has them */

/* Texels are counted from the first cell of the rim's lowest row. */
__global__ void textured(step<float> s, cudaTextureObject_t x)
{
    const int i = blockIdx.x * ACROSS + threadIdx.x;
    for (int j = blockIdx.y * UP + threadIdx.y; i < s.width && j < s.height; j += gridDim.y * UP) {
        const int at = (j + 1) * s.pitch + i;
        s.out[(long)j * s.pitch + i] =
            update(tex1Dfetch<float>(x, at - 1), tex1Dfetch<float>(x, at + 1),
                   tex1Dfetch<float>(x, at - s.pitch), tex1Dfetch<float>(x, at + s.pitch),
                   tex1Dfetch<float>(x, at), rhs_at(s, i, j), s.weight);
    }
}

/* The grid's rows, with one of the rim's below and one above. */
size_t texels_of(const struct qp_launch *l)
{
    return (size_t)l->pitch * ((size_t)l->height + 2);
}

enum qp_status prepare(struct qp_launch *l)
{
    const int most = attribute_of(l, cudaDevAttrMaxTexture1DLinearWidth);
    if (texels_of(l) > (size_t)most)
        return qp_fail(QP_UNSUPPORTED,
                       "a texture of linear memory holds %d texels, not the %.0f of %d x %d "
                       "unknowns in rows of %d",
                       most, (double)texels_of(l), l->width, l->height, l->pitch);
    return make_linear_textures(l, (size_t)l->pitch, texels_of(l));
}

enum qp_status launch(struct qp_launch *l)
{
    const struct linear_textures *own = (const struct linear_textures *)l->own;
    const int most = 65535, rows = blocks_in(l->height, UP);
    const dim3 grid(blocks_in(l->width, ACROSS), rows < most ? rows : most);
    textured<<<grid, dim3(ACROSS, UP), 0, stream_of(l)>>>(step_of<float>(l),
                                                          own->object[l->x == own->of[1]]);
    return qp_cuda_check_launch("textured");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_texture = {
    .launch = launch, .prepare = prepare, .release = release_linear_textures};
