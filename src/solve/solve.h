/* SPDX-License-Identifier: MIT */
/* State of a solve by iteration: solve.c walks, solve_ending.c writes the outcome. */
#ifndef QP_SOLVE_SOLVE_H
#define QP_SOLVE_SOLVE_H

#include <quadpass/solve.h>

#include "solve/solving.h"

/* Steps without a new least residual that count as stagnation. */
enum { QP_STAGNATION_STEPS = 1000 };

struct qp_iteration {
    struct qp_context *context;
    const struct qp_market *matrix;
    const struct qp_solve_desc *desc;
    qp_goes_on *goes_on;
    void *user;
    struct qp_solution *out;
    struct qp_checkpoint *checkpoint; /* NULL: none */
    struct qp_problem problem;
    double *b, *lost; /* as long as x; lost: the rounding of b where it is A times ones, or NULL */
    double *residual, *bound, *scratch; /* likewise; bound: of residual, with its rounding */
    double *kept;                       /* likewise: x before a correction */
    double *proof;                      /* scratch of certain.h */
    double tolerance, aim;              /* aim: the residual at which steps end */
    int most_steps;
    double begin, first_residual;
    /* of the walk under way: */
    double target, least, unit; /* unit: the walk's residual 1, as a residual of the system */
    int least_step, steps_before, round;
    struct qp_progress last, mark,
        mark_before; /* looks: the last, and two of which each has twice the steps before */
    enum qp_ending ending;
    bool has_ended;               /* on its own, and not by an interrupt */
    struct qp_walked walked;      /* where it goes on, or what is being written */
    bool has_written;             /* a checkpoint, */
    enum qp_status written;       /* and how that went */
    const struct qp_variant *row; /* of a checkpoint */
    /* results of the last walk: */
    bool idle;    /* no step of the last thousand helped */
    bool is_back; /* the iterate was not finite, x is the one before */
};

static inline size_t qp_iteration_rows(const struct qp_iteration *s)
{
    return (size_t)s->matrix->rows;
}

/* residual = b - A x; out->residual its relative norm, from above. */
void qp_iteration_measure(struct qp_iteration *s);

/* Takes up what stands in the file to go on from, in the middle of a round. Errors: those of
 * qp_checkpoint_enter. */
enum qp_status qp_iteration_begin(struct qp_iteration *s);

/* Callbacks of a walk, for its checkpoints. */
bool qp_iteration_wants_state(void *user, int step);
bool qp_iteration_keep_state(void *user, int step, const struct qp_matrix *x);

/* Settles the ending and fills in all that *out says of the solution but x itself; returns certain digits of x, -1 if
 * none is proven. */
int qp_iteration_finish(struct qp_iteration *s);

#endif
