/* SPDX-License-Identifier: MIT */
/* Texels of the domain that a draw of each kind covers. */
#include "support/support.h"

#include "lab/engines/gl.h"
#include "lab/plan/op.h"
#include "toolkit/gl/context/context.h"

enum { WIDTH = 6, HEIGHT = 4 };

static void expect(struct qp_plan *plan, enum qp_cover cover, GLenum primitive, float x0, float y0,
                   float x1, float y1)
{
    const struct qp_geometry got = qp_cover_geometry(plan, cover);
    if (got.primitive != primitive || got.x0 != x0 || got.y0 != y0 || got.x1 != x1 || got.y1 != y1)
        fail_msg("cover %d is 0x%x from (%g, %g) to (%g, %g)", (int)cover, got.primitive, got.x0,
                 got.y0, got.x1, got.y1);
}

/* Left and right columns are lines where lines hit every texel, and narrow quads elsewhere. */
CLEAN_TEST(covers_are_what_they_say)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_problem problem = {.width = 12, .height = 9};
    struct qp_plan plan = {.context = context, .problem = &problem};
    const unsigned abilities = context->device.abilities;
    plan.layout.domain_x = WIDTH;
    plan.layout.domain_y = HEIGHT;
    expect(&plan, QP_COVER_ALL, GL_QUADS, 0, 0, WIDTH, HEIGHT);
    expect(&plan, QP_COVER_INTERIOR, GL_QUADS, 1, 0, WIDTH - 1, HEIGHT);
    expect(&plan, QP_COVER_POINTS, GL_POINTS, 0, 0, 12, 9);
    context->device.abilities |= QP_CAN_BOUNDARY_LINES;
    expect(&plan, QP_COVER_LEFT, GL_LINES, 0.5f, -1, 0.5f, HEIGHT + 1);
    expect(&plan, QP_COVER_RIGHT, GL_LINES, WIDTH - 0.5f, -1, WIDTH - 0.5f, HEIGHT + 1);
    context->device.abilities &= ~(unsigned)QP_CAN_BOUNDARY_LINES;
    expect(&plan, QP_COVER_LEFT, GL_QUADS, 0, 0, 1, HEIGHT);
    expect(&plan, QP_COVER_RIGHT, GL_QUADS, WIDTH - 1, 0, WIDTH, HEIGHT);
    context->device.abilities = abilities;
}

GROUP(support_open_context, support_close_context)
