/* SPDX-License-Identifier: MIT */
/* Elimination by blocks in fragment shaders. Of each block
 *
 *     panel      the block's columns are copied to a small array; then four of them a pass: the
 *                vertex shader finds four pivots, fragments eliminate; where rows are many, passes
 *                before it list candidates, the best of groups of rows; in the end which row
 *                is where, as LAPACK exchanges them
 *     lower      the pivots' rows, exchanged, and the block's part of the diagonal, which are kept
 *     product    L as the panel left it; rows are exchanged as they are fetched
 *
 * The matrix is stored four columns a texel, rows dealt out to the layers of one array texture,
 * each a render target: a shader can compute which layer it reads, and so fetch any row. Unknowns
 * are made a multiple of four with those of an identity. */
#include <math.h>
#include <stdio.h>

#include "lab/ops/gauss_jordan/blocked_engine.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/queue.h"

/* Rows of a panel in a texel row, and columns in a texel. */
enum { FOUR = 4 };

/* Texel columns of a panel before the block's own (blocked_panel.frag). */
enum { FIRST = 2 };

/* Layers of a list: candidates, and the pivots known (blocked_candidates.frag). */
enum { LIST_LAYERS = 2 };

/* Texel rows of the log, which is a map: where rows come from, then rows exchanged and pivots. */
enum { MAP_ROWS = 3 };

/* Steps that are drawn, in this order. */
enum step {
    PAD,
    PANEL,
    PIVOTS,
    EXCHANGE,
    FACTORED,
    PRODUCT,
    SIDES,
    LOWER,
    UPPER,
    BACK,
    ANSWER,
    CANDIDATES, /* these two in place of PIVOTS where rows are many */
    LISTED,
    STEPS
};

/* Names in shaders: the engine's numbers, then images, then whole numbers. */
enum name {
    IN_SOURCE = QP_BLOCKED_COMMON,
    IN_PANEL,
    IN_LIST,
    IN_FACTORS,
    IN_MAP,
    IN_HALF_WAY,
    IN_X,
    J,
    KNOWN,
    UNKNOWNS,
    RIGHT_SIDES,
    NAMES
};

static const char *const fragments[STEPS] = {
    "gauss_jordan/blocked_pad.frag",     "gauss_jordan/blocked_panel.frag",
    "gauss_jordan/blocked_pivots.frag",  "gauss_jordan/blocked_exchange.frag",
    "gauss_jordan/blocked_factors.frag", "gauss_jordan/blocked_product.frag",
    "gauss_jordan/blocked_sides.frag",   "gauss_jordan/blocked_lower.frag",
    "gauss_jordan/blocked_upper.frag",   "gauss_jordan/blocked_back.frag",
    "gauss_jordan/blocked_answer.frag",  "gauss_jordan/blocked_candidates.frag",
    "gauss_jordan/blocked_pivots.frag"};
static const char *const vertices[STEPS] = {[PIVOTS] = "gauss_jordan/blocked_pivots.vert",
                                            [CANDIDATES] = "gauss_jordan/blocked_listed.vert",
                                            [LISTED] = "gauss_jordan/blocked_listed.vert"};

static const struct qp_uniform names[NAMES + 1] = {{"k", QP_INT, 0},
                                                   {"columns", QP_INT, 0},
                                                   {"n", QP_INT, 0},
                                                   {"source", QP_IMAGE_LAYERS, 0},
                                                   {"panel", QP_IMAGE_LAYERS, 0},
                                                   {"list", QP_IMAGE_LAYERS, 0},
                                                   {"factors", QP_IMAGE, 0},
                                                   {"map", QP_IMAGE, 0},
                                                   {"half_way", QP_IMAGE, 0},
                                                   {"x", QP_IMAGE_LAYERS, 0},
                                                   {"j", QP_INT, 0},
                                                   {"known", QP_INT, 0},
                                                   {"unknowns", QP_INT, 0},
                                                   {"sides", QP_INT, 0}};

/* True if n rows are searched for pivots by lists of candidates. */
static bool lists(const struct qp_plan *plan, int n)
{
    return !qp_context_device(plan->context)->software && n >= qp_blocked_variant(plan)->many;
}

/* Number of candidates for n rows. */
static int candidates(const struct qp_plan *plan, int n)
{
    return qp_groups_in(n, qp_blocked_variant(plan)->group);
}

/* ---- Stage 3 ---- */

/* Texels of a row, padded to an odd number of cache lines: rows that begin a power of two apart
 * fall into the same few sets of a processor's caches, and a fragment reads a column of them. 1000
 * unknowns and a right-hand side would make rows of just 4096 bytes. */
static int odd_lines(const struct qp_plan *plan, int width)
{
    enum { LINE = 4 }; /* texels: 64 bytes */
    const int odd = LINE * (qp_groups_in(width, LINE) | 1);
    return odd <= qp_context_device(plan->context)->rectangle_limit ? odd : width;
}

