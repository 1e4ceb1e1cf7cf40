/* SPDX-License-Identifier: MIT */
/* Stages 2 to 7 of an elimination by columns: textures of the matrix (two), of columns, rows and,
 * if asked for, the log of pivots; and the draws of each column, way by way (enum qp_way). */
#include "lab/ops/gauss_jordan/columns.h"

#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/engines/reducer.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "toolkit/base/watch.h"
#include "toolkit/gl/pingpong.h"
#include "toolkit/gl/readback.h"
#include "toolkit/gl/render_texture.h"
#include "toolkit/gl/step.h"
#include "toolkit/gl/strips.h"

/* Names that programs may use. */
enum name { A, FACTORS, ROW, FOUND, K, ORIGIN, SAME_X, SAME_Y, SQUARE, SHEET, NAMES };

struct qp_plan_elimination {
    struct qp_pingpong pair;
    struct qp_texture start[QP_TARGETS];          /* the matrix as it came, for a second pass */
    struct qp_render_texture canvas[QP_SURFACES]; /* from QP_SURFACE_FACTORS on; two are the pair */
    struct qp_render_texture pivots;              /* the log, a texel a column, if asked */
    struct qp_strips strips;                      /* with stored blocks */
    struct qp_reducer search;                     /* for the pivot */
    struct qp_step step[QP_WAYS][QP_ELIMINATION_DRAWS], copy, log;
    bool started;    /* the source is no longer the start */
    bool repeats;    /* more than one pass will be asked for */
    bool log_pivots; /* even if that takes draws */
    qp_column_function *on_column;
    void *on_column_user;
};

/* The variant's draws and settings. */
static const struct qp_elimination *row_of(const struct qp_plan *plan)
{
    return plan->variant->recipe->own;
}

static struct qp_plan_elimination *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

const struct qp_elimination *qp_elimination_of(const struct qp_recipe *recipe)
{
    return recipe->engine == &qp_engine_eliminate ? recipe->own : NULL;
}

/* Number of draws in a way's list. */
static int count_draws(const struct qp_plan *plan, enum qp_way way)
{
    const struct qp_elimination_draw *draw = row_of(plan)->way[way];
    int count = 0;
    while (count < QP_ELIMINATION_DRAWS && draw[count].draw.fragment != NULL)
        count++;
    return count;
}

static int count_ways(const struct qp_plan *plan)
{
    int count = 0;
    for (int way = 0; way < QP_WAYS; way++)
        count += count_draws(plan, (enum qp_way)way) > 0;
    return count;
}

static struct qp_surface surface_of(const struct qp_plan *plan, enum qp_elimination_surface into,
                                    struct qp_passes *to)
{
    struct qp_plan_elimination *own = plan->own;
    if (into == QP_SURFACE_SOURCE)
        return qp_passes_source(to, &own->pair);
    if (into == QP_SURFACE_TARGET)
        return qp_passes_target(to, &own->pair);
    return (struct qp_surface){own->canvas[into].framebuffer_id, GL_COLOR_ATTACHMENT0};
}

/* A surface as a texture; the first of the matrix's sheets. */
static const struct qp_texture *texture_of(const struct qp_plan *plan,
                                           enum qp_elimination_surface from)
{
    const struct qp_plan_elimination *own = plan->own;
    if (from == QP_SURFACE_SOURCE)
        return qp_pingpong_source(&own->pair);
    return from == QP_SURFACE_TARGET ? qp_pingpong_target(&own->pair) : &own->canvas[from].texture;
}

/* ---- Stage 2 ---- */

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    struct qp_plan_elimination *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of an elimination");
    plan->own = own;
    if (own == NULL)
        return qp_fail_within(QP_NO_MEMORY, "stage 2, pack");
    own->repeats = desc->iterations > 1;
    own->log_pivots = desc->log_pivots && !plan->variant->recipe->bound;
    if (row_of(plan)->pingpong != NULL)
        plan->pingpong = *row_of(plan)->pingpong;
    return QP_OK;
}

bool qp_elimination_watch(struct qp_plan *plan, qp_column_function *on_column, void *user)
{
    if (plan->engine != &qp_engine_eliminate)
        return false;
    own_of(plan)->on_column = on_column;
    own_of(plan)->on_column_user = user;
    return true;
}

/* ---- Stage 3 ---- */

