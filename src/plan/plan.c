/* SPDX-License-Identifier: MIT */
#include <quadpass/cuda.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gl/queue.h"
#include "gl/texture.h"
#include "ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "ops/transfer/transfer.h"
#include "plan/plan.h"
#include "plan/problem.h"

static const struct qp_engine *choose_engine(const struct qp_variant *variant)
{
    if (variant->recipe->engine != NULL)
        return variant->recipe->engine;
    if (variant->backend == QP_GL)
        return variant->recipe->tile > 0 ? &qp_engine_tiles : &qp_engine_gl;
    if (variant->backend == QP_CUDA)
        return variant->recipe->sharing != QP_UNSHARED ? &qp_engine_interop : &qp_engine_cuda;
    return qp_recipe_sweep(variant->recipe) != NULL ? &qp_engine_cpu : &qp_engine_reference;
}

/* The device's part of "can this variant run": a skip with its reason by name. */
static enum qp_status check_needs(struct qp_context *context, const struct qp_variant *variant)
{
    enum qp_status status = qp_context_enter(context);
    if (status == QP_OK)
        status = qp_gl_check_lost(context, "room 2, pack");
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
    int textures = (sheets > 1 ? sheets : 1) + qp_recipe_inputs(variant->recipe);
    if (sheets > device->draw_buffers || sheets > device->colour_attachments)
        return qp_fail(QP_UNSUPPORTED, "draws to %d textures at a time and this device to %d",
                       sheets, device->draw_buffers);
    if (textures > device->texture_units)
        return qp_fail(QP_UNSUPPORTED, "reads %d textures at a time and this device %d", textures,
                       device->texture_units);
    return QP_OK;
}

static struct qp_layout state_layout(const struct qp_variant *variant,
                                     const struct qp_problem *problem)
{
    return qp_layout_make(variant->recipe->state, problem->answer_width, problem->answer_height,
                          problem->systems);
}

static struct qp_layout input_layout(const struct qp_variant *variant, int input,
                                     const struct qp_problem *problem)
{
    const struct qp_input *array = &variant->recipe->input[input];
    struct qp_layout layout = qp_layout_make(array->shape, problem->width, problem->height,
                                             array->fields * problem->systems);
    if (array->shape.columns && problem->op->batch)
        layout.column = qp_batch_unknowns(problem);
    return layout;
}

/* A row of the table that would cut this problem into tiles; NULL if there is none. */
static const struct qp_variant *find_cutter(const struct qp_problem *problem)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *row = qp_variant_at(i);
        if (row->recipe->tile > 0 && qp_variant_takes(row, problem) == QP_OK)
            return row;
    }
    return NULL;
}

static enum qp_status check_limit(const struct qp_layout *layout, int rows, int limit,
                                  const struct qp_problem *problem)
{
    if (layout->storage_x <= limit && rows <= limit)
        return QP_OK;
    const struct qp_variant *cutter = find_cutter(problem);
    return qp_fail(QP_UNSUPPORTED,
                   "needs a texture of %d x %d texels where this device's limit is %d each way%s%s",
                   layout->storage_x, rows, limit, cutter != NULL ? "; take " : "",
                   cutter != NULL ? cutter->name : "");
}

static double bytes_of(const struct qp_layout *layout)
{
    return (double)qp_layout_bytes(layout);
}

/* Refuses arrays that certainly do not fit. The driver may refuse others later. */
static enum qp_status check_device_memory(struct qp_context *context, double bytes)
{
    double there = qp_gl_memory_there(context);
    if (bytes <= there)
        return QP_OK;
    return qp_fail(QP_NO_MEMORY,
                   "room 3, upload: the textures need %.3g GB and the device has %.3g left; take a "
                   "smaller problem, or end other programs that use the device",
                   bytes * 1e-9, there * 1e-9);
}

