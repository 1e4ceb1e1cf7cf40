/* SPDX-License-Identifier: MIT */
/* Textures of linear memory, one a grid of the ping-pong: a kernel fetches x by its number. */
#ifndef QP_ENGINES_LINEAR_TEXTURE_CUH
#define QP_ENGINES_LINEAR_TEXTURE_CUH

#include <stdlib.h>

#include "lab/engines/launch.cuh"
#include "toolkit/base/memory.h"

struct linear_textures {
    const float *of[2];
    cudaTextureObject_t object[2];
};

/* Makes launch->own, in prepare: of `texels` texels, which begin `before` texels in front of the
 * first cell. More than cudaDevAttrMaxTexture1DLinearWidth are the caller's to refuse. Errors:
 * QP_NO_MEMORY, QP_DEVICE. */
static inline enum qp_status make_linear_textures(struct qp_launch *l, size_t before, size_t texels)
{
    struct linear_textures *own =
        (struct linear_textures *)qp_alloc_zero(1, sizeof *own, "texture objects");
    enum qp_status status = own != NULL ? QP_OK : QP_NO_MEMORY;
    l->own = own;
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        cudaResourceDesc resource = {};
        cudaTextureDesc plain = {};
        own->of[i] = i == 0 ? l->x : l->out;
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = (void *)(own->of[i] - before);
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = sizeof(float) * texels;
        status = qp_cuda_check(cudaCreateTextureObject(&own->object[i], &resource, &plain, NULL),
                               "make a texture of x");
    }
    return status;
}

/* A kernel's release. */
static inline void release_linear_textures(struct qp_launch *l)
{
    struct linear_textures *own = (struct linear_textures *)l->own;
    for (int i = 0; own != NULL && i < 2; i++)
        cudaDestroyTextureObject(own->object[i]);
    free(own);
    l->own = NULL;
}

#endif
