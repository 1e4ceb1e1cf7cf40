/* SPDX-License-Identifier: MIT */
/* Rooms 2 to 8 of a grid in parts: every part goes through them by itself, in its own thread. */
#include "engines/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "base/whole.h"
#include "cuda/device.h"
#include "engines/choose.h"
#include "engines/gl_rows.h"
#include "gl/context.h"
#include "plan/problem.h"

struct qp_plan_parts *qp_parts_of(const struct qp_plan *plan)
{
    return plan->engine == &qp_engine_parts ? plan->own : NULL;
}

/* ---- Work on all parts of this process ---- */

typedef enum qp_status part_work(struct qp_plan *plan, struct qp_part *part);

/* Work on one part, in its thread. */
struct work {
    struct qp_plan *plan;
    part_work *on;
};

/* Keeps a failure with its sentence, which belongs to this thread. */
static void keep(struct qp_part *part, enum qp_status status)
{
    part->status = status;
    if (status != QP_OK)
        snprintf(part->sentence, sizeof part->sentence, "%s", qp_error());
}

/* Room 6, put off until the part's thread is at work again. */
static void swap_now(struct qp_part *part)
{
    if (part->swaps)
        part->plan->engine->swap(part->plan);
    part->swaps = false;
}

/* A part that failed does no more work. */
static void work_on(void *user, int id)
{
    const struct work *work = user;
    const struct qp_plan_parts *parts = work->plan->own;
    struct qp_part *part = &parts->part[parts->first + id];
    swap_now(part);
    if (part->status == QP_OK)
        keep(part, work->on(work->plan, part));
}

/* What the parts came to: the first failure, of other processes too. */
static enum qp_status settle(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    enum qp_status status = QP_OK;
    for (int k = parts->first; k < parts->end && status == QP_OK; k++) {
        if (parts->part[k].status != QP_OK)
            status = qp_fail(parts->part[k].status, "%s", parts->part[k].sentence);
    }
    return parts->row->link != NULL ? parts->row->link->agree(status) : status;
}

static enum qp_status on_all(struct qp_plan *plan, part_work *on)
{
    const struct qp_plan_parts *parts = plan->own;
    struct work work = {plan, on};
    if (parts->pool != NULL)
        qp_pool_run(parts->pool, work_on, &work);
    for (int id = 0; parts->pool == NULL && id < parts->end - parts->first; id++)
        work_on(&work, id);
    return settle(plan);
}

/* ---- Room 2 ---- */

/* The whole x stands on the host as it is, value after value. Its inputs are the parts' own. */
static void hold_values(struct qp_plan *plan)
{
    const bool doubles = qp_format_precision(plan->variant->recipe->state.format) == QP_DOUBLES;
    plan->layout = qp_layout_make((struct qp_shape){.format = doubles ? QP_R64F : QP_R32F},
                                  plan->problem->width, plan->problem->height, 1);
    plan->inputs = 0;
}

static enum qp_status join_processes(const struct qp_parts_row *row)
{
    if (row->place != QP_PARTS_PROCESSES)
        return QP_OK;
    return row->link->open != NULL
               ? row->link->open()
               : qp_fail(QP_UNSUPPORTED, "built without %s", row->link->library);
}

/* What the parts run takes the whole problem, but for the size of its textures; and CUDA is there. */
static enum qp_status check_runs(const struct qp_plan *plan)
{
    const struct qp_parts_row *row = plan->variant->recipe->own;
    enum qp_status status = QP_OK;
    for (int k = 0; k < 2 && row->runs[k].recipe != NULL && status == QP_OK; k++) {
        struct qp_variant variant = *plan->variant;
        variant.recipe = row->runs[k].recipe;
        variant.backend = row->runs[k].backend;
        status = qp_variant_takes(&variant, plan->problem);
        if (status == QP_OK && variant.backend == QP_CUDA)
            status = qp_cuda_look(qp_context_cuda_ordinal(plan->context));
    }
    return status;
}

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    enum { STEPS_AT_ONCE = 64 };
    struct qp_plan_parts *parts = qp_alloc_zero(1, sizeof *parts, "a plan's parts");
    plan->own = parts;
    if (parts == NULL)
        return QP_NO_MEMORY;
    parts->row = plan->variant->recipe->own;
    parts->desc = *desc;
    parts->desc.every = desc->every > 0;
    plan->measures_change = false; /* here; the parts do */
    plan->most_steps = STEPS_AT_ONCE;
    hold_values(plan);
    enum qp_status status = check_runs(plan);
    if (status == QP_OK)
        status = join_processes(parts->row);
    return status == QP_OK ? qp_parts_cut(plan) : status;
}

