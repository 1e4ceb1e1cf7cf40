/* SPDX-License-Identifier: MIT */
/* Parts of a checkpoint of a solve of Poisson's equation. */
#include "plan/problem.h"
#include "solve/poisson.h"

static void add_facts(struct qp_iteration *s)
{
    struct qp_checkpoint *c = s->checkpoint;
    const struct qp_poisson_desc *desc = s->equation;
    qp_checkpoint_add_text(c, "operation", qp_op_poisson5.name);
    qp_checkpoint_add_number(c, "width of the grid", desc->width);
    qp_checkpoint_add_number(c, "height of the grid", desc->height);
    qp_checkpoint_add_text(c, "method", s->method->name);
    qp_checkpoint_add_text(c, "variant", s->out->variant->name);
    qp_checkpoint_add_number(c, "tolerance", s->tolerance);
    qp_checkpoint_add_number(c, "largest number of steps", s->most_steps);
    qp_checkpoint_add_text(c, "refinement", desc->refine ? "on" : "off");
    qp_checkpoint_add_style(c, desc->pingpong, desc->target);
    qp_checkpoint_add_values(c, "right-hand side", s->b, s->n);
}

enum qp_status qp_poisson_begin(struct qp_iteration *s)
{
    bool resumed;
    enum qp_status status =
        qp_checkpoint_make(s->equation->checkpoint, s->equation->every, s->equation->resume,
                           s->equation->interrupt, s->checkpoint);
    if (status != QP_OK || !qp_checkpoint_is_wanted(s->checkpoint))
        return status;
    add_facts(s);
    status = qp_checkpoint_open(s->checkpoint);
    if (status == QP_OK)
        status = qp_checkpoint_enter(s->checkpoint, "poisson5", qp_iteration_store, s, &resumed);
    if (status == QP_OK && resumed) {
        s->round--; /* which is counted when it begins */
        qp_poisson_measure(s);
    }
    return status;
}
