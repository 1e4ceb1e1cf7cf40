/* SPDX-License-Identifier: MIT */
/* Abilities of buffers, measured: bytes go through two of them and are compared. */
#include "toolkit/gl/context/caps_probes.h"

enum { BYTES = 4099 };

static unsigned char byte_at(int i)
{
    return (unsigned char)(i * 37 + 11);
}

/* Writes through one pointer, copies, waits for the fence alone, and reads through the other
 * pointer. */
static bool pass_through(struct qp_canvas *canvas, struct qp_context *context)
{
    struct qp_buffer from = {0}, to = {0};
    GLsync fence = NULL;
    bool good =
        qp_canvas_went_well(canvas, qp_buffer_create_mapped(context, GL_COPY_READ_BUFFER,
                                                            GL_MAP_WRITE_BIT, BYTES, &from)) &&
        qp_canvas_went_well(canvas, qp_buffer_create_mapped(context, GL_COPY_WRITE_BUFFER,
                                                            GL_MAP_READ_BIT, BYTES, &to));
    for (int i = 0; i < BYTES && good; i++)
        ((unsigned char *)from.mapped)[i] = byte_at(i);
    if (good) {
        qp_buffer_copy(&from, 0, &to, 0, BYTES);
        good = qp_canvas_went_well(canvas, qp_fence_set(context, &fence)) &&
               qp_canvas_went_well(canvas, qp_fence_wait(context, &fence));
    }
    for (int i = 0; i < BYTES && good; i++)
        good = ((const unsigned char *)to.mapped)[i] == byte_at(i);
    qp_buffer_destroy(&from);
    qp_buffer_destroy(&to);
    return good && qp_canvas_went_well(canvas, qp_gl_check(context, "probing"));
}

bool qp_caps_can_fence(struct qp_context *context, struct qp_canvas *canvas)
{
    GLsync fence = NULL;
    canvas->context = context;
    if (!qp_context_has(context, "GL_ARB_sync") || glFenceSync == NULL)
        return false;
    return qp_canvas_went_well(canvas, qp_fence_set(context, &fence)) &&
           qp_canvas_went_well(canvas, qp_fence_wait(context, &fence));
}

bool qp_caps_can_map_for_life(struct qp_context *context, struct qp_canvas *canvas)
{
    canvas->context = context;
    if (!qp_context_has(context, "GL_ARB_buffer_storage") || glBufferStorage == NULL ||
        !qp_context_has(context, "GL_ARB_copy_buffer") || glCopyBufferSubData == NULL ||
        !qp_context_has(context, "GL_ARB_sync") || glFenceSync == NULL)
        return false;
    return pass_through(canvas, context);
}
