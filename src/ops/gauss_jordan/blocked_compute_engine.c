/* SPDX-License-Identifier: MIT */
#include "ops/gauss_jordan/blocked_compute.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/watch.h"
#include "base/whole.h"
#include "engines/common.h"
#include "gl/queue.h"
#include "ops/gauss_jordan/blocked_compute_engine.h"
#include "ops/gauss_jordan/gauss_jordan.h"

/* Values of a tile of the product, each way. */
enum { TILE = 64 };

static const char *const shaders[QP_COMPUTE_PANEL + 1] = {
    "gauss_jordan/compute_start.comp",    "gauss_jordan/compute_lower.comp",
    "gauss_jordan/compute_product.comp",  "gauss_jordan/compute_upper.comp",
    "gauss_jordan/compute_identity.comp", "gauss_jordan/compute_panel.comp"};

static const struct qp_group groups[QP_COMPUTE_PANEL] = {
    {16, 16}, {64, 1}, {16, 16}, {64, 1}, {16, 16}};

static const struct qp_uniform names[QP_COMPUTE_NAMES + 1] = {
    {"a", QP_IMAGE, 0},      {"source", QP_IMAGE, 0}, {"panel", QP_IMAGE, 0},
    {"next", QP_IMAGE, 0},   {"moves", QP_IMAGE, 0},  {"origin", QP_VECTOR, 0},
    {"first", QP_VECTOR, 0}, {"end", QP_VECTOR, 0},   {"k", QP_INT, 0},
    {"n", QP_INT, 0},        {"columns", QP_INT, 0},  {"width", QP_INT, 0},
    {"next_end", QP_INT, 0}, {"back", QP_BOOL, 0}};

/* ---- Rooms 5 and 6 ---- */

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
    return step < QP_COMPUTE_PANEL
               ? groups[step]
               : (struct qp_group){qp_compute_choice(plan)->form[step - QP_COMPUTE_PANEL].group, 1};
}

static int number(const struct qp_plan *plan, enum qp_compute_name name)
{
    return (int)qp_compute_own(plan)->value[name].x;
}

/* So many invocations. */
static void dispatch(struct qp_plan *plan, int step, struct part part, int width, int height)
{
    struct qp_plan_blocked_compute *own = plan->own;
    if (part.x0 >= part.x1 || part.y0 >= part.y1)
        return; /* nothing below or right of the last block, or above the first */
    own->value[QP_COMPUTE_SOURCE].texture =
        step == QP_COMPUTE_START ? &own->start.texture : &own->panel[own->read].texture;
    own->value[QP_COMPUTE_READ].texture = &own->panel[own->read].texture;
    own->value[QP_COMPUTE_NEXT].texture = &own->panel[1 - own->read].texture;
    own->value[QP_COMPUTE_FIRST] = (struct qp_step_value){.x = part.x0, .y = part.y0};
    own->value[QP_COMPUTE_END] = (struct qp_step_value){.x = part.x1, .y = part.y1};
    qp_step_run(plan->context, &own->step[step], own->value,
                (struct qp_gl_pass){.width = width, .height = height});
}

/* Dispatches an invocation for each column; dispatch_values one for each value. */
static void dispatch_columns(struct qp_plan *plan, enum qp_compute_step step, struct part part)
{
    dispatch(plan, step, part, part.x1 - part.x0, 1);
}

static void dispatch_values(struct qp_plan *plan, enum qp_compute_step step, struct part part)
{
    dispatch(plan, step, part, part.x1 - part.x0, part.y1 - part.y0);
}

