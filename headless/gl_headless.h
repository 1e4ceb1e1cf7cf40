/* SPDX-License-Identifier: MIT */
/* OpenGL without a screen, in one header: a context by EGL with a framebuffer of floats, for CI,
 * containers and servers. It takes the place of OSMesa, which Mesa has no more since 25.1, and of
 * Xvfb. One C99 or C++ file of a program says
 *
 *     #define GL_HEADLESS_IMPLEMENTATION
 *     #include "gl_headless.h"
 *
 * and -lEGL is all to link with: OpenGL's functions come from gl_headless_function.
 *
 * Devices are tried in this order, until one starts:
 *
 *     1. hardware     EGL's devices but software, in EGL's order (EGL_EXT_platform_device)
 *     2. surfaceless  Mesa without a window system (EGL_MESA_platform_surfaceless)
 *     3. software     EGL's devices with EGL_MESA_device_software
 *
 * EGL's default display is not tried: it asks for an X server or Wayland. The options, or else
 * GL_HEADLESS_DEVICE in the environment, may name a kind, and no other is taken then: "llvmpipe"
 * (2, then 3), "nvidia" (NVIDIA's of 1), or the number of a device in EGL's list.
 *
 * Threads: a context belongs to the thread in which it is current, so each thread makes its own;
 * they share nothing but EGL's displays. A display ends with its last context where EGL counts
 * them (EGL_KHR_display_reference), else it stays open: eglTerminate would end all contexts. */
#ifndef GL_HEADLESS_H
#define GL_HEADLESS_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gl_headless {
    int width, height;
    unsigned framebuffer; /* OpenGL's name of it */
    char device[256];     /* renderer, versions of OpenGL and EGL, place in EGL */
    void *display, *context;
    int counted; /* 1: the display counts its users */
} gl_headless;

/* Wishes; zero, or no options at all, means the usual. */
typedef struct gl_headless_options {
    const char *device; /* "auto" (NULL), "llvmpipe", "nvidia" or a number, "0" */
    int core;           /* 1: core profile, 0: compatibility; of the driver's newest version */
} gl_headless_options;

/* Opens a context: current, its framebuffer bound and 0. NULL on failure, with all as before. */
gl_headless *gl_headless_create(int width, int height, const gl_headless_options *options);

int gl_headless_make_current(gl_headless *gl); /* in this thread */
void gl_headless_destroy(gl_headless *gl);     /* with all that OpenGL has in it; or NULL */

/* Binds the framebuffer, with the viewport all of it. Colours are RGBA32F, which keeps negative,
 * large and infinite values and NaN; depth has 24 bits, stencil 8. */
int gl_headless_bind(gl_headless *gl);

/* Reads the framebuffer: width x height x 4 floats, the lowest row first. It is bound for reading
 * then, no pixel buffer is, and what GL_PACK_* skips and swaps is 0. An error that OpenGL noted
 * before is reported here, once, and nothing is read. */
int gl_headless_read(gl_headless *gl, float *rgba);

/* Address of a function of OpenGL, for loaders or to be cast (PFNGLCLEARPROC of GL/glcorearb.h).
 * Most EGLs have one for any name: whether it works, the version or an extension tells. */
typedef void (*gl_headless_proc)(void);
gl_headless_proc gl_headless_function(const char *name);

/* Sentence on the last error of this thread: what failed, EGL's or OpenGL's error, what to do.
 * Functions of type int return 0 after an error, and 1 without. */
const char *gl_headless_error(void);
#ifdef __cplusplus
}
#endif
#endif
#if defined(GL_HEADLESS_IMPLEMENTATION) && !defined(GL_HEADLESS_IMPLEMENTED)
#define GL_HEADLESS_IMPLEMENTED
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of EGL by their types, and OpenGL's by result and values. */
#define GLH_EGL(type, variable, name) type variable = (type)eglGetProcAddress(name)
#define GLH(result, name, values)     ((result(EGLAPIENTRY *) values)eglGetProcAddress(name))
#define GLH_CLIENT                    eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS)

static __thread char glh_sentence[1024];

static int glh_fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(glh_sentence, sizeof glh_sentence, format, values);
    va_end(values);
    return 0;
}

