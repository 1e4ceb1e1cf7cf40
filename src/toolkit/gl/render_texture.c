/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/render_texture.h"

#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/readback.h"

enum qp_status qp_render_texture_create(struct qp_context *context, GLenum target,
                                        enum qp_format format, int width, int height, int layers,
                                        const float *texels, struct qp_render_texture *out)
{
    const struct qp_texture *const textures[] = {&out->texture};
    enum qp_status status = layers > 0 ? qp_texture_create_layers(context, format, width, height,
                                                                  layers, texels, &out->texture)
                                       : qp_texture_create(context, target, format, width, height,
                                                           texels, &out->texture);
    return status == QP_OK ? qp_framebuffer_create(context, textures, 1, &out->framebuffer_id)
                           : status;
}

static int attachments(const struct qp_render_texture *texture)
{
    return texture->texture.layers > 0 ? texture->texture.layers : 1;
}

struct qp_gl_pass qp_render_texture_pass(const struct qp_render_texture *into)
{
    return (struct qp_gl_pass){.surface = {into->framebuffer_id, GL_COLOR_ATTACHMENT0},
                               .targets = attachments(into),
                               .x = into->guard,
                               .y = into->guard,
                               .width = into->texture.width - 2 * into->guard,
                               .height = into->texture.height - 2 * into->guard};
}

void qp_render_texture_fill(const struct qp_render_texture *texture, float value)
{
    qp_framebuffer_fill(texture->framebuffer_id, attachments(texture), value);
}

enum qp_status qp_render_texture_read(const struct qp_render_texture *texture, float *texels)
{
    const struct qp_texture *of = &texture->texture;
    const size_t layer =
        (size_t)qp_format_channels(of->format) * (size_t)of->width * (size_t)of->height;
    enum qp_status status = QP_OK;
    for (int i = 0; i < attachments(texture) && status == QP_OK; i++) {
        const struct qp_surface surface = {texture->framebuffer_id,
                                           GL_COLOR_ATTACHMENT0 + (GLenum)i};
        status = qp_readback(of->context, surface, of->format, 0, 0, of->width, of->height,
                             texels + (size_t)i * layer);
    }
    return status;
}

void qp_render_texture_destroy(struct qp_render_texture *texture)
{
    qp_framebuffer_destroy(texture->texture.context, &texture->framebuffer_id);
    qp_texture_destroy(&texture->texture);
}
