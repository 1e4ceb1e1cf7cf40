/* SPDX-License-Identifier: MIT */
/* A matrix in the ten rooms, in colours of one scale: texels where a room has them, else cells. */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "cmd/draw/draw.h"

enum { STEPS = 2 };

struct rooms {
    const struct drawing *drawing;
    const struct qp_result *result;
    double low, high; /* the range of all numbers */
    enum qp_status status;
    struct numbers {
        double *value; /* row after row from below; NULL: none */
        int columns, rows;
        const struct rooms *rooms;
    } of[QP_ROOMS + 1];
};

static void keep(const struct trace *trace, const void *values, enum qp_precision precision,
                 int columns, int rows)
{
    struct rooms *rooms = trace->user;
    double *kept = qp_alloc((size_t)columns * (size_t)rows, sizeof *kept, "a room's numbers");
    if (kept == NULL)
        rooms->status = QP_NO_MEMORY;
    for (int i = 0; i < columns * rows && kept != NULL; i++) {
        kept[i] = qp_value(values, precision, (size_t)i);
        rooms->low = isfinite(kept[i]) ? fmin(rooms->low, kept[i]) : rooms->low;
        rooms->high = isfinite(kept[i]) ? fmax(rooms->high, kept[i]) : rooms->high;
    }
    rooms->of[trace->room] = (struct numbers){kept, columns, rows, rooms};
}

static void keep_matrix(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    const struct qp_matrix *matrix =
        trace->room == QP_ROOM_PROBLEM ? &p->field[p->op->state] : &trace->result->solution;
    keep(trace, qp_matrix_values(matrix), matrix->precision, matrix->width, matrix->height);
}

/* Texels, of rooms that have some on the device the target's. */
static void keep_texels(const struct trace *trace)
{
    const struct qp_layout *layout = &trace->plan->layout;
    const bool packed = trace->room == QP_ROOM_PACK || trace->room == QP_ROOM_READBACK;
    void *target = NULL;
    const enum qp_status status = packed ? QP_OK : trace_texels(trace->plan, true, &target);
    if (status == QP_OK)
        keep(trace, packed ? trace->plan->texels : target, layout->precision,
             layout->storage_x * layout->channels, layout->storage_y);
    else
        ((struct rooms *)trace->user)->status = status;
    free(target);
}

static void keep_reference(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    if (p->reference != NULL)
        keep(trace, p->reference, QP_DOUBLES, p->answer_width, p->answer_height * p->systems);
}

static const struct trace_room kept[QP_ROOMS + 1] = {
    [QP_ROOM_PROBLEM] = {.show = keep_matrix}, [QP_ROOM_PACK] = {.show = keep_texels},
    [QP_ROOM_UPLOAD] = {.show = keep_texels},  [QP_ROOM_PASS] = {.show = keep_texels},
    [QP_ROOM_SWAP] = {.show = keep_texels},    [QP_ROOM_READBACK] = {.show = keep_texels},
    [QP_ROOM_UNPACK] = {.show = keep_matrix},  [QP_ROOM_REFERENCE] = {.show = keep_reference},
};

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
    struct trace trace = {.rooms = kept, .user = &rooms};
    const struct qp_walk_desc desc = {.iterations = STEPS};
    enum qp_status status = draw_check_textures(drawing);
    if (status == QP_OK)
        status =
            trace_walk(&trace, drawing->context, drawing->row, &drawing->problem, &desc, &result);
    if (status == QP_OK && rooms.of[QP_ROOM_REFERENCE].value == NULL)
        status = qp_fail(QP_UNSUPPORTED, "%s: %s", drawing->row->name, result.reason);
    if (status == QP_OK)
        status = rooms.status;
    if (status == QP_OK) {
        svg_title(&drawing->svg, "%s in the ten rooms", drawing->row->name);
        describe(&drawing->svg, &rooms);
        draw_rooms(&drawing->svg, &rooms);
    }
    for (int room = 1; room <= QP_ROOMS; room++)
        free(rooms.of[room].value);
    return status;
}
