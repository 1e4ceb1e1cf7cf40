/* SPDX-License-Identifier: MIT */
#include "ops/poisson5/blocks.h"

#include "base/whole.h"

static int lines_of(int width)
{
    return qp_groups_in(width, QP_RELAX_CELLS);
}

/* Where part k of `parts` begins. */
static int cut(int whole, int k, int parts)
{
    return (int)((long)whole * k / parts);
}

struct qp_poisson5_blocks qp_poisson5_blocks_of(int width, int height, int threads)
{
    int across = 1;
    for (int k = 2; (long)k * k <= threads; k++)
        across = threads % k == 0 ? k : across;
    return (struct qp_poisson5_blocks){.width = width,
                                       .height = height,
                                       .across = qp_least(across, lines_of(width)),
                                       .up = qp_least(threads / across, height)};
}

struct qp_poisson5_block qp_poisson5_block_of(const struct qp_poisson5_blocks *b, int id)
{
    const int column = id % b->across, row = id / b->across, lines = lines_of(b->width);
    if (row >= b->up)
        return (struct qp_poisson5_block){0};
    return (struct qp_poisson5_block){
        .x0 = cut(lines, column, b->across) * QP_RELAX_CELLS,
        .x1 = qp_least(cut(lines, column + 1, b->across) * QP_RELAX_CELLS, b->width),
        .y0 = cut(b->height, row, b->up),
        .y1 = cut(b->height, row + 1, b->up)};
}
