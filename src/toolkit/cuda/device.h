/* SPDX-License-Identifier: MIT */
/* A CUDA device as the stages of a plan use it: memory, copies, and errors that become sentences. C
 * and C++ read this header alike, with and without CUDA's own. */
#ifndef QP_CUDA_DEVICE_H
#define QP_CUDA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Use of a device by the thread that opened it. All numbers are the device's own words
 * (cudaDeviceGetAttribute). */
struct qp_cuda {
    int ordinal; /* CUDA's number of the device */
    char name[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    int threads;      /* resident on each multiprocessor, at most */
    int shared_bytes; /* shared memory of one block, if it asks for more than 48 KiB */
    int double_ratio; /* float operations in the time of one in double */
    int clock_khz;    /* clock of the multiprocessors, at most */
    int memory_clock_khz, memory_bus_bits;
    int l2_bytes;
    size_t memory_bytes; /* memory of the device */
    int driver;          /* the newest CUDA it knows, 1000 major + 10 minor */
    int runtime;         /* the CUDA that this library was built with, likewise */
    void *stream;        /* cudaStream_t; all work of a plan goes here */
};

/* QP_OK if CUDA has device `ordinal`, or any device if that is negative; else QP_UNSUPPORTED, and
 * the sentence says what is missing: built without CUDA, no driver, a driver too old, no such
 * device, or a device (the first one, if `ordinal` is negative) older than the kernels. QP_DEVICE
 * if CUDA fails to answer. */
enum qp_status qp_cuda_look(int ordinal);

/* Number of devices, 0 where there is none or CUDA does not answer. */
int qp_cuda_count(void);

/* Writes the device's place on the PCI bus, such as "0000:65:00.0". False if CUDA does not
 * answer. */
bool qp_cuda_bus(int ordinal, char *text, int size);

/* Opens device `ordinal`, the first one if negative. Errors: as qp_cuda_look; QP_NO_MEMORY,
 * QP_DEVICE; then *out is NULL. */
enum qp_status qp_cuda_open(int ordinal, struct qp_cuda **out);

/* Takes NULL and leaves *cuda NULL. After a kernel's invalid memory access CUDA stays unusable in
 * this process: that is CUDA's rule, and opening the device again says so. */
void qp_cuda_close(struct qp_cuda **cuda);

/* Makes this device current for the calling thread's launches. CUDA refuses to launch on a stream
 * of another device, which reports a failure of this call; copies and waits take any stream, and
 * all other functions here select by themselves. */
void qp_cuda_select(const struct qp_cuda *cuda);

/* Device memory, 256 bytes aligned; `what` names it in the sentence of a failure, QP_NO_MEMORY. */
enum qp_status qp_cuda_allocate(struct qp_cuda *cuda, size_t bytes, const char *what, void **out);

/* Takes NULL. */
void qp_cuda_free(struct qp_cuda *cuda, void *memory);

/* Synchronous copies: they have ended when they return. Errors: QP_DEVICE. */
enum qp_status qp_cuda_upload(struct qp_cuda *cuda, void *to, const void *from, size_t bytes);
enum qp_status qp_cuda_download(struct qp_cuda *cuda, void *to, const void *from, size_t bytes);

/* Sets all bytes to 0xff, which is NaN in float and in double. Does not wait. Errors: QP_DEVICE. */
enum qp_status qp_cuda_poison(struct qp_cuda *cuda, void *memory, size_t bytes);

/* Waits for all work on the stream. Errors: QP_DEVICE, if a kernel failed. */
enum qp_status qp_cuda_wait(struct qp_cuda *cuda);

/* A cudaError_t as a status: QP_OK, QP_NO_MEMORY or QP_DEVICE with the sentence that `doing`
 * failed. */
enum qp_status qp_cuda_check(int error, const char *doing);

/* Status of the launch just made. */
enum qp_status qp_cuda_check_launch(const char *kernel);

/* Blocks of device memory in use by this process, 0 when nothing runs. */
size_t qp_cuda_live_blocks(void);

#ifdef __cplusplus
}
#endif
#endif
