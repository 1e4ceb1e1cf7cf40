/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <string.h>

#include <quadpass/context.h>

#include "base/caller.h"
#include "ops/gauss_jordan/blocked_compute.h"
#include "plan/half.h"
#include "plan/problem.h"

static const struct qp_variant variants[] = {
#define VARIANT(o, variant, device, stands, abilities, origin, text) \
    {.name = #o "/" #variant,                                        \
     .op = #o,                                                       \
     .backend = QP_##device,                                         \
     .layout = stands,                                               \
     .needs = abilities,                                             \
     .place = origin,                                                \
     .sentence = text,                                               \
     .recipe = &qp_##o##_##variant},
#include "ops/table.def"
#undef VARIANT
};

static const struct qp_op *const ops[] = {
    &qp_op_jacobi9,  &qp_op_reduce, &qp_op_gauss_jordan, &qp_op_gauss_jordan_batch,
    &qp_op_transfer, &qp_op_access, &qp_op_transpose};

size_t qp_variant_count(void)
{
    return sizeof variants / sizeof variants[0];
}

const struct qp_variant *qp_variant_at(size_t index)
{
    return index < qp_variant_count() ? &variants[index] : NULL;
}

static const char *short_name(const struct qp_variant *variant)
{
    return strchr(variant->name, '/') + 1;
}

const struct qp_variant *qp_variant_find(const char *name)
{
    if (QP_NEED(name))
        return NULL;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(variants[i].name, name) == 0 || strcmp(short_name(&variants[i]), name) == 0)
            return &variants[i];
    }
    return NULL;
}

bool qp_variant_matches(const struct qp_variant *variant, const char *pattern)
{
    if (QP_NEED(variant) || QP_NEED(pattern))
        return false;
    return fnmatch(pattern, variant->name, 0) == 0 ||
           fnmatch(pattern, short_name(variant), 0) == 0 || strcmp(pattern, variant->op) == 0;
}

const struct qp_op *qp_op_find(const char *name)
{
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        if (strcmp(ops[i]->name, name) == 0)
            return ops[i];
    }
    return NULL;
}

int qp_op_kind(const struct qp_op *op, const char *kind)
{
    if (op->kinds == NULL)
        return 0;
    for (int i = 0; op->kinds[i] != NULL; i++) {
        if (strcmp(op->kinds[i], kind) == 0)
            return i;
    }
    return -1;
}

int qp_op_sweep(const struct qp_op *op, int kind)
{
    int count = 0;
    while (op->ranges != NULL && op->ranges[kind].sweep[count] >= 0)
        count++;
    return count > 0 ? count : 1;
}

float qp_op_padding(const struct qp_op *op, int field)
{
    return op->padding != NULL ? op->padding(op, field) : 0.0f;
}

bool qp_op_knows(const char *kind)
{
    size_t i = 0;
    while (i < sizeof ops / sizeof ops[0] && qp_op_kind(ops[i], kind) < 0)
        i++;
    return i < sizeof ops / sizeof ops[0];
}

const char *qp_backend_name(enum qp_backend backend)
{
    static const char *const names[QP_BACKENDS] = {"cpu", "gl", "cuda", "mpi"};
    return QP_NAME(names, backend);
}

int qp_recipe_inputs(const struct qp_recipe *recipe)
{
    int count = 0;
    while (count < QP_INPUTS && recipe->input[count].name != NULL)
        count++;
    return count;
}

int qp_op_parameters(const struct qp_op *op)
{
    int count = 0;
    while (op->parameters != NULL && count < QP_CUSTOM_PARAMETERS &&
           op->parameters[count].name != NULL)
        count++;
    return count;
}

int qp_recipe_inputs_for(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    return op->inputs != NULL ? op->inputs(qp_problem_kind(problem)) : qp_recipe_inputs(recipe);
}

int qp_recipe_draws(const struct qp_recipe *recipe)
{
    int count = 0;
    while (count < QP_DRAWS &&
           (recipe->draw[count].fragment != NULL || recipe->draw[count].compute != NULL))
        count++;
    return count;
}

int qp_variant_systems(const struct qp_variant *variant)
{
    return variant != NULL && variant->recipe->systems > 1 ? variant->recipe->systems : 1;
}

