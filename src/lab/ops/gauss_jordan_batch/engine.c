/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 for many small systems: tiles of them, each in textures of its own, one after
 * the other. A tile is eliminated column by column in all its systems at once (unpivoted, passes),
 * or solved by one draw or dispatch, each system in the registers of a fragment or an invocation
 * (registers). Nothing leaves the card but the answer. */
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"

#include <stdio.h>
#include <stdlib.h>

#include "lab/engines/common.h"
#include "toolkit/gl/pingpong.h"
#include "toolkit/gl/readback.h"
#include "toolkit/gl/step.h"

/* Values found in a column: the pivot's row, the pivot, the first column without one. Where a texel
 * belongs to one system, all three are in it, else in textures of their own. */
enum { FOUND = 3 };

/* Names that programs may use. */
enum name {
    A,
    FIRST_FOUND,
    TARGET = FIRST_FOUND + FOUND, /* the sheets that a dispatch writes */
    ORIGIN,
    CORNER,
    PLACE,
    SIZE,
    COUNT,
    K,
    NAMES
};

struct batch_tile {
    struct qp_texture systems;
    struct qp_texture answer[QP_TARGETS];
    GLuint framebuffer_id; /* the answer's */
};

struct qp_plan_batch {
    int sheets; /* textures of a tile's answer */
    struct batch_tile *tile;
    struct qp_step step[QP_DRAWS], copy;

    /* For the variants of passes, one tile after the other: elements, and a texel for each
     * system. */
    struct qp_layout found_layout;
    struct qp_pingpong work, found;
};

static struct qp_plan_batch *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

static const struct qp_batch *batch_of(const struct qp_plan *plan)
{
    return &plan->input_layout[0].batch;
}

static bool in_planes(const struct qp_plan *plan)
{
    return plan->layout.shape.standing == QP_AS_PLANES;
}

static bool exchanges_rows(const struct qp_plan *plan)
{
    return (plan->variant->recipe->not_kinds & QP_BATCH_NEEDS_PIVOTING) == 0;
}

static bool in_registers(const struct qp_plan *plan)
{
    return plan->layout.shape.standing == QP_AS_SHEETS;
}

/* ---- Stage 3 ---- */

static size_t sheet_floats(const struct qp_layout *layout)
{
    return qp_layout_values(layout) / (size_t)layout->sheets;
}

static enum qp_status make_texture(const struct qp_plan *plan, const struct qp_layout *layout,
                                   int sheet, const float *texels, struct qp_texture *out)
{
    return qp_texture_create(plan->context, qp_gl_target(plan->target), layout->shape.format,
                             layout->storage_x, layout->sheet_y,
                             texels + (size_t)sheet * sheet_floats(layout), out);
}

static enum qp_status make_tile(struct qp_plan *plan, int number)
{
    struct qp_plan_batch *own = plan->own;
    struct batch_tile *tile = &own->tile[number];
    const struct qp_texture *answer[QP_TARGETS];
    enum qp_status status =
        make_texture(plan, &plan->input_layout[0], number, plan->input_texels[0], &tile->systems);
    for (int i = 0; i < own->sheets && status == QP_OK; i++) {
        answer[i] = &tile->answer[i];
        status = make_texture(plan, &plan->layout, number * own->sheets + i, plan->empty,
                              &tile->answer[i]);
    }
    return status == QP_OK
               ? qp_framebuffer_create(plan->context, answer, own->sheets, &tile->framebuffer_id)
               : status;
}

/* Makes a pair of textures, both not written yet. */
static enum qp_status make_pair(struct qp_plan *plan, const struct qp_layout *layout,
                                struct qp_pingpong *out)
{
    float *empty = qp_alloc_floats(qp_layout_values(layout), "a tile's texels");
    if (empty == NULL)
        return QP_NO_MEMORY;
    qp_layout_poison(layout, empty);
    enum qp_status status = qp_pingpong_create(
        plan->context, plan->pingpong, qp_gl_target(plan->target), layout, empty, empty, out);
    free(empty);
    return status;
}

