/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/call.h"

#include <stdatomic.h>

#include <GL/glew.h>

#include "toolkit/gl/objects.h"
#include "toolkit/gl/state.h"

/* State of this thread's calls. EGL's answers are kept as long as they must be right, since each
 * costs a system call. */
static _Thread_local struct {
    EGLContext entered; /* context that this library made current last */
    GLint mark;         /* its mark; 0: it has none */
    bool is_current; /* the context is current, from the begin of a call to the first look at it */
    int calls;       /* calls that have begun and not ended */
    struct qp_context *kept; /* whose state is kept; NULL: none */
    EGLenum api; /* API bound before the library bound its own in these calls; 0: it did not */
} here = {.entered = EGL_NO_CONTEXT};

void qp_call_entered(EGLContext handle, int mark)
{
    here.entered = handle;
    here.mark = mark;
}

void qp_call_gone(EGLContext handle)
{
    if (here.entered == handle)
        qp_call_entered(EGL_NO_CONTEXT, 0);
}

/* The mark is the value to which stencil buffers are cleared: every OpenGL and OpenGL ES answers
 * it, whichever context is current, and the library clears none by it. */
static GLint read_mark(void)
{
    GLint mark = 0;
    glGetIntegerv(GL_STENCIL_CLEAR_VALUE, &mark);
    return mark;
}

int qp_call_mark(void)
{
    static atomic_int marks = 0x51504d00;
    const GLint mark = atomic_fetch_add(&marks, 1);
    glClearStencil(mark);
    return read_mark() == mark ? mark : 0;
}

/* True if the context that was entered has a mark, and is current. */
static bool finds_mark(void)
{
    return here.mark != 0 && read_mark() == here.mark;
}

bool qp_call_is_current(EGLContext handle)
{
    const bool known = here.entered == handle && (here.is_current || finds_mark());
    here.is_current = false;
    return known || eglGetCurrentContext() == handle;
}

bool qp_call_bind_api(void)
{
    if (here.calls > 0 && here.api == 0)
        here.api = eglQueryAPI();
    return eglBindAPI(EGL_OPENGL_API);
}

enum qp_status qp_call_keep_state(struct qp_context *context)
{
    if (here.kept == context)
        return QP_OK;
    qp_call_let_go();
    const enum qp_status status = qp_state_keep(context);
    here.kept = status == QP_OK ? context : NULL;
    return status;
}

void qp_call_let_go(void)
{
    if (here.kept != NULL && qp_call_is_current(here.kept->handle))
        qp_state_bring_back(here.kept);
    here.kept = NULL;
}

enum qp_status qp_call_begin(struct qp_call *call, const struct qp_context *context)
{
    *call = (struct qp_call){.context = EGL_NO_CONTEXT};
    enum qp_status status = qp_process_check();
    if (status == QP_OK) /* not in a forked process, where EGL would not answer either */
        status = qp_context_check(context);
    if (status != QP_OK)
        return status;
    call->began = true;
    here.calls++;
    qp_plain_numbers_begin(&call->numbers);
    here.is_current = finds_mark();
    if (here.is_current)
        return QP_OK;
    call->context = eglGetCurrentContext();
    here.is_current = call->context == here.entered && here.entered != EGL_NO_CONTEXT;
    if (here.is_current)
        call->context = EGL_NO_CONTEXT;
    if (call->context == EGL_NO_CONTEXT)
        return QP_OK;
    call->display = eglGetCurrentDisplay();
    call->draw = eglGetCurrentSurface(EGL_DRAW);
    call->read = eglGetCurrentSurface(EGL_READ);
    return QP_OK;
}

enum qp_status qp_call_end(struct qp_call *call, enum qp_status status)
{
    if (!call->began)
        return status;
    here.is_current = false;
    if (here.calls == 1)
        qp_call_let_go();
    if (call->context != EGL_NO_CONTEXT && eglGetCurrentContext() != call->context)
        eglMakeCurrent(call->display, call->draw, call->read, call->context);
    if (--here.calls == 0 && here.api != 0) {
        eglBindAPI(here.api);
        here.api = 0;
    }
    qp_plain_numbers_end(&call->numbers);
    return status;
}
