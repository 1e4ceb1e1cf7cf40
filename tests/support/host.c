/* SPDX-License-Identifier: MIT */
#include "support/host.h"

#include <string.h>

#include <EGL/eglext.h>

/* ---- A program with a context of its own ---- */

struct host host;

void host_open(EGLenum api, const EGLint *attributes)
{
    if (qp_context_create(NULL, &host.other) != QP_OK)
        support_skip("gl");
    assert_true(eglBindAPI(api));
    host.handle =
        eglCreateContext(host.other->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    assert_true(host.handle != EGL_NO_CONTEXT);
    assert_true(eglMakeCurrent(host.other->display, EGL_NO_SURFACE, EGL_NO_SURFACE, host.handle));
}

void host_close(void)
{
    eglMakeCurrent(host.other->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(host.other->display, host.handle);
    eglBindAPI(EGL_OPENGL_API);
    qp_context_destroy(&host.other);
}

/* ---- Its state ---- */

static const GLenum enables[HOST_ENABLES] = {GL_ALPHA_TEST,
                                             GL_BLEND,
                                             GL_COLOR_LOGIC_OP,
                                             GL_CULL_FACE,
                                             GL_DEPTH_CLAMP,
                                             GL_DEPTH_TEST,
                                             GL_DITHER,
                                             GL_FOG,
                                             GL_LIGHTING,
                                             GL_LINE_SMOOTH,
                                             GL_LINE_STIPPLE,
                                             GL_POINT_SMOOTH,
                                             GL_POLYGON_OFFSET_FILL,
                                             GL_POLYGON_STIPPLE,
                                             GL_SCISSOR_TEST,
                                             GL_STENCIL_TEST,
                                             GL_CLIP_PLANE0,
                                             GL_CLIP_PLANE5,
                                             GL_CLIP_PLANE0 + 7,
                                             GL_VERTEX_PROGRAM_ARB,
                                             GL_FRAGMENT_PROGRAM_ARB,
                                             GL_TEXTURE_2D,
                                             GL_VERTEX_ARRAY,
                                             GL_RASTERIZER_DISCARD,
                                             GL_PRIMITIVE_RESTART,
                                             GL_FRAMEBUFFER_SRGB};

static const GLenum numbers[HOST_NUMBERS] = {GL_CURRENT_PROGRAM,
                                             GL_DRAW_FRAMEBUFFER_BINDING,
                                             GL_READ_FRAMEBUFFER_BINDING,
                                             GL_RENDERBUFFER_BINDING,
                                             GL_VERTEX_ARRAY_BINDING,
                                             GL_ARRAY_BUFFER_BINDING,
                                             GL_PIXEL_PACK_BUFFER_BINDING,
                                             GL_PIXEL_UNPACK_BUFFER_BINDING,
                                             GL_SHADER_STORAGE_BUFFER_BINDING,
                                             GL_ACTIVE_TEXTURE,
                                             GL_MATRIX_MODE,
                                             GL_DRAW_BUFFER,
                                             GL_READ_BUFFER,
                                             GL_BLEND_SRC_RGB,
                                             GL_BLEND_DST_ALPHA,
                                             GL_BLEND_EQUATION_RGB,
                                             GL_PACK_ALIGNMENT,
                                             GL_PACK_ROW_LENGTH,
                                             GL_PACK_SWAP_BYTES,
                                             GL_UNPACK_ALIGNMENT,
                                             GL_UNPACK_ROW_LENGTH,
                                             GL_UNPACK_SKIP_PIXELS,
                                             GL_CLAMP_FRAGMENT_COLOR,
                                             GL_CLAMP_READ_COLOR,
                                             GL_CLIP_ORIGIN,
                                             GL_CLIP_DEPTH_MODE,
                                             GL_PROJECTION_STACK_DEPTH,
                                             GL_MODELVIEW_STACK_DEPTH,
                                             GL_ATTRIB_STACK_DEPTH,
                                             GL_CLIENT_ATTRIB_STACK_DEPTH,
                                             GL_VERTEX_ARRAY_SIZE,
                                             GL_MAP_COLOR,
                                             GL_STENCIL_FUNC,
                                             GL_STENCIL_REF,
                                             GL_STENCIL_VALUE_MASK,
                                             GL_STENCIL_FAIL,
                                             GL_STENCIL_PASS_DEPTH_PASS,
                                             GL_STENCIL_WRITEMASK,
                                             GL_STENCIL_BACK_FUNC,
                                             GL_STENCIL_BACK_WRITEMASK,
                                             GL_DEPTH_FUNC,
                                             GL_DEPTH_WRITEMASK};

static const struct {
    GLenum name;
    int count;
} reals[HOST_REALS] = {
    {GL_PROJECTION_MATRIX, 16}, {GL_MODELVIEW_MATRIX, 16}, {GL_VIEWPORT, 4},
    {GL_SCISSOR_BOX, 4},        {GL_COLOR_CLEAR_VALUE, 4}, {GL_COLOR_WRITEMASK, 4},
    {GL_LINE_WIDTH, 1},         {GL_POINT_SIZE, 1},        {GL_DEPTH_RANGE, 2},
    {GL_POLYGON_MODE, 2},       {GL_CURRENT_COLOR, 4},     {GL_RED_SCALE, 1},
    {GL_GREEN_BIAS, 1}};

struct shot host_look(void)
{
    struct shot shot;
    GLint active;
    memset(&shot, 0, sizeof shot);
    for (int i = 0; i < COUNT(enables); i++)
        shot.enabled[i] = glIsEnabled(enables[i]);
    for (int i = 0; i < COUNT(numbers); i++)
        glGetIntegerv(numbers[i], &shot.number[i]);
    for (int i = 0; i < COUNT(reals); i++)
        glGetDoublev(reals[i].name, shot.real[i]);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int i = 0; i < HOST_UNITS; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &shot.bound[i][0]);
        glGetIntegerv(GL_TEXTURE_BINDING_RECTANGLE, &shot.bound[i][1]);
        glGetIntegerv(GL_SAMPLER_BINDING, &shot.bound[i][2]);
    }
    glActiveTexture((GLenum)active);
    for (GLuint i = 0; i < HOST_STORAGES && glShaderStorageBlockBinding != NULL; i++)
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, i, &shot.storage[i]);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return shot;
}

