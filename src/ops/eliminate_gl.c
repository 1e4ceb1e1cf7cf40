/* SPDX-License-Identifier: MIT */
#include "ops/eliminate.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "gl/pingpong.h"
#include "gl/readback.h"
#include "ops/gauss_jordan.h"
#include "ops/problem.h"
#include "ops/reducer.h"

/* A texture of the engine's own that is drawn to. */
struct canvas {
    struct qp_texture texture;
    GLuint framebuffer_id;
};

/* A program with the places of its uniforms. */
struct step_program {
    struct qp_program *program;
    int a, factors, row, found, k, origin;
};

struct qp_plan_elimination {
    struct qp_pingpong pair;
    struct qp_texture start; /* the matrix as it came, for a second pass */
    struct canvas factors, row, pivots;
    struct qp_reducer search; /* for the pivot */
    struct step_program program[QP_ELIMINATION_DRAWS], copy, log;
    bool started; /* the source is no longer the start */
};

static GLenum gl_target(const struct qp_plan *plan)
{
    return plan->target == QP_2D ? GL_TEXTURE_2D : GL_TEXTURE_RECTANGLE_ARB;
}

static const struct qp_elimination *recipe_of(const struct qp_plan *plan)
{
    return plan->variant->recipe->elimination;
}

static int unknowns_of(const struct qp_plan *plan)
{
    return qp_gauss_jordan_unknowns(plan->problem);
}

/* ---- Room 3 ---- */

static enum qp_status make_canvas(struct qp_plan *plan, enum qp_format format, int width,
                                  int height, struct canvas *out)
{
    const struct qp_texture *const textures[] = {&out->texture};
    enum qp_status status = qp_texture_create(plan->context, gl_target(plan), format, width, height,
                                              NULL, &out->texture);
    return status != QP_OK
               ? status
               : qp_framebuffer_create(plan->context, textures, 1, &out->framebuffer_id);
}

static bool draws_into(const struct qp_elimination *elimination, enum qp_elimination_surface into)
{
    bool found = false;
    for (int i = 0; i < QP_ELIMINATION_DRAWS && elimination->draw[i].fragment != NULL; i++)
        found = found || elimination->draw[i].into == into;
    return found;
}

/* Factors and the pivot row stand as they do in the matrix, one texel wide and one high. */
static enum qp_status make_canvases(struct qp_plan *plan)
{
    const struct qp_elimination *elimination = recipe_of(plan);
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_elimination *own = plan->elimination;
    enum qp_format format = qp_format_widened(layout->shape.format);
    enum qp_status status = QP_OK;
    if (draws_into(elimination, QP_FACTORS))
        status = make_canvas(plan, format, 1, layout->storage_y, &own->factors);
    if (status == QP_OK && draws_into(elimination, QP_PIVOT_ROW))
        status = make_canvas(plan, format, layout->storage_x, 1, &own->row);
    if (status == QP_OK)
        status = make_canvas(plan, QP_RGBA32F, unknowns_of(plan), 1, &own->pivots);
    return status;
}

static enum qp_status make_search(struct qp_plan *plan)
{
    const struct qp_reducer_desc desc = {.reduction = QP_INDEX,
                                         .target = gl_target(plan),
                                         .format = plan->layout.shape.format,
                                         .width = 1,
                                         .height = plan->layout.domain_y};
    return qp_reducer_create(plan->context, &desc, &plan->elimination->search);
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_elimination *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of an elimination");
    plan->elimination = own;
    if (own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_pingpong_create(plan->context, plan->pingpong, gl_target(plan),
                                               layout, plan->texels, plan->empty, &own->pair);
    plan->pingpong = own->pair.style;
    if (status == QP_OK && plan->repeats)
        status = qp_texture_create(plan->context, gl_target(plan), layout->shape.format,
                                   layout->storage_x, layout->storage_y, plan->texels, &own->start);
    if (status == QP_OK)
        status = make_canvases(plan);
    if (status == QP_OK && recipe_of(plan)->pivots)
        status = make_search(plan);
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "room 3, upload") : status;
}

