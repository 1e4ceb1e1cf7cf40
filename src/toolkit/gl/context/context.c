/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/context/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/eglext.h>

#include "toolkit/gl/call.h"
#include "toolkit/gl/objects.h"
#include "toolkit/gl/passes.h"
#include "toolkit/gl/program.h"
#include "toolkit/gl/queue.h"
#include "toolkit/gl/shaders.h"

#ifdef QP_DEBUG
enum { DEBUG_CONTEXT = true };
#define DEBUG_WORDS EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE,
#else
enum { DEBUG_CONTEXT = false };
#define DEBUG_WORDS
#endif

/* GLEW fills one process-wide table of functions, under this lock and once. */
static pthread_mutex_t glew_lock = PTHREAD_MUTEX_INITIALIZER;
static bool glew_ready;

static enum qp_status start_glew(void)
{
    pthread_mutex_lock(&glew_lock);
    if (!glew_ready) {
        glewExperimental = GL_TRUE;
        GLenum answer = glewInit();
        /* A GLEW built for GLX finds no X display after it has loaded every entry point: with a
         * bare EGL context that one code means success. */
        glew_ready = answer == GLEW_OK || answer == GLEW_ERROR_NO_GLX_DISPLAY;
        if (!glew_ready)
            qp_fail(QP_NO_DEVICE, "GLEW cannot load OpenGL's functions: %s",
                    (const char *)glewGetErrorString(answer));
    }
    bool ready = glew_ready;
    pthread_mutex_unlock(&glew_lock);
    return ready ? QP_OK : QP_NO_DEVICE;
}

static void GLAPIENTRY keep_words(GLenum source, GLenum type, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *message, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length;
    struct qp_context *context = (struct qp_context *)user;
    if (type == GL_DEBUG_TYPE_ERROR)
        snprintf(context->driver_words, sizeof context->driver_words, "%s", message);
}

static enum qp_status read_device(struct qp_context *context)
{
    struct qp_device *device = &context->device;
    device->version = (const char *)glGetString(GL_VERSION);
    if (device->version == NULL)
        return qp_fail(QP_NO_DEVICE,
                       "the context came up dead: glGetString(GL_VERSION) is NULL; the "
                       "driver libraries and the EGL vendor file may not match");
    device->renderer = (const char *)glGetString(GL_RENDERER);
    device->vendor = (const char *)glGetString(GL_VENDOR);
    device->glsl = (const char *)glGetString(GL_SHADING_LANGUAGE_VERSION);
    device->software = strstr(device->renderer, "llvmpipe") != NULL ||
                       strstr(device->renderer, "softpipe") != NULL ||
                       strstr(device->renderer, "swrast") != NULL;
    int major = 0;
    if (sscanf(device->version, "%d", &major) != 1 || major < 3)
        return qp_fail(QP_NO_DEVICE,
                       "%s offers OpenGL '%s'; Quadpass needs 3.0 or newer with the compatibility "
                       "profile",
                       device->renderer, device->version);
    return QP_OK;
}

/* eglBindAPI is per thread: without it a thread silently gets an OpenGL ES context. */
static enum qp_status make_current(struct qp_context *context)
{
    /* Each list without what older drivers lack: notice of a reset (EGL_KHR_create_context), then
     * any word of EGL 1.5, which those of 1.4 refuse. */
    static const EGLint attributes[][5] = {
        {DEBUG_WORDS EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET,
         EGL_NONE},
        {DEBUG_WORDS EGL_NONE},
        {EGL_NONE}};
    enum { LISTS = sizeof attributes / sizeof attributes[0] };
    if (!qp_call_bind_api())
        return qp_fail(QP_NO_DEVICE, "this EGL has no desktop OpenGL (eglBindAPI refused it)");
    for (int i = 0; i < LISTS && context->handle == EGL_NO_CONTEXT; i++)
        context->handle =
            eglCreateContext(context->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes[i]);
    if (context->handle == EGL_NO_CONTEXT)
        return qp_fail(QP_NO_DEVICE, "eglCreateContext failed with 0x%x; the driver may be too old",
                       (unsigned)eglGetError());
    if (!eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->handle))
        return qp_fail(QP_NO_DEVICE, "eglMakeCurrent without a surface failed with 0x%x",
                       (unsigned)eglGetError());
    qp_call_entered(context->handle, 0);
    return QP_OK;
}

enum qp_status qp_context_start(struct qp_context *context)
{
    const enum qp_status status = read_device(context);
    return status == QP_OK ? start_glew() : status;
}

