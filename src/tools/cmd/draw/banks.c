/* SPDX-License-Identifier: MIT */
/* Threads of a block's first warp on the banks of shared memory and on segments of global memory,
 * reckoned, not measured: by the index functions that the kernels themselves are compiled from. */
#include <string.h>

#include "lab/ops/access/banks.h"
#include "lab/ops/access/indices.h"
#include "lab/ops/reduce/kernels.h"
#include "lab/ops/reduce/pairs.h"
#include "lab/ops/transpose/index.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "toolkit/base/text.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/draw/draw.h"

/* Numbers of words of 4 bytes; a segment has as many as there are banks. */
enum { WARP = 32, BANKS = 32, SECTOR = 8, IDLE = -1 };

/* ---- An access ---- */

/* Turns of shared memory, in each of which a bank serves one word, or segments of global memory:
 * the thread that wants a word, by line and column. */
struct turns {
    int thread[WARP][BANKS], lines, threads, words, sectors;
};

static int paint_at(const void *user, int column, int line)
{
    const int thread = ((const struct turns *)user)->thread[line][column];
    return thread < 0 ? SVG_COLOURS : thread;
}

/* Puts a thread into the first line that has its word, or its segment, or room for its word. */
static void take_turn(struct turns *turns, bool global, const long words[WARP], int t)
{
    const int column = (int)(words[t] % BANKS), sector = column / SECTOR * SECTOR;
    int line = 0, beside = 0;
    for (; line < turns->lines; line++) {
        int there = turns->thread[line][column];
        for (int k = 0; k < BANKS && global; k++)
            there = qp_most(there, turns->thread[line][k]);
        if (there < 0 || words[there] == words[t] ||
            (global && words[there] / BANKS == words[t] / BANKS))
            break;
    }
    for (int k = sector; k < sector + SECTOR; k++)
        beside += turns->thread[line][k] >= 0;
    turns->sectors += beside == 0;
    turns->words += turns->thread[line][column] < 0;
    turns->threads++;
    turns->thread[line][column] = t;
    turns->lines = qp_most(turns->lines, line + 1);
}

static void draw_access(struct svg *svg, const char *what, bool global, const long words[WARP])
{
    enum { HEIGHT = 8 };
    struct turns turns = {.lines = 0};
    char cost[64];
    memset(turns.thread, -1, sizeof turns.thread);
    for (int t = 0; t < WARP; t++) {
        if (words[t] != IDLE)
            take_turn(&turns, global, words, t);
    }
    const char *plural = turns.lines == 1 ? "" : "s", *more = turns.threads == 1 ? "" : "s";
    if (global)
        snprintf(cost, sizeof cost, "%d segment%s, %d bytes moved for %d", turns.lines, plural,
                 turns.sectors * SECTOR * 4, turns.words * 4);
    else
        snprintf(cost, sizeof cost, "%d turn%s of %d thread%s", turns.lines, plural, turns.threads,
                 more);
    struct svg_raster raster = svg_squares(BANKS, turns.lines, svg_side(BANKS, 1, SVG_INSIDE),
                                           svg_colours(), SVG_COLOURS + 1, paint_at, &turns);
    raster.height = HEIGHT;
    raster.every[0] = raster.every[1] = 1;
    svg_panel(svg, raster, 0, 1, "%s: %s", what, cost);
    svg_describe(svg, " %s: %s.", what, cost);
}

/* ---- Variants; false for others ---- */

/* Kernels of transpose; a tile of 0: they use no shared memory. */
static const struct tiles {
    const char *row;
    int tile, padding;
    enum qp_transpose_direction order;
} tiles[] = {
#define PLAIN(name, order)                {"transpose/cuda_" #name, 0, 0, order},
#define TILES(name, tile, padding, order) {"transpose/cuda_" #name, tile, padding, order},
    QP_TRANSPOSE_PLAIN(PLAIN) QP_TRANSPOSE_TILES(TILES)};

