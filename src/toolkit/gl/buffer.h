/* SPDX-License-Identifier: MIT */
/* Buffer objects, memory that device and host both reach, and fences that show when the commands
 * that use one are done. */
#ifndef QP_GL_BUFFER_H
#define QP_GL_BUFFER_H

#include "toolkit/gl/context/context.h"

struct qp_buffer {
    struct qp_context *context;
    GLuint id;
    GLenum target; /* where it is bound for its own calls, such as GL_PIXEL_PACK_BUFFER */
    size_t bytes;
    void *mapped; /* persistent pointer of a buffer mapped for life, else NULL */
};

/* Makes a buffer of this size with undefined contents; the caller owns it. Errors: QP_NO_MEMORY,
 * QP_DEVICE. */
enum qp_status qp_buffer_create(struct qp_context *context, GLenum target, GLenum usage,
                                size_t bytes, struct qp_buffer *out);

/* A buffer mapped for life (GL_ARB_buffer_storage): both sides see what the other wrote, once a
 * fence says that it is written. `access` is GL_MAP_READ_BIT or GL_MAP_WRITE_BIT. Needs
 * QP_CAN_MAP_FOR_LIFE. */
enum qp_status qp_buffer_create_mapped(struct qp_context *context, GLenum target, GLbitfield access,
                                       size_t bytes, struct qp_buffer *out);

/* Copies into the buffer: in one call of OpenGL's; or through a pointer, like a program that
 * computes the values it sends, when the commands that read the buffer before are done. */
enum qp_status qp_buffer_send(struct qp_buffer *buffer, size_t first, const void *from,
                              size_t bytes);
enum qp_status qp_buffer_fill(struct qp_buffer *buffer, const void *from, size_t bytes);

/* Copies out of it, likewise. Both wait for the commands that write it. */
enum qp_status qp_buffer_fetch(struct qp_buffer *buffer, size_t first, void *to, size_t bytes);
enum qp_status qp_buffer_take(struct qp_buffer *buffer, void *to, size_t bytes);

/* Copies between two buffers on the device; does not wait. */
void qp_buffer_copy(const struct qp_buffer *from, size_t from_first, const struct qp_buffer *to,
                    size_t to_first, size_t bytes);

void qp_buffer_destroy(struct qp_buffer *buffer);

/* Replaces *fence, NULL at first, by one after all commands given so far. Needs QP_CAN_FENCE. */
enum qp_status qp_fence_set(struct qp_context *context, GLsync *fence);

/* Waits for a fence and deletes it; returns at once if there is none. Errors: QP_DEVICE. */
enum qp_status qp_fence_wait(struct qp_context *context, GLsync *fence);
void qp_fence_destroy(struct qp_context *context, GLsync *fence);

#endif
