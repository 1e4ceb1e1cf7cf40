/* SPDX-License-Identifier: MIT */
/* Neighbours give each other the cells they own beside their border, which are the other's halo. */
#include "lab/engines/gl.h"
#include "lab/engines/parts/parts.h"
#include "toolkit/base/whole.h"

enum { BELOW, ABOVE }; /* where a neighbour is */

/* ---- Borders ---- */

/* Rows that a part gives its neighbours, and rows of other processes, which meet on the host. */
enum qp_status qp_parts_make_borders(const struct qp_plan *plan, struct qp_plan_part *part)
{
    const struct qp_plan_parts *parts = plan->own;
    const bool processes = parts->variant->place == QP_PARTS_PROCESSES;
    const size_t bytes =
        (size_t)parts->halo * (size_t)plan->problem->width * qp_value_bytes(plan->layout.precision);
    enum qp_status status = QP_OK;
    for (int k = 0; k < 4 && parts->variant->place != QP_PARTS_TOGETHER && status == QP_OK; k++) {
        const struct qp_plan_part *other =
            qp_parts_neighbour(parts, (int)(part - parts->part), 0, k % 2 == 0 ? -1 : 1);
        struct qp_border *give = &part->give[k / 2][k % 2], *take = &part->take[k / 2][k % 2];
        if (other == NULL)
            continue;
        *give = (struct qp_border){.from = part->ordinal,
                                   .to = processes ? QP_ON_HOST : other->ordinal};
        *take = (struct qp_border){.from = QP_ON_HOST, .to = part->ordinal};
        status = qp_borders_way(give->from, give->to, parts->variant->apart, &give->way);
        if (status == QP_OK)
            status = qp_border_make(bytes, give);
        if (status == QP_OK && processes)
            status = qp_borders_way(take->from, take->to, parts->variant->apart, &take->way);
        if (status == QP_OK && processes)
            status = qp_border_make(bytes, take);
    }
    return status;
}

void qp_parts_free_borders(struct qp_plan_part *part)
{
    for (int k = 0; k < 4; k++) {
        qp_border_free(&part->give[k / 2][k % 2]);
        qp_border_free(&part->take[k / 2][k % 2]);
    }
}

/* ---- On the device ---- */

/* The cells that two areas have in common. */
static struct qp_part_area both(const struct qp_part_area *a, const struct qp_part_area *b)
{
    const int x0 = qp_most(a->x, b->x), x1 = qp_least(a->x + a->width, b->x + b->width);
    const int y0 = qp_most(a->y, b->y), y1 = qp_least(a->y + a->height, b->y + b->height);
    return (struct qp_part_area){x0, y0, x1 - x0, y1 - y0};
}

/* Copies these cells of the grid from one part's textures to another's. */
static void give_texels(const struct qp_plan_part *from, const struct qp_plan_part *to,
                        struct qp_part_area area)
{
    const struct qp_layout *a = &from->plan->layout, *b = &to->plan->layout;
    const int wide = a->neighbours, high = qp_layout_unit(a);
    const struct qp_block block = {.from_x = a->origin_x + (area.x - from->all.x) / wide,
                                   .from_y = a->origin_y + (area.y - from->all.y) / high,
                                   .to_x = b->origin_x + (area.x - to->all.x) / wide,
                                   .to_y = b->origin_y + (area.y - to->all.y) / high,
                                   .width = qp_groups_in(area.width, wide),
                                   .height = qp_groups_in(area.height, high)};
    qp_pingpong_copy(qp_plan_gl_pair(from->plan), qp_plan_gl_pair(to->plan), &block);
}

/* The halo of each that the other owns; `wide` adds the giver's own halo, left and right. */
static void share_texels(const struct qp_plan_part *one, const struct qp_plan_part *other,
                         bool wide)
{
    const struct qp_plan_part *pair[] = {one, other};
    for (int k = 0; k < 2 && other != NULL; k++) {
        const struct qp_plan_part *from = pair[k], *to = pair[1 - k];
        struct qp_part_area owned = from->own;
        if (wide) {
            owned.x = from->all.x;
            owned.width = from->all.width;
        }
        give_texels(from, to, both(&owned, &to->all));
    }
}

/* Columns first: rows then carry to the corners the values that columns brought. */
static void exchange_texels(const struct qp_plan_parts *parts)
{
    for (int k = 0; k < parts->count; k++)
        share_texels(&parts->part[k], qp_parts_neighbour(parts, k, 1, 0), false);
    for (int k = 0; k < parts->count; k++)
        share_texels(&parts->part[k], qp_parts_neighbour(parts, k, 0, 1), true);
}

/* ---- Through the host's memory ---- */

/* Rows of `from` that are the halo of its neighbour `to`, in the whole grid. */
static struct qp_part_area rows_for(const struct qp_plan_part *from, const struct qp_plan_part *to)
{
    return both(&from->own, &to->all);
}