/* ---- Rooms 5 and 6 ---- */

/* The surface and the corner of what is drawn to, in texels of its own. */
static void set_surface(const struct qp_plan *plan, enum qp_elimination_surface into,
                        struct qp_pass *pass)
{
    struct qp_plan_elimination *own = plan->elimination;
    const struct qp_layout *layout = &plan->layout;
    pass->x = layout->origin_x;
    pass->y = layout->origin_y;
    pass->width = layout->domain_x;
    pass->height = layout->domain_y;
    switch (into) {
    case QP_FACTORS:
        pass->surface = (struct qp_surface){own->factors.framebuffer_id, GL_COLOR_ATTACHMENT0};
        pass->x = 0;
        pass->width = 1;
        break;
    case QP_PIVOT_ROW:
        pass->surface = (struct qp_surface){own->row.framebuffer_id, GL_COLOR_ATTACHMENT0};
        pass->y = 0;
        pass->height = 1;
        break;
    case QP_SOURCE:
        pass->surface = qp_pingpong_source_surface(&own->pair);
        break;
    default:
        pass->surface = qp_pingpong_surface(&own->pair);
    }
}

/* Columns stand in texels of `neighbours` values. */
static struct qp_geometry geometry_of(const struct qp_plan *plan, enum qp_part part, int k)
{
    const float width = (float)plan->layout.domain_x, height = (float)plan->layout.domain_y;
    const float row = (float)k, column = (float)(k / plan->layout.neighbours);
    switch (part) {
    case QP_ROW:
        return qp_quad(0.0f, row, width, row + 1.0f);
    case QP_ABOVE:
        return qp_quad(0.0f, 0.0f, width, row);
    case QP_BELOW:
        return qp_quad(0.0f, row + 1.0f, width, height);
    case QP_COLUMN:
        return qp_quad(column, 0.0f, column + 1.0f, height);
    case QP_RIGHT:
        return qp_quad(column, 0.0f, width, height);
    case QP_RIGHT_ROW:
        return qp_quad(column, row, width, row + 1.0f);
    case QP_RIGHT_ABOVE:
        return qp_quad(column, 0.0f, width, row);
    case QP_RIGHT_BELOW:
        return qp_quad(column, row + 1.0f, width, height);
    default:
        return qp_quad(0.0f, 0.0f, width, height);
    }
}

/* A column as wide as one texel and a row as high, wherever they are drawn to. */
static struct qp_geometry fit(struct qp_geometry geometry, enum qp_elimination_surface into)
{
    if (into == QP_FACTORS) {
        geometry.x0 = 0.0f;
        geometry.x1 = 1.0f;
    } else if (into == QP_PIVOT_ROW) {
        geometry.y0 = 0.0f;
        geometry.y1 = 1.0f;
    }
    return geometry;
}

static const struct qp_texture *texture_of(const struct qp_plan *plan,
                                           enum qp_elimination_surface from)
{
    const struct qp_plan_elimination *own = plan->elimination;
    switch (from) {
    case QP_TARGET:
        return qp_pingpong_target(&own->pair);
    case QP_FACTORS:
        return &own->factors.texture;
    case QP_PIVOT_ROW:
        return &own->row.texture;
    default:
        return qp_pingpong_source(&own->pair);
    }
}

/* Sets what the program asks for, binds what it reads, and draws. */
static void run(struct qp_plan *plan, const struct step_program *step, int k,
                const struct qp_texture *a, struct qp_pass *pass)
{
    const struct qp_plan_elimination *own = plan->elimination;
    const struct qp_layout *layout = &plan->layout;
    const struct {
        int location;
        const struct qp_texture *texture;
    } inputs[] = {{step->a, a},
                  {step->factors, &own->factors.texture},
                  {step->row, &own->row.texture},
                  {step->found, own->search.context ? qp_reducer_answer(&own->search) : NULL}};
    pass->program = step->program;
    qp_program_use(step->program);
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        if (inputs[i].location < 0)
            continue;
        qp_uniform_sampler(inputs[i].location, pass->textures);
        pass->texture[pass->textures++] = inputs[i].texture;
    }
    qp_uniform_vector(step->origin, layout->origin_x, layout->origin_y);
    qp_uniform_vector(step->k, layout->origin_x + k + 0.5, layout->origin_y + k + 0.5);
    qp_pass_draw(plan->context, pass);
}

