/* SPDX-License-Identifier: MIT */
/* Asynchronous copies: page-locked (pinned) memory, which the device reads and writes by itself,
 * and streams that run side by side. */
#ifndef QP_CUDA_STREAMS_H
#define QP_CUDA_STREAMS_H

#include <stdbool.h>

#include "toolkit/cuda/device.h"

/* Page-locks memory of the host's: it stays where it is, and device copies need no detour. Errors:
 * QP_NO_MEMORY, QP_DEVICE. Unlock it before it is freed. */
enum qp_status qp_cuda_lock(struct qp_cuda *cuda, void *memory, size_t bytes);
void qp_cuda_unlock(struct qp_cuda *cuda, void *memory);

/* The device's pointer to locked memory (zero copy): kernels read and write it over the bus.
 * Errors: QP_DEVICE. */
enum qp_status qp_cuda_see(struct qp_cuda *cuda, void *memory, void **out);

/* The same device with another stream, to be joined before `cuda` is closed. Joining waits for it.
 * Errors: QP_NO_MEMORY, QP_DEVICE; joining what failed, or joining twice, does nothing. */
enum qp_status qp_cuda_fork(const struct qp_cuda *cuda, struct qp_cuda *out);
void qp_cuda_join(struct qp_cuda *fork);

/* The same, of the device's highest priority: thread blocks of other streams that wait give way to
 * its own. */
enum qp_status qp_cuda_fork_first(const struct qp_cuda *cuda, struct qp_cuda *out);

/* Asynchronous copies on the stream: they have ended when it was waited for. From or to memory that
 * is not locked the driver copies once more, and may wait. Errors: QP_DEVICE. */
enum qp_status qp_cuda_send(struct qp_cuda *cuda, void *to, const void *from, size_t bytes);
enum qp_status qp_cuda_fetch(struct qp_cuda *cuda, void *to, const void *from, size_t bytes);

/* Page-locked memory for all devices. Errors: QP_NO_MEMORY, QP_DEVICE. Unpinning takes NULL. */
enum qp_status qp_cuda_pin(size_t bytes, void **out);
void qp_cuda_unpin(void *memory);

/* Rows of memory, `bytes` each, that begin a pitch apart. */
struct qp_cuda_rows {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, bytes;
    int count;
};

/* Copies rows asynchronously, each side on the host or on any device that this one reaches. Errors:
 * QP_DEVICE. */
enum qp_status qp_cuda_move_rows(const struct qp_cuda *cuda, const struct qp_cuda_rows *rows);

/* Lets kernels and copies of device `ordinal` access the memory of `other`, if its links allow it,
 * until the process ends; a device reaches itself. Errors: QP_DEVICE. */
enum qp_status qp_cuda_reach(int ordinal, int other, bool *reaches);

/* ---- Events: places in a stream that others wait for ---- */

/* Errors: QP_NO_MEMORY, QP_DEVICE. Freeing leaves *event NULL, and takes it. */
enum qp_status qp_cuda_event_make(int ordinal, void **event);
void qp_cuda_event_free(void **event);

/* Puts the event after all work on the stream, which is of the event's device. An event that is
 * recorded again marks the new place alone. Errors: QP_DEVICE. */
enum qp_status qp_cuda_record(const struct qp_cuda *cuda, void *event);

/* Later work on the stream, or the calling thread, waits for the place where the event was recorded
 * last; one that was never recorded is waited for by nobody. Errors: QP_DEVICE, also of the work
 * before it. */
enum qp_status qp_cuda_follow(const struct qp_cuda *cuda, void *event);
enum qp_status qp_cuda_await(void *event);

/* Locks, streams and events in use by this process, 0 when nothing runs. */
size_t qp_cuda_live_streams(void);

#endif
