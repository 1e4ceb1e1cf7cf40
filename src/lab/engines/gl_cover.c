/* SPDX-License-Identifier: MIT */
#include "lab/engines/gl.h"

/* Boundary column as a line. Paper 1's lines from (0, 0) to (0, h) and from (w-1, 0) to (w-1, h)
 * miss the texels they mean: at x = 0.5 and w - 0.5, and drawn beyond both ends, they hit every
 * texel. Where a driver's lines still leave texels out, a quad of one texel's width is drawn
 * instead. */
static struct qp_geometry boundary(const struct qp_plan *plan, float column, float height)
{
    if (qp_context_device(plan->context)->abilities & QP_CAN_BOUNDARY_LINES)
        return qp_line(column + 0.5f, -1.0f, column + 0.5f, height + 1.0f);
    return qp_quad(column, 0.0f, column + 1.0f, height);
}

struct qp_geometry qp_cover_geometry(const struct qp_plan *plan, enum qp_cover cover)
{
    float width = (float)plan->layout.domain_x;
    float height = (float)plan->layout.domain_y;
    switch (cover) {
    case QP_COVER_INTERIOR:
        return qp_quad(1.0f, 0.0f, width - 1.0f, height);
    case QP_COVER_LEFT:
        return boundary(plan, 0.0f, height);
    case QP_COVER_RIGHT:
        return boundary(plan, width - 1.0f, height);
    case QP_COVER_POINTS:
        return qp_points(plan->problem->width, plan->problem->height);
    default:
        return qp_quad(0.0f, 0.0f, width, height);
    }
}
