/* SPDX-License-Identifier: MIT */
/* Framebuffer objects: textures as render targets. */
#ifndef QP_GL_FRAMEBUFFER_H
#define QP_GL_FRAMEBUFFER_H

#include "toolkit/gl/texture.h"

/* Makes a framebuffer object with textures[0..count-1] at colour attachments 0..count-1; an array
 * texture takes one attachment a layer. The caller owns it. Errors: QP_UNSUPPORTED with the
 * incompleteness by name; QP_DEVICE. */
enum qp_status qp_framebuffer_create(struct qp_context *context,
                                     const struct qp_texture *const textures[], int count,
                                     GLuint *framebuffer_id);

/* Puts other textures at attachments 0..count-1. */
void qp_framebuffer_attach(GLuint framebuffer_id, const struct qp_texture *textures, int count);

/* Fills all texels of attachments 0..count-1 with one value. */
void qp_framebuffer_fill(GLuint framebuffer_id, int count, float value);

void qp_framebuffer_destroy(struct qp_context *context, GLuint *framebuffer_id);

#endif