/* Bytes of all arrays as they are packed, and as a device holds them: x twice and the inputs. */
static double packed_bytes(const struct qp_variant *variant, const struct qp_problem *problem)
{
    struct qp_layout layout = state_layout(variant, problem);
    double bytes = 2.0 * bytes_of(&layout);
    for (int i = 0; i < qp_recipe_inputs_for(variant->recipe, problem); i++) {
        layout = input_layout(variant, i, problem);
        bytes += bytes_of(&layout);
    }
    return bytes;
}

/* Checks the packed size: rows of a few cells may be padded to many times their length. */
static enum qp_status check_host_memory(const struct qp_variant *variant,
                                        const struct qp_problem *problem)
{
    const double bytes = packed_bytes(variant, problem), little = 0x1p30;
    const double there = bytes > little ? qp_memory_there() : INFINITY;
    if (bytes <= 0.9 * there)
        return QP_OK;
    return qp_fail(
        QP_NO_MEMORY,
        "room 2, pack: arrays as %s pads them need %.1f GB, and may take %.1f of what this "
        "machine or this container has; take a smaller grid, or longer rows",
        variant->name, bytes * 1e-9, 0.9 * there * 1e-9);
}

static enum qp_status check_textures(struct qp_context *context, const struct qp_variant *variant,
                                     const struct qp_problem *problem,
                                     enum qp_texture_target target)
{
    const struct qp_device *device = qp_context_device(context);
    int limit = qp_texture_limit(device, qp_gl_target(target));
    if (variant->recipe->tile > 0)
        limit = INT_MAX; /* the limit holds for a tile's textures alone */
    struct qp_layout layout = state_layout(variant, problem);
    enum qp_status status = check_limit(&layout, layout.sheet_y, limit, problem);
    for (int i = 0; i < qp_recipe_inputs_for(variant->recipe, problem) && status == QP_OK; i++) {
        layout = input_layout(variant, i, problem);
        status = check_limit(&layout, layout.storage_y, limit, problem);
    }
    return status == QP_OK ? check_device_memory(context, packed_bytes(variant, problem)) : status;
}

/* Checks flat arrays, whose indices are ints and which meet no texture's limit before. */
static enum qp_status check_flat(const struct qp_variant *variant, const struct qp_problem *problem)
{
    enum { LINES = 256 /* values: more than the shift that aligns a first cell */ };
    const double cells =
        (double)problem->width * problem->height + 2.0 * ((double)problem->width + 1.0);
    for (int i = 0; i < qp_recipe_inputs_for(variant->recipe, problem); i++) {
        const struct qp_input *array = &variant->recipe->input[i];
        const double values = cells * array->fields * problem->systems;
        if (array->shape.flat && values > INT_MAX - LINES)
            return qp_fail(QP_UNSUPPORTED, "needs an array of %.0f values, and can count to %d",
                           values, INT_MAX - LINES);
    }
    return QP_OK;
}

enum qp_status qp_plan_check(struct qp_context *context, const struct qp_variant *variant,
                             const struct qp_problem *problem, enum qp_texture_target target)
{
    enum qp_status status = QP_OK;
    if (variant->backend == QP_CUDA)
        status = qp_cuda_look(qp_context_cuda_ordinal(context));
    if (status == QP_OK)
        status = qp_variant_takes(variant, problem);
    if (status == QP_OK)
        status = check_flat(variant, problem);
    if (status == QP_OK && qp_variant_draws(variant)) {
        status = check_needs(context, variant);
        if (status == QP_OK)
            status = check_counts(context, variant);
        if (status == QP_OK)
            status = check_textures(context, variant, problem, target);
    }
    if (status == QP_OK && variant->recipe->sharing != QP_UNSHARED)
        status = qp_cuda_use(context, NULL);
    return status;
}

static void *make_array(const struct qp_layout *layout)
{
    void *texels = qp_alloc_line(qp_layout_values(layout), qp_value_bytes(layout->precision),
                                 "an array's texels");
    if (texels != NULL)
        qp_layout_poison(layout, texels);
    return texels;
}

