/* SPDX-License-Identifier: MIT */
/* The header and the library try the same devices in the same order, with the same calls of EGL:
 * EGL is in the test's hands, each device fails at the same point, and both are asked in turn. */
/* own program: for EGL and glGetString, which it answers */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

#define GL_HEADLESS_IMPLEMENTATION
#include "../../headless/gl_headless.h"

/* ---- EGL ---- */

enum { DEVICES = 5 };

/* The point at which every device fails. */
enum failure {
    NO_DISPLAY,
    NO_START,
    NO_API,
    NO_CONTEXT,
    NOT_CURRENT,
    DEAD,
    TOO_OLD,
    NOT_AT_ALL,
    FAILURES
};

static struct {
    enum failure failure;
    const char *words; /* extensions of the client */
    bool lacks_older;  /* only EGL 1.5's function for displays */
    EGLenum api;
    EGLContext current;
    int displays, contexts; /* open ones */
    char log[4096];
} egl;

static const char *const extensions[DEVICES] = {
    "EGL_EXT_device_drm EGL_NV_device_cuda", "EGL_MESA_device_software EGL_EXT_device_drm",
    "EGL_EXT_device_drm", "EGL_NV_device_cudas xEGL_MESA_device_software EGL_NV_device_cuda", NULL};
static char devices[DEVICES], displays[DEVICES + 1], context;

/* Notes a call; one like the last is noted once. */
static void note(const char *call)
{
    const size_t length = strlen(egl.log), more = strlen(call);
    if (length >= more && strcmp(egl.log + length - more, call) == 0)
        return;
    assert_true(length + more < sizeof egl.log);
    strcpy(egl.log + length, call);
}

static EGLBoolean list_devices(EGLint most, EGLDeviceEXT *out, EGLint *count)
{
    assert_true(most >= DEVICES);
    *count = DEVICES;
    for (int i = 0; i < DEVICES; i++)
        out[i] = &devices[i];
    return EGL_TRUE;
}

static const char *device_string(EGLDeviceEXT device, EGLint name)
{
    return name == EGL_EXTENSIONS ? extensions[(char *)device - devices] : NULL;
}

static EGLDisplay find_display(const char *by, EGLenum platform, void *native)
{
    char call[64];
    const bool surfaceless = platform == EGL_PLATFORM_SURFACELESS_MESA;
    assert_true(surfaceless ? native == NULL : platform == EGL_PLATFORM_DEVICE_EXT);
    const int place = surfaceless ? DEVICES : (int)((char *)native - devices);
    snprintf(call, sizeof call, surfaceless ? "%s S; " : "%s %d; ", by, place);
    note(call);
    return egl.failure == NO_DISPLAY ? EGL_NO_DISPLAY : &displays[place];
}

static EGLDisplay get_display(EGLenum platform, void *native, const EGLAttrib *words)
{
    assert_true(words[0] == EGL_TRACK_REFERENCES_KHR && words[1] == EGL_TRUE &&
                words[2] == EGL_NONE);
    return find_display("counted", platform, native);
}

static EGLDisplay get_older_display(EGLenum platform, void *native, const EGLint *words)
{
    assert_null(words);
    return find_display("open", platform, native);
}

static EGLBoolean display_counts(EGLDisplay of, EGLint name, EGLAttrib *value)
{
    (void)of;
    *value = name == EGL_TRACK_REFERENCES_KHR;
    return EGL_TRUE;
}

static const char *const versions[FAILURES] = {
    [TOO_OLD] = "2.1 of the test", [NOT_AT_ALL] = "3.0 of the test"};

const GLubyte *glGetString(GLenum name)
{
    assert_true(egl.current == &context);
    return (const GLubyte *)(name == GL_VERSION ? versions[egl.failure] : "a test's");
}

static void generate(int count, unsigned *names)
{
    memset(names, 0, (size_t)count * sizeof *names);
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {{"eglQueryDevicesEXT", (void (*)(void))list_devices},
                     {"eglQueryDeviceStringEXT", (void (*)(void))device_string},
                     {"eglQueryDisplayAttribKHR", (void (*)(void))display_counts},
                     {"eglGetPlatformDisplay", (void (*)(void))get_display},
                     {"glGetString", (void (*)(void))glGetString},
                     {"glGenFramebuffers", (void (*)(void))generate},
                     {"eglGetPlatformDisplayEXT", (void (*)(void))get_older_display}};
    for (int i = 0; i < COUNT(functions) - egl.lacks_older; i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    }
    return NULL;
}

const char *eglQueryString(EGLDisplay of, EGLint name)
{
    return name == EGL_VERSION ? "1.5" : of == EGL_NO_DISPLAY ? egl.words : "";
}

EGLBoolean eglInitialize(EGLDisplay of, EGLint *major, EGLint *minor)
{
    assert_true(major == NULL && minor == NULL && of != EGL_NO_DISPLAY);
    note("start; ");
    egl.displays += egl.failure != NO_START;
    return egl.failure != NO_START;
}