/* A part on the host or on OpenGL is done with rows when it returns, and waits for a device's. */
static void get(struct qp_plan_part *part, const struct qp_plan_part *to, int side, int parity)
{
    if (to == NULL || part->status != QP_OK)
        return;
    const struct qp_part_area area = rows_for(part, to);
    const struct qp_engine_rows *rows = part->plan->engine->rows;
    struct qp_border *border = &part->give[parity][side];
    const int y = area.y - part->all.y;
    qp_parts_keep(part, rows->give != NULL ? rows->give(part->plan, y, area.height, border)
                                           : rows->get(part->plan, y, area.height, border->values));
}

static void put(struct qp_plan_part *part, const struct qp_plan_part *from,
                struct qp_border *border)
{
    if (from == NULL || part->status != QP_OK)
        return;
    const struct qp_part_area area = rows_for(from, part);
    const struct qp_engine_rows *rows = part->plan->engine->rows;
    const int y = area.y - part->all.y;
    enum qp_status status = rows->take != NULL ? rows->take(part->plan, y, area.height, border)
                                               : qp_border_await(border);
    if (rows->take == NULL && status == QP_OK)
        status = rows->put(part->plan, y, area.height, border->values);
    qp_parts_keep(part, status);
}

/* Between threads: after the barrier everything to be taken is there, or its event is recorded, and
 * stays until the exchange after the next. */
static void take_rows(struct qp_plan_parts *parts, int k, int parity)
{
    struct qp_plan_part *part = &parts->part[k];
    struct qp_plan_part *below = qp_parts_neighbour(parts, k, 0, -1);
    struct qp_plan_part *above = qp_parts_neighbour(parts, k, 0, 1);
    qp_pool_wait(parts->pool);
    if (below != NULL)
        put(part, below, &below->give[parity][ABOVE]);
    if (above != NULL)
        put(part, above, &above->give[parity][BELOW]);
}

/* ---- Between processes ---- */

/* Both sides name a message by the border that it crosses. */
static struct qp_message message(const struct qp_plan_parts *parts, int k, int side, int parity,
                                 bool comes)
{
    struct qp_plan_part *part = &parts->part[k];
    const struct qp_plan_part *other = qp_parts_neighbour(parts, k, 0, side == ABOVE ? 1 : -1);
    if (other == NULL)
        return (struct qp_message){.other = -1};
    const struct qp_part_area rows = comes ? rows_for(other, part) : rows_for(part, other);
    const bool upwards = (side == ABOVE) != comes;
    return (struct qp_message){.other = other->process,
                               .tag = upwards,
                               .comes = comes,
                               .data = (comes ? part->take : part->give)[parity][side].values,
                               .bytes = (size_t)rows.height * (size_t)rows.width *
                                        qp_value_bytes(part->plan->layout.precision)};
}

static void send(struct qp_plan_parts *parts, int k, int parity)
{
    const struct qp_message messages[] = {
        message(parts, k, BELOW, parity, true), message(parts, k, ABOVE, parity, true),
        message(parts, k, BELOW, parity, false), message(parts, k, ABOVE, parity, false)};
    struct qp_plan_part *part = &parts->part[k];
    for (int side = BELOW; side <= ABOVE && part->status == QP_OK; side++)
        qp_parts_keep(part, qp_border_await(&part->give[parity][side]));
    parts->variant->link->start(messages, 4);
}

static void receive(struct qp_plan_parts *parts, int k, int parity)
{
    struct qp_plan_part *part = &parts->part[k];
    parts->variant->link->wait();
    put(part, qp_parts_neighbour(parts, k, 0, -1), &part->take[parity][BELOW]);
    put(part, qp_parts_neighbour(parts, k, 0, 1), &part->take[parity][ABOVE]);
}

void qp_parts_exchange_begin(struct qp_plan_parts *parts, int first, int end, int number)
{
    for (int k = first; k < end && parts->variant->place != QP_PARTS_TOGETHER; k++) {
        get(&parts->part[k], qp_parts_neighbour(parts, k, 0, -1), BELOW, number % 2);
        get(&parts->part[k], qp_parts_neighbour(parts, k, 0, 1), ABOVE, number % 2);
        if (parts->variant->place == QP_PARTS_PROCESSES)
            send(parts, k, number % 2);
    }
}

void qp_parts_exchange_end(struct qp_plan_parts *parts, int first, int end, int number)
{
    if (parts->variant->place == QP_PARTS_TOGETHER)
        exchange_texels(parts);
    for (int k = first; k < end && parts->variant->place == QP_PARTS_THREADS; k++)
        take_rows(parts, k, number % 2);
    for (int k = first; k < end && parts->variant->place == QP_PARTS_PROCESSES; k++)
        receive(parts, k, number % 2);
}
