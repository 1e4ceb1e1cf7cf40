/* SPDX-License-Identifier: MIT */
#include "toolkit/tiled.h"

#include <stdlib.h>

#include "base/whole.h"
#include "gl/context.h"

/* ---- Tiles ---- */

bool qp_tiles_are_needed(const struct qp_context *context, const struct qp_array_desc *desc)
{
    const int limit = context->device.rectangle_limit;
    return desc->width > limit || desc->height > limit;
}

enum qp_status qp_tiles_refuse(const struct qp_array *array, const char *what, const char *by)
{
    return qp_fail(QP_UNSUPPORTED,
                   "'%s' has %d x %d cells, above this device's rectangle_limit of %d, and is kept "
                   "in tiles, which %s does not take; docs/toolkit.md, Limits, tells what does",
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

/* As few tiles as there can be, of nearly equal sizes, and no textures yet. */
static enum qp_status plan(const struct qp_context *context, const struct qp_array_desc *desc,
                           struct qp_tiles **out)
{
    const int limit = context->device.rectangle_limit;
    if (desc->width > QP_MOST_CELLS || desc->height > QP_MOST_CELLS)
        return qp_fail(QP_UNSUPPORTED,
                       "an array of %d x %d cells: above this device's rectangle_limit of %d, "
                       "arrays have at most %d cells each way, which floats can count by halves",
                       desc->width, desc->height, limit, QP_MOST_CELLS);
    const int across = (desc->width - 1) / limit + 1, up = (desc->height - 1) / limit + 1;
    const size_t count = (size_t)across * (size_t)up;
    const enum qp_status status = qp_storage_check_memory(
        context, qp_array_format(desc->type, desc->channels), desc->width, desc->height);
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

static enum qp_status fill(struct qp_context *context, const struct qp_array *whole,
                           const void *values)
{
    static const union qp_cell_value zero;
    const struct qp_rect all = {0, 0, whole->desc.width, whole->desc.height};
    if (values != NULL)
        return qp_tiles_send(whole, NULL, values, 0);
    qp_tiles_clear(whole, &all, &zero);
    return qp_gl_check(context, "making an array");
}

enum qp_status qp_tiles_create(struct qp_context *context, const struct qp_array_desc *desc,
                               const void *values, struct qp_array **out)
{
    struct qp_array whole = {.desc = *desc};
    enum qp_status status = plan(context, desc, &whole.tiles);
    if (status != QP_OK)
        return status;
    status = make_textures(context, &whole);
    if (status == QP_OK)
        status = fill(context, &whole, values);
    if (status == QP_OK) {
        struct qp_storage *first = whole.tiles->at[0];
        whole.tiles->at[0] = NULL; /* qp_array_make releases it if it fails */
        status = qp_array_make(first, 0, 0, desc, out);
        if (status == QP_OK)
            whole.tiles->at[0] = first;
    }
    if (status == QP_OK)
        (*out)->tiles = whole.tiles;
    else
        qp_tiles_release(whole.tiles);
    return status;
}

/* ---- Cells to and from the host ---- */

/* Where a tile's piece of `part` begins among values with such rows. */
static size_t offset_of(const struct qp_array *array, const struct qp_rect *part,
                        const struct qp_rect *piece, size_t apart)
{
    return (size_t)(piece->y - part->y) * apart +
           (size_t)(piece->x - part->x) * qp_array_cell_bytes(&array->desc);
}

static enum qp_status check_rows(const struct qp_array *array, const struct qp_rect *part,
                                 size_t row_bytes, struct qp_rect *cells, struct qp_rows *rows)
{
    const enum qp_status status = qp_array_part(array, part, cells);
    return status == QP_OK
               ? qp_rows_check(qp_array_cell_bytes(&array->desc), cells, row_bytes, rows)
               : status;
}

enum qp_status qp_tiles_send(const struct qp_array *array, const struct qp_rect *part,
                             const void *values, size_t row_bytes)
{
    struct qp_tile tile = {0};
    struct qp_rect cells;
    struct qp_rows rows;
    enum qp_status status = check_rows(array, part, row_bytes, &cells, &rows);
    while (status == QP_OK && qp_tile_next(array, &cells, &tile))
        status = qp_array_send(
            &tile.array, &tile.cells,
            (const char *)values + offset_of(array, &cells, &tile.cells, rows.apart), rows.apart);
    return status;
}

enum qp_status qp_tiles_fetch(const struct qp_array *array, const struct qp_rect *part,
                              void *values, size_t row_bytes)
{
    struct qp_tile tile = {0};
    struct qp_rect cells;
    struct qp_rows rows;
    enum qp_status status = check_rows(array, part, row_bytes, &cells, &rows);
    while (status == QP_OK && qp_tile_next(array, &cells, &tile))
        status = qp_array_fetch(&tile.array, &tile.cells,
                                (char *)values + offset_of(array, &cells, &tile.cells, rows.apart),
                                rows.apart);
    return status;
}

/* ---- On the device ---- */

void qp_tiles_clear(const struct qp_array *array, const struct qp_rect *part,
                    const union qp_cell_value *cell)
{
    struct qp_tile tile = {0};
    while (qp_tile_next(array, part, &tile))
        qp_array_clear(&tile.array, &tile.cells, cell);
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