EGLBoolean eglTerminate(EGLDisplay of)
{
    assert_true(of != EGL_NO_DISPLAY);
    note("end; ");
    egl.displays--;
    return EGL_TRUE;
}

EGLBoolean eglBindAPI(EGLenum api)
{
    if (api == EGL_OPENGL_API && egl.failure == NO_API)
        return EGL_FALSE;
    egl.api = api;
    return EGL_TRUE;
}

EGLenum eglQueryAPI(void)
{
    return egl.api;
}

/* Notes the words but for that of debug builds. */
EGLContext eglCreateContext(EGLDisplay of, EGLConfig config, EGLContext share, const EGLint *words)
{
    char call[64] = "context";
    assert_true(of != EGL_NO_DISPLAY && config == EGL_NO_CONFIG_KHR && share == EGL_NO_CONTEXT);
    assert_int_equal(egl.api, EGL_OPENGL_API);
    for (; *words != EGL_NONE; words += 2) {
        if (*words != EGL_CONTEXT_OPENGL_DEBUG)
            snprintf(call + strlen(call), sizeof call - strlen(call), " %x=%x", (unsigned)words[0],
                     (unsigned)words[1]);
    }
    strcat(call, "; ");
    note(call);
    if (egl.failure == NO_CONTEXT)
        return EGL_NO_CONTEXT;
    egl.contexts++;
    return &context;
}

EGLBoolean eglDestroyContext(EGLDisplay of, EGLContext handle)
{
    assert_true(of != EGL_NO_DISPLAY && handle == &context && egl.current != &context);
    egl.contexts--;
    return EGL_TRUE;
}

EGLBoolean eglMakeCurrent(EGLDisplay of, EGLSurface draw, EGLSurface read, EGLContext handle)
{
    assert_true(of != EGL_NO_DISPLAY && draw == EGL_NO_SURFACE && read == EGL_NO_SURFACE);
    note(handle == EGL_NO_CONTEXT ? "release; " : "current; ");
    if (handle != EGL_NO_CONTEXT && egl.failure == NOT_CURRENT)
        return EGL_FALSE;
    egl.current = handle;
    return EGL_TRUE;
}

EGLContext eglGetCurrentContext(void)
{
    return egl.current;
}

EGLDisplay eglGetCurrentDisplay(void)
{
    return EGL_NO_DISPLAY;
}

EGLSurface eglGetCurrentSurface(EGLint which)
{
    (void)which;
    return EGL_NO_SURFACE;
}

EGLint eglGetError(void)
{
    return EGL_BAD_ALLOC;
}

/* ---- Both ---- */

static const char *const words[] = {
    "EGL_EXT_platform_device EGL_KHR_display_reference EGL_MESA_platform_surfaceless",
    "EGL_MESA_platform_surfaceless EGL_EXT_platform_device",
    "EGL_EXT_platform_devices EGL_MESA_platform_surfaceless EGL_KHR_display_reference",
    "EGL_MESA_platform_surfaceless_too EGL_EXT_platform_device",
    "",
    NULL,
};

/* Asks the library, or the header, for a device; the calls of EGL are the caller's. */
static char *ask(bool header, const char *device, const char *environment)
{
    struct qp_context *opened = NULL;
    gl_headless *gl = NULL;
    setenv(header ? "GL_HEADLESS_DEVICE" : "QUADPASS_DEVICE", environment, 1);
    egl.log[0] = '\0';
    egl.api = EGL_OPENGL_ES_API;
    egl.displays = egl.contexts = 0;
    if (header)
        gl = gl_headless_create(4, 4, &(gl_headless_options){.device = device});
    else
        qp_context_create(&(struct qp_context_desc){.device = device}, &opened);
    unsetenv(header ? "GL_HEADLESS_DEVICE" : "QUADPASS_DEVICE");
    assert_true(gl == NULL && opened == NULL && egl.current == EGL_NO_CONTEXT);
    assert_true(egl.contexts == 0 && egl.api == EGL_OPENGL_ES_API);
    assert_true(egl.displays == 0 || strstr(egl.log, "counted") == NULL);
    return strdup(egl.log);
}

/* Calls of both are the same; the caller frees them. */
static char *ask_both(const char *device, const char *environment)
{
    char *library = ask(false, device, environment), *header = ask(true, device, environment);
    if (strcmp(library, header) != 0)
        fail_msg("for '%s', '%s', failure %d, the library calls\n%s\nand the header\n%s",
                 device ? device : "NULL", environment, egl.failure, library, header);
    free(library);
    return header;
}

/* ---- Tests ---- */

