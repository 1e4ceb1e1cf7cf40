/* SPDX-License-Identifier: MIT */
/* Threads of a warp on the banks of shared memory and on segments of global memory, reckoned, not
 * measured: by the index functions that the kernels themselves are compiled from. */
#include <string.h>

#include "base/status.h"
#include "base/whole.h"
#include "cmd/draw/draw.h"
#include "ops/access/banks.h"
#include "ops/access/order.h"
#include "ops/reduce/kernels.h"
#include "ops/reduce/pairs.h"
#include "ops/transpose/index.h"
#include "plan/op.h"
#include "plan/problem.h"

enum {
    WARP = 32,
    BANKS = 32,
    SEGMENT = 32,
    SECTOR = 8,
    MOST = 8,
    IDLE = -1
}; /* words of 4 bytes */

/* An access of the block's first warp: the word, of 4 bytes, of each thread. A segment of global
 * memory has as many words as there are banks. */
struct access {
    char what[48];
    bool global;
    long word[WARP];
};

/* ---- Rows and their accesses ---- */

static struct access *add(struct access *list, int *count, bool global, const char *what)
{
    struct access *access = &list[(*count)++];
    snprintf(access->what, sizeof access->what, "%s %s", global ? "global" : "shared", what);
    access->global = global;
    return access;
}

/* Kernels of transpose; a tile of 0: they use no shared memory. */
static const struct tiles {
    const char *row;
    int tile, padding;
    enum qp_transpose_order order;
} tiles[] = {
#define PLAIN(name, order)                {"transpose/cuda_" #name, 0, 0, order},
#define TILES(name, tile, padding, order) {"transpose/cuda_" #name, tile, padding, order},
    QP_TRANSPOSE_PLAIN(PLAIN) QP_TRANSPOSE_TILES(TILES)};

static int list_transpose(const char *row, const struct qp_problem *problem, struct access *list)
{
    const int width = problem->width, height = problem->height;
    const struct tiles *k = tiles, *end = tiles + sizeof tiles / sizeof tiles[0];
    int count = 0;
    while (k < end && strcmp(row, k->row) != 0)
        k++;
    if (k == end)
        return 0;
    const int side = k->tile > 0 ? k->tile : WARP, pitch = side + k->padding;
    const bool turns = k->order == QP_TRANSPOSE_TURN, down = k->order == QP_TRANSPOSE_INTERLEAVED;
    struct access *load = add(list, &count, true, "load"), unused[2];
    struct access *in = k->tile > 0 ? add(list, &count, false, "store") : &unused[0];
    struct access *out = k->tile > 0 ? add(list, &count, false, "load") : &unused[1];
    struct access *store = add(list, &count, true, "store");
    for (int t = 0; t < WARP; t++) {
        const int x = t % side, y = t / side, column = down ? y : x, row_of_x = down ? x : y;
        load->word[t] = (long)qp_transpose_at(column, row_of_x, width);
        in->word[t] = qp_transpose_stored(x, y, pitch);
        out->word[t] = qp_transpose_loaded(k->order, x, y, pitch);
        store->word[t] =
            (long)(k->tile > 0 ? qp_transpose_at(x, y, turns ? height : width)
                               : qp_transpose_to(k->order, column, row_of_x, width, height));
    }
    return count;
}

/* Rounds of a block's sum: the first word of each thread's pair. */
static int list_reduce(const char *row, const struct qp_problem *problem, struct access *list)
{
    static const char *const rungs[] = {[QP_PAIRS_INTERLEAVED] = "reduce/cuda_interleaved",
                                        [QP_PAIRS_STRIDED] = "reduce/cuda_strided",
                                        [QP_PAIRS_SEQUENTIAL] = "reduce/cuda_sequential"};
    int pairs = 0, count = 0;
    (void)problem;
    while (pairs < 3 && strcmp(row, rungs[pairs]) != 0)
        pairs++;
    while (pairs < 3 && count < QP_REDUCE_BLOCK_LOG) {
        const unsigned s =
            1u << (pairs == QP_PAIRS_SEQUENTIAL ? QP_REDUCE_BLOCK_LOG - 1 - count : count);
        struct access *access = add(list, &count, false, "");
        int warps[QP_REDUCE_BLOCK / WARP] = {0}, at_work = 0;
        for (unsigned t = 0; t < QP_REDUCE_BLOCK; t++) {
            const unsigned word = qp_rung_pair((enum qp_rung_pairs)pairs, t, s, QP_REDUCE_BLOCK);
            at_work += word < QP_REDUCE_BLOCK && warps[t / WARP]++ == 0;
            if (t < WARP)
                access->word[t] = word < QP_REDUCE_BLOCK ? (long)word : IDLE;
        }
        snprintf(access->what, sizeof access->what, "s = %u, %d of 8 warps at work", s, at_work);
    }
    return count;
}

