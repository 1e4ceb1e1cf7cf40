/* SPDX-License-Identifier: MIT */
#ifndef QP_OPS_PROBLEM_H
#define QP_OPS_PROBLEM_H

#include <quadpass/problem.h>

#include "ops/op.h"

/* An empty problem of this size, its stored fields NaN; size and memory are checked first. */
enum qp_status qp_problem_allocate(const struct qp_op *op, int width, int height,
                                   struct qp_problem *out);

/* Room 9: sees to it that problem->reference is the answer after so many steps. Remembered, because
 * every variant is compared with the same one. */
enum qp_status qp_problem_reference(struct qp_problem *problem, int iterations);

/* The witness's answer after so many steps; the caller frees it. */
enum qp_status qp_problem_witness(const struct qp_problem *problem, int iterations,
                                  double **answer);

#endif
