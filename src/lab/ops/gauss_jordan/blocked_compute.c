/* SPDX-License-Identifier: MIT */
/* Elimination by blocks in compute shaders. Of each block
 *
 *     panel      one group factors the block's columns, rows in its registers, and finds their
 *                pivots; it writes U, and which rows change places
 *     lower      rows are exchanged in what is right of the block, and the pivots' rows become
 *                those of U by substitution with L
 *     product    in tiles; the next block's columns go to the other panel
 *
 * In the end the identity is left of x. The matrix is stored in one texture, one value a texel,
 * and is eliminated in place: a compute shader may read and write the same image, with a barrier
 * between any two of them. A panel's columns lie on their sides, so that neighbouring
 * invocations, which have neighbouring rows, read neighbouring texels. */
#include <math.h>
#include <stdio.h>

#include "lab/ops/gauss_jordan/blocked_engine.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/queue.h"

/* Values of a tile of the product, each way. */
enum { TILE = 64 };

/* Texel rows of the log: rows exchanged and pivots, and the moves of rows. */
enum { LOG_ROWS = 4 };

/* Steps that are dispatched; panels in as many forms. */
enum step { START, LOWER, PRODUCT, UPPER, IDENTITY, PANEL };

/* Names in shaders: the engine's numbers, then images, the part of the matrix, other numbers. */
enum name {
    A = QP_BLOCKED_COMMON,
    SOURCE, /* the matrix as it came, or a panel */
    READ,   /* a panel */
    NEXT,   /* the other one */
    MOVES,
    ORIGIN,
    FIRST,
    END,
    WIDTH,
    NEXT_END,
    BACK,
    NAMES
};

static const char *const shaders[PANEL + 1] = {
    "gauss_jordan/compute_start.comp",    "gauss_jordan/compute_lower.comp",
    "gauss_jordan/compute_product.comp",  "gauss_jordan/compute_upper.comp",
    "gauss_jordan/compute_identity.comp", "gauss_jordan/compute_panel.comp"};

static const struct qp_group groups[PANEL] = {{16, 16}, {64, 1}, {16, 16}, {64, 1}, {16, 16}};

static const struct qp_uniform names[NAMES + 1] = {
    {"k", QP_INT, 0},        {"columns", QP_INT, 0},  {"n", QP_INT, 0},
    {"a", QP_IMAGE, 0},      {"source", QP_IMAGE, 0}, {"panel", QP_IMAGE, 0},
    {"next", QP_IMAGE, 0},   {"moves", QP_IMAGE, 0},  {"origin", QP_VECTOR, 0},
    {"first", QP_VECTOR, 0}, {"end", QP_VECTOR, 0},   {"width", QP_INT, 0},
    {"next_end", QP_INT, 0}, {"back", QP_BOOL, 0}};

static enum qp_status make(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    enum qp_status status = QP_OK;
    for (int i = 0; i < 3 && status == QP_OK; i++)
        status =
            qp_render_texture_create(plan->context, qp_gl_target(plan->target), QP_R32F,
                                     own->unknowns, i < 2 ? qp_blocked_columns(plan) : LOG_ROWS, 0,
                                     NULL, i < 2 ? &own->panel[i] : &own->log);
    return status;
}

/* ---- Stages 5 and 6 ---- */

/* A part of the matrix: half-open ranges of columns and rows. */
struct part {
    int x0, y0, x1, y1;
};

static struct part part(int x0, int y0, int x1, int y1)
{
    return (struct part){x0, y0, x1, y1};
}

static struct qp_group group_of(const struct qp_plan *plan, int step)
{
    return step < PANEL ? groups[step]
                        : (struct qp_group){qp_blocked_forms(plan)[step - PANEL].group, 1};
}

/* Lists width x height invocations. */
static void dispatch(struct qp_plan *plan, int step, struct part part, int width, int height)
{
    struct qp_plan_blocked *own = plan->own;
    const struct qp_texture *read = &own->panel[1 - own->target].texture;
    if (part.x0 >= part.x1 || part.y0 >= part.y1)
        return; /* nothing below or right of the last block, or above the first */
    own->value[SOURCE].texture = step == START ? &own->start.texture : read;
    own->value[READ].texture = read;
    own->value[NEXT].texture = &own->panel[own->target].texture;
    own->value[FIRST] = (struct qp_step_value){.x = part.x0, .y = part.y0};
    own->value[END] = (struct qp_step_value){.x = part.x1, .y = part.y1};
    qp_passes_add(own->to, &(struct qp_gl_pass){.step = &own->step[step],
                                                .values = own->value,
                                                .width = width,
                                                .height = height});
}

/* Dispatches an invocation for each value, or for each column where groups are rows. */
static void dispatch_values(struct qp_plan *plan, enum step step, struct part part)
{
    dispatch(plan, step, part, part.x1 - part.x0, groups[step].y > 1 ? part.y1 - part.y0 : 1);
}

