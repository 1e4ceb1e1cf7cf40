/* SPDX-License-Identifier: MIT */
/* Probes for caps.c from other files; a probe's trouble goes to its canvas. */
#ifndef QP_GL_CAPS_PROBES_H
#define QP_GL_CAPS_PROBES_H

#include "toolkit/gl/buffer.h"
#include "toolkit/gl/context/canvas.h"

/* Fences, and buffers that stay mapped (caps_buffers.c); nothing is drawn. */
bool qp_caps_can_fence(struct qp_context *context, struct qp_canvas *canvas);
bool qp_caps_can_map_for_life(struct qp_context *context, struct qp_canvas *canvas);

/* Native doubles, and doubles as pairs of floats (caps_doubles.c). */
bool qp_caps_can_double(struct qp_context *context, struct qp_canvas *canvas);
bool qp_caps_can_render_pairs(struct qp_context *context, struct qp_canvas *canvas);

#endif