static enum qp_status make_pairs(struct qp_plan *plan)
{
    const int sheets = in_planes(plan) ? FOUND : 1;
    const struct qp_shape one = {.format = QP_RGBA32F, .sheets = sheets};
    struct qp_plan_batch *own = plan->own;
    struct qp_batch batch = *batch_of(plan);
    own->found_layout = qp_layout_make(one, batch.across, batch.up * sheets, 1);
    batch.tiles = 1;
    const struct qp_layout work = qp_layout_make_batch(plan->input_layout[0].shape, batch);
    enum qp_status status = make_pair(plan, &work, &own->work);
    return status == QP_OK && exchanges_rows(plan)
               ? make_pair(plan, &own->found_layout, &own->found)
               : status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    const int tiles = batch_of(plan)->tiles;
    struct qp_plan_batch *own = qp_alloc_zero(1, sizeof *own, "the OpenGL side of a batch");
    plan->own = own;
    if (own == NULL)
        return QP_NO_MEMORY;
    own->sheets = plan->layout.sheets / tiles;
    own->tile = qp_alloc_zero((size_t)tiles, sizeof *own->tile, "the tiles of a batch");
    enum qp_status status = own->tile != NULL ? QP_OK : QP_NO_MEMORY;
    for (int t = 0; t < tiles && status == QP_OK; t++)
        status = make_tile(plan, t);
    free(plan->input_texels[0]); /* the textures have them now */
    plan->input_texels[0] = NULL;
    if (status == QP_OK && !in_registers(plan))
        status = make_pairs(plan);
    return qp_end_upload(plan, status);
}

/* ---- Stage 5 ---- */

/* Area of a draw: the layout's domain from this column of texels on, or row k of all systems in
 * it. */
struct ground {
    const struct qp_layout *layout;
    struct qp_surface surface;
    int targets, left;
    bool row_k;
    const struct batch_tile *tile; /* tile whose answer is drawn; NULL: no answer is */
};

/* A quad of one draw: systems that are side by side have their rows k in the same one. */
static struct qp_geometry geometry_of(const struct ground *ground, int k)
{
    const struct qp_layout *into = ground->layout;
    struct qp_geometry at =
        qp_quad((float)ground->left, 0, (float)into->domain_x, (float)into->domain_y);
    if (ground->row_k) {
        at.y0 = (float)k;
        at.y1 = (float)k + 1.0f;
        at.times = into->batch.up;
        at.apart = (float)into->batch.rows;
    }
    return at;
}

static struct qp_step_value vector(int x, int y)
{
    return (struct qp_step_value){.x = x, .y = y};
}

/* A compute shader writes to the tile's sheets by itself. */
static void add(struct qp_plan *plan, const struct qp_step *step, const struct ground *ground,
                const struct qp_texture *a, int k, struct qp_passes *to)
{
    const struct qp_layout *into = ground->layout, *systems = &plan->input_layout[0],
                           *found = &own_of(plan)->found_layout;
    struct qp_step_value values[NAMES] = {
        [A] = {.texture = a},
        [TARGET] = {.texture = ground->tile != NULL ? ground->tile->answer : NULL},
        [ORIGIN] = vector(systems->origin_x, systems->origin_y),
        [CORNER] = vector(into->origin_x, into->origin_y),
        [PLACE] = vector(found->origin_x, found->origin_y),
        [SIZE] = vector(systems->batch.columns, systems->batch.rows),
        [COUNT] = vector(systems->batch.across, systems->batch.up),
        [K] = {.x = k}};
    for (int i = 0; i < FOUND; i++)
        values[FIRST_FOUND + i].texture = qp_pingpong_source(&own_of(plan)->found) + i;
    const struct qp_gl_pass pass = {.step = step,
                                    .values = values,
                                    .surface = ground->surface,
                                    .targets = ground->targets,
                                    .x = into->origin_x,
                                    .y = into->origin_y,
                                    .width = into->domain_x,
                                    .height = into->domain_y,
                                    .geometry = geometry_of(ground, k)};
    qp_passes_add(to, &pass);
}

enum { PIVOT, ELIMINATE, SOLUTION, PASSES };
enum { DIVIDE = PIVOT, ROWOP = ELIMINATE }; /* without pivots */

/* Eliminates column k of all systems: finds its pivots, then updates every element, of planes only
 * the elements that can still change. */
