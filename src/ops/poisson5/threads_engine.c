/* SPDX-License-Identifier: MIT */
/* Paper 5, 3.1: POSIX threads, each with a block of the grid. Its pseudocode, for each thread, over T steps:
 *
 *     for t = 1, 2, ..., T
 *         update my block
 *         barrier
 *         swap pointers
 *
 * All arrays are the plan's own, as with OpenMP; the threads live from room 4 to the plan's end. */
#include "engines/cpu.h"
#include "engines/pool.h"
#include "ops/poisson5/blocks.h"
#include "ops/poisson5/engines.h"
#include "ops/poisson5/poisson5.h"
#include "plan/problem.h"

/* Steps that all threads take together. */
struct work {
    const struct qp_problem *problem;
    struct qp_pool *pool;
    struct qp_poisson5_blocks blocks;
    struct qp_relax_step step; /* the first one */
    int first, count;          /* its number, and of how many */
};

static void take_steps(void *user, int id)
{
    const struct work *work = user;
    const struct qp_poisson5_block b = qp_poisson5_block_of(&work->blocks, id);
    struct qp_relax_step step = work->step;
    void *state[2] = {(void *)step.x, step.out};
    const unsigned before = qp_relax_flush();
    for (int k = 0; k < work->count; k++) {
        step.x = state[k % 2];
        step.out = state[1 - k % 2];
        step.weight = qp_problem_step_weight(work->problem, work->first + k);
        qp_relax_loop(&step, b.x0, b.x1, b.y0, b.y1);
        qp_pool_wait(work->pool);
    }
    qp_relax_restore(before);
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct qp_plan_cpu *own = plan->own;
    struct qp_pool *pool = own->more;
    const bool strips = qp_poisson5_row(plan->variant->recipe)->strips;
    struct work work = {.problem = plan->problem,
                        .pool = pool,
                        .blocks = qp_poisson5_blocks_of(plan->problem->width, plan->problem->height,
                                                        qp_pool_threads(pool), !strips),
                        .step = qp_poisson5_next_step(plan),
                        .first = own->step,
                        .count = count};
    qp_pool_run(pool, take_steps, &work);
    own->step += count;
    if (count % 2 == 0)
        qp_plan_cpu_swap(plan);
    return QP_OK;
}

static enum qp_status pass(struct qp_plan *plan)
{
    return passes(plan, 1);
}

static enum qp_status start(struct qp_plan *plan, bool bound)
{
    struct qp_plan_cpu *own = plan->own;
    struct qp_pool *pool;
    const enum qp_status status = qp_pool_start(qp_poisson5_thread_count(), bound, &pool);
    own->more = pool;
    plan->most_steps = qp_poisson5_most_steps(plan, 0x1p28, 1);
    return status == QP_OK ? qp_plan_cpu_warm_up(plan) : status;
}

static enum qp_status start_unbound(struct qp_plan *plan)
{
    return start(plan, false);
}

static enum qp_status start_bound(struct qp_plan *plan)
{
    return start(plan, true);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    struct qp_pool *pool = own != NULL ? own->more : NULL;
    qp_pool_stop(&pool);
    qp_plan_cpu_destroy(plan);
}

#define THREADS(start)                                                                        \
    {                                                                                         \
        .upload = qp_plan_cpu_upload, .program = start, .pass = pass, .passes = passes,       \
        .swap = qp_plan_cpu_swap, .finish = qp_plan_cpu_finish, .change = qp_plan_cpu_change, \
        .read = qp_plan_cpu_read, .destroy = destroy                                          \
    }

const struct qp_engine qp_engine_poisson5_threads = THREADS(start_unbound);
const struct qp_engine qp_engine_poisson5_threads_bound = THREADS(start_bound);
