/* SPDX-License-Identifier: MIT */
/* The CUDA device of a build without CUDA: there is none, and every function says so. */
#include "toolkit/cuda/device.h"
#include "toolkit/cuda/streams.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FAILS(name, ...)             \
    enum qp_status name(__VA_ARGS__) \
    {                                \
        return qp_cuda_look(-1);     \
    }

/* Takes what a call that fails has not made. */
#define DOES_NOTHING(name, ...) \
    void name(__VA_ARGS__)      \
    {                           \
    }

enum qp_status qp_cuda_look(int ordinal)
{
    return qp_fail(QP_UNSUPPORTED, "built without CUDA");
}

int qp_cuda_count(void)
{
    return 0;
}

bool qp_cuda_bus(int ordinal, char *text, int size)
{
    return false;
}

enum qp_status qp_cuda_open(int ordinal, struct qp_cuda **out)
{
    *out = NULL;
    return qp_cuda_look(ordinal);
}

DOES_NOTHING(qp_cuda_close, struct qp_cuda **cuda)
DOES_NOTHING(qp_cuda_select, const struct qp_cuda *cuda)

enum qp_status qp_cuda_allocate(struct qp_cuda *cuda, size_t bytes, const char *what, void **out)
{
    *out = NULL;
    return qp_cuda_look(-1);
}

DOES_NOTHING(qp_cuda_free, struct qp_cuda *cuda, void *memory)
FAILS(qp_cuda_upload, struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
FAILS(qp_cuda_download, struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
FAILS(qp_cuda_poison, struct qp_cuda *cuda, void *memory, size_t bytes)
FAILS(qp_cuda_wait, struct qp_cuda *cuda)
FAILS(qp_cuda_check, int error, const char *doing)
FAILS(qp_cuda_check_launch, const char *kernel)

size_t qp_cuda_live_blocks(void)
{
    return 0;
}

/* ---- Streams ---- */

enum qp_status qp_cuda_fork_first(const struct qp_cuda *cuda, struct qp_cuda *out)
{
    return qp_cuda_fork(cuda, out);
}

enum qp_status qp_cuda_event_make(int ordinal, void **event)
{
    *event = NULL;
    return qp_cuda_look(-1);
}

DOES_NOTHING(qp_cuda_event_free, void **event)
FAILS(qp_cuda_record, const struct qp_cuda *cuda, void *event)
FAILS(qp_cuda_follow, const struct qp_cuda *cuda, void *event)
FAILS(qp_cuda_await, void *event)

enum qp_status qp_cuda_pin(size_t bytes, void **out)
{
    *out = NULL;
    return qp_cuda_look(-1);
}

DOES_NOTHING(qp_cuda_unpin, void *memory)
FAILS(qp_cuda_move_rows, const struct qp_cuda *cuda, const struct qp_cuda_rows *rows)

enum qp_status qp_cuda_reach(int ordinal, int other, bool *reaches)
{
    *reaches = false;
    return qp_cuda_look(-1);
}

FAILS(qp_cuda_lock, struct qp_cuda *cuda, void *memory, size_t bytes)
DOES_NOTHING(qp_cuda_unlock, struct qp_cuda *cuda, void *memory)

enum qp_status qp_cuda_see(struct qp_cuda *cuda, void *memory, void **out)
{
    *out = NULL;
    return qp_cuda_look(-1);
}

enum qp_status qp_cuda_fork(const struct qp_cuda *cuda, struct qp_cuda *out)
{
    *out = *cuda;
    out->stream = NULL;
    return qp_cuda_look(-1);
}

DOES_NOTHING(qp_cuda_join, struct qp_cuda *fork)
FAILS(qp_cuda_send, struct qp_cuda *cuda, void *to, const void *from, size_t bytes)
FAILS(qp_cuda_fetch, struct qp_cuda *cuda, void *to, const void *from, size_t bytes)

size_t qp_cuda_live_streams(void)
{
    return 0;
}
