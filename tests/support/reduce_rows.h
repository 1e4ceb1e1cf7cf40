/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of reduce's variants. */
#ifndef QP_TESTS_REDUCE_ROWS_H
#define QP_TESTS_REDUCE_ROWS_H

#include "support/support.h"

#include "lab/ops/reduce/reduce.h"
#include "lab/plan/problem.h"

/* A variant on a problem; CPU variants get no context. */
struct row {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
};

struct qp_problem reduce_problem(const char *kind, int width, int height);

/* Walks where the variant can, and it must pass; the caller destroys the answer. */
bool reduce_walk(const struct row *row, const struct qp_walk_desc *desc, struct qp_result *result);

/* All variants of reduce, with or without OpenGL. Each that can take the problem here must have
 * walked. */
void reduce_each_row(void **state, struct qp_problem *problem, void (*test)(const struct row *row));

#endif
