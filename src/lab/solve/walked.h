/* SPDX-License-Identifier: MIT */
/* Walks within a solve: by a variant of any number of systems, and from a checkpoint on. */
#ifndef QP_SOLVE_WALKED_H
#define QP_SOLVE_WALKED_H

#include <quadpass/walk.h>

#include "lab/solve/checkpoint/archive.h"

struct qp_plan;

/* State of a walk: its iterate after `step` steps; empty before the first of them. */
struct qp_walked {
    int step;
    struct qp_matrix x;
};

/* Stores or reads such a state, of a grid of width x height cells. */
void qp_archive_walked(struct qp_archive *archive, struct qp_walked *walked, int width, int height);

/* Walks with a problem of one system by any variant: one that takes several solves it several times
 * over, and the first answer counts. It goes on from `walked`, if that is not empty, in place of
 * the problem's start. `kept`: as in qp_walk_keeping; a variant that takes several systems keeps
 * no plan. */
enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_walked *walked, struct qp_plan **kept,
                              struct qp_result *result);

#endif
