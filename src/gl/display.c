/* SPDX-License-Identifier: MIT */
#include "gl/display.h"

#include <stdlib.h>
#include <string.h>

#include <EGL/eglext.h>
#include <pthread.h>

/* Terminating the last display unloads its driver, and LeakSanitizer can then neither find nor name
 * what the driver holds: a debug build keeps it. */
#ifdef QP_DEBUG
enum { KEEP_DRIVERS = true };
#else
enum { KEEP_DRIVERS = false };
#endif

/* Displays in use in this process: eglTerminate ends all contexts of a display, so it
 * is counted. */
static struct {
    pthread_mutex_t lock;
    EGLDisplay display[QP_DISPLAYS];
    int users[QP_DISPLAYS];
} in_use = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at != NULL && (at = strstr(at, word)) != NULL; at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static const char *client_extensions(void)
{
    return eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
}

/* CUDA's number of a device that says it has one. */
static int find_cuda_device(EGLDeviceEXT device)
{
    PFNEGLQUERYDEVICEATTRIBEXTPROC query =
        (PFNEGLQUERYDEVICEATTRIBEXTPROC)eglGetProcAddress("eglQueryDeviceAttribEXT");
    EGLAttrib ordinal = -1;
    if (query == NULL || !query(device, EGL_CUDA_DEVICE_NV, &ordinal))
        return -1;
    return (int)ordinal;
}

/* All devices that EGL lists, in EGL's order. */
static int list_devices(struct qp_candidate *list)
{
    PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    EGLDeviceEXT devices[QP_DISPLAYS];
    EGLint count = 0;
    if (!has_word(client_extensions(), "EGL_EXT_platform_device") || query_devices == NULL ||
        query_string == NULL || !query_devices(QP_DISPLAYS, devices, &count))
        return 0;
    for (int i = 0; i < count; i++) {
        const char *extensions = query_string(devices[i], EGL_EXTENSIONS);
        bool nvidia = has_word(extensions, "EGL_NV_device_cuda");
        list[i] =
            (struct qp_candidate){.platform = EGL_PLATFORM_DEVICE_EXT,
                                  .device = devices[i],
                                  .index = i,
                                  .software = has_word(extensions, "EGL_MESA_device_software"),
                                  .nvidia = nvidia,
                                  .cuda_device = nvidia ? find_cuda_device(devices[i]) : -1};
    }
    return count;
}

static int add_surfaceless(struct qp_candidate *list, int count)
{
    if (!has_word(client_extensions(), "EGL_MESA_platform_surfaceless"))
        return count;
    list[count] = (struct qp_candidate){.platform = EGL_PLATFORM_SURFACELESS_MESA,
                                        .index = -1,
                                        .software = true,
                                        .cuda_device = -1};
    return count + 1;
}

/* The number of an EGL device, beyond all lists if it is huge; -1 for anything but digits. */
static int read_index(const char *text)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return -1;
    return strlen(text) > 3 ? QP_DISPLAYS : atoi(text);
}

int qp_display_candidates(const char *device, struct qp_candidate *list)
{
    bool automatic = strcmp(device, "auto") == 0;
    bool nvidia = strcmp(device, "nvidia") == 0;
    bool llvmpipe = strcmp(device, "llvmpipe") == 0;
    int index = read_index(device);
    if (!automatic && !nvidia && !llvmpipe && index < 0) {
        qp_fail(
            QP_BAD_USE,
            "no device is called '%s'; use auto, llvmpipe, nvidia or the number of an EGL device",
            device);
        return -1;
    }
    struct qp_candidate found[QP_DISPLAYS];
    int devices = list_devices(found);
    int count = 0;
    for (int i = 0; i < devices && count < QP_DISPLAYS - 1; i++) {
        if (index >= 0 ? i == index
                       : !llvmpipe && !found[i].software && (automatic || found[i].nvidia))
            list[count++] = found[i];
    }
    if (automatic || llvmpipe)
        count = add_surfaceless(list, count);
    for (int i = 0; i < devices && count < QP_DISPLAYS && (automatic || llvmpipe); i++) {
        if (found[i].software)
            list[count++] = found[i];
    }
    return count;
}

/* A free place, or the place where the display stands; the caller holds the lock. */
static int find_place(EGLDisplay display)
{
    int free_place = -1;
    for (int i = 0; i < QP_DISPLAYS; i++) {
        if (in_use.users[i] > 0 && in_use.display[i] == display)
            return i;
        if (in_use.users[i] == 0 && free_place < 0)
            free_place = i;
    }
    return free_place;
}

EGLDisplay qp_display_open(const struct qp_candidate *candidate)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    void *native = candidate->device != NULL ? candidate->device : (void *)EGL_DEFAULT_DISPLAY;
    if (get_display == NULL)
        return EGL_NO_DISPLAY;
    pthread_mutex_lock(&in_use.lock);
    EGLDisplay display = get_display(candidate->platform, native, NULL);
    int place = display == EGL_NO_DISPLAY ? -1 : find_place(display);
    if (place < 0 || (in_use.users[place] == 0 && !eglInitialize(display, NULL, NULL))) {
        display = EGL_NO_DISPLAY;
    } else {
        in_use.display[place] = display;
        in_use.users[place]++;
    }
    pthread_mutex_unlock(&in_use.lock);
    return display;
}

void qp_display_close(EGLDisplay display)
{
    if (display == EGL_NO_DISPLAY)
        return;
    pthread_mutex_lock(&in_use.lock);
    int place = find_place(display);
    if (place >= 0 && in_use.users[place] > 0 && --in_use.users[place] == 0 && !KEEP_DRIVERS)
        eglTerminate(display);
    pthread_mutex_unlock(&in_use.lock);
}
