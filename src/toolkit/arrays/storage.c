/* SPDX-License-Identifier: MIT */
/* Textures of arrays: their formats, and how they are made, cleared and given back. */
#include "toolkit/arrays/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/memory.h"
#include "toolkit/gl/framebuffer.h"

/* ---- Formats ---- */

enum { TYPES = QP_ARRAY_DOUBLE + 1, MOST_CHANNELS = 4 };

/* Formats by type and channels; 0, which is luminance, where arrays have none. */
static const enum qp_format formats[TYPES][MOST_CHANNELS + 1] = {
    [QP_ARRAY_FLOAT] = {[1] = QP_R32F, [2] = QP_RG32F, [4] = QP_RGBA32F},
    [QP_ARRAY_HALF] = {[1] = QP_R16F, [2] = QP_RG16F, [4] = QP_RGBA16F},
    [QP_ARRAY_INT] = {[1] = QP_R32I, [2] = QP_RG32I, [4] = QP_RGBA32I},
    [QP_ARRAY_UINT] = {[1] = QP_R32UI, [2] = QP_RG32UI, [4] = QP_RGBA32UI},
    [QP_ARRAY_DOUBLE] = {[1] = QP_RG32UI_WORDS, [2] = QP_RGBA32UI_WORDS},
};

enum qp_format qp_array_format(enum qp_array_type type, int channels)
{
    if ((unsigned)type >= TYPES || channels < 1 || channels > MOST_CHANNELS)
        return QP_FORMATS;
    const enum qp_format format = formats[type][channels];
    return format != 0 ? format : QP_FORMATS;
}

/* The ability that a context must have for it, or 0. */
static unsigned needs_of(enum qp_array_type type, int channels)
{
    static const unsigned needs[QP_FORMATS] = {
        [QP_R32F] = QP_CAN_R32F,           [QP_RG32F] = QP_CAN_RG32F,
        [QP_RGBA32F] = QP_CAN_RGBA32F,     [QP_RGBA16F] = QP_CAN_RGBA16F,
        [QP_RG32UI_WORDS] = QP_CAN_DOUBLE, [QP_RGBA32UI_WORDS] = QP_CAN_DOUBLE};
    const enum qp_format format = qp_array_format(type, channels);
    return format != QP_FORMATS ? needs[format] : 0;
}

enum qp_status qp_array_check_device(const struct qp_context *context, enum qp_array_type type,
                                     int channels)
{
    const unsigned missing = needs_of(type, channels) & ~context->device.abilities;
    for (int i = 0; i < QP_ABILITIES && missing != 0; i++) {
        if (missing & 1u << i)
            return qp_fail(QP_UNSUPPORTED,
                           "an array of %s needs the ability \"%s\", which this device lacks; take "
                           "another type",
                           type == QP_ARRAY_DOUBLE
                               ? "doubles"
                               : qp_format_name(qp_array_format(type, channels)),
                           qp_ability_name(i));
    }
    return QP_OK;
}

/* Rounds to the nearest, of two the even one, with 11 binary digits: drivers clear with truncated
 * numbers. */
static double round_to_half(double value)
{
    enum { LEAST_EXPONENT = -14, DIGITS = 10 };
    if (!isfinite(value))
        return value;
    const int exponent = ilogb(value) > LEAST_EXPONENT ? ilogb(value) : LEAST_EXPONENT;
    const double step = ldexp(1.0, exponent - DIGITS), rounded = nearbyint(value / step) * step;
    return fabs(rounded) > 65504.0 ? copysign(INFINITY, value) : rounded;
}

enum qp_status qp_array_cell(enum qp_array_type type, double value, union qp_cell_value *out)
{
    const double whole = nearbyint(value), least = type == QP_ARRAY_INT ? INT32_MIN : 0.0,
                 most = type == QP_ARRAY_INT ? INT32_MAX : UINT32_MAX;
    const bool fraction = type == QP_ARRAY_FLOAT || type == QP_ARRAY_HALF;
    if (!fraction && type != QP_ARRAY_DOUBLE && !(whole >= least && whole <= most))
        return qp_fail(QP_BAD_USE, "the value %g is no integer of 32 bits, from %.0f to %.0f",
                       value, least, most);
    for (int i = 0; i < 4; i++) {
        if (fraction)
            out->fraction[i] = (GLfloat)(type == QP_ARRAY_HALF ? round_to_half(value) : value);
        else if (type == QP_ARRAY_INT)
            out->integer[i] = (GLint)whole;
        else if (type == QP_ARRAY_UINT)
            out->word[i] = (GLuint)whole;
        else
            memcpy(&out->word[i & 2], &value, sizeof value);
    }
    return QP_OK;
}

/* ---- Textures ---- */

/* Drivers in software promise memory that they do not have. */
enum qp_status qp_room_check(const struct qp_context *context, const char *what, size_t texel_bytes,
                             int width, int height)
{
    const double large = 64.0 * 1048576, bytes = (double)texel_bytes * width * height;
    if (bytes < large || (bytes <= qp_memory_there() && bytes <= qp_gl_memory_there(context)))
        return QP_OK;
    return qp_fail(QP_NO_MEMORY,
                   "no memory for %s of %d x %d cells, %.0f MiB; destroy others, or take a smaller "
                   "one",
                   what, width, height, bytes / 1048576.0);
}

