/* SPDX-License-Identifier: MIT */
/* A texture with a framebuffer object of its own, to be drawn to or written by images. */
#ifndef QP_GL_RENDER_TEXTURE_H
#define QP_GL_RENDER_TEXTURE_H

#include "toolkit/gl/pass.h"

/* All layers are attached, the first one at GL_COLOR_ATTACHMENT0. */
struct qp_render_texture {
    struct qp_texture texture;
    GLuint framebuffer_id;
    int guard; /* width of a border around it that is never drawn to; 0 unless its owner says so */
};

/* Creates a texture to draw to, by qp_texture_create or, where there are layers, by
 * qp_texture_create_layers, for which `target` does not count. The caller destroys it, after an
 * error too. */
enum qp_status qp_render_texture_create(struct qp_context *context, GLenum target,
                                        enum qp_format format, int width, int height, int layers,
                                        const float *texels, struct qp_render_texture *out);

/* A pass to all of its layers, within the guard; what is drawn there is for the caller to say. */
struct qp_gl_pass qp_render_texture_pass(const struct qp_render_texture *into);

/* Fills all texels with one value. */
void qp_render_texture_fill(const struct qp_render_texture *texture, float value);

/* Reads all texels, one layer above the other. Waits for the GPU. Errors: QP_DEVICE. */
enum qp_status qp_render_texture_read(const struct qp_render_texture *texture, float *texels);

void qp_render_texture_destroy(struct qp_render_texture *texture);

#endif
