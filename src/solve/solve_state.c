/* SPDX-License-Identifier: MIT */
/* What a checkpoint has of an iteration. */
#include "base/clock.h"
#include "solve/solve.h"

/* The correction under way is computed anew from x, and goes on where its walk was. */
static void store_iteration(struct qp_store *store, void *owner)
{
    struct qp_iteration *s = owner;
    double seconds = qp_clock() - s->begin;
    s->row = s->out->variant;
    qp_store_row(store, &s->row);
    qp_store_double(store, &seconds);
    qp_store_int(store, &s->round);
    qp_store_int(store, &s->steps_before);
    qp_store_int(store, &s->least_step);
    qp_store_double(store, &s->least);
    qp_store_doubles(store, s->out->x, qp_iteration_rows(s));
    qp_store_walked(store, &s->walked, s->problem.width, s->problem.height);
    s->begin = qp_clock() - seconds;
}

bool qp_iteration_wants_state(void *user, int step)
{
    const struct qp_iteration *s = user;
    (void)step;
    return qp_checkpoint_is_due(s->checkpoint);
}

bool qp_iteration_keep_state(void *user, int step, const struct qp_matrix *x)
{
    struct qp_iteration *s = user;
    const struct qp_walked before = s->walked;
    s->walked = (struct qp_walked){step, *x};
    s->written = qp_checkpoint_write(s->checkpoint);
    s->has_written = true;
    s->walked = before;
    return s->written == QP_OK;
}

enum qp_status qp_iteration_begin(struct qp_iteration *s)
{
    bool resumed;
    enum qp_status status =
        qp_checkpoint_enter(s->checkpoint, "iteration", store_iteration, s, &resumed);
    if (status != QP_OK || !resumed)
        return status;
    s->round -= s->desc->refine ? 1 : 0; /* which is counted when it begins */
    qp_iteration_measure(s);
    return qp_checkpoint_check_row(s->checkpoint, s->row, s->out->variant);
}
