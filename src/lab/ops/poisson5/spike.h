/* SPDX-License-Identifier: MIT */
/* Cell of the kind `spike`; C++ reads this too. */
#ifndef QP_OPS_POISSON5_SPIKE_H
#define QP_OPS_POISSON5_SPIKE_H

#ifdef __cplusplus
extern "C" {
#endif

struct qp_problem;

/* The middle of the grid; in a part's problem counted from its first cell, and maybe outside. */
void qp_poisson5_spike(const struct qp_problem *problem, int *x, int *y);

#ifdef __cplusplus
}
#endif
#endif
