/* SPDX-License-Identifier: MIT */
/* Passes over arrays with tiles: each block of a tile is drawn as if its arrays were whole. A block
 * reads its tile where all that it may read is in there, else a window: a copy of these cells, from
 * as many tiles as they are in. */
#include <stdio.h>
#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/context/context.h"

/* ---- Which kernels ---- */

/* The longest reach among the inputs that have tiles. */
static int reach_of(const struct qp_prepared *prepared)
{
    int reach = 0;
    for (int i = 0; i < prepared->kernel->inputs; i++) {
        const struct qp_array *array = prepared->input[i];
        const int own = prepared->kernel->reach[i].cells;
        if (array != NULL && array->tiles != NULL && own > reach)
            reach = own;
    }
    return reach;
}

/* First GLSL name in the body that would give wrong cells in a tile (gl_FragCoord, texture, ...),
 * or NULL. A reduction's map, which is of ours, goes by its own name. */
static const char *find_stranger(const struct qp_kernel *kernel)
{
    static const char *const words[] = {"qp_here", "gl_FragCoord", "texture2DRect",
                                        "texture", "texelFetch",   "dFdx",
                                        "dFdy",    "fwidth",       "origin"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (qp_glsl_has(kernel->tokens, words[i]))
            return strcmp(words[i], "qp_here") == 0 ? "the map of a reduction" : words[i];
    }
    return NULL;
}

static enum qp_status check_input(const struct qp_kernel *kernel, int i,
                                  const struct qp_array *array)
{
    const struct qp_kernel_input *input = &kernel->desc.input[i];
    const struct qp_reach *reach = &kernel->reach[i];
    const int limit = kernel->context->device.rectangle_limit;
    char cell[80];
    snprintf(cell, sizeof cell, "%s_cell", input->name);
    if (qp_glsl_has(kernel->tokens, cell))
        return qp_tiles_refuse(array, input->name, cell);
    if (reach->cells > limit / 3)
        return qp_fail(QP_UNSUPPORTED,
                       "the reach %d of input '%s', an array in tiles, is above %d, a third of "
                       "this device's rectangle_limit",
                       reach->cells, input->name, limit / 3);
    return QP_OK;
}

enum qp_status qp_tiles_prepare(struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    const struct qp_array *tiled = prepared->output[0]->tiles != NULL ? prepared->output[0] : NULL;
    const char *name = "output";
    for (int i = 0; i < kernel->inputs; i++) {
        if (prepared->input[i] != NULL && prepared->input[i]->tiles != NULL) {
            tiled = prepared->input[i];
            name = kernel->desc.input[i].name;
        }
    }
    prepared->tiled = tiled != NULL;
    if (!prepared->tiled)
        return QP_OK;
    const char *stranger = kernel->computes            ? "a compute shader"
                           : kernel->desc.body == NULL ? "a whole shader"
                           : kernel->places            ? "a body with place()"
                           : prepared->mask != NULL    ? "a pass with a mask"
                           : prepared->depth != NULL   ? "a pass with a depth"
                                                       : find_stranger(kernel);
    enum qp_status status = stranger != NULL ? qp_tiles_refuse(tiled, name, stranger) : QP_OK;
    for (int i = 0; i < kernel->inputs && status == QP_OK; i++) {
        if (prepared->input[i] != NULL && prepared->input[i]->tiles != NULL)
            status = check_input(kernel, i, prepared->input[i]);
    }
    if (status != QP_OK)
        return qp_fail_within(status, "%s", kernel->desc.name);
    for (int i = 0; i < kernel->inputs && status == QP_OK; i++) {
        if (prepared->input[i] != NULL && prepared->input[i]->tiles != NULL)
            status = qp_reach_check(kernel, i, "say .reach, for that array is in tiles");
    }
    return status;
}

/* ---- Windows ---- */

/* The cells that a block may read: around the block, and no further than the array goes, for a
 * gather is led back to the array's edge; but on and on where it wraps. */
static struct qp_rect cells_around(const struct qp_array *array, const struct qp_rect *block,
                                   int reach)
{
    int left = block->x - reach, right = block->x + block->width + reach - 1;
    int bottom = block->y - reach, top = block->y + block->height + reach - 1;
    if (array->desc.outside != QP_OUTSIDE_WRAP) {
        const int last_x = array->desc.width - 1, last_y = array->desc.height - 1;
        left = qp_least(qp_most(left, 0), last_x);
        bottom = qp_least(qp_most(bottom, 0), last_y);
        right = qp_least(qp_most(right, 0), last_x);
        top = qp_least(qp_most(top, 0), last_y);
    }
    return (struct qp_rect){left, bottom, right - left + 1, top - bottom + 1};
}

static bool is_inside(const struct qp_rect *cells, const struct qp_rect *of)
{
    return cells->x >= of->x && cells->y >= of->y && cells->x + cells->width <= of->x + of->width &&
           cells->y + cells->height <= of->y + of->height;
}

