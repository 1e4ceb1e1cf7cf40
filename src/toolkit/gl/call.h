/* SPDX-License-Identifier: MIT */
/* Entry and exit of public functions: the calling thread's context and locale are restored
 * afterwards. */
#ifndef QP_GL_CALL_H
#define QP_GL_CALL_H

#include <EGL/egl.h>

#include "toolkit/base/caller.h"

/* The caller's own EGL context, if one is current that is not this library's. */
struct qp_call {
    struct qp_plain_numbers numbers;
    bool began;
    EGLDisplay display;
    EGLSurface draw, read;
    EGLContext context; /* EGL_NO_CONTEXT: there is none to come back to */
};

/* Begin and end of every public function that computes, on every way out; calls nest. `context` is
 * what the function was given, or NULL. Without a context of the caller's own the library's stays
 * current. The end returns `status`. Errors: QP_BAD_USE in a forked process, or for a context that
 * was destroyed. */
struct qp_context;
enum qp_status qp_call_begin(struct qp_call *call, const struct qp_context *context);
enum qp_status qp_call_end(struct qp_call *call, enum qp_status status);

/* Notes that the library made this context current on this thread, with its mark or 0; and that it
 * is about to destroy it, after which EGL may give the next context the same handle. */
void qp_call_entered(EGLContext handle, int mark);
void qp_call_gone(EGLContext handle);

/* Marks the library's own context that is current, by a number that no other context has, and
 * returns it; 0 where the driver does not keep it. A question to EGL costs a system call; the mark
 * answers without one whether a context is still current. */
int qp_call_mark(void);

/* True if the context is current on this thread. */
bool qp_call_is_current(EGLContext handle);

/* Keeps the state of a context that is the caller's own, which is current, until the end of the
 * calls of this thread, or until it is let go before it, so that it can be destroyed. Errors: those
 * of qp_state_keep. */
enum qp_status qp_call_keep_state(struct qp_context *context);
void qp_call_let_go(void);

/* Binds desktop OpenGL on this thread until the end of the call, or for good outside of all. False:
 * EGL has none. */
bool qp_call_bind_api(void);

#endif
