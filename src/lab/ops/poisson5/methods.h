/* SPDX-License-Identifier: MIT */
/* Methods that solve poisson5 by its steps: an order of updates, and weights. Data for any variant
 * with that order. */
#ifndef QP_OPS_POISSON5_METHODS_H
#define QP_OPS_POISSON5_METHODS_H

#include "lab/ops/poisson5/poisson5.h"

/* Goal of a method: the residual times `factor`, in walks of which each makes it smaller by no more
 * than `nearest`, for what rounding leaves. Both lie between 0 and 1. */
struct qp_poisson5_goal {
    double factor, nearest;
};

/* Course of a method: how it gets to the goal. */
struct qp_poisson5_course {
    double weight; /* weight of every step, where there is no list */
    int cycle;     /* weights of a list, one a step; 0: none */
    int walk;      /* steps of one walk, of whole cycles; 0: it ends by the residual */
    double steps;  /* steps of all walks, as far as theory says */
    bool is_cut;   /* set by who walks: fewer steps are left than such a walk takes */
};

struct qp_poisson5_method {
    const char *name; /* as --method takes it */
    const char *what; /* a sentence for lists and pages */
    enum qp_poisson5_order order;
    struct qp_poisson5_course (*plan)(const struct qp_problem *problem,
                                      struct qp_poisson5_goal goal);

    /* Largest floor (lab/solve/poisson/poisson.h) at which corrections in float still gain, also
     * where the solution is smooth. */
    double worst_floor;

    /* Weights of a cycle of `cycle` steps, a power of two; NULL without lists. */
    void (*fill)(const struct qp_problem *problem, int cycle, double *weights);
};

/* All methods, up to one without a name: "jacobi", "sor", "chebyshev". */
extern const struct qp_poisson5_method qp_poisson5_methods[];

/* The method of this name; NULL if there is none. */
const struct qp_poisson5_method *qp_poisson5_method(const char *name);

/* The weights 1 / (1 - radius cos((2 k + 1) pi / (2 cycle))), k = 0 ... cycle - 1, in this order:
 * not for use, for it overflows (methods.c), but to show that. */
void qp_poisson5_natural_weights(const struct qp_problem *problem, int cycle, double *weights);

#endif
