/* SPDX-License-Identifier: MIT */
/* Stage 3: arrays = textures. */
#ifndef QP_GL_TEXTURE_H
#define QP_GL_TEXTURE_H

#include <quadpass/walk.h>

#include "toolkit/base/layout.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/uniforms.h"

struct qp_texture {
    struct qp_context *context;
    GLuint id;
    GLenum target; /* GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY */
    enum qp_format format;
    int width, height; /* texels */
    int layers;        /* layers of a GL_TEXTURE_2D_ARRAY, else 0 */
};

/* Bytes of a texel in the host's memory: values of the format's precision. */
size_t qp_texel_bytes(enum qp_format format);

/* Makes a texture with nearest sampling and uploads `texels` (width * height * channels values of
 * the format's precision, of which pairs are made here; NULL leaves it undefined). The caller owns
 * it. Errors: QP_UNSUPPORTED above the device's limit, which the sentence names; QP_NO_MEMORY;
 * QP_DEVICE. */
enum qp_status qp_texture_create(struct qp_context *context, GLenum target, enum qp_format format,
                                 int width, int height, const void *texels, struct qp_texture *out);

/* An array texture: several layers, one above the other in `texels`, of which a shader can compute
 * the one it reads. */
enum qp_status qp_texture_create_layers(struct qp_context *context, enum qp_format format,
                                        int width, int height, int layers, const void *texels,
                                        struct qp_texture *out);

/* Replaces all texels. */
enum qp_status qp_texture_upload(struct qp_texture *texture, const void *texels);

/* Replaces a rectangle of texels from `texels`, without gaps there; or, with a pixel buffer, from
 * its beginning, and `texels` is NULL. Does not wait, nor check for errors. Not for several layers,
 * nor for pairs. */
void qp_texture_send(struct qp_texture *texture, GLuint buffer_id, int x, int y, int width,
                     int height, const void *texels);

/* The same from the host's memory, `row` texels from one row to the next. */
void qp_texture_send_rows(struct qp_texture *texture, int x, int y, int width, int height,
                          const void *texels, int row);

void qp_texture_destroy(struct qp_texture *texture);

/* OpenGL's name of a texture target, and the device's limit for it, in texels each way. */
GLenum qp_gl_target(enum qp_texture_target target);
int qp_texture_limit(const struct qp_device *device, GLenum target);

/* OpenGL's internal format. */
GLint qp_texture_internal_format(enum qp_format format);

/* Format and type that texels are sent in; what is read back has them too, but for luminance
 * (readback.c). */
GLenum qp_texture_transfer_format(enum qp_format format);
GLenum qp_texture_transfer_type(enum qp_format format);

/* The sampler that reads textures of this format, and a uniform that holds a number of as many
 * digits. */
enum qp_uniform_type qp_sampler_of(enum qp_format format);
enum qp_uniform_type qp_number_of(enum qp_format format);

/* Asks a foreign texture for a number of its first level, such as GL_TEXTURE_WIDTH; bindings stay
 * as they are. `target` is GL_TEXTURE_2D or GL_TEXTURE_RECTANGLE_ARB; false for a texture of
 * another target. */
bool qp_texture_ask(GLuint texture_id, GLenum target, GLenum what, GLint *answer);

#endif
