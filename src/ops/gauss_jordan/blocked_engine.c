/* SPDX-License-Identifier: MIT */
#include "ops/gauss_jordan/blocked.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/watch.h"
#include "base/whole.h"
#include "engines/common.h"
#include "gl/queue.h"
#include "ops/gauss_jordan/blocked_engine.h"
#include "ops/gauss_jordan/gauss_jordan.h"

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

static const struct qp_uniform names[QP_BLOCKED_NAMES + 1] = {{"source", QP_IMAGE_LAYERS, 0},
                                                              {"panel", QP_IMAGE_LAYERS, 0},
                                                              {"list", QP_IMAGE_LAYERS, 0},
                                                              {"factors", QP_IMAGE, 0},
                                                              {"map", QP_IMAGE, 0},
                                                              {"half_way", QP_IMAGE, 0},
                                                              {"x", QP_IMAGE_LAYERS, 0},
                                                              {"k", QP_INT, 0},
                                                              {"j", QP_INT, 0},
                                                              {"known", QP_INT, 0},
                                                              {"columns", QP_INT, 0},
                                                              {"n", QP_INT, 0},
                                                              {"unknowns", QP_INT, 0},
                                                              {"sides", QP_INT, 0}};

static bool is_padded(const struct qp_plan *plan)
{
    return qp_blocked_own(plan)->unknowns != qp_gauss_jordan_unknowns(plan->problem);
}

/* The first texel column of the answer with an element of x. */
static int first_side(const struct qp_plan *plan)
{
    return qp_gauss_jordan_unknowns(plan->problem) / QP_BLOCKED_FOUR;
}

/* ---- Rooms 5 and 6 ---- */

static int number(const struct qp_plan *plan, enum qp_blocked_name name)
{
    return (int)qp_blocked_own(plan)->value[name].x;
}

/* Draws a rectangle split into parts that an interrupt need not wait for long: a fragment reads a whole block, and
 * nothing that this draw writes. */
static void draw(struct qp_plan *plan, enum qp_blocked_step step,
                 const struct qp_render_texture *into, int x0, int y0, int x1, int y1)
{
    struct qp_gl_pass pass = qp_render_texture_pass(into);
    const double line = (double)(x1 - x0) * into->texture.layers,
                 most = fmax(1.0, floor(qp_queue_most_texels(plan->context) / line));
    if (x0 >= x1)
        return;       /* empty: right of the last block */
    while (y0 < y1) { /* empty below the last block, or above the first */
        const int end = y1 - y0 > most ? y0 + (int)most : y1;
        pass.geometry = qp_quad((float)x0, (float)y0, (float)x1, (float)end);
        qp_step_run(plan->context, &qp_blocked_own(plan)->step[step], qp_blocked_own(plan)->value,
                    pass);
        y0 = end;
    }
}

/* Swaps source and target of the working matrix. */
static void swap_work(struct qp_plan_blocked *own)
{
    own->value[QP_BLOCKED_IN_SOURCE].texture = &own->work[own->target].texture;
    own->target = 1 - own->target;
}

/* Copies the columns from k on to the panel. */
static void take_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked *own = plan->own;
    own->value[QP_BLOCKED_K].x = k;
    own->value[QP_BLOCKED_COLUMNS].x =
        qp_least(qp_blocked_sizes(plan)->columns, own->unknowns - k) / QP_BLOCKED_FOUR;
}

/* Four lists of candidates, one for each of the four columns to search next. */
static void list_candidates(struct qp_plan *plan, int rows)
{
    struct qp_plan_blocked *own = plan->own;
    for (int known = 0; known < QP_BLOCKED_FOUR; known++) {
        const struct qp_render_texture *into = &own->list[known % 2];
        own->value[QP_BLOCKED_KNOWN].x = known;
        draw(plan, QP_BLOCKED_CANDIDATES, into, 0, 0, qp_blocked_candidates(plan, rows), 1);
        own->value[QP_BLOCKED_IN_LIST].texture = &into->texture;
    }
    own->value[QP_BLOCKED_KNOWN].x = QP_BLOCKED_FOUR;
}

