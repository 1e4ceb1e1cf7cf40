/* SPDX-License-Identifier: MIT */
/* Reductions in fragment shaders: stages 3 to 7 around the pyramid in lab/engines/reducer.c.
 * Inputs are textures, a pass draws the whole pyramid, there is nothing to swap, and one texel
 * comes back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/plan/plan.h"

struct qp_plan_reduce {
    struct qp_texture input[2]; /* x and, for QP_DOT, y */
    struct qp_reducer reducer;
    bool reduced; /* true once the answer is no longer the start */
};

static struct qp_plan_reduce *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

const struct qp_climb *qp_reduce_climb(const struct qp_recipe *recipe)
{
    return recipe->engine == &qp_engine_reduce ? recipe->own : NULL;
}

const struct qp_reducer *qp_reduce_pyramid(const struct qp_plan *plan)
{
    return plan->engine == &qp_engine_reduce && plan->own != NULL ? &own_of(plan)->reducer : NULL;
}

/* ---- Stage 3 ---- */

static enum qp_status upload_input(struct qp_plan *plan, int input)
{
    const struct qp_layout *layout = &plan->input_layout[input];
    enum qp_status status = qp_texture_create(
        plan->context, qp_gl_target(plan->target), layout->shape.format, layout->storage_x,
        layout->storage_y, plan->input_texels[input], &own_of(plan)->input[input]);
    free(plan->input_texels[input]); /* the texture has them now */
    plan->input_texels[input] = NULL;
    return status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_layout *x = &plan->input_layout[0];
    const struct qp_reducer_desc desc = {.climb = qp_reduce_climb(plan->variant->recipe),
                                         .reduction = qp_reduce_kind(plan->problem),
                                         .target = qp_gl_target(plan->target),
                                         .format = x->shape.format,
                                         .width = x->domain_x,
                                         .height = x->domain_y};
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_reduce), "a reduction's OpenGL side");
    enum qp_status status = plan->own != NULL ? QP_OK : QP_NO_MEMORY;
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = upload_input(plan, i);
    if (status == QP_OK)
        status = qp_reducer_create(plan->context, &desc, &own_of(plan)->reducer);
    return qp_end_upload(plan, status);
}

/* ---- Stages 4 to 6 ---- */

static void list_pyramid(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    const struct qp_layout *x = &plan->input_layout[0];
    const struct qp_region region = {.x = &own_of(plan)->input[0],
                                     .y = plan->inputs > 1 ? &own_of(plan)->input[1] : NULL,
                                     .left = x->origin_x,
                                     .bottom = x->origin_y,
                                     .width = x->domain_x,
                                     .height = x->domain_y};
    qp_reducer_list(&own_of(plan)->reducer, &region, to);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_pyramid, 0);
}

/* Fills all levels with NaN again, for a level that was not written must show. */
static enum qp_status empty_levels(struct qp_reducer *reducer)
{
    const struct qp_texture *largest = &reducer->texture[1];
    size_t count = (size_t)largest->width * (size_t)largest->height * 4;
    float *nobodys = qp_alloc_floats(count, "empty levels");
    enum qp_status status = nobodys != NULL ? QP_OK : QP_NO_MEMORY;
    for (size_t i = 0; i < count && nobodys != NULL; i++)
        nobodys[i] = NAN;
    for (int level = 1; level <= reducer->top && status == QP_OK; level++)
        status = qp_texture_upload(&reducer->texture[level], nobodys);
    free(nobodys);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    enum qp_status status = qp_warm_up(plan, pass, qp_finish_gl);
    return status == QP_OK ? empty_levels(&own_of(plan)->reducer) : status;
}

static void swap(struct qp_plan *plan)
{
    own_of(plan)->reduced = true;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    const struct qp_climb *climb = qp_reduce_climb(plan->variant->recipe);
    enum qp_reduction_kind reduction = qp_reduce_kind(plan->problem);
    const char *next = climb->next[reduction];
    const char *first =
        qp_climb_first(climb, reduction, plan->variant->recipe->input[0].shape.format);
    return k == 0 ? first : k == 1 && strcmp(first, next) != 0 ? next : NULL;
}

/* ---- Stage 7 ---- */

