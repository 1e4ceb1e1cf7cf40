/* SPDX-License-Identifier: MIT */
/* Access on the CPU: each kind as one would write it in C, in one loop over the cells. */
#include <math.h>
#include <stdint.h>

#include "lab/engines/engines.h"
#include "lab/ops/access/access.h"

#define PLACES                                                                   \
    {                                                                            \
        QP_ARRAY("u", QP_ACCESS_U, QP_FLAT), QP_ARRAY("v", QP_ACCESS_V, QP_FLAT) \
    }

static long count_of(const struct qp_sweep *s)
{
    return (long)s->width * s->height;
}

/* ---- Copies ---- */

/* Copies down columns. Column and row are counted on from those of cell `begin`, so that nothing is
 * divided. */
static void copy_columns(const struct qp_sweep *s, long columns, long begin, long end)
{
    const long rows = count_of(s) / columns;
    long column = rows > 0 ? begin / rows : columns, row = rows > 0 ? begin % rows : 0;
    for (long i = begin; i < end; i++) {
        s->out[i] = s->x[column < columns ? row * columns + column : i];
        if (++row == rows) {
            row = 0;
            column++;
        }
    }
}

static void copy(const struct qp_sweep *s, long begin, long end)
{
    const long n = count_of(s), p = s->parameter;
    for (long i = begin; i < end; i++) {
        long other = i;
        if (s->kind == QP_ACCESS_OFFSET)
            other = i + p < n ? i + p : (i + p) % n;
        else if (s->kind == QP_ACCESS_PERMUTED && (i ^ p) < n)
            other = i ^ p;
        else if (s->kind == QP_ACCESS_GATHER)
            other = (long)s->input[1][i] * s->width + (long)s->input[0][i];
        s->out[i] = s->kind == QP_ACCESS_IDLE && i % QP_ACCESS_WARP >= QP_ACCESS_WARP - p
                        ? 0.0f
                        : s->x[other];
    }
}

/* ---- Sums over a tile ---- */

/* Loads a cell's tile, its first values once more after the last, as a thread block keeps it. */
static void load_tile(const struct qp_sweep *s, long origin, uint32_t *tile)
{
    for (long t = 0; t < QP_ACCESS_TILE; t++)
        tile[t] = origin + t < count_of(s) ? (uint32_t)s->x[origin + t] : 0;
    for (long t = 0; t < QP_ACCESS_TILE_READS; t++)
        tile[QP_ACCESS_TILE + t] = tile[t];
}

/* `begin` is the first cell of a tile. */
static void sum(const struct qp_sweep *s, long begin, long end)
{
    const uint32_t p = (uint32_t)s->parameter;
    uint32_t tile[QP_ACCESS_TILE + QP_ACCESS_TILE_READS];
    for (long i = begin; i < end; i++) {
        uint32_t t = (uint32_t)(i % QP_ACCESS_TILE), all = 0;
        if (t == 0)
            load_tile(s, i, tile);
        const uint32_t *first =
            tile + (s->kind == QP_ACCESS_BANKS       ? t * p % QP_ACCESS_TILE
                    : s->kind == QP_ACCESS_MULTICAST ? t / p
                                                     : 2 * t * p % QP_ACCESS_TILE);
        for (int k = 0; k < QP_ACCESS_TILE_READS; k++)
            all += first[k];
        s->out[i] = (float)(all & QP_ACCESS_BITS_24);
    }
}

/* ---- Chains of instructions ---- */

static uint32_t divide(uint32_t u, uint32_t p)
{
    for (int k = 0; k < QP_ACCESS_CHAIN_STEPS; k++)
        u = (QP_ACCESS_CHAIN_FACTOR * u + u / p) & QP_ACCESS_BITS_31;
    return u;
}

static uint32_t remain(uint32_t u, uint32_t p)
{
    for (int k = 0; k < QP_ACCESS_CHAIN_STEPS; k++)
        u = (QP_ACCESS_CHAIN_FACTOR * u + u % p) & QP_ACCESS_BITS_31;
    return u;
}

static uint32_t multiply(uint32_t u, uint32_t p)
{
    for (int k = 0; k < QP_ACCESS_CHAIN_STEPS; k++)
        u = ((u & QP_ACCESS_BITS_24) * p + QP_ACCESS_CHAIN_TERM) & QP_ACCESS_BITS_31;
    return u;
}

static uint32_t mix(uint32_t u, uint32_t factor, int steps)
{
    for (int k = 0; k < steps; k++)
        u = (factor * u + (u >> 7)) & QP_ACCESS_BITS_31;
    return u;
}