/* Fails with a name of OpenGL's errors, from 0x500 on, or of EGL's, from 0x3000 on. */
static int glh_fail_by(int error, const char *call, const char *advice)
{
    /* clang-format off */
    static const char *const names[] = {
        "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION", "GL_STACK_OVERFLOW",
        "GL_STACK_UNDERFLOW", "GL_OUT_OF_MEMORY", "GL_INVALID_FRAMEBUFFER_OPERATION",
        "GL_CONTEXT_LOST", "EGL_SUCCESS", "EGL_NOT_INITIALIZED", "EGL_BAD_ACCESS", "EGL_BAD_ALLOC",
        "EGL_BAD_ATTRIBUTE", "EGL_BAD_CONFIG", "EGL_BAD_CONTEXT", "EGL_BAD_CURRENT_SURFACE",
        "EGL_BAD_DISPLAY", "EGL_BAD_MATCH", "EGL_BAD_NATIVE_PIXMAP", "EGL_BAD_NATIVE_WINDOW",
        "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE", "EGL_CONTEXT_LOST", "an unknown error"};
    /* clang-format on */
    const int k = error < 0x3000 ? error - 0x500 : error - 0x3000 + 8;
    return glh_fail("%s failed with %s%s", call, names[k >= 0 && k < 23 ? k : 23], advice);
}

/* False, with the first of them, if OpenGL noted errors; a lost context has no end of them. */
static int glh_check(const char *call, const char *advice)
{
    const unsigned first = GLH(unsigned, "glGetError", (void))();
    for (int i = 0; i < 16 && first != 0 && GLH(unsigned, "glGetError", (void))() != 0; i++)
        continue;
    return first == 0 || glh_fail_by((int)first, call, advice);
}

static int glh_has(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; at != NULL && (at = strstr(at, word)) != NULL; at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    }
    return 0;
}

/* Opens the display of a device, or without one the surfaceless platform's, and a context with
 * notice of a reset (0x31BD: EGL_LOSE_CONTEXT_ON_RESET) or, if that is refused, without. */
static int glh_open(gl_headless *gl, void *device, int core)
{
    static const EGLAttrib counting[] = {EGL_TRACK_REFERENCES_KHR, EGL_TRUE, EGL_NONE};
    const EGLenum platform = device ? EGL_PLATFORM_DEVICE_EXT : EGL_PLATFORM_SURFACELESS_MESA;
    const EGLint words[] = {0x31BD, 0x31BF, core ? 0x3098 : EGL_NONE, 3, 0x30FB, 2, EGL_NONE};
    GLH_EGL(PFNEGLGETPLATFORMDISPLAYPROC, get, "eglGetPlatformDisplay");
    GLH_EGL(PFNEGLGETPLATFORMDISPLAYEXTPROC, get_older, "eglGetPlatformDisplayEXT");
    EGLDisplay display = EGL_NO_DISPLAY;
    if (glh_has(GLH_CLIENT, "EGL_KHR_display_reference") && get != NULL)
        display = get(platform, device, counting);
    gl->counted = display != EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY && get_older != NULL)
        display = get_older(platform, device, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return glh_fail_by(eglGetError(), display ? "eglInitialize" : "eglGetPlatformDisplay", "");
    gl->display = display;
    if (!eglBindAPI(EGL_OPENGL_API))
        return glh_fail_by(eglGetError(), "eglBindAPI(EGL_OPENGL_API)", "");
    for (int i = 0; i <= 2 && gl->context == EGL_NO_CONTEXT; i += 2)
        gl->context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, words + i);
    if (gl->context == EGL_NO_CONTEXT)
        return glh_fail_by(eglGetError(), "eglCreateContext", "");
    return gl_headless_make_current(gl);
}

/* True if the context works, and its device is of the kind that the name says. */
static int glh_is_wanted(gl_headless *gl, const char *name, const char *place)
{
    const char *text[3] = {NULL, NULL, NULL}; /* GL_VENDOR, GL_RENDERER, GL_VERSION */
    for (unsigned i = 0; i < 3 && eglGetProcAddress("glGetString") != NULL; i++)
        text[i] = (const char *)GLH(const unsigned char *, "glGetString", (unsigned))(0x1F00 + i);
    if (text[0] == NULL || text[1] == NULL || text[2] == NULL)
        return glh_fail("the context is dead: glGetString has no version");
    if (atoi(text[2]) < 3 || eglGetProcAddress("glGenFramebuffers") == NULL)
        return glh_fail("%s has OpenGL %s, and 3.0 is needed", text[1], text[2]);
    if ((strcmp(name, "nvidia") == 0 && !strstr(text[0], "NVIDIA")) ||
        (strcmp(name, "llvmpipe") == 0 && !strstr(text[1], "pipe") && !strstr(text[1], "swrast")))
        return glh_fail("got %s instead", text[1]);
    return snprintf(gl->device, sizeof gl->device, "%s, OpenGL %s, EGL %s, %s", text[1], text[2],
                    eglQueryString(gl->display, EGL_VERSION), place) > 0;
}

