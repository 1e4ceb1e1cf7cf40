/* SPDX-License-Identifier: MIT */
#ifndef QP_WALK_CHECKER_H
#define QP_WALK_CHECKER_H

#include <quadpass/check.h>

enum { QP_TRIVIALS = 20 /* at most */ };

struct qp_size;

/* Problems of a check, with their references: they wait for the next variants. */
struct qp_kept_problems;

/* qp_check with the problems of earlier calls that had the same `make`, problems and variants of
 * the same operation; *kept begins as NULL. Large ones are made anew each time. NULL for the sizes,
 * up to {0}: the operation's. */
enum qp_status qp_check_keeping(struct qp_context *context,
                                const struct qp_variant *const variants[], int count,
                                const struct qp_check_desc *desc, const struct qp_size *sizes,
                                struct qp_kept_problems **kept, struct qp_tally *tallies);

void qp_kept_problems_destroy(struct qp_kept_problems **kept);

/* Trivial answers beside those of a kernel (trivial.c), and what cases have shown of them: where
 * one would pass in all, a check cannot tell whether the kernel is right. It begins as zeros. */
struct qp_trivials {
    int cases, count;
    bool told[QP_TRIVIALS];   /* some case would fail it */
    double most[QP_TRIVIALS]; /* the largest error of a step, up to where it is told */
    char name[QP_TRIVIALS][80];
};

/* Adds a case that a kernel has passed, with the problem's reference after these steps. Errors:
 * QP_NO_MEMORY. */
enum qp_status qp_trivials_add(struct qp_trivials *trivials, const struct qp_problem *problem,
                               int steps, double tolerance);

/* If one would pass in every case, a record that has passed gets the verdict QP_CANNOT_TELL, a
 * sentence and no rate. */
void qp_trivials_doubt(const struct qp_trivials *trivials, struct qp_record *record);

#endif
