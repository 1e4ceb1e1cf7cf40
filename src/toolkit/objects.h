/* SPDX-License-Identifier: MIT */
/* Objects of the toolkit that live: what a caller hands in is looked up before it is read, so that a pointer to something
 * destroyed, or to something else, becomes a sentence. */
#ifndef QP_TOOLKIT_OBJECTS_H
#define QP_TOOLKIT_OBJECTS_H

#include <stdbool.h>

#include "base/status.h"
#include "gl/call.h"

struct qp_context;

enum qp_object_kind {
    QP_OBJECT_ARRAY,
    QP_OBJECT_KERNEL,
    QP_OBJECT_LIST,
    QP_OBJECT_DOWNLOAD,
    QP_OBJECT_SHELF,
    QP_OBJECT_REDUCTION,
    QP_OBJECT_MASK,
    QP_OBJECT_DEPTH,
    QP_OBJECT_KINDS
};

/* Notes an object of this kind and context as living. Where its context is destroyed first, `abandon` frees it; that must
 * not call a function of this file. Errors: QP_NO_MEMORY. Threads: the context's. */
enum qp_status qp_object_born(void *object, enum qp_object_kind kind, struct qp_context *context,
                              void (*abandon)(void *object));

/* Forgets an object; and abandons all of a context, which is destroyed. Threads: any. */
void qp_object_gone(const void *object);
void qp_objects_forget(const struct qp_context *context);

/* The context of an object of this kind that lives, else NULL with the sentence set: `what` is the argument's name in
 * the public function, such as "output". Threads: any. */
struct qp_context *qp_object_context(const void *object, enum qp_object_kind kind,
                                     const char *what);

/* QP_OK for an object of this kind that lives, and is the context's where that is not NULL. Errors: QP_BAD_USE. Threads:
 * any. */
enum qp_status qp_object_check(const void *object, enum qp_object_kind kind,
                               const struct qp_context *context, const char *what);

/* Begin of a public function: qp_call_begin, and the context is current; the second one is for functions about an object of
 * this kind. qp_call_end stands at their end, after an error too. Errors: those of qp_call_begin, qp_object_context and
 * qp_context_enter. */
enum qp_status qp_context_begin(struct qp_call *call, struct qp_context *context);
enum qp_status qp_object_begin(struct qp_call *call, const void *object, enum qp_object_kind kind,
                               const char *what);

/* A whole public function: forgets an object and frees it by `destroy`. In another thread than the
 * context's it stays known, and goes with its context. */
void qp_object_destroy(void *object, enum qp_object_kind kind, const char *what,
                       void (*destroy)(void *object));

/* True if both live, and the first was born before the other: what has taken the place of an object in memory was born after
 * those that used it. Threads: any. */
bool qp_object_is_older(const void *object, const void *other);

#endif
