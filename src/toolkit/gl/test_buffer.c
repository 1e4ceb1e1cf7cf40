/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/test_buffer.h"

#include "toolkit/gl/framebuffer.h"

/* ---- Buffers ---- */

static GLenum attachment_of(GLenum format)
{
    return format == GL_DEPTH24_STENCIL8 ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
}

/* Makes a framebuffer object. Without targets it is complete before OpenGL 4.1 only if it draws and
 * reads none. */
static enum qp_status make_framebuffer(struct qp_test_buffer *buffer)
{
    static const char stage[] = "making a framebuffer object";
    glGenFramebuffers(1, &buffer->framebuffer_id);
    enum qp_status status = qp_gl_count(buffer->context, buffer->framebuffer_id, stage);
    if (status != QP_OK)
        return status;
    glBindFramebuffer(GL_FRAMEBUFFER, buffer->framebuffer_id);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment_of(buffer->format), GL_RENDERBUFFER,
                              buffer->renderbuffer_id);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    const GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    status = qp_gl_check(buffer->context, stage);
    if (status == QP_OK && state != GL_FRAMEBUFFER_COMPLETE)
        status = qp_fail(QP_UNSUPPORTED, "%s cannot be drawn to here",
                         buffer->format == GL_DEPTH24_STENCIL8 ? "GL_DEPTH24_STENCIL8"
                                                               : "GL_DEPTH_COMPONENT32F");
    return status;
}

enum qp_status qp_test_buffer_create(struct qp_context *context, GLenum format, int width,
                                     int height, struct qp_test_buffer *out)
{
    static const char stage[] = "making a renderbuffer";
    *out = (struct qp_test_buffer){
        .context = context, .format = format, .width = width, .height = height};
    glGenRenderbuffers(1, &out->renderbuffer_id);
    enum qp_status status = qp_gl_count(context, out->renderbuffer_id, stage);
    if (status == QP_OK) {
        glBindRenderbuffer(GL_RENDERBUFFER, out->renderbuffer_id);
        glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
        glBindRenderbuffer(GL_RENDERBUFFER, 0);
        status = qp_gl_check(context, stage);
    }
    if (status == QP_OK)
        status = make_framebuffer(out);
    if (status != QP_OK)
        qp_test_buffer_destroy(out);
    return status;
}

void qp_test_buffer_clear(const struct qp_test_buffer *buffer, float depth)
{
    static const GLint unmarked = 0;
    glBindFramebuffer(GL_FRAMEBUFFER, buffer->framebuffer_id);
    glDisable(GL_SCISSOR_TEST);
    glStencilMaskSeparate(GL_FRONT_AND_BACK, ~0u);
    glDepthMask(GL_TRUE);
    if (buffer->format == GL_DEPTH24_STENCIL8)
        glClearBufferiv(GL_STENCIL, 0, &unmarked);
    else
        glClearBufferfv(GL_DEPTH, 0, &depth);
}

void qp_test_buffer_destroy(struct qp_test_buffer *buffer)
{
    if (buffer->context == NULL)
        return;
    qp_framebuffer_destroy(buffer->context, &buffer->framebuffer_id);
    if (buffer->renderbuffer_id != 0) {
        glDeleteRenderbuffers(1, &buffer->renderbuffer_id);
        buffer->context->counters.live_objects--;
    }
    *buffer = (struct qp_test_buffer){0};
}

/* ---- Tests ---- */

static bool is_of_depths(const struct qp_test *test)
{
    return test->rule >= QP_TEST_NEARER;
}

static void attach(const struct qp_test *test, GLuint renderbuffer_id)
{
    if (test->renderbuffer_id != 0)
        glFramebufferRenderbuffer(
            GL_FRAMEBUFFER, is_of_depths(test) ? GL_DEPTH_ATTACHMENT : GL_DEPTH_STENCIL_ATTACHMENT,
            GL_RENDERBUFFER, renderbuffer_id);
}

void qp_test_begin(const struct qp_test *test)
{
    attach(test, test->renderbuffer_id);
    if (is_of_depths(test)) {
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(test->rule == QP_TEST_NEARER ? GL_LESS : GL_GREATER);
        glDepthMask(GL_TRUE);
        return;
    }
    const bool marks = test->rule == QP_TEST_MARK;
    glEnable(GL_STENCIL_TEST);
    const GLenum compares = marks                          ? GL_ALWAYS
                            : test->rule == QP_TEST_MARKED ? GL_EQUAL
                                                           : GL_NOTEQUAL;
    glStencilFuncSeparate(GL_FRONT_AND_BACK, compares, 1, ~0u);
    glStencilOpSeparate(GL_FRONT_AND_BACK, GL_KEEP, GL_KEEP, marks ? GL_REPLACE : GL_KEEP);
    glStencilMaskSeparate(GL_FRONT_AND_BACK, ~0u);
}

void qp_test_end(const struct qp_test *test)
{
    attach(test, 0);
    glDisable(is_of_depths(test) ? GL_DEPTH_TEST : GL_STENCIL_TEST);
}
