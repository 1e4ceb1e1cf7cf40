/* SPDX-License-Identifier: MIT */
/* Rooms 3 to 7 beyond the texture limit (domain decomposition). Room 2 packs the whole problem as if there were
 * no limit; room 3 cuts the packed arrays into textures that overlap by their padding; a pass is one of each
 * tile, and then neighbours give each other their borders, texture to texture (halo exchange). */
#include "engines/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "engines/check.h"
#include "engines/engines.h"
#include "engines/gl.h"

static struct qp_plan_tiles *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

const struct qp_plan_tiles *qp_tiles_of(const struct qp_plan *plan)
{
    return plan->engine == &qp_engine_tiles ? plan->own : NULL;
}

static struct qp_tile *tile_at(const struct qp_plan *plan, int i, int j)
{
    return &own_of(plan)->tile[j * own_of(plan)->across + i];
}

static int count(const struct qp_plan *plan)
{
    return own_of(plan)->across * own_of(plan)->up;
}

/* ---- Room 3: cutting ---- */

/* Tiles along one side: at least two wherever there are two texels, so that every check crosses a
 * seam; none of more than `most` texels. */
static int tiles_along(int texels, int most)
{
    int tiles = qp_groups_in(texels, most);
    return tiles > 1 ? tiles : qp_least(2, texels);
}

/* The largest domain whose storage stays within the limit, or a smaller one that was asked for. */
static void shrink(const struct qp_layout *whole, int limit, int *most_x, int *most_y)
{
    int x = (limit - (whole->storage_x - whole->domain_x * whole->stride)) / whole->stride;
    int y = limit - (whole->storage_y - whole->domain_y);
    *most_x = qp_least(*most_x, x);
    *most_y = qp_least(*most_y, y);
}

static void choose_sizes(const struct qp_plan *plan, struct qp_plan_tiles *tiles)
{
    const struct qp_device *device = qp_context_device(plan->context);
    int limit = qp_texture_limit(device, qp_gl_target(plan->target));
    const struct qp_tiles_row *row = plan->variant->recipe->own;
    int most_x = row->tile, most_y = most_x;
    shrink(&plan->layout, limit, &most_x, &most_y);
    for (int i = 0; i < plan->inputs; i++)
        shrink(&plan->input_layout[i], limit, &most_x, &most_y);
    tiles->across = tiles_along(plan->layout.domain_x, most_x);
    tiles->up = tiles_along(plan->layout.domain_y, most_y);
}

/* First texel of the k-th of so many tiles, whose sizes differ by one texel at most. */
static int begin(int k, int tiles, int texels)
{
    return (int)((long)k * texels / tiles);
}

static enum qp_status create_tile(struct qp_plan *plan, int i, int j)
{
    const struct qp_plan_tiles *tiles = plan->own;
    const struct qp_layout *whole = &plan->layout;
    const struct qp_walk_desc desc = {.pingpong = plan->pingpong,
                                      .target = plan->target,
                                      .group_x = plan->group_x,
                                      .group_y = plan->group_y,
                                      .every = plan->measures_change,
                                      .warm_seconds = plan->warm_seconds / count(plan)};
    struct qp_tile *tile = tile_at(plan, i, j);
    tile->x = begin(i, tiles->across, whole->domain_x);
    tile->y = begin(j, tiles->up, whole->domain_y);
    int width = (begin(i + 1, tiles->across, whole->domain_x) - tile->x) * whole->neighbours;
    int height = (begin(j + 1, tiles->up, whole->domain_y) - tile->y) * whole->rows;
    tile->problem = *plan->problem;
    tile->problem.width = qp_least(width, whole->cells_x - tile->x * whole->neighbours);
    tile->problem.height = qp_least(height, whole->cells_y - tile->y * whole->rows);
    tile->problem.answer_width = tile->problem.width;
    tile->problem.answer_height = tile->problem.height;
    enum qp_status status =
        qp_plan_check(plan->context, &tiles->variant, &tile->problem, desc.target);
    return status != QP_OK ? status
                           : qp_plan_make(&qp_engine_gl, plan->context, &tiles->variant,
                                          &tile->problem, &desc, &tile->plan);
}

static void *texel_at(const struct qp_layout *layout, const void *texels, int x, int y)
{
    const size_t texel = (size_t)y * (size_t)layout->storage_x + (size_t)x;
    return qp_value_at(texels, layout->precision, texel * (size_t)layout->channels);
}

static size_t bytes_of(const struct qp_layout *layout, int texels)
{
    return (size_t)(texels * layout->channels) * qp_value_bytes(layout->precision);
}

