/* SPDX-License-Identifier: MIT */
/* State of a solve by iteration: solve.c and poisson.c correct x, solve_steps.c walks, solve_ending.c and
 * poisson_ending.c write the outcome. */
#ifndef QP_SOLVE_SOLVE_H
#define QP_SOLVE_SOLVE_H

#include <quadpass/solve.h>

#include "plan/problem.h"
#include "solve/solving.h"

/* Steps without a new least residual that count as stagnation. */
enum { QP_STAGNATION_STEPS = 1000 };

struct qp_iteration {
    struct qp_context *context;
    const struct qp_market *matrix; /* NULL: of Poisson's equation */
    const struct qp_solve_desc *desc;
    qp_goes_on *goes_on;
    void *user;
    struct qp_solution *out;
    struct qp_checkpoint *checkpoint; /* NULL: none */
    struct qp_problem problem;        /* of the correction under way */
    size_t n;                         /* values of x */
    double *b, *lost; /* as long as x; lost: the rounding of b where it is A times ones, or NULL */
    double *residual, *bound, *scratch; /* likewise; bound: of residual, with its rounding */
    double *kept;                       /* likewise: x before a correction */
    double *proof;                      /* scratch of certain.h */
    double tolerance, aim;              /* aim: the residual at which steps end */
    int most_steps, patience; /* patience: steps without a new least residual that are stagnation */
    double begin, first_residual;
    bool refines; /* in rounds, each a correction */
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
    bool idle; /* no step of the last `patience` helped */
    bool
        is_back; /* x is the one before, for the iterate was not finite, or of poisson.h no better */
    /* of Poisson's equation (poisson.h): */
    const struct qp_poisson_desc *equation;
    const struct qp_poisson5_method *method;
    double nearest; /* factor by which one round makes the residual smaller at most */
    double part; /* of the last correction that was added: 1, or less of one that was interrupted */
    int forecast; /* steps that the method needs */
};

/* Sets s->n, and allocates b, residual, bound, kept, out->x, and so many more vectors from `scratch` on, all freed with
 * the problem by qp_iteration_destroy, but for x. Errors: QP_NO_MEMORY. */
enum qp_status qp_iteration_allocate(struct qp_iteration *s, int more);
void qp_iteration_destroy(struct qp_iteration *s);

/* One walk of so many steps to s->target. *result: its answer, none (and then no error) if it was interrupted before the
 * first step. */
enum qp_status qp_iteration_walk(struct qp_iteration *s, int steps,
                                 const struct qp_weights *weights, struct qp_result *result);

/* Residual / scale as the right-hand side b of a correction from 0, divided by a power of two: returns its logarithm. */
int qp_iteration_fill(struct qp_iteration *s, struct qp_matrix *b, double scale);

/* Adds 2^exponent times a correction to x, keeps what x was, and destroys the correction. */
void qp_iteration_add(struct qp_iteration *s, struct qp_matrix *correction, int exponent);

/* Part of a checkpoint. The correction under way is computed anew from x, and goes on where its walk was. */
void qp_iteration_store(struct qp_archive *archive, void *owner);

/* residual = b - A x; out->residual its relative norm, from above. */
void qp_iteration_measure(struct qp_iteration *s);

/* Settles the ending and fills in all that *out says of the solution but x itself; returns certain digits of x, -1 if
 * none is proven. */
int qp_iteration_finish(struct qp_iteration *s);

#endif