static const struct qp_texture *eliminate(struct qp_plan *plan, const struct qp_texture *a, int k,
                                          struct qp_passes *to)
{
    struct qp_plan_batch *own = plan->own;
    const struct ground found = {.layout = &own->found_layout,
                                 .surface = qp_passes_target(to, &own->found),
                                 .targets = own->found_layout.sheets};
    add(plan, &own->step[PIVOT], &found, a, k, to);
    qp_passes_swap(to, &own->found);
    const struct ground work = {.layout = &plan->input_layout[0],
                                .surface = qp_passes_target(to, &own->work),
                                .targets = 1,
                                .left = in_planes(plan) ? (k + 1) * batch_of(plan)->across : 0};
    add(plan, &own->step[ELIMINATE], &work, a, k, to);
    qp_passes_swap(to, &own->work);
    return qp_pingpong_source(&own->work);
}

/* Eliminates without pivoting. Row k is written back into the texture it is read from, so the
 * systems are copied first. */
static const struct qp_texture *
eliminate_unpivoted(struct qp_plan *plan, const struct qp_texture *a, int k, struct qp_passes *to)
{
    struct qp_plan_batch *own = plan->own;
    struct ground work = {.layout = &plan->input_layout[0], .targets = 1};
    if (k == 0) {
        work.surface = qp_passes_target(to, &own->work);
        add(plan, &own->copy, &work, a, k, to);
        qp_passes_swap(to, &own->work);
    }
    const struct qp_texture *source = qp_pingpong_source(&own->work);
    struct ground row = work;
    row.row_k = true;
    row.surface = qp_passes_target(to, &own->work);
    add(plan, &own->step[DIVIDE], &row, source, k, to);
    row.surface = qp_passes_source(to, &own->work);
    add(plan, &own->copy, &row, qp_pingpong_target(&own->work), k, to);
    work.surface = qp_passes_target(to, &own->work);
    add(plan, &own->step[ROWOP], &work, source, k, to);
    qp_passes_swap(to, &own->work);
    return qp_pingpong_source(&own->work);
}

static void list_tile(struct qp_plan *plan, int number, struct qp_passes *to)
{
    const struct batch_tile *tile = &own_of(plan)->tile[number];
    const struct ground answer = {.layout = &plan->layout,
                                  .surface = {tile->framebuffer_id, GL_COLOR_ATTACHMENT0},
                                  .targets = own_of(plan)->sheets,
                                  .tile = tile};
    const struct qp_texture *a = &tile->systems;
    for (int k = 0; k < batch_of(plan)->rows && !in_registers(plan); k++)
        a = exchanges_rows(plan) ? eliminate(plan, a, k, to) : eliminate_unpivoted(plan, a, k, to);
    add(plan, &own_of(plan)->step[in_registers(plan) ? 0 : SOLUTION], &answer, a, 0, to);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_parts(plan, list_tile, batch_of(plan)->tiles);
}

/* Every pass solves the systems anew. */
static void swap(struct qp_plan *plan)
{
    (void)plan;
}

/* ---- Stage 4 ---- */

static enum qp_status draw_first_tile(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_tile, 0);
}

/* Defines `name` as `each` for 0, 1 and so on, or back from count - 1. */
static char *write_list(char *at, const char *name, const char *each, int count, bool back)
{
    at += sprintf(at, "#define %s", name);
    for (int i = 0; i < count; i++)
        at += sprintf(at, each, back ? count - 1 - i : i);
    return at + sprintf(at, "\n");
}

/* Definitions for registers.frag and registers.comp, in a string that the caller frees. */
static enum qp_status make_lists(int n, char **head)
{
    const int texels = (n * (n + 1) + 3) / 4;
    *head = qp_alloc((size_t)(texels + 4 * n) * sizeof " F(k, 1000)" + 512, 1, "a shader's lists");
    if (*head == NULL)
        return QP_NO_MEMORY;
    char *at = *head + sprintf(*head, "#define N %d\n", n);
    at = write_list(at, "TEXELS(F)", " F(%d)", texels, false);
    at = write_list(at, "COLUMNS(F)", " F(%d)", n, false);
    at = write_list(at, "COLUMNS_BACK(F)", " F(%d)", n, true);
    at = write_list(at, "ROWS(F, k)", " F(k, %d)", n, false);
    write_list(at, "ROWS_AGAIN(F, k)", " F(k, %d)", n, false);
    return QP_OK;
}

/* Work group of 4 x 16: four systems side by side are a stamp, and a warp of 32 reads eight rows of
 * 64 bytes, as textures of GPUs are tiled. */
static const struct qp_group usual_group = {4, 16};

static struct qp_group choose_group(struct qp_plan *plan)
{
    if (plan->group_x <= 0 || plan->group_y <= 0) {
        plan->group_x = usual_group.x;
        plan->group_y = usual_group.y;
    }
    return (struct qp_group){plan->group_x, plan->group_y};
}

