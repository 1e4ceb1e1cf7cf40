/* SPDX-License-Identifier: MIT */
/* Temporal blocking on the CPU: up to 16 steps in one sweep over the grid, each cell the same sums
 * as in single steps.
 *
 * A thread has a share of the rows and goes through it in tiles of columns, upwards. Level t is the
 * grid after t steps of the sweep; it trails level t - 1 by one row, since a row needs the one
 * above it:
 *
 *     level 1    rows s     .. s + 3    from the source
 *     level 2    rows s - 1 .. s + 2    from level 1
 *     level t    rows s - t + 1 .. s - t + 4, then s goes on by 4
 *
 * Between levels a ring of 8 rows is kept, 6 of which are needed; all rings of a tile stay in the
 * second-level cache. The last level goes into the target. Shares and tiles overlap: level t is
 * computed T - t cells beyond their borders, twice therefore there, of T in all, and never beyond
 * the rim, whose zeros the rings hold too. */
#include <string.h>

#include "lab/engines/common.h"
#include "lab/engines/cpu.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

enum {
    LEVELS = QP_RELAX_CELLS, /* steps of a sweep; a tile's overlap, one row of cells, is as wide */
    RING = 8,                /* rows */
    TILE_BYTES = 4096,       /* a tile's row: rings of all levels take half a megabyte */
    LEAST_ROWS =
        2 * LEVELS, /* rows of a share: with fewer the overlap costs more than a thread brings */
};

/* A plan's data besides its arrays: a thread's rings, one after the other. */
struct rings {
    int shares;
    int tile;         /* columns */
    long pitch;       /* values of a ring's row */
    size_t row_bytes; /* bytes of a ring's row */
    size_t bytes;     /* a thread's rings, and a row of zeros after them */
    char *memory;
};

/* A sweep: steps 0 to levels - 1. */
struct sweep {
    struct qp_relax_step step; /* the first step */
    double weight[LEVELS];
    int levels, width, height;
};

/* A tile of a thread's share. */
struct tile {
    const struct sweep *sweep;
    int x0, x1, y0, y1;
    const struct rings *rings;
    char *ring; /* level 1's */
    struct qp_relax_rows rows;
};

/* ---- Rows of a tile ---- */

/* Row y of a level between source and target, at column 0: it holds columns x0 - 16 to x1 + 15.
 * Level 0 is the row of zeros beyond the rim. */
static void *ring_row(const struct tile *t, int level, int y)
{
    const struct rings *r = t->rings;
    const long row = level > 0 ? (long)(level - 1) * RING + y % RING : (long)(LEVELS - 1) * RING;
    const long column = 2 * QP_RELAX_CELLS - t->x0;
    const long value = (long)qp_value_bytes(t->sweep->step.precision);
    return t->ring + row * (long)r->row_bytes + column * value;
}

static long row_bytes(const struct sweep *s)
{
    return s->step.pitch * (long)qp_value_bytes(s->step.precision);
}

static const void *old_row(const struct tile *t, int level, int y)
{
    const struct sweep *s = t->sweep;
    if (level == 1)
        return (const char *)s->step.x + y * row_bytes(s);
    return ring_row(t, y >= 0 && y < s->height ? level - 1 : 0, y);
}

/* Rows y up to end of a level, four at most. Only what differs from the last call is set: to clear
 * the whole struct would take a tenth of the time. */
static void relax_level(struct tile *t, int level, int y, int end)
{
    const struct sweep *s = t->sweep;
    struct qp_relax_rows *rows = &t->rows;
    const bool last = level == s->levels;
    const int overlap = last ? 0 : QP_RELAX_CELLS;
    rows->count = end - y;
    rows->first = t->x0 > 0 ? t->x0 - overlap : 0;
    rows->end = qp_least(s->width, t->x1 + overlap);
    rows->weight = s->weight[level - 1];
    rows->streams = last && s->step.streams;
    rows->spike_row = s->step.spike_y < 0 ? -1 : s->step.spike_y - y;
    for (int k = -1; k <= rows->count; k++)
        rows->in[k + 1] = old_row(t, level, y + k);
    for (int k = 0; k < rows->count; k++) {
        const long to = (y + k) * row_bytes(s);
        rows->rhs[k] = s->step.rhs != NULL ? (const char *)s->step.rhs + to : NULL;
        rows->out[k] = last ? (char *)s->step.out + to : ring_row(t, level, y + k);
    }
    qp_relax_rows(rows);
}

/* Asks for a part of the source's rows from y on, which level 1 needs next: a level's share of
 * them. */
static void fetch_rows(const struct tile *t, int level, int y)
{
    enum { LINE = 64 };
    const struct sweep *s = t->sweep;
    const long value = (long)qp_value_bytes(s->step.precision);
    const long bytes = (t->x1 - t->x0) * value / s->levels;
    for (int k = y; k < y + QP_RELAX_ROWS && k < s->height; k++) {
        const char *from =
            (const char *)s->step.x + k * row_bytes(s) + t->x0 * value + (level - 1) * bytes;
        for (long i = 0; i < bytes; i += LINE)
            __builtin_prefetch(from + i, 0, 2);
    }
}

