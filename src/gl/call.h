/* SPDX-License-Identifier: MIT */
/* A call from outside: what the calling thread had before, it has again afterwards. */
#ifndef QP_GL_CALL_H
#define QP_GL_CALL_H

#include <EGL/egl.h>

#include "base/caller.h"

/* The caller's own context, if one is current: which means none of this library's. */
struct qp_call {
    struct qp_plain_numbers numbers;
    EGLenum api;
    EGLDisplay display;
    EGLSurface draw, read;
    EGLContext context; /* EGL_NO_CONTEXT: there is none to come back to */
};

/* Every public function that computes begins so, and ends so whatever became of it; calls nest. Without a
 * context of the caller's own the library's stays current. Errors: QP_BAD_USE in a forked process. */
enum qp_status qp_call_begin(struct qp_call *call);
void qp_call_end(struct qp_call *call);

/* The library has made this context of its own current on this thread; and is about to destroy it, so that
 * the next one may get its number. */
void qp_call_entered(EGLContext handle);
void qp_call_gone(EGLContext handle);

#endif