static int list_access(const char *row, const struct qp_problem *problem, struct access *list)
{
    const int kind = qp_problem_kind(problem);
    const bool global = kind <= QP_ACCESS_PERMUTED && strcmp(row, "access/cuda_simple") == 0;
    const bool padded = strcmp(row, "access/cuda_shared_padded") == 0;
    const unsigned p = (unsigned)problem->parameter;
    const struct qp_access_order order = qp_access_order_make(
        kind, (unsigned)qp_problem_cells(problem), (unsigned)problem->width, p);
    int count = 0;
    if (!global && !(kind >= QP_ACCESS_BANKS && kind <= QP_ACCESS_PAIRS &&
                     (padded || strcmp(row, "access/cuda_shared") == 0)))
        return 0;
    struct access *load = add(list, &count, global, "load");
    for (unsigned t = 0; t < WARP; t++)
        load->word[t] = global ? qp_access_cell(kind, &order, t)
                               : qp_access_word(padded ? QP_ACCESS_PADDED : QP_ACCESS_WORDS,
                                                qp_access_first(kind, t, p));
    return count;
}

/* ---- The picture ---- */

/* Turns of shared memory, each of which serves one word of every bank, or segments of global
 * memory: the thread that wants a word, by line and column. */
struct turns {
    int thread[WARP][BANKS], lines, words, sectors;
};

static int paint_at(const void *user, int column, int line)
{
    const int thread = ((const struct turns *)user)->thread[line][column];
    return thread < 0 ? SVG_COLOURS : thread;
}

/* Puts a thread into the first line that has room for its word, or has it. */
static void take_turn(struct turns *turns, const struct access *access, int t)
{
    const long word = access->word[t];
    int line = 0, others = 0;
    for (; line < turns->lines; line++) {
        int in_line = -1; /* a thread that is there already */
        for (int k = 0; k < BANKS; k++)
            in_line = access->global || k == word % BANKS ? qp_most(in_line, turns->thread[line][k])
                                                          : in_line;
        if (access->global ? access->word[in_line] / BANKS == word / BANKS
                           : in_line < 0 || access->word[in_line] == word)
            break;
    }
    for (int k = 0; k < SECTOR; k++)
        others += turns->thread[line][word % BANKS / SECTOR * SECTOR + k] >= 0;
    turns->sectors += others == 0;
    turns->words += turns->thread[line][word % BANKS] < 0;
    turns->thread[line][word % BANKS] = t;
    turns->lines = qp_most(turns->lines, line + 1);
}

static void draw_access(struct svg *svg, const struct access *access)
{
    enum { HEIGHT = 8 };
    struct turns turns = {.lines = 0};
    char cost[64];
    int active = 0;
    memset(turns.thread, -1, sizeof turns.thread);
    for (int t = 0; t < WARP; t++) {
        if (access->word[t] != IDLE) {
            take_turn(&turns, access, t);
            active++;
        }
    }
    const char *plural = turns.lines == 1 ? "" : "s";
    if (access->global)
        snprintf(cost, sizeof cost, "%d segment%s, %d bytes moved for %d", turns.lines, plural,
                 turns.sectors * SECTOR * 4, turns.words * 4);
    else
        snprintf(cost, sizeof cost, "%d of 32 threads, %d turn%s", active, turns.lines, plural);
    struct svg_raster raster = svg_squares(BANKS, turns.lines, svg_side(BANKS, 1, SVG_INSIDE),
                                           svg_colours(), SVG_COLOURS + 1, paint_at, &turns);
    raster.height = HEIGHT;
    raster.every[0] = raster.every[1] = 1;
    svg_panel(svg, raster, 0, 1, "%s: %s", access->what, cost);
    svg_describe(svg, " %s: %s.", access->what, cost);
}

enum qp_status draw_banks(struct drawing *drawing)
{
    static int (*const lists[])(const char *, const struct qp_problem *,
                                struct access *) = {list_transpose, list_reduce, list_access};
    struct svg *svg = &drawing->svg;
    struct access list[MOST];
    int count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && count == 0; i++)
        count = lists[i](drawing->row->name, &drawing->problem, list);
    if (count == 0)
        return qp_fail(QP_BAD_USE,
                       "%s with %s shares no index function with the host; draw a row such as "
                       "transpose/cuda_padded or reduce/cuda_strided",
                       drawing->row->name, drawing->problem.kind);
    svg_title(svg, "Banks of %s, reckoned", drawing->row->name);
    svg_describe(svg, "Reckoned by the kernel's own index functions, not measured, for the first "
                      "warp of a block. Each of 32 banks serves a word a turn; a segment is 128 "
                      "bytes.");
    svg->height += SVG_TEXT;
    svg_text(svg, SVG_MARGIN, svg->height, SVG_SMALL, SVG_START,
             "columns: banks, or words of a segment; lines: turns, segments");
    svg->height += SVG_MARGIN;
    for (int i = 0; i < count; i++)
        draw_access(svg, &list[i]);
    svg->height += SVG_LINE;
    svg_text(svg, SVG_MARGIN, svg->height, SVG_SMALL, SVG_START, "colours: threads of the warp");
    svg->height += 4;
    svg_scale(svg, 0, WARP - 1);
    return QP_OK;
}