static enum qp_status make_texture(struct qp_context *context, enum qp_format format, int width,
                                   int height, struct qp_pooled_texture *out)
{
    const struct qp_texture *const textures[] = {&out->texture};
    *out = (struct qp_pooled_texture){0};
    const int texel_bytes = qp_format_bytes(format) * qp_format_channels(format);
    enum qp_status status = qp_room_check(context, "an array", (size_t)texel_bytes, width, height);
    if (status == QP_OK)
        status = qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, format, width, height, NULL,
                                   &out->texture);
    if (status == QP_OK)
        status = qp_framebuffer_create(context, textures, 1, &out->framebuffer_id);
    if (status != QP_OK)
        qp_texture_destroy(&out->texture);
    return status;
}

enum qp_status qp_storage_create(struct qp_context *context, enum qp_format format, int width,
                                 int height, struct qp_storage **out)
{
    struct qp_storage *storage = qp_alloc_zero(1, sizeof *storage, "an array");
    struct qp_pooled_texture made;
    enum qp_status status = storage != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && !qp_texture_pool_take(context, format, width, height, &made)) {
        status = make_texture(context, format, width, height, &made);
        if (status == QP_NO_MEMORY && qp_texture_pool_clear(context))
            status = make_texture(context, format, width, height, &made);
    }
    if (status != QP_OK) {
        free(storage);
        return status;
    }
    *storage = (struct qp_storage){.context = context,
                                   .texture = made.texture,
                                   .framebuffer_id = made.framebuffer_id,
                                   .told = made.told,
                                   .users = 1};
    *out = storage;
    return QP_OK;
}

void qp_storage_set_outside(struct qp_storage *storage, const struct qp_array_desc *desc)
{
    const bool border = desc->outside == QP_OUTSIDE_ZERO || desc->outside == QP_OUTSIDE_VALUE;
    const GLint wrap = border ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE;
    const GLenum target = storage->texture.target;
    const struct qp_told wanted = {true, desc->outside,
                                   desc->outside == QP_OUTSIDE_VALUE ? desc->value : 0.0};
    union qp_cell_value cell;
    /* Binding a texture to set this takes the driver longer than a small pass. */
    if (storage->told.known && storage->told.outside == wanted.outside &&
        storage->told.value == wanted.value)
        return;
    storage->told = wanted;
    glBindTexture(target, storage->texture.id);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
    if (!border || qp_array_cell(desc->type, wanted.value, &cell) != QP_OK)
        return;
    if (desc->type == QP_ARRAY_FLOAT || desc->type == QP_ARRAY_HALF)
        glTexParameterfv(target, GL_TEXTURE_BORDER_COLOR, cell.fraction);
    else if (desc->type == QP_ARRAY_INT)
        glTexParameterIiv(target, GL_TEXTURE_BORDER_COLOR, cell.integer);
    else
        glTexParameterIuiv(target, GL_TEXTURE_BORDER_COLOR, cell.word);
}

void qp_storage_clear(const struct qp_storage *storage, const struct qp_rect *texels,
                      const union qp_cell_value *cell)
{
    const enum qp_format format = storage->texture.format;
    glBindFramebuffer(GL_FRAMEBUFFER, storage->framebuffer_id);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(texels->x, texels->y, texels->width, texels->height);
    if (qp_format_kind(format) == QP_INTEGERS)
        glClearBufferiv(GL_COLOR, 0, cell->integer);
    else if (qp_format_kind(format) == QP_UNSIGNED || qp_format_has_words(format))
        glClearBufferuiv(GL_COLOR, 0, cell->word);
    else
        glClearBufferfv(GL_COLOR, 0, cell->fraction);
    glDisable(GL_SCISSOR_TEST);
}

void qp_storage_copy(const struct qp_storage *from, const struct qp_rect *texels,
                     const struct qp_storage *to, int x, int y)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer_id);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer_id);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlitFramebuffer(texels->x, texels->y, texels->x + texels->width, texels->y + texels->height,
                      x, y, x + texels->width, y + texels->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void qp_storage_release(struct qp_storage *storage)
{
    struct qp_pooled_texture mine = {storage->texture, storage->framebuffer_id, storage->told};
    mine.told.known &= !storage->shown;
    if (--storage->users > 0)
        return;
    if (storage->adopted)
        qp_framebuffer_destroy(storage->context, &storage->framebuffer_id);
    else
        qp_texture_pool_put(&mine);
    free(storage);
}

void qp_storage_abandon(struct qp_storage *storage)
{
    if (--storage->users > 0)
        return;
    qp_framebuffer_destroy(storage->context, &storage->framebuffer_id);
    if (!storage->adopted)
        qp_texture_destroy(&storage->texture);
    free(storage);
}
