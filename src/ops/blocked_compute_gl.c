/* SPDX-License-Identifier: MIT */
#include "ops/blocked_compute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "gl/framebuffer.h"
#include "gl/pass.h"
#include "gl/readback.h"
#include "ops/gauss_jordan.h"
#include "ops/problem.h"

/* Values of a tile of the product, each way. */
enum { TILE = 64 };

/* What is dispatched; panels in as many forms. */
enum step { START, LOWER, PRODUCT, UPPER, IDENTITY, PANEL, STEPS = PANEL + QP_PANEL_FORMS };

static const char *const shaders[PANEL + 1] = {
    "gauss_jordan/compute_start.comp",    "gauss_jordan/compute_lower.comp",
    "gauss_jordan/compute_product.comp",  "gauss_jordan/compute_upper.comp",
    "gauss_jordan/compute_identity.comp", "gauss_jordan/compute_panel.comp"};

static const struct qp_group groups[PANEL] = {{16, 16}, {64, 1}, {16, 16}, {64, 1}, {16, 16}};

/* Texel rows of what a panel tells: the log, rows exchanged and pivots, and who goes where. */
enum { MOVES = 4, LOGGED = 2 };

enum number { K, N, IN_BLOCK, WIDTH, NEXT_END, BACK, NUMBERS };
static const char *const number_names[NUMBERS] = {"k", "n", "columns", "width", "next_end", "back"};

struct program {
    struct qp_program *program;
    int origin, first, end, number[NUMBERS];
};

/* A texture and a framebuffer object to fill it and to read it back by. */
struct array {
    struct qp_texture texture;
    GLuint framebuffer_id;
};

struct qp_plan_blocked_compute {
    struct array start,
        matrix; /* standing as the plan's layout says; x comes to be in the latter */
    struct array panel[2], moves;
    struct program program[STEPS];
    int number[NUMBERS];
    int read; /* the panel that is read; the other one is written */
    bool done;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int groups_of(int count, int of)
{
    return (count + of - 1) / of;
}

static int unknowns(const struct qp_plan *plan)
{
    return qp_gauss_jordan_unknowns(plan->problem);
}

/* GPUs have registers for 32 columns, and wide blocks are fewer dispatches. Software has neither,
 * and takes long to compile what is unrolled. */
static const struct qp_blocked_compute software = {
    8, {{64, 1, 8}, {256, 1, 8}, {1024, 1, 8}, {1024, 2, 8}, {1024, 4, 8}, {1024, 8, 4}}};

static const struct qp_blocked_compute *choice(const struct qp_plan *plan)
{
    return qp_context_device(plan->context)->software ? &software
                                                      : plan->variant->recipe->blocked_compute;
}

static int height_of(const struct qp_plan *plan, int form)
{
    return choice(plan)->form[form].group * choice(plan)->form[form].rows;
}

/* The form of a panel so high; QP_PANEL_FORMS if there is none. */
static int form_of(const struct qp_plan *plan, int rows)
{
    int form = 0;
    while (form < QP_PANEL_FORMS && height_of(plan, form) < rows)
        form++;
    return form;
}

/* ---- Room 2 ---- */

static enum qp_status arrange(struct qp_plan *plan)
{
    if (form_of(plan, unknowns(plan)) < QP_PANEL_FORMS)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "factors columns of at most %d rows in the registers of one group, and these "
                   "have %d; take gauss_jordan/blocked",
                   height_of(plan, QP_PANEL_FORMS - 1), unknowns(plan));
}

/* ---- Room 3 ---- */

static enum qp_status make_array(struct qp_plan *plan, int width, int height, const float *texels,
                                 struct array *out)
{
    const struct qp_texture *const textures[] = {&out->texture};
    enum qp_status status = qp_texture_create(plan->context, qp_gl_target(plan->target), QP_R32F,
                                              width, height, texels, &out->texture);
    return status == QP_OK ? qp_framebuffer_create(plan->context, textures, 1, &out->framebuffer_id)
                           : status;
}

/* What was never computed is no number. */
static void poison(const struct qp_plan_blocked_compute *own)
{
    for (int i = 0; i < 2; i++)
        qp_framebuffer_fill(own->panel[i].framebuffer_id, 1, NAN);
    qp_framebuffer_fill(own->moves.framebuffer_id, 1, NAN);
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_blocked_compute *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of a blocked elimination");
    plan->blocked_compute = own;
    if (own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status =
        make_array(plan, layout->storage_x, layout->storage_y, plan->texels, &own->start);
    if (status == QP_OK)
        status = make_array(plan, layout->storage_x, layout->storage_y, plan->empty, &own->matrix);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = make_array(plan, unknowns(plan), choice(plan)->columns, NULL, &own->panel[i]);
    if (status == QP_OK)
        status = make_array(plan, unknowns(plan), MOVES, NULL, &own->moves);
    if (status == QP_OK)
        poison(own);
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "room 3, upload") : status;
}

/* ---- Rooms 5 and 6 ---- */

/* Columns and rows of the matrix, from the first up to before the end. */
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
                        : (struct qp_group){choice(plan)->form[step - PANEL].group, 1};
}

