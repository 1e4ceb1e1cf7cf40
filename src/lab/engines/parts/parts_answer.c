/* SPDX-License-Identifier: MIT */
/* Change of a step, and the answer (stage 7), of all parts together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/parts/parts.h"
#include "lab/plan/problem.h"

/* Reports whether all processes have memory for it. */
static enum qp_status agree_on(const struct qp_plan *plan, const void *memory)
{
    const struct qp_plan_parts *parts = plan->own;
    const enum qp_status status = memory != NULL ? QP_OK : QP_NO_MEMORY;
    return parts->variant->link != NULL ? parts->variant->link->agree(status) : status;
}

/* Puts together what each process has of an array with `row` bytes for each row of the grid. */
static enum qp_status join(const struct qp_plan *plan, void *data, size_t row)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_link *link = parts->variant->link;
    if (link == NULL)
        return QP_OK;
    const int ranks = link->ranks();
    size_t *first = qp_alloc_zero(2 * (size_t)ranks, sizeof *first, "the processes' shares");
    if (agree_on(plan, first) != QP_OK) {
        free(first);
        return QP_NO_MEMORY;
    }
    for (int k = 0; k < parts->count; k++) {
        first[k] = (size_t)parts->part[k].own.y * row;
        first[ranks + k] = (size_t)parts->part[k].own.height * row;
    }
    link->join(data, first, first + ranks);
    free(first);
    return QP_OK;
}

/* A row of cells whose part is cut across gets the sum of each of its tiles, in their order. */
static enum qp_status change_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_part_area *own = &part->own;
    const int lines = qp_plan_lines(part->plan), each = part->plan->layout.rows;
    double *sums = qp_alloc((size_t)lines, sizeof *sums, "sums of rows");
    if (sums == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = part->plan->engine->rows->change(part->plan, sums);
    for (int k = 0; k < lines && status == QP_OK; k++) {
        const int y = part->all.y + k * each;
        if (y >= own->y && y < own->y + own->height)
            parts->sums[y] += sums[k];
    }
    free(sums);
    return status;
}

/* Rows are added from below to above, wherever they were computed: the bits of one whole. */
enum qp_status qp_parts_change(struct qp_plan *plan, double *norm)
{
    struct qp_plan_parts *parts = plan->own;
    double sum = 0.0;
    parts->sums = qp_alloc_zero((size_t)plan->problem->height, sizeof(double), "sums of rows");
    enum qp_status status = agree_on(plan, parts->sums);
    if (status == QP_OK)
        status = qp_parts_work(plan, change_part);
    if (status == QP_OK)
        status = join(plan, parts->sums, sizeof(double));
    for (int y = 0; y < plan->problem->height && status == QP_OK; y++)
        sum += parts->sums[y];
    free(parts->sums);
    parts->sums = NULL;
    *norm = sqrt(sum);
    return status;
}

/* ---- Stage 7 ---- */

/* The part's own cells, into the whole's; its padding and guards are looked at, and stay here. */
static enum qp_status unpack_part(struct qp_plan *plan, struct qp_plan_part *part,
                                  const void *texels, void *cells)
{
    const struct qp_op *op = plan->problem->op;
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_layout *layout = &part->plan->layout;
    const size_t bytes = qp_value_bytes(plan->layout.precision);
    int x, y;
    if (!qp_layout_intact(layout, texels, op->field[op->state].padding, &x, &y))
        return qp_fail(QP_DEVICE,
                       "stage 7, readback: %s wrote outside part %d of %d, at texel (%d, %d) of a "
                       "domain of %d x %d",
                       plan->variant->name, (int)(part - parts->part) + 1, parts->count, x, y,
                       layout->domain_x, layout->domain_y);
    qp_layout_unpack(layout, 0, texels, cells);
    for (y = 0; y < part->own.height; y++) {
        const size_t from = (size_t)(part->own.y - part->all.y + y) * (size_t)part->all.width +
                            (size_t)(part->own.x - part->all.x);
        const size_t to =
            (size_t)(part->own.y + y) * (size_t)plan->problem->width + (size_t)part->own.x;
        memcpy((char *)parts->values + to * bytes, (char *)cells + from * bytes,
               (size_t)part->own.width * bytes);
    }
    return QP_OK;
}

static enum qp_status read_part(struct qp_plan *plan, struct qp_plan_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_layout *layout = &part->plan->layout;
    void *texels = qp_alloc(qp_layout_bytes(layout), 1, "the texels of a part");
    void *cells = qp_alloc((size_t)part->all.width * (size_t)part->all.height,
                           qp_value_bytes(layout->precision), "the cells of a part");
    enum qp_status status = texels != NULL && cells != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        status = part->plan->engine->read(part->plan, parts->reads_target, texels);
    if (status == QP_OK)
        status = unpack_part(plan, part, texels, cells);
    free(texels);
    free(cells);
    return status;
}

enum qp_status qp_parts_read(struct qp_plan *plan, bool target, void *texels)
{
    struct qp_plan_parts *parts = plan->own;
    const struct qp_op *op = plan->problem->op;
    const size_t bytes = qp_value_bytes(plan->layout.precision);
    parts->reads_target = target;
    parts->values = qp_alloc(qp_problem_cells(plan->problem), bytes, "the parts' cells");
    enum qp_status status = agree_on(plan, parts->values);
    if (status == QP_OK)
        status = qp_parts_work(plan, read_part);
    if (status == QP_OK)
        status = join(plan, parts->values, (size_t)plan->problem->width * bytes);
    if (status == QP_OK) {
        qp_layout_poison(&plan->layout, texels);
        qp_layout_pack(&plan->layout, 0, parts->values, op->field[op->state].padding, texels);
    }
    free(parts->values);
    parts->values = NULL;
    return status;
}
