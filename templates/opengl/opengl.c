/*@ origin */
/* heat.frag on OpenGL: a context without a window, and its programs. */
/*@ end */
#define _POSIX_C_SOURCE 200809L
#include "opengl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of the shader, after those of its head. */
static const char *const lines[] = {
#include "kernel.inc"
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* ---- The context ---- */

static bool make_current(EGLDisplay display)
{
    static const EGLint config[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                    EGL_NONE};
    EGLConfig found = NULL;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
        !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, config, &found, 1, &count) ||
        count < 1)
        return false;
    EGLContext context = eglCreateContext(display, found, EGL_NO_CONTEXT, NULL);
    return context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

/* Denormal numbers are zero in fragments, and so they are in compute shaders of software drivers,
 * whose threads begin as the one that opens the context. */
static void flush_denormals(void)
{
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | 1ul << 24));
#endif
}

bool opengl_counts;

/* The buffer stays bound. */
int opengl_count(void)
{
    static const int none = 0;
    int count = 0;
    if (!opengl_counts)
        return 0;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof count, &count);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof none, &none);
    return count;
}

static void begin_to_count(void)
{
    static const int none = 0;
    GLuint buffer = 0;
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    opengl_counts =
        (strstr(renderer, "llvmpipe") != NULL || strstr(renderer, "softpipe") != NULL) &&
        glShaderStorageBlockBinding != NULL;
    if (!opengl_counts)
        return;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof none, &none, GL_DYNAMIC_READ);
}

static bool is_wanted(const char *renderer)
{
    return renderer == NULL ||
           strncmp((const char *)glGetString(GL_RENDERER), renderer, strlen(renderer)) == 0;
}

/* Opens a context on EGL's first device that has OpenGL, on a GPU if there is one, or else by Mesa
 * alone. */
void opengl_open(const char *renderer)
{
    enum { DEVICES = 16 };
    static bool is_open;
    EGLDeviceEXT devices[DEVICES];
    EGLint count = 0;
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    if (is_open)
        return;
    flush_denormals();
    if (query == NULL || !query(DEVICES, devices, &count))
        count = 0;
    for (int i = 0; i < count && !is_open; i++)
        is_open = make_current(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL)) &&
                  is_wanted(renderer);
    if (!is_open && !(make_current(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                                         EGL_DEFAULT_DISPLAY, NULL)) &&
                      is_wanted(renderer)))
        fail("no driver gives OpenGL without a window%s%s; install Mesa's or NVIDIA's",
             renderer != NULL ? " on " : "", renderer != NULL ? renderer : "");
    is_open = true;
    glewExperimental = GL_TRUE;
    const GLenum answer = glewInit();
    if (answer != GLEW_OK && answer != GLEW_ERROR_NO_GLX_DISPLAY)
        fail("GLEW cannot start: %s", (const char *)glewGetErrorString(answer));
    begin_to_count();
}

void opengl_check(void)
{
    const GLenum error = glGetError();
    if (error == GL_OUT_OF_MEMORY)
        fail("OpenGL has no memory for grids of this size");
    if (error != GL_NO_ERROR)
        fail("OpenGL reports error 0x%04x", error);
}

/* ---- Programs ---- */

static void add_shader(GLuint program, GLenum kind, int count, const char *const *text)
{
    char log[512] = "";
    GLint good = 0;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good)
        fail("a shader does not compile: %s", log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

GLuint opengl_program(GLenum kind, const char *head, const char *vertex)
{
    const char *text[LINES + 1] = {head};
    char log[512] = "";
    GLint good = 0;
    const GLuint program = glCreateProgram();
    memcpy(text + 1, lines, sizeof lines);
    if (vertex != NULL)
        add_shader(program, GL_VERTEX_SHADER, 1, &vertex);
    add_shader(program, kind, LINES + 1, text);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!good)
        fail("a program does not link: %s", log);
    glUseProgram(program);
    return program;
}
