/* SPDX-License-Identifier: MIT */
/* Chapter V of paper 5 in compute shaders (shaders/poisson5/async.comp): a pass is a dispatch of
 * blocks of 64 x `block` unknowns, which takes alpha + 1 steps. Blocks that race write into the
 * texture that they read, so it is an image too. */
#include <stdio.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/async_variants.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

enum { USUAL_UP = 8 /* TunedSync's, which takes no --block */ };

/* qp_engine_gl's own first: it makes, reads and destroys the textures. */
struct qp_plan_async {
    struct qp_plan_gl gl;
    struct qp_step step;
    int up, steps; /* unknowns of a block, one above the other; passes so far */
};

/* ---- Stages 5 and 6 ---- */

static const struct qp_uniform names[] = {
    {"target", QP_IMAGE, 0}, {"x", QP_IMAGE, 0},      {"rhs", QP_SAMPLER, 0},
    {"weight", QP_FLOAT, 0}, {"alpha", QP_INT, 0},    {"origin", QP_VECTOR, 0},
    {"cells", QP_VECTOR, 0}, {"spike", QP_VECTOR, 0}, {0}};

static void list_blocks(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    struct qp_plan_async *own = plan->own;
    const struct qp_problem *problem = plan->problem;
    struct qp_pingpong *pair = qp_plan_gl_pair(plan);
    int x, y;
    qp_poisson5_spike(problem, &x, &y);
    const struct qp_step_value values[] = {
        {.texture = qp_pingpong_target(pair)},
        {.texture = qp_pingpong_source(pair)},
        {.texture = plan->inputs > 0 ? qp_plan_gl_input(plan, 0) : NULL},
        {.x = qp_problem_step_weight(problem, own->steps++)},
        {.x = problem->alpha},
        {.x = plan->layout.origin_x, .y = plan->layout.origin_y},
        {.x = problem->width, .y = problem->height},
        {.x = x, .y = y}};
    const struct qp_gl_pass blocks = {.step = &own->step,
                                      .values = values,
                                      .width = problem->width,
                                      .height = qp_groups_in(problem->height, own->up),
                                      .barrier = true};
    qp_passes_add(to, &blocks);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_blocks, 0);
}

/* ---- Stage 4 ---- */

static enum qp_status make_program(struct qp_plan *plan)
{
    struct qp_plan_async *own = plan->own;
    const struct qp_recipe *recipe = plan->variant->recipe;
    char head[128];
    own->up = plan->block > 0 ? plan->block : USUAL_UP;
    snprintf(head, sizeof head, "#define FIGURE %d\n#define UP %d\n%s%s",
             qp_poisson5_variant(recipe)->figure, own->up, plan->inputs > 0 ? "#define RHS\n" : "",
             qp_problem_kind(plan->problem) == QP_POISSON5_SPIKE ? "#define SPIKE\n" : "");
    const struct qp_program_source source = {
        .compute = {.name = recipe->draw[0].compute, .head = head},
        .group = {QP_ASYNC_ACROSS, 1},
        .target = qp_gl_target(plan->target)};
    return qp_step_make(plan->context, &source, names, &own->step);
}

/* The source is written again too, since blocks that race have left values of theirs there. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_plan_async *own = plan->own;
    enum qp_status status = qp_plan_gl_warm_up(plan, pass);
    own->steps = 0;
    if (status == QP_OK)
        status = qp_pingpong_write(&own->gl.pair, false, plan->texels);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    if (plan->group_x > 0 && (plan->group_x != QP_ASYNC_ACROSS || plan->group_y != 1))
        return qp_fail(QP_UNSUPPORTED,
                       "takes work groups of %d x 1, a column of its block an invocation, and none "
                       "of %d x %d",
                       QP_ASYNC_ACROSS, plan->group_x, plan->group_y);
    plan->group_x = QP_ASYNC_ACROSS;
    plan->group_y = 1;
    enum qp_status status = make_program(plan);
    return status == QP_OK ? warm_up(plan) : status;
}

/* ---- Stage 3 ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_async), "a plan's OpenGL side");
    return plan->own != NULL ? qp_engine_gl.upload(plan) : QP_NO_MEMORY;
}

static struct qp_launch_blocks blocks_of(const struct qp_plan *plan)
{
    const struct qp_plan_async *own = plan->own;
    return (struct qp_launch_blocks){.m = qp_poisson5_components(plan->problem, own->up),
                                     .threads = QP_ASYNC_ACROSS};
}

static const struct qp_engine engine = {QP_PLAN_GL_MEMBERS, .upload = upload, .program = program,
                                        .pass = pass, .blocks = blocks_of};

/* Tolerance of a variant with its model's bits, but where a driver takes values below 2^-126 for 0:
 * a step rounds h^2 f, four sums and a product. */
static double flushed(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    (void)recipe;
    return 6.0 * 0x1p-126 * qp_poisson5_grown(problem, problem->reference_iterations) /
           problem->reference_scale;
}

#define STANDS(thesis_figure, update_order)                                                   \
    .engine = &engine, QP_POISSON5_HOLDS("rhs", {.format = QP_R32F, .pad_x = 1, .pad_y = 1}), \
    .draw = {{.compute = "poisson5/async.comp", .loads_x = true}},                            \
    .own = &(const struct qp_poisson5_variant)                                                \
    {                                                                                         \
        .order = update_order, .figure = thesis_figure                                        \
    }

/* Alpha rules are those of other backends, but for the largest: a loop of llvmpipe's ends after
 * 65535 rounds, those over a block's rows counted in. */
#define ASYNC(number)                              \
    STANDS(17 + number, QP_ASYNC_ORDER_##number),  \
        .tolerance = number == 2 ? flushed : NULL, \
        QP_ASYNC_LAUNCH(qp_async_heights, 1022, QP_ASYNC_RULE_##number)

const struct qp_recipe qp_poisson5_gl_async[] = {
    /* Takes a step a dispatch, of 64 x 8 blocks. */
    {.name = "poisson5/compute_tuned_sync",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 5, 5.2: TunedSync",
     .sentence = "a step a dispatch, blocks of 64 x 8 cells with their fringes in shared memory",
     .needs = QP_CAN_PRECISE,
     STANDS(0, QP_POISSON5_TOGETHER)},

    {.name = "poisson5/compute_async0",
     .after = "poisson5/compute_tuned_sync",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 5, 5.3, figure 17: Async 0",
     .sentence =
         "alpha + 1 steps a dispatch in shared memory; fringes meet in x, an image, at each step",
     .needs = QP_CAN_PRECISE,
     ASYNC(0)},

    {.name = "poisson5/compute_async1",
     .after = "poisson5/compute_async0",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 5, 5.3, figure 18: Async 1",
     .sentence = "without 4 of the 6 barriers: what an invocation reads of a fringe is old or new",
     .needs = QP_CAN_PRECISE,
     ASYNC(1)},

    {.name = "poisson5/compute_async2",
     .after = "poisson5/compute_async1",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 5, 5.3, figure 19: Async 2",
     .sentence = "without an exchange of fringes: a dispatch takes blocks for themselves",
     .needs = QP_CAN_PRECISE,
     ASYNC(2)},

    {.name = "poisson5/compute_async3",
     .after = "poisson5/compute_async2",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "paper 5, 5.3, figure 20: Async 3",
     .sentence = "one block in shared memory, fringes exchanged, and no barrier at all",
     .needs = QP_CAN_PRECISE,
     ASYNC(3)},

    {0},
};
