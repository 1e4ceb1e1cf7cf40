/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/framebuffer.h"

static const char *incompleteness(GLenum state)
{
    switch (state) {
    case GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT:
        return "GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT";
    case GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT:
        return "GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT";
    case GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS_EXT:
        return "GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS_EXT";
    case GL_FRAMEBUFFER_INCOMPLETE_FORMATS_EXT:
        return "GL_FRAMEBUFFER_INCOMPLETE_FORMATS_EXT";
    case GL_FRAMEBUFFER_INCOMPLETE_DRAW_BUFFER:
        return "GL_FRAMEBUFFER_INCOMPLETE_DRAW_BUFFER";
    case GL_FRAMEBUFFER_INCOMPLETE_READ_BUFFER:
        return "GL_FRAMEBUFFER_INCOMPLETE_READ_BUFFER";
    case GL_FRAMEBUFFER_UNSUPPORTED:
        return "GL_FRAMEBUFFER_UNSUPPORTED";
    default:
        return "incomplete for a reason without a name";
    }
}

/* Attaches all layers of a texture and returns the next free attachment. */
static GLenum attach(const struct qp_texture *texture, GLenum attachment)
{
    if (texture->layers == 0)
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment++, texture->target, texture->id, 0);
    for (int i = 0; i < texture->layers; i++)
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment++, texture->id, 0, i);
    return attachment;
}

enum qp_status qp_framebuffer_create(struct qp_context *context,
                                     const struct qp_texture *const textures[], int count,
                                     GLuint *framebuffer_id)
{
    glGenFramebuffers(1, framebuffer_id);
    enum qp_status status = qp_gl_count(context, *framebuffer_id, "making a framebuffer object");
    if (status != QP_OK)
        return status;
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer_id);
    GLenum attachment = GL_COLOR_ATTACHMENT0;
    for (int i = 0; i < count; i++)
        attachment = attach(textures[i], attachment);
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    status = qp_gl_check(context, "making a framebuffer object");
    if (status == QP_OK && state != GL_FRAMEBUFFER_COMPLETE)
        status = qp_fail(QP_UNSUPPORTED, "%s cannot be rendered to here: %s",
                         qp_format_name(textures[0]->format), incompleteness(state));
    if (status != QP_OK)
        qp_framebuffer_destroy(context, framebuffer_id);
    return status;
}

void qp_framebuffer_attach(GLuint framebuffer_id, const struct qp_texture *textures, int count)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_id);
    for (int i = 0; i < count; i++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + (GLenum)i, textures[i].target,
                               textures[i].id, 0);
}

void qp_framebuffer_fill(GLuint framebuffer_id, int count, float value)
{
    const GLfloat values[4] = {value, value, value, value};
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_id);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (int i = 0; i < count; i++) {
        glDrawBuffer(GL_COLOR_ATTACHMENT0 + (GLenum)i);
        glClearBufferfv(GL_COLOR, 0, values);
    }
}

void qp_framebuffer_destroy(struct qp_context *context, GLuint *framebuffer_id)
{
    if (*framebuffer_id == 0)
        return;
    glDeleteFramebuffers(1, framebuffer_id);
    context->counters.live_objects--;
    *framebuffer_id = 0;
}