static void draw(struct qp_plan *plan, int i, int k)
{
    const struct qp_elimination_draw *recipe = &recipe_of(plan)->draw[i];
    const struct qp_geometry geometry = fit(geometry_of(plan, recipe->part, k), recipe->into);
    struct qp_pass pass = {.geometry = geometry, .blend = recipe->blend};
    if (geometry.x0 >= geometry.x1 || geometry.y0 >= geometry.y1)
        return; /* no row above the first or below the last */
    set_surface(plan, recipe->into, &pass);
    run(plan, &plan->elimination->program[i], k, texture_of(plan, recipe->from), &pass);
}

/* One texel for every column: the pivot and how far below row k it was found. */
static void log_pivot(struct qp_plan *plan, int k)
{
    struct qp_plan_elimination *own = plan->elimination;
    struct qp_pass pass = {.surface = {own->pivots.framebuffer_id, GL_COLOR_ATTACHMENT0},
                           .width = unknowns_of(plan),
                           .height = 1,
                           .geometry = qp_quad((float)k, 0.0f, (float)k + 1.0f, 1.0f)};
    run(plan, &own->log, k, texture_of(plan, recipe_of(plan)->in_place ? QP_TARGET : QP_SOURCE),
        &pass);
}

static void copy_all(struct qp_plan *plan, const struct qp_texture *from,
                     enum qp_elimination_surface into)
{
    struct qp_pass pass = {.geometry = geometry_of(plan, QP_WHOLE, 0)};
    set_surface(plan, into, &pass);
    run(plan, &plan->elimination->copy, 0, from, &pass);
}

/* The largest element of column k from row k down. */
static enum qp_status search(struct qp_plan *plan, int k)
{
    const struct qp_layout *layout = &plan->layout;
    const struct qp_region region = {
        .x = texture_of(plan, recipe_of(plan)->in_place ? QP_TARGET : QP_SOURCE),
        .left = layout->origin_x + k,
        .bottom = layout->origin_y + k,
        .width = 1,
        .height = unknowns_of(plan) - k};
    return qp_reducer_draw(&plan->elimination->search, &region);
}

static enum qp_status eliminate_column(struct qp_plan *plan, int k)
{
    const struct qp_elimination *elimination = recipe_of(plan);
    enum qp_status status = elimination->pivots ? search(plan, k) : QP_OK;
    if (status != QP_OK)
        return status;
    log_pivot(plan, k);
    for (int i = 0; i < QP_ELIMINATION_DRAWS && elimination->draw[i].fragment != NULL; i++)
        draw(plan, i, k);
    return QP_OK;
}

/* All columns. The last step's target is left for room 6. */
static enum qp_status pass(struct qp_plan *plan)
{
    struct qp_plan_elimination *own = plan->elimination;
    const bool in_place = recipe_of(plan)->in_place;
    enum qp_status status = QP_OK;
    if (own->started)
        copy_all(plan, &own->start, QP_SOURCE);
    if (in_place)
        copy_all(plan, qp_pingpong_source(&own->pair), QP_TARGET);
    own->started = true;
    for (int k = 0; k < unknowns_of(plan) && status == QP_OK; k++) {
        if (k > 0 && !in_place)
            qp_pingpong_swap(&own->pair);
        status = eliminate_column(plan, k);
    }
    return status;
}

static void swap(struct qp_plan *plan)
{
    qp_pingpong_swap(&plan->elimination->pair);
}

static enum qp_status finish(struct qp_plan *plan)
{
    glFinish();
    return qp_gl_check(plan->context, "rooms 5 and 6, pass and swap");
}

