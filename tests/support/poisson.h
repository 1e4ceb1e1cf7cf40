/* SPDX-License-Identifier: MIT */
/* Computations that tests of poisson5 do by themselves. */
#ifndef QP_TESTS_POISSON_H
#define QP_TESTS_POISSON_H

#include "support/support.h"

/* ||h^2 f - A u|| / ||h^2 f|| of an iterate in floats or doubles, A being 4 less the neighbours. */
double poisson_residual(const struct qp_problem *problem, const struct qp_matrix *u);

/* Residual that on_residual got last; `user` is one of these. */
struct heard {
    double residual, enough; /* the walk ends at a residual of `enough` */
    int calls;
};

bool poisson_hear(void *user, int step, double residual);

#endif
