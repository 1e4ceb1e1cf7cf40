/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/context/display.h"

#include <stdlib.h>
#include <string.h>

#include <EGL/eglext.h>

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

/* CUDA's number of an EGL device; -1 where it has none. */
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

struct qp_candidate qp_display_describe(EGLDisplay display)
{
    PFNEGLQUERYDISPLAYATTRIBEXTPROC query =
        (PFNEGLQUERYDISPLAYATTRIBEXTPROC)eglGetProcAddress("eglQueryDisplayAttribEXT");
    struct qp_candidate found[QP_DISPLAYS];
    EGLAttrib device = 0;
    if (query != NULL && query(display, EGL_DEVICE_EXT, &device)) {
        const int devices = list_devices(found);
        for (int i = 0; i < devices; i++) {
            if (found[i].device == (void *)device)
                return found[i];
        }
    }
    return (struct qp_candidate){.index = -1, .cuda_device = -1};
}

/* EGL hands the same display to everybody in the process, and eglTerminate ends all contexts of it.
 * Only a display that counts its users can be given back (EGL_KHR_display_reference); any other one
 * stays open. */
static bool counts_users(EGLDisplay display)
{
    PFNEGLQUERYDISPLAYATTRIBKHRPROC query =
        (PFNEGLQUERYDISPLAYATTRIBKHRPROC)eglGetProcAddress("eglQueryDisplayAttribKHR");
    EGLAttrib counts = EGL_FALSE;
    return has_word(client_extensions(), "EGL_KHR_display_reference") && query != NULL &&
           query(display, EGL_TRACK_REFERENCES_KHR, &counts) && counts == EGL_TRUE;
}

static EGLDisplay find_display(const struct qp_candidate *candidate)
{
    static const EGLAttrib counting[] = {EGL_TRACK_REFERENCES_KHR, EGL_TRUE, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYPROC get =
        (PFNEGLGETPLATFORMDISPLAYPROC)eglGetProcAddress("eglGetPlatformDisplay");
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_older =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    void *native = candidate->device != NULL ? candidate->device : (void *)EGL_DEFAULT_DISPLAY;
    EGLDisplay display = EGL_NO_DISPLAY;
    if (has_word(client_extensions(), "EGL_KHR_display_reference") && get != NULL)
        display = get(candidate->platform, native, counting);
    if (display == EGL_NO_DISPLAY && get_older != NULL)
        display = get_older(candidate->platform, native, NULL);
    return display;
}

EGLDisplay qp_display_open(const struct qp_candidate *candidate)
{
    EGLDisplay display = find_display(candidate);
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display
                                                                           : EGL_NO_DISPLAY;
}

void qp_display_close(EGLDisplay display)
{
    if (display != EGL_NO_DISPLAY && counts_users(display))
        eglTerminate(display);
}
