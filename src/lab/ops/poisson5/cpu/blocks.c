/* SPDX-License-Identifier: MIT */
#include "lab/ops/poisson5/cpu/blocks.h"

#include <limits.h>

#include "toolkit/base/whole.h"

static int lines_of(int width)
{
    return qp_groups_in(width, QP_RELAX_CELLS);
}

/* Begin of part k of `parts`. */
static int cut(int whole, int k, int parts)
{
    return (int)((long)whole * k / parts);
}

/* Gives each node the rectangle of blocks that leaves the fewest edges between nodes; where none
 * fits, or some threads have no block, all remain with one. */
static void deal(struct qp_poisson5_blocks *b, int threads, int nodes)
{
    int least = INT_MAX;
    for (int across = 1; across <= nodes && b->across * b->up == threads; across++) {
        const int up = nodes / across;
        const int edges = (across - 1) * b->up + (up - 1) * b->across;
        if (nodes % across != 0 || b->across % across != 0 || b->up % up != 0 || edges >= least)
            continue;
        least = edges;
        b->node_across = b->across / across;
        b->node_up = b->up / up;
    }
}

struct qp_poisson5_blocks qp_poisson5_blocks_of(int width, int height, int threads, int nodes)
{
    int across = 1;
    for (int k = 2; (long)k * k <= threads && nodes > 0; k++)
        across = threads % k == 0 ? k : across;
    struct qp_poisson5_blocks b = {.width = width,
                                   .height = height,
                                   .across = qp_least(across, lines_of(width)),
                                   .up = qp_least(threads / across, height)};
    b.node_across = b.across;
    b.node_up = b.up;
    deal(&b, threads, nodes);
    return b;
}

int qp_poisson5_place_of(const struct qp_poisson5_blocks *b, int id)
{
    const int share = b->node_across * b->node_up, nodes_across = b->across / b->node_across;
    const int node = id / share, k = id % share;
    const int column = node % nodes_across * b->node_across + k % b->node_across;
    const int row = node / nodes_across * b->node_up + k / b->node_across;
    return row * b->across + column;
}

struct qp_poisson5_block qp_poisson5_block_of(const struct qp_poisson5_blocks *b, int id)
{
    const int place = qp_poisson5_place_of(b, id);
    const int column = place % b->across, row = place / b->across, lines = lines_of(b->width);
    if (row >= b->up)
        return (struct qp_poisson5_block){0};
    return (struct qp_poisson5_block){
        .x0 = cut(lines, column, b->across) * QP_RELAX_CELLS,
        .x1 = qp_least(cut(lines, column + 1, b->across) * QP_RELAX_CELLS, b->width),
        .y0 = cut(b->height, row, b->up),
        .y1 = cut(b->height, row + 1, b->up)};
}
