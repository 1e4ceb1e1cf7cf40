/* SPDX-License-Identifier: MIT */
/* Map of a step in place, who saw which value: a cell's value shows which of its neighbours it
 * found updated, since each of the 16 cases gives another value, unless neighbours hold what they
 * held before. */
#ifndef QP_OPS_POISSON5_SEEN_H
#define QP_OPS_POISSON5_SEEN_H

#include "toolkit/base/layout.h"

struct qp_problem;

/* The iterate before the step and after it, one value a texel. */
struct qp_poisson5_seen {
    const struct qp_problem *problem;
    const struct qp_layout *layout;
    const float *before, *after;
};

/* Case of a cell: the sum of the neighbours that it found updated, 1 left, 2 right, 4 below, 8
 * above, as a digit; '.': none of them changed; '?': several cases give its value; '!': none. */
char qp_poisson5_case(const struct qp_poisson5_seen *seen, int x, int y);

#endif
