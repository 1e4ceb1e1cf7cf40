/* SPDX-License-Identifier: MIT */
/* Questions about a variant: what it reads, what it costs, which problems it takes. */
#include <string.h>

#include "lab/plan/half.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/whole.h"

const char *qp_backend_name(enum qp_backend backend)
{
    static const char *const names[QP_BACKENDS] = {"cpu", "gl", "cuda", "mpi"};
    return QP_NAME(names, backend);
}

const struct qp_alpha_rule *qp_recipe_alpha_rule(const struct qp_recipe *recipe)
{
    return recipe->blocks != NULL ? recipe->blocks->alpha : NULL;
}

bool qp_recipe_takes_kind(const struct qp_recipe *recipe, int kind)
{
    const struct qp_alpha_rule *rule = qp_recipe_alpha_rule(recipe);
    return ((recipe->not_kinds | (rule != NULL ? rule->unjudged : 0)) >> kind & 1) == 0;
}

int qp_recipe_first_kind(const struct qp_recipe *recipe)
{
    int kind = 0;
    while (!qp_recipe_takes_kind(recipe, kind))
        kind++;
    return kind;
}

const struct qp_recipe *qp_recipe_called(const struct qp_recipe *list, const char *name)
{
    while (list->name != NULL && strcmp(list->name, name) != 0)
        list++;
    return list->name != NULL ? list : NULL;
}

int qp_recipe_inputs(const struct qp_recipe *recipe)
{
    int count = 0;
    while (count < QP_INPUTS && recipe->input[count].name != NULL)
        count++;
    return count;
}

int qp_recipe_inputs_for(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const int wanted = problem->op != NULL ? qp_problem_kind_row(problem)->inputs : 0;
    return wanted == 0 ? qp_recipe_inputs(recipe) : wanted == QP_NO_INPUTS ? 0 : wanted;
}

int qp_recipe_draws(const struct qp_recipe *recipe)
{
    int count = 0;
    while (count < QP_DRAWS &&
           (recipe->draw[count].fragment != NULL || recipe->draw[count].compute != NULL))
        count++;
    return count;
}

enum qp_status qp_variant_check(const struct qp_variant *variant)
{
    if (variant == NULL)
        return qp_fail(QP_BAD_USE, "there is no variant: the one asked for is NULL");
    if (variant->name != NULL && variant->op != NULL && variant->recipe != NULL)
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "'%s' is no variant of this library; take one that qp_variant_find or "
                   "qp_trial_add hands out",
                   variant->name != NULL ? variant->name : "(without a name)");
}

int qp_variant_systems(const struct qp_variant *variant)
{
    const struct qp_recipe *recipe = variant != NULL ? variant->recipe : NULL;
    return recipe != NULL && recipe->systems > 1 ? recipe->systems : 1;
}

bool qp_variant_is_bound(const struct qp_variant *variant)
{
    return variant != NULL && variant->recipe != NULL && variant->recipe->bound;
}

qp_sweep_function *qp_recipe_sweep(const struct qp_recipe *recipe)
{
    return recipe->lent != NULL ? recipe->lent->sweep : recipe->sweep;
}

/* Texels that are no floats hold doubles, with which shaders compute; pairs need each rounding. */
unsigned qp_needs_to_render(enum qp_format format)
{
    static const unsigned needs[QP_FORMATS] = {
        [QP_LUMINANCE32F] = QP_CAN_LUMINANCE32F,
        [QP_R32F] = QP_CAN_R32F,
        [QP_RGBA32F] = QP_CAN_RGBA32F,
        [QP_LUMINANCE16F] = QP_CAN_LUMINANCE16F,
        [QP_RGBA16F] = QP_CAN_RGBA16F,
        [QP_RG32UI_WORDS] = QP_CAN_DOUBLE,
        [QP_RGBA32UI_WORDS] = QP_CAN_DOUBLE,
        [QP_RG32F_PAIRS] = QP_CAN_RG32F | QP_CAN_PRECISE,
        [QP_RGBA32F_PAIRS] = QP_CAN_RGBA32F | QP_CAN_PRECISE,
    };
    return needs[format];
}