static void copy_cells(const struct qp_array *array, const struct qp_rect *cells,
                       const struct qp_storage *window)
{
    const int right = cells->x + cells->width, top = cells->y + cells->height;
    struct qp_rect from = {0};
    for (int y = cells->y; y < top; y += from.height) {
        for (int x = cells->x; x < right; x += from.width) {
            from.x = qp_wrapped(x, array->desc.width);
            from.y = qp_wrapped(y, array->desc.height);
            const struct qp_tile tile = qp_tile_at(array, from.x, from.y);
            from.width = qp_least(right - x, tile.cells.x + tile.cells.width - from.x);
            from.height = qp_least(top - y, tile.cells.y + tile.cells.height - from.y);
            const struct qp_rect texels = {tile.array.x + from.x, tile.array.y + from.y, from.width,
                                           from.height};
            qp_storage_copy(tile.array.storage, &texels, window, x - cells->x, y - cells->y);
        }
    }
}

/* Finds the cells that a block reads of an input: *out is its tile, or *window, which the caller
 * releases. */
static enum qp_status find_cells(const struct qp_array *array, int reach,
                                 const struct qp_rect *block, struct qp_array *out,
                                 struct qp_storage **window)
{
    const struct qp_rect cells = cells_around(array, block, reach);
    const struct qp_tile tile = qp_tile_at(array, qp_wrapped(cells.x, array->desc.width),
                                           qp_wrapped(cells.y, array->desc.height));
    *out = tile.array;
    if (!is_inside(&cells, &tile.cells)) {
        const enum qp_status status =
            qp_storage_create(array->storage->context, array->storage->texture.format,
                              block->width + 2 * reach, block->height + 2 * reach, window);
        if (status != QP_OK)
            return status;
        qp_storage_set_outside(*window, &array->desc);
        copy_cells(array, &cells, *window);
        *out = (struct qp_array){
            .storage = *window, .x = -cells.x, .y = -cells.y, .desc = array->desc};
    }
    return QP_OK;
}

/* ---- Blocks ---- */

static enum qp_status draw_block(const struct qp_prepared *prepared, const struct qp_rect *block,
                                 qp_draw_pass *draw)
{
    struct qp_prepared one = *prepared;
    struct qp_array input[QP_KERNEL_INPUTS], output[QP_KERNEL_OUTPUTS];
    struct qp_storage *window[QP_KERNEL_INPUTS] = {NULL};
    enum qp_status status = QP_OK;
    one.tiled = false;
    one.region = *block;
    for (int i = 0; i < prepared->kernel->outputs; i++) {
        output[i] = qp_tile_at(prepared->output[i], block->x, block->y).array;
        one.output[i] = &output[i];
    }
    for (int i = 0; i < prepared->kernel->inputs && status == QP_OK; i++) {
        if (prepared->input[i] == NULL || prepared->input[i]->tiles == NULL)
            continue;
        status = find_cells(prepared->input[i], prepared->kernel->reach[i].cells, block, &input[i],
                            &window[i]);
        one.input[i] = &input[i];
    }
    if (status == QP_OK)
        status = draw(&one);
    for (int i = 0; i < prepared->kernel->inputs; i++) {
        if (window[i] != NULL)
            qp_storage_release(window[i]);
    }
    return status;
}

/* Cells from `at` to where the block ends: cuts are one reach after a tile's begin and one before
 * its end, so that the block in the middle needs no window, and no window is wider than the tile,
 * or three times the reach. */
static int length_from(int at, int begin, int length, int reach)
{
    const int end = begin + length, first = begin + reach, last = end - reach;
    int cut = end;
    if (at < last)
        cut = last;
    if (at < first)
        cut = qp_least(first, cut);
    return cut - at;
}

static enum qp_status draw_tile(const struct qp_prepared *prepared, const struct qp_rect *cells,
                                int reach, qp_draw_pass *draw)
{
    const int right = cells->x + cells->width, top = cells->y + cells->height;
    enum qp_status status = QP_OK;
    struct qp_rect block;
    for (block.y = cells->y; block.y < top; block.y += block.height) {
        block.height = length_from(block.y, cells->y, cells->height, reach);
        for (block.x = cells->x; block.x < right && status == QP_OK; block.x += block.width) {
            block.width = length_from(block.x, cells->x, cells->width, reach);
            status = draw_block(prepared, &block, draw);
        }
    }
    return status;
}

enum qp_status qp_tiles_draw(const struct qp_prepared *prepared, qp_draw_pass *draw)
{
    const int reach = reach_of(prepared);
    struct qp_tile tile = {0};
    enum qp_status status = QP_OK;
    while (status == QP_OK && qp_tile_next(prepared->output[0], &prepared->region, &tile))
        status = draw_tile(prepared, &tile.cells, reach, draw);
    return status;
}