static enum qp_status choose_listed(const int *blocks, int wanted, int *block)
{
    int k = 0;
    while (wanted > 0 && blocks[k] > 0 && blocks[k] != wanted)
        k++;
    *block = blocks[k];
    if (*block > 0)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED, "takes no blocks of %d rows of threads; its own choice is %d",
                   wanted, blocks[0]);
}

/* Chooses the block size: by default half of a first-level cache of 32 KiB, or the whole matrix. */
static enum qp_status choose_block(const struct qp_variant *variant,
                                   const struct qp_problem *problem, int wanted, int *block)
{
    enum { USUAL_BLOCK = 64 };
    const int rows = problem->height, *listed = variant->recipe->blocks;
    *block = 0;
    if (listed != NULL)
        return choose_listed(listed, wanted, block);
    if (!qp_recipe_takes_blocks(variant->recipe))
        return QP_OK;
    *block = rows < USUAL_BLOCK ? rows : USUAL_BLOCK;
    if (variant->recipe->transfer != NULL)
        *block = qp_transfer_block(variant->recipe->transfer, rows);
    if (wanted > 0)
        *block = wanted;
    if (*block > rows)
        return qp_fail(QP_UNSUPPORTED,
                       "blocks of %d rows are higher than a matrix of %d; take smaller ones",
                       *block, rows);
    return QP_OK;
}

enum qp_status qp_plan_create(struct qp_context *context, const struct qp_variant *variant,
                              const struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_plan **out)
{
    *out = NULL;
    if (desc->every > 0 && problem->op->change_scale < 0)
        return qp_fail(QP_BAD_USE, "%s has no residual to look at", problem->op->name);
    int block;
    enum qp_status status = qp_plan_check(context, variant, problem, desc->target);
    if (status == QP_OK)
        status = check_host_memory(variant, problem);
    if (status == QP_OK)
        status = choose_block(variant, problem, desc->block, &block);
    if (status != QP_OK)
        return status;
    struct qp_plan *plan = qp_alloc_zero(1, sizeof *plan, "a plan");
    if (plan == NULL)
        return qp_fail_within(QP_NO_MEMORY, "room 2, pack");
    plan->variant = variant;
    plan->problem = problem;
    plan->context = context;
    plan->engine = choose_engine(variant);
    plan->pingpong =
        variant->recipe->pingpong != NULL ? *variant->recipe->pingpong : desc->pingpong;
    plan->repeats = desc->iterations > 1;
    plan->log_pivots = desc->log_pivots && !variant->recipe->bound;
    plan->target = desc->target;
    if (variant->recipe->draw[0].compute != NULL) {
        plan->group_x = desc->group_x;
        plan->group_y = desc->group_y;
    }
    plan->block = block;
    plan->measures_change = desc->every > 0;
    plan->warm_seconds = desc->warm_seconds;
    plan->layout = state_layout(variant, problem);
    plan->inputs = qp_recipe_inputs_for(variant->recipe, problem);
    for (int i = 0; i < plan->inputs; i++)
        plan->input_layout[i] = input_layout(variant, i, problem);
    *out = plan;
    if (context != NULL)
        qp_queue_begin(context);
    return plan->engine->arrange != NULL ? plan->engine->arrange(plan) : QP_OK;
}

const void *qp_field_values(const struct qp_problem *problem, int field,
                            enum qp_precision precision, void *scratch)
{
    if (field >= problem->op->fields) {
        problem->op->derive(problem, field, precision, scratch);
        return scratch;
    }
    const struct qp_matrix *stored = &problem->field[field];
    if (stored->precision == precision)
        return qp_matrix_values(stored);
    for (size_t i = 0; i < (size_t)stored->width * (size_t)stored->height; i++)
        qp_set_value(scratch, precision, i, qp_matrix_value(stored, i));
    return scratch;
}

/* The target as long as nobody has written it. */
static enum qp_status pack_empty(const struct qp_plan *plan, void **texels)
{
    const struct qp_op *op = plan->problem->op;
    *texels = make_array(&plan->layout);
    if (*texels == NULL)
        return QP_NO_MEMORY;
    for (int slot = 0; slot < plan->layout.slots; slot++)
        qp_layout_pack(&plan->layout, slot, NULL, qp_op_padding(op, op->state), *texels);
    return QP_OK;
}

