/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 with textures shared by OpenGL and CUDA: OpenGL's engine makes them, CUDA registers
 * them, and a step is drawn, or launched, or half of it each. Nothing passes through the host.
 * Textures stay mapped to one side until the other side needs them. */
#include "lab/engines/shared.h"

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "toolkit/cuda/device.h"

enum { SHARED = 2 + QP_INPUTS };

struct qp_plan_interop {
    struct qp_plan_gl gl; /* first, for OpenGL's engine works on this plan too */
    struct qp_cuda *cuda;
    struct qp_shared *shared[SHARED]; /* both textures of x, in the pair's order, and the inputs */
    bool mapped;                      /* to CUDA, all of them */
    int steps;                        /* taken so far */
};

static struct qp_plan_interop *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

enum qp_sharing qp_sharing_of(const struct qp_recipe *recipe)
{
    const struct qp_shared_variant *own = recipe->engine == &qp_engine_interop ? recipe->own : NULL;
    return own != NULL ? own->sharing : QP_UNSHARED;
}

/* ---- Mapping and unmapping ---- */

/* Registers the first `count` of the plan's textures. */
static enum qp_status share(struct qp_plan *plan, int count)
{
    const struct qp_pingpong *pair = qp_plan_gl_pair(plan);
    enum qp_status status = QP_OK;
    for (int i = 0; i < count && status == QP_OK; i++) {
        const struct qp_texture *texture =
            i < 2 ? &pair->texture[i][0] : qp_plan_gl_input(plan, i - 2);
        const struct qp_shared_desc desc = {.texture = texture->id, .target = plan->target};
        status = qp_shared_create(plan->context, &desc, &own_of(plan)->shared[i]);
    }
    return status;
}

static void withdraw(struct qp_plan_interop *own, int count)
{
    for (int i = 0; i < count; i++)
        qp_shared_destroy(&own->shared[i]);
}

/* Maps all textures in one call, for a call costs more than a texture. */
static enum qp_status to_cuda(struct qp_plan *plan)
{
    struct qp_plan_interop *own = plan->own;
    if (own->mapped)
        return QP_OK;
    enum qp_status status = qp_shared_map(own->shared, 2 + plan->inputs, own->cuda->stream);
    own->mapped = status == QP_OK;
    return status;
}

static enum qp_status to_gl(struct qp_plan *plan)
{
    struct qp_plan_interop *own = plan->own;
    if (!own->mapped)
        return QP_OK;
    own->mapped = false;
    return qp_shared_unmap(own->shared, 2 + plan->inputs, own->cuda->stream);
}

/* ---- Stage 3 ---- */

/* The shader draws the lower half, and CUDA computes what is above it. */
static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    struct qp_plan_interop *own = qp_alloc_zero(1, sizeof *own, "what a plan shares with CUDA");
    (void)desc;
    plan->own = own;
    if (own == NULL)
        return qp_fail_within(QP_NO_MEMORY, "stage 2, pack");
    if (qp_sharing_of(plan->variant->recipe) == QP_SHARE_HALVES)
        own->gl.drawn_rows = (plan->layout.domain_y + 1) / 2;
    return QP_OK;
}

static enum qp_status upload(struct qp_plan *plan)
{
    enum qp_status status = qp_engine_gl.upload(plan);
    if (status == QP_OK)
        status = qp_cuda_open(qp_context_cuda_ordinal(plan->context), &own_of(plan)->cuda);
    return status == QP_OK ? share(plan, 2 + plan->inputs) : status;
}

/* ---- Stages 5 and 6 ---- */

static enum qp_status look(struct qp_plan *plan, struct qp_shared_arrays *arrays)
{
    const struct qp_plan_interop *own = plan->own;
    const int source = qp_plan_gl_pair(plan)->source;
    enum qp_status status = qp_shared_look(own->shared[source], &arrays->x);
    if (status == QP_OK)
        status = qp_shared_look(own->shared[1 - source], &arrays->out);
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = qp_shared_look(own->shared[2 + i], &arrays->input[i]);
    return status;
}