static void start_debug_output(struct qp_context *context)
{
    if (!DEBUG_CONTEXT || !qp_context_has(context, "GL_KHR_debug"))
        return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(keep_words, context);
}

/* A half-built context is closed too, so that every failure has one way out. */
static void close_context(struct qp_context *context)
{
    if (context->state != NULL) {
        qp_call_let_go();
        qp_call_gone(context->handle);
        free(context->state);
        return;
    }
    if (context->handle != EGL_NO_CONTEXT) {
        if (eglGetCurrentContext() == context->handle)
            eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        qp_call_gone(context->handle);
        eglDestroyContext(context->display, context->handle);
    }
    qp_display_close(context->display);
    context->display = EGL_NO_DISPLAY;
    context->handle = EGL_NO_CONTEXT;
}

static enum qp_status open_candidate(struct qp_context *context,
                                     const struct qp_candidate *candidate)
{
    context->display = qp_display_open(candidate);
    if (context->display == EGL_NO_DISPLAY)
        return qp_fail(QP_NO_DEVICE, "EGL cannot start its %s (error 0x%x)",
                       candidate->device ? "device" : "surfaceless platform",
                       (unsigned)eglGetError());
    enum qp_status status = make_current(context);
    if (status == QP_OK)
        status = qp_context_start(context);
    if (status != QP_OK) {
        close_context(context);
        return status;
    }
    context->mark = qp_call_mark();
    qp_call_entered(context->handle, context->mark);
    start_debug_output(context);
    qp_gl_watch_resets(context);
    const char *version = eglQueryString(context->display, EGL_VERSION);
    if (candidate->device != NULL)
        snprintf(context->text[0], sizeof context->text[0], "EGL %s, device %d", version,
                 candidate->index);
    else
        snprintf(context->text[0], sizeof context->text[0], "EGL %s, surfaceless", version);
    context->device.egl = context->text[0];
    context->device.cuda_device = candidate->cuda_device;
    context->candidate = *candidate;
    return QP_OK;
}

/* A device asked for by kind must be of that kind: software in NVIDIA's place is an error. */
static bool is_wanted(const char *device, const struct qp_device *got)
{
    if (strcmp(device, "nvidia") == 0)
        return strstr(got->vendor, "NVIDIA") != NULL;
    if (strcmp(device, "llvmpipe") == 0)
        return got->software;
    return true;
}

static enum qp_status explain(const char *device, int candidates, const char *last)
{
    const char *advice =
        strcmp(device, "nvidia") == 0
            ? "look for the driver's EGL vendor file 10_nvidia.json (in /usr/share/glvnd/"
              "egl_vendor.d, or named by __EGL_VENDOR_LIBRARY_FILENAMES), for libEGL_nvidia.so.0, "
              "and for access to /dev/nvidia*"
            : "install Mesa's software driver (Debian: libegl1 libgl1-mesa-dri) and see that "
              "__EGL_VENDOR_LIBRARY_FILENAMES, if set, names a file that exists";
    if (candidates == 0 && strspn(device, "0123456789") == strlen(device))
        return qp_fail(QP_NO_DEVICE, "EGL lists no device number %s; use auto, or a smaller number",
                       device);
    if (candidates == 0)
        return qp_fail(QP_NO_DEVICE, "EGL lists no device for '%s'; %s", device, advice);
    return qp_fail(QP_NO_DEVICE, "no usable OpenGL device for '%s' (%s); %s", device, last, advice);
}

static enum qp_status open_wanted(struct qp_context *context, const char *device)
{
    struct qp_candidate list[QP_DISPLAYS];
    int count = qp_display_candidates(device, list);
    char last[128] = "";
    if (count < 0)
        return QP_BAD_USE;
    for (int i = 0; i < count; i++) {
        if (open_candidate(context, &list[i]) != QP_OK) {
            snprintf(last, sizeof last, "%s", qp_error());
            continue;
        }
        if (is_wanted(device, &context->device)) {
            snprintf(context->text[1], sizeof context->text[1], "%s, candidate %d of %d%s%s",
                     device, i + 1, count, last[0] ? "; before it: " : "", last);
            context->device.why = context->text[1];
            return QP_OK;
        }
        snprintf(last, sizeof last, "got %s instead", context->device.renderer);
        close_context(context);
    }
    return explain(device, count, last);
}

struct qp_context *qp_context_new(void)
{
    struct qp_context *context = qp_alloc_zero(1, sizeof *context, "a context");
    if (context == NULL || qp_object_born(context, QP_OBJECT_CONTEXT, context, NULL) != QP_OK) {
        free(context);
        return NULL;
    }
    context->thread = pthread_self();
    return context;
}

