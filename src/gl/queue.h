/* SPDX-License-Identifier: MIT */
/* Bounds what is drawn and not done yet, so that long work on the device can be left soon after somebody wants
 * it to end. Passes go to the device in slices, fenced. A short slice is waited for when the next one is
 * queued behind it, so the device never runs dry; a long one at once. */
#ifndef QP_GL_QUEUE_H
#define QP_GL_QUEUE_H

#include "gl/context.h"

/* A plan's passes begin: slices are small again, for nobody knows yet what a texel costs. */
void qp_queue_begin(struct qp_context *context);

/* After each pass, of so many fragments or invocations. */
void qp_queue_add(struct qp_context *context, double texels);

/* Waits for all of it, as glFinish does. */
void qp_queue_finish(struct qp_context *context);

/* Before the context ends. */
void qp_queue_destroy(struct qp_context *context);

/* So many texels, each with a loop over some dozens of others, take a rasteriser on the CPU a fifth of a
 * second: what is larger should be drawn in parts there. No limit on a GPU. */
double qp_queue_most_texels(const struct qp_context *context);

#endif
