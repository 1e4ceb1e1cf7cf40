/* SPDX-License-Identifier: MIT */
/* Which of EGL's devices are tried, in which order, and how they are opened and given back; EGL is
 * in the test's hands, and no device is needed. */
/* own program: for eglGetProcAddress, eglInitialize, eglQueryString, eglTerminate, which it
 * answers */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/gl/context/display.h"

#include <EGL/eglext.h>

/* ---- EGL ---- */

enum { DEVICES = 40 };

static struct {
    const char *words; /* extensions of the client */
    int devices;
    const char *extensions[DEVICES];
    bool lacks[8];   /* functions below that it lacks */
    bool no_ordinal; /* CUDA's, of devices */
    bool counts;     /* displays count their users */
    bool starts;
    int asked_anew, asked_older, terminated;
    void *native;
} egl;

static char handles[DEVICES];
static char display;

static EGLBoolean list_devices(EGLint most, EGLDeviceEXT *out, EGLint *count)
{
    *count = egl.devices < most ? egl.devices : most;
    for (int i = 0; i < *count; i++)
        out[i] = &handles[i];
    return EGL_TRUE;
}

static const char *device_string(EGLDeviceEXT device, EGLint name)
{
    return name == EGL_EXTENSIONS ? egl.extensions[(char *)device - handles] : NULL;
}

static EGLBoolean device_attribute(EGLDeviceEXT device, EGLint name, EGLAttrib *value)
{
    *value = 70 + ((char *)device - handles);
    return name == EGL_CUDA_DEVICE_NV && !egl.no_ordinal;
}

static EGLBoolean display_device(EGLDisplay of, EGLint name, EGLAttrib *value)
{
    *value = of == &display ? (EGLAttrib)&handles[1] : (EGLAttrib)&display;
    return name == EGL_DEVICE_EXT;
}

static EGLBoolean display_counts(EGLDisplay of, EGLint name, EGLAttrib *value)
{
    *value = of == &display && egl.counts;
    return name == EGL_TRACK_REFERENCES_KHR;
}

static EGLDisplay get_display(EGLenum platform, void *native, const EGLAttrib *attributes)
{
    egl.asked_anew++;
    egl.native = native;
    return platform == EGL_PLATFORM_DEVICE_EXT && attributes[0] == EGL_TRACK_REFERENCES_KHR &&
                   attributes[1] == EGL_TRUE && attributes[2] == EGL_NONE
               ? &display
               : EGL_NO_DISPLAY;
}

static EGLDisplay get_older_display(EGLenum platform, void *native, const EGLint *attributes)
{
    egl.asked_older++;
    egl.native = native;
    return platform != 0 && attributes == NULL ? &display : EGL_NO_DISPLAY;
}

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {{"eglQueryDevicesEXT", (void (*)(void))list_devices},
                 {"eglQueryDeviceStringEXT", (void (*)(void))device_string},
                 {"eglQueryDeviceAttribEXT", (void (*)(void))device_attribute},
                 {"eglQueryDisplayAttribEXT", (void (*)(void))display_device},
                 {"eglQueryDisplayAttribKHR", (void (*)(void))display_counts},
                 {"eglGetPlatformDisplay", (void (*)(void))get_display},
                 {"eglGetPlatformDisplayEXT", (void (*)(void))get_older_display}};

enum { LIST, STRING, ORDINAL, DESCRIBES, COUNTS, GETS, GETS_OLDER };

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
    for (int i = 0; i < COUNT(functions); i++) {
        if (strcmp(functions[i].name, name) == 0)
            return egl.lacks[i] ? NULL : functions[i].function;
    }
    return NULL;
}

const char *eglQueryString(EGLDisplay of, EGLint name)
{
    return of == EGL_NO_DISPLAY && name == EGL_EXTENSIONS ? egl.words : NULL;
}

EGLBoolean eglInitialize(EGLDisplay of, EGLint *major, EGLint *minor)
{
    (void)major, (void)minor;
    return of == &display && egl.starts;
}

