/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/whole.h"

static struct qp_layout layout_of_input(const struct qp_input *array,
                                        const struct qp_problem *problem)
{
    const struct qp_size size = qp_field_size(problem, array->field[0]);
    struct qp_layout layout =
        qp_layout_make(array->shape, qp_most(size.width, 1), qp_most(size.height, 1),
                       array->fields * problem->systems); /* derive() refuses another size */
    const int batch = array->shape.columns ? qp_problem_extent(problem).batch : 0;
    if (batch > 0)
        layout.column = batch;
    return layout;
}

struct qp_size qp_field_size(const struct qp_problem *problem, int field)
{
    const struct qp_op *op = problem->op;
    if (field >= op->fields && op->field_size != NULL)
        return op->field_size(problem, field);
    return (struct qp_size){problem->width, problem->height};
}

static _Atomic int outlines;

int qp_plan_outlines(void)
{
    return outlines;
}

struct qp_plan qp_plan_outline(const struct qp_variant *variant, const struct qp_problem *problem)
{
    const struct qp_recipe *recipe = variant->recipe;
    struct qp_plan plan = {.variant = variant,
                           .problem = problem,
                           .layout = qp_layout_make(recipe->state, problem->answer_width,
                                                    problem->answer_height, problem->systems),
                           .inputs = qp_recipe_inputs_for(recipe, problem)};
    for (int i = 0; i < plan.inputs; i++)
        plan.input_layout[i] = layout_of_input(&recipe->input[i], problem);
    outlines++;
    return plan;
}

double qp_plan_bytes(const struct qp_plan *plan)
{
    double bytes = 2.0 * (double)qp_layout_bytes(&plan->layout);
    for (int i = 0; i < plan->inputs; i++)
        bytes += (double)qp_layout_bytes(&plan->input_layout[i]);
    return bytes;
}

/* Checks the packed size: rows of a few cells may be padded to many times their length. */
static enum qp_status check_host_memory(const struct qp_plan *plan)
{
    const double bytes = qp_plan_bytes(plan), there = qp_memory_for(bytes);
    if (bytes <= 0.9 * there)
        return QP_OK;
    return qp_fail(
        QP_NO_MEMORY,
        "stage 2, pack: arrays as %s pads them need %.1f GB, and may take %.1f of what this "
        "machine or this container has; take a smaller grid, or longer rows",
        plan->variant->name, bytes * 1e-9, 0.9 * there * 1e-9);
}

static void *make_array(const struct qp_layout *layout)
{
    void *texels = qp_alloc_line(qp_layout_values(layout), qp_value_bytes(layout->precision),
                                 "an array's texels");
    if (texels != NULL)
        qp_layout_poison(layout, texels);
    return texels;
}

static enum qp_status choose_listed(const struct qp_block_rule *rule, int own, int wanted,
                                    int *block)
{
    const int *listed = rule->listed;
    *block = wanted > 0 ? wanted : own;
    while (*listed > 0 && *listed != *block)
        listed++;
    if (*listed > 0)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED, "takes no blocks of %d %s; its own choice is %d", wanted,
                   rule->counts != NULL ? rule->counts : "rows of threads", own);
}

/* The variant's own choice for this problem; 0: none. */
static int usual_block(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const bool weighted = problem->weights != NULL || problem->weight != 1.0;
    return weighted && recipe->blocks != NULL && recipe->blocks->weighted > 0
               ? recipe->blocks->weighted
               : qp_recipe_block(recipe, problem->height);
}

static enum qp_status choose_block(const struct qp_plan *plan, int wanted, int *block)
{
    const struct qp_recipe *recipe = plan->variant->recipe;
    const int rows = plan->problem->height;
    *block = usual_block(recipe, plan->problem);
    if (recipe->blocks != NULL && recipe->blocks->listed != NULL)
        return choose_listed(recipe->blocks, *block, wanted, block);
    if (*block > 0 && wanted > 0)
        *block = wanted;
    if (*block > rows)
        return qp_fail(QP_UNSUPPORTED,
                       "blocks of %d rows are higher than a matrix of %d; take smaller ones",
                       *block, rows);
    return QP_OK;
}

enum qp_status qp_plan_make(const struct qp_plan *outline, const struct qp_walk_desc *desc,
                            struct qp_plan **out)
{
    const struct qp_recipe *recipe = outline->variant->recipe;
    int block;
    *out = NULL;
    enum qp_status status = check_host_memory(outline);
    if (status == QP_OK)
        status = choose_block(outline, desc->block, &block);
    if (status == QP_OK)
        status = qp_check_alpha(recipe, outline->problem->alpha);
    if (status != QP_OK)
        return status;
    struct qp_plan *plan = qp_alloc(1, sizeof *plan, "a plan");
    if (plan == NULL)
        return qp_fail_within(QP_NO_MEMORY, "stage 2, pack");
    *plan = *outline;
    plan->pingpong = desc->pingpong;
    plan->target = desc->target;
    if (recipe->draw[0].compute != NULL) {
        plan->group_x = desc->group_x;
        plan->group_y = desc->group_y;
    }
    plan->block = block;
    plan->measures_change = qp_walk_looks(desc);
    plan->warm_seconds = desc->warm_seconds;
    *out = plan;
    return plan->engine->arrange != NULL ? plan->engine->arrange(plan, desc) : QP_OK;
}

