/* SPDX-License-Identifier: MIT */
#include "toolkit/arrays/array.h"

#include <stdlib.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/base/caller.h"

/* ---- Descriptions ---- */

static enum qp_status check_names(const struct qp_array_desc *desc)
{
    if ((unsigned)desc->type > QP_ARRAY_DOUBLE)
        return qp_fail(QP_BAD_USE, "an array's type is %d, which is none; see enum qp_array_type",
                       (int)desc->type);
    if ((unsigned)desc->outside > QP_OUTSIDE_VALUE)
        return qp_fail(QP_BAD_USE, "an array's outside is %d, which is none; see enum qp_outside",
                       (int)desc->outside);
    if (qp_array_format(desc->type, desc->channels) == QP_FORMATS)
        return qp_fail(QP_BAD_USE, "an array of %d channels%s; cells have 1%s values",
                       desc->channels, desc->type == QP_ARRAY_DOUBLE ? " of doubles" : "",
                       desc->type == QP_ARRAY_DOUBLE ? " or 2" : ", 2 or 4");
    return QP_OK;
}

/* The description of an array that may have tiles. */
static enum qp_status check_any_desc(const struct qp_context *context,
                                     const struct qp_array_desc *desc, struct qp_array_desc *out)
{
    union qp_cell_value cell;
    *out = *desc;
    if (out->channels == 0)
        out->channels = 1;
    enum qp_status status = check_names(out);
    if (status == QP_OK && out->outside == QP_OUTSIDE_VALUE)
        status = qp_array_cell(out->type, out->value, &cell);
    if (status != QP_OK)
        return status;
    if (out->width < 1 || out->height < 1)
        return qp_fail(QP_BAD_USE, "an array of %d x %d cells; both sizes are at least 1",
                       out->width, out->height);
    if (out->width > QP_MOST_CELLS || out->height > QP_MOST_CELLS)
        return qp_fail(QP_UNSUPPORTED,
                       "an array of %d x %d cells: above this device's rectangle_limit of %d, "
                       "arrays have at most %d cells each way, which floats can count by halves",
                       out->width, out->height, context->device.rectangle_limit, QP_MOST_CELLS);
    return qp_array_check_device(context, out->type, out->channels);
}

enum qp_status qp_array_check_desc(const struct qp_context *context, GLenum target,
                                   const struct qp_array_desc *desc, struct qp_array_desc *out)
{
    const bool flat = target == GL_TEXTURE_2D;
    const int limit = qp_texture_limit(&context->device, target);
    const enum qp_status status = check_any_desc(context, desc, out);
    if (status == QP_OK && (out->width > limit || out->height > limit))
        return qp_fail(QP_UNSUPPORTED,
                       "an array of %d x %d cells is above this device's %s of %d cells each way",
                       out->width, out->height, flat ? "texture_limit" : "rectangle_limit", limit);
    return status;
}

size_t qp_array_cell_bytes(const struct qp_array_desc *desc)
{
    return qp_texel_bytes(qp_array_format(desc->type, desc->channels));
}

/* ---- Looks at arrays ---- */

enum qp_status qp_array_check_any(const struct qp_array *array, const struct qp_context *context,
                                  const char *what)
{
    return qp_object_check(array, QP_OBJECT_ARRAY, context, what);
}

static enum qp_status refuse_tiles(const struct qp_array *array, const char *what)
{
    return array->tiles == NULL ? QP_OK : qp_tiles_refuse(array, what, "this function");
}

enum qp_status qp_array_check(const struct qp_array *array, const struct qp_context *context,
                              const char *what)
{
    const enum qp_status status = qp_array_check_any(array, context, what);
    return status == QP_OK ? refuse_tiles(array, what) : status;
}

enum qp_status qp_array_begin_any(struct qp_call *call, const struct qp_array *array,
                                  const char *what)
{
    return qp_object_begin(call, array, QP_OBJECT_ARRAY, what);
}

enum qp_status qp_array_begin(struct qp_call *call, const struct qp_array *array, const char *what)
{
    const enum qp_status status = qp_array_begin_any(call, array, what);
    return status == QP_OK ? refuse_tiles(array, what) : status;
}

enum qp_status qp_array_part(const struct qp_array *array, const struct qp_rect *part,
                             struct qp_rect *out)
{
    const int width = array->desc.width, height = array->desc.height;
    *out = part != NULL ? *part : (struct qp_rect){0, 0, width, height};
    if (out->width < 1 || out->height < 1)
        return qp_fail(QP_BAD_USE, "a part of %d x %d cells; both sizes are at least 1", out->width,
                       out->height);
    if (out->x < 0 || out->y < 0 || out->width > width - out->x || out->height > height - out->y)
        return qp_fail(QP_BAD_USE,
                       "a part of %d x %d cells at (%d, %d) is not inside an array of %d x %d",
                       out->width, out->height, out->x, out->y, width, height);
    return QP_OK;
}