static enum qp_status create(const struct qp_context_desc *desc, struct qp_context **out)
{
    const char *device = desc != NULL && desc->device != NULL ? desc->device : "auto";
    if (strcmp(device, "auto") == 0 && getenv("QUADPASS_DEVICE") != NULL &&
        getenv("QUADPASS_DEVICE")[0] != '\0')
        device = getenv("QUADPASS_DEVICE");
    struct qp_context *context = qp_context_new();
    if (context == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_shader_check_folder("QUADPASS_SHADER_DIR", "shaders");
    if (status == QP_OK)
        status = open_wanted(context, device);
    if (status == QP_OK)
        status = qp_caps_probe(context);
    if (status != QP_OK) {
        qp_context_destroy(&context);
        return status == QP_NO_MEMORY ? qp_fail_within(status, "opening a context") : status;
    }
    *out = context;
    return QP_OK;
}

/* Creates a context on the other's device, which has the same abilities: nothing is probed. */
enum qp_status qp_context_create_beside(const struct qp_context *other, struct qp_context **out)
{
    *out = NULL;
    struct qp_context *context = qp_context_new();
    if (context == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = open_candidate(context, &other->candidate);
    if (status != QP_OK) {
        qp_context_destroy(&context);
        return status;
    }
    const struct qp_device opened = context->device;
    context->device = other->device;
    context->device.renderer = opened.renderer;
    context->device.egl = opened.egl;
    *out = context;
    return QP_OK;
}

enum qp_status qp_context_create(const struct qp_context_desc *desc, struct qp_context **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL))
        return QP_BAD_USE;
    enum qp_status status = qp_call_begin(&call, NULL);
    if (status == QP_OK)
        status = create(desc, out);
    return qp_call_end(&call, status);
}

static void destroy(struct qp_context *context)
{
    if (context->abandon_threads != NULL)
        context->abandon_threads(&context->threads);
    if (context->handle != EGL_NO_CONTEXT)
        qp_context_enter(context);
    if (context->abandon_shared != NULL)
        context->abandon_shared(context);
    qp_objects_forget(context);
    qp_program_forget_all(context);
    qp_queue_destroy(context);
    qp_passes_destroy(&context->passes);
    qp_gl_forget_rounds(context);
    close_context(context);
    free(context);
}

/* A forked process leaves its parent's context as it is. Of threads that destroy it at once, one
 * forgets it and goes on. */
void qp_context_destroy(struct qp_context **context)
{
    struct qp_call call;
    if (context == NULL || *context == NULL)
        return;
    if (qp_call_begin(&call, *context) == QP_OK && qp_object_gone(*context))
        destroy(*context);
    qp_call_end(&call, QP_OK);
    *context = NULL;
}

enum qp_status qp_context_enter(struct qp_context *context)
{
    if (context == NULL)
        return qp_fail(QP_BAD_USE, "an OpenGL variant needs a context; create one first");
    if (qp_process_check() != QP_OK)
        return QP_BAD_USE;
    if (!pthread_equal(context->thread, pthread_self()))
        return qp_fail(QP_BAD_USE, "this context belongs to another thread; create one per thread");
    if (qp_call_is_current(context->handle))
        return context->state != NULL ? qp_call_keep_state(context) : QP_OK;
    qp_call_let_go();
    qp_call_bind_api();
    if (!eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->handle))
        return qp_fail(QP_DEVICE, "eglMakeCurrent failed with 0x%x; the context was lost",
                       (unsigned)eglGetError());
    qp_call_entered(context->handle, context->mark);
    return context->state != NULL ? qp_call_keep_state(context) : QP_OK;
}

const struct qp_device *qp_context_device(const struct qp_context *context)
{
    return QP_NEED(context) || qp_context_check(context) ? NULL : &context->device;
}

int qp_context_cuda_ordinal(const struct qp_context *context)
{
    return context != NULL ? context->device.cuda_device : -1;
}

bool qp_gl_uuid(const struct qp_context *context, unsigned char uuid[16])
{
    if (!qp_context_has(context, "GL_EXT_memory_object") || glGetUnsignedBytei_vEXT == NULL)
        return false;
    glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, uuid);
    return glGetError() == GL_NO_ERROR;
}

struct qp_counters qp_context_counters(const struct qp_context *context)
{
    const struct qp_counters none = {0};
    return QP_NEED(context) || qp_context_check(context) ? none : context->counters;
}
