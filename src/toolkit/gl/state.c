/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/state.h"

#include "toolkit/gl/uniforms.h"

/* Counts of the state that glPushAttrib does not save. */
enum { UNITS = 32, BUFFERS = 4, ENABLES = 4 };

struct qp_state {
    GLint program, pipeline, vertex_array, draw_framebuffer, read_framebuffer, renderbuffer;
    GLint buffer[BUFFERS], sampler[UNITS], clamp_read;
    struct {
        GLint buffer;
        GLint64 first, bytes;
    } storage[QP_STORAGES];
    GLint clip_origin, clip_depth;
    GLboolean enabled[ENABLES];
    /* The vertices of the vertex array 0, which strips of quads change. */
    struct {
        GLboolean enabled;
        GLint size, type, stride, buffer;
        void *first;
    } vertices;
    GLint units; /* number of units that have samplers */
    GLdouble projection[16], modelview[16];
};

static const struct {
    GLenum target, binding;
} buffers[BUFFERS] = {{GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING},
                      {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING},
                      {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING},
                      {GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING}};

static const GLenum enables[ENABLES] = {GL_RASTERIZER_DISCARD, GL_PRIMITIVE_RESTART,
                                        GL_FRAMEBUFFER_SRGB, GL_DEPTH_CLAMP};

struct qp_state *qp_state_create(void)
{
    return qp_alloc_zero(1, sizeof(struct qp_state), "the state of OpenGL");
}

/* ---- State that passes rely on ---- */

/* Passes set what differs among themselves (pass.c); this is what a context has at its begin, and
 * they leave alone. */
static void set_as_at_the_begin(void)
{
    static const GLenum off[] = {GL_COLOR_LOGIC_OP,
                                 GL_POLYGON_STIPPLE,
                                 GL_POLYGON_SMOOTH,
                                 GL_POLYGON_OFFSET_FILL,
                                 GL_STENCIL_TEST_TWO_SIDE_EXT,
                                 GL_SAMPLE_ALPHA_TO_COVERAGE,
                                 GL_SAMPLE_ALPHA_TO_ONE,
                                 GL_SAMPLE_COVERAGE,
                                 GL_CLIP_PLANE0,
                                 GL_CLIP_PLANE1,
                                 GL_CLIP_PLANE2,
                                 GL_CLIP_PLANE3,
                                 GL_CLIP_PLANE4,
                                 GL_CLIP_PLANE5,
                                 GL_CLIP_PLANE0 + 6,
                                 GL_CLIP_PLANE0 + 7,
                                 GL_VERTEX_PROGRAM_ARB,
                                 GL_FRAGMENT_PROGRAM_ARB,
                                 GL_DEPTH_BOUNDS_TEST_EXT};
    static const GLenum ones[] = {GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE};
    static const GLenum zeros[] = {GL_RED_BIAS, GL_GREEN_BIAS, GL_BLUE_BIAS, GL_ALPHA_BIAS,
                                   GL_MAP_COLOR};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        glDisable(off[i]);
    for (int i = 0; i < ENABLES; i++)
        glDisable(enables[i]);
    for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
        glPixelTransferf(ones[i], 1.0f);
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++)
        glPixelTransferf(zeros[i], 0.0f);
    glDepthRange(0.0, 1.0);
    if (glClipControl != NULL)
        glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    glPixelStorei(GL_UNPACK_LSB_FIRST, GL_FALSE);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
    glPixelStorei(GL_PACK_LSB_FIRST, GL_FALSE);
}

/* ---- Keeping ---- */

static void keep_rest(struct qp_state *state)
{
    glGetIntegerv(GL_CURRENT_PROGRAM, &state->program);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &state->draw_framebuffer);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &state->read_framebuffer);
    glGetIntegerv(GL_RENDERBUFFER_BINDING, &state->renderbuffer);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
    if (glBindProgramPipeline != NULL)
        glGetIntegerv(GL_PROGRAM_PIPELINE_BINDING, &state->pipeline);
    for (int i = 0; i < BUFFERS; i++)
        glGetIntegerv(buffers[i].binding, &state->buffer[i]);
    for (GLuint i = 0; i < QP_STORAGES && glShaderStorageBlockBinding != NULL; i++) {
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, i, &state->storage[i].buffer);
        glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, i, &state->storage[i].first);
        glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, i, &state->storage[i].bytes);
    }
    for (int i = 0; i < ENABLES; i++)
        state->enabled[i] = glIsEnabled(enables[i]);
    glGetIntegerv(GL_CLAMP_READ_COLOR, &state->clamp_read);
    if (glClipControl != NULL) {
        glGetIntegerv(GL_CLIP_ORIGIN, &state->clip_origin);
        glGetIntegerv(GL_CLIP_DEPTH_MODE, &state->clip_depth);
    }
}

/* A sampler object takes the place of its unit's texture's own parameters. */
static void keep_samplers(struct qp_state *state)
{
    GLint active = GL_TEXTURE0;
    if (glBindSampler == NULL)
        return;
    glGetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &state->units);
    state->units = state->units < UNITS ? state->units : UNITS;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int i = 0; i < state->units; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glGetIntegerv(GL_SAMPLER_BINDING, &state->sampler[i]);
        if (state->sampler[i] != 0)
            glBindSampler((GLuint)i, 0);
    }
    glActiveTexture((GLenum)active);
}

