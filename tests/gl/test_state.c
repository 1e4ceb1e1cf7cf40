/* SPDX-License-Identifier: MIT */
/* The state of a program's own context during a call, which is that of a new context, and after it:
 * what the program had set, whether it had set all of it or nothing. */
#include "support/host.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/gl/call.h"

static const EGLint none[] = {EGL_NONE};

/* ---- State that is looked at, besides that of support/host.c ---- */

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
                             GL_DEPTH_BOUNDS_TEST_EXT,
                             GL_RASTERIZER_DISCARD,
                             GL_PRIMITIVE_RESTART,
                             GL_FRAMEBUFFER_SRGB,
                             GL_DEPTH_CLAMP};

static const GLenum scales[] = {GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE};
static const GLenum biases[] = {GL_RED_BIAS, GL_GREEN_BIAS, GL_BLUE_BIAS, GL_ALPHA_BIAS,
                                GL_MAP_COLOR};
static const GLenum stored[] = {GL_UNPACK_LSB_FIRST, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES,
                                GL_PACK_LSB_FIRST};
static const GLenum vertices[] = {GL_VERTEX_ARRAY_SIZE, GL_VERTEX_ARRAY_TYPE,
                                  GL_VERTEX_ARRAY_STRIDE, GL_VERTEX_ARRAY_BUFFER_BINDING};

enum { UNITS = 32 };

struct look {
    struct shot shot;
    GLboolean enabled[COUNT(off)], has_vertices;
    GLfloat scale[COUNT(scales)], bias[COUNT(biases)];
    GLint stored[COUNT(stored)], vertex[COUNT(vertices)], sampler[UNITS], pipeline;
    void *first;
};

static struct look look(void)
{
    struct look now;
    GLint active;
    memset(&now, 0, sizeof now);
    now.shot = host_look();
    for (int i = 0; i < COUNT(off); i++)
        now.enabled[i] = glIsEnabled(off[i]);
    for (int i = 0; i < COUNT(scales); i++)
        glGetFloatv(scales[i], &now.scale[i]);
    for (int i = 0; i < COUNT(biases); i++)
        glGetFloatv(biases[i], &now.bias[i]);
    for (int i = 0; i < COUNT(stored); i++)
        glGetIntegerv(stored[i], &now.stored[i]);
    glGetIntegerv(GL_PROGRAM_PIPELINE_BINDING, &now.pipeline);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int i = 0; i < UNITS; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glGetIntegerv(GL_SAMPLER_BINDING, &now.sampler[i]);
    }
    glActiveTexture((GLenum)active);
    glBindVertexArray(0);
    now.has_vertices = glIsEnabled(GL_VERTEX_ARRAY);
    for (int i = 0; i < COUNT(vertices); i++)
        glGetIntegerv(vertices[i], &now.vertex[i]);
    glGetPointerv(GL_VERTEX_ARRAY_POINTER, &now.first);
    glBindVertexArray((GLuint)now.shot.number[4]);
    while (glGetError() != GL_NO_ERROR) /* errors of words that this driver does not know */
        continue;
    return now;
}

/* ---- State that the program sets, and changes by a call ---- */

static GLuint samplers[UNITS], pipeline, buffer;

static void set_all(void)
{
    host_set_state();
    for (int i = 0; i < COUNT(off); i++)
        glEnable(off[i]);
    for (int i = 0; i < COUNT(scales); i++)
        glPixelTransferf(scales[i], 2.0f + (float)i);
    for (int i = 0; i < COUNT(biases) - 1; i++)
        glPixelTransferf(biases[i], 0.25f + (float)i);
    glPixelTransferi(GL_MAP_COLOR, GL_TRUE);
    for (int i = 0; i < COUNT(stored); i++)
        glPixelStorei(stored[i], i == 1 ? 5 : 1);
    glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE);
    glGenSamplers(UNITS, samplers);
    for (int i = 0; i < UNITS; i++)
        glBindSampler((GLuint)i, samplers[i]);
    glGenProgramPipelines(1, &pipeline);
    glBindProgramPipeline(pipeline);
    glBindVertexArray(0);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexPointer(3, GL_SHORT, 20, (void *)12);
    glEnableClientState(GL_VERTEX_ARRAY);
    while (glGetError() != GL_NO_ERROR)
        continue;
}

static void is_as_at_the_begin(void)
{
    const struct look now = look();
    GLdouble depths[2];
    for (int i = 0; i < COUNT(off); i++) {
        if (now.enabled[i])
            fail_msg("0x%x is on during a call", off[i]);
    }
    for (int i = 0; i < COUNT(scales); i++)
        assert_float_equal(now.scale[i], 1.0f, 0.0);
    for (int i = 0; i < COUNT(biases); i++)
        assert_float_equal(now.bias[i], 0.0f, 0.0);
    for (int i = 0; i < COUNT(stored); i++)
        assert_int_equal(now.stored[i], 0);
    for (int i = 0; i < UNITS; i++)
        assert_int_equal(now.sampler[i], 0);
    glGetDoublev(GL_DEPTH_RANGE, depths);
    assert_true(depths[0] == 0.0 && depths[1] == 1.0);
    static const struct {
        GLenum name;
        GLint wanted;
    } numbers[] = {{GL_VERTEX_ARRAY_BINDING, 0},
                   {GL_CLAMP_READ_COLOR, GL_FALSE},
                   {GL_CLIP_ORIGIN, GL_LOWER_LEFT},
                   {GL_CLIP_DEPTH_MODE, GL_NEGATIVE_ONE_TO_ONE}};
    for (int i = 0; i < COUNT(numbers); i++) {
        GLint got = -1;
        glGetIntegerv(numbers[i].name, &got);
        assert_int_equal(got, numbers[i].wanted);
    }
}

