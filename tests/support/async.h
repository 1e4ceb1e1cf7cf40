/* SPDX-License-Identifier: MIT */
/* Tests that asynchronous variants of poisson5 share on all backends; `context` is NULL but for
 * OpenGL's. */
#ifndef QP_TESTS_ASYNC_H
#define QP_TESTS_ASYNC_H

#include "lab/plan/plan.h"
#include "support/support.h"

/* Figures 17 to 20 of paper 5, in lists of variants by name. */
enum { ASYNC0, ASYNC1, ASYNC2, ASYNC3, ROWS };

/* Variants on threads. Their sizes, of less than a block, one, one cell more, and of several;
 * kinds, and rows of a block. */
enum { ASYNC_SIZES = 11 };
extern const char *const async_rows[ROWS], *const async_kinds[3];
extern const struct qp_size async_sizes[ASYNC_SIZES];
extern const int async_blocks[4];

struct qp_problem async_problem(const char *kind, int width, int height);

/* Launches of alpha + 1 steps in blocks of this height, 0 being the usual; keeps the solution. */
struct qp_walk_desc async_steps(int launches, int alpha, int block);

struct qp_result async_walk(struct qp_context *context, const char *row, struct qp_problem *problem,
                            const struct qp_walk_desc *desc);

/* A walk that nobody judges but the test, in blocks of the usual height. */
struct qp_result async_run(struct qp_context *context, const char *row, struct qp_problem *problem,
                           int launches, int alpha);

/* Judged anew; of the variant without a race every bit counts. The result comes without its
 * solution. */
struct qp_result async_must_pass(struct qp_context *context, const char *row,
                                 struct qp_problem *problem, int launches, int alpha, int block);

/* A walk that is skipped for a reason with these words. */
void async_must_skip(struct qp_context *context, const char *row, struct qp_problem *problem,
                     const struct qp_walk_desc *desc, const char *words);

/* Refusals of all four variants: factors that are odd or too large, such as this one, fields that
 * have no judge, looks at a change that is none, and blocks of another height. */
void async_refusals(struct qp_context *context, const char *const rows[ROWS], int alpha,
                    const char *words);

/* With alpha 0 a launch is Jacobi's step, and no cell has a choice: all variants have these bits,
 * with weights of their own for each step, too. */
void async_alpha_0(struct qp_context *context, const char *const rows[], int count,
                   const char *jacobi, int launches);

/* Blocks of a walk of a step or more. */
struct qp_launch_blocks async_components(const char *row, struct qp_problem *problem, int block);

/* Hypothesis 2 of section 5.1: after one launch every cell has more than after one step of
 * Jacobi. */
void async_all_cells_move(const char *row, struct qp_problem *problem,
                          const struct qp_result *jacobi);

/* Largest distance from an answer, relative to that one's largest value. */
double async_distance(const struct qp_result *result, const struct qp_result *wanted);

#endif
