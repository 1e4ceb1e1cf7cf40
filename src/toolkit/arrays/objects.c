/* SPDX-License-Identifier: MIT */
#include "toolkit/arrays/objects.h"

#include <string.h>

#include "toolkit/gl/context/context.h"

enum qp_status qp_context_begin(struct qp_call *call, struct qp_context *context)
{
    const enum qp_status status = qp_call_begin(call, context);
    return status == QP_OK ? qp_context_enter(context) : status;
}

enum qp_status qp_object_begin(struct qp_call *call, const void *object, enum qp_object_kind kind,
                               const char *what)
{
    const enum qp_status status = qp_call_begin(call, NULL);
    struct qp_context *context = status == QP_OK ? qp_object_context(object, kind, what) : NULL;
    if (status != QP_OK)
        return status;
    return context != NULL ? qp_context_enter(context) : QP_BAD_USE;
}

void qp_object_destroy(void *place, enum qp_object_kind kind, const char *what,
                       void (*destroy)(void *object))
{
    struct qp_call call;
    void *object = NULL, *none = NULL;
    if (place != NULL)
        memcpy(&object, place, sizeof object);
    if (object == NULL)
        return;
    if (qp_object_begin(&call, object, kind, what) == QP_OK) {
        qp_object_gone(object);
        destroy(object);
    }
    qp_call_end(&call, QP_OK);
    memcpy(place, &none, sizeof none);
}
