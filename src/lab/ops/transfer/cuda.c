/* SPDX-License-Identifier: MIT */
/* Transfers on CUDA: the device's array is linear memory, the kernel between works in place.
 * Variants differ in the kind of host memory and the number of streams. */
#include <stdlib.h>
#include <string.h>

#include "lab/ops/transfer/kernels.h"
#include "lab/ops/transfer/transfer.h"
#include "toolkit/cuda/streams.h"
#include "toolkit/gl/context/context.h"

enum { MOST_TURNS = 3 };

/* The plan's own data on CUDA. */
struct own {
    struct qp_cuda *cuda;
    struct qp_cuda turn[MOST_TURNS]; /* the same device with a stream each */
    int turns;
    void *block; /* the device's array with its guards */
    float *device;
    /* Locked buffers of a piece, for QP_TRANSFER_BUFFERS. */
    float *up[MOST_TURNS], *down[MOST_TURNS];
    void *locked[2];                     /* host arrays that are page-locked */
    float *source_there, *arrived_there; /* their device pointers, for QP_TRANSFER_MAPPED */
};

static struct own *own_of(const struct qp_plan *plan)
{
    return qp_transfer_own(plan)->own;
}

static enum qp_transfer_way way_of(const struct qp_plan *plan)
{
    return qp_transfer_own(plan)->how->way;
}

/* True if the host waits for each copy, as cudaMemcpy does. */
static bool waits(const struct qp_plan *plan)
{
    return way_of(plan) == QP_TRANSFER_PLAIN || qp_transfer_own(plan)->how->waits;
}

static struct qp_cuda *cuda_of(const struct qp_plan *plan, const struct qp_piece *piece)
{
    return &own_of(plan)->turn[qp_transfer_turn(plan, piece)];
}

static size_t bytes_of(const struct qp_piece *piece)
{
    return piece->count * sizeof(float);
}

/* ---- A piece ---- */

static enum qp_status launch(struct qp_plan *plan, const struct qp_piece *piece, const float *x,
                             float *out)
{
    bool adds = qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP;
    struct qp_launch launch = {.width = (int)qp_transfer_own(plan)->row,
                               .height = piece->rows,
                               .kind = adds ? QP_TRANSFER_ADDITIONS : 0,
                               .x = x + piece->first,
                               .out = out + piece->first,
                               .cuda = cuda_of(plan, piece)};
    qp_cuda_select(launch.cuda);
    return plan->variant->recipe->kernel->launch(&launch);
}

/* Sends through a buffer, which is free again when its stream has done all earlier work. */
static enum qp_status send_buffered(struct qp_plan *plan, const struct qp_piece *piece)
{
    float *buffer = own_of(plan)->up[qp_transfer_turn(plan, piece)];
    enum qp_status status = qp_cuda_wait(cuda_of(plan, piece));
    if (status != QP_OK)
        return status;
    memcpy(buffer, qp_transfer_own(plan)->source + piece->first, bytes_of(piece));
    return qp_cuda_send(cuda_of(plan, piece), own_of(plan)->device + piece->first, buffer,
                        bytes_of(piece));
}

/* Sends a piece; with zero copy nothing, since a kernel reads and writes host memory. */
static enum qp_status send(struct qp_plan *plan, const struct qp_piece *piece)
{
    struct own *own = own_of(plan);
    const float *from = qp_transfer_own(plan)->source + piece->first;
    if (way_of(plan) == QP_TRANSFER_MAPPED)
        return qp_transfer_comes_down(plan) ? QP_OK
                                            : launch(plan, piece, own->source_there, own->device);
    if (way_of(plan) == QP_TRANSFER_BUFFERS)
        return send_buffered(plan, piece);
    if (waits(plan))
        return qp_cuda_upload(cuda_of(plan, piece), own->device + piece->first, from,
                              bytes_of(piece));
    return qp_cuda_send(cuda_of(plan, piece), own->device + piece->first, from, bytes_of(piece));
}

static enum qp_status compute(struct qp_plan *plan, const struct qp_piece *piece)
{
    struct own *own = own_of(plan);
    if (way_of(plan) == QP_TRANSFER_MAPPED)
        return QP_OK; /* while it is fetched */
    return launch(plan, piece, own->device, own->device);
}

static enum qp_status ask(struct qp_plan *plan, const struct qp_piece *piece)
{
    struct own *own = own_of(plan);
    float *to = qp_transfer_own(plan)->arrived + piece->first;
    if (way_of(plan) == QP_TRANSFER_MAPPED)
        return launch(plan, piece, qp_transfer_goes_up(plan) ? own->source_there : own->device,
                      own->arrived_there);
    if (waits(plan))
        return qp_cuda_download(cuda_of(plan, piece), to, own->device + piece->first,
                                bytes_of(piece));
    if (way_of(plan) == QP_TRANSFER_BUFFERS)
        to = own->down[qp_transfer_turn(plan, piece)];
    return qp_cuda_fetch(cuda_of(plan, piece), to, own->device + piece->first, bytes_of(piece));
}

