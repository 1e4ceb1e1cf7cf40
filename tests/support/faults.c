/* SPDX-License-Identifier: MIT */
/* wrap: malloc calloc realloc aligned_alloc realpath __realpath_chk free */
/* wrap: asprintf __asprintf_chk glGetError glGenTextures glTexImage2D glGetIntegerv */
#include "support/faults.h"

#include "support/support.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/arrays/texture_pool.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/passes.h"

static struct {
    bool armed;
    enum fault fault;
    int number;
    _Atomic int count; /* requests come from several threads */
    const char *struck;
    bool ran_out;
    int largest; /* texture */
    _Atomic long live;
    GLenum integer_name;
    GLint integer;
} orders;

/* GL's error flag, as a driver that failed would have set it in this thread's context. */
static _Thread_local GLenum pending;

static bool strikes(enum fault fault, const char *what)
{
    if (!orders.armed || orders.fault != fault || ++orders.count != orders.number)
        return false;
    orders.struck = what;
    errno = ENOMEM;
    orders.ran_out = fault == FAULT_MEMORY;
    return true;
}

void faults_arm(enum fault fault, int number)
{
    orders.armed = true;
    orders.fault = fault;
    orders.number = number;
    orders.count = orders.largest = 0;
    orders.struck = NULL;
}

int faults_disarm(void)
{
    orders.armed = false;
    return orders.count;
}

const char *faults_struck(void)
{
    return orders.struck;
}

bool faults_ran_out(void)
{
    return orders.struck != NULL && orders.ran_out;
}

int faults_largest(void)
{
    return orders.largest;
}

long faults_live_blocks(void)
{
    return orders.live;
}

void faults_integer(GLenum name, GLint value)
{
    orders.integer_name = name;
    orders.integer = value;
}

/* ---- Memory. The linker makes __wrap_x of each x that is called, and x of __real_x. ---- */

/* clang-format off */
void *__real_malloc(size_t), *__wrap_malloc(size_t);
void *__real_calloc(size_t, size_t), *__wrap_calloc(size_t, size_t);
void *__real_realloc(void *, size_t), *__wrap_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t), *__wrap_aligned_alloc(size_t, size_t);
char *__real_realpath(const char *, char *), *__wrap_realpath(const char *, char *);
char *__wrap___realpath_chk(const char *, char *, size_t);
int __wrap_asprintf(char **, const char *, ...), __wrap___asprintf_chk(char **, int, const char *, ...);
void __real_free(void *), __wrap_free(void *);
/* clang-format on */

static void *count(void *block)
{
    orders.live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return strikes(FAULT_MEMORY, "malloc") ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return strikes(FAULT_MEMORY, "calloc") ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (strikes(FAULT_MEMORY, "realloc"))
        return NULL;
    bool more = old == NULL;
    void *block = __real_realloc(old, size);
    return more ? count(block) : block;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return strikes(FAULT_MEMORY, "aligned_alloc") ? NULL
                                                  : count(__real_aligned_alloc(alignment, size));
}

char *__wrap_realpath(const char *path, char *found)
{
    return strikes(FAULT_MEMORY, "realpath") ? NULL : count(__real_realpath(path, found));
}

static int print(char **text, const char *format, va_list arguments)
{
    *text = NULL;
    if (strikes(FAULT_MEMORY, "asprintf"))
        return -1;
    int length = vasprintf(text, format, arguments);
    count(*text);
    return length;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = print(text, format, arguments);
    va_end(arguments);
    return length;
}

/* Names of both functions where _FORTIFY_SOURCE is the compiler's default, as in Ubuntu. */
char *__wrap___realpath_chk(const char *path, char *found, size_t size)
{
    (void)size;
    return __wrap_realpath(path, found);
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    int length = print(text, format, arguments);
    va_end(arguments);
    return length;
}

void __wrap_free(void *block)
{
    orders.live -= block != NULL;
    __real_free(block);
}

/* ---- OpenGL 1.1, which the linker binds ---- */

