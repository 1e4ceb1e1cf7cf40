/* SPDX-License-Identifier: MIT */
/* Stages 2 to 8 of a grid in parts: every part goes through them by itself, in its own thread. */
#include "lab/engines/parts/parts.h"

#include <omp.h>
#include <stdlib.h>

#include "lab/engines/choose.h"
#include "lab/engines/common.h"
#include "toolkit/base/whole.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"

struct qp_link qp_link_mpi = {.library = "MPI"};

struct qp_plan_parts *qp_parts_of(const struct qp_plan *plan)
{
    return plan->engine == &qp_engine_parts ? plan->own : NULL;
}

bool qp_parts_are_split(const struct qp_recipe *recipe)
{
    const struct qp_parts_variant *own = recipe->own;
    return recipe->engine == &qp_engine_parts && own->runs[1].name != NULL;
}

/* ---- Stage 2 ---- */

/* The whole x is stored on the host as it is, value after value. Its inputs are the parts' own. */
static void hold_values(struct qp_plan *plan)
{
    const bool doubles = qp_format_precision(plan->variant->recipe->state.format) == QP_DOUBLES;
    plan->layout = qp_layout_make((struct qp_shape){.format = doubles ? QP_R64F : QP_R32F},
                                  plan->problem->width, plan->problem->height, 1);
    plan->inputs = 0;
}

static enum qp_status join_processes(const struct qp_parts_variant *own)
{
    if (own->place != QP_PARTS_PROCESSES)
        return QP_OK;
    return own->link->open != NULL
               ? own->link->open()
               : qp_fail(QP_UNSUPPORTED, "built without %s", own->link->library);
}

/* Checks that variants which parts run take the whole problem, but for the size of its textures;
 * and that CUDA is there. */
static enum qp_status check_runs(const struct qp_plan *plan)
{
    const struct qp_parts_variant *own = plan->variant->recipe->own;
    enum qp_status status = QP_OK;
    for (int k = 0; k < 2 && own->runs[k].name != NULL && status == QP_OK; k++) {
        struct qp_variant variant = *plan->variant;
        variant.recipe = qp_parts_run(own, k);
        variant.backend = variant.recipe->backend;
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
        return qp_fail_within(QP_NO_MEMORY, "stage 2, pack");
    parts->variant = plan->variant->recipe->own;
    parts->desc = *desc;
    parts->desc.every = desc->every > 0;
    plan->measures_change = false; /* here; the parts do */
    plan->most_steps = STEPS_AT_ONCE;
    hold_values(plan);
    enum qp_status status = check_runs(plan);
    if (status == QP_OK)
        status = join_processes(parts->variant);
    return status == QP_OK ? qp_parts_cut(plan) : status;
}

/* ---- Stage 3 ---- */

/* Threads that the plan before left, if they are as many; else new ones. NVIDIA's driver takes 30
 * ms to begin and to end one with its context, and compiles programs for each context. */
static enum qp_status take_threads(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    if (plan->context != NULL) {
        parts->pool = plan->context->threads;
        plan->context->threads = NULL;
    }
    if (parts->pool != NULL && qp_pool_threads(parts->pool) == parts->count)
        return QP_OK;
    qp_pool_stop(&parts->pool);
    return qp_pool_start(parts->count, false, &parts->pool);
}

static void leave_threads(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    if (plan->context != NULL && parts->pool != NULL) {
        qp_pool_stop(&plan->context->threads);
        plan->context->threads = parts->pool;
        plan->context->abandon_threads = qp_pool_stop;
    } else {
        qp_pool_stop(&parts->pool);
    }
}

/* The context of this part's thread; NULL: it is the caller's. */
static struct qp_context **own_context(const struct qp_plan_parts *parts,
                                       const struct qp_plan_part *part)
{
    const int id = (int)(part - &parts->part[parts->first]);
    return parts->pool != NULL ? qp_pool_context(parts->pool, id) : NULL;
}

/* OpenGL's parts: on a device of the caller's kind. */
static enum qp_status open_context(struct qp_plan *plan, struct qp_plan_part *part)
{
    struct qp_context **own = own_context(plan->own, part);
    enum qp_status status = QP_OK;
    if (part->variant.backend != QP_GL || plan->context == NULL)
        return QP_OK;
    if (own != NULL && *own == NULL)
        status = qp_context_create_beside(plan->context, own);
    part->context = own != NULL ? *own : plan->context;
    return status;
}

/* Cells of a halo beside a tile are no residual of its own; those below and above have own
 * lines. */
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

/* True for the part that plays a slower device: the lowest, if it is one of the first kind. */
static bool is_slow(const struct qp_plan_parts *parts, const struct qp_plan_part *part)
{
    return parts->desc.parts.slow > 1 && part == parts->part && part->runs == 0;
}

/* Stage 2 and 3 of a plan that computes this part. */
static enum qp_status make_plan(const struct qp_plan_parts *parts, struct qp_plan_part *part,
                                struct qp_plan **out)
{
    enum qp_status status =
        qp_plan_create(part->context, &part->variant, &part->problem, &parts->desc, out);
    if (status == QP_OK) {
        (*out)->ordinal = part->ordinal;
        status = qp_plan_pack(*out);
    }
    return status;
}

static enum qp_status upload_beside(struct qp_plan *plan, struct qp_plan_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    if (!is_slow(parts, part))
        return QP_OK;
    const enum qp_status status = make_plan(parts, part, &part->beside);
    return status == QP_OK ? part->beside->engine->upload(part->beside) : status;
}

static enum qp_status upload_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    enum qp_status status = open_context(plan, part);
    if (status == QP_OK)
        status = qp_parts_make_borders(plan, part);
    if (status == QP_OK)
        status = make_plan(parts, part, &part->plan);
    if (status == QP_OK)
        status = mask_scale(part);
    if (status == QP_OK)
        status = part->plan->engine->upload(part->plan);
    return status == QP_OK ? upload_beside(plan, part) : status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    enum qp_status status = QP_OK;
    if (parts->variant->place == QP_PARTS_THREADS)
        status = take_threads(plan);
    return status == QP_OK ? qp_parts_work(plan, upload_part) : status;
}

