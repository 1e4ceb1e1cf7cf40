/* SPDX-License-Identifier: MIT */
/* Asynchronous variants on the processor: figures 17 to 20 of paper 5 without CUDA. A thread plays
 * a multiprocessor: it takes one block of 64 x `block` unknowns at a time, a component, and
 * computes its alpha + 1 steps in memory of its own, B1 and B2. Fringes go through the grid that
 * the launch reads, where other threads compute other components meanwhile: values read of a fringe
 * are old or new, as on a GPU.
 *
 * A block's 64 threads, a column each, are turns of a loop here; a barrier among them is an order
 * of these turns:
 *
 *     Async 0   barriers part the phases of a step: all columns are computed before a penultimate
 *               fringe is written, and all fringes are written before one is read
 *     Async 1   without four of the six a warp, 32 columns, goes through the phases before the next
 *               warp begins, and a thread that moves a value of a column beyond its warp finds one
 *               of two steps before
 *     Async 2   nothing is moved, and barriers part steps, which follow each other anyway
 *     Async 3   one block and no barrier: warp after warp, and in it row after row, each from what
 *               is there by then
 *
 * Figures 18 and 20 allow these orders and others, which a GPU's warps take from run to run. With
 * one thread an answer is always the same. Subnormal numbers are kept, as async_model.c keeps
 * them. */
#include <string.h>

#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/base/whole.h"

enum { ACROSS = QP_ASYNC_ACROSS, WARP = 32 };

/* A block with its fringe: "shared memory". */
typedef float grid[QP_ASYNC_MOST_UP + 2][ACROSS + 2];

struct component {
    float *x, *out;   /* its first cell in both grids */
    const float *rhs; /* first cell in h^2 f; NULL: 1 at the spike and else 0 */
    long pitch;       /* pitch of all three */
    int across, up;   /* cells that lie in the domain */
    int rows;         /* rows of a whole block: threads from this one on move its right fringe */
    int alpha;        /* as in struct qp_problem */
    double weight;
    int spike_x, spike_y; /* from its first cell; outside: nowhere */
};

/* Threads of a block. */
struct threads {
    int first, end;
};

static const struct threads all = {0, ACROSS};

/* ---- Fringes: other threads of the processor read and write them, so each value goes as a whole
 * ---- */

/* Copies a value of the grid into the block, or with `writes` of the block into the grid. */
static void move(const struct component *c, grid b, int x, int y, bool writes)
{
    float *there = c->x + y * c->pitch + x, *here = &b[y + 1][x + 1];
    if (writes)
        __atomic_store(there, here, __ATOMIC_RELAXED);
    else
        __atomic_load(there, here, __ATOMIC_RELAXED);
}

/* The fringe from the grid, or the penultimate one, the outermost ring of unknowns, into it: by a
 * thread a column, and left and right by a thread a row. */
static void exchange(const struct component *c, grid b, struct threads threads, bool writes)
{
    const int low = writes ? 0 : -1, beyond = -1 - low;
    for (int t = threads.first; t < threads.end; t++) {
        if (t < c->across) {
            move(c, b, t, low, writes);
            move(c, b, t, c->up + beyond, writes);
        }
        if (t < c->up)
            move(c, b, low, t, writes);
        else if (t >= c->rows && t - c->rows < c->up)
            move(c, b, c->across + beyond, t - c->rows, writes);
    }
}

/* ---- A block ---- */

static void fetch(const struct component *c, grid to)
{
    for (int j = 0; j < c->up; j++)
        memcpy(&to[j + 1][1], c->x + j * c->pitch, (size_t)c->across * sizeof(float));
    exchange(c, to, all, false);
}

/* New values of row j, of columns from `first` up to `end`; the spike's row is counted from this
 * one. */
