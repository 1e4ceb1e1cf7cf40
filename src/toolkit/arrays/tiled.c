/* SPDX-License-Identifier: MIT */
#include "toolkit/arrays/tiled.h"

#include <stdlib.h>

#include "toolkit/base/whole.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/readback.h"

/* ---- Tiles ---- */

bool qp_tiles_are_needed(const struct qp_context *context, const struct qp_array_desc *desc)
{
    const int limit = context->device.rectangle_limit;
    return desc->width > limit || desc->height > limit;
}

enum qp_status qp_tiles_refuse(const struct qp_array *array, const char *what, const char *by)
{
    return qp_fail(
        QP_UNSUPPORTED,
        "'%s' has %d x %d cells, above this device's rectangle_limit of %d, and is kept "
        "in tiles, which %s does not take; toolkit.md, Limits, in share/doc/quadpass/docs "
        "names what does",
        what, array->desc.width, array->desc.height,
        array->storage->context->device.rectangle_limit, by);
}

struct qp_tile qp_tile_at(const struct qp_array *array, int x, int y)
{
    const struct qp_tiles *tiles = array->tiles;
    const int width = array->desc.width, height = array->desc.height;
    if (tiles == NULL)
        return (struct qp_tile){*array, {0, 0, width, height}};
    const int column = x / tiles->width, row = y / tiles->height;
    struct qp_tile tile = {
        .array = {.storage = tiles->at[(size_t)row * (size_t)tiles->across + (size_t)column],
                  .desc = array->desc},
        .cells = {column * tiles->width, row * tiles->height, 0, 0}};
    tile.array.x = -tile.cells.x;
    tile.array.y = -tile.cells.y;
    tile.cells.width = qp_least(tiles->width, width - tile.cells.x);
    tile.cells.height = qp_least(tiles->height, height - tile.cells.y);
    return tile;
}

bool qp_tile_next(const struct qp_array *array, const struct qp_rect *part, struct qp_tile *tile)
{
    const int right = part->x + part->width, top = part->y + part->height;
    const struct qp_rect *before = &tile->cells;
    int x = part->x, y = part->y;
    if (tile->array.storage != NULL) {
        x = before->x + before->width;
        y = before->y;
    }
    if (x == right) {
        x = part->x;
        y += before->height;
    }
    if (y == top)
        return false;
    *tile = qp_tile_at(array, x, y);
    const int tile_right = tile->cells.x + tile->cells.width,
              tile_top = tile->cells.y + tile->cells.height;
    tile->cells =
        (struct qp_rect){x, y, qp_least(right, tile_right) - x, qp_least(top, tile_top) - y};
    return true;
}

/* ---- Making and destroying ---- */

static void release_each(struct qp_tiles *tiles, void (*release)(struct qp_storage *storage))
{
    const size_t count = (size_t)tiles->across * (size_t)tiles->up;
    for (size_t i = 0; i < count; i++) {
        if (tiles->at[i] != NULL)
            release(tiles->at[i]);
    }
    free(tiles);
}

void qp_tiles_release(struct qp_tiles *tiles)
{
    release_each(tiles, qp_storage_release);
}

void qp_tiles_abandon(struct qp_tiles *tiles)
{
    release_each(tiles, qp_storage_abandon);
}

/* Plans the smallest possible number of tiles, of nearly equal sizes, without textures yet. */
static enum qp_status plan(const struct qp_context *context, const struct qp_array_desc *desc,
                           struct qp_tiles **out)
{
    const int limit = context->device.rectangle_limit;
    const int across = (desc->width - 1) / limit + 1, up = (desc->height - 1) / limit + 1;
    const size_t count = (size_t)across * (size_t)up;
    const enum qp_format format = qp_array_format(desc->type, desc->channels);
    const int texel_bytes = qp_format_bytes(format) * qp_format_channels(format);
    const enum qp_status status =
        qp_room_check(context, "an array", (size_t)texel_bytes, desc->width, desc->height);
    if (status != QP_OK)
        return status;
    struct qp_tiles *tiles =
        qp_alloc_zero(1, sizeof *tiles + count * sizeof tiles->at[0], "an array");
    if (tiles == NULL)
        return QP_NO_MEMORY;
    *tiles = (struct qp_tiles){.across = across,
                               .up = up,
                               .width = qp_groups_in(desc->width, across),
                               .height = qp_groups_in(desc->height, up)};
    *out = tiles;
    return QP_OK;
}