static void glh_close(gl_headless *gl)
{
    if (gl->context != EGL_NO_CONTEXT) {
        if (eglGetCurrentContext() == gl->context)
            eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(gl->display, gl->context);
    }
    if (gl->display != EGL_NO_DISPLAY && gl->counted)
        eglTerminate(gl->display);
    gl->display = gl->context = NULL;
}

/* Tries all devices, then the surfaceless platform, then all devices again. */
static int glh_try(gl_headless *gl, const char *name, int core)
{
    GLH_EGL(PFNEGLQUERYDEVICESEXTPROC, list, "eglQueryDevicesEXT");
    GLH_EGL(PFNEGLQUERYDEVICESTRINGEXTPROC, describe, "eglQueryDeviceStringEXT");
    const int automatic = strcmp(name, "auto") == 0, nvidia = strcmp(name, "nvidia") == 0;
    const int software = automatic || strcmp(name, "llvmpipe") == 0;
    const int is_number = name[0] != '\0' && name[strspn(name, "0123456789")] == '\0';
    const int number = strlen(name) < 4 ? atoi(name) : -1;
    char tried[600] = "", place[24];
    EGLDeviceEXT devices[32];
    EGLint count = 0;
    if (!software && !nvidia && !is_number)
        return glh_fail("'%.60s' is no device; use auto, llvmpipe, nvidia or a number", name);
    if (glh_has(GLH_CLIENT, "EGL_EXT_platform_device") && list != NULL && describe != NULL)
        list(32, devices, &count);
    for (int k = 0; k <= 2 * count; k++) {
        const int i = k % (count + 1), is_device = i < count;
        const char *words = is_device ? describe(devices[i], EGL_EXTENSIONS) : GLH_CLIENT;
        const int is_software = glh_has(words, "EGL_MESA_device_software");
        const int is_nvidia = glh_has(words, "EGL_NV_device_cuda");
        if (!is_device  ? software && glh_has(words, "EGL_MESA_platform_surfaceless")
            : is_number ? i == number && k < count
            : k < count ? !is_software && (automatic || (nvidia && is_nvidia))
                        : is_software && software) {
            snprintf(place, sizeof place, is_device ? "device %d" : "surfaceless", i);
            if (glh_open(gl, is_device ? devices[i] : NULL, core) && glh_is_wanted(gl, name, place))
                return 1;
            glh_close(gl);
            const size_t used = strlen(tried);
            snprintf(tried + used, sizeof tried - used, "%s: %.150s; ", place, glh_sentence);
        }
    }
    return glh_fail(
        "no OpenGL for '%s': %sinstall a driver (Debian: libegl1 libgl1-mesa-dri; NVIDIA: "
        "libEGL_nvidia.so.0 with 10_nvidia.json), and let __EGL_VENDOR_LIBRARY_FILENAMES, if set, "
        "name a file that exists",
        name, tried[0] ? tried : "EGL lists no such device; ");
}

static int glh_make_framebuffer(gl_headless *gl, int w, int h)
{
    unsigned buffers[2];
    int most = 0;
    GLH(void, "glGetIntegerv", (unsigned, int *))(0x84E8, &most); /* GL_MAX_RENDERBUFFER_SIZE */
    if (w > most || h > most)
        return glh_fail("a framebuffer of %d x %d is too large: the driver has %d x %d; draw parts",
                        w, h, most, most);
    gl->width = w;
    gl->height = h;
    GLH(void, "glGenFramebuffers", (int, unsigned *))(1, &gl->framebuffer);
    GLH(void, "glGenRenderbuffers", (int, unsigned *))(2, buffers);
    gl_headless_bind(gl);
    for (int i = 0; i < 2; i++) { /* GL_RGBA32F, GL_COLOR_ATTACHMENT0; depth with stencil */
        const unsigned format = i == 0 ? 0x8814 : 0x88F0, attachment = i == 0 ? 0x8CE0 : 0x821A;
        GLH(void, "glBindRenderbuffer", (unsigned, unsigned))(0x8D41, buffers[i]);
        GLH(void, "glRenderbufferStorage", (unsigned, unsigned, int, int))(0x8D41, format, w, h);
        GLH(void, "glFramebufferRenderbuffer", (unsigned, unsigned, unsigned, unsigned))
        (0x8D40, attachment, 0x8D41, buffers[i]);
    }
    GLH(void, "glClear", (unsigned))(0x4500); /* colour, depth and stencil */
    return glh_check("the framebuffer of floats", "; take a smaller one, or another device");
}