bool qp_variant_is_bound(const struct qp_variant *variant)
{
    return variant != NULL && variant->recipe->bound;
}

qp_sweep_function *qp_recipe_sweep(const struct qp_recipe *recipe)
{
    return recipe->lent != NULL ? recipe->lent->sweep : recipe->sweep;
}

bool qp_variant_draws(const struct qp_variant *variant)
{
    const struct qp_recipe *recipe = variant->recipe;
    return variant->backend == QP_GL || (recipe != NULL && recipe->sharing != QP_UNSHARED);
}

const struct qp_kernel *qp_recipe_kernel(const struct qp_recipe *recipe)
{
    return recipe->lent_kernel != NULL ? recipe->lent_kernel->kernel : recipe->kernel;
}

const char *qp_variant_library(const struct qp_variant *variant)
{
    const struct qp_recipe *recipe = variant != NULL ? variant->recipe : NULL;
    if (recipe == NULL || (recipe->lent == NULL && recipe->lent_kernel == NULL))
        return NULL;
    return recipe->lent != NULL ? recipe->lent->library : recipe->lent_kernel->library;
}

/* The table's; NULL for a variant made at run time. */
static const struct qp_op *op_of(const struct qp_variant *variant)
{
    return qp_variant_find(variant->name) == variant ? qp_op_find(variant->op) : NULL;
}

/* Every value of the recipe's arrays once, and x read and written once unless the answer is but a
 * few values, for one system; all are of x's precision. Bands in the channels of a texel are paid
 * for with the channels between them. */
static struct qp_cost cost_of_kind(const struct qp_variant *variant, int kind)
{
    const struct qp_recipe *recipe = variant->recipe;
    const struct qp_op *op = op_of(variant);
    if (op != NULL && op->bytes != NULL)
        return (struct qp_cost){.bytes = op->bytes(kind), .flops = recipe->flops};
    if (recipe->bytes > 0.0)
        return (struct qp_cost){.bytes = recipe->bytes, .flops = recipe->flops};
    int values = op != NULL && op->answer != NULL ? 0 : 2;
    int inputs = op != NULL && op->inputs != NULL ? op->inputs(kind) : qp_recipe_inputs(recipe);
    for (int i = 0; i < inputs; i++) {
        bool bands_in_channels = recipe->input[i].shape.slots == QP_IN_CHANNELS;
        values += bands_in_channels && recipe->systems <= 1 ? 4 : recipe->input[i].fields;
    }
    return (struct qp_cost){.bytes = (double)qp_format_bytes(recipe->state.format) * values,
                            .flops =
                                op != NULL && op->flops != NULL ? op->flops(kind) : recipe->flops};
}

struct qp_extent qp_problem_extent(const struct qp_problem *problem)
{
    if (problem->op->extent != NULL)
        return problem->op->extent(problem);
    return (struct qp_extent){.width = problem->width,
                              .height = problem->height,
                              .systems = problem->systems,
                              .updates =
                                  (double)problem->width * problem->height * problem->systems};
}

/* Where an operation counts its own work, a variant that says nothing of bytes reads and writes
 * every value once in a step. */
struct qp_cost qp_variant_cost_of(const struct qp_variant *variant,
                                  const struct qp_problem *problem)
{
    if (problem->op->cost != NULL)
        return problem->op->cost(qp_problem_kind(problem), problem->parameter);
    struct qp_cost cost = cost_of_kind(variant, qp_problem_kind(problem));
    const struct qp_extent extent = qp_problem_extent(problem);
    if (extent.flops > 0.0) {
        double cells = (double)problem->width * problem->height * problem->systems;
        cost.flops = extent.flops / extent.updates;
        if (variant->recipe->bytes == 0.0)
            cost.bytes *= cells / extent.updates;
    }
    return cost;
}

struct qp_cost qp_variant_cost(const struct qp_variant *variant)
{
    if (QP_NEED(variant))
        return (struct qp_cost){0};
    const struct qp_op *op = op_of(variant);
    int kind = 0;
    while (variant->recipe->not_kinds >> kind & 1)
        kind++;
    return op != NULL && op->cost != NULL ? op->cost(kind, op->ranges[kind].usual)
                                          : cost_of_kind(variant, kind);
}

