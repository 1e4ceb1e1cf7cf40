/* SPDX-License-Identifier: MIT */
/* The grid in 2-D blocks, a thread each (paper 5, figure 4). */
#ifndef QP_OPS_POISSON5_BLOCKS_H
#define QP_OPS_POISSON5_BLOCKS_H

#include "ops/poisson5/relax.h"

/* Blocks from left to right and from below to above; threads beyond their number have none. */
struct qp_poisson5_blocks {
    int width, height; /* of the grid */
    int across, up;
};

/* One of them: columns x0 up to x1 of rows y0 up to y1. */
struct qp_poisson5_block {
    int x0, x1, y0, y1;
};

/* As square an arrangement as the number of threads allows, so that blocks touch few others, and where two
 * arrangements are alike the one with wider blocks, since memory is read along rows: 2 threads have 1 x 2 blocks, 16
 * have 4 x 4, a prime number as many blocks one above the other. Fewer where there are fewer rows, or cache lines in a
 * row: blocks begin at one, so that no two threads write to the same, and none is empty. */
struct qp_poisson5_blocks qp_poisson5_blocks_of(int width, int height, int threads);

/* That of thread `id`, row by row of blocks, so that neighbours have neighbouring numbers, and cores. */
struct qp_poisson5_block qp_poisson5_block_of(const struct qp_poisson5_blocks *blocks, int id);

#endif
