/* SPDX-License-Identifier: MIT */
/* Parts of a checkpoint of an iteration. */
#include "base/clock.h"
#include "solve/solve.h"

enum qp_status qp_iteration_begin(struct qp_iteration *s)
{
    bool resumed;
    enum qp_status status =
        qp_checkpoint_enter(s->checkpoint, "iteration", qp_iteration_store, s, &resumed);
    if (status != QP_OK || !resumed)
        return status;
    s->round -= s->desc->refine ? 1 : 0; /* which is counted when it begins */
    qp_iteration_measure(s);
    return qp_checkpoint_check_row(s->checkpoint, s->row, s->out->variant);
}