/* ---- Stages 4 to 6 ---- */

static enum qp_status program_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    const enum qp_status status = part->plan->engine->program(part->plan);
    (void)plan;
    return status == QP_OK && part->beside != NULL ? part->beside->engine->program(part->beside)
                                                   : status;
}

/* Threads exchange rows of the start, which changes nothing: a device's first copy to another took
 * 0.7 ms on two H200. */
static enum qp_status warm_up_borders(struct qp_plan *plan, struct qp_plan_part *part)
{
    struct qp_plan_parts *parts = plan->own;
    const int k = (int)(part - parts->part);
    qp_parts_exchange_begin(parts, k, k + 1, 0);
    qp_parts_exchange_end(parts, k, k + 1, 0);
    return part->status == QP_OK ? part->plan->engine->finish(part->plan) : part->status;
}

static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    enum qp_status status = qp_parts_work(plan, program_part);
    if (status == QP_OK && parts->variant->place == QP_PARTS_THREADS)
        status = qp_parts_work(plan, warm_up_borders);
    if (status == QP_OK && parts->first < parts->end) {
        plan->group_x = parts->part[parts->first].plan->group_x;
        plan->group_y = parts->part[parts->first].plan->group_y;
    }
    return status;
}

static void swap(struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    for (int k = parts->first; k < parts->end; k++)
        parts->part[k].swaps = true;
}

static enum qp_status finish_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    const enum qp_status status = part->plan->engine->finish(part->plan);
    (void)plan;
    return status == QP_OK && part->beside != NULL ? part->beside->engine->finish(part->beside)
                                                   : status;
}

static enum qp_status finish(struct qp_plan *plan)
{
    return qp_parts_work(plan, finish_part);
}

static bool agreed(struct qp_plan *plan, bool answer)
{
    const struct qp_plan_parts *parts = plan->own;
    if (parts->variant->link != NULL)
        parts->variant->link->spread(0, &answer, sizeof answer);
    return answer;
}

/* ---- The end ---- */

/* Ends a part's plans, in its thread, to which its context belongs. A context whose part failed is
 * not kept; objects that it leaks count as the caller's. */
static void destroy_plans(void *user, int id)
{
    const struct qp_plan *plan = user;
    const struct qp_plan_parts *parts = plan->own;
    struct qp_plan_part *part = &parts->part[parts->first + id];
    struct qp_context **own = own_context(parts, part);
    qp_plan_destroy(&part->plan);
    qp_plan_destroy(&part->beside);
#if defined(_OPENMP)
    if (own != NULL)
        omp_pause_resource_all(omp_pause_soft); /* a team kept in this thread would slow others */
#endif
    if (own == NULL || *own == NULL)
        return;
    part->leaked = qp_context_counters(*own).live_objects;
    if (part->status != QP_OK || part->leaked > 0 || (*own)->reset != GL_NO_ERROR)
        qp_context_destroy(own);
    else if (qp_context_enter(*own) == QP_OK)
        glFlush(); /* deleted objects become free for others */
}

