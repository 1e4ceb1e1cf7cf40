/* SPDX-License-Identifier: MIT */
/* Places that threads of the slides' transposes read and write (ladder.cu), for the host too. */
#ifndef QP_OPS_TRANSPOSE_INDEX_H
#define QP_OPS_TRANSPOSE_INDEX_H

#include <stddef.h>

#include "toolkit/base/both.h"

enum qp_transpose_direction { QP_TRANSPOSE_COPY, QP_TRANSPOSE_TURN, QP_TRANSPOSE_INTERLEAVED };

/* Kernels through shared memory: ROW(name, side of a tile, padding of its rows, order). */
#define QP_TRANSPOSE_TILES(ROW)                \
    ROW(copy_shared, 32, 0, QP_TRANSPOSE_COPY) \
    ROW(tiled_16, 16, 0, QP_TRANSPOSE_TURN)    \
    ROW(tiled_32, 32, 0, QP_TRANSPOSE_TURN)    \
    ROW(tiled_48, 48, 0, QP_TRANSPOSE_TURN)    \
    ROW(padded, 32, 1, QP_TRANSPOSE_TURN)

/* Kernels without: ROW(name, order). */
#define QP_TRANSPOSE_PLAIN(ROW)                     \
    ROW(copy_simple, QP_TRANSPOSE_COPY)             \
    ROW(copy_interleaved, QP_TRANSPOSE_INTERLEAVED) \
    ROW(naive, QP_TRANSPOSE_TURN)

/* Value of a matrix without gaps, and word of a tile in shared memory, whose rows are `width`
 * apart. */
QP_BOTH size_t qp_transpose_at(int column, int row, int width)
{
    return (size_t)row * (size_t)width + (size_t)column;
}

/* Place in the answer of the value at this column and row of x, which is width x height; and with
 * the pitch of a tile for both, the word that thread (column, row) loads from it. */
QP_BOTH size_t qp_transpose_to(enum qp_transpose_direction order, int column, int row, int width,
                               int height)
{
    return order == QP_TRANSPOSE_TURN ? qp_transpose_at(row, column, height)
                                      : qp_transpose_at(column, row, width);
}

#endif
