/* SPDX-License-Identifier: MIT */
#include "support/cuda_fake_streams.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/cuda_fake_wrap.h"

struct stream;

/* The newest place where an event was recorded, and the last one that was reached. */
struct event {
    struct event *next;
    int device;
    long recorded, reached;
    struct stream *stream; /* stream of the newest record */
};

/* Work that a stream was asked for: a function's, or to reach an event's place, or to wait for
 * one. */
struct work {
    struct work *next;
    void (*function)(void *arguments);
    struct event *event;
    long place;
    struct stream *awaited; /* where that place is; NULL: this stream reaches it itself */
    char arguments[];
};

struct stream {
    int device;
    struct work *first, **end;
};

enum { STREAMS = 64 };

static struct stream *streams[STREAMS];
static struct event *events; /* all since the start: work that waits may outlive their end */

/* Guards all of it: streams are asked by several threads. Work may run in any of them. */
static pthread_mutex_t mutex;

__attribute__((constructor)) static void make_mutex(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
}

static unsigned draw(void)
{
    cuda_fake.seed = cuda_fake.seed * 1664525u + 1013904223u;
    return cuda_fake.seed >> 16;
}

/* ---- Work ---- */

static void run_first(struct stream *stream);

static void reach(struct event *event, long place, struct stream *stream)
{
    while (event->reached < place && stream->first != NULL)
        run_first(stream);
}

static void run_first(struct stream *stream)
{
    struct work *work = stream->first;
    if (work->awaited != NULL)
        reach(work->event, work->place, work->awaited);
    stream->first = work->next;
    if (stream->first == NULL)
        stream->end = &stream->first;
    if (work->function != NULL)
        work->function(work->arguments);
    else if (work->awaited == NULL && work->event->reached < work->place)
        work->event->reached = work->place;
    free(work);
}

static void run_all(struct stream *stream)
{
    while (stream->first != NULL)
        run_first(stream);
}

static void run_some(struct stream *asked)
{
    if (cuda_fake.pace == FAKE_AT_ONCE)
        run_all(asked);
    for (unsigned left = cuda_fake.pace == FAKE_DRAWN ? draw() % 4 : 0; left > 0; left--) {
        struct stream *any = streams[draw() % STREAMS];
        if (any != NULL && any->first != NULL)
            run_first(any);
    }
}

static struct work *append(struct stream *stream, size_t bytes)
{
    struct work *work = calloc(1, sizeof *work + bytes);
    if (work == NULL)
        abort();
    *stream->end = work;
    stream->end = &work->next;
    return work;
}

void cuda_fake_ask(void *to, void (*function)(void *arguments), const void *arguments, size_t bytes)
{
    struct stream *stream = to;
    pthread_mutex_lock(&mutex);
    struct work *work = append(stream, bytes);
    work->function = function;
    memcpy(work->arguments, arguments, bytes);
    cuda_fake.elsewhere += stream->device != cuda_fake_device;
    run_some(stream);
    pthread_mutex_unlock(&mutex);
}

void cuda_fake_streams_start(void)
{
    memset(streams, 0, sizeof streams);
    while (events != NULL) {
        struct event *last = events;
        events = last->next;
        free(last);
    }
}

/* ---- Streams ---- */

static int make_stream(void **out)
{
    const int error = cuda_fake_fails();
    *out = NULL;
    if (error != 0)
        return error;
    struct stream *stream = calloc(1, sizeof *stream);
    int k = 0;
    pthread_mutex_lock(&mutex);
    while (k < STREAMS && streams[k] != NULL)
        k++;
    if (stream == NULL || k == STREAMS)
        abort();
    *stream = (struct stream){.device = cuda_fake_device, .end = &stream->first};
    streams[k] = *out = stream;
    cuda_fake.streams++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

WRAP(cudaStreamCreateWithFlags, (void **stream, unsigned flags), (stream, flags),
     { return make_stream(stream); })
WRAP(cudaStreamCreateWithPriority, (void **stream, unsigned flags, int priority),
     (stream, flags, priority), { return make_stream(stream); })
WRAP(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest), (least, greatest), {
    *least = 0;
    *greatest = -5;
    return 0;
})
WRAP(cudaStreamSynchronize, (void *stream), (stream), {
    pthread_mutex_lock(&mutex);
    run_all(stream);
    pthread_mutex_unlock(&mutex);
    return cuda_fake_fails();
})
WRAP(cudaStreamDestroy, (void *stream), (stream), {
    pthread_mutex_lock(&mutex);
    run_all(stream);
    for (int k = 0; k < STREAMS; k++)
        streams[k] = streams[k] == stream ? NULL : streams[k];
    cuda_fake.streams--;
    pthread_mutex_unlock(&mutex);
    free(stream);
    return 0;
})

/* ---- Events ---- */

WRAP(cudaEventCreateWithFlags, (void **out, unsigned flags), (out, flags), {
    const int error = cuda_fake_fails();
    struct event *event = error == 0 ? calloc(1, sizeof *event) : NULL;
    if (event != NULL) {
        pthread_mutex_lock(&mutex);
        *event = (struct event){.next = events, .device = cuda_fake_device};
        events = event;
        pthread_mutex_unlock(&mutex);
    }
    *out = event;
    return error;
})
WRAP(cudaEventDestroy, (void *event), (event), { return 0; })

