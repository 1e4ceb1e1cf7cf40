/* SPDX-License-Identifier: MIT */
#include "gl/call.h"

/* The context that this library made current on this thread last. */
static _Thread_local EGLContext entered = EGL_NO_CONTEXT;

void qp_call_entered(EGLContext handle)
{
    entered = handle;
}

void qp_call_gone(EGLContext handle)
{
    if (entered == handle)
        entered = EGL_NO_CONTEXT;
}

/* True if the context current on this thread is this library's, not the caller's own. */
static bool is_own(void)
{
    return entered != EGL_NO_CONTEXT && eglGetCurrentContext() == entered;
}

enum qp_status qp_call_begin(struct qp_call *call)
{
    *call = (struct qp_call){.context = EGL_NO_CONTEXT};
    enum qp_status status = qp_process_check();
    if (status != QP_OK) /* a forked process, in which EGL would not answer either */
        return status;
    qp_plain_numbers_begin(&call->numbers);
    call->api = eglQueryAPI();
    if (is_own())
        return QP_OK;
    call->context = eglGetCurrentContext();
    call->display = eglGetCurrentDisplay();
    call->draw = eglGetCurrentSurface(EGL_DRAW);
    call->read = eglGetCurrentSurface(EGL_READ);
    return QP_OK;
}

void qp_call_end(struct qp_call *call)
{
    if (call->context != EGL_NO_CONTEXT && eglGetCurrentContext() != call->context)
        eglMakeCurrent(call->display, call->draw, call->read, call->context);
    if (call->api != 0 && eglQueryAPI() != call->api)
        eglBindAPI(call->api);
    qp_plain_numbers_end(&call->numbers);
}