/* ---- Room 4 ---- */

static enum qp_status find_program(struct qp_plan *plan, const char *fragment,
                                   struct step_program *out)
{
    enum qp_status status =
        qp_program_get(plan->context, NULL, fragment, gl_target(plan), &out->program);
    if (status != QP_OK)
        return status;
    out->a = qp_program_location(out->program, "a");
    out->factors = qp_program_location(out->program, "factors");
    out->row = qp_program_location(out->program, "row");
    out->found = qp_program_location(out->program, "found");
    out->k = qp_program_location(out->program, "k");
    out->origin = qp_program_location(out->program, "origin");
    return QP_OK;
}

/* Drivers finish compiling at the first draw: the first column is eliminated, or for as long as the
 * plan says, and then both textures are as they were. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_pingpong *pair = &plan->elimination->pair;
    double begin = qp_clock();
    enum qp_status status;
    copy_all(plan, qp_pingpong_source(pair), QP_TARGET);
    do {
        status = eliminate_column(plan, 0);
        glFinish();
    } while (status == QP_OK && qp_clock() - begin < plan->warm_seconds);
    if (status == QP_OK)
        status = qp_pingpong_write(pair, false, plan->texels);
    if (status == QP_OK)
        status = qp_pingpong_write(pair, true, plan->empty);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_elimination *elimination = recipe_of(plan);
    struct qp_plan_elimination *own = plan->elimination;
    enum qp_status status = find_program(plan, "gauss_jordan/copy.frag", &own->copy);
    if (status == QP_OK)
        status = find_program(
            plan, elimination->pivots ? "gauss_jordan/log_found.frag" : "gauss_jordan/log.frag",
            &own->log);
    for (int i = 0; i < QP_ELIMINATION_DRAWS && elimination->draw[i].fragment != NULL; i++) {
        if (status == QP_OK)
            status = find_program(plan, elimination->draw[i].fragment, &own->program[i]);
    }
    return status == QP_OK ? warm_up(plan) : status;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    return k < QP_ELIMINATION_DRAWS ? recipe_of(plan)->draw[k].fragment : NULL;
}

/* ---- Room 7 ---- */

static enum qp_status read_pivots(struct qp_plan *plan)
{
    const int n = unknowns_of(plan);
    struct qp_surface surface = {plan->elimination->pivots.framebuffer_id, GL_COLOR_ATTACHMENT0};
    float *texels = qp_alloc_floats(4 * (size_t)n, "the pivots");
    if (texels == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_readback(plan->context, surface, QP_RGBA32F, 0, 0, n, 1, texels);
    if (status == QP_OK)
        status = qp_gauss_jordan_take_pivots(plan, texels, recipe_of(plan)->pivots);
    free(texels);
    return status;
}

static enum qp_status read_matrix(struct qp_plan *plan, bool target, float *texels)
{
    enum qp_status status = qp_pingpong_read(&plan->elimination->pair, target, texels);
    if (status == QP_OK && !target && plan->elimination->started && !plan->variant->recipe->bound)
        status = read_pivots(plan);
    return status;
}

static void destroy_canvas(const struct qp_plan *plan, struct canvas *canvas)
{
    qp_framebuffer_destroy(plan->context, &canvas->framebuffer_id);
    qp_texture_destroy(&canvas->texture);
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_elimination *own = plan->elimination;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    qp_reducer_destroy(&own->search);
    destroy_canvas(plan, &own->factors);
    destroy_canvas(plan, &own->row);
    destroy_canvas(plan, &own->pivots);
    qp_texture_destroy(&own->start);
    qp_pingpong_destroy(&own->pair);
    free(own);
    plan->elimination = NULL;
}

const struct qp_engine qp_engine_eliminate = {.upload = upload,
                                              .program = program,
                                              .pass = pass,
                                              .swap = swap,
                                              .finish = finish,
                                              .read = read_matrix,
                                              .destroy = destroy,
                                              .shader = shader};