/* The rim beside a tile, in all rows of its rings: an earlier tile may have had cells there. */
static void clear_sides(const struct tile *t)
{
    const struct sweep *s = t->sweep;
    const size_t value = qp_value_bytes(s->step.precision);
    for (int level = 1; level < s->levels; level++) {
        for (int y = 0; y < RING; y++) {
            char *row = ring_row(t, level, y);
            memset(row + (t->x0 - 1) * (long)value, 0, value);
            if (t->x1 + QP_RELAX_CELLS >= s->width)
                memset(row + s->width * (long)value, 0, value);
        }
    }
}

static void relax_tile(struct tile *t)
{
    const struct sweep *s = t->sweep;
    const int levels = s->levels;
    clear_sides(t);
    for (int next = t->y0 - levels + 1; next - levels + 1 < t->y1; next += QP_RELAX_ROWS) {
        for (int level = 1; level <= levels; level++) {
            const int beyond = levels - level, row = next - level + 1;
            const int low = t->y0 > beyond ? t->y0 - beyond : 0;
            const int end = qp_least(qp_least(row + QP_RELAX_ROWS, t->y1 + beyond), s->height);
            const int first = row > low ? row : low;
            if (first < end)
                relax_level(t, level, first, end);
            if (next + QP_RELAX_ROWS >= 0)
                fetch_rows(t, level, next + QP_RELAX_ROWS + 1);
        }
    }
}

static void relax_share(const struct rings *rings, const struct sweep *s, int share)
{
    struct tile tile = {.sweep = s,
                        .y0 = (int)((long)s->height * share / rings->shares),
                        .y1 = (int)((long)s->height * (share + 1) / rings->shares),
                        .rings = rings,
                        .ring = rings->memory + (size_t)share * rings->bytes,
                        .rows = {.precision = s->step.precision, .spike_x = s->step.spike_x}};
    for (tile.x0 = 0; tile.x0 < s->width; tile.x0 = tile.x1) {
        tile.x1 = qp_least(tile.x0 + rings->tile, s->width);
        relax_tile(&tile);
    }
    if (s->step.streams)
        qp_relax_fence();
}

/* ---- The engine ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    const int threads = qp_poisson5_thread_count(), height = plan->problem->height;
    const size_t value = qp_value_bytes(plan->layout.precision);
    const enum qp_status status = qp_plan_cpu_upload(plan);
    struct rings *rings =
        status == QP_OK ? qp_alloc_zero(1, sizeof *rings, "a plan's rings") : NULL;
    if (rings == NULL)
        return status == QP_OK ? QP_NO_MEMORY : status;
    struct qp_plan_cpu *own = plan->own;
    own->more = rings;
    rings->shares = qp_clamp((double)height / LEAST_ROWS, 1, threads);
    rings->tile = TILE_BYTES / (int)value;
    rings->row_bytes = ((size_t)rings->tile + 5 * QP_RELAX_CELLS) * value;
    rings->bytes = ((LEVELS - 1) * RING + 1) * rings->row_bytes;
    own->lines = rings->memory =
        qp_alloc_line((size_t)rings->shares, rings->bytes, "rows between fused steps");
    if (rings->memory == NULL)
        return QP_NO_MEMORY;
    memset(rings->memory, 0, (size_t)rings->shares * rings->bytes);
    plan->most_steps = qp_poisson5_most_steps(plan, 0x1p30, LEVELS);
    return QP_OK;
}

/* `levels` steps from the source into the target. */
static void take(struct qp_plan *plan, int levels)
{
    struct qp_plan_cpu *own = plan->own;
    const struct rings *rings = own->more;
    struct sweep sweep = {.step = qp_poisson5_next_step(plan),
                          .levels = levels,
                          .width = plan->problem->width,
                          .height = plan->problem->height};
    for (int k = 0; k < levels; k++)
        sweep.weight[k] = qp_problem_step_weight(plan->problem, own->step++);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < rings->shares; k++) {
        const unsigned before = qp_relax_flush();
        relax_share(rings, &sweep, k);
        qp_relax_restore(before);
    }
}

/* Takes steps in sweeps of about equal depth. Where changes are measured the last step is a sweep
 * of its own, so that the source is the iterate before it. */
static enum qp_status passes(struct qp_plan *plan, int count)
{
    const int alone = plan->measures_change ? 1 : 0;
    while (count > 0) {
        const int fused = count > alone ? count - alone : count;
        const int levels = qp_groups_in(fused, qp_groups_in(fused, LEVELS));
        take(plan, levels);
        count -= levels;
        if (count > 0)
            qp_plan_cpu_swap(plan);
    }
    return QP_OK;
}

static const struct qp_engine_rows rows = {QP_PLAN_CPU_ROWS, .change = qp_plan_cpu_change_lines};

const struct qp_engine qp_engine_poisson5_blocked = {QP_PLAN_CPU_MEMBERS,          .upload = upload,
                                                     .pass = qp_pass_once,         .passes = passes,
                                                     .change = qp_plan_cpu_change, .rows = &rows};