/* Finds the pivots of the panel's j-th four columns, and updates its other columns. */
static void find_pivots(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    const int columns = number(plan, QP_BLOCKED_COLUMNS), k = number(plan, QP_BLOCKED_K),
              n = own->unknowns;
    const bool lists = qp_blocked_lists(plan, n - k);
    draw(plan, QP_BLOCKED_PANEL, &own->panel[0], 0, k / QP_BLOCKED_FOUR, QP_BLOCKED_FIRST + columns,
         n / QP_BLOCKED_FOUR);
    own->value[QP_BLOCKED_IN_PANEL].texture = &own->panel[0].texture;
    for (int j = 0; j < columns; j++) {
        const struct qp_render_texture *into = &own->panel[1 - j % 2];
        own->value[QP_BLOCKED_J].x = j;
        if (lists)
            list_candidates(plan, n - k);
        draw(plan, lists ? QP_BLOCKED_LISTED : QP_BLOCKED_PIVOTS, into, 0, k / QP_BLOCKED_FOUR,
             QP_BLOCKED_FIRST + columns, n / QP_BLOCKED_FOUR + 1);
        own->value[QP_BLOCKED_IN_PANEL].texture = &into->texture;
    }
    draw(plan, QP_BLOCKED_EXCHANGE, &own->map, k / QP_BLOCKED_FOUR, 0, n / QP_BLOCKED_FOUR,
         QP_BLOCKED_MAP_ROWS);
}

static void eliminate_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked *own = plan->own;
    take_block(plan, k);
    const int columns = number(plan, QP_BLOCKED_COLUMNS), n = own->unknowns,
              end = k + QP_BLOCKED_FOUR * columns;
    const int left = k / QP_BLOCKED_FOUR, right = left + columns, sheets = plan->layout.sheets;
    find_pivots(plan);
    draw(plan, QP_BLOCKED_FACTORED, &own->factors, left, k, own->width, end);
    if (end == n)
        return;
    draw(plan, QP_BLOCKED_PRODUCT, &own->work[own->target], right, end / sheets, own->width,
         qp_groups_in(n, sheets));
    swap_work(own);
}

static void substitute_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked *own = plan->own;
    take_block(plan, k);
    const int n = own->unknowns, end = k + QP_BLOCKED_FOUR * number(plan, QP_BLOCKED_COLUMNS);
    const int sheets = plan->layout.sheets;
    draw(plan, QP_BLOCKED_LOWER, &own->half_way, 0, k, own->sides, end);
    draw(plan, QP_BLOCKED_UPPER, &own->x, 0, k / sheets, own->sides, qp_groups_in(end, sheets));
    draw(plan, QP_BLOCKED_BACK, &own->work[own->target], n / QP_BLOCKED_FOUR, 0, own->width,
         k / sheets);
    swap_work(own);
}

/* Runs the whole elimination; with `ends` the draws of the first and the last block alone, to compile and
 * warm up. */
static void run(struct qp_plan *plan, bool ends)
{
    struct qp_plan_blocked *own = plan->own;
    const int n = own->unknowns, sheets = plan->layout.sheets, width = own->width;
    const int columns = qp_blocked_sizes(plan)->columns, last = (n - 1) / columns * columns;
    const int step = ends && last > 0 ? last : columns;
    own->target = 0;
    own->value[QP_BLOCKED_IN_SOURCE].texture = &own->start.texture;
    if (is_padded(plan)) {
        draw(plan, QP_BLOCKED_PAD, &own->work[own->target], 0, 0, width, qp_groups_in(n, sheets));
        swap_work(own);
    }
    for (int k = 0; k <= last; k += step) {
        const double left = (double)(n - k) / n; /* of rows, columns and blocks to come */
        if (qp_watch_leaves(1.0 - left * left * left))
            return;
        eliminate_block(plan, k);
    }
    draw(plan, QP_BLOCKED_SIDES, &own->work[own->target], n / QP_BLOCKED_FOUR, 0, width,
         qp_groups_in(n, sheets));
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
    qp_blocked_own(plan)->done = false;
    run(plan, false);
    return qp_watch_left() ? qp_watch_fail() : QP_OK;
}