/* Makes the textures. The factors have a texel row for every unknown, so unknowns are below the
 * texture limit, and that is below the 65535 iterations at which llvmpipe ends the loops of a
 * shader; the search for four pivots takes an eighth as many iterations as there are unknowns. */
static enum qp_status make(struct qp_plan *plan)
{
    enum { CANVASES = QP_BLOCKED_TEXTURES - QP_BLOCKED_FILLED };
    struct qp_plan_blocked *own = plan->own;
    const int n = own->unknowns, sheets = plan->layout.sheets, high = qp_groups_in(n, sheets);
    const struct {
        struct qp_render_texture *out;
        int width, height, layers, guard;
    } all[CANVASES] = {
        {&own->factors, own->width, n, 0, QP_BLOCKED_GUARD},
        {&own->work[0], own->width, high, sheets, QP_BLOCKED_GUARD},
        {&own->work[1], own->width, high, sheets, QP_BLOCKED_GUARD},
        {&own->panel[0], FIRST + qp_blocked_columns(plan) / FOUR, n / FOUR + 1, FOUR, 0},
        {&own->panel[1], FIRST + qp_blocked_columns(plan) / FOUR, n / FOUR + 1, FOUR, 0},
        {&own->list[0], candidates(plan, n), 1, LIST_LAYERS, 0},
        {&own->list[1], candidates(plan, n), 1, LIST_LAYERS, 0},
        {&own->log, n / FOUR, MAP_ROWS, 0, 0},
        {&own->half_way, own->sides, n, 0, QP_BLOCKED_GUARD},
        {&own->x, own->sides, high, sheets, QP_BLOCKED_GUARD}};
    enum qp_status status = QP_OK;
    for (int i = 0; i < CANVASES && status == QP_OK; i++) {
        all[i].out->guard = all[i].guard;
        status = qp_render_texture_create(plan->context, qp_gl_target(plan->target), QP_RGBA32F,
                                          odd_lines(plan, all[i].width + 2 * all[i].guard),
                                          all[i].height + 2 * all[i].guard, all[i].layers, NULL,
                                          all[i].out);
    }
    return status;
}

/* The first texel column of the answer with an element of x. */
static int first_side(const struct qp_plan *plan)
{
    return qp_gauss_jordan_unknowns(plan->problem) / FOUR;
}

/* ---- Stages 5 and 6 ---- */

/* Lists a rectangle split into parts that an interrupt need not wait for long: a fragment reads a
 * whole block, and nothing that this draw writes. */
static void draw(struct qp_plan *plan, enum step step, const struct qp_render_texture *into, int x0,
                 int y0, int x1, int y1)
{
    struct qp_plan_blocked *own = plan->own;
    struct qp_gl_pass pass = qp_render_texture_pass(into);
    pass.step = &own->step[step];
    pass.values = own->value;
    const double line = (double)(x1 - x0) * into->texture.layers,
                 most = fmax(1.0, floor(qp_queue_most_texels(plan->context) / line));
    if (x0 >= x1)
        return;       /* empty: right of the last block */
    while (y0 < y1) { /* empty below the last block, or above the first */
        const int end = y1 - y0 > most ? y0 + (int)most : y1;
        pass.geometry = qp_quad((float)x0, (float)y0, (float)x1, (float)end);
        qp_passes_add(own->to, &pass);
        y0 = end;
    }
}

/* Draws these rows of the working matrix, from this texel column on, into the target, which is the
 * source then. */
static void draw_work(struct qp_plan *plan, enum step step, int x0, int y0, int y1)
{
    struct qp_plan_blocked *own = plan->own;
    const struct qp_render_texture *into = &own->work[own->target];
    draw(plan, step, into, x0, y0 / plan->layout.sheets, own->width,
         qp_groups_in(y1, plan->layout.sheets));
    own->value[IN_SOURCE].texture = &into->texture;
    own->target = 1 - own->target;
}

/* Four lists of candidates, one for each of the four columns to search next. */
static void list_candidates(struct qp_plan *plan, int rows)
{
    struct qp_plan_blocked *own = plan->own;
    for (int known = 0; known < FOUR; known++) {
        const struct qp_render_texture *into = &own->list[known % 2];
        own->value[KNOWN].x = known;
        draw(plan, CANDIDATES, into, 0, 0, candidates(plan, rows), 1);
        own->value[IN_LIST].texture = &into->texture;
    }
    own->value[KNOWN].x = FOUR;
}