static enum qp_status make_canvas(struct qp_plan *plan, enum qp_format format, int width,
                                  int height, struct qp_render_texture *out)
{
    return qp_render_texture_create(plan->context, qp_gl_target(plan->target), format, width,
                                    height, 0, NULL, out);
}

static bool draws_into(const struct qp_elimination *elimination, enum qp_elimination_surface into)
{
    bool found = false;
    for (int i = 0; i < QP_WAYS * QP_ELIMINATION_DRAWS; i++) {
        const struct qp_elimination_draw *draw =
            &elimination->way[i / QP_ELIMINATION_DRAWS][i % QP_ELIMINATION_DRAWS];
        found = found || (draw->draw.fragment != NULL && draw->into == into);
    }
    return found;
}

/* Makes the surfaces of factors (one texel wide) and rows (one texel high), laid out as in the
 * matrix, or a row as a square. */
static enum qp_status make_canvases(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_elimination *own = plan->own;
    enum qp_format format = qp_format_widened(layout->shape.format);
    enum qp_status status = QP_OK;
    for (int i = QP_SURFACE_FACTORS; i < QP_SURFACES && status == QP_OK; i++) {
        const bool column = i == QP_SURFACE_FACTORS;
        const int width = layout->square > 0 ? layout->square : column ? 1 : layout->storage_x;
        const int height = layout->square > 0 ? layout->square : column ? layout->storage_y : 1;
        if (draws_into(row_of(plan), (enum qp_elimination_surface)i))
            status = make_canvas(plan, format, width, height, &own->canvas[i]);
    }
    if (status == QP_OK && own->log_pivots)
        status =
            make_canvas(plan, QP_RGBA32F, qp_gauss_jordan_unknowns(plan->problem), 1, &own->pivots);
    return status;
}

static enum qp_status make_search(struct qp_plan *plan)
{
    const struct qp_reducer_desc desc = {.reduction = QP_INDEX,
                                         .target = qp_gl_target(plan->target),
                                         .format = plan->layout.shape.format,
                                         .width = 1,
                                         .height = plan->layout.domain_y};
    return qp_reducer_create(plan->context, &desc, &own_of(plan)->search);
}

static enum qp_status make_start(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    const size_t sheet = qp_layout_values(layout) / (size_t)layout->sheets;
    const float *texels = plan->texels;
    enum qp_status status = QP_OK;
    for (int i = 0; i < layout->sheets && status == QP_OK; i++)
        status = qp_texture_create(plan->context, qp_gl_target(plan->target), layout->shape.format,
                                   layout->storage_x, layout->sheet_y, texels + (size_t)i * sheet,
                                   &own_of(plan)->start[i]);
    return status;
}

static enum qp_status make_strips(struct qp_plan *plan)
{
    struct qp_gl_pass whole = {0};
    qp_elimination_cover(plan, QP_SURFACE_TARGET, QP_PART_WHOLE, 0, &whole);
    whole.geometry = qp_quad_strips(whole.geometry, plan->block);
    return qp_strips_create(plan->context, &whole.geometry, &own_of(plan)->strips);
}

static enum qp_status upload(struct qp_plan *plan)
{
    struct qp_plan_elimination *own = plan->own;
    enum qp_status status =
        qp_pingpong_create(plan->context, plan->pingpong, qp_gl_target(plan->target), &plan->layout,
                           plan->texels, plan->empty, &own->pair);
    plan->pingpong = own->pair.style;
    if (status == QP_OK && own->repeats)
        status = make_start(plan);
    if (status == QP_OK)
        status = make_canvases(plan);
    if (status == QP_OK && row_of(plan)->pivots)
        status = make_search(plan);
    if (status == QP_OK && row_of(plan)->blocks == QP_BLOCKS_STORED)
        status = make_strips(plan);
    return qp_end_upload(plan, status);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_elimination *own = plan->own;
    if (own != NULL && qp_context_enter(plan->context) == QP_OK) {
        qp_reducer_destroy(&own->search);
        for (int i = 0; i < QP_SURFACES; i++)
            qp_render_texture_destroy(&own->canvas[i]);
        qp_render_texture_destroy(&own->pivots);
        qp_strips_destroy(&own->strips);
        for (int i = 0; i < QP_TARGETS; i++)
            qp_texture_destroy(&own->start[i]);
        qp_pingpong_destroy(&own->pair);
    }
}

/* ---- Stages 5 and 6 ---- */