/* clang-format off */
GLenum __real_glGetError(void), __wrap_glGetError(void);
void __real_glGenTextures(GLsizei, GLuint *), __wrap_glGenTextures(GLsizei, GLuint *);
void __real_glTexImage2D(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *);
void __wrap_glTexImage2D(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *);
void __real_glGetIntegerv(GLenum, GLint *), __wrap_glGetIntegerv(GLenum, GLint *);
/* clang-format on */

/* A driver out of memory sets its error flag and makes nothing. */
static bool runs_out(const char *what)
{
    bool out = strikes(FAULT_GL, what);
    if (out) {
        orders.ran_out = true;
        pending = GL_OUT_OF_MEMORY;
    }
    return out;
}

GLenum __wrap_glGetError(void)
{
    GLenum error = pending != GL_NO_ERROR ? pending : __real_glGetError();
    pending = GL_NO_ERROR;
    return strikes(FAULT_ERROR, "glGetError") ? GL_INVALID_OPERATION : error;
}

static void no_names(GLsizei number, GLuint *names)
{
    for (GLsizei i = 0; i < number; i++)
        names[i] = 0;
}

void __wrap_glGenTextures(GLsizei number, GLuint *names)
{
    if (runs_out("glGenTextures"))
        no_names(number, names);
    else
        __real_glGenTextures(number, names);
}

void __wrap_glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                         GLint border, GLenum format, GLenum type, const void *texels)
{
    orders.largest = width > orders.largest ? width : orders.largest;
    orders.largest = height > orders.largest ? height : orders.largest;
    if (!runs_out("glTexImage2D"))
        __real_glTexImage2D(target, level, internal, width, height, border, format, type, texels);
}

void __wrap_glGetIntegerv(GLenum name, GLint *value)
{
    if (orders.integer_name != 0 && name == orders.integer_name)
        *value = orders.integer;
    else
        __real_glGetIntegerv(name, value);
}

/* ---- Later functions, from GLEW's table ---- */

static struct {
    PFNGLGENFRAMEBUFFERSPROC gen_framebuffers;
    PFNGLCHECKFRAMEBUFFERSTATUSPROC check_framebuffer;
    PFNGLGENRENDERBUFFERSPROC gen_renderbuffers;
    PFNGLRENDERBUFFERSTORAGEPROC renderbuffer_storage;
    PFNGLGENBUFFERSPROC gen_buffers;
    PFNGLBUFFERDATAPROC buffer_data;
    PFNGLMAPBUFFERPROC map_buffer;
    PFNGLBUFFERSTORAGEPROC buffer_storage;
    PFNGLMAPBUFFERRANGEPROC map_range;
    PFNGLFENCESYNCPROC fence;
    PFNGLCREATESHADERPROC create_shader;
    PFNGLGETSHADERIVPROC get_shader;
    PFNGLCREATEPROGRAMPROC create_program;
    PFNGLGETPROGRAMIVPROC get_program;
} driver;

static void GLAPIENTRY gen_framebuffers(GLsizei number, GLuint *names)
{
    if (runs_out("glGenFramebuffers"))
        no_names(number, names);
    else
        driver.gen_framebuffers(number, names);
}

static GLenum GLAPIENTRY check_framebuffer(GLenum target)
{
    GLenum state = driver.check_framebuffer(target);
    return strikes(FAULT_GL, "glCheckFramebufferStatus") ? GL_FRAMEBUFFER_UNSUPPORTED : state;
}

static void GLAPIENTRY gen_renderbuffers(GLsizei number, GLuint *names)
{
    if (runs_out("glGenRenderbuffers"))
        no_names(number, names);
    else
        driver.gen_renderbuffers(number, names);
}

static void GLAPIENTRY renderbuffer_storage(GLenum target, GLenum format, GLsizei width,
                                            GLsizei height)
{
    if (!runs_out("glRenderbufferStorage"))
        driver.renderbuffer_storage(target, format, width, height);
}

