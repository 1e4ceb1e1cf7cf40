/* SPDX-License-Identifier: MIT */
/* References that a problem keeps: of several orders of updates, and numbers of steps. */
#ifndef QP_PLAN_REFERENCE_LIST_H
#define QP_PLAN_REFERENCE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/problem.h>

/* An answer of the reference and what it is after. A problem has the newest one's values; it leads to the others. */
struct qp_past_answer {
    struct qp_past_answer *next; /* asked for before this one */
    int order, alpha, block, iterations;
    bool random_start;
    double scale;
    double answer[];
};

/* One for so many values; NULL: no memory, and the sentence is stored. */
struct qp_past_answer *qp_kept_make(size_t values);

/* Makes it the problem's reference, before those that it has; the oldest go where all of them take too much memory. */
void qp_kept_put(struct qp_problem *problem, struct qp_past_answer *kept, size_t values);

/* Makes the one after so many steps of the problem's order its reference; false if there is none. */
bool qp_kept_find(struct qp_problem *problem, int iterations, size_t values);

/* The one after most steps, fewer than these, from which the reference goes on; NULL: from the start. */
const struct qp_past_answer *qp_kept_before(const struct qp_problem *problem, int iterations);

#endif
