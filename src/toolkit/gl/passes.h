/* SPDX-License-Identifier: MIT */
/* Lists of passes: an engine says here what is drawn, in which order, and one function draws it. */
#ifndef QP_GL_PASSES_H
#define QP_GL_PASSES_H

#include "toolkit/gl/pingpong.h"
#include "toolkit/gl/step.h"

/* Passes that are not drawn yet, one after the other in one block (passes.c), which is kept when
 * they are drawn. */
struct qp_passes {
    char *block;
    size_t used, room;     /* bytes */
    enum qp_status status; /* the first failure's; then nothing is drawn */
};

/* The context's list, which is empty between two calls of an engine; NULL, with the sentence, if
 * there is no memory. Owner: the context. */
struct qp_passes *qp_passes_of(struct qp_context *context);

/* Appends a pass, for qp_step_run to take later. Its values are copied; its step, and the textures
 * and lists of numbers that values point to, must live until then. Sets list->status:
 * QP_NO_MEMORY. */
void qp_passes_add(struct qp_passes *list, const struct qp_gl_pass *pass);

/* A pair's target, or its source, as the surface of the pass that is appended next: a framebuffer
 * object that holds only one set gets it attached just before. */
struct qp_surface qp_passes_target(struct qp_passes *list, struct qp_pingpong *pair);
struct qp_surface qp_passes_source(struct qp_passes *list, struct qp_pingpong *pair);

/* Swaps a pair for the passes that follow: at once, or, in the style QP_COPY, by a copy in their
 * midst. */
void qp_passes_swap(struct qp_passes *list, struct qp_pingpong *pair);

/* Draws or dispatches all passes in order, unless the list has failed, and empties it; does not
 * wait. Returns the list's status. */
enum qp_status qp_passes_run(struct qp_context *context, struct qp_passes *list);

void qp_passes_destroy(struct qp_passes **list);

#endif
