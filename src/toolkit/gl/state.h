/* SPDX-License-Identifier: MIT */
/* OpenGL state of a context that is the caller's, which is kept over a call. */
#ifndef QP_GL_STATE_H
#define QP_GL_STATE_H

#include "toolkit/gl/context/context.h"

/* Room for a state. Errors: NULL with QP_NO_MEMORY. Owner: the caller, by free. */
struct qp_state *qp_state_create(void);

/* Keeps the state of the caller's context, which is current, and sets what passes rely on; brings
 * it back. All of it comes back but images bound for imageLoad, and buffers bound for shader
 * storage. Errors: QP_BAD_USE for a stack of attributes without room; then nothing is kept, nor
 * set. */
enum qp_status qp_state_keep(struct qp_context *context);
void qp_state_bring_back(struct qp_context *context);

#endif