void host_assert_same(const struct shot *before, const char *call)
{
    const struct shot now = host_look();
    for (int i = 0; i < COUNT(enables); i++) {
        if (now.enabled[i] != before->enabled[i])
            fail_msg("%s leaves 0x%x %s", call, enables[i], now.enabled[i] ? "on" : "off");
    }
    for (int i = 0; i < COUNT(numbers); i++) {
        if (now.number[i] != before->number[i])
            fail_msg("%s: 0x%x is 0x%x, and was 0x%x", call, numbers[i], now.number[i],
                     before->number[i]);
    }
    for (int i = 0; i < COUNT(reals) * 16; i++) {
        if (now.real[i / 16][i % 16] != before->real[i / 16][i % 16])
            fail_msg("%s: number %d of 0x%x is %g, and was %g", call, i % 16, reals[i / 16].name,
                     now.real[i / 16][i % 16], before->real[i / 16][i % 16]);
    }
    assert_memory_equal(now.bound, before->bound, sizeof now.bound);
    assert_memory_equal(now.storage, before->storage, sizeof now.storage);
    assert_ptr_equal(eglGetCurrentContext(), host.handle);
}

static struct {
    GLuint texture[2][HOST_UNITS], sampler[HOST_UNITS], framebuffer, renderbuffer, vertex_array,
        buffer[3], program, assembly[2];
} own;

static GLuint make_program(void)
{
    const char *text = "void main() { gl_FragColor = vec4(1.0); }";
    const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    return program;
}

