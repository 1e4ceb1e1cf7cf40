/* SPDX-License-Identifier: MIT */
/* Asynchronous variants of poisson5 (paper 5, chapter V): a launch takes alpha + 1 steps of blocks
 * of QP_ASYNC_ACROSS x `block` unknowns, a thread a column, which hear of each other late or not at
 * all. C++ reads this too. */
#ifndef QP_OPS_POISSON5_ASYNC_H
#define QP_OPS_POISSON5_ASYNC_H

#ifdef __cplusplus
extern "C" {
#endif

struct qp_problem;

enum {
    QP_ASYNC_ACROSS = 64,  /* unknowns of a block, and its threads: the thesis's R */
    QP_ASYNC_MOST_UP = 32, /* rows of the highest block */
};

/* Blocks of `block` rows that cover the problem's grid: m of section 5.1. */
int qp_poisson5_components(const struct qp_problem *problem, int block);

/* Launch of the figures' Async 2 in plain C, and the judge of asynchronous variants: every block of
 * across x up cells takes problem->alpha steps and one more, from `old`, with the values of `old`
 * around it. The order QP_POISSON5_BLOCKS is computed in floats, so that a variant which adds in
 * the same order has the same bits, else in double. `old` and `new` are width x height; *scale
 * grows as an operation's step has it. Weight: the problem's. */
void qp_poisson5_step_blocks(const struct qp_problem *problem, int across, int up,
                             const double *old, double *out, double *scale);

#ifdef __cplusplus
}
#endif
#endif