static void change_all(void)
{
    static const GLenum buffers[] = {GL_ARRAY_BUFFER, GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER};
    GLuint names[3];
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    glUseProgram(0);
    glBindProgramPipeline(0);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0.0, 7.0, 0.0, 5.0, -1.0, 1.0);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(1.0f, 2.0f, 3.0f);
    for (int i = 0; i < COUNT(off); i++)
        glEnable(off[i]);
    for (int i = 0; i < COUNT(stored); i++)
        glPixelStorei(stored[i], 1);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FIXED_ONLY);
    glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glGenBuffers(3, names);
    for (int i = 0; i < 3; i++)
        glBindBuffer(buffers[i], names[i]);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    (glIsEnabled(GL_VERTEX_ARRAY) ? glDisableClientState : glEnableClientState)(GL_VERTEX_ARRAY);
    glGenVertexArrays(1, names);
    glBindVertexArray(names[0]);
    glActiveTexture(GL_TEXTURE5);
    while (glGetError() != GL_NO_ERROR)
        continue;
}

static void is_the_same(const struct look *before)
{
    const struct look now = look();
    host_assert_same(&before->shot, "a call");
    for (int i = 0; i < COUNT(off); i++) {
        if (now.enabled[i] != before->enabled[i])
            fail_msg("a call leaves 0x%x %s", off[i], now.enabled[i] ? "on" : "off");
    }
    assert_memory_equal(now.scale, before->scale, sizeof now.scale);
    assert_memory_equal(now.bias, before->bias, sizeof now.bias);
    assert_memory_equal(now.stored, before->stored, sizeof now.stored);
    assert_memory_equal(now.sampler, before->sampler, sizeof now.sampler);
    assert_memory_equal(now.vertex, before->vertex, sizeof now.vertex);
    assert_int_equal(now.has_vertices, before->has_vertices);
    assert_ptr_equal(now.first, before->first);
    assert_int_equal(now.pipeline, before->pipeline);
}

TEST(is_put_aside_and_brought_back)
{
    struct qp_context *context;
    GLint active = 0;
    for (int all = 0; all < 2; all++) {
        host_open(EGL_OPENGL_API, none);
        if (all)
            set_all();
        assert_ok(qp_context_adopt(&context));
        const struct look before = look();
        assert_int_equal(before.enabled[0], all);
        assert_int_equal(before.has_vertices, all);
        glBegin(GL_MAX); /* an error of the program's own */
        assert_ok(qp_context_enter(context));
        assert_int_equal(glGetError(), GL_NO_ERROR);
        is_as_at_the_begin();
        glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
        assert_int_equal(active, all ? GL_TEXTURE2 : GL_TEXTURE0);
        change_all();
        glBegin(GL_MAX);
        qp_call_let_go();
        assert_int_equal(glGetError(), GL_NO_ERROR);
        is_the_same(&before);
        qp_context_destroy(&context);
        is_the_same(&before);
        host_close();
    }
}

/* ---- Stacks ---- */

/* A single level of each stack is enough, and none is too few. */
TEST(one_level_is_enough)
{
    struct qp_context *context;
    GLint most[2] = {0};
    host_open(EGL_OPENGL_API, none);
    assert_ok(qp_context_adopt(&context));
    glGetIntegerv(GL_MAX_ATTRIB_STACK_DEPTH, &most[0]);
    glGetIntegerv(GL_MAX_CLIENT_ATTRIB_STACK_DEPTH, &most[1]);
    for (int i = 1; i < most[0]; i++)
        glPushAttrib(GL_LINE_BIT);
    for (int i = 1; i < most[1]; i++)
        glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
    assert_ok(qp_context_finish(context));
    for (int client = 0; client < 2; client++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence,
                 "the stack of %s is full in the program's own context, and Quadpass needs one of "
                 "its %d levels; pop one before the call",
                 client ? "glPushClientAttrib" : "glPushAttrib", (int)most[client]);
        if (client)
            glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
        else
            glPushAttrib(GL_LINE_BIT);
        assert_int_equal(qp_context_finish(context), QP_BAD_USE);
        assert_string_equal(qp_error(), sentence);
        (client ? glPopClientAttrib : glPopAttrib)();
        assert_ok(qp_context_finish(context));
    }
    qp_context_destroy(&context);
    host_close();
}