/* When no plan is left that could take from them. */
static void free_borders(void *user, int id)
{
    const struct qp_plan *plan = user;
    const struct qp_plan_parts *parts = plan->own;
    qp_parts_free_borders(&parts->part[parts->first + id]);
}

static void destroy_all(struct qp_plan *plan, void (*work)(void *user, int id))
{
    const struct qp_plan_parts *parts = plan->own;
    if (parts->pool != NULL)
        qp_pool_run(parts->pool, work, plan);
    for (int id = 0; parts->pool == NULL && parts->part != NULL && id < parts->end - parts->first;
         id++)
        work(plan, id);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    if (parts == NULL)
        return;
    destroy_all(plan, destroy_plans);
    destroy_all(plan, free_borders);
    leave_threads(plan);
    for (int k = 0; k < parts->count && parts->part != NULL && plan->context != NULL; k++)
        plan->context->counters.live_objects += parts->part[k].leaked;
    free(parts->part);
}

/* Number of CUDA's devices that parts of this process have. */
static int count_devices(const struct qp_plan_parts *parts)
{
    int devices = 0;
    for (int k = parts->first; k < parts->end; k++) {
        int i = parts->first;
        while (parts->part[i].ordinal != parts->part[k].ordinal)
            i++;
        devices += i == k && parts->part[k].ordinal != QP_ON_HOST;
    }
    return devices;
}

/* The longest way between two devices, or, where no rows go between devices, between any parts. */
static enum qp_borders longest_way(const struct qp_plan_parts *parts)
{
    enum qp_borders any = QP_BORDERS_NONE, devices = QP_BORDERS_NONE;
    if (parts->variant->place == QP_PARTS_TOGETHER)
        return parts->count > 1 ? QP_BORDERS_DEVICE : QP_BORDERS_NONE;
    for (int k = 2 * parts->first; k < 2 * parts->end; k++) {
        const struct qp_border *border = &parts->part[k / 2].give[0][k % 2];
        any = qp_most((int)any, (int)border->way);
        if (border->there != NULL && border->to != QP_ON_HOST)
            devices = qp_most((int)devices, (int)border->way);
    }
    return devices != QP_BORDERS_NONE ? devices : any;
}

static struct qp_parts_desc describe(const struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = plan->own;
    const bool split = parts->variant->runs[1].name != NULL;
    return (struct qp_parts_desc){.count = parts->count,
                                  .depth = parts->depth,
                                  .split = !split                    ? 0
                                           : parts->part[0].runs > 0 ? -1
                                                                     : parts->part[0].own.height,
                                  .slow = parts->desc.parts.slow,
                                  .devices = count_devices(parts),
                                  .borders = longest_way(parts)};
}

/* Shaders are those of what the parts run. */
static const char *shader(const struct qp_plan *plan, int k)
{
    const struct qp_parts_variant *own = plan->variant->recipe->own;
    const struct qp_recipe *recipe = qp_parts_run(own, own->runs[1].name != NULL);
    if (k >= qp_recipe_draws(recipe))
        return NULL;
    return recipe->draw[k].compute != NULL ? recipe->draw[k].compute : recipe->draw[k].fragment;
}

/* Abilities of what the parts run. */
static unsigned needs(const struct qp_recipe *recipe)
{
    unsigned needs = 0;
    const struct qp_parts_variant *own = recipe->own;
    for (int k = 0; k < 2 && own->runs[k].name != NULL; k++)
        needs |= qp_recipe_needs(qp_parts_run(own, k));
    return needs;
}

const struct qp_engine qp_engine_parts = {.arrange = arrange,
                                          .upload = upload,
                                          .program = program,
                                          .pass = qp_pass_once,
                                          .passes = qp_parts_passes,
                                          .swap = swap,
                                          .finish = finish,
                                          .change = qp_parts_change,
                                          .agreed = agreed,
                                          .parts = describe,
                                          .read = qp_parts_read,
                                          .destroy = destroy,
                                          .shader = shader,
                                          .needs = needs,
                                          .limits = QP_LIMITS_OF_CUTS};