/* Packs the fields of one array, each system's into its slot. */
static enum qp_status pack_array(const struct qp_plan *plan, const struct qp_layout *layout,
                                 const int *fields, void *scratch, void **texels)
{
    *texels = make_array(layout);
    if (*texels == NULL)
        return QP_NO_MEMORY;
    for (int slot = 0; slot < layout->slots; slot++) {
        int field = fields[slot / plan->problem->systems];
        struct qp_problem system = qp_problem_system(plan->problem, slot % plan->problem->systems);
        qp_layout_pack(layout, slot, qp_field_values(&system, field, layout->precision, scratch),
                       qp_op_padding(system.op, field), *texels);
    }
    return QP_OK;
}

enum qp_status qp_plan_pack(struct qp_plan *plan)
{
    const struct qp_op *op = plan->problem->op;
    const struct qp_problem *problem = plan->problem;
    size_t cells = (size_t)problem->width * (size_t)problem->height;
    size_t answers = (size_t)problem->answer_width * (size_t)problem->answer_height;
    double *scratch =
        qp_alloc(cells > answers ? cells : answers, sizeof *scratch, "derived values");
    enum qp_status status = scratch != NULL ? QP_OK : QP_NO_MEMORY;
    /* A bound reads no cell of x. With a start of NaN, a cell that is a number was written. */
    if (status == QP_OK && plan->variant->recipe->bound)
        status = pack_empty(plan, &plan->texels);
    else if (status == QP_OK)
        status = pack_array(plan, &plan->layout, &op->state, scratch, &plan->texels);
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = pack_array(plan, &plan->input_layout[i], plan->variant->recipe->input[i].field,
                            scratch, &plan->input_texels[i]);
    if (status == QP_OK && plan->measures_change)
        status = pack_array(plan, &plan->layout, &op->change_scale, scratch, &plan->scale_texels);
    free(scratch);
    return status == QP_OK ? pack_empty(plan, &plan->empty) : status;
}

enum qp_status qp_plan_unpack(struct qp_plan *plan, struct qp_matrix *out)
{
    const struct qp_op *op = plan->problem->op;
    const struct qp_problem *problem = plan->problem;
    size_t cells = (size_t)problem->answer_width * (size_t)problem->answer_height;
    enum qp_status status =
        qp_matrix_make(problem->answer_width, problem->answer_height * problem->systems,
                       plan->layout.precision, out);
    if (status != QP_OK)
        return status;
    int x, y;
    if (!qp_layout_intact(&plan->layout, plan->texels, qp_op_padding(op, op->state), &x, &y)) {
        bool inside = x >= 0 && x < plan->layout.domain_x && y >= 0 && y < plan->layout.domain_y;
        qp_matrix_destroy(out);
        return qp_fail(QP_DEVICE,
                       "room 8, unpack: %s wrote %s, at texel (%d, %d) of a domain of %d x %d",
                       plan->variant->name,
                       inside ? "over the padding behind a row's last cell" : "outside its domain",
                       x, y, plan->layout.domain_x, plan->layout.domain_y);
    }
    for (int slot = 0; slot < plan->layout.slots; slot++)
        qp_layout_unpack(&plan->layout, slot, plan->texels,
                         qp_value_at(qp_matrix_values(out), out->precision, (size_t)slot * cells));
    return QP_OK;
}

void qp_plan_destroy(struct qp_plan **plan)
{
    if (plan == NULL || *plan == NULL)
        return;
    struct qp_plan *old = *plan;
    old->engine->destroy(old);
    free(old->texels);
    free(old->empty);
    free(old->scale_texels);
    free(old->pivots);
    for (int i = 0; i < QP_INPUTS; i++)
        free(old->input_texels[i]);
    free(old);
    *plan = NULL;
}