TEST(header_and_library_try_the_same)
{
    static const char *const names[] = {NULL, "auto", "nvidia", "llvmpipe", "0",  "1",          "3",
                                        "5",  "031",  "999",    "radeon",   "2x", "4294967296", ""};
    int tries = 0;
    for (int k = 0; k < NOT_AT_ALL * COUNT(words) * 2; k++) {
        egl.failure = (enum failure)(k % NOT_AT_ALL);
        egl.words = words[k / NOT_AT_ALL % COUNT(words)];
        egl.lacks_older = k / NOT_AT_ALL >= COUNT(words);
        for (int i = 0; i < COUNT(names); i++) {
            char *calls = ask_both(names[i], "");
            tries += calls[0] != '\0';
            free(calls);
            free(ask_both(NULL, names[i] != NULL ? names[i] : "auto"));
            free(ask_both("auto", names[i] != NULL ? names[i] : "1"));
            free(ask_both("llvmpipe", names[i] != NULL ? names[i] : "1"));
        }
    }
    assert_true(tries > 200);
}

static void expect_calls(const char *device, const char *calls)
{
    char *got = ask_both(device, "");
    assert_string_equal(got, calls);
    free(got);
}

/* Hardware, the surfaceless platform, software; older drivers are asked for less. */
TEST(order_is_the_one_that_the_header_says)
{
    egl.failure = NO_DISPLAY;
    egl.words = words[1];
    egl.lacks_older = false;
    expect_calls("auto", "open 0; open 2; open 3; open 4; open S; open 1; ");
    expect_calls("nvidia", "open 0; open 3; ");
    expect_calls("llvmpipe", "open S; open 1; ");
    expect_calls("1", "open 1; ");
    egl.words = words[0];
    expect_calls("0", "counted 0; open 0; ");
    egl.failure = DEAD;
    expect_calls("4", "counted 4; start; context 31bd=31bf; current; release; end; ");
    egl.failure = NO_CONTEXT;
    expect_calls("4", "counted 4; start; context 31bd=31bf; context; end; ");
}

static void expect_sentence(enum failure failure, const char *device, const char *sentence)
{
    egl.failure = failure;
    free(ask(true, device, ""));
    if (strstr(gl_headless_error(), sentence) == NULL)
        fail_msg("'%s' has no '%s'", gl_headless_error(), sentence);
}

/* Each failure is told of each device, with EGL's error and what to do. */
TEST(failures_are_told)
{
    egl.words = words[0];
    expect_sentence(NO_DISPLAY, NULL,
                    "no OpenGL for 'auto': device 0: eglGetPlatformDisplay failed with "
                    "EGL_BAD_ALLOC; device 2: eglGetPlatformDisplay failed with EGL_BAD_ALLOC; ");
    expect_sentence(NO_DISPLAY, NULL, "; surfaceless: eglGetPlatformDisplay failed with");
    expect_sentence(NO_DISPLAY, NULL, "; install a driver (Debian: libegl1 libgl1-mesa-dri;");
    expect_sentence(NO_START, "1", "'1': device 1: eglInitialize failed with EGL_BAD_ALLOC; ");
    expect_sentence(NO_API, "1", "eglBindAPI(EGL_OPENGL_API) failed with EGL_BAD_ALLOC; ");
    expect_sentence(NO_CONTEXT, "1", "eglCreateContext failed with EGL_BAD_ALLOC; ");
    expect_sentence(NOT_CURRENT, "1", "eglMakeCurrent failed with EGL_BAD_ALLOC; ");
    expect_sentence(DEAD, "1", "device 1: the context is dead: glGetString has no version; ");
    expect_sentence(TOO_OLD, "1", "a test's has OpenGL 2.1 of the test, and 3.0 is needed; ");
    expect_sentence(NOT_AT_ALL, "nvidia", "device 0: got a test's instead; device 3: got a test's");
    expect_sentence(NOT_AT_ALL, "llvmpipe", "surfaceless: got a test's instead; device 1: got a");
    expect_sentence(NO_DISPLAY, "5", "no OpenGL for '5': EGL lists no such device; ");
    expect_sentence(NO_DISPLAY, "radeon",
                    "'radeon' is no device; use auto, llvmpipe, nvidia or a number");
    egl.words = NULL;
    expect_sentence(NO_DISPLAY, "auto", "no OpenGL for 'auto': EGL lists no such device; ");
}

/* A core profile is asked for by the first version that has it, and each thread needs its API. */
TEST(core_and_api_are_asked_for)
{
    gl_headless made = {.display = &displays[0], .context = &context};
    egl.failure = NO_CONTEXT;
    egl.words = words[0];
    egl.log[0] = '\0';
    assert_null(gl_headless_create(4, 4, &(gl_headless_options){.device = "0", .core = 1}));
    assert_string_equal(egl.log, "counted 0; start; context 31bd=31bf 3098=3 30fb=2; context "
                                 "3098=3 30fb=2; end; ");
    egl.failure = NOT_AT_ALL;
    egl.api = EGL_OPENGL_ES_API;
    assert_true(gl_headless_make_current(&made));
    assert_int_equal(egl.api, EGL_OPENGL_API);
    egl.current = EGL_NO_CONTEXT;
}
