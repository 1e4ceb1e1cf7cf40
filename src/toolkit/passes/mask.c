/* SPDX-License-Identifier: MIT */
/* Cells that are switched off, as marks in a stencil buffer; and depths, by which the nearest or
 * farthest of many results stays. */
#include <stdlib.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/whole.h"
#include "toolkit/passes/pass.h"

/* ---- Buffers of either ---- */

/* Makes the buffer of `what`, "a mask" or "a depth". */
static enum qp_status make_buffer(struct qp_context *context, const char *what, GLenum format,
                                  int width, int height, struct qp_test_buffer *out)
{
    enum { TEXEL_BYTES = 4 };
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    limit = qp_least(limit, context->device.rectangle_limit);
    if (width < 1 || height < 1)
        return qp_fail(QP_BAD_USE, "%s of %d x %d cells; both sizes are at least 1", what, width,
                       height);
    if (width > limit || height > limit)
        return qp_fail(QP_UNSUPPORTED,
                       "%s of %d x %d cells is above this device's limit of %d cells each way",
                       what, width, height, limit);
    enum qp_status status = qp_room_check(context, what, TEXEL_BYTES, width, height);
    if (status == QP_OK)
        status = qp_test_buffer_create(context, format, width, height, out);
    if (status == QP_NO_MEMORY && qp_texture_pool_clear(context))
        status = qp_test_buffer_create(context, format, width, height, out);
    return status;
}

static void abandon(void *object)
{
    qp_test_buffer_destroy(object);
    free(object);
}

/* ---- Masks ---- */

static enum qp_status create_mask(struct qp_context *context, int width, int height,
                                  struct qp_mask **out)
{
    struct qp_mask *mask = qp_alloc_zero(1, sizeof *mask, "a mask");
    if (mask == NULL)
        return QP_NO_MEMORY;
    enum qp_status status =
        make_buffer(context, "a mask", GL_DEPTH24_STENCIL8, width, height, &mask->buffer);
    if (status == QP_OK) {
        qp_test_buffer_clear(&mask->buffer, 0.0f);
        status = qp_gl_check(context, "making a mask");
    }
    if (status == QP_OK)
        status = qp_object_born(mask, QP_OBJECT_MASK, context, abandon);
    if (status == QP_OK)
        *out = mask;
    else
        abandon(mask);
    return status;
}

enum qp_status qp_mask_create(struct qp_context *context, int width, int height,
                              struct qp_mask **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = create_mask(context, width, height, out);
    return qp_call_end(&call, status);
}

void qp_mask_destroy(struct qp_mask **mask)
{
    qp_object_destroy(mask, QP_OBJECT_MASK, "mask", abandon);
}

/* ---- Switching cells on and off ---- */

static enum qp_status check(const struct qp_mask *mask, const struct qp_array *array)
{
    const struct qp_test_buffer *buffer = &mask->buffer;
    const enum qp_status status = qp_array_check(array, buffer->context, "array");
    if (status != QP_OK)
        return status;
    const struct qp_array_desc *desc = &array->desc;
    if (desc->type == QP_ARRAY_DOUBLE)
        return qp_fail(QP_BAD_USE, "'array' is of doubles, which no mask is set by; take another "
                                   "type");
    if (desc->channels != 1)
        return qp_fail(QP_BAD_USE, "'array' has %d channels; a mask is set by 1", desc->channels);
    if (desc->width != buffer->width || desc->height != buffer->height)
        return qp_fail(QP_BAD_USE, "'array' has %d x %d cells, and the mask has %d x %d",
                       desc->width, desc->height, buffer->width, buffer->height);
    if (array->storage->texture.target != GL_TEXTURE_RECTANGLE_ARB)
        return qp_fail(QP_UNSUPPORTED,
                       "'array' is a GL_TEXTURE_2D, and masks read rectangles; copy it to another "
                       "array first (qp_array_copy)");
    return QP_OK;
}

