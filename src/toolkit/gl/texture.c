/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/texture.h"

#include <stdlib.h>

#include "toolkit/base/pairs.h"

GLenum qp_gl_target(enum qp_texture_target target)
{
    return target == QP_2D ? GL_TEXTURE_2D : GL_TEXTURE_RECTANGLE_ARB;
}

int qp_texture_limit(const struct qp_device *device, GLenum target)
{
    return target == GL_TEXTURE_RECTANGLE_ARB ? device->rectangle_limit : device->texture_limit;
}

/* OpenGL's names of a format, in a texture and on the way there. */
struct names {
    GLint internal;
    GLenum transfer, type;
};

static const struct names names[QP_FORMATS] = {
    [QP_LUMINANCE32F] = {GL_LUMINANCE32F_ARB, GL_LUMINANCE, GL_FLOAT},
    [QP_R32F] = {GL_R32F, GL_RED, GL_FLOAT},
    [QP_RGBA32F] = {GL_RGBA32F_ARB, GL_RGBA, GL_FLOAT},
    [QP_LUMINANCE16F] = {GL_LUMINANCE16F_ARB, GL_LUMINANCE, GL_FLOAT},
    [QP_RGBA16F] = {GL_RGBA16F_ARB, GL_RGBA, GL_FLOAT},
    [QP_RG32UI_WORDS] = {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT},
    [QP_RGBA32UI_WORDS] = {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
    [QP_RG32F_PAIRS] = {GL_RG32F, GL_RG, GL_FLOAT},
    [QP_RGBA32F_PAIRS] = {GL_RGBA32F_ARB, GL_RGBA, GL_FLOAT},
    [QP_RG32F] = {GL_RG32F, GL_RG, GL_FLOAT},
    [QP_R16F] = {GL_R16F, GL_RED, GL_FLOAT},
    [QP_RG16F] = {GL_RG16F, GL_RG, GL_FLOAT},
    [QP_R32I] = {GL_R32I, GL_RED_INTEGER, GL_INT},
    [QP_RG32I] = {GL_RG32I, GL_RG_INTEGER, GL_INT},
    [QP_RGBA32I] = {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT},
    [QP_R32UI] = {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT},
    [QP_RG32UI] = {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT},
    [QP_RGBA32UI] = {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
};

GLint qp_texture_internal_format(enum qp_format format)
{
    return names[format].internal;
}

GLenum qp_texture_transfer_format(enum qp_format format)
{
    return names[format].transfer;
}

GLenum qp_texture_transfer_type(enum qp_format format)
{
    return names[format].type;
}

enum qp_uniform_type qp_sampler_of(enum qp_format format)
{
    if (qp_format_kind(format) == QP_INTEGERS)
        return QP_SAMPLER_INTEGERS;
    const bool words = qp_format_has_words(format) || qp_format_kind(format) == QP_UNSIGNED;
    return words ? QP_SAMPLER_WORDS : QP_SAMPLER;
}

enum qp_uniform_type qp_number_of(enum qp_format format)
{
    if (qp_format_has_pairs(format))
        return QP_PAIR;
    return qp_format_has_words(format) ? QP_DOUBLE : QP_FLOAT;
}

size_t qp_texel_bytes(enum qp_format format)
{
    return qp_value_bytes(qp_format_precision(format)) * (size_t)qp_format_channels(format);
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
    return qp_texel_bytes(texture->format) * (size_t)texture->width * (size_t)texture->height *
           (size_t)(texture->layers > 0 ? texture->layers : 1);
}

/* Texels as they are sent: those given, or pairs in a block that the caller frees. */
static enum qp_status prepare(const struct qp_texture *texture, const void **texels, float **pairs)
{
    *pairs = NULL;
    if (*texels == NULL || !qp_format_has_pairs(texture->format))
        return QP_OK;
    const size_t values = bytes(texture) / sizeof(double);
    *pairs = qp_alloc(values, 2 * sizeof(float), "pairs of floats");
    if (*pairs == NULL)
        return QP_NO_MEMORY;
    qp_pairs_split(*texels, values, *pairs);
    *texels = *pairs;
    return QP_OK;
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
 * host's memory, `row` texels from one row to the next there, 0: without gaps. */
static void set_transfer_state(GLuint buffer_id, int row)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_id);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, row);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_FALSE);
}

