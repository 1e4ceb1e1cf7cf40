/* SPDX-License-Identifier: MIT */
/* Stages 5 and 6 of a grid in parts: steps, and what each part does while borders travel. */
#include "lab/engines/parts/parts.h"
#include "toolkit/base/whole.h"

/* Steps of one part between two exchanges. */
static enum qp_status step(struct qp_plan *part, int count)
{
    enum qp_status status = QP_OK;
    for (int done = 0; done < count && status == QP_OK;) {
        const bool several = part->engine->passes != NULL && count - done > 1;
        const int now = several ? qp_least(count - done, qp_most(part->most_steps, 1)) : 1;
        if (done > 0)
            part->engine->swap(part);
        status = now > 1 ? part->engine->passes(part, now) : part->engine->pass(part);
        done += now;
    }
    return status;
}

/* The same steps again and again, from wherever the plan beside has come to. */
static enum qp_status repeat(struct qp_plan_part *part, int slow, int count)
{
    enum qp_status status = part->status;
    for (int k = 1; k < slow && status == QP_OK; k++) {
        status = step(part->beside, count);
        part->beside->engine->swap(part->beside);
    }
    const struct qp_engine_rows *rows = part->plan->engine->rows;
    return status == QP_OK && rows->follow != NULL ? rows->follow(part->plan, part->beside)
                                                   : status;
}

/* Steps of all parts. */
struct steps {
    struct qp_plan *plan;
    int count;
};

/* The rows of a part that its halo reaches in one step, at the lower end or the upper one. */
static int rim_of(const struct qp_plan_parts *parts, const struct qp_plan_part *part, bool upper)
{
    const int low = part->own.y - part->all.y;
    const int halo = upper ? part->all.height - part->own.height - low : low;
    return halo > 0 ? halo + parts->reach : 0;
}

/* True where a part can be computed row by row, and has rows that need no halo; one that takes
 * several steps at once, where a single step is due. */
static bool has_interior(const struct qp_plan_parts *parts, int k, int count)
{
    const struct qp_plan_part *part = &parts->part[k];
    return part->plan->engine->rows->pass != NULL && (part->plan->most_steps <= 1 || count == 1) &&
           qp_recipe_goes_by_rows(part->variant.recipe) &&
           rim_of(parts, part, false) + rim_of(parts, part, true) < part->all.height;
}

/* An exchange, and the first step after it of a part whose interior goes on meanwhile. */
static enum qp_status step_within(struct qp_plan_parts *parts, int k, int exchange)
{
    struct qp_plan_part *part = &parts->part[k];
    const struct qp_engine_rows *rows = part->plan->engine->rows;
    const int low = rim_of(parts, part, false), height = part->all.height;
    const int high = height - rim_of(parts, part, true);
    enum qp_status status = part->status;
    if (status == QP_OK)
        status = rows->pass(part->plan, low, high, false);
    qp_parts_exchange_end(parts, k, k + 1, exchange);
    if (status == QP_OK)
        status = part->status;
    if (status == QP_OK)
        status = rows->pass(part->plan, 0, low, false);
    return status == QP_OK ? rows->pass(part->plan, high, height, true) : status;
}

/* Steps of the parts of one thread, up to the next exchange. `exchange` is the number of the one
 * before them, 0 for none. */
static void take_turns(struct qp_plan_parts *parts, int first, int end, int count, int exchange)
{
    const bool alone = end == first + 1 && has_interior(parts, first, count);
    if (exchange > 0)
        qp_parts_exchange_begin(parts, first, end, exchange);
    if (exchange > 0 && !alone)
        qp_parts_exchange_end(parts, first, end, exchange);
    for (int k = first; k < end; k++) {
        struct qp_plan_part *part = &parts->part[k];
        int left = count;
        if (exchange > 0 && alone) {
            qp_parts_keep(part, step_within(parts, k, exchange));
            if (--left > 0 && part->status == QP_OK)
                part->plan->engine->swap(part->plan);
        }
        if (left > 0 && part->status == QP_OK)
            qp_parts_keep(part, step(part->plan, left));
        if (part->beside != NULL && part->status == QP_OK)
            qp_parts_keep(part, repeat(part, parts->desc.parts.slow, count));
    }
}

/* Every thread takes part in all exchanges, whatever has failed in it. */
static void take_steps(const struct steps *steps, int first, int end)
{
    struct qp_plan_parts *parts = steps->plan->own;
    int taken = parts->taken;
    for (const int last = taken + steps->count; taken < last;) {
        const int behind = taken % parts->depth,
                  now = qp_least(last - taken, parts->depth - behind);
        const bool due = behind == 0 && taken > 0;
        for (int k = first; k < end; k++)
            qp_parts_swap(&parts->part[k]);
        take_turns(parts, first, end, now, due ? taken / parts->depth : 0);
        for (int k = first; k < end; k++)
            parts->part[k].swaps = now < last - taken;
        taken += now;
    }
}

static void take_steps_of_one(void *user, int id)
{
    const struct steps *steps = user;
    const struct qp_plan_parts *parts = steps->plan->own;
    take_steps(steps, parts->first + id, parts->first + id + 1);
}

/* A failure in one process is known to the others when all have finished: until then they go on. */
enum qp_status qp_parts_passes(struct qp_plan *plan, int count)
{
    struct qp_plan_parts *parts = plan->own;
    struct steps steps = {plan, count};
    if (parts->pool != NULL)
        qp_pool_run(parts->pool, take_steps_of_one, &steps);
    else
        take_steps(&steps, parts->first, parts->end);
    parts->taken += count;
    return parts->variant->link != NULL ? QP_OK : qp_parts_settle(plan);
}
