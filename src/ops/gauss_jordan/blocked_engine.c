/* SPDX-License-Identifier: MIT */
#include "ops/gauss_jordan/blocked.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/watch.h"
#include "gl/pass.h"
#include "gl/queue.h"
#include "ops/gauss_jordan/blocked_engine.h"
#include "ops/gauss_jordan/gauss_jordan.h"
#include "plan/problem.h"

static const char *const fragments[QP_BLOCKED_STEPS] = {
    "gauss_jordan/blocked_pad.frag",     "gauss_jordan/blocked_panel.frag",
    "gauss_jordan/blocked_pivots.frag",  "gauss_jordan/blocked_exchange.frag",
    "gauss_jordan/blocked_factors.frag", "gauss_jordan/blocked_product.frag",
    "gauss_jordan/blocked_sides.frag",   "gauss_jordan/blocked_lower.frag",
    "gauss_jordan/blocked_upper.frag",   "gauss_jordan/blocked_back.frag",
    "gauss_jordan/blocked_answer.frag",  "gauss_jordan/blocked_candidates.frag",
    "gauss_jordan/blocked_pivots.frag"};
static const char *const vertices[QP_BLOCKED_STEPS] = {
    [QP_BLOCKED_PIVOTS] = "gauss_jordan/blocked_pivots.vert",
    [QP_BLOCKED_CANDIDATES] = "gauss_jordan/blocked_listed.vert",
    [QP_BLOCKED_LISTED] = "gauss_jordan/blocked_listed.vert"};

/* What shaders read, and their other uniforms, whole numbers. */
static const struct {
    const char *name;
    enum qp_uniform_type type;
} inputs[QP_BLOCKED_INPUTS] = {{"source", QP_IMAGE_LAYERS}, {"panel", QP_IMAGE_LAYERS},
                               {"list", QP_IMAGE_LAYERS},   {"factors", QP_IMAGE},
                               {"map", QP_IMAGE},           {"half_way", QP_IMAGE},
                               {"x", QP_IMAGE_LAYERS}};
static const char *const number_names[QP_BLOCKED_NUMBERS] = {"k", "j",        "known", "columns",
                                                             "n", "unknowns", "sides"};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool is_padded(const struct qp_plan *plan)
{
    return qp_blocked_unknowns(plan) != qp_gauss_jordan_unknowns(plan->problem);
}

/* The first texel column of the answer with an element of x. */
static int first_side(const struct qp_plan *plan)
{
    return qp_gauss_jordan_unknowns(plan->problem) / QP_BLOCKED_FOUR;
}

/* ---- Rooms 5 and 6 ---- */

static void set_inputs(const struct qp_plan_blocked *own, const struct qp_blocked_program *program,
                       struct qp_pass *pass)
{
    for (int i = 0; i < QP_BLOCKED_INPUTS; i++) {
        if (program->input[i] < 0)
            continue;
        qp_uniform_sampler(program->input[i], pass->textures);
        pass->texture[pass->textures++] = own->input[i];
    }
    pass->images = pass->textures;
    for (int i = 0; i < QP_BLOCKED_NUMBERS; i++)
        qp_uniform_int(program->number[i], own->number[i]);
}

/* Corners in texels within the guards. */
static void draw_part(struct qp_plan *plan, enum qp_blocked_step step,
                      const struct qp_blocked_canvas *into, int x0, int y0, int x1, int y1)
{
    const struct qp_plan_blocked *own = plan->blocked;
    const struct qp_blocked_program *program = &own->program[step];
    struct qp_pass pass = {
        .program = program->program,
        .surface = {into->drawn.framebuffer_id, GL_COLOR_ATTACHMENT0},
        .targets = into->drawn.texture.layers,
        .x = into->guard,
        .y = into->guard,
        .width = into->drawn.texture.width - 2 * into->guard,
        .height = into->drawn.texture.height - 2 * into->guard,
        .geometry = qp_quad((float)x0, (float)y0, (float)x1, (float)y1),
    };
    qp_program_use(program->program);
    set_inputs(own, program, &pass);
    qp_pass_draw(plan->context, &pass);
}

/* In as many parts as nobody has to wait for long: a fragment reads a whole block, and nothing that this draw
 * writes. */
static void draw(struct qp_plan *plan, enum qp_blocked_step step,
                 const struct qp_blocked_canvas *into, int x0, int y0, int x1, int y1)
{
    const double line = (double)(x1 - x0) * into->drawn.texture.layers,
                 most = fmax(1.0, floor(qp_queue_most_texels(plan->context) / line));
    if (x0 >= x1)
        return;       /* nothing right of the last block */
    while (y0 < y1) { /* nothing below it, or above the first */
        const int end = y1 - y0 > most ? y0 + (int)most : y1;
        draw_part(plan, step, into, x0, y0, x1, end);
        y0 = end;
    }
}

/* What was drawn becomes what is read. */
static void swap_work(struct qp_plan_blocked *own)
{
    own->input[QP_BLOCKED_IN_SOURCE] = &own->work[own->target].drawn.texture;
    own->target = 1 - own->target;
}

