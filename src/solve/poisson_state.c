/* SPDX-License-Identifier: MIT */
/* What a checkpoint has of a solve of Poisson's equation. */
#include "base/clock.h"
#include "plan/problem.h"
#include "solve/poisson.h"

/* The correction under way is computed anew from x, and goes on where its walk was. */
static void store(struct qp_archive *archive, void *owner)
{
    struct qp_poisson *s = owner;
    double seconds = qp_clock() - s->begin;
    qp_archive_double(archive, &seconds);
    qp_archive_int(archive, &s->round);
    qp_archive_int(archive, &s->steps_before);
    qp_archive_int(archive, &s->least_step);
    qp_archive_double(archive, &s->least);
    qp_archive_doubles(archive, s->out->x, qp_problem_cells(&s->problem));
    qp_archive_walked(archive, &s->walked, s->problem.width, s->problem.height);
    s->begin = qp_clock() - seconds;
}

static void add_facts(struct qp_poisson *s)
{
    struct qp_checkpoint *c = &s->checkpoint;
    const struct qp_poisson_desc *desc = s->desc;
    qp_checkpoint_add_text(c, "operation", qp_op_poisson5.name);
    qp_checkpoint_add_number(c, "width of the grid", desc->width);
    qp_checkpoint_add_number(c, "height of the grid", desc->height);
    qp_checkpoint_add_text(c, "method", s->method->name);
    qp_checkpoint_add_text(c, "variant", s->out->variant->name);
    qp_checkpoint_add_number(c, "tolerance", s->tolerance);
    qp_checkpoint_add_number(c, "largest number of steps", s->most_steps);
    qp_checkpoint_add_text(c, "refinement", desc->refine ? "on" : "off");
    qp_checkpoint_add_style(c, desc->pingpong, desc->target);
    qp_checkpoint_add_values(c, "right-hand side", s->b, qp_problem_cells(&s->problem));
}

enum qp_status qp_poisson_begin(struct qp_poisson *s)
{
    bool resumed;
    enum qp_status status = qp_checkpoint_make(s->desc->checkpoint, s->desc->every, s->desc->resume,
                                               s->desc->interrupt, &s->checkpoint);
    if (status != QP_OK || !qp_checkpoint_is_wanted(&s->checkpoint))
        return status;
    add_facts(s);
    status = qp_checkpoint_open(&s->checkpoint);
    if (status == QP_OK)
        status = qp_checkpoint_enter(&s->checkpoint, "poisson5", store, s, &resumed);
    if (status == QP_OK && resumed) {
        s->round--; /* which is counted when it begins */
        qp_poisson_measure(s);
    }
    return status;
}

bool qp_poisson_wants_state(void *user, int step)
{
    const struct qp_poisson *s = user;
    (void)step;
    return qp_checkpoint_is_due(&s->checkpoint);
}

bool qp_poisson_keep_state(void *user, int step, const struct qp_matrix *x)
{
    struct qp_poisson *s = user;
    const struct qp_walked before = s->walked;
    s->walked = (struct qp_walked){step, *x};
    s->written = qp_checkpoint_write(&s->checkpoint);
    s->has_written = true;
    s->walked = before;
    return s->written == QP_OK;
}
