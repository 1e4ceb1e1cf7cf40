/* SPDX-License-Identifier: MIT */
/* Checks shared by the descriptions of walks, checks, benchmarks and solves: enum values and sizes
 * in range. */
#ifndef QP_WALK_DESCRIPTION_H
#define QP_WALK_DESCRIPTION_H

#include <quadpass/bench.h>

#include "lab/plan/op.h"
#include "toolkit/base/status.h"

/* A record of no run yet: whatever is measured is NaN. */
struct qp_record qp_record_begin(const struct qp_variant *variant, const struct qp_extent *extent,
                                 struct qp_cost cost);

/* The same of this problem; and its rates, once it took so long. */
void qp_record_start(struct qp_record *record, const struct qp_variant *variant,
                     const struct qp_problem *problem, int iterations, struct qp_style style);
void qp_record_rate(struct qp_record *record, double seconds);

/* True in a process that runs this variant: variants of one process run in the first, and the
 * others wait. */
bool qp_runs_here(const struct qp_variant *variant);

/* Errors: QP_BAD_USE. The last is what solves share, whose variant may be NULL. */
enum qp_status qp_check_style(const struct qp_style *style);
enum qp_status qp_check_steps(int iterations);
enum qp_status qp_check_problem(const struct qp_variant *variant, const struct qp_problem *problem);
enum qp_status qp_check_ways(int steps, const struct qp_style *style,
                             const struct qp_variant *variant);
enum qp_status qp_check_walk(const struct qp_variant *variant, const struct qp_problem *problem,
                             const struct qp_walk_desc *desc);

#endif
