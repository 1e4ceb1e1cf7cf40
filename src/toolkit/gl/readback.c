/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/readback.h"

#include <string.h>

#include "toolkit/base/pairs.h"

/* glReadPixels(GL_LUMINANCE) sums R+G+B on colour formats, so luminance is read as GL_RED. */
static GLenum read_format(enum qp_format format)
{
    const GLenum sent = qp_texture_transfer_format(format);
    return sent == GL_LUMINANCE ? GL_RED : sent;
}

static void read_pixels(enum qp_format format, int x, int y, int width, int height, void *texels)
{
    glReadPixels(x, y, width, height, read_format(format), qp_texture_transfer_type(format),
                 texels);
}

/* Everything a transfer from this surface depends on; `buffer_id` 0 means the host's memory, `row`
 * texels from one row to the next there, 0: without gaps. */
static void set_state(struct qp_surface surface, GLuint buffer_id, int row)
{
    glBindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer_id);
    glReadBuffer(surface.attachment);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_id);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, row);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_PACK_SWAP_BYTES, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
}

static size_t count_bytes(struct qp_context *context, enum qp_format format, int width, int height)
{
    size_t bytes = qp_texel_bytes(format) * (size_t)width * (size_t)height;
    context->counters.bytes_read += bytes;
    return bytes;
}

/* Joins each pair of floats to the double that it represents. */
static void join_pairs(enum qp_format format, int width, int height, void *texels)
{
    if (qp_format_has_pairs(format))
        qp_pairs_join(texels, (size_t)qp_format_channels(format) * (size_t)width * (size_t)height);
}

void qp_readback_ask(struct qp_context *context, struct qp_surface surface, enum qp_format format,
                     GLuint buffer_id, int x, int y, int width, int height, void *texels, int row)
{
    set_state(surface, buffer_id, row);
    read_pixels(format, x, y, width, height, texels);
    count_bytes(context, format, width, height);
}

enum qp_status qp_readback(struct qp_context *context, struct qp_surface surface,
                           enum qp_format format, int x, int y, int width, int height, void *texels)
{
    qp_readback_ask(context, surface, format, 0, x, y, width, height, texels, 0);
    join_pairs(format, width, height, texels);
    return qp_gl_check(context, "stage 7, readback");
}

enum qp_status qp_readback_buffered(struct qp_context *context, struct qp_surface surface,
                                    enum qp_format format, int x, int y, int width, int height,
                                    void *texels)
{
    GLuint buffer_id = 0;
    size_t bytes = count_bytes(context, format, width, height);
    glGenBuffers(1, &buffer_id);
    enum qp_status status =
        qp_gl_count(context, buffer_id, "stage 7, readback: making a pixel buffer");
    if (status != QP_OK)
        return status; /* without a buffer, NULL would be an address */
    set_state(surface, buffer_id, 0);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
    read_pixels(format, x, y, width, height, NULL);
    const void *mapped = glMapBuffer(GL_PIXEL_PACK_BUFFER, GL_READ_ONLY);
    if (mapped != NULL) {
        memcpy(texels, mapped, bytes);
        join_pairs(format, width, height, texels);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glDeleteBuffers(1, &buffer_id);
    context->counters.live_objects--;
    status = qp_gl_check(context, "stage 7, readback through a pixel buffer");
    if (status == QP_OK && mapped == NULL)
        return qp_fail(QP_DEVICE, "stage 7, readback: the pixel buffer could not be mapped");
    return status;
}
