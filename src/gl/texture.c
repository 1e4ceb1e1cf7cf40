/* SPDX-License-Identifier: MIT */
#include "gl/texture.h"

GLenum qp_gl_target(enum qp_texture_target target)
{
    return target == QP_2D ? GL_TEXTURE_2D : GL_TEXTURE_RECTANGLE_ARB;
}

int qp_texture_limit(const struct qp_device *device, GLenum target)
{
    return target == GL_TEXTURE_RECTANGLE_ARB ? device->rectangle_limit : device->texture_limit;
}

GLint qp_texture_internal_format(enum qp_format format)
{
    static const GLint formats[QP_FORMATS] = {GL_LUMINANCE32F_ARB, GL_R32F, GL_RGBA32F_ARB,
                                              GL_LUMINANCE16F_ARB, GL_RGBA16F_ARB};
    return formats[format];
}

/* Format that texels are transferred in. */
static GLenum transfer_format(enum qp_format format)
{
    static const GLenum formats[QP_FORMATS] = {GL_LUMINANCE, GL_RED, GL_RGBA, GL_LUMINANCE,
                                               GL_RGBA};
    return formats[format];
}

bool qp_texture_ask(GLuint texture_id, GLenum target, GLenum what, GLint *answer)
{
    GLint before = 0;
    glGetIntegerv(target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D
                                          : GL_TEXTURE_BINDING_RECTANGLE_ARB,
                  &before);
    qp_gl_forget_errors();
    glBindTexture(target, texture_id);
    if (glGetError() != GL_NO_ERROR)
        return false;
    glGetTexLevelParameteriv(target, 0, what, answer);
    glBindTexture(target, (GLuint)before);
    return true;
}

static size_t bytes(const struct qp_texture *texture)
{
    return sizeof(float) * (size_t)qp_format_channels(texture->format) * (size_t)texture->width *
           (size_t)texture->height * (size_t)(texture->layers > 0 ? texture->layers : 1);
}

static enum qp_status check_size(const struct qp_context *context, GLenum target, int width,
                                 int height)
{
    int limit = qp_texture_limit(&context->device, target);
    if (width <= limit && height <= limit)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED, "a texture of %d x %d texels is above this device's limit of %d",
                   width, height, limit);
}

/* Unpack state belongs to the transfer, so it is set here and not trusted; `buffer_id` 0 means the
 * host's memory. */
static void set_transfer_state(GLuint buffer_id)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_id);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_FALSE);
}

static void send(const struct qp_texture *texture, const float *texels)
{
    const GLint format = qp_texture_internal_format(texture->format);
    const GLenum transfer = transfer_format(texture->format);
    if (texture->layers > 0)
        glTexImage3D(texture->target, 0, format, texture->width, texture->height, texture->layers,
                     0, transfer, GL_FLOAT, texels);
    else
        glTexImage2D(texture->target, 0, format, texture->width, texture->height, 0, transfer,
                     GL_FLOAT, texels);
}

/* Creates a texture with the target, format and sizes of `texture`. */
static enum qp_status create(struct qp_texture texture, const float *texels, struct qp_texture *out)
{
    struct qp_context *context = texture.context;
    const GLenum target = texture.target;
    *out = (struct qp_texture){0};
    if (check_size(context, target, texture.width, texture.height) != QP_OK)
        return QP_UNSUPPORTED;
    set_transfer_state(0);
    glGenTextures(1, &texture.id);
    enum qp_status status = qp_gl_count(context, texture.id, "room 3, upload: making a texture");
    if (status != QP_OK)
        return status;
    glBindTexture(target, texture.id);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (texture.layers > 0)
        glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0); /* else it is incomplete as an image */
    send(&texture, texels);
    if (texels != NULL)
        context->counters.bytes_written += bytes(&texture);
    status = qp_gl_check(context, "room 3, upload: making a texture");
    if (status != QP_OK)
        qp_texture_destroy(&texture);
    *out = texture;
    return status;
}

enum qp_status qp_texture_create(struct qp_context *context, GLenum target, enum qp_format format,
                                 int width, int height, const float *texels, struct qp_texture *out)
{
    const struct qp_texture wanted = {
        .context = context, .target = target, .format = format, .width = width, .height = height};
    return create(wanted, texels, out);
}

enum qp_status qp_texture_create_layers(struct qp_context *context, enum qp_format format,
                                        int width, int height, int layers, const float *texels,
                                        struct qp_texture *out)
{
    const struct qp_texture wanted = {.context = context,
                                      .target = GL_TEXTURE_2D_ARRAY,
                                      .format = format,
                                      .width = width,
                                      .height = height,
                                      .layers = layers};
    return create(wanted, texels, out);
}

enum qp_status qp_texture_upload(struct qp_texture *texture, const float *texels)
{
    set_transfer_state(0);
    glBindTexture(texture->target, texture->id);
    if (texture->layers > 0)
        glTexSubImage3D(texture->target, 0, 0, 0, 0, texture->width, texture->height,
                        texture->layers, transfer_format(texture->format), GL_FLOAT, texels);
    else
        glTexSubImage2D(texture->target, 0, 0, 0, texture->width, texture->height,
                        transfer_format(texture->format), GL_FLOAT, texels);
    texture->context->counters.bytes_written += bytes(texture);
    return qp_gl_check(texture->context, "room 3, upload");
}

void qp_texture_send(struct qp_texture *texture, GLuint buffer_id, int x, int y, int width,
                     int height, const float *texels)
{
    const int channels = qp_format_channels(texture->format);
    set_transfer_state(buffer_id);
    glBindTexture(texture->target, texture->id);
    glTexSubImage2D(texture->target, 0, x, y, width, height, transfer_format(texture->format),
                    GL_FLOAT, texels);
    texture->context->counters.bytes_written +=
        sizeof(float) * (size_t)channels * (size_t)width * (size_t)height;
}

void qp_texture_destroy(struct qp_texture *texture)
{
    if (texture == NULL || texture->id == 0)
        return;
    glDeleteTextures(1, &texture->id);
    texture->context->counters.live_objects--;
    *texture = (struct qp_texture){0};
}