EGLBoolean eglTerminate(EGLDisplay of)
{
    egl.terminated += of == &display;
    return EGL_TRUE;
}

/* Two NVIDIA's, one of software, one that is neither; and one whose words only look like theirs. */
static void begin(void)
{
    memset(&egl, 0, sizeof egl);
    egl.words = "EGL_EXT_platform_device EGL_KHR_display_reference EGL_MESA_platform_surfaceless";
    egl.devices = 5;
    egl.extensions[0] = "EGL_EXT_device_drm EGL_NV_device_cuda";
    egl.extensions[1] = "EGL_MESA_device_software EGL_EXT_device_drm";
    egl.extensions[2] = "EGL_EXT_device_drm";
    egl.extensions[3] = "EGL_NV_device_cudas xEGL_MESA_device_software EGL_NV_device_cuda";
    egl.extensions[4] = NULL;
    egl.starts = true;
}

/* The numbers of the devices that are tried, S for the surfaceless platform. */
static void expect(const char *device, const char *wanted)
{
    struct qp_candidate list[QP_DISPLAYS];
    char got[256] = "";
    const int count = qp_display_candidates(device, list);
    assert_in_range(count, 0, QP_DISPLAYS);
    for (int i = 0; i < count; i++) {
        const bool surfaceless = list[i].platform == EGL_PLATFORM_SURFACELESS_MESA;
        char one[8] = "S ";
        if (!surfaceless) {
            snprintf(one, sizeof one, "%d ", list[i].index);
            assert_int_equal(list[i].platform, EGL_PLATFORM_DEVICE_EXT);
            assert_ptr_equal(list[i].device, &handles[list[i].index]);
        } else {
            assert_true(list[i].index == -1 && list[i].device == NULL && list[i].software);
            assert_int_equal(list[i].cuda_device, -1);
        }
        strcat(got, one);
    }
    if (strcmp(got, wanted) != 0)
        fail_msg("'%s' tries '%s', and not '%s'", device, got, wanted);
}

/* ---- Tests ---- */

TEST(devices_are_tried_in_order)
{
    begin();
    expect("auto", "0 2 3 4 S 1 ");
    expect("nvidia", "0 3 ");
    expect("llvmpipe", "S 1 ");
    expect("0", "0 ");
    expect("1", "1 ");
    expect("4", "4 ");
    expect("5", "");
    expect("999", "");
    expect("4294967296", ""); /* 0 in 32 bits */
    egl.words = "EGL_EXT_platform_devices EGL_MESA_platform_surfaceless";
    expect("auto", "S ");
    expect("0", "");
    expect("llvmpipe", "S ");
    egl.words = "EGL_MESA_platform_surfaceless_too EGL_EXT_platform_device";
    expect("auto", "0 2 3 4 1 ");
    egl.words = NULL;
    expect("auto", "");
    begin();
    for (int i = LIST; i <= STRING; i++) {
        egl.lacks[i] = true;
        expect("auto", "S ");
        egl.lacks[i] = false;
    }
    struct qp_candidate list[QP_DISPLAYS];
    assert_int_equal(qp_display_candidates("2x", list), -1);
    assert_string_equal(qp_error(), "no device is called '2x'; use auto, llvmpipe, nvidia or the "
                                    "number of an EGL device");
    assert_int_equal(qp_display_candidates("", list), -1);
}

/* A list of more devices than are tried ends with those of software, or before. */
TEST(many_devices_fit)
{
    struct qp_candidate list[QP_DISPLAYS];
    begin();
    egl.devices = DEVICES;
    for (int i = 0; i < DEVICES; i++)
        egl.extensions[i] = i < 3 ? "EGL_MESA_device_software" : "";
    assert_int_equal(qp_display_candidates("auto", list), QP_DISPLAYS);
    assert_int_equal(list[QP_DISPLAYS - 3].platform, EGL_PLATFORM_SURFACELESS_MESA);
    for (int i = 0; i < DEVICES; i++)
        egl.extensions[i] = "";
    assert_int_equal(qp_display_candidates("auto", list), QP_DISPLAYS);
    assert_int_equal(list[QP_DISPLAYS - 1].platform, EGL_PLATFORM_SURFACELESS_MESA);
    for (int i = 0; i < DEVICES; i++)
        egl.extensions[i] = "EGL_MESA_device_software";
    assert_int_equal(qp_display_candidates("llvmpipe", list), QP_DISPLAYS);
    assert_int_equal(list[QP_DISPLAYS - 1].index, QP_DISPLAYS - 2);
}

