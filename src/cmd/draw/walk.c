/* SPDX-License-Identifier: MIT */
/* A matrix in the ten rooms, in colours of one scale: texels where a room has texels, else cells.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "cmd/draw/draw.h"
#include "plan/plan.h"

enum { STEPS = 2 };

struct rooms {
    const struct qp_result *result;
    double low, high; /* of all numbers */
    bool no_memory;
    struct numbers {
        double *value; /* row after row from below; NULL: none */
        int columns, rows;
        const struct rooms *rooms;
    } of[QP_ROOMS + 1];
};

static void keep(struct rooms *rooms, enum qp_room room, const void *values,
                 enum qp_precision precision, int columns, int rows)
{
    double *kept = qp_alloc((size_t)columns * (size_t)rows, sizeof *kept, "a room's numbers");
    rooms->no_memory |= kept == NULL;
    for (int i = 0; i < columns * rows && kept != NULL; i++) {
        kept[i] = qp_value(values, precision, (size_t)i);
        rooms->low = isfinite(kept[i]) ? fmin(rooms->low, kept[i]) : rooms->low;
        rooms->high = isfinite(kept[i]) ? fmax(rooms->high, kept[i]) : rooms->high;
    }
    rooms->of[room] = (struct numbers){kept, columns, rows, rooms};
}

static void keep_matrix(struct rooms *rooms, enum qp_room room, const struct qp_matrix *matrix)
{
    keep(rooms, room, qp_matrix_values(matrix), matrix->precision, matrix->width, matrix->height);
}

/* Texels, of rooms that have some on the device the target's. */
static void keep_texels(struct rooms *rooms, enum qp_room room, struct qp_plan *plan)
{
    const struct qp_layout *layout = &plan->layout;
    const bool packed = room == QP_ROOM_PACK || room == QP_ROOM_READBACK;
    void *target =
        qp_alloc(qp_layout_values(layout), qp_value_bytes(layout->precision), "a target");
    rooms->no_memory |= target == NULL;
    if (target != NULL && (packed || plan->engine->read(plan, true, target) == QP_OK))
        keep(rooms, room, packed ? plan->texels : target, layout->precision,
             layout->storage_x * layout->channels, layout->storage_y);
    free(target);
}

static void on_room(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    struct rooms *rooms = user;
    const struct qp_problem *p = plan->problem;
    (void)seconds;
    if (room == QP_ROOM_PROBLEM)
        keep_matrix(rooms, room, &p->field[p->op->state]);
    else if (room == QP_ROOM_UNPACK)
        keep_matrix(rooms, room, &rooms->result->solution);
    else if (room == QP_ROOM_REFERENCE)
        keep(rooms, room, p->reference, QP_DOUBLES, p->answer_width, p->answer_height * p->systems);
    else if (room != QP_ROOM_PROGRAM && room != QP_ROOM_COMPARE)
        keep_texels(rooms, room, plan);
}

/* ---- The picture ---- */

static int paint_at(const void *user, int column, int line)
{
    const struct numbers *n = user;
    return svg_step(n->value[(n->rows - 1 - line) * n->columns + column], n->rooms->low,
                    n->rooms->high);
}