/* Dispatches a group for each tile, split into parts that an interrupt need not wait for long. */
static void dispatch_tiles(struct qp_plan *plan, struct part part, int next_end, bool back)
{
    struct qp_plan_blocked_compute *own = plan->own;
    const int across = qp_groups_in(part.x1 - part.x0, TILE), last = part.y1;
    const double most = floor(qp_queue_most_texels(plan->context) / ((double)across * TILE * TILE));
    own->value[QP_COMPUTE_NEXT_END].x = next_end;
    own->value[QP_COMPUTE_BACK].x = back;
    for (part.y1 = part.y0; part.y0 < last; part.y0 = part.y1) {
        const int left = qp_groups_in(last - part.y0, TILE),
                  up = left > most ? (int)fmax(1.0, most) : left;
        part.y1 = qp_least(part.y0 + up * TILE, last);
        dispatch(plan, QP_COMPUTE_PRODUCT, part, across * groups[QP_COMPUTE_PRODUCT].x,
                 up * groups[QP_COMPUTE_PRODUCT].y);
    }
}

/* Columns of the block that begins with column k. */
static int columns_at(const struct qp_plan *plan, int k)
{
    const int left = qp_gauss_jordan_unknowns(plan->problem) - k;
    return left > 0
               ? qp_least(left, qp_compute_choice(plan)->form[qp_compute_form(plan, left)].columns)
               : 0;
}

static void take_block(struct qp_plan *plan, int k, int columns)
{
    qp_compute_own(plan)->value[QP_COMPUTE_K].x = k;
    qp_compute_own(plan)->value[QP_COMPUTE_IN_BLOCK].x = columns;
}

static void eliminate_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked_compute *own = plan->own;
    const int n = number(plan, QP_COMPUTE_N), width = number(plan, QP_COMPUTE_WIDTH),
              form = qp_compute_form(plan, n - k);
    const int end = k + columns_at(plan, k);
    take_block(plan, k, end - k);
    dispatch(plan, QP_COMPUTE_PANEL + form, part(k, k, end, n),
             group_of(plan, QP_COMPUTE_PANEL + form).x, 1);
    own->read = 1 - own->read;
    dispatch_columns(plan, QP_COMPUTE_LOWER, part(end, k, width, end));
    dispatch_tiles(plan, part(end, end, width, n), end + columns_at(plan, end), false);
    own->read = 1 - own->read;
}

static void substitute_block(struct qp_plan *plan, int k)
{
    const int n = number(plan, QP_COMPUTE_N), width = number(plan, QP_COMPUTE_WIDTH),
              end = qp_least(k + qp_compute_choice(plan)->columns, n);
    take_block(plan, k, end - k);
    dispatch_columns(plan, QP_COMPUTE_UPPER, part(n, k, width, end));
    dispatch_tiles(plan, part(n, 0, width, k), 0, true);
}

/* First column of the next block; with `forms` of the next block of another form. */
static int next_block(const struct qp_plan *plan, int k, bool forms)
{
    const int n = qp_gauss_jordan_unknowns(plan->problem), next = k + columns_at(plan, k),
              form = qp_compute_form(plan, n - k);
    if (!forms || next >= n)
        return next;
    const int other = form > 0 ? n - qp_compute_height(plan, form - 1) : n;
    return next > other ? next : other;
}

/* Runs the whole elimination; with `forms` one block of each form, to compile and warm up. */
static void run(struct qp_plan *plan, bool forms)
{
    struct qp_plan_blocked_compute *own = plan->own;
    const int n = number(plan, QP_COMPUTE_N), width = number(plan, QP_COMPUTE_WIDTH),
              columns = qp_compute_choice(plan)->columns;
    own->read = 1;
    take_block(plan, 0, columns_at(plan, 0));
    dispatch_values(plan, QP_COMPUTE_START, part(0, 0, width, n));
    own->read = 0;
    for (int k = 0; k < n; k = next_block(plan, k, forms)) {
        const double left = (double)(n - k) / n; /* of rows, columns and blocks to come */
        if (qp_watch_leaves(1.0 - left * left * left))
            return;
        eliminate_block(plan, k);
    }
    for (int k = (n - 1) / columns * columns; k >= 0; k -= forms ? n : columns) {
        if (qp_watch_leaves(1.0))
            return;
        substitute_block(plan, k);
    }
    dispatch_values(plan, QP_COMPUTE_IDENTITY, part(0, 0, n, n));
}

