/* SPDX-License-Identifier: MIT */
/* Paper 5, 3.1, for machines whose memory belongs to nodes: bound threads, each with its block of
 * the grid in memory that it alone allocates and touches first, so that the system takes it from
 * the thread's own node. Nodes have rectangles of blocks, as in figure 4.
 *
 * A block is surrounded by ghost cells, the neighbours' edges. Each step ends with a barrier, after
 * which every thread fetches its ghost cells from its neighbours, and the paper's second barrier,
 * after which they may go on. (With two arrays in turn nobody overwrites what a neighbour still
 * fetches, so that the second could go; it is the paper's, and here to be timed.) On a machine of
 * one node ghost cells and barriers are all that remains. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lab/engines/common.h"
#include "lab/engines/cpu.h"
#include "lab/engines/parts/pool.h"
#include "lab/ops/poisson5/cpu/blocks.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/plan/problem.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/whole.h"

/* A thread's block, in one mapping. Rows hold 16 values before the first cell, the ghost among
 * them. */
struct home {
    struct qp_poisson5_block block;
    long pitch;     /* values */
    size_t bytes;   /* an array's: x, its next state, h^2 f if the problem's kind reads it */
    void *memory;   /* NULL without a block */
    char *array[3]; /* cell (0, 0) of each */
};

struct numa {
    struct qp_pool *pool;
    struct qp_poisson5_blocks blocks;
    struct home *home; /* a home for each thread, in the order of blocks */
    int source;        /* which array the next step reads */
    bool failed;       /* some thread got no memory */
};

/* Steps that all threads take together, or the plan whose start they fetch. */
struct work {
    const struct qp_plan *plan;
    struct numa *numa;
    struct qp_relax_step step; /* step of the whole grid */
    int first, count;
};

static struct numa *numa_of(const struct qp_plan *plan)
{
    const struct qp_plan_cpu *own = plan->own;
    return own != NULL ? own->more : NULL;
}

static struct home *home_of(const struct numa *numa, int id)
{
    return &numa->home[qp_poisson5_place_of(&numa->blocks, id)];
}

static long value_bytes(const struct work *work)
{
    return (long)qp_value_bytes(work->step.precision);
}

/* Cell (x, y) of an array of a thread's, counted from its block's first. */
static char *cell(const struct home *home, int array, int x, int y, long value)
{
    return home->array[array] + (y * home->pitch + x) * value;
}

/* ---- In the threads ---- */

