/* SPDX-License-Identifier: MIT */
#include "toolkit/arrays/texture_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/arrays/objects.h"
#include "toolkit/gl/framebuffer.h"

struct qp_texture_pool {
    struct qp_context *context;
    int count;
    double bytes;
    struct qp_pooled_texture at[QP_POOL_TEXTURES]; /* oldest first */
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

static void remove_from(struct qp_texture_pool *pool, int i, struct qp_pooled_texture *out)
{
    *out = pool->at[i];
    pool->count--;
    pool->bytes -= bytes_of(&out->texture);
    memmove(&pool->at[i], &pool->at[i + 1], (size_t)(pool->count - i) * sizeof *out);
    count_kept(pool->context, -1);
}

static void discard(struct qp_pooled_texture *pooled)
{
    qp_framebuffer_destroy(pooled->texture.context, &pooled->framebuffer_id);
    qp_texture_destroy(&pooled->texture);
}

static void delete_oldest(struct qp_texture_pool *pool)
{
    struct qp_pooled_texture oldest;
    remove_from(pool, 0, &oldest);
    discard(&oldest);
}

bool qp_texture_pool_clear(struct qp_context *context)
{
    struct qp_texture_pool *pool = context->texture_pool;
    const bool any = pool != NULL && pool->count > 0;
    while (pool != NULL && pool->count > 0)
        delete_oldest(pool);
    return any;
}

static void abandon(void *object)
{
    struct qp_texture_pool *pool = object;
    struct qp_context *context = pool->context;
    qp_texture_pool_clear(context);
    context->texture_pool = NULL;
    free(pool);
}

/* NULL where there is no memory for one. */
static struct qp_texture_pool *pool_of(struct qp_context *context)
{
    if (context->texture_pool != NULL)
        return context->texture_pool;
    struct qp_texture_pool *pool = qp_alloc_zero(1, sizeof *pool, "a pool of textures");
    if (pool == NULL)
        return NULL;
    pool->context = context;
    if (qp_object_born(pool, QP_OBJECT_TEXTURE_POOL, context, abandon) != QP_OK) {
        free(pool);
        return NULL;
    }
    return context->texture_pool = pool;
}

/* Asking the driver takes longer than a small texture is worth. */
static double limit(const struct qp_texture_pool *pool, double wanted)
{
    if (pool->bytes + wanted <= always_bytes)
        return always_bytes;
    return fmin(most_bytes, qp_gl_memory_there(pool->context) / 4.0);
}

bool qp_texture_pool_take(struct qp_context *context, enum qp_format format, int width, int height,
                          struct qp_pooled_texture *out)
{
    struct qp_texture_pool *pool = context->texture_pool;
    for (int i = pool != NULL ? pool->count - 1 : -1; i >= 0; i--) {
        const struct qp_texture *at = &pool->at[i].texture;
        if (at->format == format && at->width == width && at->height == height) {
            remove_from(pool, i, out);
            return true;
        }
    }
    return false;
}

void qp_texture_pool_put(const struct qp_pooled_texture *pooled)
{
    struct qp_pooled_texture one = *pooled;
    struct qp_texture_pool *pool = pool_of(one.texture.context);
    const double wanted = bytes_of(&one.texture), most = pool != NULL ? limit(pool, wanted) : 0.0;
    if (pool == NULL || wanted > most) {
        discard(&one);
        return;
    }
    while (pool->count == QP_POOL_TEXTURES || pool->bytes + wanted > most)
        delete_oldest(pool);
    pool->at[pool->count++] = one;
    pool->bytes += wanted;
    count_kept(pool->context, 1);
}