/* ---- Room 3 ---- */

/* On a device of the caller's kind. */
static enum qp_status open_context(struct qp_plan *plan, struct qp_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    if (part->variant.backend == QP_CPU || plan->context == NULL)
        return QP_OK;
    part->owns_context = parts->pool != NULL;
    if (part->owns_context)
        return qp_context_create_beside(plan->context, &part->context);
    part->context = plan->context;
    return QP_OK;
}

/* Host memory for the rows that a part gives and takes. */
static enum qp_status make_rows(const struct qp_plan *plan, struct qp_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    const size_t bytes = qp_value_bytes(plan->layout.precision);
    const size_t values = (size_t)parts->halo * (size_t)plan->problem->width;
    for (int k = 0; k < 8 && parts->row->place != QP_PARTS_TOGETHER; k++) {
        part->rows[k / 4][k / 2 % 2][k % 2] = qp_alloc(values, bytes, "rows for neighbours");
        if (part->rows[k / 4][k / 2 % 2][k % 2] == NULL)
            return QP_NO_MEMORY;
    }
    return QP_OK;
}

/* Cells of a halo beside a tile are no residual of its own. (Those below and above are lines of their own.) */
static enum qp_status mask_scale(struct qp_part *part)
{
    struct qp_plan *plan = part->plan;
    const int left = part->own.x - part->all.x, right = left + part->own.width;
    if (part->own.width == part->all.width || !plan->measures_change)
        return QP_OK;
    void *cells = qp_alloc((size_t)part->all.width * (size_t)part->all.height,
                           qp_value_bytes(plan->layout.precision), "the scale of a part");
    if (cells == NULL)
        return QP_NO_MEMORY;
    qp_layout_unpack(&plan->layout, 0, plan->scale_texels, cells);
    for (int k = 0; k < part->all.width * part->all.height; k++) {
        if (k % part->all.width < left || k % part->all.width >= right)
            qp_set_value(cells, plan->layout.precision, (size_t)k, 0.0);
    }
    qp_layout_pack(&plan->layout, 0, cells, 0.0f, plan->scale_texels);
    free(cells);
    return QP_OK;
}

static enum qp_status upload_part(struct qp_plan *plan, struct qp_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    enum qp_status status = open_context(plan, part);
    if (status == QP_OK)
        status = make_rows(plan, part);
    if (status == QP_OK)
        status = qp_plan_create(part->context, &part->variant, &part->problem, &parts->desc,
                                &part->plan);
    if (status == QP_OK)
        status = qp_plan_pack(part->plan);
    if (status == QP_OK)
        status = mask_scale(part);
    return status == QP_OK ? part->plan->engine->upload(part->plan) : status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    enum qp_status status = QP_OK;
    if (parts->row->place == QP_PARTS_THREADS)
        status = qp_pool_start(parts->count, false, &parts->pool);
    return status == QP_OK ? on_all(plan, upload_part) : status;
}

/* ---- Rooms 4 to 6 ---- */

static enum qp_status program_part(struct qp_plan *plan, struct qp_part *part)
{
    (void)plan;
    return part->plan->engine->program(part->plan);
}

static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    const enum qp_status status = on_all(plan, program_part);
    if (status == QP_OK && parts->first < parts->end) {
        plan->group_x = parts->part[parts->first].plan->group_x;
        plan->group_y = parts->part[parts->first].plan->group_y;
    }
    return status;
}

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

/* Steps of all parts. */
struct steps {
    struct qp_plan *plan;
    int count;
};

/* Parts of one thread take turns; every thread takes part in all exchanges, whatever has failed in it. */
static void take_steps(const struct steps *steps, int first, int end)
{
    struct qp_plan_parts *parts = steps->plan->own;
    int taken = parts->taken;
    for (const int last = taken + steps->count; taken < last;) {
        const int behind = taken % parts->depth, now = qp_least(last - taken, parts->depth - behind);
        for (int k = first; k < end; k++)
            swap_now(&parts->part[k]);
        if (behind == 0 && taken > 0)
            qp_parts_exchange(parts, first, end, taken / parts->depth);
        for (int k = first; k < end; k++) {
            if (parts->part[k].status == QP_OK)
                keep(&parts->part[k], step(parts->part[k].plan, now));
            parts->part[k].swaps = now < last - taken;
        }
        taken += now;
    }
}