static void send(const struct qp_texture *texture, const void *texels)
{
    const struct names *name = &names[texture->format];
    if (texture->layers > 0)
        glTexImage3D(texture->target, 0, name->internal, texture->width, texture->height,
                     texture->layers, 0, name->transfer, name->type, texels);
    else
        glTexImage2D(texture->target, 0, name->internal, texture->width, texture->height, 0,
                     name->transfer, name->type, texels);
}

/* Creates a texture with the target, format and sizes of `texture`. */
static enum qp_status create(struct qp_texture texture, const void *texels, struct qp_texture *out)
{
    struct qp_context *context = texture.context;
    const GLenum target = texture.target;
    float *pairs;
    *out = (struct qp_texture){0};
    if (check_size(context, target, texture.width, texture.height) != QP_OK)
        return QP_UNSUPPORTED;
    set_transfer_state(0, 0);
    glGenTextures(1, &texture.id);
    enum qp_status status = qp_gl_count(context, texture.id, "stage 3, upload: making a texture");
    if (status != QP_OK)
        return status;
    glBindTexture(target, texture.id);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (texture.layers > 0)
        glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0); /* else it is incomplete as an image */
    if ((status = prepare(&texture, &texels, &pairs)) == QP_OK) {
        send(&texture, texels);
        if (texels != NULL)
            context->counters.bytes_written += bytes(&texture);
        status = qp_gl_check(context, "stage 3, upload: making a texture");
    }
    free(pairs);
    if (status != QP_OK)
        qp_texture_destroy(&texture);
    *out = texture;
    return status;
}

enum qp_status qp_texture_create(struct qp_context *context, GLenum target, enum qp_format format,
                                 int width, int height, const void *texels, struct qp_texture *out)
{
    const struct qp_texture wanted = {
        .context = context, .target = target, .format = format, .width = width, .height = height};
    return create(wanted, texels, out);
}

enum qp_status qp_texture_create_layers(struct qp_context *context, enum qp_format format,
                                        int width, int height, int layers, const void *texels,
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

enum qp_status qp_texture_upload(struct qp_texture *texture, const void *texels)
{
    const struct names *name = &names[texture->format];
    float *pairs;
    if (prepare(texture, &texels, &pairs) != QP_OK)
        return QP_NO_MEMORY;
    set_transfer_state(0, 0);
    glBindTexture(texture->target, texture->id);
    if (texture->layers > 0)
        glTexSubImage3D(texture->target, 0, 0, 0, 0, texture->width, texture->height,
                        texture->layers, name->transfer, name->type, texels);
    else
        glTexSubImage2D(texture->target, 0, 0, 0, texture->width, texture->height, name->transfer,
                        name->type, texels);
    free(pairs);
    texture->context->counters.bytes_written += bytes(texture);
    return qp_gl_check(texture->context, "stage 3, upload");
}

static void send_part(struct qp_texture *texture, int x, int y, int width, int height,
                      const void *texels)
{
    const struct names *name = &names[texture->format];
    glBindTexture(texture->target, texture->id);
    glTexSubImage2D(texture->target, 0, x, y, width, height, name->transfer, name->type, texels);
    texture->context->counters.bytes_written +=
        qp_texel_bytes(texture->format) * (size_t)width * (size_t)height;
}

void qp_texture_send(struct qp_texture *texture, GLuint buffer_id, int x, int y, int width,
                     int height, const void *texels)
{
    set_transfer_state(buffer_id, 0);
    send_part(texture, x, y, width, height, texels);
}

void qp_texture_send_rows(struct qp_texture *texture, int x, int y, int width, int height,
                          const void *texels, int row)
{
    set_transfer_state(0, row);
    send_part(texture, x, y, width, height, texels);
}

void qp_texture_destroy(struct qp_texture *texture)
{
    if (texture == NULL || texture->id == 0)
        return;
    glDeleteTextures(1, &texture->id);
    texture->context->counters.live_objects--;
    *texture = (struct qp_texture){0};
}