/* The surface that holds the matrix at the beginning of a step. */
static enum qp_elimination_surface matrix(const struct qp_plan *plan)
{
    return row_of(plan)->in_place ? QP_SURFACE_TARGET : QP_SURFACE_SOURCE;
}

static void add(struct qp_plan *plan, const struct qp_step *step, int k, const struct qp_texture *a,
                const struct qp_texture *row, struct qp_gl_pass pass, struct qp_passes *to)
{
    const struct qp_plan_elimination *own = plan->own;
    const struct qp_layout *layout = &plan->layout;
    int x, y;
    qp_layout_place(layout, k, k, &x, &y);
    const struct qp_step_value values[NAMES] = {
        [A] = {.texture = a},
        [FACTORS] = {.texture = &own->canvas[QP_SURFACE_FACTORS].texture},
        [ROW] = {.texture = row},
        [FOUND] = {.texture = own->search.context ? qp_reducer_answer(&own->search) : NULL},
        [K] = {.x = x + 0.5, .y = y + 0.5},
        [ORIGIN] = {.x = layout->origin_x, .y = layout->origin_y},
        [SAME_X] = {.x = layout->origin_x - 0.5},
        [SAME_Y] = {.x = layout->origin_y - 0.5},
        [SQUARE] = {.x = layout->square},
        [SHEET] = {.x = k % layout->sheets}};
    pass.step = step;
    pass.values = values;
    qp_passes_add(to, &pass);
}

/* Texture that a program reads as `a`: all sheets of a surface, in order, or row k's alone. */
static const struct qp_texture *sheet_for(const struct qp_plan *plan, const struct qp_step *step,
                                          enum qp_elimination_surface from, int k)
{
    bool one = from <= QP_SURFACE_TARGET && !qp_step_uses(step, A, 1);
    return texture_of(plan, from) + (one ? k % plan->layout.sheets : 0);
}

static void cut_into_blocks(const struct qp_plan *plan, struct qp_gl_pass *pass)
{
    const enum qp_blocks blocks = row_of(plan)->blocks;
    if (blocks == QP_BLOCKS_NONE)
        return;
    pass->geometry = qp_quad_strips(pass->geometry, plan->block);
    pass->strips = blocks == QP_BLOCKS_STORED ? &own_of(plan)->strips : NULL;
}

/* Lists the draws of one way for column k. */
static void add_draws(struct qp_plan *plan, enum qp_way way, int k, struct qp_passes *to)
{
    const struct qp_elimination_draw *draw = row_of(plan)->way[way];
    for (int i = 0; i < count_draws(plan, way); i++, draw++) {
        const enum qp_elimination_surface row =
            draw->from == QP_SURFACE_OTHER_ROW ? QP_SURFACE_OTHER_ROW : QP_SURFACE_PIVOT_ROW;
        const struct qp_step *step = &own_of(plan)->step[way][i];
        struct qp_gl_pass pass = {.blend = draw->blend};
        if (!qp_elimination_cover(plan, draw->into, draw->part, k, &pass))
            continue;
        pass.surface = surface_of(plan, draw->into, to);
        if (draw->part == QP_PART_WHOLE)
            cut_into_blocks(plan, &pass);
        add(plan, step, k, sheet_for(plan, step, draw->from, k), texture_of(plan, row), pass, to);
    }
}

/* Logs a pivot, one texel for every column: its value and how far below row k it was found. No
 * variant needs this to compute, and none of the report's did it, so it is drawn only if it was
 * asked for. */
static void log_pivot(struct qp_plan *plan, int k, struct qp_passes *to)
{
    struct qp_plan_elimination *own = plan->own;
    struct qp_gl_pass pass = {.surface = {own->pivots.framebuffer_id, GL_COLOR_ATTACHMENT0},
                              .width = qp_gauss_jordan_unknowns(plan->problem),
                              .height = 1,
                              .geometry = qp_quad((float)k, 0.0f, (float)k + 1.0f, 1.0f)};
    add(plan, &own->log, k, sheet_for(plan, &own->log, matrix(plan), k), NULL, pass, to);
}

/* Copies a surface sheet by sheet. */
static void copy_all(struct qp_plan *plan, const struct qp_texture *from,
                     enum qp_elimination_surface into, struct qp_passes *to)
{
    for (int i = 0; i < plan->layout.sheets; i++) {
        struct qp_gl_pass pass = {0};
        qp_elimination_cover(plan, into, QP_PART_WHOLE, 0, &pass);
        pass.surface = surface_of(plan, into, to);
        pass.surface.attachment += (GLenum)i;
        pass.targets = 1;
        add(plan, &own_of(plan)->copy, 0, from + i, NULL, pass, to);
    }
}

