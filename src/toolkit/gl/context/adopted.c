/* SPDX-License-Identifier: MIT */
/* Contexts that are the caller's own. */
#include <stdio.h>

#include "toolkit/gl/call.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/state.h"

/* The library's functions are of one kind of context: desktop OpenGL with glBegin and
 * rectangles. */
static enum qp_status check_kind(void)
{
    EGLint type = EGL_OPENGL_API;
    if (eglGetCurrentContext() == EGL_NO_CONTEXT)
        return qp_fail(QP_BAD_USE, "no EGL context is current on this thread; make yours current "
                                   "first (one of GLX cannot be taken)");
    eglQueryContext(eglGetCurrentDisplay(), eglGetCurrentContext(), EGL_CONTEXT_CLIENT_TYPE, &type);
    if (type != EGL_OPENGL_API)
        return qp_fail(QP_UNSUPPORTED, "the current context is of OpenGL ES; Quadpass needs one "
                                       "of desktop OpenGL (eglBindAPI(EGL_OPENGL_API))");
    return QP_OK;
}

/* Profiles came with OpenGL 3.2: 3.1 is compatible by an extension. A compatible shader ends the
 * process where Mesa (25, 26) compiles it for another context. */
static enum qp_status check_profile(const struct qp_context *context)
{
    GLint profile = 0, major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (10 * major + minor >= 32)
        glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
    if ((profile & GL_CONTEXT_CORE_PROFILE_BIT) != 0 ||
        (10 * major + minor == 31 && !qp_context_has(context, "GL_ARB_compatibility")))
        return qp_fail(QP_UNSUPPORTED,
                       "the current context, of %s, is of the core profile; Quadpass needs the "
                       "compatibility profile",
                       context->device.renderer);
    return QP_OK;
}

static enum qp_status open(struct qp_context *context)
{
    enum qp_status status = check_kind();
    if (status != QP_OK)
        return status;
    context->display = eglGetCurrentDisplay();
    context->handle = eglGetCurrentContext();
    context->candidate = qp_display_describe(context->display);
    status = qp_context_start(context);
    if (status == QP_OK)
        status = check_profile(context);
    if (status == QP_OK)
        status = qp_context_enter(context);
    snprintf(context->text[0], sizeof context->text[0], "EGL %s, a context of the program",
             eglQueryString(context->display, EGL_VERSION));
    snprintf(context->text[1], sizeof context->text[1], "the program's own");
    context->device.egl = context->text[0];
    context->device.why = context->text[1];
    context->device.cuda_device = context->candidate.cuda_device;
    qp_gl_watch_resets(context);
    return status == QP_OK ? qp_caps_probe(context) : status;
}

static enum qp_status adopt(struct qp_context **out)
{
    struct qp_context *context = qp_context_new();
    if (context == NULL)
        return QP_NO_MEMORY;
    context->state = qp_state_create();
    const enum qp_status status = context->state != NULL ? open(context) : QP_NO_MEMORY;
    if (status == QP_OK)
        *out = context;
    else
        qp_context_destroy(&context);
    return status;
}

enum qp_status qp_context_adopt(struct qp_context **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL))
        return QP_BAD_USE;
    enum qp_status status = qp_call_begin(&call, NULL);
    if (status == QP_OK)
        status = adopt(out);
    return qp_call_end(&call, status);
}
