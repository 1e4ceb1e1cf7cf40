/* SPDX-License-Identifier: MIT */
/* Finding a device: EGL displays that need no screen. */
#ifndef QP_GL_DISPLAY_H
#define QP_GL_DISPLAY_H

#include <stdbool.h>

#include <EGL/egl.h>

#include "toolkit/base/status.h"

enum { QP_DISPLAYS = 32 };

/* A way to start, best first. */
struct qp_candidate {
    EGLenum platform; /* EGL_PLATFORM_DEVICE_EXT or EGL_PLATFORM_SURFACELESS_MESA */
    void *device;     /* EGLDeviceEXT, or NULL for surfaceless */
    int index;        /* among EGL's devices, or -1 */
    bool software;    /* a software device by EGL's word; the renderer's name is looked at later */
    bool nvidia;      /* a device to which EGL gives a CUDA number */
    int cuda_device;  /* the CUDA number; -1 for others */
};

/* Lists EGL's candidates for a device name as in qp_context_desc ("auto", "llvmpipe", "nvidia" or a
 * number): fills `list` with at most QP_DISPLAYS and returns how many. Errors (as -1): QP_BAD_USE
 * for an unknown name. */
int qp_display_candidates(const char *device, struct qp_candidate *list);

/* The candidate whose display this is, as far as EGL reports it; else one without a platform, which
 * does not open. */
struct qp_candidate qp_display_describe(EGLDisplay display);

/* Opens the candidate's display; every successful open needs one close. A display that other code
 * of this process may use stays open even then. Returns EGL_NO_DISPLAY on failure. */
EGLDisplay qp_display_open(const struct qp_candidate *candidate);
void qp_display_close(EGLDisplay display);

#endif