static enum qp_status pass(struct qp_plan *plan)
{
    qp_compute_own(plan)->done = false;
    run(plan, false);
    return qp_watch_left() ? qp_watch_fail() : QP_OK;
}

static void swap(struct qp_plan *plan)
{
    qp_compute_own(plan)->done = true;
}

/* ---- Room 4 ---- */

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

/* Writes the definitions that go in front of a shader. */
static void write_head(const struct qp_plan *plan, int step, char *at, size_t size)
{
    const struct qp_panel_form block = {0, 1, qp_compute_choice(plan)->columns};
    const struct qp_panel_form *form =
        step < QP_COMPUTE_PANEL ? &block : &qp_compute_choice(plan)->form[step - QP_COMPUTE_PANEL];
    const char *const end = at + size;
    at += snprintf(at, size, "%s#define ROWS %d\n#define COLUMNS %d\n#define EACH_FOUR(F)",
                   has_subgroups(plan->context) ? "#define SUBGROUPS\n" : "", form->rows,
                   form->columns);
    for (int q = 0; q < form->columns / 4; q++)
        at += snprintf(at, (size_t)(end - at), " F(%d)", q);
    snprintf(at, (size_t)(end - at), "\n");
}

static enum qp_status make_step(struct qp_plan *plan, int step)
{
    char head[256];
    write_head(plan, step, head, sizeof head);
    const struct qp_program_source source = {
        .compute = {.name = shaders[qp_least(step, QP_COMPUTE_PANEL)], .head = head},
        .group = group_of(plan, step),
        .target = qp_gl_target(plan->target)};
    return qp_step_make(plan->context, &source, names, &qp_compute_own(plan)->step[step]);
}

static enum qp_status run_forms(struct qp_plan *plan)
{
    run(plan, true);
    return QP_OK;
}

/* A block of each form, and then all is as empty as it was. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    enum qp_status status = qp_warm_up(plan, run_forms, qp_finish_gl);
    qp_compute_poison(qp_compute_own(plan));
    if (status == QP_OK)
        status = qp_texture_upload(&qp_compute_own(plan)->matrix.texture, plan->empty);
    glFinish();
    return status;
}

/* Finds the programs of all steps, of panels only in the forms that the matrix's height needs. */
static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_blocked_compute *own = plan->own;
    const int steps =
        QP_COMPUTE_PANEL + qp_compute_form(plan, qp_gauss_jordan_unknowns(plan->problem)) + 1;
    enum qp_status status = QP_OK;
    for (int step = 0; step < steps && status == QP_OK; step++)
        status = make_step(plan, step);
    own->value[QP_COMPUTE_A].texture = &own->matrix.texture;
    own->value[QP_COMPUTE_MOVES].texture = &own->moves.texture;
    own->value[QP_COMPUTE_ORIGIN] =
        (struct qp_step_value){.x = plan->layout.origin_x, .y = plan->layout.origin_y};
    own->value[QP_COMPUTE_N].x = qp_gauss_jordan_unknowns(plan->problem);
    own->value[QP_COMPUTE_WIDTH].x = plan->problem->width;
    return status == QP_OK ? warm_up(plan) : status;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    (void)plan;
    return k <= QP_COMPUTE_PANEL ? shaders[k] : NULL;
}

static bool uses(const struct qp_variant *variant, const char *file)
{
    (void)variant;
    return strncmp(file, "gauss_jordan/compute_", 21) == 0;
}

const struct qp_engine qp_engine_blocked_compute = {.upload = qp_compute_upload,
                                                    .program = program,
                                                    .pass = pass,
                                                    .swap = swap,
                                                    .finish = qp_finish_gl,
                                                    .read = qp_compute_read,
                                                    .destroy = qp_compute_destroy,
                                                    .shader = shader,
                                                    .uses = uses};
