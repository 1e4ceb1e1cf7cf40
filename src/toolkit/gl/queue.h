/* SPDX-License-Identifier: MIT */
/* Limits the work queued on the device, so that an interrupt takes effect soon. Passes go to the
 * device in slices, with fences between them. A short slice is waited for when the next one is
 * queued after it, so the device never runs dry; a long one at once. */
#ifndef QP_GL_QUEUE_H
#define QP_GL_QUEUE_H

#include "toolkit/gl/context/context.h"

/* Begins a plan's passes: slices are small again, since the cost of a texel is not known yet. */
void qp_queue_begin(struct qp_context *context);

/* Counts a pass of `texels` fragments or invocations. */
void qp_queue_add(struct qp_context *context, double texels);

/* Waits for all of it, as glFinish does. */
void qp_queue_finish(struct qp_context *context);

/* Deletes the fences, before the context ends. */
void qp_queue_destroy(struct qp_context *context);

/* Most texels of one draw, each with a loop over some dozens of others: on a software rasteriser
 * they take a fifth of a second, and larger draws should be split. No limit on a GPU. */
double qp_queue_most_texels(const struct qp_context *context);

#endif