/* Finds the pivots of four columns at a time, and updates the panel's other columns after each. */
static void panel(struct qp_plan *plan, struct qp_column_block block)
{
    struct qp_plan_blocked *own = plan->own;
    const int n = own->unknowns, fours = (block.end - block.k) / FOUR, rows = n - block.k;
    draw(plan, PANEL, &own->panel[0], 0, block.k / FOUR, FIRST + fours, n / FOUR);
    own->value[IN_PANEL].texture = &own->panel[0].texture;
    for (int j = 0; j < fours; j++) {
        const struct qp_render_texture *into = &own->panel[1 - j % 2];
        own->value[J].x = j;
        if (lists(plan, rows))
            list_candidates(plan, rows);
        draw(plan, lists(plan, rows) ? LISTED : PIVOTS, into, 0, block.k / FOUR, FIRST + fours,
             n / FOUR + 1);
        own->value[IN_PANEL].texture = &into->texture;
    }
    draw(plan, EXCHANGE, &own->log, block.k / FOUR, 0, n / FOUR, MAP_ROWS);
}

static void lower(struct qp_plan *plan, struct qp_column_block block)
{
    struct qp_plan_blocked *own = plan->own;
    draw(plan, FACTORED, &own->factors, block.k / FOUR, block.k, own->width, block.end);
}

static void product(struct qp_plan *plan, struct qp_column_block block)
{
    if (block.end < qp_blocked_own(plan)->unknowns)
        draw_work(plan, PRODUCT, block.end / FOUR, block.end, qp_blocked_own(plan)->unknowns);
}

static void upper(struct qp_plan *plan, struct qp_column_block block)
{
    struct qp_plan_blocked *own = plan->own;
    const int n = own->unknowns, sheets = plan->layout.sheets;
    if (block.end == n)
        draw_work(plan, SIDES, n / FOUR, 0, n);
    draw(plan, LOWER, &own->half_way, 0, block.k, own->sides, block.end);
    draw(plan, UPPER, &own->x, 0, block.k / sheets, own->sides, qp_groups_in(block.end, sheets));
}

static void back(struct qp_plan *plan, struct qp_column_block block)
{
    draw_work(plan, BACK, qp_blocked_own(plan)->unknowns / FOUR, 0, block.k);
}

static void begin(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    own->target = 0;
    own->value[IN_SOURCE].texture = &own->start.texture;
    own->value[IN_LIST].texture = &own->list[1].texture; /* the first pass writes the other one */
    own->value[IN_FACTORS].texture = &own->factors.texture;
    own->value[IN_MAP].texture = &own->log.texture;
    own->value[IN_HALF_WAY].texture = &own->half_way.texture;
    own->value[IN_X].texture = &own->x.texture;
    own->value[UNKNOWNS].x = qp_gauss_jordan_unknowns(plan->problem);
    own->value[RIGHT_SIDES].x = qp_gauss_jordan_sides(plan->problem);
    if (own->unknowns != qp_gauss_jordan_unknowns(plan->problem))
        draw_work(plan, PAD, 0, 0, own->unknowns);
}

static void end(struct qp_plan *plan)
{
    draw(plan, ANSWER, &qp_blocked_own(plan)->answer, first_side(plan), 0, plan->layout.domain_x,
         plan->layout.domain_y);
}

/* Draws the identity left of the answer. */
static void stay(struct qp_plan *plan)
{
    draw(plan, ANSWER, &qp_blocked_own(plan)->answer, 0, 0, first_side(plan),
         plan->layout.domain_y);
}

/* ---- Stage 4 ---- */

/* Number of steps that are drawn. */
static int steps(const struct qp_plan *plan)
{
    return lists(plan, qp_blocked_own(plan)->unknowns) ? STEPS : CANDIDATES;
}

/* The number of layers is part of the program, so that loops over them unroll, and so are those of
 * a block's columns and of a group's rows, which are arrays there. */
static void describe(const struct qp_plan *plan, int step, char *head,
                     struct qp_program_source *source)
{
    snprintf(head, QP_BLOCKED_HEAD, "#define SHEETS %d\n#define COLUMNS %d\n#define GROUP %d\n",
             plan->layout.sheets, qp_blocked_columns(plan), qp_blocked_variant(plan)->group);
    source->vertex.name = vertices[step];
    source->vertex.head = vertices[step] != NULL ? head : NULL;
    source->fragment = (struct qp_source){.name = fragments[step], .head = head};
}

static const char *shader(const struct qp_plan *plan, int k)
{
    const int count = steps(plan);
    if (k < count)
        return fragments[k];
    return k == count ? vertices[PIVOTS] : k == STEPS + 1 ? vertices[LISTED] : NULL;
}

const struct qp_blocked_actions qp_blocked_drawn = {.shaders = "gauss_jordan/blocked_",
                                                    .names = names,
                                                    .log_row = MAP_ROWS - 2,
                                                    .make = make,
                                                    .steps = steps,
                                                    .describe = describe,
                                                    .begin = begin,
                                                    .panel = panel,
                                                    .lower = lower,
                                                    .product = product,
                                                    .upper = upper,
                                                    .back = back,
                                                    .end = end,
                                                    .stay = stay,
                                                    .shader = shader};
