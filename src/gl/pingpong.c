/* SPDX-License-Identifier: MIT */
#include "gl/pingpong.h"

/* With two attachments of one framebuffer object the pass reads one while it draws to the other. By
 * the letter of EXT_framebuffer_object that is a feedback loop, because both belong to the bound
 * object; OpenGL 4.5's wording (9.3.1) allows it, since no texel is both read and written, and both
 * drivers seen do it right. It saves the change of framebuffer, which was the expensive part. */
static enum qp_status make_framebuffers(struct qp_pingpong *pair)
{
    const struct qp_texture *both[2] = {&pair->texture[0], &pair->texture[1]};
    switch (pair->style) {
    case QP_TWO_ATTACHMENTS:
        return qp_framebuffer_create(pair->context, both, 2, &pair->framebuffer_id[0]);
    case QP_TWO_FBOS: {
        enum qp_status status =
            qp_framebuffer_create(pair->context, &both[0], 1, &pair->framebuffer_id[0]);
        if (status != QP_OK)
            return status;
        return qp_framebuffer_create(pair->context, &both[1], 1, &pair->framebuffer_id[1]);
    }
    case QP_REATTACH:
    case QP_COPY:
        return qp_framebuffer_create(pair->context, &both[1], 1, &pair->framebuffer_id[0]);
    default:
        return qp_fail(QP_BAD_USE, "ping-pong style %d is none", (int)pair->style);
    }
}

enum qp_status qp_pingpong_create(struct qp_context *context, enum qp_pingpong_style style,
                                  GLenum target, const struct qp_layout *layout, const float *start,
                                  const float *empty, struct qp_pingpong *out)
{
    *out = (struct qp_pingpong){.context = context, .style = style};
    const float *texels[2] = {start, empty};
    for (int i = 0; i < 2; i++) {
        enum qp_status status =
            qp_texture_create(context, target, layout->shape.format, layout->storage_x,
                              layout->storage_y, texels[i], &out->texture[i]);
        if (status != QP_OK)
            return status;
    }
    return make_framebuffers(out);
}

const struct qp_texture *qp_pingpong_source(const struct qp_pingpong *pair)
{
    return &pair->texture[pair->source];
}

const struct qp_texture *qp_pingpong_target(const struct qp_pingpong *pair)
{
    return &pair->texture[1 - pair->source];
}

struct qp_surface qp_pingpong_surface(struct qp_pingpong *pair)
{
    int target = 1 - pair->source;
    struct qp_surface surface = {.framebuffer_id = pair->framebuffer_id[0],
                                 .attachment = GL_COLOR_ATTACHMENT0};
    if (pair->style == QP_TWO_ATTACHMENTS)
        surface.attachment = GL_COLOR_ATTACHMENT0 + (GLenum)target;
    else if (pair->style == QP_TWO_FBOS)
        surface.framebuffer_id = pair->framebuffer_id[target];
    else if (pair->style == QP_REATTACH)
        qp_framebuffer_attach(pair->framebuffer_id[0], qp_pingpong_target(pair));
    return surface;
}

void qp_pingpong_swap(struct qp_pingpong *pair)
{
    if (pair->style != QP_COPY) {
        pair->source = 1 - pair->source;
        return;
    }
    const struct qp_texture *source = qp_pingpong_source(pair);
    glBindFramebuffer(GL_FRAMEBUFFER, pair->framebuffer_id[0]);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glBindTexture(source->target, source->id);
    glCopyTexSubImage2D(source->target, 0, 0, 0, 0, 0, source->width, source->height);
}

void qp_pingpong_destroy(struct qp_pingpong *pair)
{
    if (pair->context == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        qp_framebuffer_destroy(pair->context, &pair->framebuffer_id[i]);
        qp_texture_destroy(&pair->texture[i]);
    }
    *pair = (struct qp_pingpong){0};
}
