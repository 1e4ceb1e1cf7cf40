/* SPDX-License-Identifier: MIT */
/* Reductions of arrays with tiles: each tile is reduced on the device, and the tiles' answers are
 * joined here, in double and always in the same order, row by row. */
#include <math.h>

#include "toolkit/tiled.h"

/* ---- Joining answers ---- */

static bool is_before(const struct qp_reduced *one, const struct qp_reduced *other)
{
    return one->y < other->y || (one->y == other->y && one->x < other->x);
}

/* NaN is beyond all numbers, and of equal ones the first counts. `most`: larger ones are beyond
 * smaller ones. */
static bool is_beyond(const struct qp_reduced *one, const struct qp_reduced *other, bool most)
{
    if (isnan(one->value) != isnan(other->value))
        return isnan(one->value);
    if (isnan(one->value) || one->value == other->value)
        return is_before(one, other);
    return (one->value > other->value) == most;
}

static void join(enum qp_reduce_what what, const struct qp_reduced *tile, struct qp_reduced *all)
{
    switch (what) {
    case QP_REDUCE_MAX:
    case QP_REDUCE_MAX_PLACE:
    case QP_REDUCE_NORM_MAX:
        if (is_beyond(tile, all, true))
            *all = *tile;
        break;
    case QP_REDUCE_MIN:
    case QP_REDUCE_MIN_PLACE:
        if (is_beyond(tile, all, false))
            *all = *tile;
        break;
    case QP_REDUCE_NORM_2:
        all->value = isnan(tile->value + all->value) ? NAN : hypot(all->value, tile->value);
        break;
    default:
        all->value += tile->value;
    }
}

/* ---- Tiles ---- */

/* Some cells of one tile as an array that lives. */
static enum qp_status open_cells(const struct qp_array *array, const struct qp_rect *cells,
                                 struct qp_array **out)
{
    struct qp_array tile = qp_tile_at(array, cells->x, cells->y).array;
    tile.x += cells->x;
    tile.y += cells->y;
    tile.desc.width = cells->width;
    tile.desc.height = cells->height;
    tile.storage->users++;
    return qp_array_make(&tile, out);
}

static enum qp_status reduce_cells(const struct qp_array *x, const struct qp_array *y,
                                   const struct qp_rect *cells, enum qp_reduce_what what,
                                   qp_reduce_once *once, struct qp_reduced *out)
{
    struct qp_array *one = NULL, *other = NULL;
    enum qp_status status = open_cells(x, cells, &one);
    if (status == QP_OK && y != NULL)
        status = open_cells(y, cells, &other);
    if (status == QP_OK)
        status = once(one, other, what, out);
    qp_array_destroy(&one);
    qp_array_destroy(&other);
    return status;
}

enum qp_status qp_tiles_reduce(const struct qp_array *x, const struct qp_array *y,
                               enum qp_reduce_what what, qp_reduce_once *once,
                               struct qp_reduced *out)
{
    const struct qp_rect all = {0, 0, x->desc.width, x->desc.height};
    const bool has_place = what == QP_REDUCE_MAX_PLACE || what == QP_REDUCE_MIN_PLACE;
    struct qp_tile tile = {0};
    struct qp_reduced total = {0};
    bool first = true;
    while (qp_tile_next(x, &all, &tile)) {
        struct qp_reduced answer;
        const enum qp_status status = reduce_cells(x, y, &tile.cells, what, once, &answer);
        if (status != QP_OK)
            return status;
        if (has_place) {
            answer.x += tile.cells.x;
            answer.y += tile.cells.y;
        }
        if (first)
            total = answer;
        else
            join(what, &answer, &total);
        first = false;
    }
    *out = total;
    return QP_OK;
}
