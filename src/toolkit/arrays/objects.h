/* SPDX-License-Identifier: MIT */
/* Begin and end of public functions about objects that live (toolkit/gl/objects.h). */
#ifndef QP_TOOLKIT_OBJECTS_H
#define QP_TOOLKIT_OBJECTS_H

#include "toolkit/gl/call.h"
#include "toolkit/gl/objects.h"

/* Begin of a public function: qp_call_begin, and the context is current; the second one is for
 * functions about an object of this kind. Such functions call qp_call_end at their end, after an
 * error too. Errors: those of qp_call_begin, qp_object_context and qp_context_enter. */
enum qp_status qp_context_begin(struct qp_call *call, struct qp_context *context);
enum qp_status qp_object_begin(struct qp_call *call, const void *object, enum qp_object_kind kind,
                               const char *what);

/* A whole public function: forgets the object that `place`, a pointer to a pointer, leads to, frees
 * it by `destroy` and leaves NULL there; takes NULL. In another thread than the context's it stays
 * known, and goes with its context. */
void qp_object_destroy(void *place, enum qp_object_kind kind, const char *what,
                       void (*destroy)(void *object));

#endif