static enum qp_status take(struct qp_plan *plan, const struct qp_piece *piece)
{
    if (way_of(plan) != QP_TRANSFER_BUFFERS)
        return QP_OK;
    enum qp_status status = qp_cuda_wait(cuda_of(plan, piece));
    if (status == QP_OK)
        memcpy(qp_transfer_own(plan)->arrived + piece->first,
               own_of(plan)->down[qp_transfer_turn(plan, piece)], bytes_of(piece));
    return status;
}

/* ---- All of them ---- */

static enum qp_status finish(struct qp_plan *plan)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < own_of(plan)->turns && status == QP_OK; i++)
        status = qp_cuda_wait(&own_of(plan)->turn[i]);
    return status;
}

static size_t bytes_with_guards(const struct qp_plan *plan)
{
    return (qp_transfer_own(plan)->count + 2 * QP_TRANSFER_GUARD) * sizeof(float);
}

static enum qp_status fetch(struct qp_plan *plan, float *texels)
{
    const size_t count = qp_transfer_own(plan)->count;
    float *values = qp_guarded_create(count, "the device's array");
    if (values == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_cuda_download(own_of(plan)->cuda, values - QP_TRANSFER_GUARD,
                                             own_of(plan)->block, bytes_with_guards(plan));
    if (status == QP_OK && !qp_guarded_intact(values, count))
        status = qp_fail(QP_DEVICE, "stage 7, readback: %s wrote outside the device's array",
                         plan->variant->name);
    memcpy(texels, plan->empty, qp_layout_bytes(&plan->layout));
    qp_transfer_scatter(plan, values, texels);
    qp_guarded_destroy(&values);
    return status;
}

static enum qp_status reset(struct qp_plan *plan, const float *texels)
{
    float *values = qp_guarded_create(qp_transfer_own(plan)->count, "the device's array");
    if (values == NULL)
        return QP_NO_MEMORY;
    qp_transfer_gather(plan, texels, values);
    enum qp_status status = qp_cuda_upload(own_of(plan)->cuda, own_of(plan)->block,
                                           values - QP_TRANSFER_GUARD, bytes_with_guards(plan));
    qp_guarded_destroy(&values);
    return status;
}

/* ---- Stage 3 ---- */

static enum qp_status lock_arrays(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    float *const arrays[] = {qp_transfer_own(plan)->source, qp_transfer_own(plan)->arrived};
    enum qp_status status = QP_OK;
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        status = qp_cuda_lock(own->cuda, arrays[i] - QP_TRANSFER_GUARD, bytes_with_guards(plan));
        if (status == QP_OK)
            own->locked[i] = arrays[i] - QP_TRANSFER_GUARD;
    }
    return status;
}

static enum qp_status show_arrays(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    void *seen[2] = {NULL, NULL};
    enum qp_status status = QP_OK;
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = qp_cuda_see(own->cuda, own->locked[i], &seen[i]);
    if (status == QP_OK) {
        own->source_there = (float *)seen[0] + QP_TRANSFER_GUARD;
        own->arrived_there = (float *)seen[1] + QP_TRANSFER_GUARD;
    }
    return status;
}

