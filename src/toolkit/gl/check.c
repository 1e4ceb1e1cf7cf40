/* SPDX-License-Identifier: MIT */
/* Error checks, once per stage: OpenGL's error flag, and whether the context is lost. */
#include <stdio.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/objects.h"

static const char *error_name(GLenum error)
{
    switch (error) {
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
        return "GL_OUT_OF_MEMORY, the device's memory is full; take a smaller problem, or end "
               "other "
               "programs that use the device";
    default:
        return "an unknown GL error";
    }
}

void qp_gl_forget_errors(void)
{
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++) /* a lost context never stops */
        continue;
}

/* ---- Lost contexts ---- */

/* GL_ARB_robustness: a context that asked for it learns of a reset, once; all later commands are
 * ignored without an error. */
void qp_gl_watch_resets(struct qp_context *context)
{
    GLint strategy = 0;
    if (!qp_context_has(context, "GL_ARB_robustness") || glGetGraphicsResetStatusARB == NULL)
        return;
    glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY_ARB, &strategy);
    context->tells_resets = strategy == GL_LOSE_CONTEXT_ON_RESET_ARB;
}

static const char *reset_name(GLenum reset)
{
    switch (reset) {
    case GL_GUILTY_CONTEXT_RESET_ARB:
        return "by its own work; take a smaller problem, or fewer passes at a time";
    case GL_INNOCENT_CONTEXT_RESET_ARB:
        return "by another program's work; open a new context and run again";
    default:
        return "for a reason it does not know; open a new context and run again";
    }
}

enum qp_status qp_gl_check_lost(struct qp_context *context, const char *stage)
{
    if (context->reset == GL_NO_ERROR && context->tells_resets)
        context->reset = glGetGraphicsResetStatusARB();
    if (context->reset == GL_NO_ERROR)
        return QP_OK;
    return qp_fail(QP_DEVICE, "%s: the OpenGL context is lost: the driver reset the device %s",
                   stage, reset_name(context->reset));
}

bool qp_context_is_lost(const struct qp_context *context)
{
    return context != NULL && qp_context_check(context) == QP_OK && context->reset != GL_NO_ERROR;
}

/* ---- Rounds of loops ---- */

/* Waits for what was drawn. */
static enum qp_status check_rounds(struct qp_context *context)
{
    static const GLuint none = 0;
    GLuint ended = 0;
    if (context->rounds_of[0] == '\0')
        return QP_OK;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, context->rounds_id);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof ended, &ended);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof none, &none);
    if (ended != 0)
        qp_fail(QP_BAD_INPUT,
                "%s: this device ends all loops of a cell after 65535 rounds together, and a cell "
                "has more; take fewer rounds, several passes, or another device (--backend cpu)",
                context->rounds_of);
    context->rounds_of[0] = '\0';
    return ended != 0 ? QP_BAD_INPUT : QP_OK;
}

enum qp_status qp_gl_watch_rounds(struct qp_context *context, const char *name)
{
    static const GLuint none = 0;
    enum qp_status status = QP_OK;
    if (strncmp(context->rounds_of, name, sizeof context->rounds_of - 1) != 0)
        status = check_rounds(context);
    if (status == QP_OK && context->rounds_id == 0) {
        glGenBuffers(1, &context->rounds_id);
        status = qp_gl_count(context, context->rounds_id, "making a buffer object");
        context->counters.live_objects -= status == QP_OK; /* it goes with the context */
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, context->rounds_id);
        glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof none, &none, GL_DYNAMIC_READ);
    }
    if (status == QP_OK) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, context->rounds_id);
        snprintf(context->rounds_of, sizeof context->rounds_of, "%s", name);
    }
    return status;
}

void qp_gl_forget_rounds(struct qp_context *context)
{
    if (context->rounds_id != 0)
        glDeleteBuffers(1, &context->rounds_id);
    context->rounds_id = 0;
}

/* ---- Once per stage ---- */

static enum qp_status check(struct qp_context *context, const char *stage, GLenum first)
{
    if (first == GL_CONTEXT_LOST && context->reset == GL_NO_ERROR)
        context->reset = GL_UNKNOWN_CONTEXT_RESET_ARB;
    if (qp_gl_check_lost(context, stage) != QP_OK)
        return QP_DEVICE;
    if (first == GL_NO_ERROR)
        return QP_OK;
    qp_gl_forget_errors();
    enum qp_status status = first == GL_OUT_OF_MEMORY ? QP_NO_MEMORY : QP_DEVICE;
    qp_fail(status, "%s: %s%s%s", stage, error_name(first), context->driver_words[0] ? ": " : "",
            context->driver_words);
    context->driver_words[0] = '\0';
    return status;
}

enum qp_status qp_gl_check(struct qp_context *context, const char *stage)
{
    const enum qp_status status = check(context, stage, glGetError());
    return status == QP_OK ? check_rounds(context) : status;
}

enum qp_status qp_gl_check_pass(struct qp_context *context, const char *stage)
{
    const GLenum first = glGetError();
    return first == GL_NO_ERROR && context->reset == GL_NO_ERROR ? QP_OK
                                                                 : check(context, stage, first);
}

enum qp_status qp_gl_count(struct qp_context *context, GLuint id, const char *stage)
{
    if (id != 0) {
        context->counters.live_objects++;
        return QP_OK;
    }
    enum qp_status status = qp_gl_check(context, stage);
    return status != QP_OK ? status : qp_fail(QP_DEVICE, "%s: the driver made none", stage);
}
