/* SPDX-License-Identifier: MIT */
/* The grid in 2-D blocks, a thread each (paper 5, figure 4). */
#ifndef QP_OPS_POISSON5_BLOCKS_H
#define QP_OPS_POISSON5_BLOCKS_H

#include "lab/ops/poisson5/cpu/relax.h"

/* Blocks from left to right and from below to above; threads beyond their number have none. */
struct qp_poisson5_blocks {
    int width, height; /* cells of the grid */
    int across, up;
    int node_across, node_up; /* blocks whose threads have a node of memory in common */
};

/* A block: columns x0 up to x1 of rows y0 up to y1. */
struct qp_poisson5_block {
    int x0, x1, y0, y1;
};

/* Arrangement of blocks, as square as the number of threads allows, so that blocks touch few
 * others, and where two arrangements are alike the one with wider blocks, since memory is read
 * along rows: 2 threads have 1 x 2 blocks, 16 have 4 x 4, a prime number as many blocks one above
 * the other. Fewer where there are fewer rows, or cache lines in a row: blocks begin at one, so
 * that no two threads write to the same, and none is empty. Threads that run on several nodes,
 * equally many on each, one node after the other, have rectangles of blocks a node, as square as
 * that allows (figure 4): 16 threads on 4 nodes have 2 x 2 blocks a node. `nodes` 0: blocks as wide
 * as the grid, one above the other. */
struct qp_poisson5_blocks qp_poisson5_blocks_of(int width, int height, int threads, int nodes);

/* Number of thread `id`'s block, counted row by row of blocks; in a node's rectangle, and among
 * these, threads go row by row too, so that neighbours have neighbouring numbers, and cores. */
int qp_poisson5_place_of(const struct qp_poisson5_blocks *blocks, int id);
struct qp_poisson5_block qp_poisson5_block_of(const struct qp_poisson5_blocks *blocks, int id);

#endif
