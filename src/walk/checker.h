/* SPDX-License-Identifier: MIT */
#ifndef QP_WALK_CHECKER_H
#define QP_WALK_CHECKER_H

#include <quadpass/check.h>

struct qp_size;

/* Problems of a check, with their references: they wait for the next rows. */
struct qp_kept_problems;

/* qp_check with the problems of earlier calls that had the same `make`, problems and rows of the
 * same operation; *kept begins as NULL. Large ones are made anew each time. NULL for the sizes, up
 * to {0}: the operation's. */
enum qp_status qp_check_keeping(struct qp_context *context,
                                const struct qp_variant *const variants[], int count,
                                const struct qp_check_desc *desc, const struct qp_size *sizes,
                                struct qp_kept_problems **kept, struct qp_tally *tallies);

void qp_kept_problems_destroy(struct qp_kept_problems **kept);

#endif