TEST(devices_are_described)
{
    struct qp_candidate list[QP_DISPLAYS];
    begin();
    assert_int_equal(qp_display_candidates("auto", list), 6);
    assert_true(list[0].nvidia && !list[0].software && list[0].cuda_device == 70);
    assert_true(!list[1].nvidia && !list[1].software && list[1].cuda_device == -1);
    assert_true(list[2].nvidia && !list[2].software && list[2].cuda_device == 73);
    assert_true(!list[5].nvidia && list[5].software && list[5].cuda_device == -1);
    egl.no_ordinal = true;
    qp_display_candidates("0", list);
    assert_int_equal(list[0].cuda_device, -1);
    egl.no_ordinal = false;
    egl.lacks[ORDINAL] = true;
    qp_display_candidates("0", list);
    assert_int_equal(list[0].cuda_device, -1);
    egl.extensions[1] = "EGL_NV_device_cuda";
    egl.lacks[ORDINAL] = false;
    struct qp_candidate found = qp_display_describe(&display);
    assert_true(found.index == 1 && found.nvidia && found.cuda_device == 71);
    found = qp_display_describe(&handles[0]); /* description of a device that is not listed */
    assert_true(found.index == -1 && found.cuda_device == -1 && found.device == NULL);
    egl.lacks[DESCRIBES] = true;
    found = qp_display_describe(&display);
    assert_true(found.index == -1 && found.cuda_device == -1);
}

TEST(displays_are_opened)
{
    const struct qp_candidate device = {.platform = EGL_PLATFORM_DEVICE_EXT, .device = &handles[2]},
                              surfaceless = {.platform = EGL_PLATFORM_SURFACELESS_MESA};
    begin();
    assert_ptr_equal(qp_display_open(&device), &display);
    assert_true(egl.asked_anew == 1 && egl.asked_older == 0 && egl.native == &handles[2]);
    assert_ptr_equal(qp_display_open(&surfaceless), &display); /* by the older function */
    assert_true(egl.asked_anew == 2 && egl.asked_older == 1);
    assert_ptr_equal(egl.native, (void *)EGL_DEFAULT_DISPLAY);
    egl.words = "EGL_EXT_platform_device";
    assert_ptr_equal(qp_display_open(&device), &display);
    assert_true(egl.asked_anew == 2 && egl.asked_older == 2);
    egl.lacks[GETS_OLDER] = true;
    assert_ptr_equal(qp_display_open(&device), EGL_NO_DISPLAY);
    begin();
    egl.lacks[GETS] = true;
    assert_ptr_equal(qp_display_open(&device), &display);
    assert_true(egl.asked_anew == 0 && egl.asked_older == 1);
    egl.starts = false;
    assert_ptr_equal(qp_display_open(&device), EGL_NO_DISPLAY);
}

/* Only one that counts its users ends. */
TEST(displays_are_given_back)
{
    begin();
    egl.counts = true;
    qp_display_close(EGL_NO_DISPLAY);
    assert_int_equal(egl.terminated, 0);
    qp_display_close(&display);
    assert_int_equal(egl.terminated, 1);
    egl.counts = false;
    qp_display_close(&display);
    assert_int_equal(egl.terminated, 1);
    egl.counts = true;
    egl.lacks[COUNTS] = true;
    qp_display_close(&display);
    egl.lacks[COUNTS] = false;
    egl.words = "EGL_EXT_platform_device";
    qp_display_close(&display);
    assert_int_equal(egl.terminated, 1);
}