/* So many invocations. The panel that is read may be the matrix as it came. */
static void dispatch(struct qp_plan *plan, int step, struct part part, int width, int height,
                     const struct array *read)
{
    const struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const struct program *program = &own->program[step];
    const struct qp_pass pass = {.program = program->program,
                                 .width = width,
                                 .height = height,
                                 .group = group_of(plan, step),
                                 .image = {&own->matrix.texture, &read->texture,
                                           &own->panel[1 - own->read].texture, &own->moves.texture},
                                 .written = 4};
    if (part.x0 >= part.x1 || part.y0 >= part.y1)
        return; /* nothing below or right of the last block, or above the first */
    qp_program_use(program->program);
    qp_uniform_vector(program->origin, plan->layout.origin_x, plan->layout.origin_y);
    qp_uniform_vector(program->first, part.x0, part.y0);
    qp_uniform_vector(program->end, part.x1, part.y1);
    for (int i = 0; i < NUMBERS; i++)
        qp_uniform_int(program->number[i], own->number[i]);
    qp_pass_dispatch(plan->context, &pass);
}

static const struct array *panel(const struct qp_plan *plan)
{
    return &plan->blocked_compute->panel[plan->blocked_compute->read];
}

/* An invocation for each column, and for each value. */
static void dispatch_columns(struct qp_plan *plan, enum step step, struct part part)
{
    dispatch(plan, step, part, part.x1 - part.x0, 1, panel(plan));
}

static void dispatch_values(struct qp_plan *plan, enum step step, struct part part,
                            const struct array *read)
{
    dispatch(plan, step, part, part.x1 - part.x0, part.y1 - part.y0, read);
}

/* A group for each tile. */
static void dispatch_tiles(struct qp_plan *plan, struct part part, int next_end, bool back)
{
    struct qp_plan_blocked_compute *own = plan->blocked_compute;
    own->number[NEXT_END] = next_end;
    own->number[BACK] = back;
    dispatch(plan, PRODUCT, part, groups_of(part.x1 - part.x0, TILE) * groups[PRODUCT].x,
             groups_of(part.y1 - part.y0, TILE) * groups[PRODUCT].y, panel(plan));
}

/* Columns of the block that begins with column k. */
static int columns_at(const struct qp_plan *plan, int k)
{
    const int left = unknowns(plan) - k;
    return left > 0 ? least(left, choice(plan)->form[form_of(plan, left)].columns) : 0;
}

static void take_block(struct qp_plan *plan, int k, int columns)
{
    plan->blocked_compute->number[K] = k;
    plan->blocked_compute->number[IN_BLOCK] = columns;
}

static void eliminate_block(struct qp_plan *plan, int k)
{
    struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const int n = own->number[N], width = own->number[WIDTH], form = form_of(plan, n - k);
    const int end = k + columns_at(plan, k);
    take_block(plan, k, end - k);
    dispatch(plan, PANEL + form, part(k, k, end, n), group_of(plan, PANEL + form).x, 1,
             panel(plan));
    own->read = 1 - own->read;
    dispatch_columns(plan, LOWER, part(end, k, width, end));
    dispatch_tiles(plan, part(end, end, width, n), end + columns_at(plan, end), false);
    own->read = 1 - own->read;
}

static void substitute_block(struct qp_plan *plan, int k)
{
    const struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const int n = own->number[N], width = own->number[WIDTH],
              end = least(k + choice(plan)->columns, n);
    take_block(plan, k, end - k);
    dispatch_columns(plan, UPPER, part(n, k, width, end));
    dispatch_tiles(plan, part(n, 0, width, k), 0, true);
}

/* The block after this one; or the first one with another form. */
static int next_block(const struct qp_plan *plan, int k, bool forms)
{
    const int n = unknowns(plan), next = k + columns_at(plan, k), form = form_of(plan, n - k);
    if (!forms || next >= n)
        return next;
    const int other = form > 0 ? n - height_of(plan, form - 1) : n;
    return next > other ? next : other;
}

/* All from the start; or a block of each form, which says nothing but how long it takes. */
static void run(struct qp_plan *plan, bool forms)
{
    struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const int n = own->number[N], width = own->number[WIDTH], columns = choice(plan)->columns;
    own->read = 1;
    take_block(plan, 0, columns_at(plan, 0));
    dispatch_values(plan, START, part(0, 0, width, n), &own->start);
    own->read = 0;
    for (int k = 0; k < n; k = next_block(plan, k, forms))
        eliminate_block(plan, k);
    for (int k = (n - 1) / columns * columns; k >= 0; k -= forms ? n : columns)
        substitute_block(plan, k);
    dispatch_values(plan, IDENTITY, part(0, 0, n, n), panel(plan));
}

static enum qp_status pass(struct qp_plan *plan)
{
    plan->blocked_compute->done = false;
    run(plan, false);
    return QP_OK;
}

static void swap(struct qp_plan *plan)
{
    plan->blocked_compute->done = true;
}

static enum qp_status finish(struct qp_plan *plan)
{
    glFinish();
    return qp_gl_check(plan->context, "rooms 5 and 6, pass and swap");
}

