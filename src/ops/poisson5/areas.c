/* SPDX-License-Identifier: MIT */
#include "ops/poisson5/areas.h"

#include "base/whole.h"
#include "ops/poisson5/poisson5.h"
#include "plan/problem.h"

/* Fragments whose cells lie inside the grid and `reach` cells from its rim or more: from *first up
 * to *end. */
static void set_span(int cells, int reach, int cells_each, int *first, int *end)
{
    *first = qp_groups_in(reach, cells_each);
    *end = qp_most(*first, (qp_most(cells, reach) - reach) / cells_each);
}

static void add(struct qp_poisson5_areas *out, int x0, int y0, int x1, int y1)
{
    if (x0 < x1 && y0 < y1)
        out->careful[out->count++] = (struct qp_area){x0, y0, x1, y1};
}

/* A later step than the first sees its neighbours as the step before left them: each but the last
 * reaches a cell farther. Cells of a fragment are in one texel and in the sheets, or in rows. */
void qp_poisson5_areas_set(const struct qp_plan *plan, int steps, struct qp_poisson5_areas *out)
{
    const struct qp_layout *layout = &plan->layout;
    const int rows = qp_poisson5_row(plan->variant->recipe)->rows;
    const int width = layout->domain_x, height = qp_groups_in(layout->domain_y, qp_most(rows, 1));
    const int reach = steps - 1, wide = layout->neighbours, high = qp_most(rows, layout->sheets);
    struct qp_area *in = &out->inside;
    int x, y;
    *out = (struct qp_poisson5_areas){0};
    set_span(plan->problem->width, reach, wide, &in->x0, &in->x1);
    set_span(plan->problem->height, reach, high, &in->y0, &in->y1);
    if (in->x0 >= in->x1 || in->y0 >= in->y1)
        *in = (struct qp_area){0};
    add(out, 0, 0, width, in->y0);
    add(out, 0, in->y1, width, height);
    add(out, 0, in->y0, in->x0, in->y1);
    add(out, in->x1, in->y0, width, in->y1);
    if (qp_problem_kind(plan->problem) != QP_POISSON5_SPIKE)
        return;
    qp_poisson5_spike(plan->problem, &x, &y);
    add(out, qp_most(x - reach, 0) / wide, qp_most(y - reach, 0) / high,
        qp_least((x + reach) / wide + 1, width), qp_least((y + reach) / high + 1, height));
}
