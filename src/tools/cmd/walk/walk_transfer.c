/* SPDX-License-Identifier: MIT */
/* The tour of a transfer: the array's place in every stage. */
#include "tools/cmd/walk/walk.h"

#include "lab/ops/transfer/transfer.h"

static void print_problem(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    fprintf(trace->out, "    %s, of: %s; %d x %d values of x, row 0 at the bottom:\n", p->kind,
            p->op->equation, p->width, p->height);
    walk_values(trace, p->width, p->height, p->field[QP_TRANSFER_X].values, QP_FLOATS);
}

static void print_upload(const struct trace *trace)
{
    fprintf(trace->out, "    %s, nothing in it yet%s\n",
            trace->plan->variant->backend == QP_CPU ? "one more array is the device"
                                                    : "the device's array is made",
            qp_transfer_kind_of(trace->plan) == QP_TRANSFER_DOWN ? " but x" : "");
    if (trace->plan->engine == &qp_engine_transfer)
        fprintf(trace->out, "    %d piece%s of %d rows at most, %d at a time\n",
                qp_transfer_pieces(trace->plan), qp_transfer_pieces(trace->plan) > 1 ? "s" : "",
                qp_transfer_piece(trace->plan, 0).rows, qp_transfer_turns(trace->plan));
}

/* Unpacking and judging are those of all variants. */
const struct trace_stage walk_transfer[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {NULL, print_problem},
    [QP_STAGE_PACK] = {NULL, walk_layouts},
    [QP_STAGE_UPLOAD] = {NULL, print_upload},
    [QP_STAGE_PROGRAM] = {"    everything moves once, for first transfers are slow, and is emptied "
                          "again\n",
                          walk_shaders},
    [QP_STAGE_PASS] = {"    pieces have moved; what has arrived:\n", walk_state},
    [QP_STAGE_SWAP] = {"    nothing to swap: the next step moves x once more\n", NULL},
    [QP_STAGE_READBACK] = {"    the answer in its place:\n", walk_texels},
};