static void keep_vertices(struct qp_state *state)
{
    glBindVertexArray(0);
    state->vertices.enabled = glIsEnabled(GL_VERTEX_ARRAY);
    glGetIntegerv(GL_VERTEX_ARRAY_SIZE, &state->vertices.size);
    glGetIntegerv(GL_VERTEX_ARRAY_TYPE, &state->vertices.type);
    glGetIntegerv(GL_VERTEX_ARRAY_STRIDE, &state->vertices.stride);
    glGetIntegerv(GL_VERTEX_ARRAY_BUFFER_BINDING, &state->vertices.buffer);
    glGetPointerv(GL_VERTEX_ARRAY_POINTER, &state->vertices.first);
}

static enum qp_status check_stacks(void)
{
    static const struct {
        GLenum depth, most;
        const char *name;
    } stacks[] = {
        {GL_ATTRIB_STACK_DEPTH, GL_MAX_ATTRIB_STACK_DEPTH, "glPushAttrib"},
        {GL_CLIENT_ATTRIB_STACK_DEPTH, GL_MAX_CLIENT_ATTRIB_STACK_DEPTH, "glPushClientAttrib"}};
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        GLint depth = 0, most = 1;
        glGetIntegerv(stacks[i].depth, &depth);
        glGetIntegerv(stacks[i].most, &most);
        if (depth >= most)
            return qp_fail(QP_BAD_USE,
                           "the stack of %s is full in the program's own context, and Quadpass "
                           "needs one of its %d levels; pop one before the call",
                           stacks[i].name, (int)most);
    }
    return QP_OK;
}

/* Checks for the two states in which commands draw nothing, and no error says so. */
static enum qp_status check_that_it_draws(void)
{
    GLint list = 0, mode = GL_RENDER;
    glGetIntegerv(GL_LIST_INDEX, &list);
    glGetIntegerv(GL_RENDER_MODE, &mode);
    if (list != 0)
        return qp_fail(QP_BAD_USE,
                       "the program's own context has the display list %d open, which would take "
                       "what Quadpass draws; call glEndList before the call",
                       (int)list);
    if (mode != GL_RENDER)
        return qp_fail(QP_BAD_USE,
                       "the program's own context is in the render mode %s, in which nothing is "
                       "drawn; call glRenderMode(GL_RENDER) before the call",
                       mode == GL_FEEDBACK ? "GL_FEEDBACK" : "GL_SELECT");
    return QP_OK;
}

enum qp_status qp_state_keep(struct qp_context *context)
{
    struct qp_state *state = context->state;
    enum qp_status status = check_stacks();
    if (status == QP_OK)
        status = check_that_it_draws();
    if (status != QP_OK)
        return status;
    *state = (struct qp_state){0};
    keep_rest(state);
    glGetDoublev(GL_PROJECTION_MATRIX, state->projection);
    glGetDoublev(GL_MODELVIEW_MATRIX, state->modelview);
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
    keep_samplers(state);
    keep_vertices(state);
    set_as_at_the_begin();
    qp_gl_forget_errors(); /* the caller's, and those of words that this version does not know */
    return QP_OK;
}

/* ---- Bringing back ---- */

static void bring_back_storage(const struct qp_state *state)
{
    for (GLuint i = 0; i < QP_STORAGES && glShaderStorageBlockBinding != NULL; i++) {
        if (state->storage[i].bytes > 0)
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, i, (GLuint)state->storage[i].buffer,
                              (GLintptr)state->storage[i].first,
                              (GLsizeiptr)state->storage[i].bytes);
        else
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, (GLuint)state->storage[i].buffer);
    }
}

static void bring_back_vertices(const struct qp_state *state)
{
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)state->vertices.buffer);
    glVertexPointer(state->vertices.size, (GLenum)state->vertices.type, state->vertices.stride,
                    state->vertices.first);
    (state->vertices.enabled ? glEnableClientState : glDisableClientState)(GL_VERTEX_ARRAY);
}

void qp_state_bring_back(struct qp_context *context)
{
    const struct qp_state *state = context->state;
    /* Draw and read buffers are a framebuffer's own, so that is bound before they are popped. */
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)state->draw_framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)state->read_framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)state->renderbuffer);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixd(state->projection);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixd(state->modelview);
    for (int i = 0; i < state->units; i++) {
        if (state->sampler[i] != 0)
            glBindSampler((GLuint)i, (GLuint)state->sampler[i]);
    }
    bring_back_vertices(state);
    glPopClientAttrib();
    glPopAttrib();
    glBindVertexArray((GLuint)state->vertex_array);
    bring_back_storage(state);
    for (int i = 0; i < BUFFERS; i++)
        glBindBuffer(buffers[i].target, (GLuint)state->buffer[i]);
    for (int i = 0; i < ENABLES; i++)
        (state->enabled[i] ? glEnable : glDisable)(enables[i]);
    glClampColor(GL_CLAMP_READ_COLOR, (GLenum)state->clamp_read);
    if (state->clip_origin != 0)
        glClipControl((GLenum)state->clip_origin, (GLenum)state->clip_depth);
    glUseProgram((GLuint)state->program);
    if (state->pipeline != 0)
        glBindProgramPipeline((GLuint)state->pipeline);
    qp_gl_forget_errors();
}
