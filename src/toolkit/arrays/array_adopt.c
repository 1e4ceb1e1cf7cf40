/* SPDX-License-Identifier: MIT */
/* Arrays of what is there: a texture of the caller's, and a Matrix Market file. */
#include <quadpass/market.h>

#include <math.h>
#include <stdlib.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/framebuffer.h"

/* ---- Textures ---- */

/* Type and channels of an internal format; of two types that share one, integers. */
static bool find_format(GLint internal, struct qp_array_desc *desc)
{
    static const int channels[] = {1, 2, 4};
    for (int i = 0; i < QP_ARRAY_DOUBLE * 3; i++) {
        desc->type = (enum qp_array_type)(i / 3);
        desc->channels = channels[i % 3];
        if (qp_texture_internal_format(qp_array_format(desc->type, desc->channels)) == internal)
            return true;
    }
    return false;
}

static enum qp_status ask(GLuint texture, GLenum target, struct qp_array_desc *desc)
{
    const char *name = target == GL_TEXTURE_2D ? "GL_TEXTURE_2D" : "GL_TEXTURE_RECTANGLE";
    GLint internal = 0;
    if (target != GL_TEXTURE_2D && target != GL_TEXTURE_RECTANGLE_ARB)
        return qp_fail(QP_BAD_USE,
                       "a texture of target 0x%x; arrays are of GL_TEXTURE_RECTANGLE or "
                       "GL_TEXTURE_2D",
                       target);
    if (!glIsTexture(texture) || !qp_texture_ask(texture, target, GL_TEXTURE_WIDTH, &desc->width))
        return qp_fail(QP_BAD_USE, "%u is no texture of target %s in this context", texture, name);
    qp_texture_ask(texture, target, GL_TEXTURE_HEIGHT, &desc->height);
    qp_texture_ask(texture, target, GL_TEXTURE_INTERNAL_FORMAT, &internal);
    if (desc->width < 1 || desc->height < 1)
        return qp_fail(QP_BAD_USE, "texture %u has no image; give it one before it is adopted",
                       texture);
    if (!find_format(internal, desc))
        return qp_fail(
            QP_UNSUPPORTED,
            "texture %u has the internal format 0x%x, which arrays do not have; take one "
            "such as GL_R32F or GL_RGBA32F",
            texture, (unsigned)internal);
    return QP_OK;
}

static enum qp_status make_storage(struct qp_context *context, GLuint texture, GLenum target,
                                   const struct qp_array_desc *desc, struct qp_storage **out)
{
    struct qp_storage *storage = qp_alloc_zero(1, sizeof *storage, "an array");
    if (storage == NULL)
        return QP_NO_MEMORY;
    *storage =
        (struct qp_storage){.context = context,
                            .texture = {.context = context,
                                        .id = texture,
                                        .target = target,
                                        .format = qp_array_format(desc->type, desc->channels),
                                        .width = desc->width,
                                        .height = desc->height},
                            .users = 1,
                            .adopted = true};
    const struct qp_texture *const textures[] = {&storage->texture};
    enum qp_status status = qp_framebuffer_create(context, textures, 1, &storage->framebuffer_id);
    if (status == QP_OK)
        *out = storage;
    else
        free(storage);
    return status;
}

static enum qp_status adopt(struct qp_context *context, GLuint texture, GLenum target,
                            struct qp_array **out)
{
    struct qp_array_desc desc = {0};
    struct qp_storage *storage;
    enum qp_status status = ask(texture, target, &desc);
    if (status == QP_OK)
        status = qp_array_check_desc(context, target, &desc, &desc);
    if (status == QP_OK)
        status = make_storage(context, texture, target, &desc, &storage);
    if (status != QP_OK)
        return status;
    qp_storage_set_outside(storage, &desc);
    if ((status = qp_gl_check(context, "adopting a texture")) == QP_OK)
        return qp_array_make(&(struct qp_array){.storage = storage, .desc = desc}, out);
    qp_storage_release(storage);
    return status;
}

enum qp_status qp_array_adopt(struct qp_context *context, unsigned texture, unsigned target,
                              struct qp_array **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = adopt(context, texture, target, out);
    return qp_call_end(&call, status);
}

/* ---- Files ---- */

static enum qp_status unfold(const struct qp_market *market, float **out)
{
    const size_t rows = (size_t)market->rows, columns = (size_t)market->columns;
    float *values = qp_alloc_zero(rows * columns, sizeof *values, "the values of an array");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < market->count; k++) {
        const size_t row = market->dense ? k % rows : (size_t)market->row[k],
                     column = market->dense ? k / rows : (size_t)market->column[k];
        values[row * columns + column] = (float)market->value[k];
        if (isfinite(values[row * columns + column]))
            continue;
        free(values);
        return qp_fail(QP_BAD_INPUT,
                       "row %zu, column %zu holds %g, beyond the float of an array (scale the "
                       "values)",
                       row + 1, column + 1, market->value[k]);
    }
    *out = values;
    return QP_OK;
}

static enum qp_status create_from(struct qp_context *context, const struct qp_market *market,
                                  struct qp_array **out)
{
    struct qp_array_desc desc = {.width = market->columns, .height = market->rows};
    float *values = NULL;
    enum qp_status status = qp_array_check_desc(context, GL_TEXTURE_RECTANGLE_ARB, &desc, &desc);
    if (status == QP_OK)
        status = unfold(market, &values);
    if (status == QP_OK)
        status = qp_array_create(context, &desc, values, out);
    free(values);
    return status;
}

enum qp_status qp_array_read_market(struct qp_context *context, const char *path,
                                    struct qp_array **out)
{
    struct qp_call call;
    struct qp_market market;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context) || QP_NEED(path))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = qp_market_read(path, &market);
    if (status == QP_OK) {
        status = create_from(context, &market, out);
        if (status != QP_OK)
            qp_fail_within(status, "%s", path);
        qp_market_destroy(&market);
    }
    return qp_call_end(&call, status);
}