/* Operations made at run time may share names, but not the memory these stand in. */
static bool belongs(const struct qp_variant *variant, const struct qp_op *op)
{
    return variant->op == op->name || qp_op_find(variant->op) == op;
}

int qp_recipe_block(const struct qp_recipe *recipe, int rows)
{
    const struct qp_block_rule *rule = recipe->blocks;
    if (rule == NULL)
        return 0;
    return rule->listed != NULL ? rule->listed[0] : rule->usual(recipe, rows);
}

bool qp_recipe_takes_blocks(const struct qp_recipe *recipe)
{
    return qp_recipe_block(recipe, 1) > 0;
}

/* A bound writes whole texels in all sheets: no padding may stand among what it writes. */
static enum qp_status check_bound(const struct qp_shape *shape, const struct qp_problem *problem)
{
    if (shape->neighbours > 1 && problem->width % shape->neighbours != 0)
        return qp_fail(QP_UNSUPPORTED,
                       "needs a width that is a multiple of %d: a bound writes whole texels, and "
                       "no padding may stand in the last one of a row",
                       shape->neighbours);
    if (shape->sheets > 1 && problem->height % shape->sheets != 0)
        return qp_fail(QP_UNSUPPORTED,
                       "needs a height that is a multiple of %d: a bound writes as many rows at a "
                       "time",
                       shape->sheets);
    return QP_OK;
}

static enum qp_status takes(const struct qp_variant *variant, const struct qp_problem *problem)
{
    const struct qp_recipe *recipe = variant->recipe;
    double cells = (double)problem->width * problem->height;
    if (!belongs(variant, problem->op))
        return qp_fail(QP_UNSUPPORTED, "is a variant of %s, and the problem is one of %s",
                       variant->op, problem->op->name);
    if (recipe->not_kinds >> qp_problem_kind(problem) & 1)
        return qp_fail(QP_UNSUPPORTED, "is not for the problem '%s'", problem->kind);
    if (recipe->powers_of_two && (problem->parameter & (problem->parameter - 1)) != 0)
        return qp_fail(QP_UNSUPPORTED, "takes powers of two, not %d", problem->parameter);
    if ((recipe->lent != NULL && recipe->lent->sweep == NULL) ||
        (recipe->lent_kernel != NULL && recipe->lent_kernel->kernel == NULL))
        return qp_fail(QP_UNSUPPORTED, "built without %s", qp_variant_library(variant));
    if (problem->systems != qp_variant_systems(variant))
        return qp_fail(QP_UNSUPPORTED, "takes %d system%s at a time, not %d",
                       qp_variant_systems(variant), recipe->systems > 1 ? "s" : "",
                       problem->systems);
    if (problem->wraps && !recipe->takes_wraps)
        return qp_fail(QP_UNSUPPORTED,
                       "takes no entries that wrap at row ends: its border is zeros in the bands");
    if (recipe->needs_symmetry && !problem->op->is_symmetric(problem))
        return qp_fail(QP_UNSUPPORTED,
                       "takes symmetric matrices only: it stores half of the bands");
    if (problem->wraps && problem->width < recipe->least_width)
        return qp_fail(QP_UNSUPPORTED,
                       "needs a width of at least %d where entries wrap: the left and the right "
                       "boundary line must be two",
                       recipe->least_width);
    if (recipe->bound && check_bound(&recipe->state, problem) != QP_OK)
        return QP_UNSUPPORTED;
    if (recipe->most_cells > 0 && cells > recipe->most_cells)
        return qp_fail(QP_UNSUPPORTED,
                       "wraps its coordinates in float, which is exact up to %d cells, not %.0f",
                       recipe->most_cells, cells);
    if (recipe->blocked_compute != NULL &&
        qp_blocked_compute_takes(recipe->blocked_compute, problem->height) != QP_OK)
        return QP_UNSUPPORTED;
    return qp_recipe_is_half(recipe) ? qp_half_takes(problem) : QP_OK;
}

enum qp_status qp_variant_takes(const struct qp_variant *variant, const struct qp_problem *problem)
{
    if (QP_NEED(variant) || QP_NEED(problem))
        return QP_BAD_USE;
    if (problem->op == NULL)
        return qp_fail(QP_BAD_USE, "%s has no problem to take: none was made", variant->name);
    return takes(variant, problem);
}