/* A room's name, a line about it, and its numbers; or what rooms without numbers have. */
static double draw_room(struct svg *svg, const struct drawing *drawing, const struct rooms *rooms,
                        int room, struct svg_raster raster)
{
    static const char *const words[] = {
        "",
        "the start",
        "in texels; guards are grey",
        "the target, without numbers",
        "what draws:",
        "the target after a step",
        "the new target: old values",
        "the source after 2 steps",
        "its cells",
        "the same in plain C",
        "error, and what is allowed:",
    };
    const struct qp_draw *first = &drawing->row->recipe->draw[0];
    const struct numbers *numbers = &rooms->of[room];
    const double x = raster.x, y = svg->height + SVG_TEXT;
    svg_text(svg, x, y, SVG_TEXT, SVG_START, "%d, %s", room, qp_room_name((enum qp_room)room));
    svg_text(svg, x, y + SVG_LINE, SVG_SMALL, SVG_START, "%s", words[room]);
    raster.y = y + SVG_LINE + 4;
    raster.columns = numbers->columns;
    raster.lines = numbers->rows;
    raster.user = numbers;
    if (room == QP_ROOM_PROGRAM)
        svg_text(svg, x, y + 2 * SVG_LINE, SVG_SMALL, SVG_START, "%s",
                 first->fragment != NULL ? first->fragment : first->compute);
    else if (room == QP_ROOM_COMPARE)
        svg_text(svg, x, y + 2 * SVG_LINE, SVG_SMALL, SVG_START, "%.1e of %.1e: %s",
                 rooms->result->error, rooms->result->tolerance,
                 qp_verdict_name(rooms->result->verdict));
    else
        svg_draw_raster(svg, &raster);
    return raster.y + fmax(numbers->rows * raster.height, SVG_LINE);
}

/* Two rooms in a line, all to one scale. */
static void draw_rooms(struct svg *svg, const struct drawing *drawing, const struct rooms *rooms)
{
    enum { SLOT = SVG_INSIDE / 2, GAP = 12, WIDEST = 14, LEAST = 6 };
    const double width = fmin((double)(SLOT - GAP) / rooms->of[QP_ROOM_PACK].columns, WIDEST);
    for (int room = 1; room <= QP_ROOMS; room += 2) {
        struct svg_raster raster = {.x = SVG_MARGIN,
                                    .width = width,
                                    .height = fmax(width, LEAST),
                                    .paints = svg_colours(),
                                    .count = SVG_COLOURS + 1,
                                    .paint_at = paint_at};
        const double left = draw_room(svg, drawing, rooms, room, raster);
        raster.x += SLOT;
        svg->height = fmax(left, draw_room(svg, drawing, rooms, room + 1, raster)) + SVG_MARGIN;
    }
    svg_scale(svg, rooms->low, rooms->high);
}

/* Follows a cell through the rooms that hold matrices. */
static void describe(struct svg *svg, const struct rooms *rooms)
{
    const struct numbers *answer = &rooms->of[QP_ROOM_UNPACK], *packed = &rooms->of[QP_ROOM_PACK];
    const int x = answer->columns / 2, y = answer->rows / 2, cell = y * answer->columns + x;
    svg_describe(svg,
                 "%d x %d cells become %d x %d values with guards and padding; the target holds no "
                 "numbers in room 3 and the first step in room 5. Cell %d,%d begins as %.3f and is "
                 "%.3f after %d steps; the reference has %.3f. Verdict: %s.",
                 answer->columns, answer->rows, packed->columns, packed->rows, x, y,
                 rooms->of[QP_ROOM_PROBLEM].value[cell], answer->value[cell], STEPS,
                 rooms->of[QP_ROOM_REFERENCE].value[cell], qp_verdict_name(rooms->result->verdict));
}

enum qp_status draw_walk(struct drawing *drawing)
{
    struct qp_result result;
    struct rooms rooms = {.result = &result, .low = NAN, .high = NAN};
    const struct qp_walk_desc desc = {.iterations = STEPS, .on_room = on_room, .user = &rooms};
    enum qp_status status = draw_check_textures(drawing);
    if (status == QP_OK)
        status = qp_walk(drawing->context, drawing->row, &drawing->problem, &desc, &result);
    if (status == QP_OK && rooms.of[QP_ROOM_REFERENCE].value == NULL)
        status = qp_fail(QP_UNSUPPORTED, "%s: %s", drawing->row->name, result.reason);
    if (status == QP_OK && rooms.no_memory)
        status = QP_NO_MEMORY;
    if (status == QP_OK) {
        svg_title(&drawing->svg, "%s in the ten rooms", drawing->row->name);
        describe(&drawing->svg, &rooms);
        draw_rooms(&drawing->svg, drawing, &rooms);
    }
    for (int room = 1; room <= QP_ROOMS; room++)
        free(rooms.of[room].value);
    return status;
}