/* Dispatches a group for each tile, split into parts that an interrupt need not wait for long. */
static void dispatch_tiles(struct qp_plan *plan, struct part part, int next_end, bool back)
{
    struct qp_plan_blocked *own = plan->own;
    const int across = qp_groups_in(part.x1 - part.x0, TILE), last = part.y1;
    const double most = floor(qp_queue_most_texels(plan->context) / ((double)across * TILE * TILE));
    own->value[NEXT_END].x = next_end;
    own->value[BACK].x = back;
    for (part.y1 = part.y0; part.y0 < last; part.y0 = part.y1) {
        const int left = qp_groups_in(last - part.y0, TILE),
                  up = left > most ? (int)fmax(1.0, most) : left;
        part.y1 = qp_least(part.y0 + up * TILE, last);
        dispatch(plan, PRODUCT, part, across * groups[PRODUCT].x, up * groups[PRODUCT].y);
    }
}

static void begin(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    own->target = 0;
    own->value[A].texture = &own->answer.texture;
    own->value[MOVES].texture = &own->log.texture;
    own->value[ORIGIN] =
        (struct qp_step_value){.x = plan->layout.origin_x, .y = plan->layout.origin_y};
    own->value[WIDTH].x = own->width;
    dispatch_values(plan, START, part(0, 0, own->width, own->unknowns));
    own->target = 1;
}

static void panel(struct qp_plan *plan, struct qp_column_block block)
{
    struct qp_plan_blocked *own = plan->own;
    const int n = own->unknowns, step = PANEL + qp_blocked_form(plan, n - block.k);
    dispatch(plan, step, part(block.k, block.k, block.end, n), group_of(plan, step).x, 1);
    own->target = 1 - own->target;
}

static void lower(struct qp_plan *plan, struct qp_column_block block)
{
    dispatch_values(plan, LOWER, part(block.end, block.k, qp_blocked_own(plan)->width, block.end));
}

static void product(struct qp_plan *plan, struct qp_column_block block)
{
    struct qp_plan_blocked *own = plan->own;
    dispatch_tiles(plan, part(block.end, block.end, own->width, own->unknowns), block.next_end,
                   false);
    own->target = 1 - own->target;
}

static void upper(struct qp_plan *plan, struct qp_column_block block)
{
    const struct qp_plan_blocked *own = plan->own;
    dispatch_values(plan, UPPER, part(own->unknowns, block.k, own->width, block.end));
}

static void back(struct qp_plan *plan, struct qp_column_block block)
{
    const struct qp_plan_blocked *own = plan->own;
    dispatch_tiles(plan, part(own->unknowns, 0, own->width, block.k), 0, true);
}

static void end(struct qp_plan *plan)
{
    const int n = qp_blocked_own(plan)->unknowns;
    dispatch_values(plan, IDENTITY, part(0, 0, n, n));
}

/* ---- Stage 4 ---- */

/* True if shaders can take the maximum over subgroups of 32 invocations. */
static bool has_subgroups(struct qp_context *context)
{
    enum { SUBGROUP_SIZE = 0x9532, SUBGROUP_STAGES = 0x9533, SUBGROUP_FEATURES = 0x9534 };
    enum { ARITHMETIC = 4, WANTED = 32 };
    GLint size = 0, stages = 0, features = 0;
    if (!qp_context_has(context, "GL_KHR_shader_subgroup"))
        return false;
    glGetIntegerv(SUBGROUP_SIZE, &size);
    glGetIntegerv(SUBGROUP_STAGES, &stages);
    glGetIntegerv(SUBGROUP_FEATURES, &features);
    return size == WANTED && (stages & GL_COMPUTE_SHADER_BIT) != 0 && (features & ARITHMETIC) != 0;
}

static void describe(const struct qp_plan *plan, int step, char *head,
                     struct qp_program_source *source)
{
    const struct qp_panel_form block = {0, 1, qp_blocked_columns(plan)};
    const struct qp_panel_form *form =
        step < PANEL ? &block : &qp_blocked_forms(plan)[step - PANEL];
    const char *const end = head + QP_BLOCKED_HEAD;
    source->compute = (struct qp_source){.name = shaders[qp_least(step, PANEL)], .head = head};
    source->group = group_of(plan, step);
    head += snprintf(
        head, QP_BLOCKED_HEAD, "%s#define ROWS %d\n#define COLUMNS %d\n#define EACH_FOUR(F)",
        has_subgroups(plan->context) ? "#define SUBGROUPS\n" : "", form->rows, form->columns);
    for (int q = 0; q < form->columns / 4; q++)
        head += snprintf(head, (size_t)(end - head), " F(%d)", q);
    snprintf(head, (size_t)(end - head), "\n");
}

/* Number of steps: panels only in the forms that the matrix's height needs. */
static int steps(const struct qp_plan *plan)
{
    return PANEL + qp_blocked_form(plan, qp_blocked_own(plan)->unknowns) + 1;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    (void)plan;
    return k <= PANEL ? shaders[k] : NULL;
}

const struct qp_blocked_actions qp_blocked_dispatched = {.shaders = "gauss_jordan/compute_",
                                                         .names = names,
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
                                                         .shader = shader};