/* ---- Room 4 ---- */

/* Where 32 invocations of a group can tell each other the largest of their numbers. */
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

/* What shaders ask for in front of them. */
static void write_head(const struct qp_plan *plan, int step, char *at, size_t size)
{
    const struct qp_panel_form block = {0, 1, choice(plan)->columns};
    const struct qp_panel_form *form = step < PANEL ? &block : &choice(plan)->form[step - PANEL];
    const char *const end = at + size;
    at += snprintf(at, size, "%s#define ROWS %d\n#define COLUMNS %d\n#define EACH_FOUR(F)",
                   has_subgroups(plan->context) ? "#define SUBGROUPS\n" : "", form->rows,
                   form->columns);
    for (int q = 0; q < form->columns / 4; q++)
        at += snprintf(at, (size_t)(end - at), " F(%d)", q);
    snprintf(at, (size_t)(end - at), "\n");
}

static enum qp_status find_program(struct qp_plan *plan, int step, struct program *out)
{
    char head[256];
    write_head(plan, step, head, sizeof head);
    const struct qp_source source = {.name = shaders[least(step, PANEL)], .head = head};
    const struct qp_group group = group_of(plan, step);
    enum qp_status status = qp_program_make_compute(
        plan->context, &source, qp_gl_target(plan->target), group, &out->program);
    if (status != QP_OK)
        return status;
    out->origin = qp_program_location(out->program, "origin");
    out->first = qp_program_location(out->program, "first");
    out->end = qp_program_location(out->program, "end");
    for (int i = 0; i < NUMBERS; i++)
        out->number[i] = qp_program_location(out->program, number_names[i]);
    return QP_OK;
}

/* Drivers finish compiling at the first dispatch: a block of each form, or for as long as the plan
 * says, and then all is as empty as it was. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    const double begin = qp_clock();
    do {
        run(plan, true);
        glFinish();
    } while (qp_clock() - begin < plan->warm_seconds);
    poison(plan->blocked_compute);
    enum qp_status status = qp_texture_upload(&plan->blocked_compute->matrix.texture, plan->empty);
    glFinish();
    return status;
}

/* The program of any step but a panel, or of a panel no higher than the matrix. */
static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const int steps = PANEL + form_of(plan, unknowns(plan)) + 1;
    enum qp_status status = QP_OK;
    for (int step = 0; step < steps && status == QP_OK; step++)
        status = find_program(plan, step, &own->program[step]);
    own->number[N] = unknowns(plan);
    own->number[WIDTH] = plan->problem->width;
    return status == QP_OK ? warm_up(plan) : status;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    (void)plan;
    return k <= PANEL ? shaders[k] : NULL;
}

/* ---- Room 7 ---- */

/* The log, as other rows write theirs: pivots, and rows from row k on. */
static enum qp_status read_pivots(struct qp_plan *plan)
{
    const struct qp_surface surface = {plan->blocked_compute->moves.framebuffer_id,
                                       GL_COLOR_ATTACHMENT0};
    const int n = unknowns(plan);
    float *log = qp_alloc_floats((size_t)(LOGGED + 4) * (size_t)n, "the pivots");
    if (log == NULL)
        return QP_NO_MEMORY;
    float *texels = log + LOGGED * n;
    enum qp_status status = qp_readback(plan->context, surface, QP_R32F, 0, 0, n, LOGGED, log);
    for (int k = 0; k < n; k++) {
        texels[4 * k] = log[n + k];
        texels[4 * k + 2] = log[k] - (float)k;
    }
    if (status == QP_OK)
        status = qp_gauss_jordan_take_pivots(plan, texels, true);
    free(log);
    return status;
}

static enum qp_status read_array(struct qp_plan *plan, bool target, float *texels)
{
    const struct qp_plan_blocked_compute *own = plan->blocked_compute;
    const struct array *array = target == own->done ? &own->start : &own->matrix;
    const struct qp_surface surface = {array->framebuffer_id, GL_COLOR_ATTACHMENT0};
    enum qp_status status = qp_readback(plan->context, surface, QP_R32F, 0, 0, array->texture.width,
                                        array->texture.height, texels);
    return status == QP_OK && own->done && !target ? read_pivots(plan) : status;
}

static void destroy_array(const struct qp_plan *plan, struct array *array)
{
    qp_framebuffer_destroy(plan->context, &array->framebuffer_id);
    qp_texture_destroy(&array->texture);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_blocked_compute *own = plan->blocked_compute;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < 2; i++)
        destroy_array(plan, &own->panel[i]);
    destroy_array(plan, &own->start);
    destroy_array(plan, &own->matrix);
    destroy_array(plan, &own->moves);
    free(own);
    plan->blocked_compute = NULL;
}

const struct qp_engine qp_engine_blocked_compute = {.arrange = arrange,
                                                    .upload = upload,
                                                    .program = program,
                                                    .pass = pass,
                                                    .swap = swap,
                                                    .finish = finish,
                                                    .read = read_array,
                                                    .destroy = destroy,
                                                    .shader = shader};
