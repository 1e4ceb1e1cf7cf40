/* SPDX-License-Identifier: MIT */
#ifndef QP_GL_CAPS_BUFFERS_H
#define QP_GL_CAPS_BUFFERS_H

#include "gl/buffer.h"
#include "gl/canvas.h"

/* Probes for caps.c; trouble goes to the canvas, on which nothing is drawn. */
bool qp_caps_can_fence(struct qp_context *context, struct qp_canvas *canvas);
bool qp_caps_can_map_for_life(struct qp_context *context, struct qp_canvas *canvas);

#endif
