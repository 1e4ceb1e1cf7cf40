/* SPDX-License-Identifier: MIT */
/* What the CPU's engine keeps of a plan, for engines of operations that build on it. */
#ifndef QP_ENGINES_CPU_H
#define QP_ENGINES_CPU_H

struct qp_plan_cpu {
    void *state[2]; /* source first: the plan's arrays, or the reference's own in double */
    int step;       /* number of the next one */
    void *more;     /* of the engine that builds on this one, which frees it */
};

#endif
