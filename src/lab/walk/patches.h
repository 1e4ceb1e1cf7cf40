/* SPDX-License-Identifier: MIT */
/* Patches of a large grid that are judged after all steps of a run, in place of the whole grid. */
#ifndef QP_WALK_PATCHES_H
#define QP_WALK_PATCHES_H

#include <quadpass/walk.h>

#include "lab/plan/problem.h"

enum { QP_PATCHES = 24 /* at most */ };

/* Chooses the first and the last rows as wide as the grid, its middle and those of both sides, the
 * seams of `parts`, and tiles drawn by a seed: those whose steps take `most` updates together.
 * Returns their number; 0 where the variant's steps are judged on whole grids alone, or the rows
 * already take more. */
int qp_patches_choose(const struct qp_variant *variant, const struct qp_problem *problem, int steps,
                      const struct qp_parts_desc *parts, double most,
                      struct qp_patch patch[QP_PATCHES]);

/* Judges the result's solution there, and sets its error, tolerance, verdict and reason. Errors:
 * those of qp_problem_patch. */
enum qp_status qp_patches_judge(const struct qp_variant *variant, const struct qp_problem *problem,
                                const struct qp_patch *patch, int count,
                                const volatile sig_atomic_t *interrupt, struct qp_result *result);

#endif
