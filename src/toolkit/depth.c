/* SPDX-License-Identifier: MIT */
/* Depths, by which the nearest or farthest of many results stays. */
#include <stdlib.h>

#include "base/caller.h"
#include "toolkit/pass.h"

static enum qp_status clear(const struct qp_depth *depth)
{
    qp_test_buffer_clear(&depth->buffer, depth->keeps == QP_DEPTH_NEAREST ? 1.0f : 0.0f);
    return qp_gl_check(depth->buffer.context, "clearing a depth");
}

static enum qp_status create(struct qp_context *context, int width, int height,
                             enum qp_depth_keeps keeps, struct qp_depth **out)
{
    if ((unsigned)keeps > QP_DEPTH_FARTHEST)
        return qp_fail(QP_BAD_USE, "a depth keeps %d, which is none; see enum qp_depth_keeps",
                       (int)keeps);
    struct qp_depth *depth = qp_alloc_zero(1, sizeof *depth, "a depth");
    if (depth == NULL)
        return QP_NO_MEMORY;
    depth->keeps = keeps;
    enum qp_status status = qp_pass_test_buffer(context, "a depth", GL_DEPTH_COMPONENT32F, width,
                                                height, &depth->buffer);
    if (status == QP_OK)
        status = clear(depth);
    if (status == QP_OK)
        status = qp_object_born(depth, QP_OBJECT_DEPTH, context, qp_test_object_abandon);
    if (status == QP_OK)
        *out = depth;
    else
        qp_test_object_abandon(depth);
    return status;
}

enum qp_status qp_depth_create(struct qp_context *context, int width, int height,
                               enum qp_depth_keeps keeps, struct qp_depth **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = create(context, width, height, keeps, out);
    qp_call_end(&call);
    return status;
}

enum qp_status qp_depth_clear(struct qp_depth *depth)
{
    struct qp_call call;
    enum qp_status status = qp_object_begin(&call, depth, QP_OBJECT_DEPTH, "depth");
    if (status == QP_OK)
        status = clear(depth);
    qp_call_end(&call);
    return status;
}

void qp_depth_destroy(struct qp_depth **depth)
{
    if (depth == NULL || *depth == NULL)
        return;
    qp_object_destroy(*depth, QP_OBJECT_DEPTH, "depth", qp_test_object_abandon);
    *depth = NULL;
}
