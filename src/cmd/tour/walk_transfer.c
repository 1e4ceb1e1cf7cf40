/* SPDX-License-Identifier: MIT */
/* The tour of a transfer: where the array stands in every room. */
#include "cmd/tour/tour.h"

#include <stdlib.h>

#include "ops/transfer/transfer.h"

static void print_problem(const struct tour *tour)
{
    const struct qp_problem *p = tour->problem;
    fprintf(tour->out, "    %s, of: %s; %d x %d values of x, row 0 at the bottom:\n", p->kind,
            p->op->equation, p->width, p->height);
    tour_values(tour, p->width, p->height, p->field[QP_TRANSFER_X].values);
}

static void print_upload(const struct tour *tour, const struct qp_plan *plan)
{
    fprintf(tour->out, "    %s, nothing in it yet%s\n",
            tour->variant->backend == QP_CPU ? "one more array stands for the device"
                                             : "the device's array is made",
            qp_transfer_kind_of(plan) == QP_TRANSFER_DOWN ? " but x" : "");
    if (plan->engine == &qp_engine_transfer)
        fprintf(tour->out, "    %d piece%s of %d rows at most, %d at a time\n",
                qp_transfer_pieces(plan), qp_transfer_pieces(plan) > 1 ? "s" : "",
                qp_transfer_piece(plan, 0).rows, qp_transfer_turns(plan));
}

static void print_pass(const struct tour *tour, struct qp_plan *plan)
{
    void *texels = malloc(qp_layout_bytes(&plan->layout));
    fputs("    pieces have moved; what has arrived:\n", tour->out);
    if (texels != NULL && plan->engine->read(plan, true, texels) == QP_OK)
        tour_storage(tour, &plan->layout, texels);
    free(texels);
}

/* Unpacking and judging are those of all rows. */
void tour_transfer(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    const struct tour *tour = user;
    if (room > QP_ROOM_READBACK) {
        tour_grid(user, room, plan, seconds);
        return;
    }
    tour_heading(tour, room, seconds);
    switch (room) {
    case QP_ROOM_PROBLEM:
        print_problem(tour);
        break;
    case QP_ROOM_PACK:
        tour_layouts(tour, plan);
        break;
    case QP_ROOM_UPLOAD:
        print_upload(tour, plan);
        break;
    case QP_ROOM_PROGRAM:
        fputs("    everything moves once, for first transfers are slow, and is emptied again\n",
              tour->out);
        tour_shaders(tour, plan);
        break;
    case QP_ROOM_PASS:
        print_pass(tour, plan);
        break;
    case QP_ROOM_SWAP:
        fputs("    nothing to swap: the next step moves x once more\n", tour->out);
        break;
    default:
        fputs("    the answer in its place:\n", tour->out);
        tour_storage(tour, &plan->layout, plan->texels);
        break;
    }
}
