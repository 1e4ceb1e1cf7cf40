/* SPDX-License-Identifier: MIT */
/* Paper 5, 3.1: POSIX threads, each with a block of the grid. Its pseudocode, for each thread, over
 * T steps:
 *
 *     for t = 1, 2, ..., T
 *         update my block
 *         barrier
 *         swap pointers
 *
 * All arrays are the plan's own, as with OpenMP; the threads live from stage 4 to the plan's end. A
 * step of asynchronous variants (chapter V) is a launch, in which threads take components in turn
 * until none is left. */
#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/engines/cpu.h"
#include "lab/engines/parts/pool.h"
#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/cpu/blocks.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

/* Steps that all threads take together. */
struct work {
    const struct qp_plan *plan;
    const struct qp_poisson5_variant *variant;
    struct qp_pool *pool;
    struct qp_poisson5_blocks blocks;
    struct qp_relax_step step;        /* the first one */
    int first, count;                 /* its number, and of how many */
    int next[QP_POISSON5_MOST_STEPS]; /* component of each launch that no thread has taken yet */
};

static void take_steps(void *user, int id)
{
    struct work *work = user;
    const struct qp_poisson5_block b = qp_poisson5_block_of(&work->blocks, id);
    struct qp_relax_step step = work->step;
    void *state[2] = {(void *)step.x, step.out};
    const bool launches = work->variant->figure > 0;
    const unsigned before = launches ? 0 : qp_relax_flush();
    for (int k = 0; k < work->count; k++) {
        step.x = state[k % 2];
        step.out = state[1 - k % 2];
        step.weight = qp_problem_step_weight(work->plan->problem, work->first + k);
        if (launches)
            qp_poisson5_take_components(work->plan, &step, &work->next[k]);
        else
            qp_relax_loop(&step, b.x0, b.x1, b.y0, b.y1);
        qp_pool_wait(work->pool);
    }
    if (!launches)
        qp_relax_restore(before);
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct qp_plan_cpu *own = plan->own;
    struct qp_pool *pool = own->more;
    const struct qp_poisson5_variant *variant = qp_poisson5_variant(plan->variant->recipe);
    struct work work = {.plan = plan,
                        .variant = variant,
                        .pool = pool,
                        .blocks = qp_poisson5_blocks_of(plan->problem->width, plan->problem->height,
                                                        qp_pool_threads(pool), !variant->strips),
                        .step = qp_poisson5_next_step(plan),
                        .first = own->step,
                        .count = count};
    qp_pool_run(pool, take_steps, &work);
    own->step += count;
    if (count % 2 == 0)
        qp_plan_cpu_swap(plan);
    return QP_OK;
}

/* Launches write fringes into the grid that they read, which before the first one is the plan's
 * start. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    if (qp_poisson5_variant(plan->variant->recipe)->figure == 0)
        return qp_plan_cpu_warm_up(plan);
    const size_t bytes = qp_layout_bytes(&plan->layout);
    void *start = qp_alloc(bytes, 1, "a copy of the start");
    if (start == NULL)
        return QP_NO_MEMORY;
    memcpy(start, plan->texels, bytes);
    const enum qp_status status = qp_plan_cpu_warm_up(plan);
    memcpy(plan->texels, start, bytes);
    free(start);
    return status;
}

static enum qp_status start(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    struct qp_pool *pool;
    const bool bound = qp_poisson5_variant(plan->variant->recipe)->bound;
    const enum qp_status status = qp_pool_start(qp_poisson5_thread_count(), bound, &pool);
    own->more = pool;
    plan->most_steps = qp_poisson5_most_steps(plan, 0x1p28 / (plan->problem->alpha + 1), 1);
    return status == QP_OK ? warm_up(plan) : status;
}

/* m, p and d of 5.1: a thread computes one component at a time. */
static struct qp_launch_blocks components(const struct qp_plan *plan)
{
    const struct qp_plan_cpu *own = plan->own;
    if (qp_poisson5_variant(plan->variant->recipe)->figure == 0)
        return (struct qp_launch_blocks){0};
    return (struct qp_launch_blocks){.m = qp_poisson5_components(plan->problem, plan->block),
                                     .p = qp_pool_threads(own->more),
                                     .d = 1};
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    struct qp_pool *pool = own != NULL ? own->more : NULL;
    qp_pool_stop(&pool);
    if (own != NULL)
        own->more = NULL;
    qp_plan_cpu_destroy(plan);
}

const struct qp_engine qp_engine_poisson5_threads = {.upload = qp_plan_cpu_upload,
                                                     .program = start,
                                                     .pass = qp_pass_once,
                                                     .passes = passes,
                                                     .swap = qp_plan_cpu_swap,
                                                     .finish = qp_plan_cpu_finish,
                                                     .change = qp_plan_cpu_change,
                                                     .read = qp_plan_cpu_read,
                                                     .destroy = destroy,
                                                     .blocks = components};
