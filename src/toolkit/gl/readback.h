/* SPDX-License-Identifier: MIT */
/* Stage 7: texture -> texels. */
#ifndef QP_GL_READBACK_H
#define QP_GL_READBACK_H

#include "toolkit/gl/pass.h"
#include "toolkit/gl/texture.h"

/* Reads width x height texels from (x, y) of the surface, whose texture has this format, into
 * `texels`, values of the format's precision, row by row from the bottom without gaps. Waits for
 * the GPU. Errors: QP_DEVICE. */
enum qp_status qp_readback(struct qp_context *context, struct qp_surface surface,
                           enum qp_format format, int x, int y, int width, int height,
                           void *texels);

/* Starts a readback into `texels`, `row` of them from one row to the next, 0: without gaps; or,
 * with a pixel buffer, into its beginning, and `texels` is NULL: then nothing waits. Does not check
 * for errors. Not for pairs. */
void qp_readback_ask(struct qp_context *context, struct qp_surface surface, enum qp_format format,
                     GLuint buffer_id, int x, int y, int width, int height, void *texels, int row);

/* qp_readback through a pixel buffer object: the transfer is started, then the buffer mapped. Needs
 * QP_CAN_PIXEL_BUFFER. */
enum qp_status qp_readback_buffered(struct qp_context *context, struct qp_surface surface,
                                    enum qp_format format, int x, int y, int width, int height,
                                    void *texels);

#endif