static void take_steps_of_one(void *user, int id)
{
    const struct steps *steps = user;
    const struct qp_plan_parts *parts = steps->plan->own;
    take_steps(steps, parts->first + id, parts->first + id + 1);
}

/* What fails in one process the others learn when all have finished: until then each goes on exchanging. */
static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct qp_plan_parts *parts = plan->own;
    struct steps steps = {plan, count};
    if (parts->pool != NULL)
        qp_pool_run(parts->pool, take_steps_of_one, &steps);
    else
        take_steps(&steps, parts->first, parts->end);
    parts->taken += count;
    return parts->row->link != NULL ? QP_OK : settle(plan);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return passes(plan, 1);
}

static void swap(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    for (int k = parts->first; k < parts->end; k++)
        parts->part[k].swaps = true;
}

static enum qp_status finish_part(struct qp_plan *plan, struct qp_part *part)
{
    (void)plan;
    return part->plan->engine->finish(part->plan);
}

static enum qp_status finish(struct qp_plan *plan)
{
    return on_all(plan, finish_part);
}

static bool stops(struct qp_plan *plan, bool stop)
{
    const struct qp_plan_parts *parts = plan->own;
    if (parts->row->link != NULL)
        parts->row->link->spread(0, &stop, sizeof stop);
    return stop;
}

/* ---- What all parts together come to ---- */

/* Puts together what each process has of an array with so many bytes a row of the grid. */
static void join(const struct qp_plan *plan, void *data, size_t row)
{
    const struct qp_plan_parts *parts = plan->own;
    enum { PROCESSES = 4096 };
    size_t first[PROCESSES] = {0}, bytes[PROCESSES] = {0};
    if (parts->row->link == NULL)
        return;
    for (int k = 0; k < parts->count; k++) {
        first[k] = (size_t)parts->part[k].own.y * row;
        bytes[k] = (size_t)parts->part[k].own.height * row;
    }
    parts->row->link->join(data, first, bytes);
}

