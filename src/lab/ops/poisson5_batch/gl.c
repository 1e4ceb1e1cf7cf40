/* SPDX-License-Identifier: MIT */
/* Small Poisson grids in fragments: grids are side by side in as many textures as their number
 * needs (tiles), and a step is a quad on each of them. */
#include <math.h>
#include <stdlib.h>

#include "lab/engines/common.h"
#include "lab/ops/poisson5_batch/poisson5_batch.h"
#include "lab/plan/plan.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/pingpong.h"
#include "toolkit/gl/step.h"

/* Texels of a tile at most, 64 MiB; drivers take a GiB at most for a texture. */
enum { MOST_TEXELS = 1 << 24 };

struct tile {
    struct qp_pingpong x;
    struct qp_texture rhs;
};

struct own {
    struct tile *tile;
    struct qp_step step;
};

static const struct qp_batch *batch_of(const struct qp_plan *plan)
{
    return &plan->layout.batch;
}

static size_t tile_floats(const struct qp_plan *plan)
{
    return qp_layout_values(&plan->layout) / (size_t)batch_of(plan)->tiles;
}

/* ---- Stage 2 ---- */

/* Arranges the grids in the least number of tiles that the device's limit allows, with about as
 * many grids across as up. */
static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    (void)desc;
    const int n = plan->problem->width;
    const struct qp_shape shape = plan->variant->recipe->state;
    struct qp_batch batch = {.rows = n, .columns = n};
    const struct qp_layout frame = qp_layout_make_batch(shape, batch);
    const int limit =
        qp_texture_limit(qp_context_device(plan->context), qp_gl_target(plan->target)) -
        qp_most(frame.storage_x, frame.sheet_y);
    if (limit < n)
        return qp_fail(QP_UNSUPPORTED, "needs textures of %d texels each way for a grid", n);
    batch.count = plan->problem->height / n;
    batch.across = qp_least(limit / n, (int)ceil(sqrt(batch.count)));
    const int rows = qp_groups_in(batch.count, batch.across);
    const int most_up = qp_least(limit / n, qp_most(MOST_TEXELS / (batch.across * n * n), 1));
    batch.tiles = qp_groups_in(rows, most_up);
    batch.up = qp_groups_in(rows, batch.tiles);
    plan->layout = qp_layout_make_batch(shape, batch);
    plan->input_layout[0] = qp_layout_make_batch(plan->variant->recipe->input[0].shape, batch);
    return QP_OK;
}

/* ---- Stage 3 ---- */

static enum qp_status make_tile(struct qp_plan *plan, int number)
{
    struct tile *tile = &((struct own *)plan->own)->tile[number];
    const size_t first = (size_t)number * tile_floats(plan);
    const GLenum target = qp_gl_target(plan->target);
    struct qp_batch one = *batch_of(plan);
    one.tiles = 1;
    const struct qp_layout layout = qp_layout_make_batch(plan->layout.shape, one);
    const enum qp_status status = qp_pingpong_create(plan->context, plan->pingpong, target, &layout,
                                                     (const float *)plan->texels + first,
                                                     (const float *)plan->empty + first, &tile->x);
    return status == QP_OK
               ? qp_texture_create(plan->context, target, layout.shape.format, layout.storage_x,
                                   layout.storage_y, (const float *)plan->input_texels[0] + first,
                                   &tile->rhs)
               : status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    const int tiles = batch_of(plan)->tiles;
    struct own *own = plan->own = qp_alloc_zero(1, sizeof *own, "a plan's OpenGL side");
    if (own == NULL)
        return QP_NO_MEMORY;
    own->tile = qp_alloc_zero((size_t)tiles, sizeof *own->tile, "the tiles of a batch");
    enum qp_status status = own->tile != NULL ? QP_OK : QP_NO_MEMORY;
    for (int t = 0; t < tiles && status == QP_OK; t++)
        status = make_tile(plan, t);
    return qp_end_upload(plan, status);
}

/* ---- Stages 5 and 6 ---- */