/* The program stays with the mask, which may be set often. */
static enum qp_status make_step(struct qp_mask *mask, enum qp_array_type type)
{
    static const char floats[] = "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
                                 "#define SAMPLER sampler2DRect\n#define FETCH texture2DRect\n"
                                 "#define ZERO 0.0\n",
                      integers[] = "#version 330 compatibility\n#define SAMPLER isampler2DRect\n"
                                   "#define FETCH texture\n#define ZERO 0\n",
                      words[] = "#version 330 compatibility\n#define SAMPLER usampler2DRect\n"
                                "#define FETCH texture\n#define ZERO 0u\n";
    static const struct {
        const char *head;
        enum qp_uniform_type sampler;
    } ways[] = {[QP_ARRAY_FLOAT] = {floats, QP_SAMPLER},
                [QP_ARRAY_HALF] = {floats, QP_SAMPLER},
                [QP_ARRAY_INT] = {integers, QP_SAMPLER_INTEGERS},
                [QP_ARRAY_UINT] = {words, QP_SAMPLER_WORDS}};
    const struct qp_program_source source = {
        .fragment = {.name = "toolkit/mask.frag", .head = ways[type].head},
        .target = GL_TEXTURE_RECTANGLE_ARB};
    const struct qp_uniform names[] = {{"x", ways[type].sampler, 0}, {"origin", QP_VECTOR, 0}, {0}};
    if (mask->step.program != NULL && mask->type == type)
        return QP_OK;
    mask->type = type;
    return qp_step_make(mask->buffer.context, &source, names, &mask->step);
}

/* Marks all texels that the shader does not drop. */
static enum qp_status mark(const struct qp_mask *mask, const struct qp_array *array)
{
    const struct qp_test_buffer *buffer = &mask->buffer;
    const struct qp_step_value values[] = {{.texture = &array->storage->texture},
                                           {.x = array->x, .y = array->y}};
    const struct qp_gl_pass pass = {
        .step = &mask->step,
        .values = values,
        .surface = {buffer->framebuffer_id, GL_NONE},
        .width = buffer->width,
        .height = buffer->height,
        .geometry = qp_quad(0.0f, 0.0f, (float)buffer->width, (float)buffer->height),
        .test = {QP_TEST_MARK, 0}};
    qp_test_buffer_clear(buffer, 0.0f);
    qp_step_run(buffer->context, &pass);
    return qp_gl_check(buffer->context, "setting a mask");
}

enum qp_status qp_mask_set(struct qp_mask *mask, const struct qp_array *array)
{
    struct qp_call call;
    enum qp_status status = qp_object_begin(&call, mask, QP_OBJECT_MASK, "mask");
    if (status == QP_OK)
        status = check(mask, array);
    if (status == QP_OK)
        status = make_step(mask, array->desc.type);
    if (status == QP_OK)
        status = mark(mask, array);
    return qp_call_end(&call, status);
}

/* ---- Depths ---- */

static enum qp_status clear_depth(const struct qp_depth *depth)
{
    qp_test_buffer_clear(&depth->buffer, depth->keeps == QP_DEPTH_NEAREST ? 1.0f : 0.0f);
    return qp_gl_check(depth->buffer.context, "clearing a depth");
}

static enum qp_status create_depth(struct qp_context *context, int width, int height,
                                   enum qp_depth_keeps keeps, struct qp_depth **out)
{
    if ((unsigned)keeps > QP_DEPTH_FARTHEST)
        return qp_fail(QP_BAD_USE, "a depth keeps %d, which is none; see enum qp_depth_keeps",
                       (int)keeps);
    struct qp_depth *depth = qp_alloc_zero(1, sizeof *depth, "a depth");
    if (depth == NULL)
        return QP_NO_MEMORY;
    depth->keeps = keeps;
    enum qp_status status =
        make_buffer(context, "a depth", GL_DEPTH_COMPONENT32F, width, height, &depth->buffer);
    if (status == QP_OK)
        status = clear_depth(depth);
    if (status == QP_OK)
        status = qp_object_born(depth, QP_OBJECT_DEPTH, context, abandon);
    if (status == QP_OK)
        *out = depth;
    else
        abandon(depth);
    return status;
}

enum qp_status qp_depth_create(struct qp_context *context, int width, int height,
                               enum qp_depth_keeps keeps, struct qp_depth **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = create_depth(context, width, height, keeps, out);
    return qp_call_end(&call, status);
}

enum qp_status qp_depth_clear(struct qp_depth *depth)
{
    struct qp_call call;
    enum qp_status status = qp_object_begin(&call, depth, QP_OBJECT_DEPTH, "depth");
    if (status == QP_OK)
        status = clear_depth(depth);
    return qp_call_end(&call, status);
}

void qp_depth_destroy(struct qp_depth **depth)
{
    qp_object_destroy(depth, QP_OBJECT_DEPTH, "depth", abandon);
}
