/* SPDX-License-Identifier: MIT */
/* A matrix in the ten rooms, in colours of one scale: texels where a room has them, else cells. */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "cmd/draw/draw.h"
#include "plan/plan.h"

enum { STEPS = 2 };

struct rooms {
    const struct drawing *drawing;
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
    else if (room == QP_ROOM_REFERENCE && p->reference != NULL)
        keep(rooms, room, p->reference, QP_DOUBLES, p->answer_width, p->answer_height * p->systems);
    else if (room != QP_ROOM_PROGRAM && room < QP_ROOM_REFERENCE)
        keep_texels(rooms, room, plan);
}

/* ---- The picture ---- */

static int paint_at(const void *user, int column, int line)
{
    const struct numbers *n = user;
    return svg_step(n->value[draw_row_at(n->rooms->drawing, line, n->rows) * n->columns + column],
                    n->rooms->low, n->rooms->high);
}

/* All to one scale, three in a line; two rooms have no numbers. */
static void draw_rooms(struct svg *svg, const struct rooms *rooms)
{
    enum { IN_LINE = 3, WIDEST = 14, LEAST = 6 };
    const double side = svg_side(rooms->of[QP_ROOM_PACK].columns, IN_LINE, WIDEST);
    for (int room = 1; room <= QP_ROOMS; room++) {
        const struct numbers *numbers = &rooms->of[room];
        const char *words = room == QP_ROOM_PROBLEM ? ": x, the start"
                            : room == QP_ROOM_UPLOAD || room == QP_ROOM_PASS || room == QP_ROOM_SWAP
                                ? ": target"
                            : room == QP_ROOM_READBACK ? ": source"
                                                       : "";
        struct svg_raster raster = svg_squares(numbers->columns, numbers->rows, side, svg_colours(),
                                               SVG_COLOURS + 1, paint_at, numbers);
        raster.height = fmax(side, LEAST);
        svg_panel(svg, raster, room - 1, IN_LINE, "%d %s%s", room, qp_room_name((enum qp_room)room),
                  words);
    }
    svg->height += SVG_LINE;
    svg_legend(svg, SVG_MARGIN, svg->height, svg_colours()[SVG_COLOURS], "no number; verdict: %s",
               qp_verdict_name(rooms->result->verdict));
    svg->height += SVG_MARGIN;
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
    struct rooms rooms = {.drawing = drawing, .result = &result, .low = NAN, .high = NAN};
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
        draw_rooms(&drawing->svg, &rooms);
    }
    for (int room = 1; room <= QP_ROOMS; room++)
        free(rooms.of[room].value);
    return status;
}
