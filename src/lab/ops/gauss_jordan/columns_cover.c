/* SPDX-License-Identifier: MIT */
/* The part of a surface that a draw of an elimination by columns covers. */
#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"

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

bool qp_elimination_cover(const struct qp_plan *plan, enum qp_elimination_surface into,
                          enum qp_part part, int k, struct qp_gl_pass *pass)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_geometry *at = &pass->geometry;
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