static enum qp_status make_buffer(struct qp_plan *plan, float **buffer)
{
    const struct qp_piece first = qp_transfer_piece(plan, 0);
    float *floats = qp_alloc_pages(first.count, "a buffer to copy through");
    if (floats == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_cuda_lock(own_of(plan)->cuda, floats, bytes_of(&first));
    if (status == QP_OK)
        *buffer = floats;
    else
        free(floats);
    return status;
}

static enum qp_status make_host_side(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    enum qp_status status = QP_OK;
    if (way_of(plan) == QP_TRANSFER_LOCKED || way_of(plan) == QP_TRANSFER_MAPPED)
        status = lock_arrays(plan);
    if (way_of(plan) == QP_TRANSFER_MAPPED && status == QP_OK)
        status = show_arrays(plan);
    for (int i = 0; way_of(plan) == QP_TRANSFER_BUFFERS && i < own->turns && status == QP_OK; i++) {
        if (qp_transfer_goes_up(plan))
            status = make_buffer(plan, &own->up[i]);
        if (qp_transfer_comes_down(plan) && status == QP_OK)
            status = make_buffer(plan, &own->down[i]);
    }
    return status;
}

static enum qp_status make_device_side(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    enum qp_status status = qp_cuda_open(qp_context_cuda_ordinal(plan->context), &own->cuda);
    if (status == QP_OK)
        status = qp_cuda_allocate(own->cuda, bytes_with_guards(plan), "x", &own->block);
    if (status != QP_OK)
        return status;
    own->device = (float *)own->block + QP_TRANSFER_GUARD;
    own->turns = qp_transfer_turns(plan);
    for (int i = 0; i < own->turns && status == QP_OK; i++)
        status = qp_cuda_fork(own->cuda, &own->turn[i]);
    return status;
}

static enum qp_status open_device(struct qp_plan *plan)
{
    qp_transfer_own(plan)->own = qp_alloc_zero(1, sizeof(struct own), "a transfer's CUDA side");
    enum qp_status status =
        qp_transfer_own(plan)->own != NULL ? make_device_side(plan) : QP_NO_MEMORY;
    return status == QP_OK ? make_host_side(plan) : status;
}

static void drop_buffer(struct own *own, float *buffer)
{
    if (buffer == NULL)
        return;
    qp_cuda_unlock(own->cuda, buffer);
    free(buffer);
}

static void close_device(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    if (own == NULL)
        return;
    for (int i = 0; i < MOST_TURNS; i++)
        qp_cuda_join(&own->turn[i]); /* first: it may still be copying */
    for (int i = 0; i < MOST_TURNS; i++) {
        drop_buffer(own, own->up[i]);
        drop_buffer(own, own->down[i]);
    }
    for (int i = 0; i < 2; i++) {
        if (own->locked[i] != NULL)
            qp_cuda_unlock(own->cuda, own->locked[i]);
    }
    qp_cuda_free(own->cuda, own->block);
    qp_cuda_close(&own->cuda);
    free(own);
}

const struct qp_mover qp_mover_cuda = {.open = open_device,
                                       .close = close_device,
                                       .send = send,
                                       .compute = compute,
                                       .ask = ask,
                                       .take = take,
                                       .finish = finish,
                                       .fetch = fetch,
                                       .reset = reset};

#define MOVES(...)                                                                            \
    .backend = QP_CUDA, .engine = &qp_engine_transfer, .kernel = &qp_kernel_transfer_move,    \
    QP_TRANSFER_STANDS({.format = QP_R32F}), .own = &(const struct qp_transfer){__VA_ARGS__}, \
    .blocks = &qp_transfer_blocks

const struct qp_recipe qp_transfer_cuda[] = {
    /* The program's own arrays, which may be paged out: the driver copies them piece by piece to
     * locked memory of its own first, or back from there, and the call waits for that. */
    {.name = "transfer/cuda_pageable",
     .layout = "linear memory",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence = "copies from and to the program's own arrays, which the driver copies once more "
                 "through memory that it can lock",
     MOVES(.way = QP_TRANSFER_PLAIN)},

    /* + the same arrays page-locked: the device reads and writes them by itself, at the bus's
     * speed. */
    {.name = "transfer/cuda_pinned",
     .after = "transfer/cuda_pageable",
     .layout = "linear memory",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence = "+ page-locked arrays: the device reads and writes them by itself, at the speed "
                 "of the bus",
     MOVES(.way = QP_TRANSFER_LOCKED)},

    /* Pinned with a call for each row, and each waited for, as cudaMemcpy does: shows the cost of
     * starting one. */
    {.name = "transfer/cuda_small",
     .after = "transfer/cuda_pinned",
     .layout = "linear memory",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence = "cuda_pinned with a copy for every row, or for --block rows, each waited for: "
                 "shows the cost of starting a copy",
     MOVES(.way = QP_TRANSFER_LOCKED, .rows = 1, .waits = true)},

    /* Through two locked buffers in turn, so that nobody has to lock arrays: the host copies one
     * piece while the bus is at the other. */
    {.name = "transfer/cuda_async",
     .layout = "linear memory",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence =
         "two locked buffers in turn: the host copies one piece while the bus is at the other",
     MOVES(.way = QP_TRANSFER_BUFFERS, .pieces = 16, .turns = 2)},

    /* Zero copy: the kernel reads and writes the locked arrays in host memory, each value once.
     * Removes the way through device memory, and the start of a copy. */
    {.name = "transfer/cuda_mapped",
     .layout = "the host's memory",
     .place = "ours: what came after, CUDA 2.2",
     .sentence =
         "zero copy: a kernel reads and writes the locked arrays where they are, each value once",
     MOVES(.way = QP_TRANSFER_MAPPED)},

    /* Pinned in pieces on one stream: there, kernel, back, and only then the next piece, though a
     * device with two copy engines could do all three at the same time. */
    {.name = "transfer/cuda_serial",
     .after = "transfer/cuda_pinned",
     .layout = "linear memory",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence =
         "cuda_pinned in 16 pieces on one stream: there, kernel, back, and only then the next",
     MOVES(.way = QP_TRANSFER_LOCKED, .pieces = 16)},

    /* + three streams in turn: one piece goes, one is computed, one comes back, all at a time. */
    {.name = "transfer/cuda_overlap",
     .after = "transfer/cuda_serial",
     .layout = "linear memory",
     .place = "paper 4, CPU-GPU memory transfers",
     .sentence =
         "+ three streams: one piece goes, one is computed, one comes back, all at the same time",
     MOVES(.way = QP_TRANSFER_LOCKED, .pieces = 16, .turns = MOST_TURNS)},

    {0},
};
