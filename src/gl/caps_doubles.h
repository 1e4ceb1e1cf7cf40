/* SPDX-License-Identifier: MIT */
#ifndef QP_GL_CAPS_DOUBLES_H
#define QP_GL_CAPS_DOUBLES_H

#include "gl/canvas.h"

/* Probes for caps.c: native doubles, and doubles as pairs of floats. */
bool qp_caps_can_double(struct qp_context *context, struct qp_canvas *canvas);
bool qp_caps_can_render_pairs(struct qp_context *context, struct qp_canvas *canvas);

#endif