/* Columns k and on become the block. */
static void take_block(struct qp_plan *plan, int k)
{
    int *number = plan->blocked->number;
    number[QP_BLOCKED_K] = k;
    number[QP_BLOCKED_COLUMNS] =
        least(qp_blocked_columns(plan), number[QP_BLOCKED_N] - k) / QP_BLOCKED_FOUR;
}

/* Four lists of candidates, one for each of the four columns to search next. */
static void list_candidates(struct qp_plan *plan, int rows)
{
    struct qp_plan_blocked *own = plan->blocked;
    for (int known = 0; known < QP_BLOCKED_FOUR; known++) {
        const struct qp_blocked_canvas *into = &own->list[known % 2];
        own->number[QP_BLOCKED_KNOWN] = known;
        draw(plan, QP_BLOCKED_CANDIDATES, into, 0, 0, qp_blocked_candidates(plan, rows), 1);
        own->input[QP_BLOCKED_IN_LIST] = &into->drawn.texture;
    }
    own->number[QP_BLOCKED_KNOWN] = QP_BLOCKED_FOUR;
}

/* The panel's four columns number j, and all its others with them. */
static void find_pivots(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->blocked;
    const int columns = own->number[QP_BLOCKED_COLUMNS], k = own->number[QP_BLOCKED_K],
              n = own->number[QP_BLOCKED_N];
    const bool lists = qp_blocked_lists(plan, n - k);
    draw(plan, QP_BLOCKED_PANEL, &own->panel[0], 0, k / QP_BLOCKED_FOUR, QP_BLOCKED_FIRST + columns,
         n / QP_BLOCKED_FOUR);
    own->input[QP_BLOCKED_IN_PANEL] = &own->panel[0].drawn.texture;
    for (int j = 0; j < columns; j++) {
        const struct qp_blocked_canvas *into = &own->panel[1 - j % 2];
        own->number[QP_BLOCKED_J] = j;
        if (lists)
            list_candidates(plan, n - k);
        draw(plan, lists ? QP_BLOCKED_LISTED : QP_BLOCKED_PIVOTS, into, 0, k / QP_BLOCKED_FOUR,
             QP_BLOCKED_FIRST + columns, n / QP_BLOCKED_FOUR + 1);
        own->input[QP_BLOCKED_IN_PANEL] = &into->drawn.texture;
    }
    draw(plan, QP_BLOCKED_EXCHANGE, &own->map, k / QP_BLOCKED_FOUR, 0, n / QP_BLOCKED_FOUR,
         QP_BLOCKED_MAP_ROWS);
}

static void eliminate_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked *own = plan->blocked;
    take_block(plan, k);
    const int columns = own->number[QP_BLOCKED_COLUMNS], n = own->number[QP_BLOCKED_N],
              end = k + QP_BLOCKED_FOUR * columns;
    const int left = k / QP_BLOCKED_FOUR, right = left + columns, sheets = plan->layout.sheets;
    find_pivots(plan);
    draw(plan, QP_BLOCKED_FACTORED, &own->factors, left, k, qp_blocked_width(plan), end);
    if (end == n)
        return;
    draw(plan, QP_BLOCKED_PRODUCT, &own->work[own->target], right, end / sheets,
         qp_blocked_width(plan), qp_blocked_groups(n, sheets));
    swap_work(own);
}

static void substitute_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked *own = plan->blocked;
    take_block(plan, k);
    const int n = own->number[QP_BLOCKED_N],
              end = k + QP_BLOCKED_FOUR * own->number[QP_BLOCKED_COLUMNS];
    const int sheets = plan->layout.sheets;
    draw(plan, QP_BLOCKED_LOWER, &own->half_way, 0, k, qp_blocked_sides(plan), end);
    draw(plan, QP_BLOCKED_UPPER, &own->x, 0, k / sheets, qp_blocked_sides(plan),
         qp_blocked_groups(end, sheets));
    draw(plan, QP_BLOCKED_BACK, &own->work[own->target], n / QP_BLOCKED_FOUR, 0,
         qp_blocked_width(plan), k / sheets);
    swap_work(own);
}

/* All from the start; or what is drawn for the first and the last block alone, which says nothing
 * but how long it takes. */
static void run(struct qp_plan *plan, bool ends)
{
    struct qp_plan_blocked *own = plan->blocked;
    const int n = own->number[QP_BLOCKED_N], sheets = plan->layout.sheets,
              width = qp_blocked_width(plan);
    const int columns = qp_blocked_columns(plan), last = (n - 1) / columns * columns;
    const int step = ends && last > 0 ? last : columns;
    own->target = 0;
    own->input[QP_BLOCKED_IN_SOURCE] = &own->start.drawn.texture;
    if (is_padded(plan)) {
        draw(plan, QP_BLOCKED_PAD, &own->work[own->target], 0, 0, width,
             qp_blocked_groups(n, sheets));
        swap_work(own);
    }
    for (int k = 0; k <= last; k += step) {
        const double left = (double)(n - k) / n; /* of rows, columns and blocks to come */
        if (qp_watch_leaves(1.0 - left * left * left))
            return;
        eliminate_block(plan, k);
    }
    draw(plan, QP_BLOCKED_SIDES, &own->work[own->target], n / QP_BLOCKED_FOUR, 0, width,
         qp_blocked_groups(n, sheets));
    swap_work(own);
    for (int k = last; k >= 0; k -= step) {
        if (qp_watch_leaves(1.0))
            return;
        substitute_block(plan, k);
    }
    draw(plan, QP_BLOCKED_ANSWER, &own->answer, first_side(plan), 0, plan->layout.domain_x,
         plan->layout.domain_y);
}