static const struct qp_uniform names[] = {{"x", QP_SAMPLER, 0},
                                          {"rhs", QP_SAMPLER, 0},
                                          {"origin", QP_VECTOR, 0},
                                          {"n", QP_FLOAT, 0},
                                          {0}};

static void list_tile(struct qp_plan *plan, int number, struct qp_passes *to)
{
    const struct own *own = plan->own;
    struct tile *tile = &own->tile[number];
    const struct qp_layout *layout = &plan->layout;
    const struct qp_step_value values[] = {{.texture = qp_pingpong_source(&tile->x)},
                                           {.texture = &tile->rhs},
                                           {.x = layout->origin_x, .y = layout->origin_y},
                                           {.x = plan->problem->width}};
    const struct qp_gl_pass pass = {
        .step = &own->step,
        .values = values,
        .surface = qp_passes_target(to, &tile->x),
        .x = layout->origin_x,
        .y = layout->origin_y,
        .width = layout->domain_x,
        .height = layout->domain_y,
        .geometry = qp_quad(0.0f, 0.0f, (float)layout->domain_x, (float)layout->domain_y)};
    qp_passes_add(to, &pass);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_parts(plan, list_tile, batch_of(plan)->tiles);
}

static void swap(struct qp_plan *plan)
{
    for (int t = 0; t < batch_of(plan)->tiles; t++)
        qp_pingpong_swap(&((struct own *)plan->own)->tile[t].x);
}

/* ---- Stage 4 ---- */

static enum qp_status draw_first_tile(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_tile, 0);
}

/* Warm-up draws go into the first tile, which is then as empty as it was. */
static enum qp_status program(struct qp_plan *plan)
{
    struct own *own = plan->own;
    const struct qp_program_source source = {
        .fragment = {.name = plan->variant->recipe->draw[0].fragment},
        .target = qp_gl_target(plan->target)};
    enum qp_status status = qp_step_make(plan->context, &source, names, &own->step);
    if (status == QP_OK)
        status = qp_warm_up(plan, draw_first_tile, qp_finish_gl);
    if (status == QP_OK)
        status = qp_pingpong_write(&own->tile[0].x, true, plan->empty);
    glFinish();
    return status;
}

/* ---- Stage 7 ---- */

static enum qp_status read_tiles(struct qp_plan *plan, bool target, void *texels)
{
    const struct own *own = plan->own;
    enum qp_status status = QP_OK;
    for (int t = 0; t < batch_of(plan)->tiles && status == QP_OK; t++)
        status = qp_pingpong_read(&own->tile[t].x, target,
                                  (float *)texels + (size_t)t * tile_floats(plan));
    return status;
}

static void destroy(struct qp_plan *plan)
{
    struct own *own = plan->own;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int t = 0; t < batch_of(plan)->tiles && own->tile != NULL; t++) {
        qp_pingpong_destroy(&own->tile[t].x);
        qp_texture_destroy(&own->tile[t].rhs);
    }
    free(own->tile);
}

static const struct qp_engine engine = {.arrange = arrange,
                                        .upload = upload,
                                        .program = program,
                                        .pass = pass,
                                        .swap = swap,
                                        .finish = qp_finish_gl,
                                        .read = read_tiles,
                                        .destroy = destroy,
                                        .limits = QP_LIMITS_OF_CUTS};

#define BLOCKS                                      \
    {                                               \
        .format = QP_R32F, .standing = QP_AS_BLOCKS \
    }

const struct qp_recipe qp_poisson5_batch_gl[] = {
    {.name = "poisson5_batch/blocks",
     .backend = QP_GL,
     .layout = "a block for each grid",
     .place = "ours: a quad a step",
     .sentence =
         "all grids in as few textures as hold them; a neighbour in another grid counts as 0",
     .needs = QP_CAN_PRECISE,
     .engine = &engine,
     .state = BLOCKS,
     .input = {QP_ARRAY("rhs", QP_POISSON5_BATCH_RHS, BLOCKS)},
     .draw = {{.fragment = "poisson5_batch/blocks.frag"}},
     .flops = 5},

    {0},
};
