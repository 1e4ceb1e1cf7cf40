/* SPDX-License-Identifier: MIT */
/* Transposition on the CPU. Matrices are in memory without gaps, row after row. */
#include "lab/engines/engines.h"
#include "lab/ops/transpose/transpose.h"
#include "toolkit/base/whole.h"

#include <string.h>

/* ---- A plain loop ---- */

/* A plain loop along rows. Every write begins another cache line, which is evicted before the next
 * row's value where columns are long. */
static void sweep_loop(const struct qp_sweep *s)
{
    const long width = s->width, height = s->height;
    for (long row = 0; row < height; row++) {
        for (long column = 0; column < width; column++)
            s->out[column * height + row] = s->input[0][row * width + column];
    }
}

/* ---- All cores, tiles ---- */

/* Cells of a tile each way: a cache line of 64 bytes. */
enum { TILE = 16 };

/* Turns a tile through a local copy, so that each cache line of both matrices is used once and as a
 * whole: rows that are a power of two apart share a few sets of a first-level cache, which cannot
 * hold sixteen of them at a time. */
static void turn_tile(const struct qp_sweep *s, int column, int row)
{
    const size_t width = (size_t)s->width, height = (size_t)s->height;
    const int columns = qp_least(TILE, s->width - column), rows = qp_least(TILE, s->height - row);
    float tile[TILE][TILE];
    for (int r = 0; r < rows; r++) {
        const float *from = s->input[0] + (size_t)(row + r) * width + (size_t)column;
        for (int c = 0; c < columns; c++)
            tile[c][r] = from[c];
    }
    for (int c = 0; c < columns; c++)
        memcpy(s->out + (size_t)(column + c) * height + (size_t)row, tile[c],
               (size_t)rows * sizeof tile[c][0]);
}

/* Transposes on all cores; the answer is written one line of tiles after the other. */
static void sweep_openmp(const struct qp_sweep *s)
{
#pragma omp parallel for schedule(static)
    for (int column = 0; column < s->width; column += TILE) {
        for (int row = 0; row < s->height; row += TILE)
            turn_tile(s, column, row);
    }
}

const struct qp_recipe qp_transpose_cpu[] = {
    /* The reference itself. */
    {.name = "transpose/reference",
     .backend = QP_CPU,
     .layout = "one matrix",
     .place = "the judge of all variants",
     .sentence = "the equation in double, cell by cell of the answer; itself judged by a scatter "
                 "from the last value on",
     .engine = &qp_engine_reference,
     QP_TRANSPOSE_STANDS(QP_FLAT)},

    {.name = "transpose/loop",
     .backend = QP_CPU,
     .layout = "one matrix",
     .place = "the obvious C",
     .sentence = "two loops: reads along rows, and writes another cache line with every value",
     QP_TRANSPOSE_STANDS(QP_FLAT),
     .sweep = sweep_loop,
     .not_kinds = QP_TRANSPOSE_ONLY_TURNS},

    {.name = "transpose/openmp",
     .backend = QP_CPU,
     .layout = "one matrix",
     .place = "ours: the honest opponent",
     .sentence = "all cores, tiles of 16 x 16: every cache line of both matrices is wanted once "
                 "and as a whole",
     QP_TRANSPOSE_STANDS(QP_FLAT),
     .sweep = sweep_openmp,
     .not_kinds = QP_TRANSPOSE_ONLY_TURNS},

    {0},
};