unsigned qp_recipe_needs_to_draw(const struct qp_recipe *recipe)
{
    unsigned needs = recipe->needs | qp_needs_to_render(recipe->state.format);
    for (int i = 0; i < qp_recipe_draws(recipe); i++) {
        if (recipe->draw[i].compute != NULL)
            needs |= QP_CAN_COMPUTE;
        else if (recipe->draw[i].loads_x)
            needs |= QP_CAN_READ_IMAGES;
    }
    return needs;
}

unsigned qp_recipe_needs(const struct qp_recipe *recipe)
{
    if (recipe->engine != NULL && recipe->engine->needs != NULL)
        return recipe->engine->needs(recipe);
    return recipe->backend == QP_GL ? qp_recipe_needs_to_draw(recipe) : 0;
}

bool qp_variant_draws(const struct qp_variant *variant)
{
    return variant->backend == QP_GL || variant->needs != 0;
}

const struct qp_cuda_kernel *qp_recipe_kernel(const struct qp_recipe *recipe)
{
    return recipe->lent != NULL ? recipe->lent->kernel : recipe->kernel;
}

bool qp_recipe_goes_by_rows(const struct qp_recipe *recipe)
{
    const struct qp_cuda_kernel *kernel = qp_recipe_kernel(recipe);
    return kernel == NULL || kernel->by_rows;
}

const char *qp_variant_library(const struct qp_variant *variant)
{
    const struct qp_recipe *recipe = variant != NULL ? variant->recipe : NULL;
    return recipe != NULL && recipe->lent != NULL ? recipe->lent->library : NULL;
}

/* All arrays are of x's precision. Bands in a texel's channels count with all its channels. */
struct qp_cost qp_cost_of_arrays(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const int inputs = qp_recipe_inputs_for(recipe, problem);
    int values = 2; /* values of x, read and written */
    for (int i = 0; i < inputs; i++) {
        bool bands_in_channels = recipe->input[i].shape.slots == QP_IN_CHANNELS;
        values += bands_in_channels && recipe->systems <= 1 ? 4 : recipe->input[i].fields;
    }
    return (struct qp_cost){.bytes = recipe->bytes > 0.0
                                         ? recipe->bytes
                                         : (double)qp_format_bytes(recipe->state.format) * values,
                            .flops = recipe->flops};
}

struct qp_cost qp_variant_cost_of(const struct qp_variant *variant,
                                  const struct qp_problem *problem)
{
    return (problem->op != NULL ? problem->op->cost : qp_cost_of_arrays)(variant->recipe, problem);
}

double qp_recipe_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem,
                           int iterations)
{
    if (recipe->tolerance != NULL)
        return recipe->tolerance(recipe, problem);
    if (qp_recipe_is_half(recipe))
        return problem->op->half->tolerance(problem, iterations);
    return problem->op->tolerance(problem, iterations, qp_format_precision(recipe->state.format));
}

int qp_recipe_block(const struct qp_recipe *recipe, int rows)
{
    const struct qp_block_rule *rule = recipe->blocks;
    if (rule == NULL)
        return 0;
    return rule->usual != NULL ? rule->usual(recipe, rows) : rule->listed[0];
}

bool qp_recipe_takes_blocks(const struct qp_recipe *recipe)
{
    return qp_recipe_block(recipe, 1) > 0;
}

int qp_recipe_alpha(const struct qp_recipe *recipe, int asked)
{
    const struct qp_alpha_rule *rule = qp_recipe_alpha_rule(recipe);
    if (rule == NULL || asked < 0)
        return 0;
    return asked > 0 ? asked : rule->usual;
}

enum qp_status qp_check_alpha(const struct qp_recipe *recipe, int alpha)
{
    const struct qp_alpha_rule *rule = qp_recipe_alpha_rule(recipe);
    if (rule == NULL || (alpha <= rule->most && !(rule->even && alpha % 2 != 0)))
        return QP_OK;
    if (alpha > rule->most)
        return qp_fail(QP_UNSUPPORTED, "takes async factors up to %d, not %d", rule->most, alpha);
    return qp_fail(QP_UNSUPPORTED,
                   "takes even async factors, for its steps come in pairs, and not %d", alpha);
}

