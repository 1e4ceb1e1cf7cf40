/* SPDX-License-Identifier: MIT */
#include "lab/engines/check.h"

#include <quadpass/cuda.h>

#include <limits.h>

#include "toolkit/base/whole.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/texture.h"

/* The device's part of "can this variant run": a skip with its reason by name. */
static enum qp_status check_needs(struct qp_context *context, const struct qp_variant *variant)
{
    enum qp_status status = qp_context_enter(context);
    if (status == QP_OK)
        status = qp_gl_check_lost(context, "stage 2, pack");
    if (status != QP_OK)
        return status;
    unsigned missing = variant->needs & ~qp_context_device(context)->abilities;
    for (int i = 0; i < QP_ABILITIES; i++) {
        if (missing & (1u << i))
            return qp_fail(QP_UNSUPPORTED, "this device cannot do: %s", qp_ability_name(i));
    }
    return QP_OK;
}

/* A texture and a render target for each sheet of x, a texture for each input. */
static enum qp_status check_counts(struct qp_context *context, const struct qp_variant *variant)
{
    const struct qp_device *device = qp_context_device(context);
    int sheets = variant->recipe->state.sheets;
    int textures = qp_most(sheets, 1) + qp_recipe_inputs(variant->recipe);
    if (sheets > device->draw_buffers || sheets > device->colour_attachments)
        return qp_fail(QP_UNSUPPORTED, "draws to %d textures at a time and this device to %d",
                       sheets, device->draw_buffers);
    if (textures > device->texture_units)
        return qp_fail(QP_UNSUPPORTED, "reads %d textures at a time and this device %d", textures,
                       device->texture_units);
    return QP_OK;
}

static enum qp_status check_limit(const struct qp_layout *layout, int rows, int limit,
                                  const struct qp_problem *problem)
{
    if (layout->storage_x <= limit && rows <= limit)
        return QP_OK;
    const struct qp_op *op = problem->op;
    const char *larger = op->larger != NULL ? op->larger(problem) : NULL;
    return qp_fail(QP_UNSUPPORTED,
                   "needs a texture of %d x %d texels where this device's limit is %d each way%s%s",
                   layout->storage_x, rows, limit, larger != NULL ? "; take " : "",
                   larger != NULL ? larger : "");
}

/* Refuses arrays that certainly do not fit. The driver may refuse others later. */
static enum qp_status check_device_memory(struct qp_context *context, double bytes)
{
    double there = qp_gl_memory_there(context);
    if (bytes <= there)
        return QP_OK;
    return qp_fail(
        QP_NO_MEMORY,
        "stage 3, upload: the textures need %.3g GB and the device has %.3g left; take a "
        "smaller problem, or end other programs that use the device",
        bytes * 1e-9, there * 1e-9);
}

static enum qp_status check_textures(struct qp_context *context, const struct qp_plan *plan,
                                     enum qp_texture_target target)
{
    const struct qp_engine *engine = plan->variant->recipe->engine;
    const int limit = engine != NULL && engine->limits == QP_LIMITS_OF_CUTS
                          ? INT_MAX
                          : qp_texture_limit(qp_context_device(context), qp_gl_target(target));
    const struct qp_layout *input = plan->input_layout;
    enum qp_status status = check_limit(&plan->layout, plan->layout.sheet_y, limit, plan->problem);
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = check_limit(&input[i], input[i].storage_y, limit, plan->problem);
    return status == QP_OK ? check_device_memory(context, qp_plan_bytes(plan)) : status;
}

/* Checks flat arrays, whose indices are ints and which meet no texture's limit before; asked before
 * there are layouts, which count their values. */
static enum qp_status check_flat(const struct qp_variant *variant, const struct qp_problem *problem)
{
    enum { LINES = 256 /* values: more than the shift that aligns a first cell */ };
    const int inputs = qp_recipe_inputs_for(variant->recipe, problem);
    for (int i = 0; i < inputs; i++) {
        const struct qp_input *array = &variant->recipe->input[i];
        const struct qp_size size = qp_field_size(problem, array->field[0]);
        if (size.width == 0)
            return qp_fail_within(QP_NO_MEMORY, "stage 2, pack");
        const double cells = (double)size.width * size.height + 2.0 * ((double)size.width + 1.0),
                     values = cells * array->fields * problem->systems;
        if (array->shape.flat && values > INT_MAX - LINES)
            return qp_fail(QP_UNSUPPORTED, "needs an array of %.0f values, and can count to %d",
                           values, INT_MAX - LINES);
    }
    return QP_OK;
}

/* Asks the kernel, which knows its device's numbers and the problem's sizes, and of the inputs that
 * they are there. */
static enum qp_status check_kernel(struct qp_context *context, const struct qp_plan *plan)
{
    static const float there = 0.0f;
    const struct qp_problem *problem = plan->problem;
    const struct qp_cuda_kernel *kernel = qp_recipe_kernel(plan->variant->recipe);
    struct qp_cuda *cuda = NULL;
    if (kernel == NULL || kernel->takes == NULL)
        return QP_OK;
    struct qp_launch launch = {
        .problem = problem, .width = problem->width, .height = problem->height};
    for (int i = 0; i < plan->inputs; i++)
        launch.input[i] = &there;
    enum qp_status status = qp_cuda_open(qp_context_cuda_ordinal(context), &cuda);
    launch.cuda = cuda;
    if (status == QP_OK)
        status = kernel->takes(&launch);
    qp_cuda_close(&cuda);
    return status;
}

enum qp_status qp_plan_admit(struct qp_context *context, const struct qp_variant *variant,
                             const struct qp_problem *problem, enum qp_texture_target target,
                             struct qp_plan *outline)
{
    const struct qp_engine *engine = variant->recipe->engine;
    const bool here = engine == NULL || engine->limits != QP_LIMITS_APART;
    const bool cuda = here && variant->backend == QP_CUDA;
    const bool draws = here && qp_variant_draws(variant);
    enum qp_status status = cuda ? qp_cuda_look(qp_context_cuda_ordinal(context)) : QP_OK;
    if (status == QP_OK)
        status = qp_variant_takes(variant, problem);
    if (status == QP_OK && here)
        status = check_flat(variant, problem);
    if (status != QP_OK)
        return status;
    *outline = qp_plan_outline(variant, problem);
    if (cuda)
        status = check_kernel(context, outline);
    if (status == QP_OK && draws)
        status = check_needs(context, variant);
    if (status == QP_OK && draws)
        status = check_counts(context, variant);
    if (status == QP_OK && draws)
        status = check_textures(context, outline, target);
    return status == QP_OK && cuda && draws ? qp_cuda_use(context, NULL) : status;
}

enum qp_status qp_plan_check(struct qp_context *context, const struct qp_variant *variant,
                             const struct qp_problem *problem, enum qp_texture_target target)
{
    struct qp_plan outline;
    return qp_plan_admit(context, variant, problem, target, &outline);
}
