/* SPDX-License-Identifier: MIT */
#include "gl/call.h"

#include "gl/context.h"

enum qp_status qp_call_begin(struct qp_call *call)
{
    *call = (struct qp_call){.context = EGL_NO_CONTEXT};
    enum qp_status status = qp_process_check();
    if (status != QP_OK) /* a forked process, in which EGL would not answer either */
        return status;
    qp_plain_numbers_begin(&call->numbers);
    call->api = eglQueryAPI();
    if (qp_context_is_current())
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
