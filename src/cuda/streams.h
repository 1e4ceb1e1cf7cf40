/* SPDX-License-Identifier: MIT */
/* Asynchronous copies: page-locked (pinned) memory, which the device reads and writes by itself, and
 * streams that run side by side. */
#ifndef QP_CUDA_STREAMS_H
#define QP_CUDA_STREAMS_H

#include "cuda/device.h"

/* Page-locks memory of the host's: it stays where it is, and device copies need no detour. Errors:
 * QP_NO_MEMORY, QP_DEVICE. Unlock it before it is freed. */
enum qp_status qp_cuda_lock(struct qp_cuda *cuda, void *memory, size_t bytes);
void qp_cuda_unlock(struct qp_cuda *cuda, void *memory);

/* The device's pointer to locked memory (zero copy): kernels read and write it over the bus. Errors: QP_DEVICE. */
enum qp_status qp_cuda_see(struct qp_cuda *cuda, void *memory, void **out);

/* The same device with another stream, to be joined before `cuda` is closed. Joining waits for it.
 * Errors: QP_NO_MEMORY, QP_DEVICE; joining what failed, or joining twice, does nothing. */
enum qp_status qp_cuda_fork(const struct qp_cuda *cuda, struct qp_cuda *out);
void qp_cuda_join(struct qp_cuda *fork);

/* Asynchronous copies on the stream: they have ended when it was waited for. From or to memory that is not
 * locked the driver copies once more, and may wait. Errors: QP_DEVICE. */
enum qp_status qp_cuda_send(struct qp_cuda *cuda, void *to, const void *from, size_t bytes);
enum qp_status qp_cuda_fetch(struct qp_cuda *cuda, void *to, const void *from, size_t bytes);

/* Locks and streams in use by this process, 0 when nothing runs. */
size_t qp_cuda_live_streams(void);

#endif