/* A stream of another device than the event's is refused, as CUDA does. */
WRAP(cudaEventRecord, (void *to, void *stream), (to, stream), {
    struct event *event = to;
    struct stream *recorded_on = stream;
    const int error = cuda_fake_fails();
    if (error != 0 || event->device != recorded_on->device)
        return error != 0 ? error : FAKE_INVALID_HANDLE;
    pthread_mutex_lock(&mutex);
    struct work *work = append(recorded_on, 0);
    work->event = event;
    work->place = ++event->recorded;
    event->stream = recorded_on;
    run_some(recorded_on);
    pthread_mutex_unlock(&mutex);
    return 0;
})
WRAP(cudaStreamWaitEvent, (void *stream, void *of, unsigned flags), (stream, of, flags), {
    struct event *event = of;
    pthread_mutex_lock(&mutex);
    if (event->recorded > 0) {
        struct work *work = append(stream, 0);
        work->event = event;
        work->place = event->recorded;
        work->awaited = event->stream;
        run_some(stream);
    }
    pthread_mutex_unlock(&mutex);
    return cuda_fake_fails();
})
WRAP(cudaEventSynchronize, (void *of), (of), {
    struct event *event = of;
    pthread_mutex_lock(&mutex);
    if (event->recorded > 0)
        reach(event, event->recorded, event->stream);
    pthread_mutex_unlock(&mutex);
    return cuda_fake_fails();
})

/* ---- Memory and copies ---- */

/* A block of memory that CUDA knows. */
struct block {
    struct block *next;
    int device; /* FAKE_HOST: page-locked */
    size_t bytes;
    char *memory;
};

enum { FAKE_HOST = -1, FAKE_PAGED = -2 };

static struct block *blocks;

static int make_block(void **out, size_t bytes, int device)
{
    const int error = cuda_fake_fails();
    struct block *block = malloc(sizeof *block);
    *out = error == 0 ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL;
    if (*out == NULL || block == NULL) {
        free(block);
        return error != 0 ? error : FAKE_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&mutex);
    *block = (struct block){blocks, device, bytes, *out};
    blocks = block;
    pthread_mutex_unlock(&mutex);
    return 0;
}

/* All streams do what they were asked for before: CUDA waits too. */
static int free_block(const void *memory)
{
    pthread_mutex_lock(&mutex);
    for (int k = 0; k < STREAMS; k++) {
        if (streams[k] != NULL)
            run_all(streams[k]);
    }
    struct block **at = &blocks;
    while (*at != NULL && (*at)->memory != memory)
        at = &(*at)->next;
    struct block *found = *at;
    if (found != NULL) {
        *at = found->next;
        free(found->memory);
        free(found);
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

WRAP(cudaMalloc, (void **out, size_t bytes), (out, bytes),
     { return make_block(out, bytes, cuda_fake_device); })
WRAP(cudaFree, (void *memory), (memory), { return free_block(memory); })
WRAP(cudaHostAlloc, (void **out, size_t bytes, unsigned flags), (out, bytes, flags),
     { return make_block(out, bytes, FAKE_HOST); })
WRAP(cudaFreeHost, (void *memory), (memory), { return free_block(memory); })

static int place_of(const void *memory)
{
    int device = FAKE_PAGED;
    pthread_mutex_lock(&mutex);
    for (const struct block *block = blocks; block != NULL; block = block->next) {
        const char *at = memory;
        if (at >= block->memory && at < block->memory + block->bytes)
            device = block->device;
    }
    pthread_mutex_unlock(&mutex);
    return device;
}

struct copy {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, bytes, rows;
};

static void copy_rows(void *arguments)
{
    const struct copy *copy = arguments;
    for (size_t k = 0; k < copy->rows; k++)
        memcpy(copy->to + k * copy->to_pitch, copy->from + k * copy->from_pitch, copy->bytes);
}

static void set(void *arguments)
{
    const struct copy *copy = arguments;
    memset(copy->to, (int)copy->rows, copy->bytes);
}

/* True if copies of this device may go there. */
static bool is_reached(int device, int place)
{
    return place < 0 || place == device || cuda_fake.enabled[device][place];
}

WRAP(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream),
     (to, from, bytes, kind, stream), {
         const struct copy copy = {to, from, 0, 0, bytes, 1};
         cuda_fake_ask(stream, copy_rows, &copy, sizeof copy);
         return cuda_fake_fails();
     })
WRAP(cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes, size_t rows,
      int kind, void *stream),
     (to, to_pitch, from, from_pitch, bytes, rows, kind, stream), {
         const struct copy copy = {to, from, to_pitch, from_pitch, bytes, rows};
         const int device = ((struct stream *)stream)->device, a = place_of(to), b = place_of(from);
         if (!is_reached(device, a) || !is_reached(device, b))
             return FAKE_INVALID;
         cuda_fake.copies++;
         cuda_fake.paged += a == FAKE_PAGED || b == FAKE_PAGED;
         cuda_fake.across += a >= 0 && b >= 0 && a != b;
         cuda_fake_ask(stream, copy_rows, &copy, sizeof copy);
         return cuda_fake_fails();
     })
WRAP(cudaMemsetAsync, (void *memory, int value, size_t bytes, void *stream),
     (memory, value, bytes, stream), {
         const struct copy copy = {.to = memory, .bytes = bytes, .rows = (size_t)value};
         cuda_fake_ask(stream, set, &copy, sizeof copy);
         return cuda_fake_fails();
     })
WRAP(cudaDeviceCanAccessPeer, (int *can, int device, int other), (can, device, other), {
    *can = cuda_fake.peers && device != other;
    return cuda_fake_fails();
})
WRAP(cudaDeviceEnablePeerAccess, (int other, unsigned flags), (other, flags), {
    const bool again = cuda_fake.enabled[cuda_fake_device][other];
    cuda_fake.enabled[cuda_fake_device][other] = true;
    return again ? FAKE_ALREADY_PEERS : cuda_fake_fails();
})