static bool draw_transpose(struct svg *svg, const char *row, const struct qp_problem *problem)
{
    const int width = problem->width, height = problem->height;
    const struct tiles *k = tiles, *end = tiles + sizeof tiles / sizeof tiles[0];
    long load[WARP], stored[WARP], loaded[WARP], store[WARP];
    while (k < end && strcmp(row, k->row) != 0)
        k++;
    if (k == end)
        return false;
    const int side = k->tile > 0 ? k->tile : WARP, pitch = side + k->padding;
    const bool turns = k->order == QP_TRANSPOSE_TURN, down = k->order == QP_TRANSPOSE_INTERLEAVED;
    const int to_width = turns ? height : width, to_height = turns ? width : height;
    for (int t = 0; t < WARP; t++) {
        const int x = t % side, y = t / side, from_x = down ? y : x, from_y = down ? x : y;
        const bool loads = from_x < width && from_y < height;
        const bool stores = k->tile > 0 ? x < to_width && y < to_height : loads;
        const size_t to = k->tile > 0 ? qp_transpose_at(x, y, to_width)
                                      : qp_transpose_to(k->order, from_x, from_y, width, height);
        load[t] = loads ? (long)qp_transpose_at(from_x, from_y, width) : IDLE;
        stored[t] = loads ? (long)qp_transpose_at(x, y, pitch) : IDLE;
        loaded[t] = stores ? (long)qp_transpose_to(k->order, x, y, pitch, pitch) : IDLE;
        store[t] = stores ? (long)to : IDLE;
    }
    draw_access(svg, "global load", true, load);
    if (k->tile > 0) {
        draw_access(svg, "shared store", false, stored);
        draw_access(svg, "shared load", false, loaded);
    }
    draw_access(svg, "global store", true, store);
    return true;
}

/* Rounds of a block's sum: the first word of each thread's pair. */
static bool draw_reduce(struct svg *svg, const char *row, const struct qp_problem *problem)
{
    static const char *const rungs[] = {[QP_PAIRS_INTERLEAVED] = "reduce/cuda_interleaved",
                                        [QP_PAIRS_STRIDED] = "reduce/cuda_strided",
                                        [QP_PAIRS_SEQUENTIAL] = "reduce/cuda_sequential"};
    enum { BLOCK = QP_REDUCE_BLOCK, ROUNDS = QP_REDUCE_BLOCK_LOG };
    const int pairs = qp_text_place(rungs, 3, row);
    (void)problem;
    for (int k = 0; k < ROUNDS && pairs < 3; k++) {
        const unsigned s = 1u << (pairs == QP_PAIRS_SEQUENTIAL ? ROUNDS - 1 - k : k);
        int at_work[BLOCK / WARP] = {0}, warps = 0;
        long words[BLOCK];
        char what[64];
        for (unsigned t = 0; t < BLOCK; t++) {
            unsigned first;
            const bool adds = qp_rung_pair((enum qp_rung_pairs)pairs, t, s, BLOCK, &first);
            words[t] = adds ? (long)first : IDLE;
            warps += adds && at_work[t / WARP]++ == 0;
        }
        snprintf(what, sizeof what, "s = %u, %d of %d warps at work", s, warps, BLOCK / WARP);
        draw_access(svg, what, false, words);
    }
    return pairs < 3;
}

static bool draw_kind_of_access(struct svg *svg, const char *row, const struct qp_problem *problem)
{
    const int kind = qp_problem_kind(problem);
    const bool padded = strcmp(row, "access/cuda_shared_padded") == 0;
    const bool shared = padded || strcmp(row, "access/cuda_shared") == 0;
    const bool global = strcmp(row, "access/cuda_simple") == 0 && kind <= QP_ACCESS_PERMUTED;
    const unsigned p = (unsigned)problem->parameter, width = (unsigned)problem->width;
    const struct qp_access_indices order =
        qp_access_indices_make(kind, (unsigned)qp_problem_cells(problem), width, p);
    long words[WARP];
    if (!shared && !global)
        return false;
    for (unsigned t = 0; t < WARP; t++)
        words[t] = global ? qp_access_cell(kind, &order, t)
                          : qp_access_word(padded ? QP_ACCESS_PADDED : QP_ACCESS_WORDS,
                                           qp_access_first(kind, t, p));
    draw_access(svg, global ? "global load" : "shared load", global, words);
    return true;
}

enum qp_status draw_banks(struct drawing *drawing)
{
    const char *row = drawing->variant->name;
    const struct qp_problem *problem = &drawing->problem;
    struct svg *svg = &drawing->svg;
    const enum qp_status status = qp_variant_takes(drawing->variant, problem);
    if (status != QP_OK)
        return status;
    svg_title(svg, "Banks and segments of %s", row);
    svg_describe(svg, "Reckoned by the kernel's own index functions, not measured, for the first "
                      "warp of a block. Each of 32 banks serves a word a turn; a segment is 128 "
                      "bytes.");
    svg_note(svg, "columns: banks, or words of a segment; lines: turns, segments");
    if (!draw_transpose(svg, row, problem) && !draw_reduce(svg, row, problem) &&
        !draw_kind_of_access(svg, row, problem))
        return draw_refuse(drawing, "shares no index function of this problem with the host",
                           "transpose/cuda_padded");
    svg_note(svg, "reckoned; colours: threads");
    svg_scale(svg, svg_colours(), SVG_COLOURS, 0, WARP - 1);
    return QP_OK;
}