static void swap(struct qp_plan *plan)
{
    qp_blocked_own(plan)->done = true;
}

/* ---- Room 4 ---- */

/* The number of layers is part of the program, so that loops over them unroll, and so are those of
 * a block's columns and of a group's rows, which are arrays there. */
static enum qp_status make_step(struct qp_plan *plan, enum qp_blocked_step step)
{
    char sizes[96];
    snprintf(sizes, sizeof sizes, "#define SHEETS %d\n#define COLUMNS %d\n#define GROUP %d\n",
             plan->layout.sheets, qp_blocked_sizes(plan)->columns, qp_blocked_sizes(plan)->group);
    const struct qp_program_source source = {
        .vertex = {.name = vertices[step], .head = vertices[step] != NULL ? sizes : NULL},
        .fragment = {.name = fragments[step], .head = sizes},
        .target = qp_gl_target(plan->target)};
    return qp_step_make(plan->context, &source, names, &qp_blocked_own(plan)->step[step]);
}

/* Number of steps that are drawn. */
static int steps(const struct qp_plan *plan)
{
    return qp_blocked_lists(plan, qp_blocked_own(plan)->unknowns) ? QP_BLOCKED_STEPS
                                                                  : QP_BLOCKED_CANDIDATES;
}

static enum qp_status run_ends(struct qp_plan *plan)
{
    run(plan, true);
    return QP_OK;
}

/* Two blocks, and then all is as it was, but for the identity left of the answer, which is the same after every
 * pass. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    enum qp_status status = qp_warm_up(plan, run_ends, qp_finish_gl);
    qp_blocked_poison(own);
    if (status == QP_OK)
        status = qp_texture_upload(&own->answer.texture, plan->empty);
    draw(plan, QP_BLOCKED_ANSWER, &own->answer, 0, 0, first_side(plan), plan->layout.domain_y);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    enum qp_status status = QP_OK;
    for (int step = 0; step < steps(plan) && status == QP_OK; step++)
        status = make_step(plan, (enum qp_blocked_step)step);
    /* the first pass writes to the other one */
    own->value[QP_BLOCKED_IN_LIST].texture = &own->list[1].texture;
    own->value[QP_BLOCKED_IN_FACTORS].texture = &own->factors.texture;
    own->value[QP_BLOCKED_IN_MAP].texture = &own->map.texture;
    own->value[QP_BLOCKED_IN_HALF_WAY].texture = &own->half_way.texture;
    own->value[QP_BLOCKED_IN_X].texture = &own->x.texture;
    own->value[QP_BLOCKED_N].x = own->unknowns;
    own->value[QP_BLOCKED_UNKNOWNS].x = qp_gauss_jordan_unknowns(plan->problem);
    own->value[QP_BLOCKED_RIGHT_SIDES].x = qp_gauss_jordan_sides(plan->problem);
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

static bool uses(const struct qp_variant *variant, const char *file)
{
    (void)variant;
    return strncmp(file, "gauss_jordan/blocked_", 21) == 0;
}

const struct qp_engine qp_engine_blocked = {.upload = qp_blocked_upload,
                                            .program = program,
                                            .pass = pass,
                                            .swap = swap,
                                            .finish = qp_finish_gl,
                                            .read = qp_blocked_read,
                                            .destroy = qp_blocked_destroy,
                                            .shader = shader,
                                            .uses = uses};
