/* SPDX-License-Identifier: MIT */
/* What became of right-hand sides, by either method. */
#include <quadpass/method.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "walk/dense.h"

/* Small residuals alone do not end an elimination: an interrupt may have kept it from finding A singular. */
static enum qp_ending ending_of(const struct qp_dense_solution *solution, double residual)
{
    const bool interrupted = solution->ending == QP_INTERRUPTED;
    if (residual <= solution->tolerance && (solution->regular || !interrupted))
        return QP_CONVERGED;
    return interrupted ? QP_INTERRUPTED : QP_STAGNATED;
}

struct qp_side qp_dense_side(const struct qp_dense_solution *solution, int k)
{
    const bool knows = solution->condition > 0.0;
    struct qp_side side = {.method = QP_ELIMINATION,
                           .variant = solution->variant,
                           .ending = ending_of(solution, solution->residuals[k]),
                           .eliminations = solution->eliminations,
                           .residual = solution->residuals[k],
                           .condition = knows ? solution->condition : NAN,
                           .digits = knows ? qp_dense_digits(solution->errors[k]) : -1,
                           .seconds = solution->seconds};
    snprintf(side.sentence, sizeof side.sentence, "%s", solution->sentence);
    return side;
}

const char *qp_method_name(enum qp_method method)
{
    return method == QP_ELIMINATION ? "elimination" : "iteration";
}

const char *qp_ending_name(enum qp_ending ending)
{
    static const char *const names[] = {"converged", "diverging", "out of steps", "stagnated",
                                        "interrupted"};
    return names[ending];
}

void qp_answer_destroy(struct qp_answer *answer)
{
    if (answer == NULL)
        return;
    free(answer->side);
    free(answer->x);
    *answer = (struct qp_answer){0};
}
