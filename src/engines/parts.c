/* SPDX-License-Identifier: MIT */
/* Rooms 2 to 8 of a grid in parts: every part goes through them by itself, in its own thread. */
#include "engines/parts.h"

#include <stdlib.h>

#include "base/caller.h"
#include "base/whole.h"
#include "cuda/device.h"
#include "engines/choose.h"
#include "gl/context.h"

struct qp_plan_parts *qp_parts_of(const struct qp_plan *plan)
{
    return plan->engine == &qp_engine_parts ? plan->own : NULL;
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
        return qp_fail_within(QP_NO_MEMORY, "room 2, pack");
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
static enum qp_status open_context(struct qp_plan *plan, struct qp_plan_part *part)
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
static enum qp_status make_rows(const struct qp_plan *plan, struct qp_plan_part *part)
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
static enum qp_status mask_scale(struct qp_plan_part *part)
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

static enum qp_status upload_part(struct qp_plan *plan, struct qp_plan_part *part)
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
    return status == QP_OK ? qp_parts_work(plan, upload_part) : status;
}

/* ---- Rooms 4 to 6 ---- */

static enum qp_status program_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    (void)plan;
    return part->plan->engine->program(part->plan);
}

static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    const enum qp_status status = qp_parts_work(plan, program_part);
    if (status == QP_OK && parts->first < parts->end) {
        plan->group_x = parts->part[parts->first].plan->group_x;
        plan->group_y = parts->part[parts->first].plan->group_y;
    }
    return status;
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_parts_passes(plan, 1);
}

static void swap(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    for (int k = parts->first; k < parts->end; k++)
        parts->part[k].swaps = true;
}

static enum qp_status finish_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    (void)plan;
    return part->plan->engine->finish(part->plan);
}

static enum qp_status finish(struct qp_plan *plan)
{
    return qp_parts_work(plan, finish_part);
}

static bool agreed(struct qp_plan *plan, bool answer)
{
    const struct qp_plan_parts *parts = plan->own;
    if (parts->row->link != NULL)
        parts->row->link->spread(0, &answer, sizeof answer);
    return answer;
}

/* ---- The end ---- */

/* In the part's thread, to which its context belongs. Objects that it leaks count as the caller's. */
static void destroy_part(void *user, int id)
{
    const struct qp_plan *plan = user;
    const struct qp_plan_parts *parts = plan->own;
    struct qp_plan_part *part = &parts->part[parts->first + id];
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
    for (int id = 0; parts->pool == NULL && parts->part != NULL && id < parts->end - parts->first;
         id++)
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
                                  .split = !split      ? 0
                                           : all_upper ? -1
                                                       : lowest->height};
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
                                          .passes = qp_parts_passes,
                                          .swap = swap,
                                          .finish = finish,
                                          .change = qp_parts_change,
                                          .agreed = agreed,
                                          .parts = describe,
                                          .read = qp_parts_read,
                                          .destroy = destroy,
                                          .shader = shader,
                                          .cuts = true};