/* A row of cells whose part is cut across gets the sum of each of its tiles, in their order. */
static enum qp_status change_part(struct qp_plan *plan, struct qp_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_part_area *own = &part->own;
    const int lines = qp_plan_lines(part->plan), each = part->plan->layout.rows;
    double *sums = qp_alloc((size_t)lines, sizeof *sums, "sums of rows");
    if (sums == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = part->plan->engine->change_lines(part->plan, sums);
    for (int k = 0; k < lines && status == QP_OK; k++) {
        const int y = part->all.y + k * each;
        if (y >= own->y && y < own->y + own->height)
            parts->sums[y] += sums[k];
    }
    free(sums);
    return status;
}

/* Rows are added from below to above, wherever they were computed: the bits of one whole. */
static enum qp_status change(struct qp_plan *plan, double *norm)
{
    struct qp_plan_parts *parts = plan->own;
    double sum = 0.0;
    parts->sums = qp_alloc_zero((size_t)plan->problem->height, sizeof(double), "sums of rows");
    const enum qp_status status = parts->sums != NULL ? on_all(plan, change_part) : QP_NO_MEMORY;
    if (status == QP_OK)
        join(plan, parts->sums, sizeof(double));
    for (int y = 0; y < plan->problem->height && status == QP_OK; y++)
        sum += parts->sums[y];
    free(parts->sums);
    parts->sums = NULL;
    *norm = sqrt(sum);
    return status;
}

/* ---- Room 7 ---- */

/* The part's own cells, into the whole's; its padding and guards are looked at here, for they go no farther. */
static enum qp_status unpack_part(struct qp_plan *plan, struct qp_part *part, const void *texels,
                                  void *cells)
{
    const struct qp_op *op = plan->problem->op;
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_layout *layout = &part->plan->layout;
    const size_t bytes = qp_value_bytes(plan->layout.precision);
    int x, y;
    if (!qp_layout_intact(layout, texels, op->field[op->state].padding, &x, &y))
        return qp_fail(QP_DEVICE,
                       "room 7, readback: %s wrote outside part %d of %d, at texel (%d, %d) of a "
                       "domain of %d x %d",
                       plan->variant->name, (int)(part - parts->part) + 1, parts->count, x, y,
                       layout->domain_x, layout->domain_y);
    qp_layout_unpack(layout, 0, texels, cells);
    for (y = 0; y < part->own.height; y++) {
        const size_t from = (size_t)(part->own.y - part->all.y + y) * (size_t)part->all.width +
                            (size_t)(part->own.x - part->all.x);
        const size_t to = (size_t)(part->own.y + y) * (size_t)plan->problem->width +
                          (size_t)part->own.x;
        memcpy((char *)parts->values + to * bytes, (char *)cells + from * bytes,
               (size_t)part->own.width * bytes);
    }
    return QP_OK;
}

static enum qp_status read_part(struct qp_plan *plan, struct qp_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_layout *layout = &part->plan->layout;
    void *texels = qp_alloc(qp_layout_bytes(layout), 1, "the texels of a part");
    void *cells = qp_alloc((size_t)part->all.width * (size_t)part->all.height,
                           qp_value_bytes(layout->precision), "the cells of a part");
    enum qp_status status = texels != NULL && cells != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        status = part->plan->engine->read(part->plan, parts->reads_target, texels);
    if (status == QP_OK)
        status = unpack_part(plan, part, texels, cells);
    free(texels);
    free(cells);
    return status;
}

static enum qp_status read_all(struct qp_plan *plan, bool target, void *texels)
{
    struct qp_plan_parts *parts = plan->own;
    const struct qp_op *op = plan->problem->op;
    const size_t bytes = qp_value_bytes(plan->layout.precision);
    parts->reads_target = target;
    parts->values = qp_alloc(qp_problem_cells(plan->problem), bytes, "the parts' cells");
    const enum qp_status status = parts->values != NULL ? on_all(plan, read_part) : QP_NO_MEMORY;
    if (status == QP_OK) {
        join(plan, parts->values, (size_t)plan->problem->width * bytes);
        qp_layout_poison(&plan->layout, texels);
        qp_layout_pack(&plan->layout, 0, parts->values, op->field[op->state].padding, texels);
    }
    free(parts->values);
    parts->values = NULL;
    return status;
}

/* ---- The end ---- */

/* In the part's thread, to which its context belongs. Objects that it leaks count as the caller's. */
static void destroy_part(void *user, int id)
{
    const struct qp_plan *plan = user;
    const struct qp_plan_parts *parts = plan->own;
    struct qp_part *part = &parts->part[parts->first + id];
    qp_plan_destroy(&part->plan);
    for (int k = 0; k < 8; k++)
        free(part->rows[k / 4][k / 2 % 2][k % 2]);
    if (part->owns_context && part->context != NULL)
        part->leaked = qp_context_counters(part->context).live_objects;
    if (part->owns_context)
        qp_context_destroy(&part->context);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    if (parts == NULL)
        return;
    if (parts->pool != NULL)
        qp_pool_run(parts->pool, destroy_part, plan);
    for (int id = 0; parts->pool == NULL && parts->part != NULL && id < parts->end - parts->first; id++)
        destroy_part(plan, id);
    qp_pool_stop(&parts->pool);
    for (int k = 0; k < parts->count && parts->part != NULL && plan->context != NULL; k++)
        plan->context->counters.live_objects += parts->part[k].leaked;
    free(parts->part);
    free(parts);
    plan->own = NULL;
}

static struct qp_parts_desc describe(const struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_part_area *lowest = &parts->part[0].own;
    const bool split = parts->row->runs[1].recipe != NULL;
    const bool all_upper = parts->part[0].variant.recipe == parts->row->runs[1].recipe;
    return (struct qp_parts_desc){.count = parts->count,
                                  .depth = parts->depth,
                                  .split = !split ? 0 : all_upper ? -1 : lowest->height};
}

/* Shaders are those of what the parts run. */
static const char *shader(const struct qp_plan *plan, int k)
{
    const struct qp_parts_row *row = plan->variant->recipe->own;
    const struct qp_recipe *recipe = row->runs[row->runs[1].recipe != NULL].recipe;
    if (k >= qp_recipe_draws(recipe))
        return NULL;
    return recipe->draw[k].compute != NULL ? recipe->draw[k].compute : recipe->draw[k].fragment;
}

const struct qp_engine qp_engine_parts = {.arrange = arrange,
                                          .upload = upload,
                                          .program = program,
                                          .pass = pass,
                                          .passes = passes,
                                          .swap = swap,
                                          .finish = finish,
                                          .change = change,
                                          .stops = stops,
                                          .parts = describe,
                                          .read = read_all,
                                          .destroy = destroy,
                                          .shader = shader,
                                          .cuts = true};
