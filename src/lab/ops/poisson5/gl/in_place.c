/* SPDX-License-Identifier: MIT */
/* Poisson in place: OpenGL variants that draw into the texture they read, with a texture barrier
 * before each draw.
 *
 * GL_ARB_texture_barrier (NV_texture_barrier, OpenGL 4.5) makes texels that draws before the
 * barrier have written visible to draws after it. Within one draw it allows a fragment to read its
 * own texel and write it once, and to read texels that nobody writes in that draw; any other read
 * gives an undefined value.
 *
 *     red_black   keeps to that: a draw writes the texels of one colour and reads those of the
 *                 other. Fragments of the other colour are discarded, for one that wrote its old
 *                 value back would be a write all the same.
 *     chaotic     does not: a fragment reads four texels that others write in the same draw. By the
 *                 letter their values are undefined. Devices store a texel of 32 bits as a whole,
 *                 so that a read finds the old or the new value. Which of them is a matter of who
 *                 came first: llvmpipe gives tiles of 64 x 64 texels to its threads, and computes a
 *                 tile's stamps of 4 x 4 texels one by one, all texels of a stamp from what was
 *                 there before it.
 *
 * The other texture of the pair is only drawn to for a residual, which is that of the iterate after
 * the latest step, for the one before is gone. */
#include <stdio.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

/* qp_engine_gl's own first: it makes, reads and destroys the textures. */
struct qp_plan_in_place {
    struct qp_plan_gl gl;
    int draws;                 /* draws of a step: one for each colour, or 1 */
    int steps;                 /* taken so far */
    struct qp_step step[2][2]; /* for all cells and for a colour; for weight 1 and for others */
};

static struct qp_plan_in_place *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

/* ---- Stages 5 and 6 ---- */

static const struct qp_uniform names[] = {{"x", QP_SAMPLER, 0},
                                          {"rhs", QP_SAMPLER, 0},
                                          {"weight", QP_FLOAT, 0},
                                          {"origin", QP_VECTOR, 0},
                                          {"spike", QP_VECTOR, 0},
                                          {"colour", QP_FLOAT, 0},
                                          {0}};

/* Lists a draw from the source into the source, or into the target: of a colour, or of all cells
 * with -1. */
static void add(struct qp_plan *plan, bool in_place, int colour, double weight,
                struct qp_passes *to)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_pingpong *pair = qp_plan_gl_pair(plan);
    int x, y;
    qp_poisson5_spike(plan->problem, &x, &y);
    const struct qp_step_value values[] = {
        {.texture = qp_pingpong_source(pair)},
        {.texture = plan->inputs > 0 ? qp_plan_gl_input(plan, 0) : NULL},
        {.x = weight},
        {.x = layout->origin_x, .y = layout->origin_y},
        {.x = x, .y = y},
        {.x = colour}};
    const struct qp_gl_pass pass = {
        .step = &own_of(plan)->step[colour >= 0][weight != 1.0],
        .values = values,
        .surface = in_place ? qp_passes_source(to, pair) : qp_passes_target(to, pair),
        .x = layout->origin_x,
        .y = layout->origin_y,
        .width = layout->domain_x,
        .height = layout->domain_y,
        .geometry = qp_quad(0.0f, 0.0f, (float)layout->domain_x, (float)layout->domain_y),
        .barrier = true};
    qp_passes_add(to, &pass);
}

static void list_colours(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    struct qp_plan_in_place *own = plan->own;
    const double weight = qp_problem_step_weight(plan->problem, own->steps++);
    for (int i = 0; i < own->draws; i++)
        add(plan, true, own->draws > 1 ? i : -1, weight, to);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_colours, 0);
}

/* Nothing to swap: the source is what was drawn. */
static void keep(struct qp_plan *plan)
{
    (void)plan;
}

/* Lists a step of Jacobi into the target, of the weight that the scale of changes is for. */
static void list_jacobi(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    add(plan, false, -1, plan->problem->weight, to);
}

static enum qp_status change(struct qp_plan *plan, double *norm)
{
    const enum qp_status status = qp_draw_listed(plan, list_jacobi, 0);
    return status == QP_OK ? qp_plan_gl_change(plan, norm) : status;
}

