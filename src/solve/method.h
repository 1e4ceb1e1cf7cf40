/* SPDX-License-Identifier: MIT */
/* A solve by either method under way: method.c chooses, method_reasons.c says why. */
#ifndef QP_SOLVE_METHOD_H
#define QP_SOLVE_METHOD_H

#include <quadpass/method.h>

#include "solve/forecast.h"

struct qp_choice {
    struct qp_context *context;
    const struct qp_market *matrix;
    const double *b, *start;
    const struct qp_solve_desc *desc;
    struct qp_answer *out;
    size_t n;
    int at;                               /* the side under way */
    bool may_eliminate;                   /* nothing speaks against it so far, by this row, */
    const struct qp_variant *elimination; /* NULL where iteration was asked for */
    const char *obstacle;                 /* or this does: elimination does so, */
    char objection[400];                  /* for this reason */
    char reason[320];                     /* what was taken for the side under way, and why */
    struct qp_forecast forecast;
    bool leaves;  /* the iteration was left for elimination */
    bool regular; /* A is, as its rows, probes or the host have shown */
};

static inline struct qp_side *qp_method_side(const struct qp_choice *m)
{
    return &m->out->side[m->at];
}

/* The reason of the side under way. */
__attribute__((format(printf, 2, 3))) void qp_method_give_reason(struct qp_choice *m,
                                                                 const char *format, ...);
void qp_method_keep_reason(const struct qp_choice *m, struct qp_side *side);

/* Why the iteration was not left; why it was, with most_steps to take; and why elimination comes behind
 * one that ended so. */
void qp_method_reason_to_iterate(struct qp_choice *m);
void qp_method_reason_to_leave(struct qp_choice *m, int most_steps);
void qp_method_reason_to_go_on(struct qp_choice *m, const struct qp_solution *ended);

/* Sentences: of an iteration that was left for an elimination which did no better, and of iterations that
 * converged though nobody looked whether there are other solutions. */
void qp_method_tell_left(struct qp_side *side, bool interrupted);
void qp_method_tell_doubt(const struct qp_choice *m);

#endif
