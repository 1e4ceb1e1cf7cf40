/* SPDX-License-Identifier: MIT */
/* Kernels of reduce on CUDA, and the shape of their addition trees, from which recipes count
 * roundings for their tolerances. */
#ifndef QP_OPS_REDUCE_KERNELS_H
#define QP_OPS_REDUCE_KERNELS_H

#include "lab/plan/kernel.h"

/* ---- The slides' ladder (ladder.cu) ---- */

enum {
    QP_REDUCE_BLOCK = 256, /* threads of a block */
    QP_REDUCE_BLOCK_LOG = 8
};

/* Distribution of values in a rung (one variant of the ladder). Each launch leaves a value for each
 * thread block, or for each thread if `alone`, and launches are repeated on these values until one
 * is left. */
struct qp_rung {
    int values; /* values that a thread adds before its block does; 0: about log2 of their number */
    int alone;
};

/* Values of one thread where n are left: for slide 51's cascade the least even number not below
 * log2 n, and at least 2. */
static inline int qp_rung_values(const struct qp_rung *rung, size_t n)
{
    int values = 2;
    if (rung->values > 0)
        return rung->values;
    while (values < 62 && (size_t)1 << values < n)
        values += 2;
    return values;
}

/* Values that one launch leaves of n. */
static inline size_t qp_rung_left(const struct qp_rung *rung, size_t n)
{
    size_t each = (size_t)qp_rung_values(rung, n) * (rung->alone ? 1 : QP_REDUCE_BLOCK);
    return (n + each - 1) / each;
}

/* ---- Ours (tiles.cu): a block some tiles, and the last block to end adds up the blocks ---- */

enum {
    QP_REDUCE_TILE_THREADS = 512,
    QP_REDUCE_TILE_THREADS_LOG = 9,
    QP_REDUCE_TILE_LOADS = 4, /* loads of four values that a thread has under way, for one tile */
    QP_REDUCE_TILE_VALUES = QP_REDUCE_TILE_THREADS * QP_REDUCE_TILE_LOADS * 4,
    QP_REDUCE_TILES_EACH = 8,   /* tiles of a thread block, at most */
    QP_REDUCE_TILE_BLOCKS = 256 /* thread blocks with one tile each, where tiles are few */
};

/* Blocks that take turns with the tiles of n values. */
static inline size_t qp_tile_blocks(size_t n)
{
    const size_t tiles = (n + QP_REDUCE_TILE_VALUES - 1) / QP_REDUCE_TILE_VALUES;
    const size_t blocks = (tiles + QP_REDUCE_TILES_EACH - 1) / QP_REDUCE_TILES_EACH;
    const size_t least = QP_REDUCE_TILE_BLOCKS;
    return tiles < least ? tiles : blocks < least ? least : blocks;
}

/* Kernels, one a line: a build without CUDA takes their names from here. */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_naive;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_interleaved;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_strided;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_sequential;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_first_add;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_unrolled_warp;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_shuffle;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_unrolled;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_cascaded;
QP_ENTRY const struct qp_cuda_kernel qp_kernel_reduce_tiles;

#endif