static enum qp_status compute(struct qp_plan *plan)
{
    struct qp_shared_arrays arrays = {.origin_x = plan->layout.origin_x,
                                      .origin_y = plan->layout.origin_y,
                                      .first_row = own_of(plan)->gl.drawn_rows};
    struct qp_launch launch = {.width = plan->layout.domain_x,
                               .height = plan->layout.domain_y,
                               .weight = (float)plan->problem->weight,
                               .own = &arrays,
                               .cuda = own_of(plan)->cuda};
    enum qp_status status = to_cuda(plan);
    if (status == QP_OK)
        status = look(plan, &arrays);
    qp_cuda_select(launch.cuda);
    return status == QP_OK ? qp_recipe_kernel(plan->variant->recipe)->launch(&launch) : status;
}

static enum qp_status draw(struct qp_plan *plan)
{
    enum qp_status status = to_gl(plan);
    return status == QP_OK ? qp_engine_gl.pass(plan) : status;
}

/* Maps, or registers and maps, for every step: no program needs it, these variants measure its
 * cost. */
static enum qp_status compute_anew(struct qp_plan *plan)
{
    enum qp_status status = QP_OK;
    if (qp_sharing_of(plan->variant->recipe) == QP_SHARE_REGISTERED) {
        withdraw(own_of(plan), 2);
        status = share(plan, 2);
    }
    if (status == QP_OK)
        status = compute(plan);
    return status == QP_OK ? to_gl(plan) : status;
}

/* Step `number`, the first one being 0. */
static enum qp_status step(struct qp_plan *plan, int number)
{
    enum qp_status status;
    switch (qp_sharing_of(plan->variant->recipe)) {
    case QP_SHARE_HALVES:
        status = draw(plan);
        return status == QP_OK ? compute(plan) : status;
    case QP_SHARE_ALTERNATE:
        return number % 2 == 0 ? draw(plan) : compute(plan);
    case QP_SHARE_KEPT:
        return compute(plan);
    default:
        return compute_anew(plan);
    }
}

static enum qp_status pass(struct qp_plan *plan)
{
    enum qp_status status = step(plan, own_of(plan)->steps++);
    const bool copies = qp_plan_gl_pair(plan)->style == QP_COPY; /* in stage 6, by OpenGL */
    return status == QP_OK && copies ? to_gl(plan) : status;
}

static enum qp_status finish(struct qp_plan *plan)
{
    enum qp_status status = to_gl(plan);
    if (status == QP_OK)
        status = qp_cuda_wait(own_of(plan)->cuda);
    return status == QP_OK ? qp_engine_gl.finish(plan) : status;
}

/* ---- Stage 4 ---- */

/* A step of each side. Each is waited for, since mapping returns soon and takes effect late. */
static enum qp_status step_both(struct qp_plan *plan)
{
    enum qp_status status = step(plan, 0);
    if (status == QP_OK)
        status = finish(plan);
    return status == QP_OK ? step(plan, 1) : status;
}

/* OpenGL first; then both sides, and the target is emptied again. */
static enum qp_status program(struct qp_plan *plan)
{
    enum qp_status status = qp_engine_gl.program(plan);
    if (status == QP_OK)
        status = qp_warm_up(plan, step_both, finish);
    return status == QP_OK ? qp_pingpong_write(qp_plan_gl_pair(plan), true, plan->empty) : status;
}

/* ---- The rest is OpenGL's ---- */

static enum qp_status change(struct qp_plan *plan, double *norm)
{
    enum qp_status status = to_gl(plan);
    return status == QP_OK ? qp_plan_gl_change(plan, norm) : status;
}

static enum qp_status read_texture(struct qp_plan *plan, bool target, void *texels)
{
    enum qp_status status = to_gl(plan);
    return status == QP_OK ? qp_plan_gl_read(plan, target, texels) : status;
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_interop *own = plan->own;
    if (own == NULL)
        return;
    withdraw(own, SHARED);
    qp_cuda_close(&own->cuda);
    qp_plan_gl_destroy(plan);
}

const struct qp_engine qp_engine_interop = {.arrange = arrange,
                                            .upload = upload,
                                            .program = program,
                                            .pass = pass,
                                            .swap = qp_plan_gl_swap,
                                            .finish = finish,
                                            .change = change,
                                            .read = read_texture,
                                            .destroy = destroy,
                                            .needs = qp_recipe_needs_to_draw};
