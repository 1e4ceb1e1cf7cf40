/* SPDX-License-Identifier: MIT */
/* Contexts and objects of the toolkit that live: a pointer from a caller is looked up before it is
 * read, so that a pointer to something destroyed, or to something else, becomes a sentence. */
#ifndef QP_GL_OBJECTS_H
#define QP_GL_OBJECTS_H

#include <stdbool.h>

#include "toolkit/base/status.h"

struct qp_context;

enum qp_object_kind {
    QP_OBJECT_CONTEXT, /* whose context is itself */
    QP_OBJECT_ARRAY,
    QP_OBJECT_KERNEL,
    QP_OBJECT_LIST,
    QP_OBJECT_DOWNLOAD,
    QP_OBJECT_TEXTURE_POOL,
    QP_OBJECT_REDUCTION,
    QP_OBJECT_MASK,
    QP_OBJECT_DEPTH,
    QP_OBJECT_KINDS
};

/* Notes an object of this kind and context as living. Where its context is destroyed first,
 * `abandon` frees it; that must not call a function of this file. Errors: QP_NO_MEMORY. Threads:
 * the context's. */
enum qp_status qp_object_born(void *object, enum qp_object_kind kind, struct qp_context *context,
                              void (*abandon)(void *object));

/* Forgets an object; false if it was not known. And abandons all of a context, which is destroyed.
 * Threads: any. */
bool qp_object_gone(const void *object);
void qp_objects_forget(const struct qp_context *context);

/* The context of an object of this kind that lives, else NULL with the sentence set: `what` is the
 * argument's name in the public function, such as "output". Threads: any. */
struct qp_context *qp_object_context(const void *object, enum qp_object_kind kind,
                                     const char *what);

/* QP_OK for an object of this kind that lives, and is the context's where that is not NULL. Errors:
 * QP_BAD_USE. Threads: any. */
enum qp_status qp_object_check(const void *object, enum qp_object_kind kind,
                               const struct qp_context *context, const char *what);

/* QP_OK for NULL and for a context that lives. Errors: QP_BAD_USE. Threads: any. */
enum qp_status qp_context_check(const struct qp_context *context);

/* True if both live, and the first was born before the other: what has taken the place of an object
 * in memory was born after those that used it. Threads: any. */
bool qp_object_is_older(const void *object, const void *other);

#endif
