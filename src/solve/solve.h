/* SPDX-License-Identifier: MIT */
/* A solve by iteration under way: solve.c walks, solve_ending.c says what came of it. */
#ifndef QP_SOLVE_SOLVE_H
#define QP_SOLVE_SOLVE_H

#include <quadpass/solve.h>

#include "solve/solving.h"

/* Without a new least residual. */
enum { QP_STAGNATION_STEPS = 1000 };

struct qp_iteration {
    struct qp_context *context;
    const struct qp_market *matrix;
    const struct qp_solve_desc *desc;
    qp_goes_on *goes_on;
    void *user;
    struct qp_solution *out;
    struct qp_problem problem;
    double *b, *lost; /* as long as x; lost: the rounding of b where it is A times ones, or NULL */
    double *residual, *bound, *scratch; /* likewise; bound: of residual, with its rounding */
    double *kept;                       /* likewise: x before a correction */
    double tolerance, aim;              /* aim: what steps are taken down to */
    int most_steps;
    double begin, first_residual;
    /* of the walk under way: */
    double target, least, unit; /* unit: what the walk's residual 1 is in the whole system's */
    int least_step, steps_before, round;
    enum qp_ending ending;
    /* what the last one leaves to tell: */
    bool idle;    /* no step of the last thousand helped */
    bool is_back; /* the iterate had no numbers left, x is that before */
};

static inline size_t qp_iteration_rows(const struct qp_iteration *s)
{
    return (size_t)s->matrix->rows;
}

/* Settles the ending and fills in all that *out says of the solution but x itself. */
void qp_iteration_finish(struct qp_iteration *s);

#endif
