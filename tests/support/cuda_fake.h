/* SPDX-License-Identifier: MIT */
/* CUDA's runtime as the library sees it, in the tests' hands: the calls are wrapped by the linker.
 * Off, they go on to the real one. On, they count what is registered, mapped and made, and fail on
 * order, so that every refusal is tried where there is no device. The device's memory is the
 * host's, so a kernel in C can work on it; CUDA's own cannot be launched. */
#ifndef QP_TESTS_CUDA_FAKE_H
#define QP_TESTS_CUDA_FAKE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "support/cuda_fake_streams.h"

/* Numbers of cudaError_t that matter here. */
enum {
    FAKE_INVALID = 1,
    FAKE_OUT_OF_MEMORY = 2,
    FAKE_OLD_DRIVER = 35,
    FAKE_NO_DEVICE = 100,
    FAKE_INVALID_HANDLE = 400,
    FAKE_ALREADY_PEERS = 704,
    FAKE_ALREADY_MAPPED = 208,
    FAKE_NOT_MAPPED = 211
};

enum { FAKE_DEVICES = 8 /* at most */ };

struct cuda_fake {
    bool on;
    int devices, driver; /* number of devices, and the newest CUDA that the driver knows */
    int major;           /* major number of their compute capability; 0: newer than all */
    int gl_device;       /* device that OpenGL draws with, says CUDA */
    int look_error;      /* cudaGetDeviceCount answers so */
    int gl_error;        /* cudaGLGetDevices answers so */
    int fail_at, error;  /* the call with this number, from 1, answers so; 0: none */
    atomic_int calls;    /* so far, of those that fail_at counts */
    int registered, mapped, objects, streams; /* alive */
    int turns;                                /* maps asked for so far */
    int waits;                                /* for all work of the device, so far */
    void *stream;                             /* stream of the last map, or unmap */
    bool moves;                               /* every map finds the array elsewhere */
    unsigned flags;                           /* flags of the last registration */
    enum cuda_fake_pace pace;                 /* pace of streams */
    unsigned seed;                            /* seed of what is drawn next */
    bool peers;                               /* devices reach each other's memory */
    bool enabled[FAKE_DEVICES][FAKE_DEVICES]; /* the first device may access the second one's */
    int copies;                               /* all copies of rows */
    int paged, across; /* copies from or to memory that is not locked; from device to device */
    int elsewhere;     /* work asked of a stream by a thread that had selected another device */
};

extern struct cuda_fake cuda_fake;

/* The device that this thread has selected. */
extern _Thread_local int cuda_fake_device;

/* All of CUDA is well: one device, and OpenGL draws with it. */
void cuda_fake_start(void);

#endif