/* Reads the texel whose parts become the answer's cells; before the first pass, the start. */
static enum qp_status read_answer(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_layout *layout = &plan->layout;
    if (texels != plan->texels)
        memcpy(texels, plan->texels, qp_layout_bytes(layout));
    if (!own_of(plan)->reduced && (!target || own_of(plan)->reducer.top == 0))
        return QP_OK;
    double result[3];
    enum qp_status status = qp_reducer_read(&own_of(plan)->reducer, result);
    float *cell =
        (float *)texels + (size_t)layout->origin_y * (size_t)layout->storage_x + layout->origin_x;
    for (int i = 0; i < plan->problem->answer_width && status == QP_OK; i++)
        cell[i] = (float)result[i];
    return status;
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_reduce *reduce = plan->own;
    if (reduce == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    qp_reducer_destroy(&reduce->reducer);
    for (int i = 0; i < 2; i++)
        qp_texture_destroy(&reduce->input[i]);
}

static bool is(const char *name, const char *file)
{
    return name != NULL && strcmp(name, file) == 0;
}

static bool uses(const struct qp_variant *variant, const char *file)
{
    const struct qp_climb *climb = variant->recipe->own;
    bool found = false;
    for (int i = 0; i < QP_REDUCTIONS; i++)
        found = found || is(climb->first[0][i], file) || is(climb->first[1][i], file) ||
                is(climb->next[i], file);
    return found;
}

/* The pyramid is of the input's texels. */
static unsigned needs(const struct qp_recipe *recipe)
{
    return recipe->needs | qp_needs_to_render(recipe->input[0].shape.format);
}

const struct qp_engine qp_engine_reduce = {.upload = upload,
                                           .program = program,
                                           .pass = pass,
                                           .swap = swap,
                                           .finish = qp_finish_gl,
                                           .read = read_answer,
                                           .destroy = destroy,
                                           .shader = shader,
                                           .uses = uses,
                                           .needs = needs};

/* ---- Accuracy: the bounds are derived in reducer.h ---- */

/* Roundings of a term on its way through the pyramid, its product's included. */
static double roundings(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_shape shape = recipe->input[0].shape;
    struct qp_layout x = qp_layout_make(shape, problem->width, problem->height, 1);
    return qp_climb_depth(recipe->own, shape.format, x.domain_x, x.domain_y) + 1.0;
}

static double tree_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    return qp_reduce_tolerance(problem, roundings(recipe, problem));
}

static double compensated_tolerance(const struct qp_recipe *recipe,
                                    const struct qp_problem *problem)
{
    double rounded = roundings(recipe, problem) + 1.0;
    if (qp_reduce_is_exact(problem))
        return 0.0;
    return qp_reduce_of_answer(problem) + 2.0 * rounded * rounded * 0x1p-48 +
           qp_reduce_of_reference(problem);
}

#define CLIMBS(climb, bound)                                                     \
    .backend = QP_GL, .engine = &qp_engine_reduce, .state = {.format = QP_R32F}, \
    .own = &qp_climb_##climb, .tolerance = bound

enum { NO_MAXIMA = 1 << QP_MAX_MAGNITUDE | 1 << QP_INDEX };

const struct qp_recipe qp_reduce_gl[] = {
    {.name = "reduce/tree",
     .layout = "one value a texel",
     .place = "ours: reduction by passes",
     .sentence = "4 x 4 texels to one a pass: log4 n passes, every value goes through 2 log2 n "
                 "additions at most",
     .needs = QP_CAN_RGBA32F,
     CLIMBS(tree, tree_tolerance),
     .input = QP_REDUCE_TWO({.format = QP_R32F})},

    /* + half the fan, twice the passes. */
    {.name = "reduce/tree_2x2",
     .after = "reduce/tree",
     .layout = "one value a texel",
     .place = "ours: the fan swept",
     .sentence = "2 x 2 texels a pass, sums only: twice as many passes, a third of the values "
                 "written again",
     CLIMBS(tree_2x2, tree_tolerance),
     .input = QP_REDUCE_ONE({.format = QP_R32F}),
     .not_kinds = QP_REDUCE_ONLY_SUMS},

    /* + twice the fan. */
    {.name = "reduce/tree_8x8",
     .after = "reduce/tree",
     .layout = "one value a texel",
     .place = "ours: the fan swept",
     .sentence =
         "8 x 8 texels a pass, sums only: fewer passes, but few fragments with 64 fetches each",
     CLIMBS(tree_8x8, tree_tolerance),
     .input = QP_REDUCE_ONE({.format = QP_R32F}),
     .not_kinds = QP_REDUCE_ONLY_SUMS},

    /* + four values a fetch. */
    {.name = "reduce/tree_rgba",
     .after = "reduce/tree",
     .layout = "four neighbours a texel",
     .place = "ours: reduction by passes",
     .sentence = "four sums side by side that meet at the end: a quarter of the fragments",
     CLIMBS(tree, tree_tolerance),
     .input = QP_REDUCE_TWO({.format = QP_RGBA32F, .neighbours = 4})},

    /* The tree with compensated sums: each addition's rounding error is carried along. */
    {.name = "reduce/compensated",
     .after = "reduce/tree",
     .layout = "one value a texel",
     .place = "ours: after Knuth and Dekker",
     .sentence = "compensated sums carry the rounding errors of their additions: about as good as "
                 "float can hold the answer",
     .needs = QP_CAN_RGBA32F | QP_CAN_PRECISE,
     CLIMBS(compensated, compensated_tolerance),
     .input = QP_REDUCE_TWO({.format = QP_R32F}),
     .not_kinds = NO_MAXIMA},

    {0},
};