static void bind_objects(void)
{
    static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE},
                        buffers[] = {GL_ARRAY_BUFFER, GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER};
    glGenVertexArrays(1, &own.vertex_array);
    glBindVertexArray(own.vertex_array);
    glGenSamplers(HOST_UNITS, own.sampler);
    for (int k = 0; k < COUNT(targets); k++) {
        glGenTextures(HOST_UNITS, own.texture[k]);
        for (int i = 0; i < HOST_UNITS; i++) {
            glActiveTexture(GL_TEXTURE0 + (GLenum)i);
            glBindTexture(targets[k], own.texture[k][i]);
            glSamplerParameteri(own.sampler[i], GL_TEXTURE_MIN_FILTER, GL_LINEAR);
            glBindSampler((GLuint)i, own.sampler[i]);
        }
    }
    glGenBuffers(3, own.buffer);
    for (int k = 0; k < COUNT(buffers); k++) {
        glBindBuffer(buffers[k], own.buffer[k]);
        glBufferData(buffers[k], 64, NULL, GL_STATIC_DRAW);
    }
    glGenRenderbuffers(1, &own.renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, own.renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    glGenFramebuffers(1, &own.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, own.framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER,
                              own.renderbuffer);
    glDrawBuffer(GL_COLOR_ATTACHMENT1);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    own.program = make_program();
    glUseProgram(own.program);
}

/* Programs of the kind that was there before GLSL, which draw nothing. */
static void set_assembly(void)
{
    static const struct {
        GLenum target;
        const char *text;
    } programs[] = {{GL_VERTEX_PROGRAM_ARB, "!!ARBvp1.0\nMOV result.position, {5, 5, 5, 1};\nEND"},
                    {GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\nKIL {-1, -1, -1, -1};\nEND"}};
    for (int i = 0; i < COUNT(programs); i++) {
        glGenProgramsARB(1, &own.assembly[i]);
        glBindProgramARB(programs[i].target, own.assembly[i]);
        glProgramStringARB(programs[i].target, GL_PROGRAM_FORMAT_ASCII_ARB,
                           (GLsizei)strlen(programs[i].text), programs[i].text);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

void host_set_state(void)
{
    const GLdouble plane[] = {-1.0, 0.0, 0.0, -100.0};
    bind_objects();
    for (int i = 0; i < COUNT(enables); i++) {
        if (enables[i] == GL_VERTEX_ARRAY)
            glEnableClientState(GL_VERTEX_ARRAY);
        else
            glEnable(enables[i]);
    }
    glLogicOp(GL_XOR);
    glClipPlane(GL_CLIP_PLANE0, plane);
    glClipPlane(GL_CLIP_PLANE0 + 7, plane);
    if (glClipControl != NULL)
        glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
    set_assembly();
    glVertexPointer(3, GL_FLOAT, 0, NULL);
    glBlendFunc(GL_DST_COLOR, GL_ONE_MINUS_SRC_ALPHA);
    glBlendEquation(GL_MAX);
    glPixelStorei(GL_PACK_ROW_LENGTH, 77);
    glPixelStorei(GL_PACK_ALIGNMENT, 8);
    glPixelStorei(GL_PACK_SWAP_BYTES, GL_TRUE);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 99);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    glPixelTransferf(GL_RED_SCALE, 3.0f);
    glPixelTransferf(GL_GREEN_BIAS, 0.5f);
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glFrustum(-1.0, 1.0, -2.0, 2.0, 1.0, 9.0);
    glMatrixMode(GL_MODELVIEW);
    glRotatef(30.0f, 1.0f, 2.0f, 3.0f);
    glMatrixMode(GL_TEXTURE);
    glViewport(5, 6, 7, 8);
    glScissor(1, 2, 3, 4);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glClearColor(0.1f, 0.2f, 0.3f, 0.4f);
    glLineWidth(3.0f);
    glPointSize(5.0f);
    glDepthRange(0.25, 0.75);
    glDepthFunc(GL_NEVER);
    glDepthMask(GL_FALSE);
    glStencilFunc(GL_NEVER, 3, 5);
    glStencilOp(GL_INCR, GL_INVERT, GL_ZERO);
    glStencilMask(2);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glColor4f(0.5f, 0.25f, 0.125f, 1.0f);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);
    glActiveTexture(GL_TEXTURE2);
}