static bool map(struct home *home, int arrays, long value)
{
    const int width = home->block.x1 - home->block.x0, height = home->block.y1 - home->block.y0;
    home->pitch = (long)QP_RELAX_CELLS * (qp_groups_in(width + 1, QP_RELAX_CELLS) + 1);
    home->bytes = (size_t)(home->pitch * (height + 2) * value);
    void *memory = mmap(NULL, home->bytes * (size_t)arrays, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    home->memory = memory;
    for (int k = 0; k < arrays; k++)
        home->array[k] = (char *)memory + (size_t)k * home->bytes +
                         (size_t)(home->pitch + QP_RELAX_CELLS) * (size_t)value;
    return true;
}

/* A block of the grid, its neighbours' edges too, into an array of the thread's. */
static void fetch_block(const struct home *home, int array, const void *grid, long pitch,
                        long value)
{
    const struct qp_poisson5_block *b = &home->block;
    for (int y = b->y0 - 1; y <= b->y1; y++)
        memcpy(cell(home, array, -1, y - b->y0, value),
               (const char *)grid + (y * pitch + b->x0 - 1) * value,
               (size_t)(b->x1 - b->x0 + 2) * (size_t)value);
}

/* The start, and the next state as long as nobody has written it, into the thread's own memory,
 * which this touches first. Zeros around the grid come along. */
static void move_in(void *user, int id)
{
    const struct work *work = user;
    struct home *home = home_of(work->numa, id);
    const int arrays = work->step.rhs != NULL ? 3 : 2;
    const long value = value_bytes(work);
    home->block = qp_poisson5_block_of(&work->numa->blocks, id);
    if (home->block.x1 == 0)
        return;
    if (home->memory == NULL && !map(home, arrays, value)) {
        __atomic_store_n(&work->numa->failed, true, __ATOMIC_RELAXED);
        return;
    }
    fetch_block(home, 0, work->step.x, work->step.pitch, value);
    fetch_block(home, 1, work->step.out, work->step.pitch, value);
    if (arrays == 3)
        fetch_block(home, 2, work->step.rhs, work->step.pitch, value);
}

/* Ghost cells of an array, from the neighbours that there are. Both blocks of a pair are equally
 * wide or high where they meet. */
static void fetch_ghosts(const struct work *work, const struct home *home, int array)
{
    const struct qp_poisson5_blocks *blocks = &work->numa->blocks;
    const struct qp_poisson5_block *b = &home->block;
    const long value = value_bytes(work);
    const int width = b->x1 - b->x0, height = b->y1 - b->y0;
    const size_t row = (size_t)(width * value);
    if (b->y0 > 0) {
        const struct home *below = home - blocks->across;
        memcpy(cell(home, array, 0, -1, value),
               cell(below, array, 0, below->block.y1 - below->block.y0 - 1, value), row);
    }
    if (b->y1 < blocks->height)
        memcpy(cell(home, array, 0, height, value), cell(home + blocks->across, array, 0, 0, value),
               row);
    for (int y = 0; y < height && b->x0 > 0; y++) {
        const struct home *left = home - 1;
        memcpy(cell(home, array, -1, y, value),
               cell(left, array, left->block.x1 - left->block.x0 - 1, y, value), (size_t)value);
    }
    for (int y = 0; y < height && b->x1 < blocks->width; y++)
        memcpy(cell(home, array, width, y, value), cell(home + 1, array, 0, y, value),
               (size_t)value);
}

static void take_steps(void *user, int id)
{
    const struct work *work = user;
    const struct home *home = home_of(work->numa, id);
    const struct qp_poisson5_block *b = &home->block;
    struct qp_relax_step step = work->step;
    const unsigned before = qp_relax_flush();
    step.pitch = home->pitch;
    step.rhs = step.rhs != NULL ? home->array[2] : NULL;
    const bool has_spike = step.spike_x >= b->x0 && step.spike_x < b->x1 && step.spike_y >= b->y0 &&
                           step.spike_y < b->y1;
    step.spike_x = has_spike ? step.spike_x - b->x0 : -1;
    step.spike_y = has_spike ? step.spike_y - b->y0 : -1;
    for (int k = 0; k < work->count; k++) {
        const int source = (work->numa->source + k) % 2;
        step.x = home->array[source];
        step.out = home->array[1 - source];
        step.weight = qp_problem_step_weight(work->plan->problem, work->first + k);
        qp_relax_loop(&step, 0, b->x1 - b->x0, 0, b->y1 - b->y0);
        qp_pool_wait(work->numa->pool);
        if (home->memory != NULL)
            fetch_ghosts(work, home, 1 - source);
        qp_pool_wait(work->numa->pool);
    }
    qp_relax_restore(before);
}

/* ---- The engine ---- */

static struct work work_of(struct qp_plan *plan, int count)
{
    const struct qp_plan_cpu *own = plan->own;
    return (struct work){.plan = plan,
                         .numa = own->more,
                         .step = qp_poisson5_next_step(plan),
                         .first = own->step,
                         .count = count};
}

/* The plan's start into the threads' memory. */
static enum qp_status move(struct qp_plan *plan)
{
    struct work work = work_of(plan, 0);
    work.numa->source = 0;
    qp_pool_run(work.numa->pool, move_in, &work);
    if (work.numa->failed)
        return qp_fail(QP_NO_MEMORY, "no memory for the threads' blocks of %d x %d cells",
                       plan->problem->width, plan->problem->height);
    return QP_OK;
}

/* Stage 4: threads, their memory, and after steps to warm up the start once more. */
static enum qp_status start(struct qp_plan *plan)
{
    const int threads = qp_poisson5_thread_count();
    const double bytes = 2.0 * qp_plan_bytes(plan), there = qp_memory_there();
    if (bytes > 0.9 * there)
        return qp_fail(
            QP_NO_MEMORY,
            "the grid and its threads' blocks need %.1f GB, and may take %.1f of what this "
            "machine or this container has; take a smaller grid",
            bytes * 1e-9, 0.9 * there * 1e-9);
    struct numa *numa = qp_alloc_zero(1, sizeof *numa, "a plan's threads");
    if (numa == NULL)
        return QP_NO_MEMORY;
    ((struct qp_plan_cpu *)plan->own)->more = numa;
    numa->home = qp_alloc_zero((size_t)threads, sizeof *numa->home, "the threads' blocks");
    plan->most_steps = qp_poisson5_most_steps(plan, 0x1p28, 1);
    enum qp_status status = numa->home != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_pool_start(threads, true, &numa->pool);
    if (status != QP_OK)
        return status;
    numa->blocks = qp_poisson5_blocks_of(plan->problem->width, plan->problem->height, threads,
                                         qp_pool_nodes(numa->pool));
    status = move(plan);
    if (status == QP_OK)
        status = qp_plan_cpu_warm_up(plan);
    return status == QP_OK ? move(plan) : status;
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct work work = work_of(plan, count);
    qp_pool_run(work.numa->pool, take_steps, &work);
    work.numa->source = (work.numa->source + count - 1) % 2;
    ((struct qp_plan_cpu *)plan->own)->step += count;
    return QP_OK;
}

static void swap(struct qp_plan *plan)
{
    struct numa *numa = numa_of(plan);
    numa->source = 1 - numa->source;
}

/* The source's cells, or the target's, into an array with the plan's layout. */
static void gather(const struct qp_plan *plan, bool target, void *texels)
{
    const struct numa *numa = numa_of(plan);
    const int array = target ? 1 - numa->source : numa->source;
    const size_t value = qp_value_bytes(plan->layout.precision);
    for (int id = 0; id < numa->blocks.across * numa->blocks.up; id++) {
        const struct home *home = &numa->home[id];
        const struct qp_poisson5_block *b = &home->block;
        for (int y = b->y0; y < b->y1; y++) {
            const size_t row = (size_t)(plan->layout.origin_y + y) * (size_t)plan->layout.storage_x;
            memcpy(qp_value_at(texels, plan->layout.precision,
                               row + (size_t)(plan->layout.origin_x + b->x0)),
                   cell(home, array, 0, y - b->y0, (long)value), (size_t)(b->x1 - b->x0) * value);
        }
    }
}

/* Norm of the change, in the plan's arrays, which the steps no longer need. */
static enum qp_status change(struct qp_plan *plan, double *norm)
{
    gather(plan, false, plan->texels);
    gather(plan, true, plan->empty);
    return qp_plan_cpu_change(plan, norm);
}

/* Up to stage 4 the start is where it was packed. */
static enum qp_status read_state(struct qp_plan *plan, bool target, void *texels)
{
    if (numa_of(plan) == NULL)
        return qp_plan_cpu_read(plan, target, texels);
    if (texels != plan->texels)
        memcpy(texels, plan->texels, qp_layout_bytes(&plan->layout));
    gather(plan, target, texels);
    return QP_OK;
}

static void destroy(struct qp_plan *plan)
{
    struct numa *numa = numa_of(plan);
    if (numa != NULL) {
        const int arrays = plan->inputs > 0 ? 3 : 2;
        qp_pool_stop(&numa->pool);
        for (int id = 0; numa->home != NULL && id < numa->blocks.across * numa->blocks.up; id++) {
            if (numa->home[id].memory != NULL)
                munmap(numa->home[id].memory, numa->home[id].bytes * (size_t)arrays);
        }
        free(numa->home);
    }
    qp_plan_cpu_destroy(plan);
}

const struct qp_engine qp_engine_poisson5_threads_numa = {.upload = qp_plan_cpu_upload,
                                                          .program = start,
                                                          .pass = qp_pass_once,
                                                          .passes = passes,
                                                          .swap = swap,
                                                          .finish = qp_plan_cpu_finish,
                                                          .change = change,
                                                          .read = read_state,
                                                          .destroy = destroy};
