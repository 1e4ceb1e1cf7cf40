/* SPDX-License-Identifier: MIT */
/* Room 3 of an elimination by columns: textures of the matrix (two), of columns and rows and, if
 * asked for, of the log of pivots; and the part of them that a draw covers. */
#include <stdlib.h>

#include "ops/gauss_jordan/columns_engine.h"
#include "ops/gauss_jordan/gauss_jordan.h"

/* ---- Upload ---- */

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
        found = found || (draw->fragment != NULL && draw->into == into);
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
        if (draws_into(qp_elimination_row(plan), (enum qp_elimination_surface)i))
            status =
                layout->square > 0
                    ? make_canvas(plan, format, layout->square, layout->square, &own->canvas[i])
                    : make_canvas(plan, format, column ? 1 : layout->storage_x,
                                  column ? layout->storage_y : 1, &own->canvas[i]);
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
    return qp_reducer_create(plan->context, &desc, &qp_elimination_own(plan)->search);
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
                                   &qp_elimination_own(plan)->start[i]);
    return status;
}

static enum qp_status make_strips(struct qp_plan *plan)
{
    struct qp_gl_pass whole = {0};
    qp_elimination_aim(plan, QP_SURFACE_TARGET, QP_PART_WHOLE, 0, &whole);
    whole.geometry = qp_quad_strips(whole.geometry, plan->block);
    return qp_strips_create(plan->context, &whole.geometry, &qp_elimination_own(plan)->strips);
}

enum qp_status qp_elimination_upload(struct qp_plan *plan)
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
    if (status == QP_OK && qp_elimination_row(plan)->pivots)
        status = make_search(plan);
    if (status == QP_OK && qp_elimination_row(plan)->blocks == QP_BLOCKS_STORED)
        status = make_strips(plan);
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "room 3, upload") : status;
}

void qp_elimination_destroy(struct qp_plan *plan)
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
    free(own);
    plan->own = NULL;
}

/* ---- The part that a draw covers ---- */

static void take_rows(enum qp_part part, float k, struct qp_geometry *geometry)
{
    switch (part & QP_PART_ROWS) {
    case QP_PART_ROW:
        geometry->y0 = k;
        geometry->y1 = k + 1.0f;
        break;
    case QP_PART_ABOVE:
        geometry->y1 = k;
        break;
    case QP_PART_BELOW:
        geometry->y0 = k + 1.0f;
    }
}

/* Sets the columns of a part; `k` and `rhs` are column k and the first column of b, in texels. */
static void take_columns(enum qp_part part, float k, float rhs, struct qp_geometry *geometry)
{
    switch (part & QP_PART_COLUMNS) {
    case QP_PART_COLUMN:
        geometry->x0 = k;
        geometry->x1 = k + 1.0f;
        break;
    case QP_PART_RIGHT:
        geometry->x0 = k;
        break;
    case QP_PART_BEHIND:
        geometry->x0 = k + 1.0f;
        geometry->x1 = rhs;
        break;
    case QP_PART_RHS:
        geometry->x0 = rhs;
    }
}

/* Sets the part where each row is a square of texels: row k's square, or the whole domain. */
static void take_square(const struct qp_layout *layout, enum qp_part part, int k,
                        struct qp_geometry *geometry)
{
    int x, y;
    if (part != QP_PART_ROW)
        return;
    qp_layout_place(layout, 0, k, &x, &y);
    geometry->x0 = (float)(x - layout->origin_x);
    geometry->y0 = (float)(y - layout->origin_y);
    geometry->x1 = geometry->x0 + (float)layout->square;
    geometry->y1 = geometry->y0 + (float)layout->square;
}

/* Fits the part to a surface of one column, one row or one square. */
static void fit(enum qp_elimination_surface into, int square, struct qp_gl_pass *pass)
{
    if (into > QP_SURFACE_TARGET && square > 0) {
        pass->x = pass->y = 0;
        pass->width = pass->height = square;
        pass->geometry = qp_quad(0.0f, 0.0f, (float)square, (float)square);
        return;
    }
    if (into == QP_SURFACE_FACTORS) {
        pass->x = 0;
        pass->width = 1;
        pass->geometry.x0 = 0.0f;
        pass->geometry.x1 = 1.0f;
    } else if (into == QP_SURFACE_PIVOT_ROW || into == QP_SURFACE_OTHER_ROW) {
        pass->y = 0;
        pass->height = 1;
        pass->geometry.y0 = 0.0f;
        pass->geometry.y1 = 1.0f;
    }
}

static struct qp_surface surface_of(const struct qp_plan *plan, enum qp_elimination_surface into)
{
    struct qp_plan_elimination *own = plan->own;
    if (into == QP_SURFACE_SOURCE)
        return qp_pingpong_source_surface(&own->pair);
    if (into == QP_SURFACE_TARGET)
        return qp_pingpong_surface(&own->pair);
    return (struct qp_surface){own->canvas[into].framebuffer_id, GL_COLOR_ATTACHMENT0};
}

bool qp_elimination_aim(const struct qp_plan *plan, enum qp_elimination_surface into,
                        enum qp_part part, int k, struct qp_gl_pass *pass)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_geometry *at = &pass->geometry;
    pass->surface = surface_of(plan, into);
    pass->targets = into <= QP_SURFACE_TARGET ? layout->sheets : 1;
    pass->x = layout->origin_x;
    pass->y = layout->origin_y;
    pass->width = layout->domain_x;
    pass->height = layout->domain_y;
    *at = qp_quad(0.0f, 0.0f, (float)layout->domain_x, (float)layout->domain_y);
    if (layout->square > 0) {
        take_square(layout, part, k, at);
    } else {
        take_rows(part, (float)k, at);
        take_columns(part, (float)(k / layout->neighbours),
                     (float)(qp_gauss_jordan_unknowns(plan->problem) / layout->neighbours), at);
    }
    const bool some = at->x0 < at->x1 && at->y0 < at->y1;
    fit(into, layout->square, pass);
    return some;
}

const struct qp_texture *qp_elimination_texture(const struct qp_plan *plan,
                                                enum qp_elimination_surface from)
{
    const struct qp_plan_elimination *own = plan->own;
    if (from == QP_SURFACE_SOURCE)
        return qp_pingpong_source(&own->pair);
    return from == QP_SURFACE_TARGET ? qp_pingpong_target(&own->pair) : &own->canvas[from].texture;
}