/* Searches column k from row k down for the largest element. */
static void search(struct qp_plan *plan, int k, struct qp_passes *to)
{
    const struct qp_region region = {.x = texture_of(plan, matrix(plan)),
                                     .left = plan->layout.origin_x + k,
                                     .bottom = plan->layout.origin_y + k,
                                     .width = 1,
                                     .height = qp_gauss_jordan_unknowns(plan->problem) - k};
    qp_reducer_list(&own_of(plan)->search, &region, to);
}

/* Lists column k of one way (enum qp_way). */
static void add_column(struct qp_plan *plan, enum qp_way way, int k, struct qp_passes *to)
{
    if (way == QP_WAY_FORTH && row_of(plan)->pivots)
        search(plan, k, to);
    if (way == QP_WAY_FORTH && own_of(plan)->log_pivots)
        log_pivot(plan, k, to);
    add_draws(plan, way, k, to);
}

/* Lists copies of the start to the source, and to the target too where draws rely on it. */
static void begin(struct qp_plan *plan, struct qp_passes *to)
{
    struct qp_plan_elimination *own = plan->own;
    if (own->started)
        copy_all(plan, own->start, QP_SURFACE_SOURCE, to);
    if (row_of(plan)->in_place || row_of(plan)->alike)
        copy_all(plan, qp_pingpong_source(&own->pair), QP_SURFACE_TARGET, to);
    own->started = true;
}

/* Column of a step's i-th round, if all ways had draws: way by way. */
static int column_of(const struct qp_plan *plan, int i, enum qp_way *way)
{
    const int n = qp_gauss_jordan_unknowns(plan->problem);
    *way = (enum qp_way)(i / n);
    return *way == QP_WAY_BACK ? n - 1 - i % n : i % n;
}

static void list_column(struct qp_plan *plan, int i, struct qp_passes *to)
{
    enum qp_way way;
    const int k = column_of(plan, i, &way);
    if (i == 0)
        begin(plan, to);
    else if (!row_of(plan)->in_place)
        qp_passes_swap(to, &own_of(plan)->pair);
    add_column(plan, way, k, to);
}

/* All columns. The last one's target is left for stage 6. */
static enum qp_status pass(struct qp_plan *plan)
{
    const struct qp_plan_elimination *own = plan->own;
    const int n = qp_gauss_jordan_unknowns(plan->problem), all = n * count_ways(plan);
    enum qp_status status = QP_OK;
    int done = 0; /* columns, of all ways together */
    for (int i = 0; i < QP_WAYS * n && status == QP_OK; i++) {
        enum qp_way way;
        const int k = column_of(plan, i, &way);
        if (count_draws(plan, way) == 0)
            continue;
        if (qp_watch_leaves((double)done++ / all))
            return qp_watch_fail();
        status = qp_draw_listed(plan, list_column, i);
        if (status == QP_OK && own->on_column != NULL)
            own->on_column(own->on_column_user, plan, (int)way, k);
    }
    return status;
}

static void swap(struct qp_plan *plan)
{
    qp_pingpong_swap(&own_of(plan)->pair);
}

/* ---- Stage 4 ---- */

static enum qp_status make_step(struct qp_plan *plan, const char *vertex, const char *fragment,
                                struct qp_step *out)
{
    const struct qp_uniform names[NAMES + 1] = {{"a", QP_SAMPLER, plan->layout.sheets},
                                                {"factors", QP_SAMPLER, 0},
                                                {"row", QP_SAMPLER, 0},
                                                {"found", QP_SAMPLER, 0},
                                                {"k", QP_VECTOR, 0},
                                                {"origin", QP_VECTOR, 0},
                                                {"same_x", QP_VECTOR_4, 0}, /* bounds */
                                                {"same_y", QP_VECTOR_4, 0},
                                                {"square", QP_FLOAT, 0},
                                                {"sheet", QP_FLOAT, 0}};
    const struct qp_program_source source = {.vertex = {.name = vertex},
                                             .fragment = {.name = fragment},
                                             .target = qp_gl_target(plan->target)};
    return qp_step_make(plan->context, &source, names, out);
}