static void GLAPIENTRY gen_buffers(GLsizei number, GLuint *names)
{
    if (runs_out("glGenBuffers"))
        no_names(number, names);
    else
        driver.gen_buffers(number, names);
}

static void GLAPIENTRY buffer_data(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    if (!runs_out("glBufferData"))
        driver.buffer_data(target, size, data, usage);
}

static void *GLAPIENTRY map_buffer(GLenum target, GLenum access)
{
    return runs_out("glMapBuffer") ? NULL : driver.map_buffer(target, access);
}

static void GLAPIENTRY buffer_storage(GLenum target, GLsizeiptr size, const void *data,
                                      GLbitfield flags)
{
    if (!runs_out("glBufferStorage"))
        driver.buffer_storage(target, size, data, flags);
}

static void *GLAPIENTRY map_range(GLenum target, GLintptr first, GLsizeiptr size, GLbitfield access)
{
    return runs_out("glMapBufferRange") ? NULL : driver.map_range(target, first, size, access);
}

static GLsync GLAPIENTRY fence(GLenum condition, GLbitfield flags)
{
    return runs_out("glFenceSync") ? NULL : driver.fence(condition, flags);
}

static GLuint GLAPIENTRY create_shader(GLenum kind)
{
    return runs_out("glCreateShader") ? 0 : driver.create_shader(kind);
}

static void GLAPIENTRY get_shader(GLuint shader_id, GLenum name, GLint *value)
{
    driver.get_shader(shader_id, name, value);
    if (name == GL_COMPILE_STATUS && strikes(FAULT_GL, "glCompileShader"))
        *value = GL_FALSE;
}

static GLuint GLAPIENTRY create_program(void)
{
    return runs_out("glCreateProgram") ? 0 : driver.create_program();
}

static void GLAPIENTRY get_program(GLuint program_id, GLenum name, GLint *value)
{
    driver.get_program(program_id, name, value);
    if (name == GL_LINK_STATUS && strikes(FAULT_GL, "glLinkProgram"))
        *value = GL_FALSE;
}

static GLenum GLAPIENTRY reset_status(void)
{
    return strikes(FAULT_RESET, "the device") ? GL_GUILTY_CONTEXT_RESET_ARB : GL_NO_ERROR;
}

/* Puts a function of this file in the place of one in GLEW's table and keeps that one. */
#define LEAD(entry, place)    \
    do {                      \
        driver.place = entry; \
        entry = place;        \
    } while (0)

static void patch_gl(void)
{
    if (driver.gen_buffers != NULL)
        return;
    LEAD(__glewGenFramebuffers, gen_framebuffers);
    LEAD(__glewCheckFramebufferStatus, check_framebuffer);
    LEAD(__glewGenRenderbuffers, gen_renderbuffers);
    LEAD(__glewRenderbufferStorage, renderbuffer_storage);
    LEAD(__glewGenBuffers, gen_buffers);
    LEAD(__glewBufferData, buffer_data);
    LEAD(__glewMapBuffer, map_buffer);
    LEAD(__glewBufferStorage, buffer_storage);
    LEAD(__glewMapBufferRange, map_range);
    LEAD(__glewFenceSync, fence);
    LEAD(__glewCreateShader, create_shader);
    LEAD(__glewGetShaderiv, get_shader);
    LEAD(__glewCreateProgram, create_program);
    LEAD(__glewGetProgramiv, get_program);
    __glewGetGraphicsResetStatusARB = reset_status;
}

int faults_open_context(void **state)
{
    int code = support_open_context(state);
    if (*state != NULL)
        patch_gl();
    return code;
}

void faults_forget(struct qp_context *context)
{
    if (context == NULL)
        return;
    if (context->abandon_threads != NULL)
        context->abandon_threads(&context->threads);
    assert_ok(qp_context_enter(context));
    qp_texture_pool_clear(context);
    qp_passes_destroy(&context->passes);
    qp_program_forget_all(context);
}
