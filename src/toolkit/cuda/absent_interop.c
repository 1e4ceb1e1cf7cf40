/* SPDX-License-Identifier: MIT */
/* Nothing is shared in a build without CUDA, and every function says so. */
#include <quadpass/cuda.h>

#include "toolkit/base/caller.h"
#include "toolkit/cuda/device.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

enum qp_status qp_cuda_use(struct qp_context *context, int *ordinal)
{
    return qp_cuda_look(-1);
}

enum qp_status qp_shared_create(struct qp_context *context, const struct qp_shared_desc *desc,
                                struct qp_shared **out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = NULL;
    return qp_cuda_look(-1);
}

enum qp_status qp_shared_map(struct qp_shared *const *shared, int count, void *stream)
{
    return qp_cuda_look(-1);
}

enum qp_status qp_shared_unmap(struct qp_shared *const *shared, int count, void *stream)
{
    return qp_cuda_look(-1);
}

enum qp_status qp_shared_look(const struct qp_shared *shared, struct qp_shared_view *out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_shared_view){0};
    return qp_cuda_look(-1);
}

void qp_shared_destroy(struct qp_shared **shared)
{
}