static enum qp_status pass(struct qp_plan *plan)
{
    plan->blocked->done = false;
    run(plan, false);
    return qp_watch_left() ? qp_watch_fail() : QP_OK;
}

static void swap(struct qp_plan *plan)
{
    plan->blocked->done = true;
}

static enum qp_status finish(struct qp_plan *plan)
{
    qp_queue_finish(plan->context);
    return qp_gl_check(plan->context, "rooms 5 and 6, pass and swap");
}

/* ---- Room 4 ---- */

/* The number of layers is part of the program, so that loops over them unroll, and so are those of
 * a block's columns and of a group's rows, which are arrays there. */
static enum qp_status find_program(struct qp_plan *plan, enum qp_blocked_step step,
                                   struct qp_blocked_program *out)
{
    char sizes[96];
    snprintf(sizes, sizeof sizes, "#define SHEETS %d\n#define COLUMNS %d\n#define GROUP %d\n",
             plan->layout.sheets, qp_blocked_columns(plan), plan->variant->recipe->blocked->group);
    const struct qp_source vertex = {.name = vertices[step],
                                     .head = vertices[step] != NULL ? sizes : NULL};
    const struct qp_source fragment = {.name = fragments[step], .head = sizes};
    struct qp_uniform uniforms[QP_BLOCKED_INPUTS + QP_BLOCKED_NUMBERS + 1] = {{0}};
    for (int i = 0; i < QP_BLOCKED_INPUTS; i++)
        uniforms[i] = (struct qp_uniform){inputs[i].name, inputs[i].type, &out->input[i], 0};
    for (int i = 0; i < QP_BLOCKED_NUMBERS; i++)
        uniforms[QP_BLOCKED_INPUTS + i] =
            (struct qp_uniform){number_names[i], QP_INT, &out->number[i], 0};
    return qp_program_make(plan->context, &vertex, &fragment, qp_gl_target(plan->target), uniforms,
                           &out->program);
}

/* So many of the steps are drawn. */
static int steps(const struct qp_plan *plan)
{
    return qp_blocked_lists(plan, qp_blocked_unknowns(plan)) ? QP_BLOCKED_STEPS
                                                             : QP_BLOCKED_CANDIDATES;
}

/* Drivers finish compiling at the first draw: two blocks, or for as long as the plan says, and then
 * all is as it was, but for the identity left of the answer, which is the same after every pass. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->blocked;
    const double begin = qp_clock();
    do {
        run(plan, true);
        qp_queue_finish(plan->context);
    } while (qp_clock() - begin < plan->warm_seconds);
    qp_blocked_poison(own);
    enum qp_status status = qp_texture_upload(&own->answer.drawn.texture, plan->empty);
    draw(plan, QP_BLOCKED_ANSWER, &own->answer, 0, 0, first_side(plan), plan->layout.domain_y);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->blocked;
    enum qp_status status = QP_OK;
    for (int step = 0; step < steps(plan) && status == QP_OK; step++)
        status = find_program(plan, (enum qp_blocked_step)step, &own->program[step]);
    /* the first pass writes to the other one */
    own->input[QP_BLOCKED_IN_LIST] = &own->list[1].drawn.texture;
    own->input[QP_BLOCKED_IN_FACTORS] = &own->factors.drawn.texture;
    own->input[QP_BLOCKED_IN_MAP] = &own->map.drawn.texture;
    own->input[QP_BLOCKED_IN_HALF_WAY] = &own->half_way.drawn.texture;
    own->input[QP_BLOCKED_IN_X] = &own->x.drawn.texture;
    own->number[QP_BLOCKED_N] = qp_blocked_unknowns(plan);
    own->number[QP_BLOCKED_UNKNOWNS] = qp_gauss_jordan_unknowns(plan->problem);
    own->number[QP_BLOCKED_RIGHT_SIDES] = qp_gauss_jordan_sides(plan->problem);
    return status == QP_OK ? warm_up(plan) : status;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    const int count = steps(plan);
    if (k < count)
        return fragments[k];
    return k == count                  ? vertices[QP_BLOCKED_PIVOTS]
           : k == QP_BLOCKED_STEPS + 1 ? vertices[QP_BLOCKED_LISTED]
                                       : NULL;
}

const struct qp_engine qp_engine_blocked = {.upload = qp_blocked_upload,
                                            .program = program,
                                            .pass = pass,
                                            .swap = swap,
                                            .finish = finish,
                                            .read = qp_blocked_read,
                                            .destroy = qp_blocked_destroy,
                                            .shader = shader};
