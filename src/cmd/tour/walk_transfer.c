/* SPDX-License-Identifier: MIT */
/* The tour of a transfer: the array's place in every room. */
#include "cmd/tour/tour.h"

#include "ops/transfer/transfer.h"

static void print_problem(const struct tour *tour)
{
    const struct qp_problem *p = tour->problem;
    fprintf(tour->out, "    %s, of: %s; %d x %d values of x, row 0 at the bottom:\n", p->kind,
            p->op->equation, p->width, p->height);
    tour_values(tour, p->width, p->height, p->field[QP_TRANSFER_X].values);
}

static void print_upload(const struct tour *tour)
{
    fprintf(tour->out, "    %s, nothing in it yet%s\n",
            tour->variant->backend == QP_CPU ? "one more array is the device"
                                             : "the device's array is made",
            qp_transfer_kind_of(tour->plan) == QP_TRANSFER_DOWN ? " but x" : "");
    if (tour->plan->engine == &qp_engine_transfer)
        fprintf(tour->out, "    %d piece%s of %d rows at most, %d at a time\n",
                qp_transfer_pieces(tour->plan), qp_transfer_pieces(tour->plan) > 1 ? "s" : "",
                qp_transfer_piece(tour->plan, 0).rows, qp_transfer_turns(tour->plan));
}

/* Unpacking and judging are those of all rows. */
void tour_transfer(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    static const struct tour_room rooms[QP_ROOMS + 1] = {
        [QP_ROOM_PROBLEM] = {NULL, print_problem},
        [QP_ROOM_PACK] = {NULL, tour_layouts},
        [QP_ROOM_UPLOAD] = {NULL, print_upload},
        [QP_ROOM_PROGRAM] = {"    everything moves once, for first transfers are slow, and is "
                             "emptied again\n",
                             tour_shaders},
        [QP_ROOM_PASS] = {"    pieces have moved; what has arrived:\n", tour_state},
        [QP_ROOM_SWAP] = {"    nothing to swap: the next step moves x once more\n", NULL},
        [QP_ROOM_READBACK] = {"    the answer in its place:\n", tour_texels},
    };
    tour_print_room(user, &rooms[room], room, plan, seconds);
}