/* The part's rows of a stored field. */
static void copy_part(const struct qp_problem *part, const struct qp_matrix *stored,
                      enum qp_precision precision, void *values)
{
    const size_t width = (size_t)part->width;
    for (size_t y = 0; y < (size_t)part->height; y++) {
        const size_t from = qp_problem_place(part, 0, y);
        for (size_t x = 0; x < width; x++)
            qp_set_value(values, precision, y * width + x, qp_matrix_value(stored, from + x));
    }
}

const void *qp_field_values(const struct qp_problem *problem, int field,
                            enum qp_precision precision, size_t room, void *scratch)
{
    if (field >= problem->op->fields)
        return problem->op->derive(problem, field, precision, room, scratch) == QP_OK ? scratch
                                                                                      : NULL;
    const struct qp_matrix *stored = &qp_problem_whole(problem)->field[field];
    if (problem->window.of != NULL) {
        copy_part(problem, stored, precision, scratch);
        return scratch;
    }
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
    free(*texels);
    *texels = make_array(&plan->layout);
    if (*texels == NULL)
        return QP_NO_MEMORY;
    for (int slot = 0; slot < plan->layout.slots; slot++)
        qp_layout_pack(&plan->layout, slot, NULL, op->field[op->state].padding, *texels);
    return QP_OK;
}

static size_t values_of(const struct qp_layout *layout)
{
    return (size_t)layout->cells_x * (size_t)layout->cells_y;
}

/* Packs the fields of one array, each system's into its slot. */
static enum qp_status pack_array(const struct qp_plan *plan, const struct qp_layout *layout,
                                 const int *fields, void *scratch, void **texels)
{
    free(*texels);
    *texels = make_array(layout);
    if (*texels == NULL)
        return QP_NO_MEMORY;
    const size_t room = values_of(layout);
    for (int slot = 0; slot < layout->slots; slot++) {
        int field = fields[slot / plan->problem->systems];
        struct qp_problem system = qp_problem_system(plan->problem, slot % plan->problem->systems);
        const void *values = qp_field_values(&system, field, layout->precision, room, scratch);
        if (values == NULL)
            return QP_NO_MEMORY;
        qp_layout_pack(layout, slot, values, system.op->field[field].padding, *texels);
    }
    return QP_OK;
}

/* Values of the largest field: the grid, the answer, or one with a size of its own. */
static size_t most_values(const struct qp_plan *plan)
{
    const struct qp_problem *problem = plan->problem;
    size_t most = qp_problem_cells(problem), answers = qp_problem_answers(problem);
    most = answers > most ? answers : most;
    for (int i = 0; i < plan->inputs; i++) {
        const size_t values = values_of(&plan->input_layout[i]);
        most = values > most ? values : most;
    }
    return most;
}

enum qp_status qp_plan_pack(struct qp_plan *plan)
{
    const struct qp_op *op = plan->problem->op;
    double *scratch = qp_alloc(most_values(plan), sizeof *scratch, "derived values");
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

enum qp_status qp_plan_unpack(const struct qp_plan *plan, const void *texels, struct qp_matrix *out)
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
    if (!qp_layout_intact(&plan->layout, texels, op->field[op->state].padding, &x, &y)) {
        bool inside = x >= 0 && x < plan->layout.domain_x && y >= 0 && y < plan->layout.domain_y;
        qp_matrix_destroy(out);
        return qp_fail(QP_DEVICE,
                       "stage 8, unpack: %s wrote %s, at texel (%d, %d) of a domain of %d x %d",
                       plan->variant->name,
                       inside ? "over the padding after a row's last cell" : "outside its domain",
                       x, y, plan->layout.domain_x, plan->layout.domain_y);
    }
    for (int slot = 0; slot < plan->layout.slots; slot++)
        qp_layout_unpack(&plan->layout, slot, texels,
                         qp_value_at(qp_matrix_values(out), out->precision, (size_t)slot * cells));
    return QP_OK;
}

struct qp_launch_blocks qp_plan_blocks(const struct qp_plan *plan)
{
    return plan->engine->blocks != NULL ? plan->engine->blocks(plan) : (struct qp_launch_blocks){0};
}

int qp_plan_lines(const struct qp_plan *plan)
{
    return plan->layout.shape.flat ? plan->problem->answer_height
                                   : plan->layout.domain_y * plan->layout.sheets;
}

void qp_plan_destroy(struct qp_plan **plan)
{
    if (plan == NULL || *plan == NULL)
        return;
    struct qp_plan *old = *plan;
    if (old->engine->destroy != NULL)
        old->engine->destroy(old);
    free(old->own);
    free(old->texels);
    free(old->empty);
    free(old->scale_texels);
    free(old->log);
    for (int i = 0; i < QP_INPUTS; i++)
        free(old->input_texels[i]);
    free(old);
    *plan = NULL;
}