/* True if the context is this thread's current one, and OpenGL has noted no error. */
static int glh_is_ready(const gl_headless *gl, const char *function)
{
    if (gl == NULL || eglGetCurrentContext() != gl->context)
        return glh_fail("%s got no current context; create one, or make it current", function);
    return glh_check("a call of OpenGL before this one", "; ask glGetError after each of them");
}

gl_headless *gl_headless_create(int width, int height, const gl_headless_options *options)
{
    const EGLenum api = eglQueryAPI();
    const EGLDisplay display = eglGetCurrentDisplay();
    const EGLContext before = eglGetCurrentContext();
    const EGLSurface draw = eglGetCurrentSurface(EGL_DRAW), read = eglGetCurrentSurface(EGL_READ);
    const char *const wish = getenv("GL_HEADLESS_DEVICE");
    const char *name = options != NULL && options->device != NULL ? options->device : "auto";
    gl_headless *gl = NULL;
    if (strcmp(name, "auto") == 0 && wish != NULL && wish[0] != '\0')
        name = wish;
    if (width < 1 || height < 1)
        glh_fail("a framebuffer of %d x %d has no cell; both are 1 at least", width, height);
    else if ((gl = (gl_headless *)calloc(1, sizeof *gl)) == NULL)
        glh_fail("no memory is left for a context");
    else if (glh_try(gl, name, options != NULL && options->core) &&
             glh_make_framebuffer(gl, width, height))
        return gl;
    gl_headless_destroy(gl);
    if (before != EGL_NO_CONTEXT)
        eglMakeCurrent(display, draw, read, before);
    eglBindAPI(api);
    return NULL;
}

void gl_headless_destroy(gl_headless *gl)
{
    if (gl != NULL)
        glh_close(gl);
    free(gl);
}

int gl_headless_make_current(gl_headless *gl)
{
    if (gl == NULL)
        return glh_fail("gl_headless_make_current got no context; call gl_headless_create first");
    eglBindAPI(EGL_OPENGL_API); /* which each thread has for itself */
    return eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context) ||
           glh_fail_by(eglGetError(), "eglMakeCurrent", "; is it current in another thread?");
}

int gl_headless_bind(gl_headless *gl)
{
    if (!glh_is_ready(gl, "gl_headless_bind"))
        return 0;
    GLH(void, "glBindFramebuffer", (unsigned, unsigned))(0x8D40, gl->framebuffer);
    GLH(void, "glViewport", (int, int, int, int))(0, 0, gl->width, gl->height);
    return 1;
}

int gl_headless_read(gl_headless *gl, float *rgba)
{
    if (!glh_is_ready(gl, "gl_headless_read"))
        return 0;
    if (rgba == NULL)
        return glh_fail("gl_headless_read got no array; give width * height * 4 floats");
    for (unsigned i = 0; i < 5; i++) /* GL_PACK_SWAP_BYTES to GL_PACK_SKIP_PIXELS */
        GLH(void, "glPixelStorei", (unsigned, int))(0x0D00 + i, 0);
    GLH(void, "glBindBuffer", (unsigned, unsigned))(0x88EB, 0);
    GLH(void, "glBindFramebuffer", (unsigned, unsigned))(0x8CA8, gl->framebuffer);
    GLH(void, "glReadBuffer", (unsigned))(0x8CE0);
    GLH(void, "glReadPixels", (int, int, int, int, unsigned, unsigned, void *))
    (0, 0, gl->width, gl->height, 0x1908, 0x1406, rgba); /* GL_RGBA, GL_FLOAT */
    return glh_check("glReadPixels", "");
}

gl_headless_proc gl_headless_function(const char *name)
{
    const gl_headless_proc function = name != NULL ? eglGetProcAddress(name) : NULL;
    if (function == NULL)
        glh_fail("EGL has no function '%s'", name != NULL ? name : "");
    return function;
}

const char *gl_headless_error(void)
{
    return glh_sentence;
}

/* Copyright (c) 2026 The Quadpass authors
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute,
 * sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
 * DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
#endif