/* Copies a tile's storage out of the whole array; its guards are its own. */
static enum qp_status cut(const struct qp_tile *tile, const struct qp_layout *whole,
                          const void *from, const struct qp_layout *part, void **texels)
{
    int guard_x = part->origin_x - part->pad_x * part->stride;
    int guard_y = part->origin_y - part->pad_y;
    *texels =
        qp_alloc_line(qp_layout_values(part), qp_value_bytes(part->precision), "a tile's texels");
    if (*texels == NULL)
        return QP_NO_MEMORY;
    qp_layout_poison(part, *texels);
    for (int y = guard_y; y < part->storage_y - guard_y; y++)
        memcpy(texel_at(part, *texels, guard_x, y),
               texel_at(whole, from, guard_x + tile->x * whole->stride, y + tile->y),
               bytes_of(part, part->storage_x - 2 * guard_x));
    return QP_OK;
}

/* Room 2 for a tile, and its room 3, after which its arrays are the textures'. */
static enum qp_status upload_tile(const struct qp_plan *plan, struct qp_tile *tile)
{
    struct qp_plan *part = tile->plan;
    enum qp_status status = cut(tile, &plan->layout, plan->texels, &part->layout, &part->texels);
    if (status == QP_OK)
        status = cut(tile, &plan->layout, plan->empty, &part->layout, &part->empty);
    if (status == QP_OK && plan->measures_change)
        status = cut(tile, &plan->layout, plan->scale_texels, &part->layout, &part->scale_texels);
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = cut(tile, &plan->input_layout[i], plan->input_texels[i], &part->input_layout[i],
                     &part->input_texels[i]);
    return status == QP_OK ? part->engine->upload(part) : status;
}

static enum qp_status create_tiles(struct qp_plan *plan)
{
    struct qp_plan_tiles *tiles = qp_alloc_zero(1, sizeof *tiles, "a plan's tiles");
    plan->own = tiles;
    if (tiles == NULL)
        return QP_NO_MEMORY;
    tiles->recipe = *plan->variant->recipe;
    tiles->recipe.engine = &qp_engine_gl;
    tiles->variant = *plan->variant;
    tiles->variant.recipe = &tiles->recipe;
    choose_sizes(plan, tiles);
    tiles->tile = qp_alloc_zero((size_t)count(plan), sizeof *tiles->tile, "a plan's tiles");
    return tiles->tile != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status upload(struct qp_plan *plan)
{
    enum qp_status status = create_tiles(plan);
    for (int k = 0; status == QP_OK && k < count(plan); k++) {
        status = create_tile(plan, k % own_of(plan)->across, k / own_of(plan)->across);
        if (status == QP_OK)
            status = upload_tile(plan, &own_of(plan)->tile[k]);
    }
    for (int i = 0; i < plan->inputs; i++) {
        free(plan->input_texels[i]); /* the tiles have them now */
        plan->input_texels[i] = NULL;
    }
    return status;
}

/* ---- Rooms 4 to 6 ---- */

static enum qp_status program(struct qp_plan *plan)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < count(plan) && status == QP_OK; k++) {
        struct qp_plan *part = own_of(plan)->tile[k].plan;
        status = part->engine->program(part);
        plan->group_x = part->group_x;
        plan->group_y = part->group_y;
    }
    return status;
}

static void give(const struct qp_tile *from, const struct qp_tile *to, struct qp_block block)
{
    qp_pingpong_copy(qp_plan_gl_pair(from->plan), qp_plan_gl_pair(to->plan), &block);
}

/* Exchanges columns: the last ones of the left tile are the padding left of the right tile, and its first ones
 * the padding right of the left tile. */
static void share_columns(const struct qp_tile *left, const struct qp_tile *right)
{
    const struct qp_layout *l = &left->plan->layout, *r = &right->plan->layout;
    int pad = l->pad_x, end = l->origin_x + l->domain_x, y = l->origin_y, height = l->domain_y;
    give(left, right, (struct qp_block){end - pad, y, r->origin_x - pad, y, pad, height});
    give(right, left, (struct qp_block){r->origin_x, y, end, y, pad, height});
}

/* Exchanges rows, with the padding at both ends, which holds the corners. */
static void share_rows(const struct qp_tile *below, const struct qp_tile *above)
{
    const struct qp_layout *b = &below->plan->layout, *a = &above->plan->layout;
    int pad = b->pad_y, end = b->origin_y + b->domain_y;
    int x = b->origin_x - b->pad_x, width = b->domain_x + 2 * b->pad_x;
    give(below, above, (struct qp_block){x, end - pad, x, a->origin_y - pad, width, pad});
    give(above, below, (struct qp_block){x, a->origin_y, x, end, width, pad});
}

