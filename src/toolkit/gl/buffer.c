/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/buffer.h"

#include <string.h>

/* ---- Buffers ---- */

static enum qp_status begin(struct qp_context *context, GLenum target, size_t bytes,
                            struct qp_buffer *out)
{
    *out = (struct qp_buffer){.context = context, .target = target, .bytes = bytes};
    glGenBuffers(1, &out->id);
    enum qp_status status = qp_gl_count(context, out->id, "making a buffer object");
    if (status == QP_OK)
        glBindBuffer(target, out->id);
    return status;
}

/* Unbinds the buffer: a bound pixel buffer would redirect every later transfer. */
static enum qp_status end(struct qp_buffer *buffer, const char *what)
{
    glBindBuffer(buffer->target, 0);
    return qp_gl_check(buffer->context, what);
}

static enum qp_status end_creation(struct qp_buffer *buffer)
{
    enum qp_status status = end(buffer, "making a buffer object");
    if (status != QP_OK)
        qp_buffer_destroy(buffer);
    return status;
}

enum qp_status qp_buffer_create(struct qp_context *context, GLenum target, GLenum usage,
                                size_t bytes, struct qp_buffer *out)
{
    enum qp_status status = begin(context, target, bytes, out);
    if (status != QP_OK)
        return status;
    glBufferData(target, (GLsizeiptr)bytes, NULL, usage);
    return end_creation(out);
}

enum qp_status qp_buffer_create_mapped(struct qp_context *context, GLenum target, GLbitfield access,
                                       size_t bytes, struct qp_buffer *out)
{
    const GLbitfield flags = access | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    enum qp_status status = begin(context, target, bytes, out);
    if (status != QP_OK)
        return status;
    glBufferStorage(target, (GLsizeiptr)bytes, NULL, flags);
    out->mapped = glMapBufferRange(target, 0, (GLsizeiptr)bytes, flags);
    status = end_creation(out);
    if (status != QP_OK || out->mapped != NULL)
        return status;
    qp_buffer_destroy(out);
    return qp_fail(QP_DEVICE, "a buffer object cannot be mapped for life");
}

enum qp_status qp_buffer_send(struct qp_buffer *buffer, size_t first, const void *from,
                              size_t bytes)
{
    glBindBuffer(buffer->target, buffer->id);
    glBufferSubData(buffer->target, (GLintptr)first, (GLsizeiptr)bytes, from);
    buffer->context->counters.bytes_written += bytes;
    return end(buffer, "sending to a buffer object");
}

enum qp_status qp_buffer_fetch(struct qp_buffer *buffer, size_t first, void *to, size_t bytes)
{
    glBindBuffer(buffer->target, buffer->id);
    glGetBufferSubData(buffer->target, (GLintptr)first, (GLsizeiptr)bytes, to);
    buffer->context->counters.bytes_read += bytes;
    return end(buffer, "fetching from a buffer object");
}

/* Copies in (`to` is NULL) or out (`from` is NULL). */
static enum qp_status copy_mapped(struct qp_buffer *buffer, const void *from, void *to,
                                  size_t bytes)
{
    void *mapped = glMapBuffer(buffer->target, from != NULL ? GL_WRITE_ONLY : GL_READ_ONLY);
    bool whole = mapped != NULL;
    if (whole) {
        memcpy(from != NULL ? mapped : to, from != NULL ? from : mapped, bytes);
        whole = glUnmapBuffer(buffer->target);
    }
    enum qp_status status = end(buffer, "mapping a buffer object");
    if (status != QP_OK || whole)
        return status;
    return qp_fail(QP_DEVICE, mapped == NULL ? "a buffer object cannot be mapped"
                                             : "a buffer object lost what was in it");
}

enum qp_status qp_buffer_fill(struct qp_buffer *buffer, const void *from, size_t bytes)
{
    glBindBuffer(buffer->target, buffer->id);
    return copy_mapped(buffer, from, NULL, bytes);
}

enum qp_status qp_buffer_take(struct qp_buffer *buffer, void *to, size_t bytes)
{
    glBindBuffer(buffer->target, buffer->id);
    return copy_mapped(buffer, NULL, to, bytes);
}

void qp_buffer_copy(const struct qp_buffer *from, size_t from_first, const struct qp_buffer *to,
                    size_t to_first, size_t bytes)
{
    glBindBuffer(GL_COPY_READ_BUFFER, from->id);
    glBindBuffer(GL_COPY_WRITE_BUFFER, to->id);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from_first,
                        (GLintptr)to_first, (GLsizeiptr)bytes);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

/* Deletes the buffer, which unmaps it too. */
void qp_buffer_destroy(struct qp_buffer *buffer)
{
    if (buffer->id == 0)
        return;
    glDeleteBuffers(1, &buffer->id);
    buffer->context->counters.live_objects--;
    *buffer = (struct qp_buffer){0};
}

/* ---- Fences ---- */

enum qp_status qp_fence_set(struct qp_context *context, GLsync *fence)
{
    qp_fence_destroy(context, fence);
    *fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (*fence == NULL) {
        enum qp_status status = qp_gl_check(context, "setting a fence");
        return status != QP_OK ? status : qp_fail(QP_DEVICE, "the driver set no fence");
    }
    context->counters.live_objects++;
    return QP_OK;
}

enum qp_status qp_fence_wait(struct qp_context *context, GLsync *fence)
{
    const GLuint64 second = 1000000000;
    enum qp_status status = QP_OK;
    GLenum answer = *fence == NULL ? GL_ALREADY_SIGNALED : GL_TIMEOUT_EXPIRED;
    while (answer == GL_TIMEOUT_EXPIRED && status == QP_OK) {
        answer = glClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, second);
        if (answer == GL_TIMEOUT_EXPIRED)
            status = qp_gl_check_lost(context, "waiting for a fence");
    }
    qp_fence_destroy(context, fence);
    if (status != QP_OK || answer != GL_WAIT_FAILED)
        return status;
    status = qp_gl_check(context, "waiting for a fence");
    return status != QP_OK ? status : qp_fail(QP_DEVICE, "the driver cannot wait for a fence");
}

void qp_fence_destroy(struct qp_context *context, GLsync *fence)
{
    if (*fence == NULL)
        return;
    glDeleteSync(*fence);
    context->counters.live_objects--;
    *fence = NULL;
}