/* The step of a draw or of a dispatch, whose group it may choose; `lists` puts the lists of a
 * system's rows and columns in front of it. Errors: those of qp_program_make. */
static enum qp_status make_step(struct qp_plan *plan, const struct qp_draw *recipe, bool lists,
                                struct qp_step *out)
{
    const int sheets = plan->layout.sheets / plan->input_layout[0].batch.tiles; /* a tile's */
    const struct qp_uniform names[NAMES + 1] = {{"a", QP_SAMPLER, 0},
                                                {"found", QP_SAMPLER, 0},
                                                {"pivots", QP_SAMPLER, 0},
                                                {"failures", QP_SAMPLER, 0},
                                                {"target", QP_IMAGE, sheets},
                                                {"origin", QP_VECTOR, 0},
                                                {"corner", QP_VECTOR, 0},
                                                {"place", QP_VECTOR, 0},
                                                {"size", QP_VECTOR, 0},
                                                {"count", QP_VECTOR, 0},
                                                {"k", QP_FLOAT, 0}};
    struct qp_program_source source = {.target = qp_gl_target(plan->target)};
    char *head = NULL;
    enum qp_status status = lists ? make_lists(plan->input_layout[0].batch.rows, &head) : QP_OK;
    source.fragment = (struct qp_source){.name = recipe->fragment, .head = head};
    source.compute = (struct qp_source){.name = recipe->compute, .head = head};
    if (recipe->compute != NULL)
        source.group = choose_group(plan);
    if (status == QP_OK)
        status = qp_step_make(plan->context, &source, names, out);
    free(head);
    return status;
}

/* Solves a tile, and then empties its answer again. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    const struct qp_plan_batch *own = plan->own;
    enum qp_status status = qp_warm_up(plan, draw_first_tile, qp_finish_gl);
    for (int i = 0; i < own->sheets && status == QP_OK; i++)
        status =
            qp_texture_upload(&own->tile[0].answer[i],
                              (const float *)plan->empty + (size_t)i * sheet_floats(&plan->layout));
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_draw copy = {.fragment = "gauss_jordan/copy.frag"};
    const struct qp_recipe *recipe = plan->variant->recipe;
    struct qp_plan_batch *own = plan->own;
    enum qp_status status = QP_OK;
    for (int i = 0; i < qp_recipe_draws(recipe) && status == QP_OK; i++)
        status = make_step(plan, &recipe->draw[i], in_registers(plan), &own->step[i]);
    if (status == QP_OK && !exchanges_rows(plan))
        status = make_step(plan, &copy, false, &own->copy);
    return status == QP_OK ? warm_up(plan) : status;
}

/* ---- Stage 7 ---- */

/* The answer is the same before and after the swap. */
static enum qp_status read_answer(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_plan_batch *own = plan->own;
    const struct qp_layout *layout = &plan->layout;
    enum qp_status status = QP_OK;
    (void)target;
    for (int i = 0; i < layout->sheets && status == QP_OK; i++) {
        const struct qp_surface surface = {own->tile[i / own->sheets].framebuffer_id,
                                           GL_COLOR_ATTACHMENT0 + (GLenum)(i % own->sheets)};
        status = qp_readback(plan->context, surface, layout->shape.format, 0, 0, layout->storage_x,
                             layout->sheet_y, (float *)texels + (size_t)i * sheet_floats(layout));
    }
    return status;
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_batch *own = plan->own;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int t = 0; t < batch_of(plan)->tiles && own->tile != NULL; t++) {
        qp_framebuffer_destroy(plan->context, &own->tile[t].framebuffer_id);
        qp_texture_destroy(&own->tile[t].systems);
        for (int i = 0; i < own->sheets; i++)
            qp_texture_destroy(&own->tile[t].answer[i]);
    }
    qp_pingpong_destroy(&own->work);
    qp_pingpong_destroy(&own->found);
    free(own->tile);
}

const struct qp_engine qp_engine_batch = {.arrange = qp_batch_arrange,
                                          .upload = upload,
                                          .program = program,
                                          .pass = pass,
                                          .swap = swap,
                                          .finish = qp_finish_gl,
                                          .read = read_answer,
                                          .destroy = destroy,
                                          .limits = QP_LIMITS_OF_CUTS};