static enum qp_status change_lines(struct qp_plan *plan, double *sums)
{
    const enum qp_status status = qp_draw_listed(plan, list_jacobi, 0);
    return status == QP_OK ? qp_plan_gl_change_lines(plan, sums) : status;
}

/* ---- Stage 4 ---- */

static enum qp_status make_program(struct qp_plan *plan, bool coloured, bool weighted)
{
    char head[128];
    snprintf(head, sizeof head, "%s%s%s%s", plan->inputs > 0 ? "#define RHS\n" : "",
             qp_problem_kind(plan->problem) == QP_POISSON5_SPIKE ? "#define SPIKE\n" : "",
             weighted ? "#define WEIGHTED\n" : "", coloured ? "#define COLOURED\n" : "");
    const struct qp_program_source source = {
        .fragment = {.name = plan->variant->recipe->draw[0].fragment, .head = head},
        .target = qp_gl_target(plan->target)};
    return qp_step_make(plan->context, &source, names, &own_of(plan)->step[coloured][weighted]);
}

/* Lists draws of all programs into the target, for the source must stay as it is. */
static void list_all(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    const struct qp_plan_in_place *own = plan->own;
    for (int i = 0; i < 4; i++) {
        if (own->step[i / 2][i % 2].program != NULL)
            add(plan, false, i / 2 - 1, i % 2 ? 0.5 : 1.0, to);
    }
}

static enum qp_status draw_all(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_all, 0);
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_in_place *own = plan->own;
    enum qp_status status = QP_OK;
    own->draws = qp_recipe_draws(plan->variant->recipe);
    for (int i = 0; i < 4 && status == QP_OK; i++) {
        if (i / 2 == 0 || own->draws > 1)
            status = make_program(plan, i / 2, i % 2);
    }
    return status == QP_OK ? qp_plan_gl_warm_up(plan, draw_all) : status;
}

/* ---- Stages 3 and 7 ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_in_place), "a plan's OpenGL side");
    return plan->own != NULL ? qp_engine_gl.upload(plan) : QP_NO_MEMORY;
}

static enum qp_status read_texture(struct qp_plan *plan, bool target, void *texels)
{
    (void)target;
    return qp_plan_gl_read(plan, false, texels);
}

static const struct qp_engine_rows rows = {QP_PLAN_GL_ROWS, .change = change_lines};

const struct qp_engine qp_engine_poisson5_in_place = {.upload = upload,
                                                      .program = program,
                                                      .pass = pass,
                                                      .swap = keep,
                                                      .finish = qp_finish_gl,
                                                      .change = change,
                                                      .rows = &rows,
                                                      .read = read_texture,
                                                      .destroy = qp_plan_gl_destroy};

#define STANDS_IN_PLACE(update_order)                                              \
    .engine = &qp_engine_poisson5_in_place,                                        \
    QP_POISSON5_HOLDS("rhs", {.format = QP_LUMINANCE32F, .pad_x = 1, .pad_y = 1}), \
    .own = &(const struct qp_poisson5_variant)                                     \
    {                                                                              \
        .order = update_order                                                      \
    }

const struct qp_recipe qp_poisson5_gl_in_place[] = {
    /* Two draws a step, one for each colour. */
    {.name = "poisson5/red_black",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours: Gauss-Seidel in two colours",
     .sentence = "one texture: red cells from black ones, then black from red",
     .needs = QP_CAN_PRECISE | QP_CAN_TEXTURE_BARRIER,
     STANDS_IN_PLACE(QP_POISSON5_RED_BLACK),
     .draw = {{.fragment = "poisson5/in_place.frag"}, {.fragment = "poisson5/in_place.frag"}}},

    /* A draw is a step. Its judge needs f >= 0 and a start of 0. */
    {.name = "poisson5/chaotic",
     .backend = QP_GL,
     .layout = "one value a texel, in place",
     .place = "ours: after Chazan and Miranker",
     .sentence = "one texture, one draw: a cell takes what its neighbours hold by then",
     .needs = QP_CAN_PRECISE | QP_CAN_TEXTURE_BARRIER,
     STANDS_IN_PLACE(QP_POISSON5_CHAOTIC),
     .draw = {{.fragment = "poisson5/in_place.frag"}},
     .not_kinds = 1u << QP_POISSON5_FIELD},

    {0},
};