static void step_row(const struct component *c, grid from, int j, struct threads columns, float *to)
{
    const struct qp_relax_step step = {.precision = QP_FLOATS,
                                       .x = &from[j + 1][1],
                                       .rhs = c->rhs != NULL ? c->rhs + j * c->pitch : NULL,
                                       .out = to,
                                       .pitch = ACROSS + 2,
                                       .weight = c->weight,
                                       .spike_x = c->spike_x,
                                       .spike_y = c->spike_y - j};
    qp_relax_loop(&step, columns.first, qp_least(columns.end, c->across), 0, 1);
}

/* A step of some threads' columns, row by row: each thread reads before one of them writes. */
static void compute(const struct component *c, grid from, grid to, struct threads threads)
{
    const int count = qp_least(threads.end, c->across) - threads.first;
    float row[ACROSS];
    for (int j = 0; j < c->up && count > 0; j++) {
        step_row(c, from, j, threads, row);
        memcpy(&to[j + 1][1 + threads.first], row + threads.first, (size_t)count * sizeof(float));
    }
}

/* The last step, whose results go to the other grid. */
static void finish(const struct component *c, grid from)
{
    for (int j = 0; j < c->up; j++)
        step_row(c, from, j, all, c->out + j * c->pitch);
}

/* ---- The figures ---- */

struct figure {
    int together; /* threads that complete a step before the next ones begin it */
    bool exchanges, in_one;
};

/* Figures 17 to 20. */
static const struct figure figures[] = {
    {ACROSS, true, false}, {WARP, true, false}, {ACROSS, false, false}, {WARP, true, true}};

/* A step of a figure's loop. */
static void take_step(const struct component *c, grid from, grid to, const struct figure *figure)
{
    for (int t = 0; t < ACROSS; t += figure->together) {
        const struct threads threads = {t, t + figure->together};
        compute(c, from, to, threads);
        if (figure->exchanges) {
            exchange(c, to, threads, true);
            exchange(c, to, threads, false);
        }
    }
}

/* B2 of figures 17 to 19 begins with the fringe, and with the columns left and right, which a warp
 * of Async 1 may move before the other one has computed them. */
static void begin_second(const struct component *c, grid b1, grid b2)
{
    memcpy(b2[0], b1[0], sizeof b1[0]);
    memcpy(b2[c->up + 1], b1[c->up + 1], sizeof b1[0]);
    for (int j = 1; j <= c->up; j++) {
        memcpy(b2[j], b1[j], 2 * sizeof(float));
        memcpy(&b2[j][c->across], &b1[j][c->across], 2 * sizeof(float));
    }
}

static void launch(const struct component *c, const struct figure *figure)
{
    grid b1, b2;
    float(*const block[2])[ACROSS + 2] = {b1, figure->in_one ? b1 : b2};
    fetch(c, b1);
    if (!figure->in_one)
        begin_second(c, b1, b2);
    for (int v = 0; v < c->alpha; v++)
        take_step(c, block[v % 2], block[1 - v % 2], figure);
    finish(c, b1);
}

/* ---- A launch ---- */

void qp_poisson5_take_components(const struct qp_plan *plan, const struct qp_relax_step *step,
                                 int *next)
{
    const struct qp_problem *problem = plan->problem;
    const int count = qp_poisson5_components(problem, plan->block);
    const int columns = qp_groups_in(problem->width, ACROSS);
    for (int k; (k = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < count;) {
        const int x = k % columns * ACROSS, y = k / columns * plan->block;
        const long first = y * step->pitch + x;
        const struct component c = {.x = (float *)step->x + first,
                                    .out = (float *)step->out + first,
                                    .rhs =
                                        step->rhs != NULL ? (const float *)step->rhs + first : NULL,
                                    .pitch = step->pitch,
                                    .across = qp_least(ACROSS, problem->width - x),
                                    .up = qp_least(plan->block, problem->height - y),
                                    .rows = plan->block,
                                    .alpha = problem->alpha,
                                    .weight = step->weight,
                                    .spike_x = step->spike_x - x,
                                    .spike_y = step->spike_y - y};
        launch(&c, &figures[qp_poisson5_variant(plan->variant->recipe)->figure - 17]);
    }
}