static enum qp_status make_steps(struct qp_plan *plan, enum qp_way way)
{
    const struct qp_elimination_draw *draw = row_of(plan)->way[way];
    enum qp_status status = QP_OK;
    for (int i = 0; i < count_draws(plan, way) && status == QP_OK; i++)
        status = make_step(plan, draw[i].draw.vertex, draw[i].draw.fragment,
                           &own_of(plan)->step[way][i]);
    return status;
}

/* Lists the first column of each way. */
static void list_first_columns(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    for (int i = 0; i < QP_WAYS; i++) {
        enum qp_way way;
        const int first = column_of(plan, i * qp_gauss_jordan_unknowns(plan->problem), &way);
        add_column(plan, way, first, to);
    }
}

static void list_copy(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    copy_all(plan, qp_pingpong_source(&own_of(plan)->pair), QP_SURFACE_TARGET, to);
}

static enum qp_status first_columns(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_first_columns, 0);
}

/* The first column of each way is drawn, and then both textures are as they were. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_pingpong *pair = &own_of(plan)->pair;
    enum qp_status status = qp_draw_listed(plan, list_copy, 0);
    if (status == QP_OK)
        status = qp_warm_up(plan, first_columns, qp_finish_gl);
    if (status == QP_OK)
        status = qp_pingpong_write(pair, false, plan->texels);
    if (status == QP_OK)
        status = qp_pingpong_write(pair, true, plan->empty);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    const char *log =
        row_of(plan)->pivots ? "gauss_jordan/log_found.frag" : "gauss_jordan/log.frag";
    struct qp_plan_elimination *own = plan->own;
    enum qp_status status = make_step(plan, NULL, "gauss_jordan/copy.frag", &own->copy);
    if (status == QP_OK && own->log_pivots)
        status = make_step(plan, NULL, log, &own->log);
    for (int way = 0; way < QP_WAYS && status == QP_OK; way++)
        status = make_steps(plan, (enum qp_way)way);
    return status == QP_OK ? warm_up(plan) : status;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    for (int way = 0; way < QP_WAYS; way++) {
        const int count = count_draws(plan, (enum qp_way)way);
        if (k < count)
            return row_of(plan)->way[way][k].draw.fragment;
        k -= count;
    }
    return NULL;
}

/* ---- Stage 7 ---- */

static enum qp_status read_pivots(struct qp_plan *plan)
{
    const int n = qp_gauss_jordan_unknowns(plan->problem);
    struct qp_surface surface = {own_of(plan)->pivots.framebuffer_id, GL_COLOR_ATTACHMENT0};
    float *texels = qp_alloc_floats(4 * (size_t)n, "the pivots");
    if (texels == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_readback(plan->context, surface, QP_RGBA32F, 0, 0, n, 1, texels);
    if (status == QP_OK)
        status = qp_gauss_jordan_take_pivots(plan, texels, row_of(plan)->pivots);
    free(texels);
    return status;
}

static enum qp_status read_matrix(struct qp_plan *plan, bool target, void *texels)
{
    enum qp_status status = qp_pingpong_read(&own_of(plan)->pair, target, texels);
    if (status == QP_OK && !target && own_of(plan)->started && own_of(plan)->log_pivots)
        status = read_pivots(plan);
    return status;
}

/* True for a shader of the variant's draws; those that copy and log belong to no variant. */
static bool uses(const struct qp_variant *variant, const char *file)
{
    const struct qp_elimination *own = variant->recipe->own;
    bool found = false;
    for (int i = 0; i < QP_WAYS * QP_ELIMINATION_DRAWS; i++) {
        const struct qp_draw draw =
            own->way[i / QP_ELIMINATION_DRAWS][i % QP_ELIMINATION_DRAWS].draw;
        found |= draw.fragment != NULL && strcmp(draw.fragment, file) == 0;
        found |= draw.vertex != NULL && strcmp(draw.vertex, file) == 0;
    }
    return found;
}

const struct qp_engine qp_engine_eliminate = {.arrange = arrange,
                                              .upload = upload,
                                              .program = program,
                                              .pass = pass,
                                              .swap = swap,
                                              .finish = qp_finish_gl,
                                              .read = read_matrix,
                                              .destroy = destroy,
                                              .shader = shader,
                                              .uses = uses,
                                              .needs = qp_elimination_needs,
                                              .asked_to_log = true};