static void chain(const struct qp_sweep *s, long begin, long end)
{
    const uint32_t p = (uint32_t)s->parameter;
    const int steps = s->kind == QP_ACCESS_UNROLLING ? s->parameter : QP_ACCESS_CHAIN_STEPS;
    for (long i = begin; i < end; i++) {
        uint32_t u = (uint32_t)s->x[i];
        uint32_t way = s->kind == QP_ACCESS_DIVERGENT    ? (uint32_t)i % p
                       : s->kind == QP_ACCESS_CONVERGENT ? (uint32_t)i / QP_ACCESS_WARP % p
                                                         : 0;
        u = s->kind == QP_ACCESS_DIVISION   ? divide(u, p)
            : s->kind == QP_ACCESS_MODULO   ? remain(u, p)
            : s->kind == QP_ACCESS_MULTIPLY ? multiply(u, p)
                                            : mix(u, QP_ACCESS_CHAIN_FACTOR + 2 * way, steps);
        s->out[i] = (float)(u >> 7);
    }
}

/* Kind `local`: an array that is written where it is read. */
static void lag(const struct qp_sweep *s, long begin, long end)
{
    for (long i = begin; i < end; i++) {
        uint32_t words[QP_ACCESS_LOCAL_WORDS] = {0}, u = (uint32_t)s->x[i];
        for (int j = 0; j < s->parameter; j++)
            words[j] = (uint32_t)j;
        for (int k = 0, j = 0; k < QP_ACCESS_LOCAL_STEPS; k++, j = j + 1 < s->parameter ? j + 1 : 0)
            words[j] = u = (QP_ACCESS_CHAIN_FACTOR * u + words[j]) & QP_ACCESS_BITS_31;
        s->out[i] = (float)(u >> 7);
    }
}

/* ---- Pointer chase ---- */

/* The thread with the first cell does the whole chase; cells after its end keep their values. */
static void walk(const struct qp_sweep *s, long begin, long end)
{
    const long steps = qp_access_steps(count_of(s));
    float group = 0.0f;
    for (long i = 0; i < steps && begin == 0; i++) {
        s->out[i] = group;
        group = s->input[0][(long)group * s->parameter] - 0x1p23f;
    }
    for (long i = begin > steps ? begin : steps; i < end; i++)
        s->out[i] = s->x[i];
}

/* ---- Functions ---- */

static float call(int kind, float u)
{
    switch (kind) {
    case QP_ACCESS_SIN:
        return sinf(u);
    case QP_ACCESS_COS:
        return cosf(u);
    case QP_ACCESS_SINCOS:
        return sinf(u) + cosf(u);
    case QP_ACCESS_EXP:
        return expf(u);
    case QP_ACCESS_LOG:
        return logf(u);
    default:
        return kind == QP_ACCESS_RSQRT ? 1.0f / sqrtf(u) : 1.0f / u;
    }
}

static void call_functions(const struct qp_sweep *s, long begin, long end)
{
    for (long i = begin; i < end; i++) {
        float all = 0.0f;
        for (int k = 0; k < s->parameter; k++)
            all += call(s->kind, s->input[0][i] * (1.0f - (float)k / QP_ACCESS_FUNCTION_STEPS));
        s->out[i] = all;
    }
}

/* ---- Both variants ---- */

static void sweep_cells(const struct qp_sweep *s, long begin, long end)
{
    if (s->kind == QP_ACCESS_STRIDE || s->kind == QP_ACCESS_COLUMNS)
        copy_columns(s, s->kind == QP_ACCESS_COLUMNS ? s->width + s->parameter : s->parameter,
                     begin, end);
    else
        (qp_access_copies(s->kind)    ? copy
         : qp_access_sums(s->kind)    ? sum
         : s->kind == QP_ACCESS_CHASE ? walk
         : s->kind == QP_ACCESS_LOCAL ? lag
         : qp_access_calls(s->kind)   ? call_functions
                                      : chain)(s, begin, end);
}

static void sweep_loop(const struct qp_sweep *s)
{
    sweep_cells(s, 0, count_of(s));
}

/* Shares out cells to all cores in whole tiles. */
static void sweep_openmp(const struct qp_sweep *s)
{
    enum { PIECE = 16 * QP_ACCESS_TILE };
    const long cells = count_of(s), pieces = (cells + PIECE - 1) / PIECE;
#pragma omp parallel for schedule(static)
    for (long k = 0; k < pieces; k++)
        sweep_cells(s, k * PIECE, k + 1 < pieces ? (k + 1) * PIECE : cells);
}

const struct qp_recipe qp_access_cpu[] = {
    /* The reference itself. */
    {.name = "access/reference",
     .backend = QP_CPU,
     .layout = "one vector",
     .place = "the judge of all variants",
     .sentence = "the patterns in one loop; itself judged by scattering what it gathers, and by "
                 "arithmetic in double and long double",
     .engine = &qp_engine_reference,
     .state = QP_FLAT,
     .input = PLACES},

    {.name = "access/loop",
     .backend = QP_CPU,
     .layout = "one vector",
     .place = "the obvious C",
     .sentence = "each pattern as one would write it, on one core",
     .state = QP_FLAT,
     .input = PLACES,
     .sweep = sweep_loop},

    {.name = "access/openmp",
     .backend = QP_CPU,
     .layout = "one vector",
     .place = "ours",
     .sentence = "loop, in pieces on all cores",
     .state = QP_FLAT,
     .input = PLACES,
     .sweep = sweep_openmp},

    {0},
};
