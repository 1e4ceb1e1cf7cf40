/* SPDX-License-Identifier: MIT */
/* Cells of arrays: to the host and from it, filled, and copied on the device. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/base/caller.h"

/* ---- Rows in the host's memory ---- */

enum qp_status qp_rows_check(size_t cell_bytes, const struct qp_rect *part, size_t row_bytes,
                             struct qp_rows *out)
{
    const size_t row = cell_bytes * (size_t)part->width, rows = (size_t)part->height;
    *out = (struct qp_rows){row, row_bytes > 0 ? row_bytes : row, rows, 0};
    if (out->apart < row)
        return qp_fail(QP_BAD_USE,
                       "row_bytes is %zu, and a row of %d cells has %zu bytes; 0 means no gaps",
                       row_bytes, part->width, row);
    if (out->apart > (size_t)PTRDIFF_MAX / rows)
        return qp_fail(QP_BAD_USE, "row_bytes is %zu, and %zu such rows are beyond any memory",
                       row_bytes, rows);
    if (out->apart % cell_bytes == 0 && out->apart / cell_bytes <= INT_MAX)
        out->cells_apart = (int)(out->apart / cell_bytes);
    return QP_OK;
}

void qp_rows_copy(const struct qp_rows *rows, const void *from, size_t from_apart, void *to,
                  size_t to_apart)
{
    for (size_t i = 0; i < rows->count; i++)
        memcpy((char *)to + i * to_apart, (const char *)from + i * from_apart, rows->bytes);
}

/* ---- Writing and reading ---- */

/* Cells `from` the host's memory or, where that is NULL, `to` it. Rows whose distance is no
 * multiple of a cell go through a block without gaps. */
static enum qp_status move_cells(const struct qp_array *array, const struct qp_rect *part,
                                 const void *from, void *to, size_t row_bytes)
{
    struct qp_rect cells;
    struct qp_rows rows;
    if (qp_array_part(array, part, &cells) != QP_OK ||
        qp_rows_check(qp_array_cell_bytes(&array->desc), &cells, row_bytes, &rows) != QP_OK)
        return QP_BAD_USE;
    const bool blocked = rows.cells_apart == 0;
    const int apart = blocked ? cells.width : rows.cells_apart;
    void *block = blocked ? qp_alloc(rows.count, rows.bytes, "rows of an array") : NULL;
    if (blocked && block == NULL)
        return QP_NO_MEMORY;
    if (blocked && from != NULL)
        qp_rows_copy(&rows, from, rows.apart, block, rows.bytes);
    if (from != NULL)
        qp_tiles_send(array, &cells, blocked ? block : from, apart);
    else
        qp_tiles_fetch(array, &cells, blocked ? block : to, apart);
    const enum qp_status status = qp_gl_check(
        array->storage->context, from != NULL ? "writing an array" : "reading an array");
    if (blocked && to != NULL && status == QP_OK)
        qp_rows_copy(&rows, block, rows.bytes, to, rows.apart);
    free(block);
    return status;
}

static enum qp_status transfer(const struct qp_array *array, const struct qp_rect *part,
                               const void *from, void *to, size_t row_bytes)
{
    struct qp_call call;
    enum qp_status status = qp_array_begin_any(&call, array, "array");
    if (status == QP_OK)
        status = move_cells(array, part, from, to, row_bytes);
    return qp_call_end(&call, status);
}

enum qp_status qp_array_write(struct qp_array *array, const struct qp_rect *part,
                              const void *values, size_t row_bytes)
{
    return QP_NEED(values) ? QP_BAD_USE : transfer(array, part, values, NULL, row_bytes);
}

enum qp_status qp_array_read(const struct qp_array *array, const struct qp_rect *part, void *values,
                             size_t row_bytes)
{
    return QP_NEED(values) ? QP_BAD_USE : transfer(array, part, NULL, values, row_bytes);
}

/* ---- On the device ---- */

enum qp_status qp_array_fill(struct qp_array *array, const struct qp_rect *part, double value)
{
    struct qp_call call;
    struct qp_rect cells;
    union qp_cell_value cell;
    enum qp_status status = qp_array_begin_any(&call, array, "array");
    if (status == QP_OK)
        status = qp_array_part(array, part, &cells);
    if (status == QP_OK)
        status = qp_array_cell(array->desc.type, value, &cell);
    if (status == QP_OK) {
        qp_tiles_clear(array, &cells, &cell);
        status = qp_gl_check(array->storage->context, "filling an array");
    }
    return qp_call_end(&call, status);
}

static bool overlap(int a, int b, int length)
{
    return a < b + length && b < a + length;
}

/* Both rectangles in cells. */
static bool share_cells(const struct qp_array *from, const struct qp_rect *source,
                        const struct qp_array *to, const struct qp_rect *target)
{
    return qp_array_shares(from, to) &&
           overlap(from->x + source->x, to->x + target->x, source->width) &&
           overlap(from->y + source->y, to->y + target->y, source->height);
}

static enum qp_status check_copy(const struct qp_array *from, const struct qp_rect *part,
                                 const struct qp_array *to, int x, int y, struct qp_rect *source)
{
    enum qp_status status = qp_array_check_any(to, from->storage->context, "to");
    if (status == QP_OK)
        status = qp_array_part(from, part, source);
    if (status != QP_OK)
        return status;
    if (from->desc.type != to->desc.type || from->desc.channels != to->desc.channels)
        return qp_fail(QP_BAD_USE,
                       "'from' and 'to' have unlike cells: type %d, %d channels, and type %d, %d "
                       "channels",
                       (int)from->desc.type, from->desc.channels, (int)to->desc.type,
                       to->desc.channels);
    struct qp_rect target = {x, y, source->width, source->height};
    if (qp_array_part(to, &target, &target) != QP_OK)
        return qp_fail_within(QP_BAD_USE, "'to'");
    if (share_cells(from, source, to, &target))
        return qp_fail(QP_BAD_USE,
                       "a part of an array is copied to cells that it holds itself; copy it to "
                       "another array first");
    return QP_OK;
}

enum qp_status qp_array_copy(const struct qp_array *from, const struct qp_rect *part,
                             struct qp_array *to, int x, int y)
{
    struct qp_call call;
    struct qp_rect source;
    enum qp_status status = qp_array_begin_any(&call, from, "from");
    if (status == QP_OK)
        status = check_copy(from, part, to, x, y, &source);
    if (status == QP_OK) {
        qp_tiles_copy(from, &source, to, x, y);
        status = qp_gl_check(from->storage->context, "copying an array");
    }
    return qp_call_end(&call, status);
}
