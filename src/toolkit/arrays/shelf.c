/* SPDX-License-Identifier: MIT */
#include "toolkit/arrays/shelf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/arrays/objects.h"
#include "toolkit/gl/framebuffer.h"

struct qp_shelf {
    struct qp_context *context;
    int count;
    double bytes;
    struct qp_shelved at[QP_SHELF_TEXTURES]; /* oldest first */
};

static const double most_bytes = 256.0 * 1048576, always_bytes = 16.0 * 1048576;

static double bytes_of(const struct qp_texture *texture)
{
    return (double)qp_format_bytes(texture->format) * qp_format_channels(texture->format) *
           texture->width * texture->height;
}

/* Objects of runs become kept ones, or the other way. */
static void count_kept(struct qp_context *context, int more)
{
    enum { TEXTURE_AND_FRAMEBUFFER = 2 };
    context->counters.kept_objects += (size_t)(more * TEXTURE_AND_FRAMEBUFFER);
    context->counters.live_objects -= (size_t)(more * TEXTURE_AND_FRAMEBUFFER);
}

static void remove_from(struct qp_shelf *shelf, int i, struct qp_shelved *out)
{
    *out = shelf->at[i];
    shelf->count--;
    shelf->bytes -= bytes_of(&out->texture);
    memmove(&shelf->at[i], &shelf->at[i + 1], (size_t)(shelf->count - i) * sizeof *out);
    count_kept(shelf->context, -1);
}

static void discard(struct qp_shelved *shelved)
{
    qp_framebuffer_destroy(shelved->texture.context, &shelved->framebuffer_id);
    qp_texture_destroy(&shelved->texture);
}

static void delete_oldest(struct qp_shelf *shelf)
{
    struct qp_shelved oldest;
    remove_from(shelf, 0, &oldest);
    discard(&oldest);
}

bool qp_shelf_clear(struct qp_context *context)
{
    struct qp_shelf *shelf = context->shelf;
    const bool any = shelf != NULL && shelf->count > 0;
    while (shelf != NULL && shelf->count > 0)
        delete_oldest(shelf);
    return any;
}

static void abandon(void *object)
{
    struct qp_shelf *shelf = object;
    struct qp_context *context = shelf->context;
    qp_shelf_clear(context);
    context->shelf = NULL;
    free(shelf);
}

/* NULL where there is no memory for one. */
static struct qp_shelf *shelf_of(struct qp_context *context)
{
    if (context->shelf != NULL)
        return context->shelf;
    struct qp_shelf *shelf = qp_alloc_zero(1, sizeof *shelf, "a shelf of textures");
    if (shelf == NULL)
        return NULL;
    shelf->context = context;
    if (qp_object_born(shelf, QP_OBJECT_SHELF, context, abandon) != QP_OK) {
        free(shelf);
        return NULL;
    }
    return context->shelf = shelf;
}

/* Asking the driver takes longer than a small texture is worth. */
static double limit(const struct qp_shelf *shelf, double wanted)
{
    if (shelf->bytes + wanted <= always_bytes)
        return always_bytes;
    return fmin(most_bytes, qp_gl_memory_there(shelf->context) / 4.0);
}

bool qp_shelf_take(struct qp_context *context, enum qp_format format, int width, int height,
                   struct qp_shelved *out)
{
    struct qp_shelf *shelf = context->shelf;
    for (int i = shelf != NULL ? shelf->count - 1 : -1; i >= 0; i--) {
        const struct qp_texture *at = &shelf->at[i].texture;
        if (at->format == format && at->width == width && at->height == height) {
            remove_from(shelf, i, out);
            return true;
        }
    }
    return false;
}

void qp_shelf_put(const struct qp_shelved *shelved)
{
    struct qp_shelved one = *shelved;
    struct qp_shelf *shelf = shelf_of(one.texture.context);
    const double wanted = bytes_of(&one.texture), most = shelf != NULL ? limit(shelf, wanted) : 0.0;
    if (shelf == NULL || wanted > most) {
        discard(&one);
        return;
    }
    while (shelf->count == QP_SHELF_TEXTURES || shelf->bytes + wanted > most)
        delete_oldest(shelf);
    shelf->at[shelf->count++] = one;
    shelf->bytes += wanted;
    count_kept(shelf->context, 1);
}
