/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/queue.h"

#include <math.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

/* Slices grow while they take less than the first of these seconds and shrink above the second. */
static const double short_slice = 0.05, long_slice = 0.2;

/* Texels of the first slice: drawn in some milliseconds, unless a texel is costly. */
static const double first_on_gpu = 0x1p26, first_on_cpu = 0x1p20;

static bool has_fences(const struct qp_context *context)
{
    return glFenceSync != NULL && qp_context_has(context, "GL_ARB_sync");
}

/* Waits in moments and reports between them, for one pass may take long and cannot be ended. */
static void wait_for(GLsync fence)
{
    const GLuint64 moment = 100000000; /* ns */
    const double begin = qp_clock();
    while (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, moment) == GL_TIMEOUT_EXPIRED)
        qp_watch_wait(qp_clock() - begin);
}

static void forget(struct qp_queue *queue)
{
    if (queue->before != NULL)
        glDeleteSync(queue->before);
    queue->before = NULL;
}

void qp_queue_begin(struct qp_context *context)
{
    struct qp_queue *queue = &context->queue;
    queue->fenced = has_fences(context);
    queue->texels = 0.0;
    queue->most = context->device.software ? first_on_cpu : first_on_gpu;
    queue->waited_at = qp_clock();
}

/* A fence after all draws: Mesa keeps the vertices of glBegin back while equal draws follow, and
 * glFenceSync does not send them. */
static GLsync set_fence(void)
{
    glFlush();
    return glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Ends a slice. The end of a short slice is waited for one slice later. */
static void end_slice(struct qp_queue *queue)
{
    GLsync fence = set_fence();
    if (queue->before != NULL)
        wait_for(queue->before);
    forget(queue);
    queue->before = fence;
    if (fence != NULL && qp_clock() - queue->waited_at > short_slice) {
        wait_for(fence);
        forget(queue);
    }
}

void qp_queue_add(struct qp_context *context, double texels)
{
    struct qp_queue *queue = &context->queue;
    queue->texels += texels;
    if (!(queue->texels >= queue->most) || queue->most <= 0.0)
        return;
    if (queue->fenced)
        end_slice(queue);
    else
        glFinish();
    const double now = qp_clock(), took = now - queue->waited_at;
    if (took < short_slice)
        queue->most *= took < 0.25 * short_slice ? 4.0 : 2.0;
    else if (took > long_slice)
        queue->most = fmax(1.0, fmin(queue->most, queue->texels) * short_slice / took);
    queue->texels = 0.0;
    queue->waited_at = now;
}

/* Finishes all work: in software by a fence, whose waits report progress; on a GPU by glFinish
 * alone, after which the clock is read sooner. */
void qp_queue_finish(struct qp_context *context)
{
    struct qp_queue *queue = &context->queue;
    if (queue->fenced && context->device.software) {
        GLsync fence = set_fence();
        if (fence != NULL) {
            wait_for(fence);
            glDeleteSync(fence);
        }
    }
    glFinish();
    forget(queue);
    queue->texels = 0.0;
    queue->waited_at = qp_clock();
}

void qp_queue_destroy(struct qp_context *context)
{
    forget(&context->queue);
}

double qp_queue_most_texels(const struct qp_context *context)
{
    return context->device.software ? 0x1p22 : INFINITY;
}
