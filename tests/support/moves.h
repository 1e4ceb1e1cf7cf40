/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of transfers: problems, and plans that are led from stage to stage. */
#ifndef QP_TESTS_MOVES_H
#define QP_TESTS_MOVES_H

#include "support/support.h"

#include "lab/plan/plan.h"

/* A problem of transfer; its kind is one of enum qp_transfer_kind. */
struct qp_problem moves_problem(int kind, int width, int height);

/* True for a variant of transfer that can run here; without CUDA or OpenGL none of theirs is
 * asked. */
bool moves_can(struct qp_context *context, const struct qp_variant *variant,
               const struct qp_problem *problem);

/* A plan after stage 4; qp_plan_destroy ends it. */
struct qp_plan *moves_open(struct qp_context *context, const struct qp_variant *variant,
                           struct qp_problem *problem, int block);

/* A step, and the status of the later stages; *right if all values are. */
enum qp_status moves_run(struct qp_plan *plan, bool *right);

/* Hands the plan of every variant that has one to the test, for each kind; skips without OpenGL,
 * when all others were tested. */
void moves_on_all(void **state, int width, int height, int block,
                  void (*test)(struct qp_plan *plan));

#endif
