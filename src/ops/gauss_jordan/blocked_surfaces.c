/* SPDX-License-Identifier: MIT */
/* Rooms 3 and 7 of a blocked elimination: the textures that it draws to. */
#include <math.h>
#include <stdlib.h>

#include "base/whole.h"
#include "ops/gauss_jordan/blocked_engine.h"
#include "ops/gauss_jordan/gauss_jordan.h"

bool qp_blocked_lists(const struct qp_plan *plan, int rows)
{
    return !qp_context_device(plan->context)->software && rows >= qp_blocked_sizes(plan)->many;
}

int qp_blocked_candidates(const struct qp_plan *plan, int rows)
{
    return qp_groups_in(rows, qp_blocked_sizes(plan)->group);
}

/* Guard texels around every matrix-shaped surface: they hold NaN, and nothing may read or write them. */
enum { GUARD = 1 };

/* ---- Room 3 ---- */

/* Texels of a row, padded to an odd number of cache lines: rows that begin a power of two apart fall into
 * the same few sets of a processor's caches, and a fragment reads a column of them. 1000 unknowns and a
 * right-hand side would make rows of just 4096 bytes. */
static int odd_lines(const struct qp_plan *plan, int width)
{
    enum { LINE = 4 }; /* texels: 64 bytes */
    const int odd = LINE * (qp_groups_in(width, LINE) | 1);
    return odd <= qp_context_device(plan->context)->rectangle_limit ? odd : width;
}

static enum qp_status make_canvas(struct qp_plan *plan, int width, int height, int layers,
                                  const float *texels, int guard, struct qp_render_texture *out)
{
    out->guard = guard;
    if (texels == NULL)
        width = odd_lines(plan, width);
    return qp_render_texture_create(plan->context, qp_gl_target(plan->target), QP_RGBA32F, width,
                                    height, layers, texels, out);
}

/* Makes a matrix-shaped surface with guards. */
static enum qp_status make_matrix(struct qp_plan *plan, int width, int height, int layers,
                                  struct qp_render_texture *out)
{
    return make_canvas(plan, width + 2 * GUARD, height + 2 * GUARD, layers, NULL, GUARD, out);
}

static enum qp_status make_work(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    const int n = own->unknowns, sheets = plan->layout.sheets;
    enum qp_status status = make_matrix(plan, own->width, n, 0, &own->factors);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = make_matrix(plan, own->width, qp_groups_in(n, sheets), sheets, &own->work[i]);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status =
            make_canvas(plan, QP_BLOCKED_FIRST + qp_blocked_sizes(plan)->columns / QP_BLOCKED_FOUR,
                        n / QP_BLOCKED_FOUR + 1, QP_BLOCKED_FOUR, NULL, 0, &own->panel[i]);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = make_canvas(plan, qp_blocked_candidates(plan, n), 1, QP_BLOCKED_LIST_LAYERS, NULL,
                             0, &own->list[i]);
    if (status == QP_OK)
        status = make_canvas(plan, n / QP_BLOCKED_FOUR, QP_BLOCKED_MAP_ROWS, 0, NULL, 0, &own->map);
    if (status == QP_OK)
        status = make_matrix(plan, own->sides, n, 0, &own->half_way);
    if (status == QP_OK)
        status = make_matrix(plan, own->sides, qp_groups_in(n, sheets), sheets, &own->x);
    return status;
}

void qp_blocked_poison(const struct qp_plan_blocked *own)
{
    for (int i = QP_BLOCKED_FILLED; i < QP_BLOCKED_TEXTURES; i++)
        qp_render_texture_fill(&own->all[i], NAN);
}

/* Uploads. The factors have a texel row for every unknown, so unknowns are below the texture limit, and that is
 * below the 65535 iterations at which llvmpipe ends the loops of a shader; the search for four pivots takes an
 * eighth as many iterations as there are unknowns. */
enum qp_status qp_blocked_upload(struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    struct qp_plan_blocked *own =
        qp_alloc_zero(1, sizeof *own, "the OpenGL side of a blocked elimination");
    plan->own = own;
    plan->pingpong =
        QP_TWO_FBOS; /* both arrays of a pair are more than a framebuffer object holds */
    if (own == NULL)
        return QP_NO_MEMORY;
    own->unknowns =
        QP_BLOCKED_FOUR * qp_groups_in(qp_gauss_jordan_unknowns(plan->problem), QP_BLOCKED_FOUR);
    own->sides = qp_groups_in(qp_gauss_jordan_sides(plan->problem), QP_BLOCKED_FOUR);
    own->width = own->unknowns / QP_BLOCKED_FOUR + own->sides;
    enum qp_status status = make_work(plan);
    if (status == QP_OK)
        status = make_canvas(plan, layout->storage_x, layout->sheet_y, layout->sheets, plan->texels,
                             GUARD, &own->start);
    if (status == QP_OK)
        status = make_canvas(plan, layout->storage_x, layout->sheet_y, layout->sheets, plan->empty,
                             GUARD, &own->answer);
    if (status == QP_OK)
        qp_blocked_poison(own);
    glFinish();
    return status == QP_OK ? qp_gl_check(plan->context, "room 3, upload") : status;
}

/* ---- Room 7 ---- */

enum qp_status qp_blocked_read(struct qp_plan *plan, bool target, void *texels)
{
    const struct qp_plan_blocked *own = plan->own;
    enum qp_status status =
        qp_render_texture_read(target == own->done ? &own->start : &own->answer, texels);
    if (status != QP_OK || !own->done || target)
        return status;
    const struct qp_surface log = {own->map.framebuffer_id, GL_COLOR_ATTACHMENT0};
    return qp_gauss_jordan_read_exchanges(plan, &log, QP_RGBA32F, QP_BLOCKED_MAP_ROWS - 2,
                                          own->unknowns);
}

void qp_blocked_destroy(struct qp_plan *plan)
{
    struct qp_plan_blocked *own = plan->own;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < QP_BLOCKED_TEXTURES; i++)
        qp_render_texture_destroy(&own->all[i]);
    free(own);
    plan->own = NULL;
}
