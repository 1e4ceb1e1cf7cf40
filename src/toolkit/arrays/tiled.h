/* SPDX-License-Identifier: MIT */
/* Arrays above the limit of a texture: a grid of tiles, each with a texture of its own. Passes over
 * them are drawn block by block, and what a block reads from beside its tile is copied next to it
 * on the device first. */
#ifndef QP_TOOLKIT_TILED_H
#define QP_TOOLKIT_TILED_H

#include "toolkit/arrays/array.h"
#include "toolkit/passes/pass.h"

/* Cells each way of any array: shaders know a cell's middle by a float, which has a half of each
 * number up to here. */
enum { QP_MOST_CELLS = 1 << 23 };

/* Tiles row by row from cell (0, 0). All have the first one's sizes, but the last of a row and
 * those of the last row. */
struct qp_tiles {
    int across, up;
    int width, height; /* cells of the first tile */
    struct qp_storage *at[];
};

/* ---- Arrays (tiled.c) ---- */

/* True for sizes above the device's limit. */
bool qp_tiles_are_needed(const struct qp_context *context, const struct qp_array_desc *desc);

/* Tiles whose texels are undefined, up to QP_MOST_CELLS each way. Errors: QP_NO_MEMORY;
 * QP_DEVICE. */
enum qp_status qp_tiles_make(struct qp_context *context, const struct qp_array_desc *desc,
                             struct qp_tiles **out);

void qp_tiles_release(struct qp_tiles *tiles);
void qp_tiles_abandon(struct qp_tiles *tiles);

/* QP_UNSUPPORTED, with what it is that does not take `array`. */
enum qp_status qp_tiles_refuse(const struct qp_array *array, const char *what, const char *by);

/* Some cells of an array that are all in one texture. In `array`, which belongs to no one, cells
 * have the numbers that they have in the whole array: texel = array.x + cell, of these cells
 * alone. */
struct qp_tile {
    struct qp_array array;
    struct qp_rect cells;
};

/* The tile that cell (x, y) is in. An array without tiles is its own. */
struct qp_tile qp_tile_at(const struct qp_array *array, int x, int y);

/* Cells of `part` that are in the tile after *tile (a tile of zeros: in the first); false after the
 * last. */
bool qp_tile_next(const struct qp_array *array, const struct qp_rect *part, struct qp_tile *tile);

/* Cells from and to the host's memory, `apart` of them from a row to the next, or of one value in
 * every channel, of any array. These, and the copy, do not check for errors. */
void qp_tiles_send(const struct qp_array *array, const struct qp_rect *cells, const void *values,
                   int apart);
void qp_tiles_fetch(const struct qp_array *array, const struct qp_rect *cells, void *values,
                    int apart);
void qp_tiles_clear(const struct qp_array *array, const struct qp_rect *cells,
                    const union qp_cell_value *value);

/* Copies `part` of an array to (x, y) of another one; either may have tiles. */
void qp_tiles_copy(const struct qp_array *from, const struct qp_rect *part,
                   const struct qp_array *to, int x, int y);

/* ---- Passes (tiled_pass.c) ---- */

/* Notes whether any array of a pass has tiles. Errors: QP_UNSUPPORTED for a kernel that does not
 * take those. */
enum qp_status qp_tiles_prepare(struct qp_prepared *prepared);

/* Draws such a pass by drawing passes over arrays without tiles. Errors: QP_NO_MEMORY,
 * QP_DEVICE. */
typedef enum qp_status qp_draw_pass(const struct qp_prepared *prepared);
enum qp_status qp_tiles_draw(const struct qp_prepared *prepared, qp_draw_pass *draw);

#endif
