/* SPDX-License-Identifier: MIT */
/* What a checkpoint has of an iteration. */
#include "base/clock.h"
#include "solve/solve.h"

/* The correction under way is computed anew from x, and goes on where its walk was. */
static void store_iteration(struct qp_archive *archive, void *owner)
{
    struct qp_iteration *s = owner;
    double seconds = qp_clock() - s->begin;
    s->row = s->out->variant;
    qp_archive_row(archive, &s->row);
    qp_archive_double(archive, &seconds);
    qp_archive_int(archive, &s->round);
    qp_archive_int(archive, &s->steps_before);
    qp_archive_int(archive, &s->least_step);
    qp_archive_double(archive, &s->least);
    qp_archive_doubles(archive, s->out->x, qp_iteration_rows(s));
    qp_archive_walked(archive, &s->walked, s->problem.width, s->problem.height);
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