/* A bound writes whole texels in all sheets: no padding may be among what it writes. */
static enum qp_status check_bound(const struct qp_shape *shape, const struct qp_problem *problem)
{
    if (shape->neighbours > 1 && problem->width % shape->neighbours != 0)
        return qp_fail(QP_UNSUPPORTED,
                       "needs a width that is a multiple of %d: a bound writes whole texels, and "
                       "no padding may be in the last one of a row",
                       shape->neighbours);
    if (shape->sheets > 1 && problem->height % shape->sheets != 0)
        return qp_fail(QP_UNSUPPORTED,
                       "needs a height that is a multiple of %d: a bound writes as many rows at a "
                       "time",
                       shape->sheets);
    return QP_OK;
}

enum qp_status qp_takes_cells(const struct qp_problem *problem, int most_cells)
{
    const double cells = (double)problem->width * problem->height;
    if (most_cells == 0 || cells <= most_cells)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "wraps its coordinates in float, which is exact up to %d cells, not %.0f",
                   most_cells, cells);
}

static enum qp_status takes(const struct qp_variant *variant, const struct qp_problem *problem)
{
    const struct qp_recipe *recipe = variant->recipe;
    if (strcmp(variant->op, problem->op->name) != 0)
        return qp_fail(QP_UNSUPPORTED, "is a variant of %s, and the problem is one of %s",
                       variant->op, problem->op->name);
    if (recipe->not_kinds >> qp_problem_kind(problem) & 1)
        return qp_fail(QP_UNSUPPORTED, "is not for the problem '%s'", problem->kind);
    if (recipe->lent != NULL && recipe->lent->sweep == NULL && recipe->lent->kernel == NULL)
        return qp_fail(QP_UNSUPPORTED, "built without %s", qp_variant_library(variant));
    const int systems = qp_variant_systems(variant);
    if (problem->systems != systems)
        return qp_fail(QP_UNSUPPORTED, "takes %d system%s at a time, not %d", systems,
                       systems > 1 ? "s" : "", problem->systems);
    const bool is_part =
        problem->window.of != NULL; /* which was asked as a whole, and stores no fields */
    const enum qp_status status =
        problem->op->takes != NULL && !is_part ? problem->op->takes(recipe, problem) : QP_OK;
    if (status != QP_OK)
        return status;
    if (recipe->bound && check_bound(&recipe->state, problem) != QP_OK)
        return QP_UNSUPPORTED;
    return qp_recipe_is_half(recipe) ? qp_half_takes(problem) : QP_OK;
}

enum qp_status qp_variant_takes(const struct qp_variant *variant, const struct qp_problem *problem)
{
    if (QP_NEED(variant) || QP_NEED(problem) || qp_variant_check(variant) != QP_OK)
        return QP_BAD_USE;
    if (problem->op == NULL)
        return qp_fail(QP_BAD_USE, "%s has no problem to take: none was made", variant->name);
    return takes(variant, problem);
}

/* Updates up to which all steps are checked, each time: a second of one core. */
static const double few = 0x1p28;

int qp_checked_steps(const struct qp_variant *variant, const struct qp_problem *problem,
                     int iterations, int depth)
{
    const struct qp_runs *runs = problem->op->runs;
    const double updates = (double)qp_problem_answers(problem) * iterations;
    const struct qp_judge *judge = problem->op->judge;
    if (runs->launch == NULL || updates <= few || qp_problem_kind_row(problem)->settles ||
        (judge != NULL && judge->counts))
        return iterations;
    return qp_least(iterations, 2 * qp_most(runs->launch(variant->recipe), depth) + 1);
}

bool qp_races(const struct qp_variant *variant, const struct qp_problem *problem)
{
    const struct qp_judge *judge = problem->op->judge;
    return judge != NULL && judge->races != NULL && judge->races(variant->recipe);
}