bool qp_array_shares(const struct qp_array *array, const struct qp_array *other)
{
    return array->storage->context == other->storage->context &&
           array->storage->texture.id == other->storage->texture.id;
}

enum qp_status qp_array_surface(const struct qp_array *array, struct qp_surface *out)
{
    *out = (struct qp_surface){array->storage->framebuffer_id, GL_COLOR_ATTACHMENT0};
    return QP_OK;
}

/* ---- Making arrays ---- */

static void abandon(void *object)
{
    struct qp_array *array = object;
    if (array->tiles != NULL)
        qp_tiles_abandon(array->tiles);
    else
        qp_storage_abandon(array->storage);
    free(array);
}

static void release(const struct qp_array *cells)
{
    if (cells->tiles != NULL)
        qp_tiles_release(cells->tiles);
    else
        qp_storage_release(cells->storage);
}

enum qp_status qp_array_make(const struct qp_array *cells, struct qp_array **out)
{
    struct qp_array *array = qp_alloc_zero(1, sizeof *array, "an array");
    enum qp_status status =
        array != NULL ? qp_object_born(array, QP_OBJECT_ARRAY, cells->storage->context, abandon)
                      : QP_NO_MEMORY;
    if (status != QP_OK) {
        release(cells);
        free(array);
        return status;
    }
    *array = *cells;
    *out = array;
    return QP_OK;
}

/* Texels for all cells; they are undefined. */
static enum qp_status make_cells(struct qp_context *context, struct qp_array *array)
{
    const struct qp_array_desc *desc = &array->desc;
    if (qp_tiles_are_needed(context, desc)) {
        const enum qp_status status = qp_tiles_make(context, desc, &array->tiles);
        if (status == QP_OK)
            array->storage = array->tiles->at[0];
        return status;
    }
    const enum qp_format format = qp_array_format(desc->type, desc->channels);
    const enum qp_status status =
        qp_storage_create(context, format, desc->width, desc->height, &array->storage);
    if (status == QP_OK)
        qp_storage_set_outside(array->storage, desc);
    return status;
}

static enum qp_status create(struct qp_context *context, const struct qp_array_desc *desc,
                             const void *values, struct qp_array **out)
{
    static const union qp_cell_value zero;
    const struct qp_rect all = {0, 0, desc->width, desc->height};
    struct qp_array cells = {0};
    enum qp_status status = check_any_desc(context, desc, &cells.desc);
    if (status == QP_OK)
        status = make_cells(context, &cells);
    if (status != QP_OK)
        return status;
    if (values != NULL)
        qp_tiles_send(&cells, &all, values, desc->width);
    else
        qp_tiles_clear(&cells, &all, &zero);
    if ((status = qp_gl_check(context, "making an array")) == QP_OK)
        return qp_array_make(&cells, out);
    release(&cells);
    return status;
}

enum qp_status qp_array_create(struct qp_context *context, const struct qp_array_desc *desc,
                               const void *values, struct qp_array **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context) || QP_NEED(desc))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = create(context, desc, values, out);
    return qp_call_end(&call, status);
}

enum qp_status qp_array_view(struct qp_array *array, const struct qp_rect *part,
                             struct qp_array **out)
{
    struct qp_call call;
    struct qp_rect cells;
    if (QP_NEED_OUT(out, NULL))
        return QP_BAD_USE;
    enum qp_status status = qp_array_begin(&call, array, "array");
    if (status == QP_OK)
        status = qp_array_part(array, part, &cells);
    if (status == QP_OK) {
        struct qp_array view = *array;
        view.x += cells.x;
        view.y += cells.y;
        view.desc.width = cells.width;
        view.desc.height = cells.height;
        view.storage->users++;
        status = qp_array_make(&view, out);
    }
    return qp_call_end(&call, status);
}

static void destroy(void *array)
{
    release(array);
    free(array);
}

void qp_array_destroy(struct qp_array **array)
{
    qp_object_destroy(array, QP_OBJECT_ARRAY, "array", destroy);
}

/* ---- Descriptions ---- */

struct qp_array_desc qp_array_describe(const struct qp_array *array)
{
    return qp_array_check_any(array, NULL, "array") == QP_OK ? array->desc
                                                             : (struct qp_array_desc){0};
}

struct qp_array_texture qp_array_texture(const struct qp_array *array)
{
    if (qp_array_check(array, NULL, "array") != QP_OK)
        return (struct qp_array_texture){0};
    const struct qp_texture *texture = &array->storage->texture;
    array->storage->shown = true;
    return (struct qp_array_texture){texture->id, texture->target, array->x, array->y,
                                     qp_texture_internal_format(texture->format)};
}