/* Exchanges all borders, columns first: rows then carry to the corners the values that columns brought. */
static void exchange(const struct qp_plan *plan)
{
    const struct qp_plan_tiles *tiles = plan->own;
    for (int j = 0; j < tiles->up; j++) {
        for (int i = 1; i < tiles->across; i++)
            share_columns(tile_at(plan, i - 1, j), tile_at(plan, i, j));
    }
    for (int j = 1; j < tiles->up; j++) {
        for (int i = 0; i < tiles->across; i++)
            share_rows(tile_at(plan, i, j - 1), tile_at(plan, i, j));
    }
}

static enum qp_status pass(struct qp_plan *plan)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < count(plan) && status == QP_OK; k++) {
        struct qp_plan *part = own_of(plan)->tile[k].plan;
        status = part->engine->pass(part);
    }
    if (status == QP_OK)
        exchange(plan);
    return status;
}

static void swap(struct qp_plan *plan)
{
    for (int k = 0; k < count(plan); k++) {
        struct qp_plan *part = own_of(plan)->tile[k].plan;
        part->engine->swap(part);
    }
}

static enum qp_status finish(struct qp_plan *plan)
{
    return qp_engine_gl.finish(plan);
}

/* Norm of the change: each tile measures the cells it owns. */
static enum qp_status change(struct qp_plan *plan, double *norm)
{
    enum qp_status status = QP_OK;
    double sum = 0.0;
    for (int k = 0; k < count(plan) && status == QP_OK; k++) {
        struct qp_plan *part = own_of(plan)->tile[k].plan;
        double own = NAN;
        status = part->engine->change(part, &own);
        sum += own * own;
    }
    *norm = sqrt(sum);
    return status;
}

/* ---- Room 7: putting together ---- */

/* A tile's own texels; at the edges of the grid its padding and guards too,
 * for room 8 to look at. */
static void paste(const struct qp_plan *plan, int i, int j, void *texels)
{
    const struct qp_tile *tile = tile_at(plan, i, j);
    const struct qp_layout *part = &tile->plan->layout;
    int left = i == 0 ? 0 : part->origin_x;
    int right = i == own_of(plan)->across - 1 ? part->storage_x : part->origin_x + part->domain_x;
    int bottom = j == 0 ? 0 : part->origin_y;
    int top = j == own_of(plan)->up - 1 ? part->storage_y : part->origin_y + part->domain_y;
    for (int y = bottom; y < top; y++)
        memcpy(texel_at(&plan->layout, texels, left + tile->x, y + tile->y),
               texel_at(part, tile->plan->texels, left, y), bytes_of(part, right - left));
}

static enum qp_status read_tile(const struct qp_plan *plan, int i, int j, bool target, void *texels)
{
    struct qp_plan *part = tile_at(plan, i, j)->plan;
    int x, y;
    enum qp_status status = part->engine->read(part, target, part->texels);
    if (status != QP_OK)
        return status;
    if (!qp_layout_intact(&part->layout, part->texels, NAN, &x, &y))
        return qp_fail(QP_DEVICE,
                       "room 7, readback: %s wrote outside tile (%d, %d), at texel (%d, %d) of a "
                       "domain of %d x %d",
                       plan->variant->name, i, j, x, y, part->layout.domain_x,
                       part->layout.domain_y);
    paste(plan, i, j, texels);
    return QP_OK;
}

static enum qp_status read_all(struct qp_plan *plan, bool target, void *texels)
{
    enum qp_status status = QP_OK;
    for (int j = 0; j < own_of(plan)->up; j++) {
        for (int i = 0; i < own_of(plan)->across && status == QP_OK; i++)
            status = read_tile(plan, i, j, target, texels);
    }
    return status;
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_tiles *tiles = plan->own;
    for (int k = 0; tiles != NULL && tiles->tile != NULL && k < count(plan); k++)
        qp_plan_destroy(&tiles->tile[k].plan);
    if (tiles != NULL)
        free(tiles->tile);
    free(tiles);
    plan->own = NULL;
}

const struct qp_engine qp_engine_tiles = {.upload = upload,
                                          .program = program,
                                          .pass = pass,
                                          .swap = swap,
                                          .finish = finish,
                                          .change = change,
                                          .read = read_all,
                                          .destroy = destroy,
                                          .cuts = true};