/* The textures; `whole` is the array to be. */
static enum qp_status make_textures(struct qp_context *context, const struct qp_array *whole)
{
    const struct qp_array_desc *desc = &whole->desc;
    const struct qp_tiles *tiles = whole->tiles;
    enum qp_status status = QP_OK;
    for (int row = 0; row < tiles->up; row++) {
        for (int column = 0; column < tiles->across && status == QP_OK; column++) {
            const struct qp_tile tile =
                qp_tile_at(whole, column * tiles->width, row * tiles->height);
            struct qp_storage **at =
                &whole->tiles->at[(size_t)row * (size_t)tiles->across + (size_t)column];
            status = qp_storage_create(context, qp_array_format(desc->type, desc->channels),
                                       tile.cells.width, tile.cells.height, at);
            if (status == QP_OK)
                qp_storage_set_outside(*at, desc);
        }
    }
    return status;
}

enum qp_status qp_tiles_make(struct qp_context *context, const struct qp_array_desc *desc,
                             struct qp_tiles **out)
{
    struct qp_array whole = {.desc = *desc};
    enum qp_status status = plan(context, desc, &whole.tiles);
    if (status != QP_OK)
        return status;
    status = make_textures(context, &whole);
    if (status == QP_OK)
        *out = whole.tiles;
    else
        qp_tiles_release(whole.tiles);
    return status;
}

/* ---- Cells ---- */

/* Bytes from the first of all cells' values to a tile's piece, with `apart` cells from a row to the
 * next. */
static size_t offset_of(const struct qp_tile *tile, const struct qp_rect *cells, int apart)
{
    const size_t before =
        (size_t)(tile->cells.y - cells->y) * (size_t)apart + (size_t)(tile->cells.x - cells->x);
    return before * qp_texel_bytes(tile->array.storage->texture.format);
}

void qp_tiles_send(const struct qp_array *array, const struct qp_rect *cells, const void *values,
                   int apart)
{
    struct qp_tile tile = {0};
    while (qp_tile_next(array, cells, &tile))
        qp_texture_send_rows(&tile.array.storage->texture, tile.array.x + tile.cells.x,
                             tile.array.y + tile.cells.y, tile.cells.width, tile.cells.height,
                             (const char *)values + offset_of(&tile, cells, apart), apart);
}

void qp_tiles_fetch(const struct qp_array *array, const struct qp_rect *cells, void *values,
                    int apart)
{
    struct qp_tile tile = {0};
    while (qp_tile_next(array, cells, &tile)) {
        const struct qp_storage *storage = tile.array.storage;
        const struct qp_surface surface = {storage->framebuffer_id, GL_COLOR_ATTACHMENT0};
        qp_readback_ask(storage->context, surface, storage->texture.format, 0,
                        tile.array.x + tile.cells.x, tile.array.y + tile.cells.y, tile.cells.width,
                        tile.cells.height, (char *)values + offset_of(&tile, cells, apart), apart);
    }
}

void qp_tiles_clear(const struct qp_array *array, const struct qp_rect *cells,
                    const union qp_cell_value *value)
{
    struct qp_tile tile = {0};
    while (qp_tile_next(array, cells, &tile)) {
        const struct qp_rect texels = {tile.array.x + tile.cells.x, tile.array.y + tile.cells.y,
                                       tile.cells.width, tile.cells.height};
        qp_storage_clear(tile.array.storage, &texels, value);
    }
}

void qp_tiles_copy(const struct qp_array *from, const struct qp_rect *part,
                   const struct qp_array *to, int x, int y)
{
    struct qp_tile source = {0};
    while (qp_tile_next(from, part, &source)) {
        const struct qp_rect cells = {source.cells.x - part->x + x, source.cells.y - part->y + y,
                                      source.cells.width, source.cells.height};
        struct qp_tile target = {0};
        while (qp_tile_next(to, &cells, &target)) {
            const struct qp_rect texels = {source.array.x + target.cells.x - x + part->x,
                                           source.array.y + target.cells.y - y + part->y,
                                           target.cells.width, target.cells.height};
            qp_storage_copy(source.array.storage, &texels, target.array.storage,
                            target.array.x + target.cells.x, target.array.y + target.cells.y);
        }
    }
}
